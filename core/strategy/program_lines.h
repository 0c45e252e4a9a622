// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorFlow program that does what a run's settings say (core/codegen), and each strategy's own part of it. Every
// line names the beats of a step that it carries out, so that a view can find the lines of a moment by meaning and
// never by number.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ResolvedSettings;

// What a line does: the beats of a step, named as in the playback (ui/playback/story.h), and what happens before and
// after the steps.
enum class ProgramBeat : std::uint8_t {
  Startup,    // the strategy is created
  Variables,  // the variables in its scope are created
  Input,      // the input pipeline: scale, cache, shuffle
  Batch,      // the global batch has arrived
  Distribute,
  Pull,
  Forward,
  Backward,
  Aggregate,
  Update,
  Check,
  Flow,      // parameter server: all workers at once
  Apply,     // parameter server: the gradients have been applied
  Losses,    // the replicas' losses are added
  Epoch,     // the mean of an epoch's losses
  Evaluate,  // on the test examples
  Save,      // checkpoints and weights
  Stop,      // the cluster is taken down
};

// The parts that a program can be cut into, in this order.
enum class ProgramPart : std::uint8_t { Head, Settings, Strategy, Data, Model, Step, Training, End };

struct ProgramLine {
  std::string text;  // without its line end
  std::vector<ProgramBeat> beats;
  bool aside = false;  // teaches nothing: processors that replace GPUs, or a loss printed for a comparison
  ProgramPart part = ProgramPart::Head;
};
using ProgramLines = std::vector<ProgramLine>;

// Appends the lines of `text`; leaves out the first one if it is empty.
void add(ProgramLines& lines, std::initializer_list<ProgramBeat> beats, std::string_view text, bool aside = false);
void addAside(ProgramLines& lines, std::initializer_list<ProgramBeat> beats, std::string_view text);

struct ProgramOptions {
  bool loop = false;   // a custom training loop instead of Keras's fit
  bool check = false;  // print what a comparison of losses needs
};

// The input for a strategy's program. `config` is resolved.
struct ProgramRequest {
  const ResolvedSettings& config;
  ProgramOptions options;
  bool movesStatistics = false;  // the network has batch normalisation
};

// A strategy's own part of the program. What is empty here is the same for all strategies.
struct StrategyProgram {
  std::vector<std::string> notes;  // what a reader must know, one sentence each
  std::string whyNoFit;            // why the program cannot use Keras's fit and has a loop instead; "": it can use fit
  std::vector<std::string> imports;  // Python's own modules
  ProgramLines environment;          // before TensorFlow is imported
  ProgramLines startUp;              // up to `strategy = …`
  bool severalTasks = false;         // the program is started once for each of several processes
  std::string speaker;  // a Python condition: true in the one task that prints and saves; "": there is only one task
  ProgramLines distribute;        // instead of experimental_distribute_dataset
  ProgramLines step;              // instead of distributed_train_step
  ProgramLines epoch;             // instead of the loop over an epoch's batches
  ProgramLines evaluation;        // instead of distributed_test_step and `evaluate`
  ProgramLines stop;              // at the very end
  std::vector<std::string> told;  // names of its own settings that these lines or the notes mention
};

// For strategies that TensorFlow does not have: returns the program under MirroredStrategy, or under
// MultiWorkerMirroredStrategy if there are several hosts, and sets `name` to this strategy's name.
StrategyProgram nearestProgram(const ProgramRequest& request, std::string& name);

// Adds lines that set `devices` to a list of names: GPUs, or processors if there are too few GPUs. `first` is the
// number of the first processor.
void addDevices(ProgramLines& lines, const ResolvedSettings& config, int first = 0);

// The tasks of a cluster. The program shows each task's TF_CONFIG as a comment; if TF_CONFIG is not set, processes of
// this machine replace the tasks. The first task is the program's own process.
struct ProgramTask {
  std::string kind;  // "worker"
  std::int64_t count = 1;
};
void addCluster(StrategyProgram& program, const std::vector<ProgramTask>& tasks, const std::vector<ProgramTask>& here);

}  // namespace lab
