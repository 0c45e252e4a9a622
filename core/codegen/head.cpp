// SPDX-License-Identifier: GPL-3.0-or-later
// Generates a program's head: its description, what it leaves out, imports, and the settings as constants.
#include <algorithm>
#include <set>
#include <string>

#include "core/base/platform.h"
#include "core/codegen/parts.h"
#include "core/codegen/python.h"
#include "core/options/config_field.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

// Settings without a counterpart in TensorFlow. All others are in the program's lines or in a note.
constexpr const char* kOnlyHere[] = {"slow", "slow-link", "noise-scale", "metrics", "trace", "run"};

void comment(ProgramLines& lines, const std::string& sentence) {
  constexpr std::size_t kWidth = 118;
  std::string line = "#";
  const std::string text = pythonComment(sentence);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (line.size() + 1 + (end - at) > kWidth) {
      add(lines, {}, line);
      line = "#";
    }
    line += " " + text.substr(at, end - at);
    at = end + 1;
  }
  add(lines, {}, line);
}

// Says when Keras 3's callback saves, and where fit goes on [keras/src/callbacks/backup_and_restore.py].
std::string backupNote(const ProgramParts& parts) {
  if (parts.config.checkpointEvery)
    return "BackupAndRestore counts batches and saves after every CHECKPOINT_EVERY of them. They are steps here; with "
           "compile's steps_per_execution it could save only between executions. It goes on from a backup wherever it "
           "finds one, but begins the backup's epoch again.";
  return std::string("BackupAndRestore saves at the end of each epoch") +
         (parts.steps() ? "; here fit has one, of STEPS steps, so it saves once" : "") +
         ". Wherever it finds a backup, it goes on with the next epoch.";
}

void addNotes(ProgramLines& lines, const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  for (const std::string& note : parts.own.notes) comment(lines, note);
  if (config.devices == DeviceChoice::Simulated)
    comment(lines, "StrategyLab's devices are simulated (" + config.deviceModel + ", " + config.link +
                       (config.hosts > 1 || parts.info.hosts == StrategyInfo::Hosts::EachWorker ? ", " + config.hostLink
                                                                                                : "") +
                       "); TensorFlow uses the devices that it finds.");
  if (config.matmul == Precision::Bfloat16)
    comment(lines,
            parts.info.simulatedOnly
                ? "A TPU takes bfloat16 operands by itself; whatever stands in for it here does not."
                : "--matmul bfloat16 has no counterpart: TensorFlow's mixed_bfloat16 rounds more than operands.");
  if (!parts.idxFiles() && config.dataset == "colour")
    comment(lines, "The data set colour is StrategyLab's own: CIFAR-10, of the same shape, stands here.");
  else if (!parts.idxFiles() && config.dataset != "cifar10" && config.dataset != "mnist" &&
           config.dataset != "fashion-mnist" && config.dataset != "auto")
    comment(lines, "The data set " + config.dataset + " is StrategyLab's own: MNIST, of the same shape, stands here.");
  if (parts.config.autoShard != AutoShard::Auto && !parts.info.synchronous)
    comment(lines, "--auto-shard has no effect here: every worker has all examples.");
  if (config.bytesPerPack > 0 && !parts.info.packsGradients())
    comment(lines, "--bytes-per-pack has no effect here: no gradients are packed.");
  if (!config.workerHosts.empty())
    comment(lines, "TF_CONFIG's worker0, worker1, ... stand for --worker-hosts " + pythonText(config.workerHosts) +
                       ", in this order.");
  if (config.workerDevices == WorkerDevices::Cuda)
    comment(lines, "--worker-devices cuda needs no line: TensorFlow's workers take the GPUs that they see.");
  if (config.lrScaling == LearningRateScaling::Staleness)
    comment(lines, "--lr-scaling staleness has no counterpart: every gradient is applied with the same rate here.");
  if (config.wire != Wire::Float32)
    comment(lines, "--wire bfloat16 has no counterpart: weights and gradients are sent as float32 here.");
  if (!parts.options.loop && config.evalEvery > 0)
    comment(lines, "--eval-every " + std::to_string(*config.evalEvery) +
                       " has no counterpart: fit evaluates at the end of an epoch.");
  if (parts.options.loop && !parts.countsSteps()) {
    if (parts.evaluates() && config.evalEvery)
      comment(lines, "--eval-every " + std::to_string(*config.evalEvery) +
                         " has no counterpart: this loop evaluates at the end of an epoch.");
    if (parts.checkpoints() && config.checkpointEvery)
      comment(lines, "--checkpoint-every " + std::to_string(*config.checkpointEvery) +
                         " has no counterpart: this loop saves at the end of an epoch.");
  }
  if (!parts.options.loop && parts.checkpoints()) comment(lines, backupNote(parts));
  if (parts.config.save.ends_with(".safetensors") && !parts.check())
    comment(lines, "Keras writes no safetensors: the weights go to a .keras file, which StrategyLab reads.");
  if (parts.check() && (config.hosts > 1 && parts.recordFiles() && config.shuffleBuffer > 1))
    comment(
        lines,
        "Files over several hosts are shuffled by TensorFlow: the order is not StrategyLab's. Use --shuffle-buffer 0.");
  std::string without;
  for (const ConfigField& field : configFields()) {
    const bool ours = std::ranges::find(kOnlyHere, field.name) != std::end(kOnlyHere) ||
                      (config.strategySettings.count(field.name) > 0 &&
                       std::ranges::find(parts.own.told, field.name) == parts.own.told.end());
    if (!ours || !field.belongsTo(parts.info) || field.isDefault(config)) continue;
    without += (without.empty() ? "--" : ", --") + field.name;
    if (field.kind != ConfigField::Kind::Flag) without += " " + field.get(config);
  }
  if (!without.empty()) comment(lines, "Without a counterpart: " + without + ".");
}

