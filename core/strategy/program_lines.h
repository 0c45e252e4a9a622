// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorFlow program that does what a run's settings say (core/codegen), and what a strategy has of its own in it.
// Every line says which beats of a step it does, so that whoever shows a moment finds its lines by what they do and
// never by a number.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ResolvedSettings;

// What a line does, as the beats of a step are called where one is played (ui/playback/story.h), and what lies around
// the steps.
enum class ProgramBeat : std::uint8_t {
  Startup,    // the strategy is made
  Variables,  // and what is created in its scope
  Input,      // the input pipeline: scale, cache, shuffle
  Batch,      // the global batch is there
  Distribute,
  Pull,
  Forward,
  Backward,
  Aggregate,
  Update,
  Check,
  Flow,      // parameter server: everybody at once
  Apply,     // parameter server: the gradients have been applied
  Losses,    // the replicas' losses are added
  Epoch,     // the mean of an epoch's losses
  Evaluate,  // on the test examples
  Save,      // checkpoints and weights
  Stop,      // the cluster is taken down
};

// Where a program may be cut into pieces that stand by themselves, in this order.
enum class ProgramPart : std::uint8_t { Head, Settings, Strategy, Data, Model, Step, Training, End };

struct ProgramLine {
  std::string text;  // without its end
  std::vector<ProgramBeat> beats;
  bool aside = false;  // it teaches nothing: processors stand in for GPUs, a loss is printed for a comparison
  ProgramPart part = ProgramPart::Head;
};
using ProgramLines = std::vector<ProgramLine>;

// Appends the lines of `text`, of which an empty first one is left out.
void add(ProgramLines& lines, std::initializer_list<ProgramBeat> beats, std::string_view text, bool aside = false);
void addAside(ProgramLines& lines, std::initializer_list<ProgramBeat> beats, std::string_view text);

struct ProgramOptions {
  bool loop = false;   // a custom training loop instead of Keras's fit
  bool check = false;  // with what a comparison of losses needs
};

// What is asked of a strategy. `config` is resolved.
struct ProgramRequest {
  const ResolvedSettings& config;
  ProgramOptions options;
  bool movesStatistics = false;  // the network has batch normalisation
};

// A strategy's own part. What it does not say is as under every strategy.
struct StrategyProgram {
  std::vector<std::string> notes;    // what a reader must know, one sentence each
  std::string whyNoFit;              // why Keras's fit is not in it, so that it is a loop; "": it can be
  std::vector<std::string> imports;  // of Python's own modules
  ProgramLines environment;          // before TensorFlow is imported
  ProgramLines startUp;              // down to `strategy = …`
  bool severalTasks = false;         // it is started once for each of several processes
  std::string speaker;               // a Python condition: the one task that prints and saves; "": there is one task
  ProgramLines distribute;           // instead of experimental_distribute_dataset
  ProgramLines step;                 // instead of distributed_train_step
  ProgramLines epoch;                // instead of the loop over an epoch's batches
  ProgramLines evaluation;           // instead of distributed_test_step and `evaluate`
  ProgramLines stop;                 // at the very end
  std::vector<std::string> told;     // names of its own settings that these lines or its notes speak of
};

// For a strategy that TensorFlow does not have: the program under MirroredStrategy, or under
// MultiWorkerMirroredStrategy where there are several hosts. `name` becomes its name.
StrategyProgram nearestProgram(const ProgramRequest& request, std::string& name);

// `devices` is then a list of so many names: GPUs, or processors where there are fewer of them. `first`: the number of
// the first processor.
void addDevices(ProgramLines& lines, const ResolvedSettings& config, int first = 0);

// The tasks of a cluster: TF_CONFIG of each as a comment, and where nobody set it, processes of this machine that stand
// in for them. The first task is this process.
struct ProgramTask {
  std::string kind;  // "worker"
  std::int64_t count = 1;
};
void addCluster(StrategyProgram& program, const std::vector<ProgramTask>& tasks, const std::vector<ProgramTask>& here);

}  // namespace lab
