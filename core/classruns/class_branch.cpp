// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_branch.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/model/neural_network.h"
#include "core/model/optimizer.h"
#include "core/options/config_field.h"
#include "core/serving/class_state.h"
#include "core/strategy/strategy.h"

namespace lab::serving {
namespace {

using nlohmann::json;

// How far the class had come when the step began.
struct Done {
  std::int64_t examples = 0;           // in updates
  std::int64_t drawn = 0;              // including those left out of updates
  std::vector<std::int64_t> closures;  // per worker
};

Done doneBefore(std::int64_t step, const ClassHistory& history, int workers) {
  Done done{.closures = std::vector<std::int64_t>(static_cast<std::size_t>(workers))};
  for (std::int64_t at = 1; at < step; ++at) {
    const std::optional<ClassUpdate> update = history.update(at);
    done.examples += update->metric.examples;
    for (const ClassOrder::Part& part : update->parts) {
      done.drawn += part.examples;
      if (part.used && part.worker < workers) ++lab::at(done.closures, part.worker);
    }
  }
  return done;
}

void fill(TensorFile& tensors, const Layout& layout, const std::string& suffix, const float* values) {
  for (const Variable& variable : layout.variables()) {
    const auto found = tensors.tensors.find(variable.name + suffix);
    LAB_CHECK(found != tensors.tensors.end() && std::ssize(found->second.values) == variable.size);
    std::copy_n(values + variable.offset, variable.size, found->second.values.begin());
  }
}

}  // namespace

RunSettings branchSettings(const ResolvedSettings& config, int workers) {
  RunSettings settings = withoutOutputs(config).asked();
  settings.replicas = workers;
  settings.devices = DeviceChoice::Simulated;
  settings.threads = RunSettings{}.threads;
  settings.globalBatch.reset();
  // The server adds in the workers' order, as one device does.
  if (strategyInfo(config.strategy).synchronous) settings.reducer = Reducer::OneDevice;
  return settings;
}

Checkpoint branchCheckpoint(const ClassState& state, const ClassHistory& history, Checkpoint beginning) {
  const RunInfo& info = *history.info();
  const std::vector<float>& values = *state.variables;
  const Layout& layout = info.network->layout();
  fill(beginning.tensors, layout, "", values.data());
  const std::vector<std::string> slots =
      OptimizerSettings{.kind = info.config.optimizer, .momentum = info.config.momentum}.slotNames();
  LAB_CHECK(slots.size() == state.optimizer.size());
  for (std::size_t i = 0; i < slots.size(); ++i)
    fill(beginning.tensors, layout, "/" + slots[i], state.optimizer[i].data());
  for (auto& [name, tensor] : beginning.tensors.tensors)
    if (name.starts_with("statistics/"))
      std::copy(values.begin() + static_cast<std::ptrdiff_t>(layout.size()), values.end(), tensor.values.begin());

  const Done done = doneBefore(state.step + 1, history, info.replicas);
  json& positions = beginning.state.at("input");
  const bool synchronous = info.parameterDevices == 0;
  const std::int64_t examples = info.trainExamples, batch = info.config.largestShare();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    // Each worker of a parameter server has its own stream.
    const std::int64_t perEpoch = ceilDivide(examples, batch);
    positions[i] = {done.closures[i] / perEpoch, done.closures[i] % perEpoch};
    if (synchronous) positions[i] = {done.drawn / examples, done.drawn % examples / (batch * info.replicas)};
  }
  beginning.state["step"] = state.step;
  beginning.state["examples"] = done.examples;
  beginning.state["distributed"] = synchronous ? done.drawn : done.examples;
  if (const auto found = beginning.tensors.metadata.find("parameter_server");
      found != beginning.tensors.metadata.end()) {
    json server = json::parse(found->second);
    server["updates"] = state.step;
    found->second = server.dump();
  }
  if (const auto versions = beginning.state.at("clocks").find("versions");
      versions != beginning.state.at("clocks").end())
    for (json& version : *versions) version = state.step;
  return beginning;
}

}  // namespace lab::serving
