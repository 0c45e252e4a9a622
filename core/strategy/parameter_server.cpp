// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterServerStrategy with its ClusterCoordinator (README.md): variables live on parameter servers, round robin.
// The coordinator keeps every worker busy with one closure at a time: pull the weights, compute the gradients of a
// batch of its own, push them. Every server applies gradients as they arrive. No worker waits for another, so a
// gradient may come from weights that others have changed since; its staleness is the number of updates in between.
#include <algorithm>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/strategy/mirrored_step.h"
#include "core/strategy/placement.h"

namespace lab {
namespace {

class ParameterServerStrategy final : public Strategy {
 public:
  explicit ParameterServerStrategy(const ResolvedSettings& config) : config_(config) {}

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    const NeuralNetwork& network = *cluster.settings().network;
    auto held = placeVariables(network, parsePartitioner(config_.partitioner), cluster.parameterDevices());
    for (int s = 0; s < cluster.parameterDevices(); ++s)
      cluster.parameterDevice(s).create(std::move(at(held, s)), initialWeights);
    cluster.forEachReplica([&](Replica& replica) {
      replica.variables.create(cluster.layout().size(), cluster.layout().alignmentLead(), 0);
    });
    workers_.resize(static_cast<std::size_t>(cluster.replicas()));
    cluster.workers().start();
  }

  // Runs until every server has applied the gradients of one worker.
  StepResult step(Cluster& cluster, StepInput& input) override {
    finished_ = false;
    while (true) {
      const ServerTransfer transfer = cluster.workers().nextReady();
      Worker& worker = at(workers_, transfer.worker);
      cluster.workers().copy(transfer);
      if (transfer.what == ServerTransfer::What::Pull) {
        if (std::exchange(worker.pulling, true) == false) worker.updatesAtPull = updates_;
        if (transfer.last) compute(cluster, input, transfer, worker);
      } else {
        // Zhang et al. 2016 (arXiv 1511.05950): the more updates a gradient has missed, the less it counts.
        if (config_.lrScaling == LearningRateScaling::Staleness)
          cluster.divideLearningRate(std::max<std::int64_t>(1, updates_ - worker.updatesAtPull));
        const std::int64_t doneNs = cluster.workers().applyUpdate(transfer);
        worker.doneNs = std::max(worker.doneNs, doneNs);
        if (transfer.last) return finish(cluster, transfer.worker, worker);
      }
    }
  }

  void complete(StepRecord& record) const override {
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      const Worker& worker = workers_[w];
      record.previous.push_back(worker.previous);
      if (finished_ || !worker.waits) continue;
      // The step was given up before the worker got new weights: its gradients were applied in an earlier step.
      ReplicaStep& held = at(record.replicas, w);
      record.previous.back() = {
          .shard = held.shard, .losses = held.losses, .predictions = held.predictions, .version = held.version};
      held.gradients.clear();
    }
  }

  const float* weightsOf(Cluster& cluster, int) override {
    current_.resize(static_cast<std::size_t>(cluster.layout().size()));
    for (int s = 0; s < cluster.parameterDevices(); ++s) cluster.parameterDevice(s).copyWeightsTo(current_.data());
    return current_.data();
  }

  void restart(Cluster& cluster, std::int64_t atNs) override {
    workers_.assign(workers_.size(), {});
    cluster.restart(atNs);
  }

  void save(Cluster& cluster, TensorFile& checkpoint) override;
  void load(Cluster& cluster, const TensorFile& checkpoint) override;

 private:
  // State of a worker's closure between its pull and its push.
  struct Worker {
    bool pulling = false;
    std::int64_t updatesAtPull = 0;
    std::int64_t doneNs = 0;
    bool waits = false;    // its gradients have been applied, and it has no new weights yet
    ReplicaStep previous;  // the batch before the present one, for display
  };

  static void compute(Cluster& cluster, StepInput& input, const ServerTransfer& transfer, Worker& worker) {
    if (const Replica& before = cluster.replica(transfer.worker); before.hasComputed())
      worker.previous = outcomeOf(before);
    cluster.workers().compute(transfer, [&](Replica& replica) {
      replica.load(input.nextFor(transfer.worker));
      replica.forwardBackward(cluster.lossScale(std::ssize(replica.shard())));
    });
    worker.pulling = false;
    worker.waits = false;
  }

  static ReplicaStep outcomeOf(const Replica& replica) {
    const auto examples = static_cast<std::int64_t>(replica.shard().size());
    const Activations& activations = replica.activations;
    return {.shard = replica.shard(),
            .losses = {activations.losses.data(), activations.losses.data() + examples},
            .predictions = {activations.predictions.data(), activations.predictions.data() + examples},
            .version = replica.version};
  }

  StepResult finish(Cluster& cluster, int index, Worker& worker) {
    StepResult result;
    const std::vector<std::int64_t>& shard = cluster.replica(index).shard();
    result.shards = {shard};
    result.examples = std::ssize(shard);
    result.worker = index;
    result.staleness = updates_ - worker.updatesAtPull;
    result.doneNs = std::exchange(worker.doneNs, 0);
    ++updates_;
    worker.waits = true;
    finished_ = true;
    cluster.workers().requestPull(index, result.doneNs);  // the coordinator gives it another closure
    return result;
  }

  ResolvedSettings config_;
  std::vector<Worker> workers_;
  std::int64_t updates_ = 0;
  bool finished_ = false;  // whether the last step applied a worker's gradients, and was not given up
  std::vector<float> current_;
};

