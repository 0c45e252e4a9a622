// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/experiments/messages.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/i18n/messages.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/theme/painted_words.h"

namespace lab {
namespace {

constexpr int kScale = 2, kPdfDpi = 96;
constexpr const char* kKey = "sweep";

void paintOn(QPaintDevice& device, const SweepChart& chart, double scale = 1) {
  QPainter painter(&device);
  painter.scale(scale, scale);
  keepLeftToRight(painter);
  painter.setFont(chart.font());
  chart.paintPicture(painter, chart.size());
}

}  // namespace

void saveChart(const SweepChart& chart, const QString& path) {
  const auto ends = [&](const char* with) { return path.endsWith(QLatin1String(with), Qt::CaseInsensitive); };
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const QSize size = chart.size();
  if (ends(".svg")) {
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(chart.accessibleName());
    generator.setDescription(chart.plot().caption);
    paintOn(generator, chart);
  } else if (ends(".pdf")) {
    QPdfWriter writer(&buffer);
    writer.setTitle(chart.accessibleName());
    writer.setResolution(kPdfDpi);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(size) / kPdfDpi, QPageSize::Inch, QString(), QPageSize::ExactMatch));
    paintOn(writer, chart);
  } else {
    QImage image(size * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    paintOn(image, chart);
    if (!ends(".png") || !image.save(&buffer, "PNG"))
      throw UserError(UserError::Kind::Run, say::pictureNotMade, File{path.toStdString()});
  }
  buffer.close();
  writeFileAtomically(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

void saveSweep(const SweepRequest& request, const QString& path) {
  ExperimentFile file;
  file.others = nlohmann::json::object();
  try {
    if (std::filesystem::exists(path.toStdString())) file = readExperiment(path.toStdString());
  } catch (const UserError&) {  // another thing of that name, which is replaced
    file = {};
    file.others = nlohmann::json::object();
  }
  file.config = withoutOutputs(request.plan.base);
  file.others[kKey] = requestToJson(request);
  writeExperiment(path.toStdString(), experimentText(file, QCoreApplication::applicationVersion().toStdString()));
}

SweepRequest readSweep(const QString& path) {
  const ExperimentFile file = readExperiment(path.toStdString());
  const auto found = file.others.find(kKey);
  if (found == file.others.end()) throw UserError(say::noSweepInFile, File{path.toStdString()});
  return requestFromJson(*found);
}

}  // namespace lab
