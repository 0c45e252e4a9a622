// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_export.h"

#include <QCoreApplication>
#include <QPainter>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/experiments/messages.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/i18n/messages.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_coordinates.h"
#include "ui/theme/picture_file.h"

namespace lab {
namespace {

void save(const auto& chart, const QString& words, const QString& path) {
  // A chart that is folded away has no size of its own.
  const QSize size = chart.size().isEmpty() ? chart.sizeHint() : chart.size();
  const auto paint = [&chart, size](QPainter& painter) {
    painter.setFont(chart.font());
    chart.paintPicture(painter, size);
  };
  writePainted({size, chart.accessibleName(), words, paint}, path);
}

}  // namespace

void saveChart(const SweepChart& chart, const QString& path) {
  save(chart, chart.plot().caption, path);
}

void saveChart(const SweepCoordinates& chart, const QString& path) {
  save(chart, chart.words(), path);
}

void saveSweep(const SweepRequest& request, const QString& path) {
  ExperimentFile file;
  file.others = nlohmann::json::object();
  // The plan has settings of its own: the file's stay, as its branches, moments and lanes belong to them.
  if (std::filesystem::exists(path.toStdString()))
    file = readExperiment(path.toStdString());
  else
    file.config = withoutOutputs(request.plan.base);
  file.others[kSweepKey] = requestToJson(request);
  writeExperiment(path.toStdString(), experimentText(file, QCoreApplication::applicationVersion().toStdString()));
}

SweepRequest readSweep(const QString& path) {
  const ExperimentFile file = readExperiment(path.toStdString());
  const auto found = file.others.find(kSweepKey);
  if (found == file.others.end()) throw UserError(say::noSweepInFile, File{path.toStdString()});
  return requestFromJson(*found);
}

}  // namespace lab
