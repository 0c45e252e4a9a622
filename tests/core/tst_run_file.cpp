// SPDX-License-Identifier: GPL-3.0-or-later
// A run file gives back what was written, field by field; cut-off, damaged, newer and oversized files are refused.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/rng.h"
#include "core/files/metric_json.h"
#include "core/files/run_file.h"
#include "core/trace/messages.h"
#include "core/trace/names.h"

using namespace lab;
using nlohmann::json;

namespace {

RunHeader someHeader() {
  RunHeader header;
  header.config = {{"strategy", "mirrored"}, {"replicas", 2}, {"slow", {{"1", 2.5}}}};
  header.dataset = "mnist";
  header.parameters = 347146;
  header.clock = TimeSource::Measured;
  header.legend.endpoints = {{{say::replicaEndpoint, 0}, 0}, {{say::verbatim, "replica \"1\" ü"}, 3}};
  header.legend.tracks = {{nameFromFile("replica 0 · V100"), 0, false, 0}, {nameFromFile("link 0 → 1"), 3, true, -1}};
  header.legend.labels = {{say::forwardOf, "conv2d"}, say::allReduce};
  return header;
}

bool same(const TraceLegend& a, const TraceLegend& b) {
  const auto named = [](const Message& x, const Message& y) {
    return x.is(*y.text()) && nameInFile(x) == nameInFile(y);
  };
  return std::ranges::equal(a.endpoints, b.endpoints,
                            [&](const auto& x, const auto& y) { return named(x.name, y.name) && x.host == y.host; }) &&
         std::ranges::equal(a.tracks, b.tracks,
                            [&](const auto& x, const auto& y) {
                              return named(x.name, y.name) && x.host == y.host && x.isLink == y.isLink &&
                                     x.endpoint == y.endpoint;
                            }) &&
         std::ranges::equal(a.labels, b.labels, named);
}

bool same(const Span& a, const Span& b) {
  return a.startNs == b.startNs && a.durationNs == b.durationNs && a.step == b.step && a.bytes == b.bytes &&
         a.offset == b.offset && a.count == b.count && a.track == b.track && a.from == b.from && a.to == b.to &&
         a.round == b.round && a.pack == b.pack && a.label == b.label && a.kind == b.kind && a.clock == b.clock &&
         a.add == b.add;
}

// Spans whose fields all differ, over their whole ranges.
std::vector<Span> someSpans(std::size_t count) {
  Rng rng(5);
  std::vector<Span> spans(count);
  for (Span& span : spans) {
    span.startNs = static_cast<std::int64_t>(rng.below(std::uint64_t{1} << 62));
    span.durationNs = static_cast<std::int64_t>(rng.below(std::uint64_t{1} << 62));
    for (std::int64_t* field : {&span.step, &span.bytes, &span.offset, &span.count})
      *field = static_cast<std::int64_t>(rng.below(std::uint64_t{1} << 63));
    span.track = static_cast<std::int32_t>(rng.below(2));
    span.from = static_cast<std::int32_t>(rng.below(3)) - 1;
    span.to = static_cast<std::int32_t>(rng.below(3)) - 1;
    span.round = static_cast<std::int32_t>(rng.below(std::uint64_t{1} << 31)) - 1;
    span.pack = static_cast<std::int32_t>(rng.below(std::uint64_t{1} << 31)) - 1;
    span.label = static_cast<std::uint16_t>(rng.below(2));
    span.kind = static_cast<SpanKind>(rng.below(7));
    span.clock = static_cast<TimeSource>(rng.below(2));
    span.add = rng.below(2) == 1;
  }
  return spans;
}

std::vector<Metric> someMetrics() {
  StepMetric step;
  step.step = 1;
  step.epoch = 1.0 / 235;
  step.examples = 256;
  step.shards = {128, 128};
  step.loss = 2.3;
  step.clock = TimeSource::Measured;
  step.stepNs = 12345;
  StepMetric diverged = step;
  diverged.loss = std::numeric_limits<double>::infinity();
  diverged.clock = TimeSource::Modelled;
  diverged.worker = 1;
  diverged.staleness = 4;
  return {step, diverged, EvalMetric{2, 0.25, 0.9}, EndMetric{2, 0.5, 1024, std::nullopt, true, "mnist", 347146}};
}

}  // namespace

