// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/condition.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/config/run_settings.h"
#include "core/lesson/messages.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

constexpr int kDeepest = 40;             // nested parentheses
constexpr std::size_t kMostParts = 200;  // of a condition: 'a or b or c' is a tree that is as deep as it is long

std::vector<std::string> strategyKeys() {
  std::vector<std::string> keys;
  for (const StrategyInfo& info : strategies()) keys.push_back(info.key);
  return keys;
}

}  // namespace

class ConditionReader {
 public:
  explicit ConditionReader(std::string_view text) : text_(text) { next(); }

  Condition read(Message& why) {
    either(0);
    if (why_.empty() && !token_.empty()) fail({say::lessonConditionRest, token_});
    why = why_;
    if (!why_.empty()) condition_.nodes_.clear();
    return std::move(condition_);
  }

 private:
  using Op = Condition::Op;

  void fail(const Message& why) {
    if (why_.empty()) why_ = why;
    text_ = {};
    token_.clear();
  }
  static bool isSign(char c) { return c == '=' || c == '!' || c == '<' || c == '>'; }
  static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n'; }

  // Reads a parenthesis, a sign, or a word with its argument.
  void next() {
    while (!text_.empty() && isSpace(text_.front())) text_.remove_prefix(1);
    std::size_t end = 0;
    if (text_.empty()) {
      token_.clear();
      return;
    }
    if (text_.front() == '(' || text_.front() == ')') {
      end = 1;
    } else if (isSign(text_.front())) {
      while (end < text_.size() && isSign(text_[end])) ++end;
    } else {
      const auto ends = [](char c) { return isSpace(c) || isSign(c) || c == '(' || c == ')'; };
      while (end < text_.size() && !ends(text_[end])) ++end;
      const bool connects =
          text_.substr(0, end) == "not" || text_.substr(0, end) == "and" || text_.substr(0, end) == "or";
      if (end < text_.size() && text_[end] == '(' && !connects)
        end = std::min(text_.find(')', end), text_.size() - 1) + 1;
    }
    token_ = text_.substr(0, end);
    text_.remove_prefix(end);
  }

  int add(Condition::Node node) {
    if (condition_.nodes_.size() >= kMostParts) fail({say::lessonConditionLong, std::int64_t{kMostParts}});
    condition_.nodes_.push_back(std::move(node));
    return static_cast<int>(condition_.nodes_.size()) - 1;
  }
  int both(Op op, int left, int right) {
    Condition::Node node;
    node.op = op;
    node.left = left;
    node.right = right;
    return add(std::move(node));
  }
  int either(int depth) {
    int left = all(depth);
    while (token_ == "or") {
      next();
      left = both(Op::Or, left, all(depth));
    }
    return left;
  }
  int all(int depth) {
    int left = one(depth);
    while (token_ == "and") {
      next();
      left = both(Op::And, left, one(depth));
    }
    return left;
  }
  int one(int depth) {
    if (depth > kDeepest) fail({say::lessonConditionDeep});
    if (token_ == "not") {
      next();
      return both(Op::Not, one(depth + 1), -1);
    }
    if (token_ == "(") {
      next();
      const int inner = either(depth + 1);
      if (why_.empty() && token_ != ")") fail({say::lessonConditionOpen});
      next();
      // The last node is the root.
      return inner;
    }
    return comparison();
  }
  int comparison() {
    Condition::Node node;
    if (token_.empty()) fail({say::lessonConditionEnds});
    Message why;
    if (why_.empty() && !parseFactCall(token_, node.call, why)) fail(why);
    if (!why_.empty()) return add(std::move(node));
    next();
    const std::optional<Op> op = opOf(token_);
    const bool flag = node.call.name->kind == FactName::Kind::Flag;
    if (flag && !op) return add(std::move(node));
    if (flag || !op) {
      fail({flag ? say::lessonFlagCompared : say::lessonNotCompared, node.call.name->name});
      return add(std::move(node));
    }
    node.op = *op;
    next();
    value(node);
    next();
    return add(std::move(node));
  }
  static std::optional<Op> opOf(std::string_view sign) {
    constexpr std::pair<std::string_view, Op> kSigns[]{{"=", Op::Equal},   {"!=", Op::Unequal},
                                                       {"<", Op::Less},    {"<=", Op::LessEqual},
                                                       {">", Op::Greater}, {">=", Op::GreaterEqual}};
    for (const auto& [name, op] : kSigns)
      if (name == sign) return op;
    return std::nullopt;
  }
  void value(Condition::Node& node) {
    if (token_.empty()) return fail({say::lessonConditionEnds});
    const std::string name = node.call.name->name;
    if (node.call.name->kind == FactName::Kind::Number) {
      const auto number = parseNumber<double>(token_);
      if (!number || !std::isfinite(*number)) return fail({say::lessonWantsNumber, name, token_});
      node.number = *number;
      return;
    }
    if (node.op != Op::Equal && node.op != Op::Unequal) return fail({say::lessonWordOrder, name});
    node.word = token_;
    if (name == "setting") {
      try {
        RunSettings config;
        const ConfigField& field = configField(node.call.argument);
        field.set(config, node.word);
        node.word = field.get(config);
      } catch (const UserError& error) {
        fail(error.message());
      }
      return;
    }
    std::vector<std::string> known;
    if (name == "strategy") known = strategyKeys();
    if (name == "beat") known.assign(beatNames().begin(), beatNames().end());
    if (name == "workspace") known.assign(workspaceNames().begin(), workspaceNames().end());
    if (!known.empty() && std::ranges::find(known, node.word) == known.end())
      fail(unknownName({say::verbatimName, name}, node.word, known));
  }

  std::string_view text_;
  std::string token_;
  Condition condition_;
  Message why_;
};

Condition Condition::parse(std::string_view text, Message& why) {
  return ConditionReader(text).read(why);
}

std::vector<FactCall> Condition::calls() const {
  std::vector<FactCall> calls;
  for (const Node& node : nodes_)
    if (node.call.name != nullptr) calls.push_back(node.call);
  return calls;
}

bool Condition::holds(const FactSource& source) const {
  return !nodes_.empty() && holds(static_cast<int>(nodes_.size()) - 1, source);
}

bool Condition::holds(int index, const FactSource& source) const {
  const Node& node = at(nodes_, index);
  if (node.op == Op::And) return holds(node.left, source) && holds(node.right, source);
  if (node.op == Op::Or) return holds(node.left, source) || holds(node.right, source);
  if (node.op == Op::Not) return !holds(node.left, source);
  const Fact fact = source.fact(node.call);
  if (node.op == Op::Flag) return std::holds_alternative<bool>(fact) && std::get<bool>(fact);
  if (const auto* word = std::get_if<std::string>(&fact)) return (*word == node.word) == (node.op == Op::Equal);
  const auto* number = std::get_if<double>(&fact);
  if (number == nullptr) return false;
  switch (node.op) {
    case Op::Equal:
      return *number == node.number;
    case Op::Unequal:
      return *number != node.number;
    case Op::Less:
      return *number < node.number;
    case Op::LessEqual:
      return *number <= node.number;
    case Op::Greater:
      return *number > node.number;
    default:
      return *number >= node.number;
  }
}

}  // namespace lab
