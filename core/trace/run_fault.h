// SPDX-License-Identifier: GPL-3.0-or-later
// A task of a cluster that dies or comes back in one step of a run, and what is known about a dead one. Plain values;
// core/cluster and the strategies handle the consequences.
#pragma once

#include <cstdint>

namespace lab {

struct RunFault {
  // Chief: the coordinator of a parameter-server cluster. MultiWorkerMirrored's chief is its worker 0.
  enum class Task : std::uint8_t { Worker, Chief, Server };
  enum class What : std::uint8_t {
    Kill,    // its process ends, and the others' connections to it break
    Freeze,  // its machine or its cable fails, and nothing is heard of it any more
    Revive,
  };

  std::int64_t step = 1;  // must be the branch's first
  Task task = Task::Worker;
  int index = 0;
  What what = What::Kill;
  // If a revival restarts all from a backup: the time of the restart, on the modelled clock; otherwise 0.
  std::int64_t atNs = 0;

  bool operator==(const RunFault&) const = default;
};

// Times are on the modelled clock.
struct DeadTask {
  RunFault::Task task = RunFault::Task::Worker;
  int index = 0;
  std::int64_t sinceNs = 0;
  std::int64_t noticedNs = 0;  // when the others, or the coordinator, notice
  // For a parameter server's worker: who next got a closure after the dead one's was back in the queue; -1: nobody yet.
  int takenBy = -1;
  std::int64_t takenNs = 0;
  // Servers that had already applied the gradients of its last closure, which another worker then repeats: TensorFlow
  // runs a closure at least once.
  int applied = 0;

  bool operator==(const DeadTask&) const = default;
};

}  // namespace lab
