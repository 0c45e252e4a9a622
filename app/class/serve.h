// SPDX-License-Identifier: GPL-3.0-or-later
// A class from its first line to its last:
//   in   {"settings": {…}, "listen": "127.0.0.1:0", "firstWorkers": 2, "silentMs": 5000}, then orders: pause, resume,
//        remove WORKER, stop
//   out  {"link": "http://…"}, then as it happens {"joined": {"worker": 0, "name": "Otter 1", "nickname": "", "path":
//        "avx512"}}, {"left": 0, "why": "…"}, {"lost": 0}, metrics as --metrics has them, behind each update's its line
//        of the order (class_order.h), and at the end the weights and moving statistics as base64 in pieces,
//        {"weights": "…"}, and {"over": 200}
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lab::classes {

int serve(const nlohmann::json& order);

}  // namespace lab::classes
