// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_kind.h"

#include <QByteArray>
#include <QFile>
#include <QFileInfo>

#include "core/data/gzip.h"
#include "core/files/experiment_file.h"
#include "core/files/metrics_csv.h"

namespace lab {
namespace {

// The first bytes, which say what kind of file it is.
std::optional<QByteArray> headOf(const QString& path) {
  constexpr qint64 kHeadBytes = 256;
  QFile file(path);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return std::nullopt;
  return file.read(kHeadBytes);
}

}  // namespace

FileKind fileKind(std::span<const std::uint8_t> bytes, const QString& path) {
  if (isGzip(bytes)) return FileKind::Recording;
  if (looksLikeMetricsCsv(textOf(bytes))) return FileKind::Curves;
  return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? FileKind::Table : FileKind::Experiment;
}

std::optional<FileKind> fileKindAt(const QString& path) {
  const auto head = headOf(path);
  if (!head) return std::nullopt;
  return fileKind({reinterpret_cast<const std::uint8_t*>(head->constData()), static_cast<std::size_t>(head->size())},
                  path);
}

bool isSavedExperiment(const QString& path) {
  return headOf(path).value_or(QByteArray()).contains('"' + QByteArray(kExperimentFormat) + '"');
}

}  // namespace lab
