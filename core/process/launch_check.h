// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this machine and this user can start a run among real processes, asked before anything is started, and what
// is to be started where.
#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/process/launch_plan.h"

namespace lab::process {

// mpirun, or what STRATEGYLAB_MPIRUN names in its place.
std::string mpirunProgram();

// No module, no MPI, no mpirun. No full stop; empty where processes can be started.
Message whyNoLaunch();

// `where`: names of hosts with commas between them, or a file in the form of TF_CONFIG; "": this machine. The program
// is beside this one. UserError for hosts that cannot be read or are named twice.
LaunchRequest requestFor(int workers, const std::string& where);

}  // namespace lab::process
