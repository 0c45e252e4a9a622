// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/control_locks.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/files/messages.h"

namespace lab {
namespace {

constexpr std::size_t kMostNames = 1000, kLongestControl = 60;

bool isControlName(std::string_view text) {
  return !text.empty() && text.size() <= kLongestControl && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

void sortOnce(std::vector<std::string>& names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

std::vector<std::string> namesFromJson(const nlohmann::json& list) {
  if (!list.is_array() || list.size() > kMostNames) throw UserError(say::locksNoNames);
  std::vector<std::string> names;
  for (const auto& name : list) {
    if (!name.is_string() || !isControlName(name.get<std::string>())) throw UserError(say::locksNoNames);
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

ControlLocks inOrder(ControlLocks locks) {
  sortOnce(locks.hidden);
  sortOnce(locks.locked);
  std::erase_if(locks.locked, [&](const std::string& name) { return std::ranges::binary_search(locks.hidden, name); });
  return locks;
}

ControlLocks locksFromJson(const nlohmann::json& json) {
  if (!json.is_object()) throw UserError(say::locksNoNames);
  ControlLocks locks;
  for (const auto& item : json.items()) {
    if (item.key() == "hide") {
      locks.hidden = namesFromJson(item.value());
    } else if (item.key() == "lock") {
      locks.locked = namesFromJson(item.value());
    } else {
      locks.others[item.key()] = item.value();
    }
  }
  return inOrder(std::move(locks));
}

nlohmann::ordered_json locksToJson(const ControlLocks& locks) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (!locks.hidden.empty()) out["hide"] = locks.hidden;
  if (!locks.locked.empty()) out["lock"] = locks.locked;
  if (locks.others.is_object())
    for (const auto& item : locks.others.items()) out[item.key()] = item.value();
  return out;
}

std::vector<std::string> namesFromText(std::string_view text, std::string_view part) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find(','));
    if (!isControlName(name) || names.size() >= kMostNames) throw UserError(say::linkNoNames, part);
    names.emplace_back(name);
    text.remove_prefix(std::min(text.size(), name.size() + 1));
  }
  return names;
}

std::string textOfNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

}  // namespace lab
