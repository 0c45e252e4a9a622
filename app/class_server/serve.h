// SPDX-License-Identifier: GPL-3.0-or-later
// A class from its first line to its last:
//   in   {"settings": {…}, "listen": "127.0.0.1:0", "firstWorkers": 2, "silentMs": 5000, "states": "/a/folder",
//        "certificate": FILE, "key": FILE (both or none), "checkShare": 0.02, "checkpoints":
//        "/a/folder", "checkpointEvery": 100, "resume": true}, then orders: pause, resume, step (one
//        update more, while paused), remove WORKER, slow WORKER FACTOR, state, stop
//   out  {"link": "http://…"}, then as it happens {"joined": {"worker": 0, "name": "Otter 1", "nickname": "", "path":
//        "avx512"}}, {"left": 0, "why": 7} (a serving::Reason, or null), {"lost": 0}; of each update its lines of the
//        order and of its times (class_order.h), then its metric as --metrics has it, and evaluations; where a spot
//        check has found one,
//        {"falsePush": [worker, closure]}; once a second, and at the end, {"members": […]} (class_member.h), and of
//        somebody who leaves alone just before; {"rest": 3}: paused, after the third order, and nothing is under way;
//        {"state": 120, "ordered": true}: of update 120, in the folder (class_state.h); and at the end the weights and
//        moving statistics as base64 in pieces,
//        {"weights": "…"}, and {"over": 200}; or, and then it ends, {"lostServer": 0, "code": 137} (a
//        serving::LostServer). Before the link of a resumed class comes its journal, whose members have no nickname and
//        no reason why they left; at its end all have left
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lab::classes {

int serve(const nlohmann::json& order);

}  // namespace lab::classes
