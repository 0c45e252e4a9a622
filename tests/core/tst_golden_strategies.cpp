// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=40
// The heart of fidelity: every synchronous strategy reproduces the float64 trajectories, at every replica count, with
// every reducer, on simulated devices and on the processor. The golden cases need MNIST and the reference folder; the
// same equalities on the embedded digits, against the float64 network of tests/support, run everywhere.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/model/cnn.h"
#include "core/model/safetensors.h"
#include "core/options/resolve.h"
#include "tests/support/cpu_path.h"
#include "tests/support/golden.h"
#include "tests/support/reference.h"
#include "tests/support/reference_network.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

// golden/README.md: the relative bounds that a float32 run stays within.
constexpr double kFirstSteps = 1e-5;
constexpr double kWholeCase = 1e-4;

struct Setup {
  std::string name;
  Settings settings;
};

const std::vector<std::string> kReducers = [] {
  std::vector<std::string> names{"auto"};
  for (const Reducer schedule : kSchedules) names.emplace_back(toString(schedule));
  names.emplace_back("nccl");
  return names;
}();

// The set-ups that must reproduce a case without short batches at `replicas`.
std::vector<Setup> evenSetups(int replicas, const std::vector<std::string>& reducers) {
  const std::string count = std::to_string(replicas);
  std::vector<Setup> setups;
  for (const std::string devices : {"simulated", "cpu"}) {
    for (const std::string& reducer : reducers)
      if (devices != "cpu" || reducer != "nccl")
        setups.push_back({"mirrored " + reducer + " x" + count + " " + devices,
                          {{"strategy", "mirrored"}, {"replicas", count}, {"reducer", reducer}, {"devices", devices}}});
    setups.push_back(
        {"multi-worker x" + count + " " + devices,
         {{"strategy", "multi-worker-mirrored"}, {"replicas", count}, {"hosts", "2"}, {"devices", devices}}});
    setups.push_back({"multi-worker hierarchical x" + count + " " + devices,
                      {{"strategy", "multi-worker-mirrored"},
                       {"replicas", count},
                       {"hosts", "2"},
                       {"reducer", "hierarchical"},
                       {"devices", devices}}});
    setups.push_back({"central-storage x" + count + " " + devices,
                      {{"strategy", "central-storage"}, {"replicas", count}, {"devices", devices}}});
  }
  setups.push_back({"tpu x" + count, {{"strategy", "tpu"}, {"replicas", count}, {"matmul", "float32"}}});
  return setups;
}

std::vector<Setup> singleSetups() {
  std::vector<Setup> setups;
  for (const std::string devices : {"simulated", "cpu"}) {
    for (const std::string strategy : {"one-device", "default"})
      setups.push_back({strategy + " " + devices, {{"strategy", strategy}, {"devices", devices}}});
    for (const std::string strategy : {"mirrored", "central-storage", "multi-worker-mirrored"})
      setups.push_back(
          {strategy + " x1 " + devices, {{"strategy", strategy}, {"replicas", "1"}, {"devices", devices}}});
    setups.push_back({"parameter-server x1 " + devices,
                      {{"strategy", "parameter-server"}, {"replicas", "1"}, {"devices", devices}}});
  }
  setups.push_back({"tpu x1", {{"strategy", "tpu"}, {"replicas", "1"}, {"matmul", "float32"}}});
  return setups;
}

std::vector<Setup> unevenSetups(const GoldenCase& set) {
  std::vector<Setup> setups;
  const std::string count = std::to_string(set.replicas);
  for (const std::string devices : {"simulated", "cpu"})
    for (const std::string strategy : {"mirrored", "central-storage"})
      setups.push_back({strategy + " x" + count + " " + devices,
                        {{"strategy", strategy}, {"replicas", count}, {"devices", devices}, {"split", set.split}}});
  return setups;
}

std::vector<Setup> setupsOf(const GoldenCase& set, const std::vector<std::string>& reducers) {
  if (set.replicas > 1) {
    std::vector<Setup> setups = unevenSetups(set);
    // Dividing by the global batch makes the sum independent of how it is distributed.
    if (set.lossReduction == "loop")
      for (const std::string replicas : {"1", "2", "5"})
        setups.push_back({"mirrored loop x" + replicas, {{"strategy", "mirrored"}, {"replicas", replicas}}});
    return setups;
  }
  std::vector<Setup> setups = singleSetups();
  const bool shortBatches = set.examples % set.globalBatch != 0 && set.steps * set.globalBatch > set.examples;
  if (!shortBatches)
    for (const int replicas : {2, 4, 8})
      for (Setup& setup : evenSetups(replicas, reducers)) setups.push_back(std::move(setup));
  return setups;
}

