// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/labels.h"

namespace lab {

std::vector<std::string> labelNames(const NeuralNetwork& network) {
  std::vector<std::string> names;
  for (const NetworkOperation& operation : network.operations())
    names.push_back(operation.layer.empty() ? "loss"
                                            : operation.layer + (operation.backward ? " backward" : " forward"));
  for (const char* name : {"input", "all-reduce", "broadcast", "pull weights", "push gradients", "add gradients",
                           "update", "wait for replicas", "wait for input", "wait for server", "resolve cluster",
                           "connect to cluster", "initialise TPU system", "construct strategy", "create variables"})
    names.emplace_back(name);
  return names;
}

}  // namespace lab
