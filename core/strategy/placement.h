// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which parameter server holds which variable (README.md): the partitioner cuts variables along axis 0, and the
// parts go to the servers round robin, in creation order, by count and not by bytes.
#pragma once

#include <vector>

#include "core/model/neural_network.h"
#include "core/replicas/parameter_device.h"
#include "core/strategy/strategy.h"

namespace lab {

// Returns how many rows each shard of a variable with `rows` rows of `rowBytes` gets; a single entry means that it is
// not cut. MinSizePartitioner's max_shards is the number of servers, as in TensorFlow's guide (its default of 1 would
// never cut).
std::vector<std::int64_t> shardRows(const Partitioner& partitioner, std::int64_t rows, std::int64_t rowBytes,
                                    int servers);

// Returns what each server holds. Moving statistics are included, each layer's after its other variables, as Keras
// creates them.
std::vector<HeldVariables> placeVariables(const NeuralNetwork& network, const Partitioner& partitioner, int servers);

}  // namespace lab
