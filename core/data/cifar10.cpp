// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/cifar10.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_number.h"
#include "core/data/data_folders.h"
#include "core/data/idx.h"
#include "core/data/messages.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTestFile = "test_batch.bin";
constexpr const char* kUnpacked = "cifar-10-batches-bin";  // as the published archive unpacks

// data_batch_1.bin: 1; -1: another file.
std::int64_t numberOf(const fs::path& path) {
  constexpr std::string_view kBegin = "data_batch_", kEnd = ".bin";
  const std::string name = path.filename().string();
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size()) return -1;
  const std::string digits = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
  return parseNumber<std::int64_t>(digits).value_or(-1);
}

Examples readAll(std::span<const fs::path> files, ReadCount& count) {
  Examples examples;
  examples.shape = {kCifarSide, kCifarSide, 3};
  for (const fs::path& file : files) {
    const std::vector<std::uint8_t> bytes = readFile(file, kMaxExamples * kCifarRecord);
    addCifarRecords(bytes, file.string(), examples);
    count.read(static_cast<std::int64_t>(bytes.size()));
  }
  return examples;
}

}  // namespace

void addCifarRecords(std::span<const std::uint8_t> bytes, const std::string& name, Examples& examples) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (size == 0 || size % kCifarRecord != 0) throw UserError(say::notCifarRecords, File{name}, size, kCifarRecord);
  const std::int64_t count = size / kCifarRecord;
  if (examples.count + count > kMaxExamples)
    throw UserError(say::tooManyCifarRecords, File{name}, examples.count + count, kMaxExamples);
  examples.labels.reserve(static_cast<std::size_t>(examples.count + count));
  examples.pixels.resize(static_cast<std::size_t>((examples.count + count) * examples.imageSize()));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t* record = bytes.data() + i * kCifarRecord;
    if (*record > 9) throw UserError(say::badCifarLabel, File{name}, i, int{*record});
    examples.labels.push_back(*record);
    std::uint8_t* pixel = examples.pixels.data() + (examples.count + i) * examples.imageSize();
    for (std::int64_t at = 0; at < kCifarPlane; ++at)
      for (std::int64_t plane = 0; plane < 3; ++plane) *pixel++ = record[1 + plane * kCifarPlane + at];
  }
  examples.count += count;
}

std::vector<fs::path> cifarFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (numberOf(entry.path()) >= 0) files.push_back(entry.path());
  std::ranges::sort(files, {}, [](const fs::path& path) { return std::pair(numberOf(path), path); });
  if (fs::exists(folder / kTestFile, error)) files.push_back(folder / kTestFile);
  return files;
}

std::shared_ptr<const Dataset> readCifarFolder(const fs::path& folder, std::vector<Message>& remarks,
                                               const ReadProgress& progress) {
  const std::vector<fs::path> files = cifarFiles(folder);
  std::error_code error;
  if (files.empty()) {
    remarks.emplace_back(fs::is_directory(folder, error) ? say::looked : say::lookedNoFolder, folder);
    return nullptr;
  }
  const bool tests = files.back().filename() == kTestFile;
  if (!tests || files.size() == 1) throw UserError(say::cifarLacks, folder, tests ? "data_batch_1.bin" : kTestFile);
  ReadCount count(1, progress);
  std::int64_t total = 0;
  for (const fs::path& file : files) {
    const std::uintmax_t bytes = fs::file_size(file, error);
    total += error ? 0 : static_cast<std::int64_t>(bytes);
  }
  count.expect(total);
  const std::span<const fs::path> all(files);
  Examples train = readAll(all.first(files.size() - 1), count);
  Examples test = readAll(all.last(1), count);
  return std::make_shared<const Dataset>(Dataset{"cifar10", folder.string(), std::move(train), std::move(test)});
}

std::vector<fs::path> cifarFolders(const fs::path& dataDir) {
  std::vector<fs::path> folders;
  for (const fs::path& folder : dataFolders("cifar10", dataDir)) {
    folders.push_back(folder);
    folders.push_back(folder / kUnpacked);
  }
  return folders;
}

}  // namespace lab
