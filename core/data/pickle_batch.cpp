// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a pickle: https://github.com/python/cpython/blob/main/Lib/pickletools.py
#include "core/data/pickle_batch.h"

#include <map>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/data/messages.h"

namespace lab {
namespace {

constexpr std::int64_t kImageBytes = 3072;
constexpr std::size_t kMostValues = 2'000'000;  // a published batch has about 40,000

struct PickleValue {
  enum class Kind { None, Number, Text, List, Tuple, Dict, Name, Array, Type };
  Kind kind = Kind::None;
  std::int64_t number = 0;
  std::string_view text;           // Text; a Name's "module name"; a Type's letters; an Array's bytes
  std::vector<std::size_t> items;  // of a List or Tuple; a Dict's alternating keys and values; an Array's shape, type
};
using PickleKind = PickleValue::Kind;

class PickleReader {
 public:
  PickleReader(std::span<const std::uint8_t> bytes, const std::string& name)
      : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), name_(name) {}

  // Returns the dict in the pickle.
  const PickleValue& read() {
    while (true) {
      begin_ = at_;
      const char operation = take(1)[0];
      if (operation == '.') break;
      if (!pushes(operation) && !gathers(operation)) refuse({say::pickleOperation, begin_});
      if (values_.size() + stack_.size() + marks_.size() > kMostValues) refuse(say::pickleTooMuch);
    }
    if (stack_.size() != 1 || top().kind != PickleKind::Dict) refuse(say::pickleNoDict);
    return top();
  }

  const PickleValue& value(std::size_t index) const { return values_[index]; }
  const PickleValue* find(const PickleValue& dict, std::string_view key) const {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
      if (values_[dict.items[i]].kind == PickleKind::Text && values_[dict.items[i]].text == key)
        return &values_[dict.items[i + 1]];
    return nullptr;
  }
  [[noreturn]] void refuse(const Message& what) const { throw UserError(say::notPickledBatch, File{name_}, what); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_) refuse(say::pickleEnds);
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::uint64_t number(std::size_t bytes) {  // little-endian
    std::uint64_t value = 0;
    const std::string_view taken = take(bytes);
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(taken[i]);
    return value;
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos || end - at_ > 64) refuse(say::pickleEnds);
    const std::string_view text = take(end - at_);
    (void)take(1);
    return text;
  }

  void push(PickleValue value) {
    values_.push_back(std::move(value));
    stack_.push_back(values_.size() - 1);
  }
  std::size_t pop() {
    if (stack_.empty() || (!marks_.empty() && stack_.size() == marks_.back())) refuse({say::pickleOperation, begin_});
    const std::size_t index = stack_.back();
    stack_.pop_back();
    return index;
  }
  std::vector<std::size_t> popToMark() {
    if (marks_.empty()) refuse({say::pickleOperation, begin_});
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<std::size_t> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return items;
  }
  PickleValue& top() {
    if (stack_.empty()) refuse({say::pickleOperation, begin_});
    return values_[stack_.back()];
  }

  void pushNumber(std::int64_t value) { push({PickleKind::Number, value, {}, {}}); }
  void pushName() {
    const std::string_view module = line(), name = line();
    const auto is = [&](std::string_view m, std::string_view n) { return module == m && name == n; };
    if (!is("numpy.core.multiarray", "_reconstruct") && !is("numpy", "ndarray") && !is("numpy", "dtype"))
      refuse({say::pickleName, std::string(module), std::string(name)});
    push({PickleKind::Name, 0, name, {}});
  }

  // Handles operations that push one value, or store one for later.
  bool pushes(char operation) {
    switch (operation) {
      case '\x80':  // PROTO
        if (number(1) != 2) refuse({say::pickleOperation, begin_});
        return true;
      case '}':
        return push({PickleKind::Dict, 0, {}, {}}), true;
      case ']':
        return push({PickleKind::List, 0, {}, {}}), true;
      case '(':
        return marks_.push_back(stack_.size()), true;
      case 'N':
        return push({}), true;
      case '\x88':  // NEWTRUE
      case '\x89':  // NEWFALSE
        return pushNumber(operation == '\x88' ? 1 : 0), true;
      case 'K':
        return pushNumber(static_cast<std::int64_t>(number(1))), true;
      case 'M':
        return pushNumber(static_cast<std::int64_t>(number(2))), true;
      case 'J':
        return pushNumber(static_cast<std::int32_t>(number(4))), true;
      case 'U':
        return push({PickleKind::Text, 0, take(number(1)), {}}), true;
      case 'T':
      case 'X':
        return push({PickleKind::Text, 0, take(number(4)), {}}), true;
      case 'c':
        return pushName(), true;
      case 'q':
      case 'r':
        return memo_[number(operation == 'q' ? 1 : 4)] = (top(), stack_.back()), true;
      case 'h':
      case 'j': {
        const auto kept = memo_.find(number(operation == 'h' ? 1 : 4));
        if (kept == memo_.end()) refuse({say::pickleOperation, begin_});
        return stack_.push_back(kept->second), true;
      }
      default:
        return false;
    }
  }

