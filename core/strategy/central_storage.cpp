// SPDX-License-Identifier: GPL-3.0-or-later
// CentralStorageStrategy (README.md): one copy of every variable, on the host. In each step every device gets the
// weights, the host receives and adds the gradients, and the one copy is updated once. With exactly one compute device
// the variables live on this device, and nothing is sent.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

class CentralStorageStrategy final : public Strategy {
 public:
  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    onDevice_ = cluster.replicas() == 1;
    if (onDevice_) {
      createMirroredVariables(cluster, initialWeights);
      return;
    }
    // The replicas have memory for the weights that they read and the gradients that they compute, but no slots.
    cluster.forEachReplica([&](Replica& replica) {
      replica.variables.create(cluster.layout().size(), cluster.layout().alignmentLead(), 0);
    });
    cluster.parameterDevice(0).create({{{"all variables", 0, cluster.layout().size()}}, {}}, initialWeights);
    cluster.declareBroadcast(Cluster::From::ParameterDevice);
  }

  StepResult step(Cluster& cluster, StepInput& input) override {
    const DistributedBatch batch = input.next();
    cluster.distribute(batch);
    if (!onDevice_) cluster.broadcast(Cluster::From::ParameterDevice);
    cluster.computeGradients();
    if (!onDevice_) cluster.movingStatistics().average();
    if (onDevice_) {
      cluster.replica(0).update(cluster.learningRate(), cluster.step());
    } else {
      cluster.reduceTo(cluster.parameterDevice(0));
      cluster.parameterDevice(0).update(cluster.learningRate());
    }
    return resultOf(batch);
  }

  const float* weightsOf(Cluster& cluster, int) override { return home(cluster).weights.data(); }
  void save(Cluster& cluster, TensorFile& checkpoint) override { saveVariables(cluster, home(cluster), checkpoint); }
  void load(Cluster& cluster, const TensorFile& checkpoint) override {
    loadVariables(cluster, checkpoint, home(cluster));
    cluster.copies().haveChanged();
  }

 private:
  Variables& home(Cluster& cluster) {
    return onDevice_ ? cluster.copies().of(0) : cluster.parameterDevice(0).variables;
  }

  bool onDevice_ = false;
};

}  // namespace

std::unique_ptr<Strategy> makeCentralStorageStrategy(const ResolvedSettings&) {
  return std::make_unique<CentralStorageStrategy>();
}

StrategyProgram centralStorageProgram(const ProgramRequest& request) {
  StrategyProgram program;
  if (request.config.replicas > 1)
    program.whyNoFit =
        "Keras 3's fit trains right under CentralStorageStrategy and reports wrong losses and accuracies (its metrics "
        "double at each step). With tf_keras and TF_USE_LEGACY_KERAS=1 they are right.";
  if (request.config.replicas > 1 && request.movesStatistics) {
    program.notes.emplace_back(
        "Keras 3's BatchNormalization does not say how several replicas' moving statistics become one, and fails here: "
        "this needs `pip install tf_keras`.");
    add(program.environment, {ProgramBeat::Variables}, R"(os.environ["TF_USE_LEGACY_KERAS"] = "1"  # Keras 2)");
  }
  const bool alone = request.config.replicas == 1;  // in this case the variables are on the one device
  addDevices(program.startUp, request.config, alone ? 0 : 1);
  add(program.startUp, {ProgramBeat::Startup},
      alone ? "strategy = tf.distribute.experimental.CentralStorageStrategy(compute_devices=devices)"
            : "strategy = tf.distribute.experimental.CentralStorageStrategy(\n    compute_devices=devices, "
              "parameter_device=\"CPU:0\")  # where the one copy of every variable is");
  return program;
}

}  // namespace lab
