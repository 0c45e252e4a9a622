// SPDX-License-Identifier: GPL-3.0-or-later
// TPUStrategy (README.md): one XLA program runs on all cores in lock-step. Variables are mirrored on the cores, and the
// interconnect's cross-replica sum on a torus sums the gradients; operands of matrix products are bfloat16. Packing
// does not apply. The system is initialised in a fixed order, which is recorded before the first step.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

class TpuStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    for (const Label label : {Label::ResolveCluster, Label::ConnectToCluster, Label::InitializeTpu,
                              Label::ConstructStrategy, Label::CreateVariables})
      cluster.startup(label);
    ReplicaVariablesStrategy::prepare(cluster, initialWeights);
  }
};

}  // namespace

std::unique_ptr<Strategy> makeTpuStrategy(const ResolvedSettings& config) {
  return std::make_unique<TpuStrategy>(config);
}

StrategyProgram tpuProgram(const ProgramRequest& request) {
  StrategyProgram program;
  program.imports = {"os"};
  add(program.startUp, {ProgramBeat::Startup}, R"(
address = os.environ.get("TPU_NAME")  # 1. its address: "local" on a TPU VM
if address:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=address)  # 2. resolve the cluster
    tf.config.experimental_connect_to_cluster(resolver)  # 3. connect
    tf.tpu.experimental.initialize_tpu_system(resolver)  # 4. initialise the TPU: its memory is wiped
    strategy = tf.distribute.TPUStrategy(resolver)  # 5. the strategy)");
  const std::string reducer = request.options.check ? ", cross_device_ops=tf.distribute.ReductionToOneDevice()" : "";
  addAside(program.startUp, {ProgramBeat::Startup},
           R"(
else:  # there is no TPU: parts of this processor stand in for its cores
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * REPLICAS)
    devices = [f"CPU:{i}" for i in range(REPLICAS)]
    strategy = tf.distribute.MirroredStrategy(devices)" +
               reducer + ")");
  program.notes.emplace_back("On a TPU: pip install tensorflow-tpu; the number of cores is the TPU's.");
  if (request.config.hosts > 1)
    program.notes.emplace_back("A TPU of several hosts is one strategy: each host has an input pipeline.");
  return program;
}

}  // namespace lab
