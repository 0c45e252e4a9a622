// SPDX-License-Identifier: GPL-3.0-or-later
// The record of a parameter-server step: all workers between one update and the next, with the versions of their
// weights.
#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/bit_digest.h"
#include "core/options/resolve.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

class TestParameterServerRecord : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void versionsAndStalenessAgree_data() {
    QTest::addColumn<QString>("devices");
    for (const char* devices : {"simulated", "cpu"}) QTest::newRow(devices) << QString(devices);
  }
  void versionsAndStalenessAgree() {
    QFETCH(QString, devices);
    const RecordedRun run =
        recordAll(rowConfig("parameter-server", {{"devices", devices.toStdString()}, {"steps", "40"}}), digits_);
    bool anyStale = false;
    for (const RecordPointer& record : run.records) {
      const StepMetric& metric = record->metric;
      const ReplicaStep& worker = record->replicas[static_cast<std::size_t>(*metric.worker)];
      QCOMPARE(*metric.staleness, metric.step - 1 - worker.version);
      anyStale = anyStale || *metric.staleness > 0;
      for (const ReplicaStep& replica : record->replicas) {
        QVERIFY(replica.gradients.empty() == replica.shard.empty());
        QVERIFY(replica.version <= metric.step);
        if (!replica.gradients.empty()) QVERIFY(replica.weightsDigest != 0);
      }
      QVERIFY(worker.weightsDistance > 0);  // the servers have just moved on
    }
    QVERIFY(anyStale);
  }

  // The record has the weights that each worker computes with: the servers' own if the step began with them or reached
  // them, otherwise the worker's. From a single server, the bits are those of the update that names them; from several,
  // each part is of that update or a later one.
  void staleWeightsAreKept_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"parameter-server", "parameter-server, 2 servers, cut"})
      QTest::newRow(name) << QString(name);
  }
  void staleWeightsAreKept() {
    QFETCH(QString, name);
    const RecordedRun run =
        recordAll(rowConfig(name, {{"replicas", "4"}, {"steps", "30"}, {"slow", "1:2.7"}}), digits_);
    const bool oneServer = run.info.parameterDevices == 1;
    int kept = 0;
    for (const RecordPointer& record : run.records) {
      QVERIFY(!record->averagesWeights());
      for (const ReplicaStep& worker : record->replicas) {
        if (worker.shard.empty()) continue;
        const bool before = worker.version == record->metric.step - 1, after = worker.version == record->metric.step;
        if (oneServer) QCOMPARE(worker.ownWeights.empty(), before || after);
        if (worker.ownWeights.empty()) {
          const std::vector<float>& own = after ? record->weightsAfter : record->weightsBefore;
          QVERIFY(before || after || !oneServer);
          if (oneServer) QCOMPARE(bitDigest(own), worker.weightsDigest);
          continue;
        }
        ++kept;
        QCOMPARE(bitDigest(worker.ownWeights), worker.weightsDigest);
        const StepRecord& from = *run.records[static_cast<std::size_t>(worker.version)];  // the step after this version
        QCOMPARE(from.metric.step, worker.version + 1);
        if (oneServer) QVERIFY(worker.ownWeights == from.weightsBefore);
      }
    }
    QVERIFY(kept > 10);
  }

  // A record shows everything that happened between one update and the next, each span once.
  void nothingThatOverlapsTheStepIsMissing_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("link");
    for (const char* name : {"parameter-server", "parameter-server, 2 servers, cut"})
      for (const char* link : {"eth_10g", "ib_ndr"}) QTest::addRow("%s, %s", name, link) << QString(name) << link;
  }
  void nothingThatOverlapsTheStepIsMissing() {
    QFETCH(QString, name);
    QFETCH(QString, link);
    const RecordedRun run =
        recordAll(rowConfig(name, {{"steps", "60"}, {"slow", "1:3.7"}, {"host-link", link.toStdString()}}), digits_);
    using Key = std::tuple<std::int64_t, std::int64_t, int, int, int>;
    const auto keyOf = [](const Span& span) {
      return Key{span.startNs, span.durationNs, span.track, static_cast<int>(span.kind), span.label};
    };
    std::int64_t carried = 0, underWay = 0;
    for (std::size_t i = 0; i + 10 < run.records.size(); ++i) {
      const StepRecord& record = *run.records[i];
      QCOMPARE(record.beginNs, i == 0 ? 0 : run.records[i - 1]->endNs);
      std::map<Key, int> shown;
      std::int64_t arrivedNs = 0;  // when the last of this step's gradients arrived
      for (const Span& span : record.spans) {
        QVERIFY(isValid(span, run.info.legend));
        ++shown[keyOf(span)];
        QVERIFY(span.step <= record.metric.step);
        if (span.step < record.metric.step) {
          QVERIFY(span.startNs + span.durationNs > record.beginNs);
          ++carried;
        }
        if (span.kind == SpanKind::Transfer && span.from == *record.metric.worker && span.startNs < record.endNs &&
            span.startNs + span.durationNs <= record.endNs)
          arrivedNs = std::max(arrivedNs, span.startNs + span.durationNs);
      }
      for (const auto& [key, times] : shown) QCOMPARE(times, 1);
      for (const Span& span : run.spans) {
        const std::int64_t endNs = span.startNs + span.durationNs;
        if (span.durationNs == 0 || span.startNs >= record.endNs || endNs <= record.beginNs) continue;
        if (span.kind == SpanKind::Wait && endNs >= arrivedNs) continue;  // a wait is recorded when it is over
        if (shown.contains(keyOf(span))) {
          if (span.step > record.metric.step) ++underWay;
          continue;
        }
        QVERIFY2(span.step > record.metric.step && span.startNs >= arrivedNs,
                 qPrintable(QString("record %1 has no %2 of step %3")
                                .arg(record.metric.step)
                                .arg(toString(span.kind))
                                .arg(span.step)));
      }
    }
    QVERIFY(carried > 0);
    QVERIFY(underWay > 0);
  }

  // The last step's record and the run's trace have the same messages, including those still under way.
  void theTraceEndsAsTheLastRecordDoes() {
    Telemetry telemetry(std::size_t{1} << 20);
    Trainer trainer(resolve(rowConfig("parameter-server", {{"replicas", "4"}, {"steps", "40"}})), digits_, telemetry);
    RecordPointer last;
    while (!trainer.finished()) last = recordedStep(trainer, telemetry);
    trainer.finish();
    std::vector<Span> spans;
    telemetry.drainSpans(spans);
    const auto keyOf = [](const Span& s) {
      return std::tuple(s.startNs, s.durationNs, s.step, s.track, s.label, s.bytes, s.offset, s.count);
    };
    std::int64_t underWay = 0;
    for (const Span& span : last->spans) {
      if (span.kind == SpanKind::Transfer && span.startNs + span.durationNs > last->endNs) ++underWay;
      const auto times = std::ranges::count(spans, keyOf(span), keyOf);
      QVERIFY2(
          times == 1,
          qPrintable(
              QString("%1 at %2 ns: %3 times in the trace").arg(toString(span.kind)).arg(span.startNs).arg(times)));
    }
    QVERIFY(underWay > 0);
  }
};

QTEST_GUILESS_MAIN(TestParameterServerRecord)
#include "core/base/bit_digest.h"
#include "core/options/resolve.h"
#include "tst_parameter_server_record.moc"