// The optimizer runs after the reducer: every reducer is tested with Adam, and on the digits, where it costs little,
// with momentum. Simulated devices compute with the same kernels as the processor, so each count of replicas runs on
// one of the two here, and on both with the digits.
std::vector<Setup> goldenSetups(const GoldenCase& set) {
  std::vector<Setup> setups = setupsOf(set, set.optimizer == "adam" ? kReducers : std::vector<std::string>{"auto"});
  std::erase_if(setups, [](const Setup& setup) {
    const auto value = [&](const char* key) {
      const auto found = std::ranges::find(setup.settings, key, &std::pair<std::string, std::string>::first);
      return found == setup.settings.end() ? std::string() : found->second;
    };
    if (value("replicas").empty() || value("replicas") == "1" || value("devices").empty()) return false;
    return (value("devices") == "cpu") != (value("replicas") == "4");
  });
  return setups;
}

RunSettings configFor(const GoldenCase& set, const Setup& setup) {
  RunSettings config = configOf(setup.settings);
  config.optimizer = set.optimizer == "adam" ? OptimizerKind::Adam : OptimizerKind::Sgd;
  config.learningRate = set.learningRate;
  config.momentum = set.momentum;
  if (config.strategy == StrategyKind::ParameterServer)
    config.batchPerReplica = set.globalBatch;
  else
    config.globalBatch = set.globalBatch;
  config.shuffleBuffer = 0;
  config.steps = set.steps;
  config.evalEvery = 0;
  config.threads = 1;  // changes no bit (tst_strategies); more would wait for each other beside other tests
  config.lossReduction = set.lossReduction == "fit" ? LossReduction::Fit : LossReduction::Loop;
  return config;
}

double worstLossError(const Outcome& outcome, const std::vector<double>& losses, std::size_t begin, std::size_t end) {
  double worst = 0;
  for (std::size_t i = begin; i < std::min(end, losses.size()); ++i)
    worst = std::max(worst, std::abs(outcome.steps[i].loss - losses[i]) / losses[i]);
  return worst;
}

void compareLosses(const Outcome& outcome, const std::vector<double>& losses) {
  QCOMPARE(outcome.steps.size(), losses.size());
  const double first = worstLossError(outcome, losses, 0, 20), all = worstLossError(outcome, losses, 0, losses.size());
  QVERIFY2(first <= kFirstSteps, qPrintable(QString("first 20 steps: relative error %1").arg(first)));
  QVERIFY2(all <= kWholeCase, qPrintable(QString("whole case: relative error %1").arg(all)));
}

void compareFinals(const std::vector<float>& weights, const std::map<std::string, GoldenCase::Final>& finals) {
  for (const Variable& variable : courseNetwork().layout().variables()) {
    const GoldenCase::Final& expected = finals.at(variable.name);
    double squares = 0;
    for (std::int64_t i = 0; i < variable.size; ++i) {
      const double value = weights[static_cast<std::size_t>(variable.offset + i)];
      squares += value * value;
    }
    const double l2 = std::sqrt(squares);
    QVERIFY2(std::abs(l2 - expected.l2) <= 1e-4 * std::max(1e-3, expected.l2),
             qPrintable(QString("%1: norm %2, expected %3").arg(variable.name.c_str()).arg(l2).arg(expected.l2)));
    for (std::size_t i = 0; i < expected.sample.size(); ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i) * (variable.size / 5);
      const double value = weights[static_cast<std::size_t>(variable.offset + at)];
      QVERIFY2(std::abs(value - expected.sample[i]) <= 2e-4, qPrintable(QString("%1[%2]: %3, expected %4")
                                                                            .arg(variable.name.c_str())
                                                                            .arg(at)
                                                                            .arg(value)
                                                                            .arg(expected.sample[i])));
    }
  }
}

}  // namespace

class TestGoldenStrategies : public QObject {
  Q_OBJECT

  std::map<std::string, GoldenCase> cases_;
  std::map<std::string, std::shared_ptr<const Dataset>> examples_;  // of each case

 private slots:
  void initTestCase() {
    LAB_SKIP_WITHOUT_FORCED_CPU_PATH();
    if (referenceDir().empty()) return;
    const auto mnist = loadDataset("mnist", referenceDir() / "mnist");
    for (const std::string& name : goldenCaseNames()) {
      cases_[name] = readGoldenCase(referenceDir() / "golden" / (name + ".json"));
      examples_[name] = firstExamples(mnist, cases_[name].examples, 10);
    }
  }

