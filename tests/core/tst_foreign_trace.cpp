// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of other profilers are read as their authors meant them: slices and pairs, names, times to the nanosecond,
// tracks for nested slices. Damaged, hostile or foreign files are refused in a sentence, in bounded memory.
#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/foreign_trace.h"
#include "core/trace/messages.h"

using namespace lab;

namespace {

// In the form of TensorFlow's profiler: microseconds with six decimals, its devices as processes, an empty event last.
const std::string kTensorFlow =
    R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)"
    R"({"ph":"M","pid":2,"name":"process_name","args":{"name":"/device:GPU:0"}},)"
    R"({"ph":"M","pid":2,"name":"process_sort_index","args":{"sort_index":2}},)"
    R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}},)"
    R"({"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":1}},)"
    R"({"ph":"M","pid":1,"tid":7,"name":"thread_name","args":{"name":"python"}},)"
    R"({"ph":"M","pid":2,"tid":3,"name":"thread_name","args":{"name":"Stream #14"}},)"
    R"({"ph":"X","pid":2,"tid":3,"ts":1200.500000,"dur":40.250000,"name":"MatMul","args":{"name":"not this"}},)"
    R"({"ph":"X","pid":1,"tid":7,"ts":1000.001000,"dur":300.0,"name":"train_step","args":{"group_id":"1"}},)"
    R"({"ph":"X","pid":1,"tid":7,"ts":1010,"dur":50,"name":"MatMul","args":{}},{}]})";

// In the form of PyTorch's profiler: times since 1970 in microseconds, names for processes that are texts.
const std::string kPyTorch = R"json({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "a GPU"}],
  "traceEvents": [
  {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 42, "tid": 42,
   "ts": 1743521598000001.234, "dur": 425.453, "args": {"Input Dims": [[64, 784], {"name": "deep"}]}},
  {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 1743521598000100.001, "dur": 12},
  {"ph": "s", "id": 1, "pid": 42, "tid": 42, "ts": 1743521598000001, "cat": "ac2g", "name": "ac2g"},
  {"ph": "M", "name": "process_name", "pid": 42, "tid": 0, "ts": 0, "args": {"name": "python"}},
  {"ph": "i", "name": "Iteration Start", "pid": "Traces", "tid": "Trace", "ts": 1743521598000000},
  {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler",
   "ts": 1743521598000000.000, "dur": 1000.5}
  ], "traceName": "a.json"})json";

std::span<const std::uint8_t> bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string gzipped(const std::string& text) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

ForeignTrace parsed(const std::string& text) {
  auto trace = parseForeignTrace(bytesOf(text), "t.json");
  if (!trace) throw std::runtime_error("taken for ours");
  return *std::move(trace);
}

std::string trackOf(const ForeignTrace& trace, std::size_t track) {
  return format(trace.timeline.legend.tracks[track].name);
}

// Returns "name start+duration" for each slice of a track.
std::vector<std::string> slicesOf(const ForeignTrace& trace, int track) {
  std::vector<std::string> slices;
  for (const Span& span : trace.timeline.track(track))
    slices.push_back(format(trace.timeline.legend.labels[span.label]) + " " + std::to_string(span.startNs) + "+" +
                     std::to_string(span.durationNs));
  return slices;
}

using Strings = std::vector<std::string>;

}  // namespace

