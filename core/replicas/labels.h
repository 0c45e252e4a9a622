// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of spans, as indices into the legend: first the network's operations, then what a cluster does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/model/cnn_op.h"
#include "core/model/neural_network.h"

namespace lab {

enum class Label : std::uint16_t {
  Input = kCnnOps,
  AllReduce,
  Broadcast,
  PullWeights,
  PushGradients,
  AddGradients,
  Update,
  WaitForReplicas,
  WaitForInput,
  WaitForServer,
  ResolveCluster,
  ConnectToCluster,
  InitializeTpu,
  ConstructStrategy,
  CreateVariables,
  TaskIsDead,
  WaitForDeadTask,
  MessageLost,
  ExchangeSums,
  Cancelled,
  ShareWeights,
  ReduceScatter,
  GatherWeights,
};

inline constexpr std::uint16_t labelOf(CnnOp op) {
  return static_cast<std::uint16_t>(op);
}
inline constexpr std::uint16_t labelOf(Label label) {
  return static_cast<std::uint16_t>(label);
}

// Returns whether a transfer with this label carries gradients to a sum over the replicas, or weights to an average.
inline constexpr bool isReduction(std::uint16_t label) {
  return label == labelOf(Label::AllReduce) || label == labelOf(Label::ReduceScatter) ||
         label == labelOf(Label::PushGradients) || label == labelOf(Label::ShareWeights);
}

// Returns the label of any network's operation. The first operations keep the labels that existing files use; further
// ones follow all other labels, present and future.
inline constexpr int kFirstMoreLabel = 64;
inline constexpr std::uint16_t labelOfOperation(int operation) {
  return static_cast<std::uint16_t>(operation < kCnnOps ? operation : kFirstMoreLabel + operation - kCnnOps);
}
// The inverse; returns -1 if the label is not an operation's.
inline constexpr int operationOf(std::uint16_t label) {
  if (label < kCnnOps) return label;
  return label < kFirstMoreLabel ? -1 : label - kFirstMoreLabel + kCnnOps;
}

std::vector<Message> labelNames(const NeuralNetwork& network);  // by index

}  // namespace lab
