// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/messages.h"

namespace lab {

nlohmann::json parseJson(std::string_view text, const Message& where, int maxDepth) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> keys;  // one set for each object that is still open
  const auto check = [&](int depth, Event event, nlohmann::json& parsed) {
    switch (event) {
      case Event::object_start:
        keys.emplace_back();
        [[fallthrough]];
      case Event::array_start:
        if (depth >= maxDepth) throw UserError(say::jsonTooDeep, where, maxDepth);
        break;
      case Event::object_end:
        keys.pop_back();
        break;
      case Event::key:
        if (!keys.back().insert(parsed.get<std::string>()).second)
          throw UserError(say::jsonKeyTwice, where, parsed.get<std::string>().substr(0, 64));
        break;
      default:
        break;
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text, check);
  } catch (const nlohmann::json::exception& error) {
    // The library's message quotes the input, which need not be text, so only the position is reported.
    const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&error);
    if (syntax == nullptr) throw UserError(say::notJson, where);
    throw UserError(say::notJsonAt, where, syntax->byte);
  }
}

std::optional<std::int64_t> integerWithin(const nlohmann::json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>())) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

template <typename T>
T integerOf(const nlohmann::json& value) {
  const bool fits = value.is_number_unsigned()  ? std::in_range<T>(value.get<std::uint64_t>())
                    : value.is_number_integer() ? std::in_range<T>(value.get<std::int64_t>())
                                                : false;
  if (!fits) throw nlohmann::json::type_error::create(302, "not a whole number, or too large", &value);
  return value.get<T>();
}
template int integerOf(const nlohmann::json&);
template std::int64_t integerOf(const nlohmann::json&);
template std::uint32_t integerOf(const nlohmann::json&);
template std::uint64_t integerOf(const nlohmann::json&);

std::string jsonLine(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace lab
