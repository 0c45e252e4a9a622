// SPDX-License-Identifier: GPL-3.0-or-later
// The facts that a lesson's conditions and texts can use: a published, read-only table of names. A name may take one
// argument: seen(aggregate), setting(optimizer). The table says what can be asked; the program that shows lessons
// provides the present values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/message.h"

namespace lab {

using Fact = std::variant<std::monostate, bool, double, std::string>;  // monostate: unknown at present

struct FactName {
  enum class Kind { Flag, Number, Text };
  enum class Argument { None, Setting, Beat, Page, Replica, Tab, Task };
  const char* name;
  Kind kind;
  Argument argument;
  const char* help;  // LAB_WORDS
};
std::span<const FactName> factNames();

// One fact with its argument: "shard(0)".
struct FactCall {
  const FactName* name = nullptr;
  std::string argument;
};
// Parses "step" or "seen(aggregate)". Returns false for an invalid text, and sets `why`.
bool parseFactCall(std::string_view text, FactCall& call, Message& why);

class FactSource {
 public:
  virtual ~FactSource() = default;
  virtual Fact fact(const FactCall& call) const = 0;
};

// The window's names that texts may use; tst_captions compares the beats with the window's.
std::span<const std::string_view> beatNames();
std::span<const std::string_view> workspaceNames();
// In the order of RunFault::Task.
std::span<const std::string_view> taskNames();

}  // namespace lab
