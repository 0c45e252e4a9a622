// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterServerStrategy with its ClusterCoordinator (reference §4.5): variables live on parameter servers, round
// robin. The coordinator keeps every worker busy with one closure at a time: pull the weights, compute the gradients of
// a batch of its own, push them. Every server applies what arrives when it arrives; nobody waits for another worker,
// so a gradient may have been computed on weights that others have since changed. How many updates came between is its
// staleness.
#include <utility>

#include "core/base/error.h"
#include "core/strategy/mirrored_step.h"
#include "core/strategy/placement.h"
#include "core/strategy/strategies.h"

namespace lab {
namespace {

class ParameterServerStrategy final : public Strategy {
 public:
  explicit ParameterServerStrategy(const StrategySettings& settings) : settings_(settings) {}

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    auto parts = placeVariables(cluster.layout(), settings_.partitioner, cluster.parameterDevices());
    for (int s = 0; s < cluster.parameterDevices(); ++s)
      cluster.parameterDevice(s).create(std::move(parts[static_cast<std::size_t>(s)]), initialWeights);
    cluster.forEachReplica([&](Replica& replica) {
      replica.variables.create(cluster.layout().size(), cluster.layout().alignmentLead(), 0);
    });
    workers_.resize(static_cast<std::size_t>(cluster.replicas()));
    cluster.startWorkers();
  }

  // Until one worker's gradients have been applied by every server.
  StepResult step(Cluster& cluster, StepInput& input) override {
    while (true) {
      const Arrival arrival = cluster.nextReady();
      Worker& worker = workers_[static_cast<std::size_t>(arrival.worker)];
      cluster.copy(arrival);
      if (arrival.what == Arrival::What::Pull) {
        if (std::exchange(worker.pulling, true) == false) worker.updatesAtPull = updates_;
        if (arrival.last) compute(cluster, input, arrival, worker);
      } else {
        const std::int64_t doneNs = cluster.applyUpdate(arrival);
        worker.doneNs = std::max(worker.doneNs, doneNs);
        if (arrival.last) return finish(cluster, arrival.worker, worker);
      }
    }
  }

  const float* weightsOf(Cluster& cluster, int) override {
    current_.resize(static_cast<std::size_t>(cluster.layout().size()));
    for (int s = 0; s < cluster.parameterDevices(); ++s) cluster.parameterDevice(s).copyWeightsTo(current_.data());
    return current_.data();
  }

  void save(Cluster& cluster, TensorFile& checkpoint) override;
  void load(Cluster& cluster, const TensorFile& checkpoint) override;

 private:
  // What a worker's closure knows between its pull and its push.
  struct Worker {
    bool pulling = false;
    std::int64_t updatesAtPull = 0;
    std::int64_t doneNs = 0;
    double lossSum = 0;
    std::int64_t correct = 0;
  };

  static void compute(Cluster& cluster, StepInput& input, const Arrival& arrival, Worker& worker) {
    cluster.compute(arrival, [&](Replica& replica) {
      replica.load(input.nextFor(arrival.worker));
      replica.forwardBackward(cluster.lossScale(std::ssize(replica.shard())));
      worker.lossSum = replica.lossSum();
      worker.correct = replica.correct();
    });
    worker.pulling = false;
  }

  StepResult finish(Cluster& cluster, int index, Worker& worker) {
    StepResult result;
    const std::vector<std::int64_t>& shard = cluster.replica(index).shard();
    result.shards = {shard};
    result.examples = std::ssize(shard);
    result.lossSum = worker.lossSum;
    result.correct = worker.correct;
    result.worker = index;
    result.staleness = updates_ - worker.updatesAtPull;
    result.beganNs = cluster.pullRequestedNs(index);
    result.doneNs = std::exchange(worker.doneNs, 0);
    ++updates_;
    cluster.requestPull(index, result.doneNs);  // the coordinator has another closure for it
    return result;
  }

