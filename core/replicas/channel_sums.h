// SPDX-License-Identifier: GPL-3.0-or-later
// What replicas exchange in the middle of a pass for a synchronised batch normalisation: each channel's two sums and
// the number of values, as one buffer of 2 C + 1 floats, like the one that Keras adds up. The buffers are added along a
// schedule, so all groups compute the same bits, and the program shows exactly what happened.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/comm/schedule.h"
#include "core/device/layer_backend.h"

namespace lab {

// Returns the schedule for this number of elements; the reference stays valid.
using SumsSchedule = std::function<const Schedule&(std::int64_t elements)>;

// Makes the schedule by the strategy's own method; NCCL and MPI are replaced by a ring. `central` is the endpoint with
// the only copy of the variables: the sums go there and return from there. -1: there is no such endpoint.
Schedule makeSumsSchedule(Reducer method, int replicas, int hosts, int central, std::int64_t elements);

// Convert between floats and `sums`, where a pass has stopped with them (LayerPass::exchanged). The `first` of the last
// entry is the number of values.
std::vector<float> asFloats(const std::vector<ChannelSums>& sums);
void takeFloats(const std::vector<float>& floats, std::vector<ChannelSums>& sums);

}  // namespace lab
