// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson's conditions and texts can speak of: a published, read-only table of names. A name may take one
// argument: seen(aggregate), setting(optimizer). Whoever shows lessons says what is so at present; the table says what
// can be asked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/message.h"

namespace lab {

using Fact = std::variant<std::monostate, bool, double, std::string>;  // monostate: not known at present

struct FactName {
  enum class Kind { Flag, Number, Text };
  enum class Argument { None, Setting, Beat, Page, Replica, Tab, Task };
  const char* name;
  Kind kind;
  Argument argument;
  const char* help;  // LAB_WORDS
};
std::span<const FactName> factNames();

// One of them, with its argument: "shard(0)".
struct FactCall {
  const FactName* name = nullptr;
  std::string argument;
};
// "step" or "seen(aggregate)". Nothing for what is none; then `why` says what is wrong.
bool parseFactCall(std::string_view text, FactCall& call, Message& why);

class FactSource {
 public:
  virtual ~FactSource() = default;
  virtual Fact fact(const FactCall& call) const = 0;
};

// Names of the window that texts may use; tst_captions holds the beats against the window.
std::span<const std::string_view> beatNames();
std::span<const std::string_view> workspaceNames();
// In the order of RunFault::Task.
std::span<const std::string_view> taskNames();

}  // namespace lab
