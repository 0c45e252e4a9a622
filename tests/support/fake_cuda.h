// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA module (core/device/cuda/cuda_module.cu, the very source) on a CUDA runtime that is none: its calls are
// carried out on the processor, and CUDA's rules are kept more strictly than by CUDA. So the module's own code
// (streams, events, capture, errors, NCCL) runs where there is no GPU. As a library it takes the place of
// strategylab_cuda.so.
//  - Nothing is carried out before the host waits or asks; streams advance in a drawn order, the nodes of a graph too,
//  in any
//    order that their dependencies allow.
//  - Capture: pageable memory, allocation, synchronising, an event from outside, work that does not come back: errors.
//  - A kernel that may begin while the one before still runs touches nothing before it has waited for that: else the
//  device is lost.
//  - A launch on a stream of another than the current device, an event on a stream of another device, a copy beyond an
//    allocation: errors. A lost GPU's error stays.
// Settings are words, from $STRATEGYLAB_FAKE_CUDA or fakeCudaSet(): gpus=2 driver=12080 major=9 minor=0 seed=1 mig=1
// memory=1000000000 idle=1 (kernels do nothing: what is left is the host's share), ptx=75 (kernels are compiled from
// it), forget=1 (no kernel waits for those before it), fail=FUNCTION:CALL:ERROR (that call of that function fails,
// once; call 0 is every one), lose=GPU:WORK (after so much work).
#pragma once

#include <functional>
#include <memory>

// What the library exports.
using FakeCudaSet = void (*)(const char* words);  // also forgets everything; nothing may be in use
// How often a function was called since; "alive": memories, streams, events and graphs; "collectives": carried out or
// captured.
using FakeCudaCalls = long (*)(const char* function);
// A collective; for fake_nccl. It is carried out when all these streams have come to it and it is `ready`, which is
// asked from then on. Where it is captured, the graph keeps `ofGraph` until it is destroyed.
using FakeCudaTogether = int (*)(void** streams, int count, std::function<bool()> ready, std::function<void()> work,
                                 std::shared_ptr<void> ofGraph);
// The stand-in for NCCL takes the latter by `fakeNcclUse`. $STRATEGYLAB_FAKE_NCCL: version=22803 error=0 (of a
// collective) duplicate=1 (ranks of several processes are refused) hang=2 (that rank never returns from a call)
// connect=1 (a call waits for those of all) after=3 (which call: 0 is the first, -1 the
// start).
using FakeNcclUse = void (*)(FakeCudaTogether together);
