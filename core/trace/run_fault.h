// SPDX-License-Identifier: GPL-3.0-or-later
// A task of a cluster that dies or comes back in one step of a run, and what is known of a dead one. Plain values; what
// follows from them is core/cluster's and the strategy's.
#pragma once

#include <cstdint>

namespace lab {

struct RunFault {
  // Chief: the coordinator of a parameter-server cluster. MultiWorkerMirrored's chief is its worker 0.
  enum class Task : std::uint8_t { Worker, Chief, Server };
  enum class What : std::uint8_t {
    Kill,    // its process ends: the others' connections to it break
    Freeze,  // its machine or its cable is lost: nothing is heard of it any more
    Revive,
  };

  std::int64_t step = 1;  // the branch's first
  Task task = Task::Worker;
  int index = 0;
  What what = What::Kill;
  // Of a revival that starts everything again from a backup: when that is, on the modelled clock; else 0.
  std::int64_t atNs = 0;

  bool operator==(const RunFault&) const = default;
};

// Times are the modelled clock's.
struct DeadTask {
  RunFault::Task task = RunFault::Task::Worker;
  int index = 0;
  std::int64_t sinceNs = 0;
  std::int64_t noticedNs = 0;  // the others, or the coordinator, learn of it
  // Of a parameter server's worker: who was next to get a closure after its own was back in the queue; -1: nobody yet.
  int takenBy = -1;
  std::int64_t takenNs = 0;
  // Servers that had already applied the gradients of its last closure, which another then does again: TensorFlow runs
  // a closure at least once.
  int applied = 0;

  bool operator==(const DeadTask&) const = default;
};

}  // namespace lab
