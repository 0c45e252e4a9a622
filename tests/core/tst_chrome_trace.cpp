// SPDX-License-Identifier: GPL-3.0-or-later
// The trace keeps the format's rules, and says of every span what the span says.
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/files/chrome_trace.h"
#include "core/trace/messages.h"
#include "core/trace/names.h"
#include "tests/support/chrome_trace_rules.h"

using namespace lab;
using namespace lab::test;
using nlohmann::json;

namespace {

TraceLegend someLegend() {
  TraceLegend legend;
  legend.endpoints = {{nameFromFile("replica 0"), 0}, {nameFromFile("replica \"1\""), 1}};
  legend.lanes = {{nameFromFile("link 0 → 1"), 0, true, -1},
                  {nameFromFile("replica 0 · V100"), 0, false, 0},
                  {nameFromFile("replica 1 · V100"), 1, false, 1}};
  legend.labels = {nameFromFile("step"), {say::forwardOf, "conv2d"}, say::allReduce};
  return legend;
}

Span spanOf(int lane, std::int64_t start, std::int64_t duration, SpanKind kind, int label) {
  Span span;
  span.lane = lane;
  span.startNs = start;
  span.durationNs = duration;
  span.kind = kind;
  span.label = static_cast<std::uint16_t>(label);
  span.step = 1;
  return span;
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
    // In the order in which a trainer emits: the inner operations before the step that holds them.
    for (int lane : {1, 2}) {
      first.push_back(spanOf(lane, 1000, 500, SpanKind::Compute, 1));
      first.push_back(spanOf(lane, 1500, 250, SpanKind::Update, 1));
      first.push_back(spanOf(lane, 1000, 1500, SpanKind::Compute, 0));
    }
    first.push_back(spanOf(0, 1750, 100, SpanKind::Transfer, 2));
    second.push_back(spanOf(0, 1850, 0, SpanKind::Transfer, 2));
    second.push_back(spanOf(1, 2500, 9, SpanKind::Wait, 0));
    const json trace = json::parse(textOf({first, {}, second}));
    QCOMPARE(flaw(trace), std::string());
    QCOMPARE(trace["traceEvents"].size(), 2 * 2 + 3 * 2 + first.size() + second.size());
    QVERIFY(trace["otherData"]["clock"] == "modelled");
    QVERIFY(trace["droppedSpans"] == 5);
  }

  // The checker is a judge too: it must not let everything pass.
  void theCheckerSeesFlaws() {
    const std::vector<Span> overlapping{spanOf(1, 0, 10, SpanKind::Compute, 0), spanOf(1, 5, 10, SpanKind::Compute, 0)};
    QVERIFY(QString::fromStdString(flaw(json::parse(textOf({overlapping})))).startsWith("partial overlap"));
    const std::vector<Span> late{spanOf(1, 50, 1, SpanKind::Compute, 0)};
    const std::vector<Span> early{spanOf(1, 10, 1, SpanKind::Compute, 0)};
    QVERIFY(QString::fromStdString(flaw(json::parse(textOf({late, early})))).startsWith("goes back"));
    json trace = json::parse(textOf({late}));
    trace["traceEvents"].back().erase("dur");
    QVERIFY(QString::fromStdString(flaw(trace)).startsWith("dur"));
  }

  void lanesAreNamedAndSorted() {
    const json trace = json::parse(textOf({}));
    std::map<std::string, std::pair<int, int>> lanes;  // name to process and sort index
    std::map<int, std::string> names;
    std::map<int, int> order;
    for (const json& event : trace["traceEvents"]) {
      if (event["name"] == "thread_name") {
        names[event["tid"]] = event["args"]["name"];
        lanes[event["args"]["name"]].first = event["pid"];
      }
      if (event["name"] == "thread_sort_index") order[event["tid"]] = event["args"]["sort_index"];
    }
    for (const auto& [thread, name] : names) lanes[name].second = order.at(thread);
    QCOMPARE(lanes.size(), std::size_t{3});
    QCOMPARE(lanes.at("replica 0 · V100").first, 1);
    QCOMPARE(lanes.at("replica 1 · V100").first, 2);
    QVERIFY(lanes.at("replica 0 · V100").second < lanes.at("link 0 → 1").second);
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
    const json event = json::parse(text)["traceEvents"].back();
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
    QVERIFY(second["traceEvents"].back()["args"] == (json{{"clock", "measured"}, {"step", 1}, {"examples", 64}}));
    QVERIFY(second["otherData"]["clock"] == "measured");
  }

  void largeTracesAreWholeToo() {
    std::vector<Span> spans;
    for (int i = 0; i < 5000; ++i) spans.push_back(spanOf(1, i * 10, 10, SpanKind::Compute, 1));
    const json trace = json::parse(textOf({spans}));
    QCOMPARE(flaw(trace), std::string());
    QCOMPARE(trace["traceEvents"].size(), std::size_t{5010});
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
    if (fault == 0) span.lane = 3;
    if (fault == 1) span.lane = -1;
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
