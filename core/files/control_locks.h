// SPDX-License-Identifier: GPL-3.0-or-later
// The controls that a teacher has hidden or locked in the window: in an experiment's file as
//   "locks": {"hide": ["runMenu"], "lock": ["replicas", "reducer"]}
// and in its link as hide=runMenu&lock=replicas,reducer. The window defines the names; the core knows no controls. A
// name that the window does not know is kept, without effect.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct ControlLocks {
  std::vector<std::string> hidden, locked;  // sorted and unique; no hidden name is also locked
  nlohmann::json others;                    // unknown keys; an object, or null

  bool empty() const { return hidden.empty() && locked.empty(); }
  bool operator==(const ControlLocks&) const = default;
};

ControlLocks inOrder(ControlLocks locks);

// Throws a UserError, which does not name the file, if there is no valid list of names.
ControlLocks locksFromJson(const nlohmann::json& json);
nlohmann::ordered_json locksToJson(const ControlLocks& locks);

// Reads "a,b", as in a link. Throws a UserError naming `part` if the names are invalid.
std::vector<std::string> namesFromText(std::string_view text, std::string_view part);
std::string textOfNames(const std::vector<std::string>& names);

}  // namespace lab
