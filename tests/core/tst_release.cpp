// SPDX-License-Identifier: GPL-3.0-or-later
// A resting trainer gives its memory back and goes on later with the same bits, as if nothing had happened.
#include <QDeadlineTimer>
#include <QFile>
#include <QTest>

#include <functional>
#include <thread>

#include "core/base/platform.h"
#include "core/launching/live_run.h"
#include "core/options/resolve.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

bool waitFor(const std::function<bool()>& condition) {
  for (const QDeadlineTimer deadline(300'000); !condition();) {
    if (deadline.hasExpired()) return false;
    std::this_thread::yield();
  }
  return true;
}

// Pages of this process in memory; 0 where the system does not say.
std::int64_t residentPages() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QList<QByteArray> words = file.readAll().split(' ');
  return words.size() < 2 ? 0 : words[1].toLongLong();
}

}  // namespace

class TestRelease : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private Q_SLOTS:
  void initTestCase() { returnFreedMemoryToOs(); }

  void itGoesOnToTheBit_data() { addStrategyRows(); }
  void itGoesOnToTheBit() {
    QFETCH(QString, name);
    const RunSettings config = lightRowConfig(name, {{"eval-every", "2"}});
    const RecordedRun run = recordAll(config, digits_);
    Telemetry telemetry;
    Trainer trainer(resolve(config), digits_, telemetry);
    std::size_t evaluations = 0;
    for (const RecordPointer& record : run.records) {
      trainer.release();
      trainer.release();
      QVERIFY(trainer.saveState().state.at("step") == record->metric.step - 1);
      telemetry.requestRecord();
      trainer.step();
      const RecordPointer again = telemetry.takeRecord();
      QVERIFY(again != nullptr);
      QCOMPARE(difference(*again, *record), QString());
      for (const Metric& metric : telemetry.takeMetrics()) evaluations += std::holds_alternative<EvalMetric>(metric);
    }
    QCOMPARE(evaluations, run.records.size() / 2);
    // The work of starting again is not part of the run's trace.
    std::vector<Span> spans;
    telemetry.drainSpans(spans);
    QCOMPARE(spans.size(), run.spans.size());
    QVERIFY(telemetry.spansWanted());
    trainer.release();
    const EndMetric end = trainer.finish();
    QCOMPARE(end.steps, std::ssize(run.records));
    QVERIFY(end.seconds > 0 && end.imagesPerSecond > 0);
    QVERIFY(sameBits(trainer.weights(), run.weights));
  }

  void aLiveRunAtRestGivesItsMemoryBack() {
    const RunSettings config = rowConfig("mirrored", {{"dataset", "digits"}, {"replicas", "16"}});
    const RecordedRun run = recordAll(config, openDataset(config));
    LiveRun live(resolve(config), true);
    live.release();  // too early: nothing happens
    live.stepOnce();
    live.stepOnce();
    QVERIFY(waitFor([&] { return live.isAtRest() && live.telemetry().takeMetrics().size() > 0; }));
    const std::int64_t before = residentPages();
    live.release();
    if (before > 0) QVERIFY(waitFor([&] { return residentPages() < before * 3 / 4; }));
    QVERIFY(live.isAtRest());
    for (const std::size_t step : {2, 3}) {
      live.telemetry().requestRecord();
      live.stepOnce();
      RecordPointer record;
      QVERIFY(waitFor([&] { return (record = live.telemetry().takeRecord()) != nullptr; }));
      QCOMPARE(difference(*record, *run.records[step]), QString());
      live.release();
    }
    live.resume();
    QVERIFY(waitFor([&] { return live.state() == RunState::Finished; }));
  }
};

QTEST_GUILESS_MAIN(TestRelease)
#include "tst_release.moc"
