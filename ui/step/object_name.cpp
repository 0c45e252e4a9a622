// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/object_name.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/parse_number.h"

namespace lab {
namespace {

struct ObjectRow {
  Object::Kind kind;
  std::string_view name;
  bool endpoint, index;  // which numbers the kind has
};

constexpr std::array kObjectRows{
    ObjectRow{Object::Kind::Digit, "digit", true, true},
    ObjectRow{Object::Kind::Gradient, "gradient", true, true},
    ObjectRow{Object::Kind::Transfer, "transfer", false, true},
    ObjectRow{Object::Kind::Weights, "weights", true, false},
    ObjectRow{Object::Kind::Layer, "layer", true, true},
    ObjectRow{Object::Kind::Device, "device", true, false},
    ObjectRow{Object::Kind::Link, "link", false, true},
    ObjectRow{Object::Kind::VariableShard, "shard", true, false},
    ObjectRow{Object::Kind::Queue, "queue", false, false},
    ObjectRow{Object::Kind::Host, "host", false, true},
    ObjectRow{Object::Kind::Unit, "unit", true, true},
};

// Removes the next word from `text` and returns it.
std::string_view wordOf(std::string_view& text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, space);
  text.remove_prefix(std::min(text.find_first_not_of(' ', space), text.size()));
  return word;
}

}  // namespace

std::string objectName(const Object& object) {
  const auto row = std::ranges::find(kObjectRows, object.kind, &ObjectRow::kind);
  if (row == kObjectRows.end()) return {};
  std::string name(row->name);
  if (row->endpoint) name += " " + std::to_string(object.endpoint);
  if (row->index && object.index >= 0) name += " " + std::to_string(object.index);
  return name;
}

std::optional<Object> objectNamed(std::string_view name) {
  const auto row = std::ranges::find(kObjectRows, wordOf(name), &ObjectRow::name);
  if (row == kObjectRows.end()) return std::nullopt;
  Object object{.kind = row->kind};
  const auto read = [&](auto& into) {
    const auto number = parseNumber<int>(wordOf(name));
    if (!number || *number < 0) return false;
    into = *number;
    return true;
  };
  if (row->endpoint && !read(object.endpoint)) return std::nullopt;
  // A whole gradient has no index.
  if (row->index && !(name.empty() && row->kind == Object::Kind::Gradient) && !read(object.index)) return std::nullopt;
  return name.empty() ? std::optional(object) : std::nullopt;
}

}  // namespace lab
