// SPDX-License-Identifier: GPL-3.0-or-later
// How long tests wait for what has to come. Qt Test ends a function after 300 s, and QTRY_VERIFY_WITH_TIMEOUT waits
// three times as long as it is told before it fails: less than a third of it, so that a failure says where it was.
#pragma once

namespace lab {

inline constexpr int kPatienceMs = 90'000;  // only a hang takes so long

}  // namespace lab
