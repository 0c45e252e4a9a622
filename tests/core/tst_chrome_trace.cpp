// SPDX-License-Identifier: GPL-3.0-or-later
// The trace keeps the format's rules, and agrees with the spans that it was made from.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/timeline/chrome_trace.h"
#include "core/trace/messages.h"
#include "core/trace/names.h"
#include "tests/support/chrome_trace_rules.h"
#include "tests/support/patience.h"

using namespace lab;
using namespace lab::test;
using nlohmann::json;

namespace {

TraceLegend someLegend() {
  TraceLegend legend;
  legend.endpoints = {{nameFromFile("replica 0"), 0}, {nameFromFile("replica \"1\""), 1}};
  legend.tracks = {{nameFromFile("link 0 → 1"), 0, true, -1},
                   {nameFromFile("replica 0 · V100"), 0, false, 0},
                   {nameFromFile("replica 1 · V100"), 1, false, 1}};
  legend.labels = {nameFromFile("step"), {say::forwardOf, "conv2d"}, say::allReduce};
  return legend;
}

Span spanOf(int track, std::int64_t start, std::int64_t duration, SpanKind kind, int label) {
  Span span;
  span.track = track;
  span.startNs = start;
  span.durationNs = duration;
  span.kind = kind;
  span.label = static_cast<std::uint16_t>(label);
  span.step = 1;
  return span;
}

// The events of a phase and category.
std::vector<json> eventsOf(const json& trace, const std::string& phase, const std::string& category = "") {
  std::vector<json> found;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == phase && (category.empty() ? event.value("cat", "") != "step" : event["cat"] == category))
      found.push_back(event);
  return found;
}

}  // namespace

