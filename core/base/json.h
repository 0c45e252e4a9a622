// SPDX-License-Identifier: GPL-3.0-or-later
// JSON from files that anybody may have written: refused where it is malformed, nested too deep or ambiguous (a key
// twice in one object), before a value of it is used.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/base/message.h"
#include "core/base/messages.h"

namespace lab {

// `where` begins the message: say::inFile or say::inLine. UserError ends with what to do.
nlohmann::json parseJson(std::string_view text, const Message& where, int maxDepth);

}  // namespace lab
