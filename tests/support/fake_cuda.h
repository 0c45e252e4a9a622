// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the CUDA module's own source (core/device/cuda/cuda_module.cu) on a fake CUDA runtime, which carries out the
// calls on the processor and enforces CUDA's rules more strictly than CUDA does. So the module's code (streams, events,
// capture, errors, NCCL) runs without a GPU. Built as a library, the fake replaces strategylab_cuda.so.
//  - Nothing is carried out before the host waits or asks. Streams advance in a drawn order, and so do the nodes of a
//    graph, as far as their dependencies allow.
//  - These are errors during capture: pageable memory, allocation, synchronising, an event from outside, and work that
//    does not come back to the origin.
//  - A kernel that may begin while the one before it still runs must wait for that one before it touches anything;
//    otherwise the device is lost.
//  - These are errors at any time: a launch on a stream of a device other than the current one, an event on a stream of
//    another device, a copy beyond an allocation. The error of a lost GPU stays.
// Settings are words, from $STRATEGYLAB_FAKE_CUDA or fakeCudaSet(): gpus=2 driver=12080 major=9 minor=0 seed=1 mig=1
// memory=1000000000 idle=1 (kernels do nothing, so only the host's share of the time is left), ptx=75 (kernels are
// compiled from this PTX version), forget=1 (no kernel waits for those before it), fail=FUNCTION:CALL:ERROR (this call
// of this function fails, once; call 0 is every call), lose=GPU:WORK (the GPU is lost after this much work).
#pragma once

#include <functional>
#include <memory>

// The functions that the library exports.
using FakeCudaSet = void (*)(const char* words);  // also resets all state; nothing may be in use
// How often a function was called since then. "alive" counts memories, streams, events and graphs; "collectives" counts
// collectives carried out or captured.
using FakeCudaCalls = long (*)(const char* function);
// Starts a collective; for fake_nccl. The collective is carried out when all these streams have reached it and `ready`,
// which is asked from then on, returns true. If it is captured, the graph keeps `ofGraph` until the graph is destroyed.
using FakeCudaTogether = int (*)(void** streams, int count, std::function<bool()> ready, std::function<void()> work,
                                 std::shared_ptr<void> ofGraph);
// The stand-in for NCCL receives a FakeCudaTogether through `fakeNcclUse`. $STRATEGYLAB_FAKE_NCCL: version=22803
// error=0 (of a collective) initall=2 (ncclCommInitAll fails with this error) duplicate=1 (ranks of several processes
// are refused) hang=2 (this rank never returns from a call) connect=1 (a call waits until all ranks have made it)
// after=3 (the call that hang and connect apply to: 0 is the first, -1 the start).
using FakeNcclUse = void (*)(FakeCudaTogether together);
