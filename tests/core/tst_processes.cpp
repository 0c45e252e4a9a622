// SPDX-License-Identifier: GPL-3.0-or-later
// A run among processes, with threads in their place (support/thread_wires.h): the same bits as in one process under
// every schedule, what is recorded, resumed and evaluated, that unlike processes are told of, and that whoever is
// waited for in vain is named. Real processes: tst_launch.
#include <QTemporaryDir>
#include <QTest>

#include <mutex>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/process/messages.h"
#include "core/process/peers.h"
#include "core/process/task_config.h"
#include "core/run/messages.h"
#include "core/run/processes.h"
#include "tests/support/thread_wires.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const Settings kRun = {{"strategy", "multi-worker-mirrored"},
                       {"global-batch", "47"},
                       {"steps", "4"},
                       {"eval-every", "2"},
                       {"threads", "1"},
                       {"seed", "3"},
                       {"learning-rate", "0.002"},
                       {"dataset", "digits"},
                       {"shuffle-buffer", "100"}};

std::string idOf(const std::exception_ptr& failure) {
  if (!failure) return "";
  try {
    std::rethrow_exception(failure);
  } catch (const UserError& error) {
    return error.message().text()->id;
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string whatOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

struct RunOfAll {
  Outcome first;  // the first process's
  std::vector<std::vector<float>> weights;
  std::vector<std::exception_ptr> failures;
};

RunOfAll trainAmong(int processes, const Settings& settings, const std::shared_ptr<const Dataset>& data) {
  RunOfAll run;
  run.weights.resize(static_cast<std::size_t>(processes));
  run.failures = amongThreads(processes, [&](process::Peers& peers) {
    const RunConfig config = configOf(with(settings, {{"devices", "processes"}}));
    Telemetry telemetry;
    Trainer trainer(config, data, telemetry);
    while (!trainer.finished()) trainer.step();
    const EndMetric end = trainer.finish();
    const int own = peers.rank() * trainer.cluster().replicas() / peers.size();
    const auto weights = trainer.cluster().replica(own).variables.weights.span();
    run.weights[static_cast<std::size_t>(peers.rank())] = {weights.begin(), weights.end()};
    if (!peers.isChief()) return;
    run.first.end = end;
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric))
        run.first.steps.push_back(*step);
      else if (const auto* evaluation = std::get_if<EvalMetric>(&metric))
        run.first.evaluations.push_back(*evaluation);
    (void)telemetry.drainSpans(run.first.spans);
    run.first.info = trainer.info();
  });
  return run;
}

}  // namespace

class TestProcesses : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void everyScheduleHasTheBitsOfOneProcess_data() {
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("reducer");
    for (const auto& [processes, replicas] : {std::pair(1, 2), {2, 2}, {3, 3}, {4, 8}, {5, 5}, {8, 8}, {16, 16}})
      for (const Reducer reducer : kSchedules)
        QTest::addRow("%d processes, %d replicas, %s", processes, replicas, std::string(toString(reducer)).c_str())
            << processes << replicas << QString::fromStdString(std::string(toString(reducer)));
  }
  void everyScheduleHasTheBitsOfOneProcess() {
    QFETCH(int, processes);
    QFETCH(int, replicas);
    QFETCH(QString, reducer);
    const Settings settings = with(kRun, {{"replicas", std::to_string(replicas)},
                                          {"hosts", std::to_string(processes)},
                                          {"bytes-per-pack", "1000000"},
                                          {"reducer", reducer.toStdString()}});
    const Outcome alone = train(configOf(with(settings, {{"devices", "simulated"}})), digits_);
    const RunOfAll run = trainAmong(processes, settings, digits_);
    for (const std::exception_ptr& failure : run.failures) QVERIFY2(!failure, idOf(failure).c_str());
    for (const std::vector<float>& weights : run.weights) QVERIFY(sameBits(weights, alone.weights));
    QCOMPARE(run.first.steps.size(), alone.steps.size());
    for (std::size_t i = 0; i < alone.steps.size(); ++i) {
      QCOMPARE(run.first.steps[i].loss, alone.steps[i].loss);
      QCOMPARE(run.first.steps[i].accuracy, alone.steps[i].accuracy);
      QCOMPARE(run.first.steps[i].bytesSent, alone.steps[i].bytesSent);
      QCOMPARE(run.first.steps[i].mirrorsIdentical, alone.steps[i].mirrorsIdentical);
      QVERIFY(run.first.steps[i].clock == Clock::Measured);
    }
    QCOMPARE(run.first.evaluations.size(), alone.evaluations.size());
    for (std::size_t i = 0; i < alone.evaluations.size(); ++i) {
      QCOMPARE(run.first.evaluations[i].testLoss, alone.evaluations[i].testLoss);
      QCOMPARE(run.first.evaluations[i].testAccuracy, alone.evaluations[i].testAccuracy);
    }
  }
};

QTEST_MAIN(TestProcesses)
#include "tst_processes.moc"
