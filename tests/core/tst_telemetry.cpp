// SPDX-License-Identifier: GPL-3.0-or-later
// The three pipes: spans may be dropped but are counted and never torn, metrics all arrive in order, and only the
// latest record is kept. Also worth running under -DSTRATEGYLAB_SANITIZE=thread.
#include <QTest>

#include <atomic>
#include <memory>
#include <thread>
#include <variant>
#include <vector>

#include "core/trace/telemetry.h"

using namespace lab;

namespace {

// Every field has the same number, so that a torn span shows.
Span numbered(std::int64_t n) {
  Span span;
  span.startNs = span.durationNs = span.step = span.bytes = span.offset = span.count = n;
  span.track = span.from = span.to = span.round = span.pack = static_cast<std::int32_t>(n);
  return span;
}

bool isWhole(const Span& span) {
  const std::int64_t n = span.startNs;
  return span.durationNs == n && span.step == n && span.bytes == n && span.offset == n && span.count == n &&
         span.track == n && span.from == n && span.to == n && span.round == n && span.pack == n;
}

std::shared_ptr<const StepRecord> recordOfStep(std::int64_t step) {
  auto record = std::make_shared<StepRecord>();
  record->metric.step = step;
  record->weightsAfter.assign(100, static_cast<float>(step));
  return record;
}

}  // namespace

class TestTelemetry : public QObject {
  Q_OBJECT

 private slots:
  void fullRingDropsAndCounts() {
    Telemetry telemetry(8);
    for (int i = 0; i < 11; ++i) telemetry.span(numbered(i));
    QCOMPARE(telemetry.droppedSpans(), std::uint64_t{3});
    std::vector<Span> spans;
    QCOMPARE(telemetry.drainSpans(spans), std::size_t{8});
    for (int i = 0; i < 8; ++i) QCOMPARE(spans[static_cast<std::size_t>(i)].startNs, i);  // the oldest stay
    QCOMPARE(telemetry.drainSpans(spans), std::size_t{0});
    // The ring has room again, the count stands, and draining appends.
    telemetry.span(numbered(11));
    QCOMPARE(telemetry.drainSpans(spans), std::size_t{1});
    QCOMPARE(spans.size(), std::size_t{9});
    QCOMPARE(spans.back().startNs, 11);
    QCOMPARE(telemetry.droppedSpans(), std::uint64_t{3});
  }

  void capacityIsRoundedUp_data() {
    QTest::addColumn<int>("asked");
    QTest::addColumn<int>("given");
    QTest::newRow("1") << 1 << 1;
    QTest::newRow("3") << 3 << 4;
    QTest::newRow("8") << 8 << 8;
    QTest::newRow("9") << 9 << 16;
  }
  void capacityIsRoundedUp() {
    QFETCH(int, asked);
    QFETCH(int, given);
    SpscRing<int> ring(static_cast<std::size_t>(asked));
    QCOMPARE(ring.capacity(), static_cast<std::size_t>(given));
    for (int i = 0; i < given; ++i) QVERIFY(ring.push(i));
    QVERIFY(!ring.push(given));
  }

  void twoThreadsLoseNothingUncounted() {
    constexpr std::int64_t kSpans = 100'000;
    Telemetry telemetry(64);
    std::atomic<bool> done{false};
    std::thread producer([&] {
      for (std::int64_t i = 0; i < kSpans; ++i) {
        telemetry.span(numbered(i));
        if (i % 64 == 0) std::this_thread::yield();
      }
      done = true;
    });
    std::vector<Span> spans;
    for (bool last = false; !last;) {
      last = done;  // read before draining: what was pushed before is drained once more
      telemetry.drainSpans(spans);
    }
    producer.join();
    QCOMPARE(static_cast<std::int64_t>(spans.size() + telemetry.droppedSpans()), kSpans);
    std::int64_t before = -1;
    for (const Span& span : spans) {
      QVERIFY(isWhole(span));
      QVERIFY(span.startNs > before);
      before = span.startNs;
    }
  }

  void metricsAllArriveInOrder() {
    constexpr std::int64_t kMetrics = 50'000;
    Telemetry telemetry(1);
    std::atomic<bool> done{false};
    std::thread producer([&] {
      for (std::int64_t i = 0; i < kMetrics; ++i) {
        StepMetric step;
        step.step = i;
        step.shards = {i, i + 1};
        telemetry.metric(std::move(step));
      }
      done = true;
    });
    std::int64_t next = 0;
    bool inOrder = true;
    for (bool last = false; !last;) {
      last = done;
      for (const Metric& metric : telemetry.takeMetrics()) {
        const auto& step = std::get<StepMetric>(metric);
        inOrder = inOrder && step.step == next && step.shards == std::vector<std::int64_t>{next, next + 1};
        ++next;
      }
    }
    producer.join();
    QVERIFY(inOrder);
    QCOMPARE(next, kMetrics);
    QVERIFY(telemetry.takeMetrics().empty());
  }

  void latestRecordWins() {
    Telemetry telemetry;
    QVERIFY(telemetry.takeRecord() == nullptr);
    telemetry.record(recordOfStep(1));
    telemetry.record(recordOfStep(2));
    const auto taken = telemetry.takeRecord();
    QVERIFY(taken != nullptr);
    QCOMPARE(taken->metric.step, 2);
    QVERIFY(telemetry.takeRecord() == nullptr);
  }

  void eachRequestIsTakenUpOnce() {
    Telemetry telemetry;
    QVERIFY(!telemetry.recordWanted());
    QVERIFY(!telemetry.takeRecordRequest());
    telemetry.requestRecord();
    telemetry.requestRecord();
    QVERIFY(telemetry.recordWanted());
    QVERIFY(telemetry.takeRecordRequest());
    QVERIFY(!telemetry.takeRecordRequest());
    // A request made while a step is being recorded is not answered by that step's record.
    telemetry.requestRecord();
    telemetry.record(recordOfStep(1));
    QVERIFY(telemetry.recordWanted());
  }

  void recordsCrossThreadsWhole() {
    constexpr std::int64_t kTaken = 100;
    Telemetry telemetry;
    std::atomic<bool> stop{false};
    std::thread producer([&] {
      for (std::int64_t step = 1; !stop; ++step) {
        if (telemetry.takeRecordRequest()) telemetry.record(recordOfStep(step));
        std::this_thread::yield();
      }
    });
    std::int64_t before = 0;
    bool whole = true;
    for (std::int64_t taken = 0; taken < kTaken; ++taken) {
      telemetry.requestRecord();
      std::shared_ptr<const StepRecord> record;
      while ((record = telemetry.takeRecord()) == nullptr) std::this_thread::yield();
      whole = whole && record->metric.step > before &&
              record->weightsAfter == std::vector<float>(100, static_cast<float>(record->metric.step));
      before = record->metric.step;
    }
    stop = true;
    producer.join();
    QVERIFY(whole);
  }
};

QTEST_GUILESS_MAIN(TestTelemetry)
#include "tst_telemetry.moc"
