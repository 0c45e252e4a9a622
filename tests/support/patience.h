// SPDX-License-Identifier: GPL-3.0-or-later
// How long tests wait for what has to come. Below Qt Test's own limit for a function, 300 s.
#pragma once

namespace lab {

inline constexpr int kPatienceMs = 120'000;  // only a hang takes so long

}  // namespace lab
