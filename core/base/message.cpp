// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/units.h"

namespace lab {
namespace {

bool isLower(char c) {
  return c >= 'a' && c <= 'z';
}

struct Writer {
  const Wording& wording;
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return wording.number(number); }
  std::string operator()(const Words& words) const { return wording.words(words.english); }
  std::string operator()(Count count) const { return wording.count(count.count); }
  std::string operator()(Bytes bytes) const { return wording.bytes(bytes.bytes); }
  std::string operator()(const Option& option) const { return wording.option(option.name); }
  std::string operator()(const File& file) const { return file.path; }
  std::string operator()(const std::vector<Message>& messages) const {
    std::string all;
    for (const Message& message : messages) all += format(message, wording);
    return all;
  }
};

// Calls take for all values of one kind, including those of nested messages.
template <typename Kind, typename Take>
void each(const std::vector<MessageValue>& values, const Take& take) {
  for (const MessageValue& value : values) {
    if (const auto* found = std::get_if<Kind>(&value)) take(*found);
    if (const auto* inner = std::get_if<std::vector<Message>>(&value))
      for (const Message& message : *inner) each<Kind>(message.values(), take);
  }
}

}  // namespace

std::vector<std::string> Message::options() const {
  std::vector<std::string> names;
  each<Option>(values_, [&](const Option& option) { names.push_back(option.name); });
  return names;
}

std::string Message::file() const {
  std::string first;
  each<File>(values_, [&](const File& file) {
    if (first.empty()) first = file.path;
  });
  return first;
}

std::string Wording::count(std::int64_t count) const {
  return formatCount(count);
}
std::string Wording::bytes(std::int64_t bytes) const {
  return formatBytes(bytes);
}
std::string Wording::number(double number) const {
  return shortest(number);
}

std::string format(const Message& message, const Wording& wording) {
  if (message.empty()) return "";
  const std::string form = wording.words(message.text()->english);
  std::string written;
  for (std::size_t at = 0; at < form.size();) {
    const auto place = static_cast<std::size_t>(at + 1 < form.size() && form[at] == '%' ? form[at + 1] - '1' : 9);
    if (place < message.values().size()) {
      written += std::visit(Writer{wording}, message.values()[place]);
      at += 2;
    } else if (form.compare(at, 2, "--") == 0 && at + 2 < form.size() && isLower(form[at + 2])) {
      std::size_t end = at + 2;
      while (end < form.size() && (isLower(form[end]) || form[end] == '-')) ++end;
      written += wording.option(form.substr(at + 2, end - at - 2));
      at = end;
    } else {
      written += form[at++];
    }
  }
  return written;
}

Message messageOf(const std::exception& error) {
  const auto* known = dynamic_cast<const UserError*>(&error);
  return known != nullptr ? known->message() : Message(say::verbatim, error.what());
}

}  // namespace lab
