// SPDX-License-Identifier: GPL-3.0-or-later
// Backup workers (README.md): like Mirrored, but of N replicas only the first N - b gradients to arrive are summed, and
// the mean is over their examples. A later replica is cancelled, adds zeros, makes the same update and begins the next
// step with the others. With b = 0 the strategy equals Mirrored to the bit. Beyond tf.distribute: Chen et al. 2016,
// "Revisiting Distributed Synchronous SGD" (arXiv:1604.00981).
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

class BackupWorkersStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  StepResult step(Cluster& cluster, StepInput& input) override {
    return mirroredStep(cluster, input, plan(), config().replicas - config().strategySettings.at("backups"));
  }
};

}  // namespace

std::unique_ptr<Strategy> makeBackupWorkersStrategy(const ResolvedSettings& config) {
  return std::make_unique<BackupWorkersStrategy>(config);
}

StrategyProgram mirroredProgram(const ProgramRequest&);

// The closest program that TensorFlow offers.
StrategyProgram backupWorkersProgram(const ProgramRequest& request) {
  StrategyProgram program = mirroredProgram(request);
  const std::int64_t backups = request.config.strategySettings.at("backups");
  program.told = {"backups"};
  if (backups == 0) return program;
  program.notes.insert(program.notes.begin(),
                       "tf.distribute has no backup workers: this is MirroredStrategy, which waits for all replicas "
                       "(--backups 0). TensorFlow 1 had them: SyncReplicasOptimizer(optimizer, replicas_to_aggregate=" +
                           std::to_string(request.config.replicas - backups) + ", total_num_replicas=" +
                           std::to_string(request.config.replicas) + "), now in tf.compat.v1.train, for graphs alone.");
  return program;
}

}  // namespace lab
