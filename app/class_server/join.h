// SPDX-License-Identifier: GPL-3.0-or-later
// A native worker: computes for the class behind a link until the class is over, or it is sent away or told to leave.
// If its connection breaks, it tries again for a while.
//   in   {"link": "http://…", "name": "", "threads": 2, "patienceMs": 30000, "silenceMs": 15000}, then leave
//   out  {"joined": {"name": "Otter 1", "strategy": "parameter-server", "steps": 200}}, {"applied": 12, "staleness":
//   3},
//        the last of them when it is over
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lab::classes {

int join(const nlohmann::json& order);

}  // namespace lab::classes
