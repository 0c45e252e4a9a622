// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_kind.h"

#include <QFile>
#include <QFileInfo>

#include "core/data/gzip.h"
#include "core/files/metrics_csv.h"

namespace lab {

FileKind fileKind(std::span<const std::uint8_t> bytes, const QString& path) {
  if (isGzip(bytes)) return FileKind::Recording;
  if (looksLikeMetricsCsv(textOf(bytes))) return FileKind::Curves;
  return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? FileKind::Table : FileKind::Experiment;
}

std::optional<FileKind> fileKindAt(const QString& path) {
  constexpr qint64 kHeadBytes = 64;  // decide which kind of file it is
  QFile file(path);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QByteArray head = file.read(kHeadBytes);
  return fileKind({reinterpret_cast<const std::uint8_t*>(head.constData()), static_cast<std::size_t>(head.size())},
                  path);
}

}  // namespace lab
