// SPDX-License-Identifier: GPL-3.0-or-later
// What replicas exchange in the middle of a pass for a synchronised batch normalisation: each channel's two sums and
// how many values there are, as one buffer of 2 C + 1 floats, as Keras adds them up. They are summed along a schedule,
// so that all groups come to the same bits and what is shown is what is done.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/comm/schedule.h"
#include "core/device/layer_backend.h"

namespace lab {

// The schedule for so many elements, which stays where it is.
using SumsSchedule = std::function<const Schedule&(std::int64_t elements)>;

// By the strategy's own method; NCCL's and MPI's as a ring. `central`: the endpoint with the only copy of the
// variables, to which they go and from which they return; -1: there is none.
Schedule makeSumsSchedule(Reducer method, int replicas, int hosts, int central, std::int64_t elements);

// `sums` as a pass stops with them (LayerPass::exchanged): the count is the last one's first.
std::vector<float> asFloats(const std::vector<ChannelSums>& sums);
void takeFloats(const std::vector<float>& floats, std::vector<ChannelSums>& sums);

}  // namespace lab
