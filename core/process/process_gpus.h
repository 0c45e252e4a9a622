// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs of a run's processes, as each process has told the others, and which GPU each replica takes.
#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/process/peers.h"

namespace lab {

struct WorkerGpus {
  std::vector<std::string> addresses, names;  // those visible to the process, in its own order
  Message why, whyNoNccl;                     // why it can use none, or no NCCL; empty if it can
};

// Returns the GPUs of each process. The first call exchanges them, so all must make it; cached for the same peers.
const std::vector<WorkerGpus>& gpusOfWorkers(process::Peers& peers);

struct ReplicaGpu {
  int worker = 0, gpu = 0;  // gpu: that worker's index of it
  std::string host, address, name;
};

// Each worker has `replicasOfWorker` replicas. On each host, every replica takes the GPU visible to its process that
// has the fewest replicas: processes that see all GPUs share them evenly, and if a scheduler has divided the GPUs, each
// process keeps to its own.
std::vector<ReplicaGpu> placeOnGpus(const std::vector<std::string>& hostOfWorker, const std::vector<WorkerGpus>& gpus,
                                    int replicasOfWorker);
std::vector<ReplicaGpu> gpusOfReplicas(process::Peers& peers, int replicasOfWorker);

}  // namespace lab
