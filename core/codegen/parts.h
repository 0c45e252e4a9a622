// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a program, in their order in the program.
#pragma once

#include <string>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/model/neural_network.h"
#include "core/strategy/program_lines.h"
#include "core/strategy/strategy.h"

namespace lab {

// The inputs of every part.
struct ProgramParts {
  const ResolvedSettings& config;
  ProgramOptions options;  // as carried out
  const StrategyInfo& info;
  const StrategyProgram& own;  // the strategy's

  bool check() const { return options.check; }
  bool steps() const { return config.steps.has_value(); }
  bool ownOrder() const { return check() && config.shuffleBuffer > 1; }  // StrategyLab's shuffle, in Python
  bool ownWeights() const { return check() && config.init.empty(); }     // StrategyLab's initial weights, in Python
  bool colour() const { return imageShapeOf(config.dataset)[2] == 3; }
  bool idxFiles() const { return !config.dataDir.empty(); }  // not Keras's download
  bool recordFiles() const;                                  // the examples are in files of records
  bool needsStepsPerEpoch() const {
    return !info.synchronous || warmsUp() || (steps() && check() && !options.loop) || resumes();
  }
  bool warmsUp() const { return config.warmupEpochs > 0; }
  bool checkpoints() const { return !config.checkpointDir.empty() && !check(); }
  bool resumes() const { return checkpoints() && config.resume && options.loop; }
  // NumPy, which Keras seeds too, takes 32 bits.
  std::string kerasSeed() const { return config.seed >> 32 == 0 ? "SEED" : "SEED % 2**32"; }
  bool evaluates() const { return config.evalEvery != std::int64_t{0} && !check(); }
  // The program's lines can evaluate and save after each step, not only at the end of an epoch.
  bool countsSteps() const { return own.epoch.empty(); }
  // Returns `text` printed by a single task if there are several.
  std::string spoken(const std::string& in, const std::string& text) const;
};

std::string titleOf(const ProgramParts& parts);
void addHead(ProgramLines& lines, const ProgramParts& parts, bool fitAsked);
void addSettings(ProgramLines& lines, const ProgramParts& parts);
void addGenerator(ProgramLines& lines, const ProgramParts& parts);  // for --check
void addReplicas(ProgramLines& lines, const ProgramParts& parts);   // decided by the strategy's number of replicas
void addData(ProgramLines& lines, const ProgramParts& parts);
void addModel(ProgramLines& lines, const ProgramParts& parts);
void addFit(ProgramLines& lines, const ProgramParts& parts);
void addSteps(ProgramLines& lines, const ProgramParts& parts);  // of the loop
void addLoop(ProgramLines& lines, const ProgramParts& parts);

// The loss's argument: a network that ends in a softmax gives probabilities.
std::string fromLogits(const NeuralNetwork& network);

}  // namespace lab
