// SPDX-License-Identifier: GPL-3.0-or-later
// Local SGD (README.md): every replica follows its own gradient with its own optimizer, and after H steps the weights
// are averaged, each copy weighted by the examples that it has trained on since the last average. An outer optimizer
// treats the movement of the average as a gradient and makes the step (DiLoCo). Beyond tf.distribute: Stich 2018
// (arXiv:1805.09767), Douillard et al. 2023 (arXiv:2311.08105).
#include <algorithm>

#include "core/base/error.h"
#include "core/device/backend.h"
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

enum class Outer { None, Momentum, Nesterov };             // the setting's words, in order
constexpr float kOuterRate = 0.7F, kOuterMomentum = 0.9F;  // DiLoCo's

constexpr const char* kExamples = "local-sgd/examples";
constexpr std::int64_t kLowPart = 1 << 20;  // a float holds whole numbers exactly only below 2^24

Outer outerOf(const SettingsBase& config) {
  return static_cast<Outer>(strategyInfo(config.strategy).ownSetting(config, "outer-optimizer"));
}

// `weights` is the mean of the copies. `average`, the previous mean, minus `weights` is the gradient g of an SGD step
// from `average`: v = m·v − r·g, then v is added, or with Nesterov m·v − r·g.
void outerStep(Backend& backend, std::int64_t size, Outer outer, float* weights, float* average, float* velocity) {
  backend.sgd(size, 1, 0, average, nullptr, weights);  // −g
  backend.sgd(size, -kOuterRate, kOuterMomentum, weights, velocity, average);
  if (outer == Outer::Nesterov) {
    backend.sgd(size, 1 - kOuterMomentum, 0, velocity, nullptr, average);
    backend.sgd(size, -kOuterRate, 0, weights, nullptr, average);
  }
  backend.copy(size, average, weights);
}

class LocalSgdStrategy final : public ReplicaVariablesStrategy {
 public:
  explicit LocalSgdStrategy(const ResolvedSettings& config)
      : ReplicaVariablesStrategy(config),
        outer_(outerOf(config)),
        examples_(static_cast<std::size_t>(config.replicas), 0) {}

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    ReplicaVariablesStrategy::prepare(cluster, initialWeights);
    onOuter(cluster, [&](Backend& backend, float* weights, float* average, float*) {
      backend.copy(cluster.layout().size(), weights, average);
    });
  }

  StepResult step(Cluster& cluster, StepInput& input) override {
    mean_ = {};
    const DistributedBatch batch = input.next();
    cluster.distribute(batch);
    cluster.computeGradients(Cluster::GradientOf::OneReplica);
    cluster.forEachReplica([&](Replica& replica) { replica.update(cluster.learningRate(), cluster.step()); });
    for (std::size_t r = 0; r < examples_.size(); ++r) examples_[r] += std::ssize(batch.shards[r]);
    if (exchangeAfter(config(), cluster.step()).makesAlike()) average(cluster);
    return resultOf(batch);
  }

  // Between two averages, returns what an average would be now, without the outer step.
  const float* weightsOf(Cluster& cluster, int replica) override {
    if (std::ranges::count(examples_, 0) == std::ssize(examples_))
      return ReplicaVariablesStrategy::weightsOf(cluster, replica);
    if (mean_.size() == 0) mean_ = cluster.copies().mean(examples_);
    return mean_.data();
  }

  void save(Cluster& cluster, TensorFile& checkpoint) override {
    ReplicaVariablesStrategy::save(cluster, checkpoint);
    TensorFile::Tensor& kept = checkpoint.tensors[kExamples];
    kept.shape = {std::ssize(examples_), 2};
    for (const std::int64_t count : examples_)
      kept.values.insert(kept.values.end(),
                         {static_cast<float>(count / kLowPart), static_cast<float>(count % kLowPart)});
  }

  // A branch may continue from another strategy's state; a new round then begins.
  void load(Cluster& cluster, const TensorFile& checkpoint) override {
    mean_ = {};
    std::ranges::fill(examples_, 0);
    ReplicaVariablesStrategy::load(cluster, checkpoint);
    const auto kept = checkpoint.tensors.find(kExamples);
    if (kept == checkpoint.tensors.end()) return beginRound(cluster);
    // A branch with another number of replicas begins with equal copies, so what each was trained on before does not
    // count.
    if (kept->second.values.size() != 2 * examples_.size()) return;
    for (std::size_t r = 0; r < examples_.size(); ++r)
      examples_[r] = static_cast<std::int64_t>(kept->second.values[2 * r]) * kLowPart +
                     static_cast<std::int64_t>(kept->second.values[2 * r + 1]);
  }

 private:
  void beginRound(Cluster& cluster) {
    for (int r = 0; r < cluster.replicas() && outer_ != Outer::None; ++r) {
      Variables& copy = cluster.replica(r).variables;
      std::ranges::copy(copy.weights.span(), copy.slotValues[copy.slotValues.size() - 2].data());
      std::ranges::fill(copy.slotValues.back().span(), 0.0F);
    }
    cluster.copies().haveChanged();
  }

  void average(Cluster& cluster) {
    cluster.averageWeights(plan(), examples_);
    std::ranges::fill(examples_, 0);
    onOuter(cluster, [&](Backend& backend, float* weights, float* average, float* velocity) {
      outerStep(backend, cluster.layout().size(), outer_, weights, average, velocity);
    });
    cluster.compareMirrors();
  }

  // Runs body(backend, weights, previous average, velocity) on every replica; does nothing without an outer optimizer.
  template <typename Body>
  void onOuter(Cluster& cluster, const Body& body) {
    if (outer_ == Outer::None) return;
    cluster.forEachReplica([&](Replica& replica) {
      cluster.group().onVariables(replica, [&](Backend& backend, float* weights, std::span<float* const> slots) {
        body(backend, weights, slots[slots.size() - 2], slots.back());
      });
    });
  }

  Outer outer_;
  std::vector<std::int64_t> examples_;  // per replica, since the last average
  AlignedBuffer<float> mean_;           // of the copies; empty if not asked for since the last step
};

}  // namespace

std::vector<std::string> localSgdSlots(const SettingsBase& config) {
  if (outerOf(config) == Outer::None) return {};
  return {"outer_average", "outer_momentum"};
}

std::unique_ptr<Strategy> makeLocalSgdStrategy(const ResolvedSettings& config) {
  return std::make_unique<LocalSgdStrategy>(config);
}

// The closest program that TensorFlow offers, and a note on where PyTorch has the strategy.
StrategyProgram localSgdProgram(const ProgramRequest& request) {
  const ResolvedSettings& config = request.config;
  std::string strategy;
  StrategyProgram program = nearestProgram(request, strategy);
  program.told = {"local-steps", "outer-optimizer"};
  std::string note = "tf.distribute has no local SGD: this is " + strategy +
                     ", which sums gradients in every step. PyTorch has it: PostLocalSGDOptimizer(optimizer, "
                     "PeriodicModelAverager(period=" +
                     std::to_string(config.strategySettings.at("local-steps")) +
                     ")), in torch.distributed.optim and torch.distributed.algorithms.model_averaging.averagers.";
  if (outerOf(config) != Outer::None)
    note += std::string(
                " The outer optimizer, on the average before less the new one, is torch.optim.SGD(lr=0.7, "
                "momentum=0.9") +
            (outerOf(config) == Outer::Nesterov ? ", nesterov=True" : "") + "); torchft.local_sgd.DiLoCo has both.";
  program.notes.insert(program.notes.begin(), note);
  return program;
}

}  // namespace lab
