// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/failure_json.h"

#include <cstdint>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/process/messages.h"

namespace lab {
namespace {

using nlohmann::json;

json jsonOf(const Message& message) {
  if (message.empty()) return nullptr;
  json values = json::array();
  for (const MessageValue& value : message.values()) {
    json one{{"kind", value.index()}};
    if (const auto* text = std::get_if<std::string>(&value)) one["is"] = *text;
    if (const auto* number = std::get_if<std::int64_t>(&value)) one["is"] = *number;
    if (const auto* real = std::get_if<double>(&value)) one["is"] = *real;
    if (const auto* words = std::get_if<Words>(&value)) one["is"] = words->english;
    if (const auto* count = std::get_if<Count>(&value)) one["is"] = count->count;
    if (const auto* bytes = std::get_if<Bytes>(&value)) one["is"] = bytes->bytes;
    if (const auto* option = std::get_if<Option>(&value)) one["is"] = option->name;
    if (const auto* file = std::get_if<File>(&value)) one["is"] = file->path;
    if (const auto* inner = std::get_if<std::vector<Message>>(&value)) {
      one["is"] = json::array();
      for (const Message& each : *inner) one["is"].push_back(jsonOf(each));
    }
    values.push_back(std::move(one));
  }
  return {{"id", message.text()->id}, {"english", message.text()->english}, {"values", values}};
}

// Texts are kept as long as the program runs.
const Text& textOf(const std::string& id, const std::string& english) {
  struct Kept {
    std::string id, english;
    Text text;
  };
  static std::mutex mutex;
  static std::list<Kept> all;
  const std::lock_guard lock(mutex);
  for (const Kept& each : all)
    if (each.id == id && each.english == english) return each.text;
  Kept& made = all.emplace_back(Kept{id, english, {}});
  made.text = {made.id.c_str(), made.english.c_str()};
  return made.text;
}

template <std::size_t... I>
Message messageOfValues(const Text& text, std::vector<MessageValue>& values, std::index_sequence<I...>) {
  return {text, std::move(values[I])...};
}

Message messageOfValues(const Text& text, std::vector<MessageValue> values) {
  switch (values.size()) {  // %1 to %9
    case 0:
      return text;
    case 1:
      return messageOfValues(text, values, std::make_index_sequence<1>());
    case 2:
      return messageOfValues(text, values, std::make_index_sequence<2>());
    case 3:
      return messageOfValues(text, values, std::make_index_sequence<3>());
    case 4:
      return messageOfValues(text, values, std::make_index_sequence<4>());
    default:
      values.resize(9);
      return messageOfValues(text, values, std::make_index_sequence<9>());
  }
}

Message messageFrom(const json& object, int depth);

MessageValue valueFrom(const json& object, int depth) {
  const json& is = object.at("is");
  switch (object.at("kind").get<std::size_t>()) {
    case 0:
      return is.get<std::string>();
    case 1:
      return is.get<std::int64_t>();
    case 2:
      return is.is_null() ? 0.0 : is.get<double>();
    case 3:
      return Words{is.get<std::string>()};
    case 4:
      return Count{is.get<std::int64_t>()};
    case 5:
      return Bytes{is.get<std::int64_t>()};
    case 6:
      return Option{is.get<std::string>()};
    case 7:
      return File{is.get<std::string>()};
    default: {
      std::vector<Message> inner;
      for (const json& each : is) inner.push_back(messageFrom(each, depth + 1));
      return inner;
    }
  }
}

Message messageFrom(const json& object, int depth) {
  if (object.is_null() || depth > 8) return {};
  std::vector<MessageValue> values;
  for (const json& each : object.at("values")) values.push_back(valueFrom(each, depth));
  return messageOfValues(textOf(object.at("id").get<std::string>(), object.at("english").get<std::string>()),
                         std::move(values));
}

}  // namespace

std::string failureLine(const Message& message) {
  return json{{"failure", jsonOf(message)}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

Message failureFrom(const json& line) {
  const auto found = line.find("failure");
  if (found == line.end()) return {};
  try {
    return messageFrom(*found, 0);
  } catch (const json::exception&) {
    throw UserError(UserError::Kind::Run, say::streamUnreadable);
  }
}

}  // namespace lab
