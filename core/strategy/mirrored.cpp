// SPDX-License-Identifier: GPL-3.0-or-later
// MirroredStrategy (README.md): one copy of every variable on each device of one machine. An all-reduce sums the
// gradients, and every copy makes the same update, so the copies stay equal and are never sent again. The default is
// CollectiveAllReduce: over NCCL between GPUs, otherwise over the ring; on simulated GPUs both run the ring.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {

std::unique_ptr<Strategy> makeMirroredStrategy(const ResolvedSettings& config) {
  return std::make_unique<ReplicaVariablesStrategy>(config);
}

namespace {

// Returns MirroredStrategy's argument; "" if the setting equals TensorFlow's own choice.
std::string crossDeviceOps(const ProgramRequest& request, std::vector<std::string>& notes) {
  const ResolvedSettings& config = request.config;
  if (request.options.check) return ", cross_device_ops=tf.distribute.ReductionToOneDevice()";
  if (config.bytesPerPack > 0)
    notes.push_back("MirroredStrategy has no bytes_per_pack: NcclAllReduce(num_packs=...) counts packs instead.");
  switch (config.reducer) {
    case Reducer::OneDevice:
      return ", cross_device_ops=tf.distribute.ReductionToOneDevice()";
    case Reducer::Nccl:
      return R"(, cross_device_ops=tf.distribute.NcclAllReduce() if "GPU" in devices[0] else None)";
    case Reducer::Hierarchical:
      if (config.replicas % 2 == 0) return ", cross_device_ops=tf.distribute.HierarchicalCopyAllReduce()";
      notes.emplace_back("HierarchicalCopyAllReduce is left out: with an odd number of replicas it loses a gradient.");
      return "";
    case Reducer::Auto:
      return "";
    case Reducer::Ring:
      notes.emplace_back(
          "The ring is TensorFlow's own choice between processors; between GPUs it is NCCL, which chooses.");
      return "";
    default:
      notes.push_back("The reducer " + std::string(toString(config.reducer)) +
                      " has no counterpart: TensorFlow chooses its own.");
      return "";
  }
}

}  // namespace

StrategyProgram mirroredProgram(const ProgramRequest& request) {
  StrategyProgram program;
  const std::string reducer = crossDeviceOps(request, program.notes);
  addDevices(program.startUp, request.config);
  add(program.startUp, {ProgramBeat::Startup}, "strategy = tf.distribute.MirroredStrategy(devices" + reducer + ")");
  return program;
}

}  // namespace lab