void addImports(ProgramLines& lines, const ProgramParts& parts) {
  std::set<std::string> modules(parts.own.imports.begin(), parts.own.imports.end());
  if (parts.needsStepsPerEpoch() || parts.ownWeights()) modules.insert("math");
  if (parts.check() || parts.idxFiles() || parts.checkpoints()) modules.insert("os");
  for (const std::string& name : {parts.config.init, parts.config.save})
    if (pythonText(name).starts_with("os.")) modules.insert("os");
  if (parts.idxFiles() && !parts.colour()) modules.insert("gzip");
  if (parts.idxFiles()) modules.insert("pathlib");
  if (parts.idxFiles() && parts.config.dataset == "cifar10") modules.insert("pickle");
  if (parts.config.init.ends_with(".safetensors")) modules.insert("json");
  if (parts.recordFiles()) modules.insert("tempfile");
  std::string block;
  for (const std::string& module : modules) block += "import " + module + "\n";
  if (!modules.empty()) add(lines, {}, block + "\n");
  if (parts.check())
    addAside(lines, {}, R"(os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # its sums have another order
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

)");
  if (!parts.own.environment.empty()) {
    lines.insert(lines.end(), parts.own.environment.begin(), parts.own.environment.end());
    add(lines, {}, "");
  }
  add(lines, {}, "import numpy as np\nimport tensorflow as tf");
  if (parts.check())
    addAside(lines, {},
             "\n\ntf.config.experimental.enable_tensor_float_32_execution(False)  # GPUs round float32 otherwise");
}

}  // namespace

std::string titleOf(const ProgramParts& parts) {
  const std::string replicas = std::to_string(parts.config.replicas);
  const std::string each = parts.info.synchronous ? " replica" : " worker";
  return parts.info.name + ", " + replicas + each + (replicas == "1" ? "" : "s");
}

void addHead(ProgramLines& lines, const ProgramParts& parts, bool fitAsked) {
  comment(lines, titleOf(parts) + ": " + (parts.options.loop ? "a custom training loop" : "Keras's fit") +
                     ". Needs `pip install tensorflow` (made for 2.21 with Keras 3).");
  if (fitAsked && !parts.own.whyNoFit.empty()) comment(lines, parts.own.whyNoFit + " So this is the custom loop.");
  if (parts.check())
    comment(lines,
            "It prints LOSS, step and the mean loss over the step's examples before the update, to compare with "
            "`strategylab-cli train --metrics`.");
  addNotes(lines, parts);
  addImports(lines, parts);
}

void addSettings(ProgramLines& lines, const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  const auto constant = [&lines](const std::string& name, const std::string& value, const std::string& why = "") {
    add(lines, {}, name + " = " + value + (why.empty() ? "" : "  # " + why));
  };
  add(lines, {}, "");
  if (!parts.info.singleReplica && parts.own.environment.empty()) constant("REPLICAS", std::to_string(config.replicas));
  const bool product = config.sharesEvenly();
  if (product)
    constant("BATCH_SIZE_PER_REPLICA", std::to_string(config.batchPerReplica));
  else
    constant("GLOBAL_BATCH_SIZE", std::to_string(config.globalBatch));
  if (config.shuffleBuffer > 1) constant("BUFFER_SIZE", std::to_string(config.shuffleBuffer));
  if (parts.steps())
    constant("STEPS", std::to_string(*config.steps));
  else
    constant("EPOCHS", std::to_string(config.epochs));
  constant("SEED", std::to_string(config.seed),
           parts.check() || !config.init.empty()
               ? ""
               : "TensorFlow's own weights and order: not those of StrategyLab's seed");
  if (parts.idxFiles()) constant("DATA_DIR", pythonText(config.dataDir));
  if (!config.init.empty()) constant("INIT", pythonText(config.init));
  if (parts.checkpoints()) {
    constant("CHECKPOINT_DIR", pythonText(config.checkpointDir));
    if (config.checkpointEvery && parts.countsSteps())
      constant("CHECKPOINT_EVERY", std::to_string(*config.checkpointEvery));
  }
  if (parts.options.loop && parts.countsSteps() && parts.evaluates() && config.evalEvery)
    constant("EVAL_EVERY", std::to_string(*config.evalEvery));
  if (config.threads != processorCount())
    add(lines, {}, "tf.config.threading.set_intra_op_parallelism_threads(" + std::to_string(config.threads) + ")");
}

}  // namespace lab
