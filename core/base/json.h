// SPDX-License-Identifier: GPL-3.0-or-later
// Parses JSON from files that anybody may have written, and rejects it before any value is used if it is malformed,
// nested too deep or ambiguous (the same key twice in one object).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/message.h"
#include "core/base/messages.h"

namespace lab {

// Messages begin with `where`: say::inFile or say::inLine. A UserError ends with what to do.
nlohmann::json parseJson(std::string_view text, const Message& where, int maxDepth);

// Writes it in one line. Bytes that are not UTF-8, as a file's name may have, become U+FFFD: dump() alone would throw.
std::string jsonLine(const nlohmann::json& value);

}  // namespace lab
