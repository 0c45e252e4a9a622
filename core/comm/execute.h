// SPDX-License-Identifier: GPL-3.0-or-later
// Executes a schedule on the ranks' own buffers: bytes really move and are really added, in the schedule's order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/base/thread_pool.h"
#include "core/comm/schedule.h"
#include "core/device/backend.h"

namespace lab {

// buffers[r] is rank r's buffer; the schedule's offset 0 is element `base` of each. Every transfer acts on the same
// elements of two buffers, so disjoint ranges of elements are independent. Each thread therefore takes ranges and runs
// the whole schedule on them, which needs no barrier and gives the same bits as running round by round.
// `then`, if any, is called with each range of elements that is done, and may use it while it is in the thread's cache.
using RangeDone = std::function<void(std::int64_t begin, std::int64_t count)>;
void execute(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Backend& backend,
             ThreadPool& pool, const RangeDone& then = {});

// For devices whose time is measured: does the same transfer by transfer and round by round, and reports the begin and
// end of each transfer (steady clock, ns). Calls `done` on the calling thread, in the schedule's order, after each
// round.
using TransferTiming = std::function<void(const Transfer& transfer, std::int64_t beginNs, std::int64_t endNs)>;
void executeMeasured(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Backend& backend,
                     ThreadPool& pool, const TransferTiming& done);

}  // namespace lab
