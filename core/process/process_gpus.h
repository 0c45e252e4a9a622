// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs of a run's processes, as each has told the others, and which of them each replica takes.
#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/process/peers.h"

namespace lab {

struct WorkerGpus {
  std::vector<std::string> addresses, names;  // of those that it sees, in its own order
  Message why, whyNoNccl;                     // it can use none; empty where it can
};

// Of each process. The first call exchanges them, so all make it; they are kept as long as the peers are the same.
const std::vector<WorkerGpus>& gpusOfWorkers(process::Peers& peers);

struct ReplicaGpu {
  int worker = 0, gpu = 0;  // that worker's number of it
  std::string host, address, name;
};

// Each worker has so many replicas. On each host every replica takes that of the GPUs its process sees which fewest
// have: so they share all GPUs out where all see all, and each keeps to its own where a scheduler has shared them out.
std::vector<ReplicaGpu> placeOnGpus(const std::vector<std::string>& hostOfWorker, const std::vector<WorkerGpus>& gpus,
                                    int replicasOfWorker);
std::vector<ReplicaGpu> gpusOfReplicas(process::Peers& peers, int replicasOfWorker);

}  // namespace lab