class TestChromeTrace : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::filesystem::path path() const { return std::filesystem::path(folder_.path().toStdString()) / "trace.json"; }

  std::string textOf(const std::vector<std::vector<Span>>& batches, TimeSource clock = TimeSource::Modelled) const {
    ChromeTraceWriter writer(path(), someLegend(), clock);
    for (const auto& batch : batches) writer.add(batch);
    writer.finish(5);
    const auto bytes = readFile(path(), 1 << 30);
    return {bytes.begin(), bytes.end()};
  }

 private slots:
  void keepsTheRules() {
    std::vector<Span> first, second;
    // Spans in the order in which a trainer emits them: the inner operations before the step that contains them.
    for (int track : {1, 2}) {
      first.push_back(spanOf(track, 1000, 500, SpanKind::Compute, 1));
      first.push_back(spanOf(track, 1500, 250, SpanKind::Update, 1));
      first.push_back(spanOf(track, 1000, 1500, SpanKind::Compute, 0));
    }
    first.push_back(spanOf(0, 1750, 100, SpanKind::Transfer, 2));
    second.push_back(spanOf(0, 1850, 0, SpanKind::Transfer, 2));
    second.push_back(spanOf(1, 2500, 9, SpanKind::Wait, 0));
    const json trace = json::parse(textOf({first, {}, second}));
    QCOMPARE(flaw(trace), std::string());
    QCOMPARE(eventsOf(trace, "M").size(), std::size_t{2 * 2 + 3 * 2 + 4});
    QCOMPARE(eventsOf(trace, "X").size(), first.size() + second.size());
    QCOMPARE(eventsOf(trace, "X", "step").size(), std::size_t{1});
    QVERIFY(trace["otherData"]["clock"] == "modelled");
    QVERIFY(trace["droppedSpans"] == 5);
  }

  // The checker itself is tested too: it must not let everything pass.
  void theCheckerSeesFlaws() {
    const std::vector<Span> overlapping{spanOf(1, 0, 10, SpanKind::Compute, 0), spanOf(1, 5, 10, SpanKind::Compute, 0)};
    QVERIFY(QString::fromStdString(flaw(json::parse(textOf({overlapping})))).startsWith("partial overlap"));
    const std::vector<Span> late{spanOf(1, 50, 1, SpanKind::Compute, 0)};
    const std::vector<Span> early{spanOf(1, 10, 1, SpanKind::Compute, 0)};
    QVERIFY(QString::fromStdString(flaw(json::parse(textOf({late, early})))).startsWith("goes back"));
    json trace = json::parse(textOf({late}));
    for (json& event : trace["traceEvents"]) event.erase("dur");
    QVERIFY(QString::fromStdString(flaw(trace)).startsWith("dur"));
    trace = json::parse(textOf({late}));
    json tail{{"name", "a"}, {"cat", "flow"}, {"ph", "s"}, {"id", 1}, {"ts", 0.05}, {"pid", 1}, {"tid", 2}},
        head = tail;
    head["ph"] = "f";
    head["bp"] = "e";
    const auto flawWith = [&](const std::vector<json>& more) {
      json longer = trace;
      for (const json& event : more) longer["traceEvents"].push_back(event);
      return QString::fromStdString(flaw(longer));
    };
    QCOMPARE(flawWith({tail, head}), QString());
    QVERIFY(flawWith({tail}).startsWith("a flow's ends"));
    head["ts"] = 0.051;  // after the end of the slice
    QVERIFY(flawWith({tail, head}).startsWith("a flow's end outside"));
    head["ts"] = 0.049;
    QVERIFY(flawWith({tail, head}).startsWith("a flow against time"));
    const json counter{{"name", "b"}, {"cat", "counter"},       {"ph", "C"}, {"ts", 1}, {"pid", 1},
                       {"tid", 0},    {"args", {{"bytes", -1}}}};
    QVERIFY(flawWith({counter}).startsWith("a counter's value"));
  }

  // A device's memory is a counter of its host, by kind, with one event for each change of a value.
  void memoryIsACounter() {
    const MemoryByKind begin{100, 200, 300, 40, 0, 0}, later{100, 200, 300, 40, 50, 6};
    const std::vector<MemoryTimeline> step{{}, {TimeSource::Modelled, {{1000, begin, -1}, {1500, later, 3}}}};
    ChromeTraceWriter writer(path(), someLegend(), TimeSource::Modelled);
    writer.add(std::vector{spanOf(2, 1000, 900, SpanKind::Compute, 1)});
    writer.addMemory(step);
    writer.addMemory(std::vector<MemoryTimeline>{{}, {TimeSource::Modelled, {{2000, later, -1}}}});
    writer.finish(0);
    const auto bytes = readFile(path(), 1 << 20);
    const json trace = json::parse(bytes.begin(), bytes.end());
    QCOMPARE(flaw(trace), std::string());
    const std::vector<json> counters = eventsOf(trace, "C");
    QCOMPARE(counters.size(), std::size_t{2});
    QVERIFY(counters[1]["name"] == "memory of replica \"1\"" && counters[1]["pid"] == 2 && counters[1]["ts"] == 1.5);
    const json expected{{"variables", 100},  {"gradients", 200}, {"optimizer", 300},
                        {"activations", 40}, {"packs", 50},      {"buffers", 6}};
    QVERIFY(counters[1]["args"] == expected);
  }

  // Two hops of a ring: a gradient is computed, goes to the neighbour, and from there on. The update needs the transfer
  // that came last.
  void arrowsLeadFromSliceToSlice() {
    const auto transfer = [](std::int64_t start, int from, int to) {
      Span span = spanOf(0, start, 100, SpanKind::Transfer, 2);
      span.from = from;
      span.to = to;
      span.pack = 0;
      span.bytes = 40;
      return span;
    };
    const std::vector<Span> spans{spanOf(1, 1000, 500, SpanKind::Compute, 1),
                                  transfer(1500, 0, 1),
                                  spanOf(2, 1550, 500, SpanKind::Compute, 1),  // does not wait for the transfer
                                  transfer(2100, 1, 0),
                                  spanOf(1, 2200, 30, SpanKind::Wait, 0),  // no arrow leads from here
                                  spanOf(1, 2230, 70, SpanKind::Update, 0)};
    const json trace = json::parse(textOf({spans}));
    QCOMPARE(flaw(trace), std::string());
    std::vector<std::array<std::int64_t, 4>> arrows;
    const std::vector<json> tails = eventsOf(trace, "s"), heads = eventsOf(trace, "f");
    for (std::size_t i = 0; i < tails.size(); ++i)
      arrows.push_back({tails[i]["tid"], std::llround(tails[i]["ts"].get<double>() * 1e3), heads[i]["tid"],
                        std::llround(heads[i]["ts"].get<double>() * 1e3)});
    QCOMPARE(arrows,
             (std::vector<std::array<std::int64_t, 4>>{{2, 1499, 1, 1500}, {1, 1599, 1, 2100}, {1, 2199, 2, 2230}}));
  }

  // If Perfetto is installed, it must see the same slices and drop no arrow. No package of Debian contains it.
  void perfettoReadsIt() {
    const QString program = qEnvironmentVariable("STRATEGYLAB_TRACE_PROCESSOR");
    if (program.isEmpty()) QSKIP("STRATEGYLAB_TRACE_PROCESSOR does not name Perfetto's trace_processor_shell");
    Span transfer = spanOf(0, 1500, 100, SpanKind::Transfer, 2);
    transfer.from = 0;
    transfer.to = 1;
    (void)textOf({{spanOf(1, 1000, 500, SpanKind::Compute, 1), transfer, spanOf(2, 1600, 9, SpanKind::Update, 1)}});
    QProcess shell;
    shell.start(program,
                {"-Q",
                 "select (select count(*) from slice) || ' slices, ' || (select count(*) from flow) || ' arrows, '"
                 " || (select sum(dur) from slice where name != 'step 1') || ' ns' as found",
                 QString::fromStdString(path().string())});
    QVERIFY2(shell.waitForFinished(kPatienceMs) && shell.exitCode() == 0, shell.readAllStandardError());
    const QByteArray out = shell.readAllStandardOutput();
    QVERIFY2(out.contains("4 slices, 2 arrows, 609 ns"), out);
  }

  void countersAddUp() {
    Span first = spanOf(0, 1000, 500, SpanKind::Transfer, 2), second = first, later = first;
    first.bytes = 40;
    second.startNs = 1200;
    second.bytes = 2;
    second.durationNs = 100;
    later.startNs = 1500;  // begins as the first ends: a single change
    later.bytes = 40;
    later.step = 2;
    const json trace = json::parse(textOf({{first, second}, {later}}));
    QCOMPARE(flaw(trace), std::string());
    std::vector<std::array<std::int64_t, 2>> bytes, links;
    for (const json& event : eventsOf(trace, "C"))
      (event["name"] == "bytes in flight" ? bytes : links)
          .push_back({std::llround(event["ts"].get<double>() * 1e3), event["args"].begin()->get<std::int64_t>()});
    QCOMPARE(bytes, (std::vector<std::array<std::int64_t, 2>>{{1000, 40}, {1200, 42}, {1300, 40}, {2000, 0}}));
    QCOMPARE(links, (std::vector<std::array<std::int64_t, 2>>{{1000, 1}, {1200, 2}, {1300, 1}, {2000, 0}}));
    QCOMPARE(eventsOf(trace, "X", "step").size(), std::size_t{2});
  }

  void tracksAreNamedAndSorted() {
    const json trace = json::parse(textOf({}));
    std::map<std::string, std::pair<int, int>> tracks;  // name to process and sort index
    std::map<int, std::string> names;
    std::map<int, int> order;
    for (const json& event : trace["traceEvents"]) {
      if (event["name"] == "thread_name") {
        names[event["tid"]] = event["args"]["name"];
        tracks[event["args"]["name"]].first = event["pid"];
      }
      if (event["name"] == "thread_sort_index") order[event["tid"]] = event["args"]["sort_index"];
    }
    for (const auto& [thread, name] : names) tracks[name].second = order.at(thread);
    QCOMPARE(tracks.size(), std::size_t{4});
    QCOMPARE(tracks.at("steps").first, 3);  // after all hosts
    QCOMPARE(tracks.at("replica 0 · V100").first, 1);
    QCOMPARE(tracks.at("replica 1 · V100").first, 2);
    QVERIFY(tracks.at("replica 0 · V100").second < tracks.at("link 0 → 1").second);
  }

  void everyFieldIsTold() {
    Span transfer = spanOf(0, 1'234'567, 89, SpanKind::Transfer, 2);
    transfer.step = 3;
    transfer.bytes = 40;
    transfer.offset = 7;
    transfer.count = 10;
    transfer.from = 0;
    transfer.to = 1;
    transfer.round = 4;
    transfer.pack = 2;
    transfer.add = true;
    const std::string text = textOf({{transfer}});
    // Nanoseconds survive as text, not only as a rounded double.
    QVERIFY(text.find("\"ts\":1234.567,\"dur\":0.089") != std::string::npos);
    const json event = eventsOf(json::parse(text), "X").back();
    QVERIFY(event["name"] == "all-reduce");
    QVERIFY(event["cat"] == "transfer");
    QVERIFY(event["pid"] == 1);
    QVERIFY(event["tid"] == 1);
    QVERIFY(event["args"] == (json{{"clock", "modelled"},
                                   {"step", 3},
                                   {"from", "replica 0"},
                                   {"to", "replica \"1\""},
                                   {"round", 4},
                                   {"pack", 2},
                                   {"bytes", 40},
                                   {"firstElement", 7},
                                   {"elements", 10},
                                   {"add", true}}));
    Span compute = spanOf(1, 0, 1, SpanKind::Compute, 1);
    compute.count = 64;
    compute.clock = TimeSource::Measured;
    const json second = json::parse(textOf({{compute}}, TimeSource::Measured));
    QVERIFY(eventsOf(second, "X").back()["args"] == (json{{"clock", "measured"}, {"step", 1}, {"examples", 64}}));
    QVERIFY(second["otherData"]["clock"] == "measured");
  }

  void largeTracesAreWholeToo() {
    std::vector<Span> spans;
    for (int i = 0; i < 5000; ++i) spans.push_back(spanOf(1, i * 10, 10, SpanKind::Compute, 1));
    const json trace = json::parse(textOf({spans}));
    QCOMPARE(flaw(trace), std::string());
    QCOMPARE(eventsOf(trace, "X").size(), std::size_t{5000});
  }

  void oneFileHoldsOneClock() {
    Span span = spanOf(1, 0, 1, SpanKind::Compute, 0);
    span.clock = TimeSource::Measured;
    ChromeTraceWriter writer(path(), someLegend(), TimeSource::Modelled);
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, writer.add(std::vector{span}));
  }

  void invalidSpansAreOurMistake_data() {
    QTest::addColumn<int>("fault");
    for (int fault = 0; fault < 12; ++fault) QTest::addRow("%d", fault) << fault;
  }
  void invalidSpansAreOurMistake() {
    QFETCH(int, fault);
    Span span = spanOf(1, 0, 1, SpanKind::Compute, 0);
    QVERIFY(isValid(span, someLegend()));
    if (fault == 0) span.track = 3;
    if (fault == 1) span.track = -1;
    if (fault == 2) span.label = 3;
    if (fault == 3) span.from = 2;
    if (fault == 4) span.to = -2;
    if (fault == 5) span.startNs = -1;
    if (fault == 6) span.durationNs = -1;
    if (fault == 7) span.durationNs = std::numeric_limits<std::int64_t>::max();
    if (fault == 8) span.round = -2;
    if (fault == 9) span.bytes = -1;
    if (fault == 10) span.step = -1;
    if (fault == 11) span.pack = -2;
    QVERIFY(!isValid(span, someLegend()));
    ChromeTraceWriter writer(path(), someLegend(), TimeSource::Modelled);
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, writer.add(std::vector{span}));
  }

  void unfinishedTracesDoNotAppear() {
    std::filesystem::remove(path());
    {
      ChromeTraceWriter writer(path(), someLegend(), TimeSource::Modelled);
      writer.add(std::vector{spanOf(1, 0, 1, SpanKind::Compute, 0)});
    }
    QVERIFY(!std::filesystem::exists(path()));
  }
};

QTEST_GUILESS_MAIN(TestChromeTrace)
#include "tst_chrome_trace.moc"
