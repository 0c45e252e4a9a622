// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the MPI module and joins the other processes through it, or gives the reason for a failure: no module, no MPI
// on this machine, an MPI without threads, or a module of another build.
#pragma once

#include <memory>

#include "core/base/message.h"
#include "core/process/wire.h"

namespace lab::process {

// The module is $STRATEGYLAB_MPI_MODULE, or strategylab_mpi.so in the CUDA module's folder. Only checks whether it can
// be opened, and joins no process. Returns the reason without a full stop; empty if processes are available. Any
// thread.
Message whyNoProcesses();

// Whether mpirun, srun or similar started this program, and the number of processes it states (0: it states none).
struct Started {
  bool together = false;
  int processes = 0;
};
Started howStarted();

// Joins the others; once in the life of a process. Throws a UserError with the reason if it fails.
std::shared_ptr<Wire> openWire();

}  // namespace lab::process
