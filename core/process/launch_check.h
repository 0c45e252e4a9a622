// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this machine and this user can start a run among real processes, checked before anything is started, and what
// to start where.
#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/process/launch_plan.h"

namespace lab::process {

// Returns mpirun, or the program that STRATEGYLAB_MPIRUN names instead.
std::string mpirunProgram();

// Returns the reason, without a full stop: no module, no MPI, no mpirun. Empty if processes can be started.
Message whyNoLaunch();

// `where`: host names separated by commas, or a file in the form of TF_CONFIG; "": this machine. The program is beside
// this one. Throws a UserError for hosts that cannot be read or are named twice.
LaunchRequest requestFor(int workers, const std::string& where);

}  // namespace lab::process
