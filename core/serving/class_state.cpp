// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/class_state.h"

#include <bit>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/json.h"

namespace lab::serving {
namespace {

using nlohmann::json;

constexpr const char *kVariables = "variables", *kSlot = "slot/", *kVersion = "version/";

TensorFile::Tensor tensorOf(const std::vector<float>& values) {
  return {{std::ssize(values)}, values};
}

}  // namespace

Checkpoint toCheckpoint(const ClassState& state) {
  Checkpoint checkpoint;
  auto& tensors = checkpoint.tensors.tensors;
  tensors[kVariables] = tensorOf(*state.variables);
  for (std::size_t i = 0; i < state.optimizer.size(); ++i)
    tensors[kSlot + std::to_string(i)] = tensorOf(state.optimizer[i]);
  json versions = json::array(), held = json::array();
  for (const auto& [version, values] : state.older) {
    tensors[kVersion + std::to_string(version)] = tensorOf(*values);
    versions.push_back(version);
  }
  for (const HeldClosure& each : state.held)
    held.push_back({each.worker, each.closure, each.version, each.examples, std::bit_cast<std::uint32_t>(each.scale),
                    each.path, each.givenNs, each.sentNs});
  checkpoint.state = {{"step", state.step}, {"slots", state.optimizer.size()}, {"versions", versions}, {"held", held}};
  return checkpoint;
}

ClassState classStateFrom(const Checkpoint& checkpoint) {
  ClassState state;
  const auto values = [&](const std::string& name) { return checkpoint.tensors.tensors.at(name).values; };
  state.step = stepOf(checkpoint);
  state.variables = std::make_shared<const std::vector<float>>(values(kVariables));
  const auto slots = integerOf<std::size_t>(checkpoint.state.at("slots"));
  for (std::size_t i = 0; i < slots; ++i) state.optimizer.push_back(values(kSlot + std::to_string(i)));
  for (const json& each : checkpoint.state.at("versions")) {
    const auto version = integerOf<std::int64_t>(each);
    state.older[version] = std::make_shared<const std::vector<float>>(values(kVersion + std::to_string(version)));
  }
  for (const json& each : checkpoint.state.at("held"))
    state.held.push_back({integerOf<int>(each.at(0)), integerOf<std::uint64_t>(each.at(1)),
                          integerOf<std::int64_t>(each.at(2)), integerOf<std::int64_t>(each.at(3)),
                          std::bit_cast<float>(integerOf<std::uint32_t>(each.at(4))), each.at(5),
                          integerOf<std::int64_t>(each.at(6)), integerOf<std::int64_t>(each.at(7))});
  return state;
}

}  // namespace lab::serving
