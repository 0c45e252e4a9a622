// SPDX-License-Identifier: GPL-3.0-or-later
// Parses JSON from files that anybody may have written, and rejects it before any value is used if it is malformed,
// nested too deep or ambiguous (the same key twice in one object).
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/message.h"
#include "core/base/messages.h"

namespace lab {

// Messages begin with `where`: say::inFile or say::inLine. A UserError ends with what to do.
nlohmann::json parseJson(std::string_view text, const Message& where, int maxDepth);

// Returns a whole number from `least` to `most`; nothing for any other value.
std::optional<std::int64_t> integerWithin(const nlohmann::json& value,
                                          std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

// Returns a number as an int, std::int64_t, std::uint32_t, std::uint64_t or std::size_t. Throws
// nlohmann::json::type_error if it is not whole or T cannot hold it: value.get<T>() would cut it off, which is
// undefined for a fraction that is too large.
template <typename T>
T integerOf(const nlohmann::json& value);

// Writes it in one line. Bytes that are not UTF-8, as a file's name may have, become U+FFFD: dump() alone would throw.
std::string jsonLine(const nlohmann::json& value);

}  // namespace lab
