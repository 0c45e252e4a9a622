// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/cifar10.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_number.h"
#include "core/data/idx.h"
#include "core/data/messages.h"
#include "core/data/pickle_batch.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrainStem = "data_batch_", kTestStem = "test_batch";

// Returns the number in a file's name: data_batch_1.bin gives 1 with the ending .bin; -1 for other files.
std::int64_t numberOf(const fs::path& path, std::string_view ending) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kTrainStem) || !name.ends_with(ending) || name.size() <= kTrainStem.size() + ending.size())
    return -1;
  const std::string digits = name.substr(kTrainStem.size(), name.size() - kTrainStem.size() - ending.size());
  return parseNumber<std::int64_t>(digits).value_or(-1);
}

std::vector<fs::path> filesWith(std::string_view ending, const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (numberOf(entry.path(), ending) >= 0) files.push_back(entry.path());
  std::ranges::sort(files, {}, [ending](const fs::path& path) { return std::pair(numberOf(path, ending), path); });
  const fs::path test = folder / (std::string(kTestStem) + std::string(ending));
  if (fs::is_regular_file(test, error)) files.push_back(test);
  return files;
}

// Converts planes to pixels.
void addCifarImages(const std::uint8_t* planes, std::int64_t stride, std::int64_t count, Examples& examples) {
  examples.pixels.resize(static_cast<std::size_t>((examples.count + count) * examples.imageSize()));
  std::uint8_t* pixel = examples.pixels.data() + examples.count * examples.imageSize();
  for (std::int64_t i = 0; i < count; ++i, planes += stride)
    for (std::int64_t at = 0; at < kCifarPlane; ++at)
      for (std::int64_t plane = 0; plane < 3; ++plane) *pixel++ = planes[plane * kCifarPlane + at];
  examples.count += count;
}

void checkCifarCount(const Examples& examples, std::int64_t more, const std::string& name) {
  if (examples.count + more > kMaxExamples)
    throw UserError(say::tooManyCifarRecords, File{name}, examples.count + more, kMaxExamples);
}

void addCifarPickle(std::span<const std::uint8_t> bytes, const std::string& name, Examples& examples) {
  const PickledBatch batch = parsePickledBatch(bytes, name);
  const std::int64_t count = std::ssize(batch.labels);
  checkCifarCount(examples, count, name);
  examples.labels.insert(examples.labels.end(), batch.labels.begin(), batch.labels.end());
  addCifarImages(batch.data.data(), 3 * kCifarPlane, count, examples);
}

Examples readAll(std::span<const fs::path> files, ReadCount& count) {
  Examples examples;
  examples.shape = {kCifarSide, kCifarSide, 3};
  for (const fs::path& file : files) {
    const std::vector<std::uint8_t> bytes = readFile(file, kMaxExamples * kCifarRecord);
    if (file.extension() == ".bin")
      addCifarRecords(bytes, file.string(), examples);
    else
      addCifarPickle(bytes, file.string(), examples);
    count.read(static_cast<std::int64_t>(bytes.size()));
  }
  return examples;
}

}  // namespace

void addCifarRecords(std::span<const std::uint8_t> bytes, const std::string& name, Examples& examples) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (size == 0 || size % kCifarRecord != 0) throw UserError(say::notCifarRecords, File{name}, size, kCifarRecord);
  const std::int64_t count = size / kCifarRecord;
  checkCifarCount(examples, count, name);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t label = at(bytes, i * kCifarRecord);
    if (label > 9) throw UserError(say::badCifarLabel, File{name}, i, int{label});
    examples.labels.push_back(label);
  }
  addCifarImages(bytes.data() + 1, kCifarRecord, count, examples);
}

std::vector<fs::path> cifarFiles(const fs::path& folder) {
  std::vector<fs::path> files = filesWith(".bin", folder);
  return files.empty() ? filesWith("", folder) : files;
}

std::shared_ptr<const Dataset> readCifarFiles(const std::vector<fs::path>& files, const ReadProgress& progress) {
  LAB_CHECK(!files.empty());
  const fs::path folder = files.back().parent_path();
  const std::string ending = files.back().extension().string();
  const bool tests = files.back().stem() == kTestStem;
  if (!tests || files.size() == 1)
    throw UserError(say::cifarLacks, folder, std::string(tests ? "data_batch_1" : kTestStem) + ending);
  ReadCount count(1, progress);
  std::int64_t total = 0;
  std::error_code error;
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

std::vector<fs::path> cifarFoldersIn(const fs::path& folder) {
  // The folders into which the archives unpack; the last one is Keras 3's.
  return {folder, folder / "cifar-10-batches-bin", folder / "cifar-10-batches-py",
          folder / "cifar-10-batches-py-target" / "cifar-10-batches-py"};
}

}  // namespace lab
