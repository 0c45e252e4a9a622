// SPDX-License-Identifier: GPL-3.0-or-later
// JSON from files that anybody may have written: refused where it is malformed, nested too deep or ambiguous (a key
// twice in one object), before a value of it is used.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace lab {

// `where` begins the message: "'run.slab', line 3". UserError ends with what to do.
nlohmann::json parseJson(std::string_view text, const std::string& where, int maxDepth);

}  // namespace lab
