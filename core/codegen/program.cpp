// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/program.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/codegen/messages.h"
#include "core/codegen/parts.h"
#include "core/codegen/python.h"
#include "core/options/derived_settings.h"
#include "core/options/network_of.h"
#include "core/options/own_pictures.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

// A strategy that TensorFlow lacks is replaced by the nearest one.
StrategyProgram nearestProgram(const StrategyInfo& info, const ProgramRequest& request) {
  if (info.program != nullptr) return info.program(request);
  StrategyProgram program;
  program.notes.push_back("TensorFlow has no " + info.name + ": " +
                          (info.hasCopies ? "MirroredStrategy stands here." : "nothing is distributed here."));
  if (info.hasCopies) addDevices(program.startUp, request.config);
  add(program.startUp, {ProgramBeat::Startup},
      info.hasCopies ? "strategy = tf.distribute.MirroredStrategy(devices)"
                     : "strategy = tf.distribute.get_strategy()");
  return program;
}

// Refuses what TensorFlow draws, initialises or reads differently from StrategyLab.
void refuseIncomparable(const ResolvedSettings& config) {
  if (takesOwnPictures(config)) throw UserError(say::checkNotOnPictures, Option{"dataset"});
  for (const NetworkLayer& layer : networkOf(config)->layers())
    if (layer.kind == NetworkLayer::Kind::Dropout || layer.kind == NetworkLayer::Kind::BatchNorm)
      throw UserError(say::checkCannotCompare, layer.name);
}

// trainer.py of Keras 3, _maybe_symbolic_build: `strategy.reduce("MEAN", batch, axis=None)`.
bool firstBatchMayBeUneven(const ResolvedSettings& config, const StrategyInfo& info) {
  if (!info.synchronous || config.replicas == 1) return false;
  if (takesOwnPictures(config)) return true;  // how many there are is not among the settings
  const std::int64_t batch = config.globalBatch;
  const bool fromFiles = resolveSplit(splitOf(config)).rule == SplitRule::V2;
  // MNIST's numbers if they are not set; evaluate() does the same with the test examples.
  return std::ranges::any_of(std::array{config.trainExamples.value_or(60000), config.testExamples.value_or(10000)},
                             [&](std::int64_t examples) {
                               const std::int64_t first = std::min(batch, examples);
                               return first % config.replicas != 0 || (fromFiles && first < batch);
                             });
}

void addSave(ProgramLines& lines, const ProgramParts& parts) {
  if (parts.config.save.empty() || parts.check()) return;
  std::string name = parts.config.save;
  if (name.ends_with(".safetensors")) name.replace(name.size() - 11, 11, "keras");
  if (!name.ends_with(".keras")) name += ".keras";
  add(lines, {}, "");
  add(lines, {ProgramBeat::Save}, parts.spoken("", "model.save(" + pythonText(name) + ")"));
}

// Puts two empty lines around functions and classes, and elsewhere at most one.
ProgramLines spaced(const ProgramLines& lines) {
  ProgramLines out;
  bool inside = false, decorated = false;
  std::size_t empty = 0;
  for (const ProgramLine& line : lines) {
    const std::string& text = line.text;
    if (text.empty()) {
      ++empty;
      continue;
    }
    const bool indented = text.starts_with(' ') || text.starts_with(')') || text.starts_with(']');
    const bool begins = text.starts_with("def ") || text.starts_with("class ") || text.starts_with('@');
    empty = std::min<std::size_t>(empty, 1);
    if (!indented && (begins || inside)) empty = decorated ? 0 : 2;
    if (!indented) {
      inside = begins;
      decorated = text.starts_with('@');
    }
    if (!out.empty()) out.insert(out.end(), empty, {});
    empty = 0;
    out.push_back(line);
  }
  return out;
}

}  // namespace

bool ProgramParts::recordFiles() const {
  if (config.split != SplitSource::File) return false;
  return !check() || config.hosts > 1;
}

std::string ProgramParts::spoken(const std::string& in, const std::string& text) const {
  return own.speaker.empty() ? in + text : in + "if " + own.speaker + ":\n" + in + "    " + text;
}

std::string Program::text() const {
  std::string all;
  for (const ProgramLine& line : lines) all += line.text + '\n';
  return all;
}

Program makeProgram(const ResolvedSettings& config, const ProgramOptions& options) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (options.check && config.dataDir.empty() && config.dataset != "mnist" && config.dataset != "fashion-mnist" &&
      config.dataset != "cifar10")
    throw UserError(say::checkNeedsData, Option{"data-dir"});
  if (options.check) refuseIncomparable(config);
  StrategyProgram own = nearestProgram(info, {config, options, networkOf(config)->statistics().size() > 0});
  if (own.whyNoFit.empty() && firstBatchMayBeUneven(config, info)) {
    own.whyNoFit =
        "Keras 3's fit does not run where the replicas' parts of the first batch are not of one size: it adds them up "
        "to build the model.";
    if (takesOwnPictures(config)) own.whyNoFit += " A folder's pictures may be too few for whole batches.";
  }
  Program program;
  program.loop = options.loop || !own.whyNoFit.empty();
  const ProgramParts parts{config, {program.loop, options.check}, info, own};
  program.title = titleOf(parts);
  program.severalTasks = own.severalTasks;
  ProgramLines& lines = program.lines;
  std::size_t at = 0;
  const auto end = [&lines, &at](ProgramPart part) {
    for (; at < lines.size(); ++at) lines[at].part = part;
  };
  addHead(lines, parts, !options.loop);
  end(ProgramPart::Head);
  addSettings(lines, parts);
  end(ProgramPart::Settings);
  add(lines, {}, "");
  lines.insert(lines.end(), own.startUp.begin(), own.startUp.end());
  addReplicas(lines, parts);
  end(ProgramPart::Strategy);
  addData(lines, parts);
  end(ProgramPart::Data);
  addModel(lines, parts);
  end(ProgramPart::Model);
  if (program.loop) addSteps(lines, parts);
  end(ProgramPart::Step);
  program.loop ? addLoop(lines, parts) : addFit(lines, parts);
  end(ProgramPart::Training);
  addSave(lines, parts);
  if (!own.stop.empty()) add(lines, {}, "");
  lines.insert(lines.end(), own.stop.begin(), own.stop.end());
  end(ProgramPart::End);
  lines = spaced(lines);
  return program;
}

}  // namespace lab
