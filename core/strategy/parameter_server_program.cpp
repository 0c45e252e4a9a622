// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterServerStrategy's part of the TensorFlow program (program_lines.h): a cluster of coordinator, workers and
// servers, and steps that the coordinator schedules instead of running them itself.
#include "core/strategy/program_lines.h"
#include "core/strategy/strategy.h"

namespace lab {

namespace {

using Beat = ProgramBeat;

std::string partitionerOf(const ResolvedSettings& config) {
  const Partitioner partitioner = parsePartitioner(config.partitioner);
  const std::string value = std::to_string(partitioner.value);
  const std::string in = "\n    resolver,\n    variable_partitioner=tf.distribute.experimental.partitioners.";
  switch (partitioner.kind) {
    case Partitioner::Kind::None:
      return "resolver";
    case Partitioner::Kind::Fixed:
      return in + "FixedShardsPartitioner(" + value + ")";
    case Partitioner::Kind::MinSize:
      return in + "MinSizePartitioner(min_shard_bytes=" + value +
             ", max_shards=" + std::to_string(config.parameterServers) + ")";
    case Partitioner::Kind::MaxSize:
      return in + "MaxSizePartitioner(max_shard_bytes=" + value + ")";
  }
  return "";
}

void addStartUp(ProgramLines& lines, const ResolvedSettings& config) {
  add(lines, {Beat::Startup}, R"(
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):  # workers and servers wait for what the coordinator sends them
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol="grpc").join()
)" + ("strategy = tf.distribute.ParameterServerStrategy(" + partitionerOf(config) + ")"));
  add(lines, {Beat::Startup},
      "coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)  # this task: it hands out steps");
}

void addEpoch(ProgramLines& lines, const ProgramRequest& request) {
  const bool check = request.options.check, steps = request.config.steps.has_value();
  if (check)
    addAside(lines, {Beat::Distribute},
             "    batches = iter(coordinator.create_per_worker_dataset(train_of(epoch).repeat()))");
  add(lines, {Beat::Flow, Beat::Distribute, Beat::Pull, Beat::Forward, Beat::Backward, Beat::Apply},
      std::string("    losses = [coordinator.schedule(distributed_train_step, args=(batches,))\n"
                  "              for _ in range(") +
          (steps ? "min(STEPS_PER_EPOCH, STEPS - step)" : "STEPS_PER_EPOCH") + ")]");
  add(lines, {Beat::Flow}, "    coordinator.join()  # no worker waits for another; only here all are waited for");
  add(lines, {Beat::Losses}, "    losses = coordinator.fetch(losses)");
  if (check)
    addAside(lines, {Beat::Losses}, R"(
    for number, (total, count) in enumerate(losses, step + 1):
        print("LOSS", number, "%.9g" % (total / count), flush=True))");
  add(lines, {Beat::Flow}, "    step += len(losses)");
}

}  // namespace

StrategyProgram parameterServerProgram(const ProgramRequest& request) {
  const ResolvedSettings& config = request.config;
  StrategyProgram program;
  program.whyNoFit =
      "Keras 3's fit does not run under ParameterServerStrategy, which needs a ClusterCoordinator. With tf_keras and "
      "TF_USE_LEGACY_KERAS=1 it does.";
  program.notes.emplace_back(
      "A batch belongs to one worker's step; an epoch is so many steps of all workers together.");
  if (config.replicas > 1) {
    program.notes.emplace_back("Workers wait for nobody, so the losses of two runs differ.");
    if (config.optimizer == OptimizerKind::Adam)
      program.notes.emplace_back(
          "Keras 3 counts too few of several workers' updates, which Adam's bias correction uses.");
  }
  if (config.partitioner != "none") {
    program.notes.emplace_back("Keras 3 knows no sharded variables: this needs `pip install tf_keras` too.");
    if (request.movesStatistics)
      program.notes.emplace_back(
          "After a convolution, Keras 2's BatchNormalization moves its variance to n / (n - 1) times a batch's, of n "
          "values a channel; Keras 3's and StrategyLab's moves to the batch's.");
    add(program.environment, {Beat::Variables}, R"(os.environ["TF_USE_LEGACY_KERAS"] = "1"  # Keras 2)");
  }
  const std::vector<ProgramTask> tasks{{"chief", 1}, {"worker", config.replicas}, {"ps", config.parameterServers}};
  addCluster(program, tasks, tasks);
  addStartUp(program.startUp, config);
  if (!request.options.check)
    add(program.distribute, {Beat::Distribute},
        "batches = iter(coordinator.create_per_worker_dataset(train))  # every worker has all examples");
  add(program.step, {Beat::Flow},
      "@tf.function\ndef distributed_train_step(batches):  # one worker's, of a batch of its own");
  add(program.step, {Beat::Distribute}, "    images, labels = next(batches)");
  add(program.step, {Beat::Pull, Beat::Forward, Beat::Backward, Beat::Apply},
      "    losses = strategy.run(train_step, args=(images, labels))");
  add(program.step, {Beat::Losses}, "    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)");
  addEpoch(program.epoch, request);
  add(program.evaluation, {Beat::Evaluate}, R"(
def evaluate():  # by the coordinator itself, which has every test image once
    right_in = tf.function(test_step)
    right = sum(int(right_in(images, labels)) for images, labels in test)
    print(f"test accuracy {right / len(test_images):.4f}"))");
  addAside(program.stop, {Beat::Stop}, R"(
for process in started:
    os.kill(process, signal.SIGKILL)
print(end="", flush=True)
os._exit(0)  # the servers are gone: TensorFlow's own clean-up would complain of each function)");
  return program;
}

}  // namespace lab
