// SPDX-License-Identifier: GPL-3.0-or-later
// How long tests wait for what has to come, even on a single core beside many busy processes. QTRY_VERIFY_WITH_TIMEOUT
// waits three times as long as it is told before it fails; the presets let a test function run even longer
// (QTEST_FUNCTION_TIMEOUT), so that a failure says where it happened.
#pragma once

namespace lab {

inline constexpr int kPatienceMs = 300'000;  // only a hang takes so long

}  // namespace lab
