// SPDX-License-Identifier: GPL-3.0-or-later
// What a teacher has hidden or locked in the window: in an experiment's file as
//   "locks": {"hide": ["runMenu"], "lock": ["replicas", "reducer"]}
// and in its link as hide=runMenu&lock=replicas,reducer. The names are the window's; the core knows no control. A name
// that the window does not know is kept, and nothing is done for it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ControlLocks {
  std::vector<std::string> hidden, locked;  // sorted, each once; none of the hidden is locked as well
  nlohmann::json others;                    // keys that are not known; an object, or null

  bool empty() const { return hidden.empty() && locked.empty(); }
  bool operator==(const ControlLocks&) const = default;
};

ControlLocks inOrder(ControlLocks locks);

// UserError, which does not name the file, for what is no list of names.
ControlLocks locksFromJson(const nlohmann::json& json);
nlohmann::ordered_json locksToJson(const ControlLocks& locks);

// "a,b", as in a link. UserError naming `part` for what are no names.
std::vector<std::string> namesFromText(std::string_view text, std::string_view part);
std::string textOfNames(const std::vector<std::string>& names);

}  // namespace lab
