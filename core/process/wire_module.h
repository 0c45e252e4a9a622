// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the MPI module and joins the other processes through it, or says why not: no module, no MPI on this machine,
// one without threads, a module of another build.
#pragma once

#include <memory>

#include "core/base/message.h"
#include "core/process/wire.h"

namespace lab::process {

// The module is $STRATEGYLAB_MPI_MODULE, or strategylab_mpi.so where the CUDA module is looked for. This only looks
// whether it can be opened; no process is joined. No full stop; empty where processes are to be had. Any thread.
Message whyNoProcesses();

// Whether mpirun, srun or the like started this program, and how many it says there are (0: it does not say).
struct Started {
  bool together = false;
  int processes = 0;
};
Started howStarted();

// Joins the others; once in the life of a process. UserError with the reason where it cannot.
std::shared_ptr<Wire> openWire();

}  // namespace lab::process