// ---- Checkpoint: the servers' variables and slots, and what every worker has in flight. The servers' shards are
// gathered into whole variables, so the weights in the file have Keras's names, as for every strategy.

// Calls body(tensor name, its variable, part, the server's own values of the part) for the weights and slots of every
// part.
template <typename Body>
void forEachPart(Cluster& cluster, const Body& body) {
  const std::vector<std::string> slots = cluster.settings().optimizer.slotNames();
  for (int s = 0; s < cluster.parameterDevices(); ++s) {
    ParameterDevice& server = cluster.parameterDevice(s);
    for (const VariablePart& part : server.parts())
      for (const Variable& variable : cluster.layout().variables()) {
        if (part.offset < variable.offset || part.offset >= variable.offset + variable.size) continue;
        body(variable.name, variable, part, server.variables.weights.data() + part.localOffset);
        for (std::size_t i = 0; i < slots.size(); ++i)
          body(variable.name + "/" + slots[i], variable, part,
               server.variables.slotValues[i].data() + part.localOffset);
      }
  }
}

std::string inFlight(int worker, const char* what) {
  return "in_flight/worker_" + std::to_string(worker) + "/" + what;
}

void ParameterServerStrategy::save(Cluster& cluster, TensorFile& checkpoint) {
  forEachPart(cluster,
              [&](const std::string& name, const Variable& variable, const VariablePart& part, const float* values) {
                TensorFile::Tensor& tensor = checkpoint.tensors[name];
                if (tensor.values.empty())
                  tensor = {variable.shape, std::vector<float>(static_cast<std::size_t>(variable.size))};
                std::copy_n(values, part.count, tensor.values.begin() + (part.offset - variable.offset));
              });

  // A step ends with an update. No worker is in the middle of its pulls then, because servers answer all its pulls at
  // once.
  nlohmann::json state{{"updates", updates_}};
  for (int w = 0; w < cluster.replicas(); ++w) {
    const Worker& worker = at(workers_, w);
    const Replica& replica = cluster.replica(w);
    state["workers"].push_back({{"updatesAtPull", worker.updatesAtPull},
                                {"doneNs", worker.doneNs},
                                {"waits", worker.waits},
                                {"previousVersion", worker.previous.version}});
    const auto keep = [&](const char* what, const auto& values) {
      checkpoint.tensors[inFlight(w, what)] = {{std::ssize(values)}, {values.begin(), values.end()}};
    };
    // The worker's gradients, losses and predictions follow from its weights and its shard.
    keep("weights", replica.variables.weights.span());
    keep("previous_shard", worker.previous.shard);
    keep("previous_losses", worker.previous.losses);
    keep("previous_predictions", worker.previous.predictions);
    keep("shard", replica.shard());  // example numbers are far below 2^24: floats hold them exactly
  }
  checkpoint.metadata["parameter_server"] = state.dump();
}

void ParameterServerStrategy::load(Cluster& cluster, const TensorFile& checkpoint) {
  forEachPart(cluster, [&](const std::string& name, const Variable& variable, const VariablePart& part, float* values) {
    const TensorFile::Tensor& tensor = checkpoint.tensors.at(name);
    LAB_CHECK(tensor.shape == variable.shape && std::ssize(tensor.values) == variable.size);
    std::copy_n(tensor.values.begin() + (part.offset - variable.offset), part.count, values);
  });

  const nlohmann::json state = nlohmann::json::parse(checkpoint.metadata.at("parameter_server"));
  updates_ = state.at("updates").get<std::int64_t>();
  for (int w = 0; w < cluster.replicas(); ++w) {
    const std::vector<float>& weights = checkpoint.tensors.at(inFlight(w, "weights")).values;
    const std::vector<float>& shard = checkpoint.tensors.at(inFlight(w, "shard")).values;
    Replica& replica = cluster.replica(w);
    LAB_CHECK(std::ssize(weights) == replica.variables.weights.size());
    std::ranges::copy(weights, replica.variables.weights.data());
    replica.restore({shard.begin(), shard.end()}, cluster.lossScale(std::ssize(shard)));

    const nlohmann::json& saved = state.at("workers").at(static_cast<std::size_t>(w));
    at(workers_, w) = {.updatesAtPull = saved.at("updatesAtPull").get<std::int64_t>(),
                       .doneNs = saved.at("doneNs").get<std::int64_t>(),
                       .waits = saved.value("waits", false)};  // checkpoints of earlier versions lack it
    // Checkpoints of earlier versions lack the previous batch.
    const auto previous = [&](const char* what, auto& values) {
      const auto found = checkpoint.tensors.find(inFlight(w, what));
      if (found == checkpoint.tensors.end()) return;
      using Value = typename std::remove_reference_t<decltype(values)>::value_type;
      for (const float value : found->second.values) values.push_back(static_cast<Value>(value));
    };
    ReplicaStep& before = at(workers_, w).previous;
    previous("previous_shard", before.shard);
    previous("previous_losses", before.losses);
    previous("previous_predictions", before.predictions);
    before.version = saved.contains("previousVersion") ? integerOf<std::int64_t>(saved.at("previousVersion")) : 0;
    LAB_CHECK(before.losses.size() == before.shard.size() && before.predictions.size() == before.shard.size());
  }
}

}  // namespace

std::unique_ptr<Strategy> makeParameterServerStrategy(const ResolvedSettings& config) {
  return std::make_unique<ParameterServerStrategy>(config);
}

}  // namespace lab
