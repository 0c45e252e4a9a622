// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/base/units.h"
#include "core/data/gzip.h"
#include "core/data/idx.h"
#include "core/data/npz.h"
#include "core/data/places.h"
#include "resources/resources.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDigitsTrain = 4000, kDigitsTest = 1000;

Examples readPair(const fs::path& images, const fs::path& labels) {
  return joinExamples(readIdx(images, IdxKind::Images), readIdx(labels, IdxKind::Labels), images.string(),
                      labels.string());
}

// The set in this very folder. Null when it is not there, with what a half-complete folder lacks added to `remarks`;
// UserError when it is there and damaged.
std::shared_ptr<Dataset> loadFolder(const std::string& name, const fs::path& folder, std::string& remarks) {
  std::array<fs::path, 4> paths;
  std::string missing;
  std::size_t found = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    paths[i] = findIdxFile(folder, kIdxFiles[i]);
    if (paths[i].empty())
      missing += (missing.empty() ? "" : ", ") + idxName(kIdxFiles[i]);
    else
      ++found;
  }

  auto dataset = std::make_shared<Dataset>();
  dataset->name = name;
  dataset->source = folder.string();
  std::error_code error;
  if (found == paths.size()) {
    dataset->train = readPair(paths[0], paths[1]);
    dataset->test = readPair(paths[2], paths[3]);
    return dataset;
  }
  if (const fs::path npz = folder / "mnist.npz"; name == "mnist" && fs::exists(npz, error)) {
    TrainAndTest both = readNpz(npz);
    dataset->train = std::move(both.train);
    dataset->test = std::move(both.test);
    dataset->source = npz.string();
    return dataset;
  }
  remarks += "\n  " + folder.string();
  if (found > 0)
    remarks += " (lacks " + missing + ")";
  else if (!fs::is_directory(folder, error))
    remarks += " (no such folder)";
  return nullptr;
}

[[noreturn]] void refuseMissing(const std::string& name, const fs::path& dataDir, const std::string& remarks) {
  std::string message;
  if (dataDir.empty()) {
    message = name + " is not on this machine. Looked in:" + remarks;
  } else {
    std::string files;
    for (const IdxFileName& file : kIdxFiles) files += (files.empty() ? "" : ", ") + idxName(file);
    message = "'" + dataDir.string() + "' does not hold " + name + ". Wanted: " + files + " (with or without .gz)" +
              (name == "mnist" ? " or mnist.npz" : "") + ". Looked in:" + remarks;
  }
  throw UserError(message + "\nRun 'strategylab-cli data fetch " + name +
                  "', or name the folder that holds it with --data-dir.");
}

std::shared_ptr<Dataset> findAndLoad(const std::string& name, const fs::path& dataDir, std::string& remarks) {
  for (const fs::path& folder : placesOf(name, dataDir)) {
    if (auto dataset = loadFolder(name, folder, remarks)) return dataset;
  }
  return nullptr;
}

std::shared_ptr<const Dataset> unpackDigits() {
  std::int64_t total = 0;
  for (const std::int64_t count : {kDigitsTrain, kDigitsTest})
    total += idxFileBytes(IdxKind::Images, count) + idxFileBytes(IdxKind::Labels, count);
  const std::string name = "the embedded digits";
  const std::vector<std::uint8_t> content =
      gunzip({resources::embeddedDigits, resources::embeddedDigitsSize}, total, name);
  LAB_CHECK(static_cast<std::int64_t>(content.size()) == total);

  std::span<const std::uint8_t> rest(content);
  const auto take = [&](IdxKind kind, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(idxFileBytes(kind, count));
    auto result = parseIdx(rest.first(bytes), kind, name);
    rest = rest.subspan(bytes);
    return result;
  };
  const auto takePair = [&](std::int64_t count) {
    auto pixels = take(IdxKind::Images, count);
    return joinExamples(std::move(pixels), take(IdxKind::Labels, count), name, name);
  };
  auto dataset = std::make_shared<Dataset>();
  dataset->name = "digits";
  dataset->source = "embedded";
  dataset->train = takePair(kDigitsTrain);
  dataset->test = takePair(kDigitsTest);
  return dataset;
}

void keepFirst(Examples& examples, std::int64_t count, const char* what, const std::string& dataset) {
  if (count == -1) return;
  if (count < 1 || count > examples.count)
    throw UserError("--" + std::string(what) + "-examples " + std::to_string(count) + " cannot be had: " + dataset +
                    " has " + formatCount(examples.count) + " " + what + " examples. Give a number from 1 to " +
                    std::to_string(examples.count) + ", or leave the option out for all.");
  examples.count = count;
  examples.pixels.resize(static_cast<std::size_t>(count * kPixelsPerImage));
  examples.labels.resize(static_cast<std::size_t>(count));
}

}  // namespace

std::shared_ptr<const Dataset> embeddedDigits() {
  static const std::shared_ptr<const Dataset> digits = unpackDigits();
  return digits;
}

std::shared_ptr<const Dataset> loadDataset(const std::string& name, const fs::path& dataDir) {
  static const std::vector<std::string> kNames = {"auto", "mnist", "fashion-mnist", "digits"};
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
    throw UserError(unknownNameMessage("data set", name, kNames));
  if (name == "digits") {
    if (!dataDir.empty())
      throw UserError("--data-dir '" + dataDir.string() +
                      "' has no meaning for digits, which are inside the program. Leave it out, or ask for mnist.");
    return embeddedDigits();
  }
  const std::string wanted = name == "auto" ? "mnist" : name;
  std::string remarks;
  if (auto dataset = findAndLoad(wanted, dataDir, remarks)) return dataset;
  if (name == "auto" && dataDir.empty()) return embeddedDigits();
  refuseMissing(wanted, dataDir, remarks);
}

std::shared_ptr<const Dataset> firstExamples(std::shared_ptr<const Dataset> whole, std::int64_t train,
                                             std::int64_t test) {
  LAB_CHECK(whole != nullptr);
  if (train == -1 && test == -1) return whole;
  auto part = std::make_shared<Dataset>(*whole);
  keepFirst(part->train, train, "train", whole->name);
  keepFirst(part->test, test, "test", whole->name);
  return part;
}

}  // namespace lab
