// SPDX-License-Identifier: GPL-3.0-or-later
// There are exactly two kinds of error. A UserError is one that a person can cause or repair: its message says what is
// wrong and ends with what to do, and carries the message's id and values, so that the window can show it in its own
// language. A BrokenInvariant is a bug in this program. Neither is ever swallowed, and nothing calls exit or abort.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/message.h"

namespace lab {

class UserError : public std::runtime_error {
 public:
  enum class Kind {
    Request,  // the request itself is wrong: unknown option, bad value, missing or malformed file. Exit code 2
    Run,      // the request was fine and the run failed: disk full, connection lost. Exit code 1
  };

  explicit UserError(Message message, Kind kind = Kind::Request)
      : std::runtime_error(format(message)), message_(std::move(message)), kind_(kind) {}
  template <typename... Values>
  explicit UserError(const Text& text, Values&&... values)
      : UserError(Message(text, std::forward<Values>(values)...)) {}
  template <typename... Values>
  UserError(Kind kind, const Text& text, Values&&... values)
      : UserError(Message(text, std::forward<Values>(values)...), kind) {}

  const Message& message() const { return message_; }  // what() is its English text
  Kind kind() const { return kind_; }
  int exitCode() const { return kind_ == Kind::Request ? 2 : 1; }

 private:
  Message message_;
  Kind kind_;
};

class BrokenInvariant : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throwBrokenInvariant(const char* condition, const char* file, int line);

}  // namespace lab

// Checks an invariant of this program, in every build; never used on the user's input.
#define LAB_CHECK(condition)                                                       \
  do {                                                                             \
    if (!(condition)) ::lab::throwBrokenInvariant(#condition, __FILE__, __LINE__); \
  } while (false)
