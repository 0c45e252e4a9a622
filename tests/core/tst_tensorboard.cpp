// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's event files, read again by a reader of this test's own: lengths and checksums computed bit by bit, and
// protocol buffers taken apart without the writer. TensorBoard itself was shown to open them (tests/README.md).
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/sweep.h"
#include "core/experiments/tensorboard.h"
#include "core/options/resolve.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

std::uint32_t slowCrc32c(const std::string& bytes) {
  std::uint32_t rest = 0xffffffff;
  for (const char c : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = ((rest ^ static_cast<unsigned char>(c) >> bit) & 1) != 0;
      rest = rest >> 1 ^ (one ? 0x82f63b78 : 0);
    }
  return ~rest;
}

template <typename Number>
Number numberAt(const std::string& bytes, std::size_t at) {
  Number number{};
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

bool isIntact(const std::string& bytes, std::uint32_t masked) {
  const std::uint32_t turned = masked - 0xa282ead8;
  return (turned >> 17 | turned << 15) == slowCrc32c(bytes);
}

// Returns the records of a file; nothing if any of it is invalid.
std::vector<std::string> recordsOf(const std::string& file) {
  std::vector<std::string> records;
  for (std::size_t at = 0; at < file.size();) {
    const auto length = numberAt<std::uint64_t>(file, at);
    if (!isIntact(file.substr(at, 8), numberAt<std::uint32_t>(file, at + 8)) || length > file.size() - at - 16)
      return {};
    records.push_back(file.substr(at + 12, length));
    if (!isIntact(records.back(), numberAt<std::uint32_t>(file, at + 12 + length))) return {};
    at += length + 16;
  }
  return records;
}

// A message's fields by number: whole numbers as digits, all others as bytes.
using Fields = std::multimap<int, std::string>;
Fields fieldsOf(const std::string& bytes) {
  Fields fields;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.size()) {
    const std::uint64_t key = varint();
    const int field = static_cast<int>(key >> 3);
    if ((key & 7) == 0) {
      fields.emplace(field, std::to_string(varint()));
      continue;
    }
    const std::size_t length = (key & 7) == 1 ? 8 : (key & 7) == 5 ? 4 : varint();
    if (length > bytes.size() - at) return {};
    fields.emplace(field, bytes.substr(at, length));
    at += length;
  }
  return fields;
}

// One field of a field of a field…
std::string at(const std::string& bytes, std::initializer_list<int> path) {
  std::string found = bytes;
  for (const int field : path) {
    const Fields fields = fieldsOf(found);
    const auto one = fields.find(field);
    if (one == fields.end()) return "?";
    found = one->second;
  }
  return found;
}

std::string contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

struct Read {
  std::map<std::string, std::vector<std::pair<std::int64_t, float>>> scalars;  // by tag: step, value
  std::map<std::string, std::string> plugins;                                  // by tag: HParamsPluginData
};

Read readEvents(const QString& path) {
  Read read;
  const std::vector<std::string> records = recordsOf(contentOf(path));
  if (records.empty() || at(records.front(), {3}) != "brain.Event:2") return read;
  for (const std::string& record : records) {
    const std::int64_t step = std::stoll(at(record, {2}));
    const Fields summary = fieldsOf(at(record, {5}));
    for (auto [value, end] = summary.equal_range(1); value != end; ++value) {
      const std::string tag = at(value->second, {1}), number = at(value->second, {2});
      if (number.size() == 4)
        read.scalars[tag].emplace_back(step, numberAt<float>(number, 0));
      else if (at(value->second, {9, 1, 1}) == "hparams" && at(value->second, {8, 1}) == "1")
        read.plugins[tag] = at(value->second, {9, 1, 2});
    }
  }
  return read;
}

// A map's entries: name to google.protobuf.Value.
std::map<std::string, std::string> entriesOf(const std::string& message) {
  std::map<std::string, std::string> entries;
  const Fields fields = fieldsOf(message);
  for (auto [entry, end] = fields.equal_range(1); entry != end; ++entry)
    entries[at(entry->second, {1})] = at(entry->second, {2});
  return entries;
}

double numberOf(const std::string& value) {
  return numberAt<double>(at(value, {2}), 0);
}

