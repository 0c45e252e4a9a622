// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: processors=2 cost=25
// Variables in parts among processes, with threads in their place (support/thread_wires.h): the bits of one process and
// of Mirrored among processes, what each sends and keeps, its record, and resuming. Real processes: tst_launch.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

#include "core/cluster/cluster.h"
#include "core/model/safetensors.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/process/peers.h"
#include "core/replicas/labels.h"
#include "core/strategy/messages.h"
#include "core/strategy/strategy.h"
#include "core/training/checkpoint.h"
#include "tests/support/normed_network.h"
#include "tests/support/records.h"
#include "tests/support/refusal.h"
#include "tests/support/thread_wires.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kParameters = 347146;

// The fifth batch of the 230 images is short, so both have uneven shares.
const Settings kRun{{"global-batch", "50"}, {"steps", "6"}, {"eval-every", "4"}, {"dataset", "digits"},
                    {"threads", "1"},       {"seed", "3"},  {"reducer", "ring"}};

Settings stage(int number, const Settings& more) {
  const auto info = std::ranges::find_if(strategies(), [](const StrategyInfo& each) { return !each.shards.empty(); });
  return with(with(kRun, {{"strategy", info->key}, {info->shards, std::to_string(number)}}), more);
}
Settings mirrored(const Settings& more) {
  return with(with(kRun, {{"strategy", "multi-worker-mirrored"}}), more);
}
Settings among(int processes, int replicas, const Settings& more = {}) {
  return with({{"hosts", std::to_string(processes)}, {"replicas", std::to_string(replicas)}}, more);
}

// A wire that counts the traffic of schedules' hops, and all other traffic.
class CountingWire final : public process::Wire {
 public:
  explicit CountingWire(std::shared_ptr<process::Wire> wire) : wire_(std::move(wire)) {}
  std::int64_t sent() const { return sent_; }
  int rank() const override { return wire_->rank(); }
  int size() const override { return wire_->size(); }
  std::string library() const override { return wire_->library(); }
  process::Request send(int to, process::Channel channel, const void* bytes, std::size_t count) override {
    if (channel == process::Channel::Values) sent_ += static_cast<std::int64_t>(count);
    return wire_->send(to, channel, bytes, count);
  }
  process::Request receive(int from, process::Channel channel, void* bytes, std::size_t count) override {
    return wire_->receive(from, channel, bytes, count);
  }
  bool test(process::Request& request) override { return wire_->test(request); }
  void cancel(process::Request& request) override { wire_->cancel(request); }
  void sumOverAll(float* values, std::int64_t count) override { wire_->sumOverAll(values, count); }
  void abort(int exitCode) noexcept override { wire_->abort(exitCode); }

 private:
  std::shared_ptr<process::Wire> wire_;
  std::int64_t sent_ = 0;
};

// The results of one process of a run.
struct OneProcess {
  std::vector<StepMetric> steps;
  std::vector<EvalMetric> evaluations;
  std::vector<std::int64_t> sent;  // in each step, by its wire
  std::vector<RecordPointer> records;
  std::int64_t held = 0;  // between two steps, of its first replica's variables, gradients and slots: bytes
};

std::int64_t heldBy(const Variables& variables) {
  std::int64_t bytes = variables.weights.bytes() + variables.gradients.bytes() + variables.shard.weights.bytes() +
                       variables.shard.gradients.bytes();
  for (const auto* of : {&variables.slotValues, &variables.shard.slotValues})
    for (const AlignedBuffer<float>& slot : *of) bytes += slot.bytes();
  return bytes;
}

OneProcess trained(const Settings& settings, const std::shared_ptr<const Dataset>& data, bool records = false,
                   const CountingWire* wire = nullptr) {
  OneProcess run;
  Telemetry telemetry;
  Trainer trainer(resolve(configOf(settings)), data, telemetry);
  while (!trainer.finished()) {
    if (records) telemetry.requestRecord();
    const std::int64_t before = wire == nullptr ? 0 : wire->sent();
    trainer.step();
    if (wire != nullptr) run.sent.push_back(wire->sent() - before);
    if (records) run.records.push_back(telemetry.takeRecord());
  }
  const Cluster& cluster = trainer.cluster();
  for (int r = 0; r < cluster.replicas() && run.held == 0; ++r) run.held = heldBy(cluster.replica(r).variables);
  (void)trainer.finish();
  for (const Metric& metric : telemetry.takeMetrics())
    if (const auto* step = std::get_if<StepMetric>(&metric))
      run.steps.push_back(*step);
    else if (const auto* evaluation = std::get_if<EvalMetric>(&metric))
      run.evaluations.push_back(*evaluation);
  return run;
}