  void golden_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("setup");
    for (const auto& [name, set] : cases_) {
      const std::vector<Setup> setups = goldenSetups(set);
      for (std::size_t i = 0; i < setups.size(); ++i)
        QTest::addRow("%s: %s", name.c_str(), setups[i].name.c_str())
            << QString::fromStdString(name) << static_cast<int>(i);
    }
    if (!cases_.empty()) return;
    QTest::addRow("none") << QString() << 0;
    // Qt Test fails if it is asked for a row that does not exist, but these rows are to be skipped.
    for (const QString& asked : QCoreApplication::arguments())
      if (asked.startsWith(QStringLiteral("golden:"))) QTest::addRow("%s", qPrintable(asked.mid(7))) << QString() << 0;
  }
  void golden() {
    if (cases_.empty()) QSKIP("the reference folder is not here: set STRATEGYLAB_REFERENCE_DIR");
    QFETCH(QString, name);
    QFETCH(int, setup);
    const GoldenCase& set = cases_.at(name.toStdString());
    RunSettings config = configFor(set, goldenSetups(set)[static_cast<std::size_t>(setup)]);
    config.init = referenceDir() / "golden" / "init-11.safetensors";
    const Outcome outcome = train(config, examples_.at(name.toStdString()));
    compareLosses(outcome, set.losses);
    compareFinals(outcome.weights, set.finals);
    if (static_cast<int>(resolve(config).replicas) == set.replicas)
      for (std::size_t i = 0; i < set.shards.size(); ++i) QCOMPARE(outcome.steps[i].shards, set.shards[i]);
  }

  void bfloat16IsCloseAndNotEqual() {
    if (cases_.empty()) QSKIP("the reference folder is not here: set STRATEGYLAB_REFERENCE_DIR");
    const GoldenCase& set = cases_.at("adam-b64");
    RunSettings config = configFor(set, {"", {{"strategy", "tpu"}}});
    config.init = referenceDir() / "golden" / "init-11.safetensors";
    const Outcome outcome = train(config, examples_.at("adam-b64"));
    const double first = worstLossError(outcome, set.losses, 0, 20);
    QVERIFY2(first > 1e-5 && first < 3e-2, qPrintable(QString("relative error %1").arg(first)));
  }

  // ---- the same, on the embedded digits

  void digits_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("setup");
    for (const auto& [kind, set] : digitCases()) {
      const std::vector<Setup> setups = setupsOf(set, kReducers);
      for (std::size_t i = 0; i < setups.size(); ++i)
        QTest::addRow("%s: %s", kind.c_str(), setups[i].name.c_str())
            << QString::fromStdString(kind) << static_cast<int>(i);
    }
  }
  void digits() {
    QFETCH(QString, kind);
    QFETCH(int, setup);
    const GoldenCase set = digitCases().at(kind.toStdString());
    const auto dataset = fewDigits(set.examples, 10);
    const RunSettings config = configFor(set, setupsOf(set, kReducers)[static_cast<std::size_t>(setup)]);
    const Outcome outcome = train(config, dataset);

    auto found = trajectories_.find(kind.toStdString());
    if (found == trajectories_.end()) {
      std::vector<float> initial(static_cast<std::size_t>(courseNetwork().layout().size()));
      courseNetwork().initialize(static_cast<std::uint64_t>(config.seed), initial);
      NamedTensors named;
      for (const auto& [name, tensor] : weightsToTensors(courseNetwork().layout(), initial).tensors)
        named[name] = tensor.values;
      found = trajectories_
                  .emplace(kind.toStdString(), trainInDouble(set, named, dataset->train.pixels, dataset->train.labels))
                  .first;
    }
    compareLosses(outcome, found->second.losses);
  }

 private:
  std::map<std::string, Trajectory> trajectories_;

  // Counterparts of the golden cases on 200 digits: one replica, short batches, and both loss scalings with uneven
  // shares.
  static std::map<std::string, GoldenCase> digitCases() {
    std::map<std::string, GoldenCase> cases;
    GoldenCase even;
    even.optimizer = "adam";
    even.split = "in-memory";
    even.lossReduction = "fit";
    even.learningRate = 0.001;
    even.globalBatch = 40;
    even.examples = 200;
    even.steps = 12;
    even.shards.assign(12, {40});
    even.batchSizes.assign(12, 40);
    cases["adam"] = even;

    GoldenCase momentum = even;
    momentum.optimizer = "sgd";
    momentum.learningRate = 0.05;
    momentum.momentum = 0.9;
    cases["momentum"] = momentum;

    GoldenCase uneven = even;
    uneven.globalBatch = 48;
    uneven.replicas = 3;
    uneven.steps = 10;
    uneven.shards.clear();
    uneven.batchSizes.clear();
    for (int i = 0; i < 10; ++i) {
      const bool last = i % 5 == 4;
      uneven.batchSizes.push_back(last ? 8 : 48);
      uneven.shards.push_back(last ? std::vector<std::int64_t>{3, 3, 2} : std::vector<std::int64_t>{16, 16, 16});
    }
    cases["uneven fit"] = uneven;
    uneven.lossReduction = "loop";
    cases["uneven loop"] = uneven;

    GoldenCase file = uneven;
    file.lossReduction = "fit";
    file.split = "file";
    file.replicas = 4;
    for (std::size_t i = 0; i < 10; ++i)
      file.shards[i] = i % 5 == 4 ? std::vector<std::int64_t>{8, 0, 0, 0} : std::vector<std::int64_t>{12, 12, 12, 12};
    cases["file, empty replicas"] = file;
    return cases;
  }
};

QTEST_GUILESS_MAIN(TestGoldenStrategies)
#include "tst_golden_strategies.moc"