StepMetric stepMetric(std::int64_t step, TimeSource clock) {
  StepMetric metric;
  metric.step = step;
  metric.loss = 2.5 / static_cast<double>(step);
  metric.accuracy = 0.25;
  metric.learningRate = 0.01;
  metric.clock = clock;
  metric.imagesPerSecond = 1000;
  return metric;
}

}  // namespace

class TestTensorBoard : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // RFC 3720, B.4, and the check value of the catalogue of CRCs.
  void checksums() {
    QCOMPARE(crc32c("123456789"), 0xe3069283U);
    QCOMPARE(crc32c(std::string(32, '\0')), 0x8a9136aaU);
    QCOMPARE(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
    QCOMPARE(slowCrc32c("123456789"), 0xe3069283U);
    std::string record = tfRecord("three");
    QCOMPARE(recordsOf(record), std::vector<std::string>{"three"});
    for (char& c : record) {
      c = static_cast<char>(c ^ 4);
      QVERIFY(recordsOf(record).empty());
      c = static_cast<char>(c ^ 4);
    }
  }

  // Every number of every metric, at its step; modelled and measured rates under names of their own.
  void scalars() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const QString name = folder.filePath("events.out.tfevents.0000000001.strategylab");
    {
      EventFile file(path);
      for (std::int64_t step = 1; step <= 300; ++step) file.add(stepMetric(step, TimeSource::Modelled));
      file.add(EvalMetric{300, 0.5, 0.875});
      StepMetric lost = stepMetric(301, TimeSource::Measured);
      lost.loss = std::nan("");
      lost.staleness = 3;
      lost.noiseScale = 128;
      file.add(lost);
      file.add(EndMetric{});
      QCOMPARE(readEvents(name).scalars["train/loss"].size(), std::size_t{301});  // before it has ended, too
    }
    Read read = readEvents(name);
    for (std::int64_t step = 1; step <= 300; ++step) {
      const auto [at, loss] = read.scalars["train/loss"][static_cast<std::size_t>(step - 1)];
      QVERIFY(at == step && loss == static_cast<float>(2.5 / static_cast<double>(step)));
    }
    QVERIFY(std::isnan(read.scalars["train/loss"].back().second));
    using Points = std::vector<std::pair<std::int64_t, float>>;
    QCOMPARE(read.scalars["test/loss"], (Points{{300, 0.5F}}));
    QCOMPARE(read.scalars["test/accuracy"], (Points{{300, 0.875F}}));
    QCOMPARE(read.scalars["train/staleness"], (Points{{301, 3.0F}}));
    QCOMPARE(read.scalars["train/noise_scale"], (Points{{301, 128.0F}}));
    QCOMPARE(read.scalars["train/learning_rate"].size(), std::size_t{301});
    QCOMPARE(read.scalars["throughput/modelled_images_per_second"].size(), std::size_t{300});
    QCOMPARE(read.scalars["throughput/measured_images_per_second"], (Points{{301, 1000.0F}}));
  }

  // A run replaces its own earlier file; a run that goes on from a checkpoint keeps the earlier steps.
  void runsFollowed() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const auto files = [&] { return QDir(folder.path()).entryList(QDir::Files, QDir::Name); };
    QFile other(folder.filePath("events.out.tfevents.0000000005.other"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    EventFile(path, 1).add(stepMetric(1, TimeSource::Modelled));
    EventFile(path, 11).add(stepMetric(11, TimeSource::Modelled));
    QCOMPARE(files().size(), 3);
    EventFile(path, 6).add(stepMetric(6, TimeSource::Modelled));
    QCOMPARE(files().size(), 3);
    QVERIFY(QFile::exists(folder.filePath("events.out.tfevents.0000000006.strategylab")));
    (void)EventFile(path, 1);
    QCOMPARE(files().size(), 2);
    QVERIFY_THROWS_EXCEPTION(UserError, EventFile("/dev/null/runs", 1));
    // A run that cannot begin leaves the files alone.
    QVERIFY(QDir(folder.path()).mkdir("strategylab.part"));
    QVERIFY_THROWS_EXCEPTION(UserError, EventFile(path, 1));
    QCOMPARE(files().size(), 2);
  }

  // The settings of a run, its group, and how it ended.
  void hyperparameters() {
    const auto startOf = [](const Settings& more, bool diverged, std::string* end) {
      const QTemporaryDir folder;
      const ResolvedSettings config = resolve(configOf(with({{"dataset", "digits"}, {"devices", "simulated"}}, more)));
      RunTally tally;
      tally.diverged = diverged;
      tally.stepsToTarget = 40;
      tally.examplesToTarget = 640;
      tally.secondsToTarget = 0.5;
      writeEvents(folder.path().toStdString(), config, std::vector<Metric>{stepMetric(1, TimeSource::Modelled)}, tally);
      Read read = readEvents(folder.filePath("events.out.tfevents.0000000001.strategylab"));
      if (end != nullptr) *end = at(read.plugins["_hparams_/session_end_info"], {4, 1});
      if (read.scalars["target/steps"].front().second != 40 || read.scalars["target/modelled_seconds"].size() != 1)
        return std::string();
      return at(read.plugins["_hparams_/session_start_info"], {3});
    };
    std::string end;
    const std::string start =
        startOf({{"learning-rate", "0.02"}, {"replicas", "4"}, {"noise-scale", "true"}}, false, &end);
    QCOMPARE(end, "1");  // STATUS_SUCCESS
    std::map<std::string, std::string> settings = entriesOf(start);
    QCOMPARE(numberOf(settings["learning-rate"]), 0.02);
    QCOMPARE(numberOf(settings["replicas"]), 4.0);
    QCOMPARE(numberOf(settings["global-batch"]), 256.0);
    QCOMPARE(at(settings["strategy"], {3}), "mirrored");
    QVERIFY(!settings.contains("seed") && !settings.contains("noise-scale") && !settings.contains("momentum"));
    // The seed makes no other group; the rate does.
    const std::string group = at(start, {4});
    const std::string other = startOf({{"learning-rate", "0.02"}, {"replicas", "4"}, {"seed", "9"}}, true, &end);
    QCOMPARE(at(other, {4}), group);
    QCOMPARE(end, "2");  // STATUS_FAILURE
    QVERIFY(at(startOf({{"learning-rate", "0.03"}, {"replicas", "4"}}, false, nullptr), {4}) != group);
  }

  // For a sweep, only the settings that differ, with their values.
  void sweeps() {
    const QTemporaryDir folder;
    std::vector<Hyperparameters> runs;
    for (const char* rate : {"0.1", "0.2"})
      for (const char* rule : {"none", "linear"})
        runs.push_back(hyperparametersOf(resolve(configOf({{"learning-rate", rate}, {"lr-scaling", rule}}))));
    EventFile(folder.path().toStdString()).sweep(runs, true, true);
    const Read read = readEvents(folder.filePath("events.out.tfevents.0000000001.strategylab"));
    const std::string experiment = at(read.plugins.at("_hparams_/experiment"), {2});
    const Fields fields = fieldsOf(experiment);
    std::map<std::string, std::size_t> counts;
    std::map<std::string, std::string> types;
    for (auto [info, end] = fields.equal_range(4); info != end; ++info) {
      counts[at(info->second, {1})] = fieldsOf(at(info->second, {5})).count(1);
      types[at(info->second, {1})] = at(info->second, {4});
    }
    QCOMPARE(counts, (std::map<std::string, std::size_t>{{"learning-rate", 2}, {"lr-scaling", 2}}));
    QCOMPARE(types, (std::map<std::string, std::string>{{"learning-rate", "3"}, {"lr-scaling", "1"}}));
    std::vector<std::string> metrics;
    for (auto [info, end] = fields.equal_range(5); info != end; ++info) metrics.push_back(at(info->second, {1, 2}));
    QVERIFY(std::ranges::count(metrics, "test/accuracy") == 1 && std::ranges::count(metrics, "target/steps") == 1);
    QVERIFY(std::ranges::count(metrics, "throughput/measured_images_per_second") == 0);
  }
};

QTEST_APPLESS_MAIN(TestTensorBoard)
#include "tst_tensorboard.moc"
