// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/labels.h"
#include "core/trace/messages.h"

namespace lab {

std::vector<Message> labelNames() {
  std::vector<Message> names;
  for (int op = 0; op < kCnnOps; ++op) names.push_back(cnnOpLabel(static_cast<CnnOp>(op)));
  for (const Text* name :
       {&say::input, &say::allReduce, &say::broadcast, &say::pullWeights, &say::pushGradients, &say::addGradients,
        &say::update, &say::waitForReplicas, &say::waitForInput, &say::waitForServer, &say::resolveCluster,
        &say::connectToCluster, &say::initialiseTpu, &say::constructStrategy, &say::createVariables})
    names.emplace_back(*name);
  return names;
}

}  // namespace lab
