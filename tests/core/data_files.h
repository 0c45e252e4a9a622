// SPDX-License-Identifier: GPL-3.0-or-later
// Small data sets made on the spot, to test their readers. The writers here share no code with the readers.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

namespace lab::test {

inline QByteArray bigEndian(std::uint32_t value) {
  QByteArray bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.append(static_cast<char>(value >> shift & 0xff));
  return bytes;
}

// Image i is grey (i * 7 + pixel) % 256; label i is i % 10.
inline QByteArray imagesFile(int count, std::uint32_t magic = 0x803, std::uint32_t rows = 28,
                             std::uint32_t columns = 28) {
  QByteArray bytes =
      bigEndian(magic) + bigEndian(static_cast<std::uint32_t>(count)) + bigEndian(rows) + bigEndian(columns);
  for (int i = 0; i < count; ++i)
    for (int pixel = 0; pixel < 784; ++pixel) bytes.append(static_cast<char>((i * 7 + pixel) % 256));
  return bytes;
}
inline QByteArray labelsFile(int count, std::uint32_t magic = 0x801) {
  QByteArray bytes = bigEndian(magic) + bigEndian(static_cast<std::uint32_t>(count));
  for (int i = 0; i < count; ++i) bytes.append(static_cast<char>(i % 10));
  return bytes;
}

inline QByteArray gzipped(const QByteArray& content) {
  z_stream z{};
  if (deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  QByteArray out(static_cast<qsizetype>(deflateBound(&z, static_cast<uLong>(content.size()))) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  z.avail_in = static_cast<uInt>(content.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(static_cast<qsizetype>(z.total_out));
  deflateEnd(&z);
  return out;
}

inline std::span<const std::uint8_t> asBytes(const QByteArray& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())};
}

inline void write(const std::filesystem::path& path, const QByteArray& content) {
  std::filesystem::create_directories(path.parent_path());
  QFile file(QString::fromStdString(path.string()));
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) std::abort();
}

inline QByteArray contentOf(const std::filesystem::path& path) {
  QFile file(QString::fromStdString(path.string()));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Writes the four files of a data set with this many examples.
inline void writeSet(const std::filesystem::path& folder, int train, int test, const std::string& ending = "") {
  const auto put = [&](const std::string& name, const QByteArray& content) {
    write(folder / (name + ending), ending == ".gz" ? gzipped(content) : content);
  };
  put("train-images-idx3-ubyte", imagesFile(train));
  put("train-labels-idx1-ubyte", labelsFile(train));
  put("t10k-images-idx3-ubyte", imagesFile(test));
  put("t10k-labels-idx1-ubyte", labelsFile(test));
}

// The folder of reference files (MNIST among them), or "". Tests also run without the folder, and say what they skip.
inline std::filesystem::path sharedMnist() {
  const char* reference = std::getenv("STRATEGYLAB_REFERENCE_DIR");
  const std::filesystem::path folder = reference != nullptr ? reference : STRATEGYLAB_DEFAULT_REFERENCE_DIR;
  return std::filesystem::exists(folder / "mnist" / "train-images-idx3-ubyte.gz") ? folder / "mnist"
                                                                                  : std::filesystem::path();
}

}  // namespace lab::test
