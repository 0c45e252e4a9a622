// SPDX-License-Identifier: GPL-3.0-or-later
// What the core says, as data: which text, and the values in it. Code never parses a sentence to find out what
// happened; it reads the text's id and the values. Whatever shows a message words it in a language (Wording): the
// command line in English, the window in its own. A folder's texts are the rows of its messages.h, each an id and its
// English; resources/translations/update.sh collects these tables.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lab {

// In the English text, %1 to %9 stand for the values and --name for an option.
struct Text {
  const char* id;
  const char* english;
};
#define LAB_TEXT(id, english)       \
  inline constexpr ::lab::Text id { \
#id, english                    \
  }
// English words in a table that does not consist of texts; collected for the window in the same way.
#define LAB_WORDS(english) english

// Values that each language writes in its own way.
struct Option {
  std::string name;  // "batch-per-replica"
};
struct File {
  std::string path;
};
struct Words {
  std::string english;  // from a table: LAB_WORDS
};
struct Count {
  std::int64_t count;  // written with thousands separators, unlike a plain number
};
struct Bytes {
  std::int64_t bytes;
};

class Message;
// Messages inside a message are written one after the other.
using MessageValue =
    std::variant<std::string, std::int64_t, double, Words, Count, Bytes, Option, File, std::vector<Message>>;

class Message {
 public:
  Message() = default;  // nothing to say
  // Values may be texts, numbers, paths, the structs above, texts of a table, and other messages.
  template <typename... Values>
  Message(const Text& text, Values&&... values) : text_(&text) {
    values_.reserve(sizeof...(values));
    (values_.push_back(valueOf(std::forward<Values>(values))), ...);
  }

  bool empty() const { return text_ == nullptr; }
  // Compares by name, because a module opened at run time has texts of its own.
  bool is(const Text& text) const { return text_ != nullptr && std::string_view(text_->id) == text.id; }
  const Text* text() const { return text_; }
  const std::vector<MessageValue>& values() const { return values_; }
  std::vector<std::string> options() const;  // the options among its values; the one it is mainly about comes first
  std::string file() const;                  // the first file among its values, or ""

 private:
  template <typename V>
  static MessageValue valueOf(V&& value) {
    using Plain = std::remove_cvref_t<V>;
    if constexpr (std::is_same_v<Plain, Message> || std::is_same_v<Plain, Text>)
      return std::vector<Message>{Message(std::forward<V>(value))};
    else if constexpr (std::is_same_v<Plain, std::uint64_t>)  // the largest occur in damaged files
      return value > std::uint64_t{INT64_MAX} ? MessageValue(std::to_string(value)) : static_cast<std::int64_t>(value);
    else if constexpr (std::integral<Plain>)
      return static_cast<std::int64_t>(value);
    else if constexpr (std::floating_point<Plain>)
      return static_cast<double>(value);
    else if constexpr (std::convertible_to<V, std::string_view>)
      return std::string(std::string_view(value));
    else if constexpr (requires { value.native(); })  // std::filesystem::path
      return File{value.string()};
    else
      return std::forward<V>(value);
  }

  const Text* text_ = nullptr;
  std::vector<MessageValue> values_;
};

// How a language expresses values. This one is English, as the command line uses it.
class Wording {
 public:
  virtual ~Wording() = default;
  virtual std::string words(const std::string& english) const { return english; }
  virtual std::string option(const std::string& name) const { return "--" + name; }
  virtual std::string count(std::int64_t count) const;
  virtual std::string bytes(std::int64_t bytes) const;
  virtual std::string number(double number) const;
};

std::string format(const Message& message, const Wording& wording = Wording());

// Returns what an error says: a UserError's message, or any other error's what(), which has no translation.
Message messageOf(const std::exception& error);

}  // namespace lab