class TestRunFile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::filesystem::path path(const char* name = "run.slab") const {
    return std::filesystem::path(folder_.path().toStdString()) / name;
  }

  std::vector<std::uint8_t> writtenBytes() const {
    RunFileWriter writer(path(), someHeader());
    writer.metrics(someMetrics());
    writer.spans(someSpans(100));
    writer.finish(7);
    return readFile(path(), kMaxRunFileBytes);
  }

  // The bytes of a file of exactly these lines.
  std::vector<std::uint8_t> bytesOf(const std::vector<std::string>& lines) const {
    constexpr std::int64_t kAny = std::int64_t{1} << 40;
    GzipLineWriter writer(path("lines.gz"), {kAny, kAny, kAny, kAny});
    for (const std::string& line : lines) writer.write(line);
    writer.finish();
    return readFile(path("lines.gz"), kMaxRunFileBytes);
  }

  std::vector<std::string> linesOf(const std::vector<std::uint8_t>& bytes) const {
    std::vector<std::string> lines;
    forEachGzipLine(bytes, "f", kRunFileLimits, [&](std::string_view line, std::int64_t) { lines.emplace_back(line); });
    return lines;
  }

  static std::string messageOf(const std::vector<std::uint8_t>& bytes) {
    try {
      const RunRecord record = parseRunFile(bytes, "my.slab");
      if (!record.fault.empty()) return format(record.fault);
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  }

 private slots:
  void everythingComesBack() {
    const auto spans = someSpans(10'000);
    const auto metrics = someMetrics();
    {
      RunFileWriter writer(path(), someHeader());
      writer.metrics(std::span(metrics).first(1));
      writer.spans(std::span(spans).first(5));
      writer.spans({});
      writer.metrics(std::span(metrics).subspan(1));
      writer.spans(std::span(spans).subspan(5));
      QVERIFY(!std::filesystem::exists(path()));
      writer.finish(3);
    }
    const RunRecord record = readRunFile(path());
    QVERIFY(record.header.config == someHeader().config);
    QCOMPARE(record.header.dataset, std::string("mnist"));
    QCOMPARE(record.header.parameters, 347146);
    QCOMPARE(record.header.clock, TimeSource::Measured);
    QVERIFY(same(record.header.legend, someHeader().legend));
    QCOMPARE(record.droppedSpans, std::uint64_t{3});
    QVERIFY(std::ranges::equal(record.spans, spans, [](const Span& a, const Span& b) { return same(a, b); }));
    // tst_metric_json tests that a metric survives JSON; this test checks that it is the metric that was written.
    QCOMPARE(record.metrics.size(), metrics.size());
    for (std::size_t i = 0; i < metrics.size(); ++i) QCOMPARE(toJsonLine(record.metrics[i]), toJsonLine(metrics[i]));
    QVERIFY(std::isnan(std::get<StepMetric>(record.metrics[1]).loss));
  }

  void anEmptyRunIsARun() {
    RunHeader header;
    header.config = json::object();
    RunFileWriter writer(path(), header);
    writer.finish(0);
    const RunRecord record = readRunFile(path());
    QVERIFY(record.metrics.empty() && record.spans.empty() && record.header.legend.tracks.empty());
    QCOMPARE(record.header.clock, TimeSource::Modelled);
  }

  void theSameRunGivesTheSameBytes() { QVERIFY(writtenBytes() == writtenBytes()); }

  void spansBeyondTheCeilingAreCounted() {
    const auto spans = someSpans(10);
    RunFileWriter writer(path(), someHeader(), 6);
    writer.spans(std::span(spans).first(4));
    writer.spans(std::span(spans).subspan(4));
    writer.spans(spans);
    writer.finish(5);
    const RunRecord record = readRunFile(path());
    QCOMPARE(record.spans.size(), std::size_t{6});
    QVERIFY(same(record.spans.back(), spans[5]));
    QCOMPARE(record.droppedSpans, std::uint64_t{4 + 10 + 5});
  }

  void invalidSpansAreOurMistake() {
    auto spans = someSpans(1);
    spans[0].track = 2;
    RunFileWriter writer(path(), someHeader());
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, writer.spans(spans));
  }

  void everyCutIsSeen() {
    const auto bytes = writtenBytes();
    for (std::size_t length = 0; length < bytes.size(); length += length < 50 || length + 50 > bytes.size() ? 1 : 97) {
      const std::string message = messageOf({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
      QVERIFY2(message.find(length < 2 ? "not compressed with gzip" : "cut off") != std::string::npos, message.c_str());
    }
    auto lines = linesOf(bytes);
    lines.pop_back();
    QVERIFY(messageOf(bytesOf(lines)).find("cut off") != std::string::npos);
    QVERIFY(messageOf(bytesOf({})).find("cut off") != std::string::npos);
  }

  // Lines before an invalid one are kept, and the message says that they are all there is.
  void wholeLinesBeforeABadOneAreKept() {
    auto lines = linesOf(writtenBytes());
    lines.insert(lines.begin() + 3, R"({"event":"eval","step":-7,"testLoss":0.5,"testAccuracy":0.5})");
    const RunRecord record = parseRunFile(bytesOf(lines), "f");
    QCOMPARE(format(record.fault),
             std::string("'f', line 4: 'step' must be a whole number, not negative. The file is damaged "
                         "or of another kind; record the run again."));
    QCOMPARE(record.metrics.size(), std::size_t{2});
    QVERIFY(record.spans.empty());
    QCOMPARE(record.header.dataset, std::string("mnist"));
  }

  void wholeLinesBeforeACutAreKept() {
    {
      RunFileWriter writer(path(), someHeader());
      Rng rng(3);
      StepMetric step = std::get<StepMetric>(someMetrics()[0]);
      for (step.step = 1; step.step <= 20'000; ++step.step) {
        step.loss = rng.uniform();
        writer.metrics(std::vector<Metric>{step});
      }
      writer.finish(0);
    }
    const auto bytes = readFile(path(), kMaxRunFileBytes);
    const RunRecord record = parseRunFile(std::span(bytes).first(bytes.size() / 2), "f");
    QVERIFY2(format(record.fault).find("cut off") != std::string::npos, format(record.fault).c_str());
    QVERIFY(record.metrics.size() > 8'000 && record.metrics.size() < 12'000);
    for (std::size_t i = 0; i < record.metrics.size(); ++i)
      QCOMPARE(std::get<StepMetric>(record.metrics[i]).step, static_cast<std::int64_t>(i) + 1);
  }

  // How much of the bytes has been read grows until it is all of them; a watcher can end the reading.
  void readingIsWatchedAndEnded() {
    const auto bytes = writtenBytes();
    std::vector<std::int64_t> read;
    const RunRecord record = parseRunFile(bytes, "f", [&](std::int64_t count) { read.push_back(count); });
    QVERIFY(record.fault.empty());
    QVERIFY(!read.empty() && std::ranges::is_sorted(read));
    QCOMPARE(read.back(), static_cast<std::int64_t>(bytes.size()));
    struct Enough {};
    int pieces = 0;
    QVERIFY_THROWS_EXCEPTION(Enough, parseRunFile(bytes, "f", [&](std::int64_t) {
                               ++pieces;
                               throw Enough();
                             }));
    QCOMPARE(pieces, 1);
  }

  // If the checksum is wrong, no line can be trusted, so none is kept.
  void ofDamagedBytesNothingIsKept() {
    auto bytes = writtenBytes();
    bytes[bytes.size() - 8] ^= 0x10;
    QVERIFY_THROWS_EXCEPTION(UserError, parseRunFile(bytes, "f"));
    auto lines = linesOf(writtenBytes());
    lines[2] = "{";
    bytes = bytesOf(lines);
    bytes[bytes.size() - 8] ^= 0x10;
    QVERIFY_THROWS_EXCEPTION(UserError, parseRunFile(bytes, "f"));
  }

  // The writer refuses whatever a reader would refuse.
  void nothingIsWrittenThatIsNotRead() {
    for (std::int64_t StepMetric::*member :
         {&StepMetric::step, &StepMetric::examples, &StepMetric::bytesSent, &StepMetric::wallNs, &StepMetric::stepNs,
          &StepMetric::computeNs, &StepMetric::communicationNs}) {
      StepMetric step = std::get<StepMetric>(someMetrics()[0]);
      step.*member = -1;
      RunFileWriter writer(path(), someHeader());
      QVERIFY_THROWS_EXCEPTION(BrokenInvariant, writer.metrics(std::vector<Metric>{step}));
    }
    RunHeader header = someHeader();
    header.legend.tracks[0].endpoint = 2;
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, RunFileWriter(path(), header));
    header = someHeader();
    header.legend.endpoints[0].host = -1;
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, RunFileWriter(path(), header));
    header = someHeader();
    header.note = std::string(std::size_t{5} << 20, 'x');  // a line has at most 4 MiB
    QVERIFY_THROWS_EXCEPTION(UserError, RunFileWriter(path(), header));
    header = someHeader();
    for (int depth = 0; depth < 20; ++depth) header.config = {{"deeper", header.config}};
    QVERIFY_THROWS_EXCEPTION(UserError, RunFileWriter(path(), header));
  }

  void aWriterStopsWhereAReaderWould() {
    const LineLimits limits{1000, 2000, 10, std::int64_t{10} << 20};
    GzipLineWriter writer(path("limits.gz"), limits);
    QVERIFY(writer.hasRoom(1000) && !writer.hasRoom(1001));
    writer.write(std::string(999, 'x'));
    QVERIFY(writer.hasRoom(999) && !writer.hasRoom(1000) && !writer.hasRoom(1, 0.5));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, writer.write(std::string(1000, 'x')));
    for (int i = 0; i < 9; ++i) writer.write("x");
    QVERIFY(!writer.hasRoom(1));
  }

  void everyFlippedBitIsSeen() {
    const auto bytes = writtenBytes();
    for (std::size_t at = 10; at < bytes.size(); at += 101) {  // after gzip's own header, which zlib does not check
      auto damaged = bytes;
      damaged[at] ^= 0x10;
      QVERIFY2(messageOf(damaged) != "accepted", qPrintable(QString::number(at)));
    }
  }

  void nothingFollowsTheEnd() {
    auto bytes = writtenBytes();
    bytes.push_back(0);
    QVERIFY(messageOf(bytes).find("continues after its end") != std::string::npos);
    auto lines = linesOf(writtenBytes());
    lines.emplace_back("{}");
    QVERIFY(messageOf(bytesOf(lines)).find("continues after its last line") != std::string::npos);
  }

  // Saving the file again keeps these lines too.
  void otherKeysAreIgnoredAndLinesKept() {
    auto lines = linesOf(writtenBytes());
    json header = json::parse(lines[0]);
    header["later"] = {1, {{"a", 2}}};
    header["legend"]["lanes"][0]["colour"] = "red";
    lines[0] = header.dump();
    lines.insert(lines.begin() + 1, R"({"snapshots":[]})");
    RunRecord record = parseRunFile(bytesOf(lines), "f");
    QCOMPARE(record.spans.size(), std::size_t{100});
    QCOMPARE(record.metrics.size(), std::size_t{4});
    QCOMPARE(record.others, std::vector<std::string>{lines[1]});
    QVERIFY(!record.header.isClass);
    // A file from before the header had this key.
    lines.insert(lines.begin() + 1, R"({"class":[]})");
    record = parseRunFile(bytesOf(lines), "f");
    QCOMPARE(record.others, (std::vector<std::string>{lines[1], lines[2]}));
    QVERIFY(record.header.isClass);
  }

  // A run timed by an older model opens with its own times, and says so.
  void olderTimesAreKnownAsSuch() {
    auto lines = linesOf(writtenBytes());
    QVERIFY(!parseRunFile(bytesOf(lines), "f").header.olderTimes());
    json header = json::parse(lines[0]);
    header.erase("timeModel");
    header["clock"] = "modelled";
    lines[0] = header.dump();
    const RunRecord old = parseRunFile(bytesOf(lines), "f");
    QCOMPARE(old.header.timeModel, 1);
    QVERIFY(old.header.olderTimes());
    QCOMPARE(std::get<StepMetric>(old.metrics[0]).stepNs, std::int64_t{12345});
    // Measured times do not come from a model.
    header["clock"] = "measured";
    lines[0] = header.dump();
    QVERIFY(!parseRunFile(bytesOf(lines), "f").header.olderTimes());
  }

  void badHeaders_data() {
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");  // "": remove
    QTest::addColumn<QString>("part");
    const auto row = [](const char* pointer, const char* value, const char* part) {
      QTest::addRow("%s %s", pointer, value) << pointer << value << part;
    };
    row("/format", "", "not a run file");
    row("/format", "\"other\"", "not a run file");
    row("/version", "2", "written by a newer StrategyLab (version 2");
    row("/version", "0", "'version' must be");
    row("/version", "1.5", "'version' must be");
    row("/config", "", "'config' is missing");
    row("/config", "[]", "'config' must be an object");
    row("/dataset", "1", "'dataset' must be a string");
    row("/parameters", "-1", "'parameters' must be");
    row("/parameters", "9223372036854775808", "'parameters' must be");
    row("/clock", "\"wall\"", "'clock' must be modelled or measured");
    row("/legend", "", "'legend' is missing");
    row("/legend", "1", "'parties' is missing");
    row("/legend/parties", "1", "'parties' must be a list");
    row("/legend/parties/0/host", "-1", "'host' must be");
    row("/legend/parties/0/host", "65536", "'host' must be");
    row("/legend/lanes/0/party", "2", "'party' must be a whole number from -1 to 1");
    row("/legend/lanes/0/isLink", "1", "'isLink' must be true or false");
    row("/legend/lanes/0/name", "null", "'name' must be a string");
    row("/legend/labels/0", "1", "a label must be a string");
  }
  void badHeaders() {
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, part);
    auto lines = linesOf(writtenBytes());
    json header = json::parse(lines[0]);
    if (value.isEmpty())
      header.erase(pointer.toStdString().substr(1));
    else
      header[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    lines[0] = header.dump();
    const std::string message = messageOf(bytesOf(lines));
    QVERIFY2(QString::fromStdString(message).contains(part), message.c_str());
    QVERIFY2(message.starts_with("'my.slab', line 1: ") && message.ends_with('.'), message.c_str());
  }

  void badSpans_data() {
    QTest::addColumn<int>("field");
    QTest::addColumn<QString>("value");
    const char* one = "-1";
    for (int field = 0; field < 15; ++field) {
      QTest::addRow("%d too small", field) << field << (field >= 7 && field <= 10 ? "-2" : one);
      QTest::addRow("%d too large", field) << field << "18446744073709551615";
      QTest::addRow("%d broken", field) << field << "0.5";
      QTest::addRow("%d null", field) << field << "null";
    }
    QTest::newRow("start beyond all time") << 0 << "4611686018427387904";
    QTest::newRow("lane") << 6 << "2";
    QTest::newRow("from") << 7 << "2";
    QTest::newRow("to") << 8 << "2";
    QTest::newRow("round") << 9 << "2147483648";
    QTest::newRow("label") << 11 << "2";
    QTest::newRow("label beyond 16 bits") << 11 << "65536";
    QTest::newRow("kind") << 12 << "7";
    QTest::newRow("clock") << 13 << "2";
    QTest::newRow("add") << 14 << "2";
    QTest::newRow("one more") << 15 << "0";
  }
  void badSpans() {
    QFETCH(int, field);
    QFETCH(QString, value);
    auto lines = linesOf(writtenBytes());
    json batch = json::parse(lines[5]);
    QCOMPARE(batch["spans"].size(), std::size_t{100});
    json& span = batch["spans"][40];
    if (field == 15)
      span.push_back(0);
    else
      span[static_cast<std::size_t>(field)] = json::parse(value.toStdString());
    lines[5] = batch.dump();
    const std::string message = messageOf(bytesOf(lines));
    QVERIFY2(message.starts_with("'my.slab', line 6: ") && message.ends_with('.'), message.c_str());
  }

  void badLines_data() {
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("not JSON") << 1 << "{"
                              << "line 2: not valid JSON";
    QTest::newRow("not an object") << 1 << "[]"
                                   << "line 2: a line must be a JSON object";
    QTest::newRow("header not an object") << 0 << "1"
                                          << "line 1: a line must be a JSON object";
    QTest::newRow("bad metric") << 1 << R"({"event":"step"})"
                                << "line 2: the key 'step' is missing";
    QTest::newRow("deep") << 1 << QString("[").repeated(100'000) << "line 2: the JSON is nested deeper";
    QTest::newRow("a key twice") << 1 << R"({"event":"eval","event":"eval"})"
                                 << "line 2: the key 'event' appears twice";
    QTest::newRow("fewer metrics") << 1 << "{}"
                                   << "line 7: the file holds a different number";
    QTest::newRow("fewer spans") << 5 << R"({"spans":[]})"
                                 << "line 7: the file holds a different number";
    QTest::newRow("spans no list") << 5 << R"({"spans":1})"
                                   << "line 6: 'spans' must be a list";
    QTest::newRow("counts missing") << 6 << R"({"finish":{}})"
                                    << "line 7: the key 'metrics' is missing";
    QTest::newRow("counts no object") << 6 << R"({"finish":1})"
                                      << "line 7: the key 'metrics' is missing";
  }
  void badLines() {
    QFETCH(int, line);
    QFETCH(QString, text);
    QFETCH(QString, part);
    auto lines = linesOf(writtenBytes());
    QCOMPARE(lines.size(), std::size_t{7});
    lines[static_cast<std::size_t>(line)] = text.toStdString();
    const std::string message = messageOf(bytesOf(lines));
    QVERIFY2(QString::fromStdString(message).contains(part), message.c_str());
  }

  void bombsAreRefused_data() {
    QTest::addColumn<int>("lines");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("part");
    QTest::newRow("a long line") << 1 << 3'000'000 << "longer than 1.00 MB";
    QTest::newRow("much text") << 20 << 600'000 << "unpacks to more than the limit of 5.00 MB";
    QTest::newRow("many lines") << 101 << 1 << "more than the limit of 100 lines";
    QTest::newRow("within") << 8 << 600'000 << "accepted";
  }
  void bombsAreRefused() {
    QFETCH(int, lines);
    QFETCH(int, length);
    QFETCH(QString, part);
    const LineLimits limits{1'000'000, 5'000'000, 100};
    const auto bytes =
        bytesOf(std::vector(static_cast<std::size_t>(lines), std::string(static_cast<std::size_t>(length), ' ')));
    QVERIFY(bytes.size() < 20'000);
    std::string message = "accepted";
    std::size_t longest = 0;
    try {
      forEachGzipLine(bytes, "f", limits,
                      [&](std::string_view line, std::int64_t) { longest = std::max(longest, line.size()); });
    } catch (const UserError& error) {
      message = error.what();
    }
    QVERIFY2(QString::fromStdString(message).contains(part), message.c_str());
    QVERIFY(longest <= 1'000'000);
  }

  void aRealBombIsRefused() {
    // One line of 64 MiB, in 64 KiB of gzip.
    const std::string message = messageOf(bytesOf({std::string(std::size_t{64} << 20, ' ')}));
    QVERIFY2(message.find("in line 1") != std::string::npos, message.c_str());
  }

  void otherFilesAreNotRunFiles() {
    QVERIFY(messageOf({'{', '}', '\n'}).find("not compressed with gzip") != std::string::npos);
    QVERIFY_THROWS_EXCEPTION(UserError, readRunFile(path("absent.slab")));
  }
};

QTEST_GUILESS_MAIN(TestRunFile)
#include "tst_run_file.moc"