class TestForeignTrace : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tensorFlows() {
    for (const bool packed : {false, true}) {
      const ForeignTrace trace = parsed(packed ? gzipped(kTensorFlow) : kTensorFlow);
      QVERIFY(trace.by == ForeignTrace::By::TensorFlow);
      QCOMPARE(trace.timeline.tracks(), 3);
      QCOMPARE(trackOf(trace, 0), std::string("python · /host:CPU"));  // ordered by sort_index, not as they come
      QCOMPARE(trackOf(trace, 1), std::string("python (2) · /host:CPU"));
      QCOMPARE(trackOf(trace, 2), std::string("Stream #14 · /device:GPU:0"));
      QCOMPARE(slicesOf(trace, 0), Strings{"train_step 0+300000"});
      QCOMPARE(slicesOf(trace, 1), Strings{"MatMul 9999+50000"});
      QCOMPARE(slicesOf(trace, 2), Strings{"MatMul 200499+40250"});
      QCOMPARE(trace.unreadable + trace.beyond, std::int64_t{0});
      QVERIFY(trace.timeline.beginNs == 0 && trace.timeline.endNs == 300000);
    }
  }

  void pyTorchs() {
    const ForeignTrace trace = parsed(kPyTorch);
    QVERIFY(trace.by == ForeignTrace::By::PyTorch);
    QCOMPARE(trace.timeline.tracks(), 3);
    QCOMPARE(trackOf(trace, 0), std::string("42 · python"));
    QCOMPARE(slicesOf(trace, 0), Strings{"aten::linear 1234+425453"});  // a double would have lost the nanoseconds
    QCOMPARE(trackOf(trace, 1), std::string("7 · 0"));
    QCOMPARE(slicesOf(trace, 1), Strings{"sgemm 100001+12000"});
    QCOMPARE(trackOf(trace, 2), std::string("PyTorch Profiler · Spans"));
  }

  // A plain list of events, whose closing bracket may be missing; nested pairs, and events without a partner.
  void pairsInAPlainList() {
    const std::string events = R"([{"ph":"B","pid":1,"tid":1,"ts":10,"name":"outer"},
      {"ph":"B","pid":1,"tid":1,"ts":12.5,"name":"inner"},{"ph":"B","pid":1,"tid":2,"ts":13,"name":"other thread"},
      {"ph":"E","pid":1,"tid":1,"ts":14},{"ph":"E","pid":1,"tid":1,"ts":20},{"ph":"E","pid":1,"tid":1,"ts":21},
      {"ph":"X","pid":1,"tid":1,"name":"without a time","dur":3},{"ph":"X","pid":1,"tid":1,"ts":15,"dur":-3},)";
    for (const char* end : {R"({"ph":"I","ts":3}])", ""}) {
      const ForeignTrace trace = parsed(events + end);
      QVERIFY(trace.by == ForeignTrace::By::Unknown);
      QCOMPARE(trace.timeline.tracks(), 2);
      QCOMPARE(slicesOf(trace, 0), Strings{"outer 0+10000"});
      QCOMPARE(slicesOf(trace, 1), Strings{"inner 2500+1500"});
      QCOMPARE(trace.unreadable, std::int64_t{4});  // an end too many, no time, less than no time, one never ended
    }
  }

  void eventsNeedNoProcessAndNoThread() {
    const ForeignTrace trace = parsed(R"([{"ph":"X","name":"a","ts":0,"dur":5},
      {"ph":"X","name":"b","ts":1,"dur":2},{"ph":"X","name":"c","tid":7,"ts":0,"dur":5}])");
    QCOMPARE(trackOf(trace, 0), std::string("–"));
    QCOMPARE(trackOf(trace, 1), std::string("– (2)"));
    QCOMPARE(trackOf(trace, 2), std::string("7"));
  }

  // A slice that begins before another has ended is not drawn over it.
  void slicesOfATrackNeverOverlap() {
    std::string events = "[";
    for (int i = 0; i < 300; ++i)
      events += (i > 0 ? "," : "") + std::string(R"({"ph":"X","name":"n","pid":0,"tid":)") + std::to_string(i % 3) +
                ",\"ts\":" + std::to_string(i * 7919 % 1000) + ",\"dur\":" + std::to_string(i * 31 % 40) + "}";
    const ForeignTrace trace = parsed(events + "]");
    QCOMPARE(std::ssize(trace.timeline.spans) + trace.beyond, std::ptrdiff_t{300});
    for (int track = 0; track < trace.timeline.tracks(); ++track) {
      const auto slices = trace.timeline.track(track);
      for (std::size_t i = 1; i < slices.size(); ++i)
        QVERIFY(slices[i - 1].startNs + slices[i - 1].durationNs <= slices[i].startNs);
    }
  }

  void strangeFilesAreRefusedInASentence_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << QString(says);
    };
    const std::string packed = gzipped(kTensorFlow);
    row("nothing", "", "valid JSON (byte 1)");
    row("a text", "hello", "not valid JSON");
    row("another object", R"({"a":[1,2]})", "no list of traceEvents");
    row("no list", R"({"traceEvents":{"ph":"X"}})", "no list of traceEvents");
    row("no slices", R"({"traceEvents":[{"ph":"M","name":"process_name","pid":1}]})", "no events to show");
    row("numbers", "[1,2,[{\"ph\":\"X\",\"ts\":1}]]", "no events to show");
    row("cut off in an event", kTensorFlow.substr(0, kTensorFlow.size() - 30), "not valid JSON");
    row("cut off in an object's list", kPyTorch.substr(0, kPyTorch.rfind(']')), "not valid JSON");
    row("no text", "[{\"ph\":\"X\",\"ts\":1,\"name\":\"\xff\xfe\"}]", "not valid JSON");
    row("a number beyond all", "[{\"ph\":\"X\",\"ts\":1e999}]", "not valid JSON");
    row("a time beyond all clocks", "[{\"ph\":\"X\",\"ts\":1e300}]", "no events to show");
    row("nested", "[" + std::string(100'000, '['), "nested deeper");
    row("nested in an argument", "[{\"args\":" + std::string(100'000, '['), "nested deeper");
    row("gzip cut off", packed.substr(0, packed.size() / 2), "is cut short");
    row("gzip damaged", packed.substr(0, 20) + "xxxxxxxxxxx" + packed.substr(31), "is damaged");
    row("gzip of nothing", gzipped(""), "not valid JSON");
  }
  void strangeFilesAreRefusedInASentence() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    try {
      (void)parseForeignTrace(bytesOf(text.toStdString()), "t.json");
      QFAIL("opened");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(says), error.what());
      QVERIFY2(QString(error.what()).startsWith("'t.json'"), error.what());
    }
  }

  // A few hundred kilobytes that unpack to more than any trace.
  void whatUnpacksWithoutEndIsRefused() {
    const std::string bomb = gzipped("[" + std::string(static_cast<std::size_t>(kMostForeignText) + 100, ' '));
    QVERIFY(bomb.size() < std::size_t{1} << 20);
    try {
      (void)parseForeignTrace(bytesOf(bomb), "t.json");
      QFAIL("opened");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains("unpacks to more than"), error.what());
    }
  }

  void whatIsBeyondTheBoundsIsCounted() {
    // Too many threads.
    std::string threads = "[";
    for (std::size_t i = 0; i < kMostForeignThreads + 5; ++i)
      threads += (i > 0 ? "," : "") + std::string(R"({"ph":"X","name":"n","ts":1,"dur":1,"pid":0,"tid":)") +
                 std::to_string(i) + "}";
    ForeignTrace trace = parsed(threads + "]");
    QCOMPARE(trace.beyond, std::int64_t{5});
    QCOMPARE(std::ssize(trace.timeline.spans), static_cast<std::ptrdiff_t>(kMostForeignThreads));
    // Too deep nesting.
    std::string deep = "[";
    for (int i = 0; i < kMostForeignDepth + 3; ++i)
      deep += (i > 0 ? "," : "") + std::string(R"({"ph":"X","name":"n","ts":1,"dur":9})");
    trace = parsed(deep + "]");
    QCOMPARE(trace.beyond, std::int64_t{3});
    QCOMPARE(trace.timeline.tracks(), kMostForeignDepth);
    // More slices and names than there are numbers for.
    std::string many = "[";
    for (std::int64_t i = 0; i < kMostForeignSlices + 7; ++i)
      many += (i > 0 ? ",{\"ph\":\"X\",\"ts\":" : "{\"ph\":\"X\",\"ts\":") + std::to_string(i) +
              ",\"dur\":1,\"name\":\"" + std::to_string(i) + "\"}";
    trace = parsed(many + "]");
    QCOMPARE(trace.beyond, std::int64_t{7});
    QCOMPARE(std::ssize(trace.timeline.spans), static_cast<std::ptrdiff_t>(kMostForeignSlices));
    QVERIFY(trace.timeline.legend.labels.size() <= kMaxLabels);
    QCOMPARE(format(trace.timeline.legend.labels[trace.timeline.spans.back().label]), std::string("…"));
    // A name as long as a book.
    trace = parsed("[{\"ph\":\"X\",\"ts\":1,\"name\":\"" + std::string(1 << 20, 'n') + "\"}]");
    QVERIFY(format(trace.timeline.legend.labels.front()).size() < 200);
  }

  // Our own trace is opened as ours, packed or not, and a foreign one as foreign.
  void whoseItIsDecidesWhatIsInIt() {
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return std::filesystem::path(folder.filePath(name).toStdString()); };
    Timeline ours;
    ours.legend.endpoints = {{{say::replicaEndpoint, 0}, 0}};
    ours.legend.tracks = {{{say::replicaEndpoint, 0}, 0, false, 0}};
    ours.legend.labels = {{say::forwardOf, "conv2d"}};
    ours.spans.resize(1);
    ours.spans[0].track = 0;
    ours.spans[0].durationNs = 5;
    ours.endNs = 5;
    ours.arrange();
    writeChromeTrace(path("ours.json"), ours);
    const auto bytes = readFile(path("ours.json"), 1 << 20);
    writeFileAtomically(path("ours.json.gz"), gzipped(std::string(bytes.begin(), bytes.end())));
    writeFileAtomically(path("tf.json.gz"), gzipped(kTensorFlow));
    for (const char* name : {"ours.json", "ours.json.gz"}) {
      const auto opened = openTrace(path(name));
      QVERIFY(std::holds_alternative<Timeline>(opened));
      QCOMPARE(std::get<Timeline>(opened).spans.size(), std::size_t{1});
    }
    QVERIFY(std::holds_alternative<ForeignTrace>(openTrace(path("tf.json.gz"))));
    QVERIFY_THROWS_EXCEPTION(UserError, openTrace(path("none.json")));
  }
};

QTEST_GUILESS_MAIN(TestForeignTrace)
#include "tst_foreign_trace.moc"
