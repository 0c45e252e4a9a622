// SPDX-License-Identifier: GPL-3.0-or-later
// MultiWorkerMirroredStrategy (README.md): Mirrored over several hosts. Every worker runs the same program on its
// own input pipeline; the initial values come from the chief by a collective broadcast; the all-reduce spans all
// devices of all workers, by default as a ring (AUTO is RING in TensorFlow 2.21).
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {

std::unique_ptr<Strategy> makeMultiWorkerMirroredStrategy(const ResolvedSettings& config) {
  return std::make_unique<ReplicaVariablesStrategy>(config);
}

namespace {

std::string communicationOptions(const ResolvedSettings& config, std::vector<std::string>& notes) {
  std::string options;
  const auto option = [&options](const std::string& text) { options += (options.empty() ? "" : ", ") + text; };
  const std::string implementation = "implementation=tf.distribute.experimental.CommunicationImplementation.";
  if (config.bytesPerPack > 0) option("bytes_per_pack=" + std::to_string(config.bytesPerPack));
  if (config.reducer == Reducer::Ring) option(implementation + "RING");
  if (config.reducer == Reducer::Nccl) {
    option(implementation + "NCCL");
    notes.emplace_back("NCCL needs GPUs: on processors alone take AUTO.");
  }
  if (config.reducer != Reducer::Auto && config.reducer != Reducer::Ring && config.reducer != Reducer::Nccl)
    notes.push_back("The reducer " + std::string(toString(config.reducer)) +
                    " has no counterpart: TensorFlow's AUTO is the ring.");
  if (options.empty()) return "";
  return options;
}

}  // namespace

StrategyProgram multiWorkerMirroredProgram(const ProgramRequest& request) {
  const ResolvedSettings& config = request.config;
  StrategyProgram program;
  program.whyNoFit =
      "Keras 3's fit does not run under MultiWorkerMirroredStrategy (it converts a PerReplica value to a tensor, "
      "keras-team/keras issue 20585). With tf_keras and TF_USE_LEGACY_KERAS=1 it does.";
  if (config.replicas > config.hosts)
    program.notes.emplace_back(
        "A worker without GPUs has one replica, so processes that stand in for workers are as many as the replicas.");
  addCluster(program, {{"worker", config.hosts}}, {{"worker", config.replicas}});
  const std::string options = communicationOptions(config, program.notes);
  if (!options.empty())
    add(program.startUp, {ProgramBeat::Startup},
        "communication = tf.distribute.experimental.CommunicationOptions(\n    " + options + ")");
  add(program.startUp, {ProgramBeat::Startup},
      std::string("strategy = tf.distribute.MultiWorkerMirroredStrategy(") +
          (options.empty() ? "" : "communication_options=communication") + ")  # waits for all workers");
  add(program.startUp, {ProgramBeat::Startup},
      "chief = strategy.cluster_resolver.task_id == 0  # worker 0; the others compute as it does, and are silent");
  program.speaker = "chief";
  addAside(program.stop, {ProgramBeat::Stop}, R"(
while started:  # they end as this one does
    os.waitpid(started.pop(), 0))");
  return program;
}

}  // namespace lab