// In the order of ranks; the first process has the reported results.
std::vector<OneProcess> trainedAmong(int processes, const Settings& settings,
                                     const std::shared_ptr<const Dataset>& data, bool records = false) {
  std::vector<OneProcess> all(static_cast<std::size_t>(processes));
  const auto failures = amongWires(processes, [&](const std::shared_ptr<process::Wire>& inner) {
    const auto wire = std::make_shared<CountingWire>(inner);
    process::setPeers(std::make_shared<process::Peers>(wire, process::TimeLimits{60, 60}));
    Settings own = with(settings, {{"devices", "processes"}});
    // As in `train`, the first process writes the files.
    if (wire->rank() > 0) std::erase_if(own, [](const auto& setting) { return setting.first == "save"; });
    all[static_cast<std::size_t>(wire->rank())] = trained(own, data, records, wire.get());
    process::setPeers(nullptr);
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return all;
}

// The place where a run leaves its state and its weights.
class Left {
 public:
  Settings settings() const {
    return {{"checkpoint-dir", checkpoints()}, {"save", folder_.filePath("weights.safetensors").toStdString()}};
  }
  // Weights, slots and statistics; and the weights alone.
  std::map<std::string, std::vector<float>> state() const {
    std::map<std::string, std::vector<float>> all;
    for (const auto& [name, tensor] : readNewestCheckpoint(checkpoints()).tensors.tensors) all[name] = tensor.values;
    for (const auto& [name, tensor] : readSafetensors(settings().back().second).tensors)
      all["saved " + name] = tensor.values;
    return all;
  }
  void removeLastCheckpoint() const {
    QDir checkpoints(QString::fromStdString(this->checkpoints()));
    QVERIFY(checkpoints.remove(checkpoints.entryList(QDir::Files, QDir::Name).back()));
  }

 private:
  std::string checkpoints() const { return folder_.filePath("checkpoints").toStdString(); }
  QTemporaryDir folder_;
};

void compare(const OneProcess& a, const Left& stateOfA, const OneProcess& b, const Left& stateOfB,
             const QString& what) {
  QVERIFY2(a.steps.size() == b.steps.size() && a.evaluations.size() == b.evaluations.size(), qPrintable(what));
  for (std::size_t i = 0; i < a.steps.size(); ++i)
    QVERIFY2(a.steps[i].loss == b.steps[i].loss && a.steps[i].accuracy == b.steps[i].accuracy, qPrintable(what));
  for (std::size_t i = 0; i < a.evaluations.size(); ++i)
    QVERIFY2(a.evaluations[i].testLoss == b.evaluations[i].testLoss, qPrintable(what));
  const auto one = stateOfA.state(), other = stateOfB.state();
  QCOMPARE(one.size(), other.size());
  for (const auto& [name, values] : one)
    QVERIFY2(other.contains(name) && sameBits(values, other.at(name)),
             qPrintable(what + QLatin1Char(' ') + QString::fromStdString(name)));
}

const std::pair<int, int> kClusters[] = {{2, 2}, {3, 3}, {4, 4}, {2, 4}};  // processes, replicas

}  // namespace

class TestShardedProcesses : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  // The bits of one sharding process, and of Mirrored among as many processes.
  void itHasTheBitsOfOneProcessAndOfMirrored_data() {
    QTest::addColumn<QString>("optimizer");
    QTest::addColumn<QString>("momentum");
    QTest::addRow("sgd") << "sgd"
                         << "0";
    QTest::addRow("momentum") << "sgd"
                              << "0.9";
    QTest::addRow("adam") << "adam"
                          << "0";
  }
  void itHasTheBitsOfOneProcessAndOfMirrored() {
    QFETCH(QString, optimizer);
    QFETCH(QString, momentum);
    for (const auto& [processes, replicas] : kClusters)
      for (const char* bytes : {"0", "4096"}) {
        const Settings more = among(
            processes, replicas,
            {{"optimizer", optimizer.toStdString()}, {"momentum", momentum.toStdString()}, {"bytes-per-pack", bytes}});
        const Left ofMirrored;
        const OneProcess whole = trainedAmong(processes, with(mirrored(more), ofMirrored.settings()), digits_).front();
        for (int s = 1; s <= 3; ++s) {
          const QString what = QStringLiteral("stage %1, %2 processes, %3 replicas, packs of %4")
                                   .arg(s)
                                   .arg(processes)
                                   .arg(replicas)
                                   .arg(bytes);
          const Left ofOne, ofAll;
          const OneProcess one =
              trained(with(with(stage(s, more), ofOne.settings()), {{"devices", "simulated"}}), digits_);
          const OneProcess all = trainedAmong(processes, with(stage(s, more), ofAll.settings()), digits_).front();
          compare(all, ofAll, whole, ofMirrored, what);
          compare(all, ofAll, one, ofOne, what);
          for (std::size_t i = 0; i < all.steps.size(); ++i) {
            QCOMPARE(all.steps[i].bytesSent, one.steps[i].bytesSent);
            QCOMPARE(all.steps[i].mirrorsIdentical, s == 3 ? std::nullopt : std::optional(true));
            QVERIFY(all.steps[i].clock == TimeSource::Measured);
          }
          if (QTest::currentTestFailed()) return;
        }
      }
  }

  // Moving statistics are each replica's own; a synchronised batch normalisation stops in the middle of a pass.
  void batchNormalisation() {
    const QTemporaryDir folder;
    for (const bool synchronized : {false, true}) {
      const std::string file = lab::test::normedNetworkFile(folder.path(), synchronized).toStdString();
      for (const auto& [processes, replicas] : {std::pair(2, 4), {3, 3}})
        for (int s = 1; s <= 3; ++s) {
          const Settings settings = stage(s, among(processes, replicas, {{"network", file}}));
          const Left ofOne, ofAll;
          const OneProcess one = trained(with(with(settings, ofOne.settings()), {{"devices", "simulated"}}), digits_);
          const OneProcess all = trainedAmong(processes, with(settings, ofAll.settings()), digits_).front();
          compare(all, ofAll, one, ofOne, QString::number(s));
          if (QTest::currentTestFailed()) return;
        }
    }
  }

  // The traffic on the wires: a process sends 2 Ψ (N − 1) / N in a step, and 3 Ψ (N − 1) / N if weights lie in parts.
  // If a process has several replicas, only the last one's hops leave it.
  void whatTheWiresCarryIsWhatIsSaid() {
    for (const auto& [processes, replicas] : kClusters)
      for (int s = 1; s <= 3; ++s) {
        const auto all = trainedAmong(processes, stage(s, among(processes, replicas)), digits_);
        for (std::size_t i : {1U, 4U}) {  // nobody evaluates; and the short batch
          std::int64_t together = 0;
          for (const OneProcess& each : all) {
            const int halves = s == 3 ? 3 : 2;
            const std::int64_t said = halves * 4 * kParameters * (replicas - 1) / replicas;
            QVERIFY(std::abs(each.sent[i] - said) <= 4 * halves);  // chunks differ by an element
            together += each.sent[i];
          }
          QVERIFY(std::abs(together * replicas / processes - all.front().steps[i].bytesSent) <= 12 * replicas);
          if (processes == replicas) QCOMPARE(together, all.front().steps[i].bytesSent);
        }
      }
  }

  // Evaluations, checkpoints and records assemble complete copies, but only while they need them.
  void aProcessHoldsItsPart() {
    const auto heldAfter = [&](const Settings& settings, bool records) {
      const Left left;
      std::vector<std::int64_t> held;
      for (const OneProcess& each :
           trainedAmong(3, with(with(settings, left.settings()), {{"checkpoint-every", "5"}}), digits_, records))
        held.push_back(each.held);
      return held;
    };
    const Settings more = among(3, 3, {{"optimizer", "adam"}});
    for (const std::int64_t held : heldAfter(mirrored(more), false)) QCOMPARE(held, 4 * 4 * kParameters);
    for (int s = 1; s <= 3; ++s)
      for (const bool records : {false, true})
        for (const std::int64_t held : heldAfter(stage(s, more), records)) {
          const std::int64_t whole = 3 - s;  // of weights, gradients and two slots
          const std::int64_t expected = 4 * (whole * kParameters + (4 - whole) * kParameters / 3);
          QVERIFY2(std::abs(held - expected) <= 4 * 4, qPrintable(QStringLiteral("stage %1: %2").arg(s).arg(held)));
        }
  }

  // The first process has the whole record, with every hop and what each holds.
  void aRecordIsThatOfOneProcess() {
    for (const auto& [processes, replicas] : {std::pair(2, 4), {3, 3}})
      for (int s = 1; s <= 3; ++s) {
        const Settings settings = stage(s, among(processes, replicas, {{"optimizer", "adam"}, {"steps", "2"}}));
        const OneProcess one = trained(with(settings, {{"devices", "simulated"}}), digits_, true);
        const OneProcess all = trainedAmong(processes, settings, digits_, true).front();
        for (std::size_t i = 0; i < one.records.size(); ++i) {
          const StepRecord &a = *one.records[i], &b = *all.records[i];
          QVERIFY(sameBits(a.weightsBefore, b.weightsBefore) && sameBits(a.weightsAfter, b.weightsAfter));
          QVERIFY(sameBits(a.gradients, b.gradients));
          for (std::size_t r = 0; r < a.replicas.size(); ++r) {
            QVERIFY(a.replicas[r].shard == b.replicas[r].shard);
            QVERIFY(sameBits(a.replicas[r].losses, b.replicas[r].losses));
            QVERIFY(sameBits(a.replicas[r].gradients, b.replicas[r].gradients));
            QCOMPARE(a.replicas[r].weightsDigest, b.replicas[r].weightsDigest);
            QCOMPARE(b.replicas[r].weightsDistance, 0.0);
            QCOMPARE(a.memory[r].total(), b.memory[r].total());
            QCOMPARE(a.memory[r].optimizer, b.memory[r].optimizer);
          }
          const auto sent = [](const StepRecord& record, Label label) {
            std::int64_t bytes = 0;
            for (const Span& span : record.spans)
              if (span.kind == SpanKind::Transfer && span.label == labelOf(label)) bytes += span.bytes;
            return bytes;
          };
          for (const Label label : {Label::ReduceScatter, Label::GatherWeights})
            QCOMPARE(sent(a, label), sent(b, label));
          QCOMPARE(sent(b, Label::ReduceScatter) + sent(b, Label::GatherWeights), b.metric.bytesSent);
        }
      }
  }

  // Without an evaluation, the saved state is assembled for saving.
  void whatIsSavedIsWhole() {
    const Settings local = with(kRun, {{"strategy", "local-sgd"}, {"local-steps", "4"}});
    for (const Settings& strategy : {stage(3, {}), local, with(local, {{"steps", "8"}})}) {  // with a mean, and without
      const Left ofOne, ofAll;
      const Settings settings = with(with(strategy, among(3, 3)), {{"eval-every", "0"}});
      const auto weights = [](const Left& left) { return left.settings().back(); };
      (void)trained(with(settings, {{"devices", "simulated"}, weights(ofOne)}), digits_);
      (void)trainedAmong(3, with(settings, {weights(ofAll)}), digits_);
      for (const auto& [name, tensor] : readSafetensors(weights(ofOne).second).tensors)
        QVERIFY2(sameBits(tensor.values, readSafetensors(weights(ofAll).second).tensors.at(name).values), name.c_str());
    }
  }

  void aResumedRunHasTheBitsOfOneThatNeverStopped() {
    for (int s = 1; s <= 3; ++s) {
      const Left left;
      const Settings settings =
          with(stage(s, among(3, 3, {{"optimizer", "adam"}, {"checkpoint-every", "2"}})), left.settings());
      (void)trainedAmong(3, settings, digits_);
      const auto whole = left.state();
      left.removeLastCheckpoint();
      const OneProcess rest = trainedAmong(3, with(settings, {{"resume", "true"}}), digits_).front();
      QCOMPARE(rest.steps.size(), std::size_t{2});
      for (const auto& [name, values] : left.state()) QVERIFY2(sameBits(values, whole.at(name)), name.c_str());
    }
  }

  void whatItDoesNotHaveIsRefused() {
    const auto refused = [](const Settings& more, const Text& with) {
      return isRefused([&] { (void)resolve(configOf(stage(3, more))); }, with);
    };
    const Settings processes{{"devices", "processes"}};
    QVERIFY(refused(with(processes, {{"worker-devices", "cuda"}}), say::partsOnProcessors));
    QVERIFY(refused(with(processes, {{"reducer", "mpi"}}), say::mpiSumsWhole));
    QVERIFY(refused(with(processes, {{"reducer", "tree"}}), say::reducerNotUsed));
    (void)resolve(configOf(stage(3, processes)));
  }
};

QTEST_GUILESS_MAIN(TestShardedProcesses)
#include "tst_sharded_processes.moc"
