// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/labels.h"
#include "core/trace/messages.h"

namespace lab {

std::vector<Message> labelNames(const NeuralNetwork& network) {
  const std::vector<NetworkOperation>& operations = network.operations();
  const auto nameOf = [&](std::size_t index) {
    if (index >= operations.size() || operations[index].layer.empty()) return Message(say::loss);
    return Message(operations[index].backward ? say::backwardOf : say::forwardOf, operations[index].layer);
  };
  std::vector<Message> names;
  for (std::size_t i = 0; i < kCnnOps; ++i) names.push_back(nameOf(i));
  for (const Text* name :
       {&say::input,           &say::allReduce,         &say::broadcast,       &say::pullWeights,
        &say::pushGradients,   &say::addGradients,      &say::update,          &say::waitForReplicas,
        &say::waitForInput,    &say::waitForServer,     &say::resolveCluster,  &say::connectToCluster,
        &say::initialiseTpu,   &say::constructStrategy, &say::createVariables, &say::taskIsDead,
        &say::waitForDeadTask, &say::messageLost,       &say::exchangeSums,    &say::cancelled,
        &say::shareWeights,    &say::reduceScatter,     &say::gatherWeights})
    names.emplace_back(*name);
  if (operations.size() > kCnnOps) names.resize(kFirstMoreLabel, Message(say::loss));  // unused places
  for (std::size_t i = kCnnOps; i < operations.size(); ++i) names.push_back(nameOf(i));
  return names;
}

}  // namespace lab
