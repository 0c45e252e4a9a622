// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/labels.h"
#include "core/trace/messages.h"

namespace lab {

std::vector<Message> labelNames(const NeuralNetwork& network) {
  std::vector<Message> names;
  for (const NetworkOperation& operation : network.operations())
    names.push_back(operation.layer.empty()
                        ? Message(say::loss)
                        : Message(operation.backward ? say::backwardOf : say::forwardOf, operation.layer));
  for (const Text* name :
       {&say::input, &say::allReduce, &say::broadcast, &say::pullWeights, &say::pushGradients, &say::addGradients,
        &say::update, &say::waitForReplicas, &say::waitForInput, &say::waitForServer, &say::resolveCluster,
        &say::connectToCluster, &say::initialiseTpu, &say::constructStrategy, &say::createVariables, &say::taskIsDead,
        &say::waitForDeadTask, &say::messageLost})
    names.emplace_back(*name);
  return names;
}

}  // namespace lab