  // Handles operations that make one value of several.
  bool gathers(char operation) {
    switch (operation) {
      case '\x85':
      case '\x86':
      case '\x87': {  // TUPLE1 to TUPLE3
        std::vector<std::size_t> items(static_cast<std::size_t>(operation - '\x84'));
        for (std::size_t i = items.size(); i-- > 0;) items[i] = pop();
        return push({PickleKind::Tuple, 0, {}, std::move(items)}), true;
      }
      case 't':
        return push({PickleKind::Tuple, 0, {}, popToMark()}), true;
      case 'a':
        return add({pop()}, PickleKind::List), true;
      case 'e':
        return add(popToMark(), PickleKind::List), true;
      case 's': {
        const std::size_t item = pop(), key = pop();
        return add({key, item}, PickleKind::Dict), true;
      }
      case 'u':
        return add(popToMark(), PickleKind::Dict), true;
      case 'R':
        return call(), true;
      case 'b':
        return build(), true;
      default:
        return false;
    }
  }

  void add(const std::vector<std::size_t>& items, PickleKind to) {
    if (top().kind != to || (to == PickleKind::Dict && items.size() % 2 != 0)) refuse({say::pickleOperation, begin_});
    if (top().items.size() + items.size() > kMostValues) refuse(say::pickleTooMuch);
    top().items.insert(top().items.end(), items.begin(), items.end());
  }
  // Makes an array without content, or a type.
  void call() {
    const std::size_t arguments = pop(), called = pop();
    const std::string_view name = values_[called].kind == PickleKind::Name ? values_[called].text : "";
    const std::vector<std::size_t>& given = values_[arguments].items;
    if (name == "_reconstruct") return push({PickleKind::Array, 0, {}, {}});
    if (name != "dtype" || given.empty()) refuse({say::pickleOperation, begin_});
    push({PickleKind::Type, 0, values_[given[0]].text, {}});
  }
  // Sets an array's state: version, shape, type, order, bytes. For single bytes, a type's state is irrelevant.
  void build() {
    const PickleValue& state = values_[pop()];
    if (top().kind == PickleKind::Type) return;
    if (top().kind != PickleKind::Array || state.items.size() != 5) refuse({say::pickleOperation, begin_});
    const PickleValue &order = values_[state.items[3]], &content = values_[state.items[4]];
    if (order.number != 0 || content.kind != PickleKind::Text) refuse(say::pickleNoData);
    top().text = content.text;
    top().items = {state.items[1], state.items[2]};
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0, begin_ = 0;  // the next byte; the start of the present operation
  std::vector<PickleValue> values_;
  std::vector<std::size_t> stack_, marks_;
  std::map<std::uint64_t, std::size_t> memo_;
};

}  // namespace

PickledBatch parsePickledBatch(std::span<const std::uint8_t> bytes, const std::string& name) {
  PickleReader reader(bytes, name);
  const PickleValue& dict = reader.read();
  const PickleValue *data = reader.find(dict, "data"), *labels = reader.find(dict, "labels");
  if (data == nullptr || data->kind != PickleKind::Array || data->items.size() != 2) reader.refuse(say::pickleNoData);
  const PickleValue &shape = reader.value(data->items[0]), &type = reader.value(data->items[1]);
  if (shape.items.size() != 2 || type.kind != PickleKind::Type || type.text != "u1") reader.refuse(say::pickleNoData);
  const std::int64_t count = reader.value(shape.items[0]).number;
  if (count < 1 || reader.value(shape.items[1]).number != kImageBytes || std::ssize(data->text) != count * kImageBytes)
    reader.refuse(say::pickleNoData);
  if (labels == nullptr || labels->kind != PickleKind::List || std::ssize(labels->items) != count)
    reader.refuse(say::pickleNoLabels);

  PickledBatch batch;
  for (std::size_t i = 0; i < labels->items.size(); ++i) {
    const PickleValue& label = reader.value(labels->items[i]);
    if (label.kind != PickleKind::Number || label.number < 0 || label.number > 9)
      reader.refuse({say::badLabel, static_cast<std::int64_t>(i), label.number});
    batch.labels.push_back(static_cast<std::uint8_t>(label.number));
  }
  batch.data = {reinterpret_cast<const std::uint8_t*>(data->text.data()), data->text.size()};
  return batch;
}

}  // namespace lab
