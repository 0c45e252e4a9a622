// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/idx.h"

#include <zlib.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace lab::test {
namespace {

// Reads the `size` bytes after a header of `header` bytes of a gzip file.
std::vector<std::uint8_t> readGzip(const std::filesystem::path& path, std::int64_t header, std::int64_t size) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  std::vector<std::uint8_t> content(static_cast<std::size_t>(header + size));
  if (gzread(file.get(), content.data(), static_cast<unsigned>(content.size())) != static_cast<int>(content.size())) {
    throw std::runtime_error(path.string() + " is too short");
  }
  content.erase(content.begin(), content.begin() + header);
  return content;
}

}  // namespace

TrainingImages readTrainingImages(const std::filesystem::path& folder, std::int64_t count) {
  return {count, readGzip(folder / "train-images-idx3-ubyte.gz", 16, count * 784),
          readGzip(folder / "train-labels-idx1-ubyte.gz", 8, count)};
}

}  // namespace lab::test
