// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/names.h"

#include <optional>
#include <string_view>

#include "core/base/messages.h"
#include "core/base/parse_number.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

constexpr std::string_view kLink = "link ", kBeside = " · ", kTo = " → ";

constexpr const Text* kWhole[] = {&say::loss,
                                  &say::input,
                                  &say::allReduce,
                                  &say::broadcast,
                                  &say::pullWeights,
                                  &say::pushGradients,
                                  &say::addGradients,
                                  &say::update,
                                  &say::waitForReplicas,
                                  &say::waitForWeights,
                                  &say::waitForInput,
                                  &say::waitForServer,
                                  &say::pullsAndPushes,
                                  &say::taskIsDead,
                                  &say::waitForDeadTask,
                                  &say::messageLost,
                                  &say::exchangeSums,
                                  &say::shareWeights,
                                  &say::reduceScatter,
                                  &say::gatherWeights,
                                  &say::cancelled,
                                  &say::resolveCluster,
                                  &say::connectToCluster,
                                  &say::initialiseTpu,
                                  &say::constructStrategy,
                                  &say::createVariables,
                                  &say::parameterDevice,
                                  &say::pulledByAll,
                                  &say::sentByAll,
                                  &say::inputPipeline,
                                  &say::sharedMemory,
                                  &say::hostToGpu,
                                  &say::gpuToGpu,
                                  &say::betweenProcesses,
                                  &say::betweenMachines};
constexpr const Text* kNumbered[] = {&say::replicaEndpoint, &say::workerEndpoint, &say::serverEndpoint,
                                     &say::hostEndpoint, &say::gpuMemory};
constexpr const Text* kOfLayer[] = {&say::forwardOf, &say::backwardOf};

// Splits the text at the first `between`.
std::optional<std::pair<std::string, std::string>> parted(const std::string& text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == std::string::npos) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + between.size()));
}

Message meant(const std::string& spelt) {
  for (const Text* text : kWhole)
    if (spelt == text->english) return *text;
  const std::string_view all(spelt);
  for (const Text* text : kNumbered) {
    const std::string_view form(text->english), before = form.substr(0, form.size() - 2);  // without its %1
    if (!all.starts_with(before)) continue;
    if (const auto number = parseNumber<std::int64_t>(all.substr(before.size()))) return {*text, *number};
  }
  if (all.starts_with(kLink)) {
    const auto ends = parted(spelt.substr(kLink.size()), kTo);
    const auto joined = ends ? parted(ends->second, kBeside) : std::nullopt;
    if (joined) return {say::linkTrack, meant(ends->first), meant(joined->first), meant(joined->second)};
  } else if (const auto parts = parted(spelt, kBeside)) {
    return {say::deviceTrack, meant(parts->first), meant(parts->second)};
  }
  for (const Text* text : kOfLayer) {
    const std::string_view behind = std::string_view(text->english).substr(2);
    if (all.ends_with(behind)) return {*text, all.substr(0, all.size() - behind.size())};
  }
  return {say::verbatim, spelt};
}

}  // namespace

std::string nameInFile(const Message& name) {
  return (name.is(say::linkTrack) ? std::string(kLink) : std::string()) + format(name);
}

Message nameFromFile(const std::string& spelt) {
  const Message name = meant(spelt);
  return nameInFile(name) == spelt ? name : Message(say::verbatim, spelt);
}

}  // namespace lab