  StrategySettings settings_;
  std::vector<Worker> workers_;
  std::int64_t updates_ = 0;
  std::vector<float> current_;
};

// ---- Checkpoint: the servers' variables and slots, and what every worker has in flight. Servers' shards are gathered
// into whole variables, so that the weights in the file carry Keras's names like everybody's.

void ParameterServerStrategy::save(Cluster& cluster, TensorFile& checkpoint) {
  Variables whole;
  whole.create(cluster.layout().size(), 0, cluster.settings().optimizer.slotNames().size());
  for (int s = 0; s < cluster.parameterDevices(); ++s) {
    const ParameterDevice& server = cluster.parameterDevice(s);
    server.copyWeightsTo(whole.weights.data());
    for (const VariablePart& part : server.parts())
      for (std::size_t slot = 0; slot < whole.slotValues.size(); ++slot)
        std::copy_n(server.variables.slotValues[slot].data() + part.localOffset, part.count,
                    whole.slotValues[slot].data() + part.offset);
  }
  saveVariables(cluster, whole, checkpoint);

  // A step ends with an update, and then no worker is in the middle of its pulls: a server answers all of them at once.
  nlohmann::json state{{"updates", updates_}};
  for (int w = 0; w < cluster.replicas(); ++w) {
    const Worker& worker = workers_[static_cast<std::size_t>(w)];
    const Replica& replica = cluster.replica(w);
    state["workers"].push_back({{"updatesAtPull", worker.updatesAtPull},
                                {"doneNs", worker.doneNs},
                                {"lossSum", worker.lossSum},
                                {"correct", worker.correct}});
    const std::string prefix = "in_flight/worker_" + std::to_string(w) + "/";
    const auto keep = [&](const char* name, const auto& values) {
      checkpoint.tensors[prefix + name] = {{std::ssize(values)}, {values.begin(), values.end()}};
    };
    // Its gradients, losses and predictions follow from these two.
    keep("weights", replica.variables.weights.span());
    keep("shard", replica.shard());  // example numbers are far below 2^24: floats hold them exactly
  }
  checkpoint.metadata["parameter_server"] = state.dump();
}

void ParameterServerStrategy::load(Cluster& cluster, const TensorFile& checkpoint) {
  Variables whole;
  whole.create(cluster.layout().size(), 0, cluster.settings().optimizer.slotNames().size());
  loadVariables(cluster, checkpoint, whole);
  for (int s = 0; s < cluster.parameterDevices(); ++s) {
    ParameterDevice& server = cluster.parameterDevice(s);
    for (const VariablePart& part : server.parts()) {
      std::copy_n(whole.weights.data() + part.offset, part.count, server.variables.weights.data() + part.localOffset);
      for (std::size_t slot = 0; slot < whole.slotValues.size(); ++slot)
        std::copy_n(whole.slotValues[slot].data() + part.offset, part.count,
                    server.variables.slotValues[slot].data() + part.localOffset);
    }
  }

  const nlohmann::json state = nlohmann::json::parse(checkpoint.metadata.at("parameter_server"));
  updates_ = state.at("updates").get<std::int64_t>();
  for (int w = 0; w < cluster.replicas(); ++w) {
    const nlohmann::json& saved = state.at("workers").at(static_cast<std::size_t>(w));
    Replica& replica = cluster.replica(w);
    workers_[static_cast<std::size_t>(w)] = {false, saved.at("updatesAtPull").get<std::int64_t>(),
                                             saved.at("doneNs").get<std::int64_t>(), saved.at("lossSum").get<double>(),
                                             saved.at("correct").get<std::int64_t>()};
    const std::string prefix = "in_flight/worker_" + std::to_string(w) + "/";
    const auto valuesOf = [&](const char* name) -> const std::vector<float>& {
      return checkpoint.tensors.at(prefix + name).values;
    };
    const std::vector<float>& weights = valuesOf("weights");
    LAB_CHECK(std::ssize(weights) == replica.variables.weights.size());
    std::ranges::copy(weights, replica.variables.weights.data());
    const std::vector<float>& shard = valuesOf("shard");
    replica.restore({shard.begin(), shard.end()}, cluster.lossScale(std::ssize(shard)));
  }
}

}  // namespace

std::unique_ptr<Strategy> makeParameterServerStrategy(const StrategySettings& settings) {
  return std::make_unique<ParameterServerStrategy>(settings);
}

}  // namespace lab
