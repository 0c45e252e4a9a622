// SPDX-License-Identifier: GPL-3.0-or-later
// When a lesson's page is done: a small language over the table of facts.
//   replicas = 4 and (seen(aggregate) or step >= 2) and not playing
// Comparisons are = != < <= > >= with a number or a word. Evaluation never fails: unknown facts count as false.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/facts.h"

namespace lab {

class Condition {
 public:
  // Parses a text. If it is invalid, returns an empty condition and sets `why`.
  static Condition parse(std::string_view text, Message& why);
  bool empty() const { return nodes_.empty(); }
  bool holds(const FactSource& source) const;
  std::vector<FactCall> calls() const;  // all facts that it uses

 private:
  friend class ConditionReader;
  enum class Op { And, Or, Not, Flag, Equal, Unequal, Less, LessEqual, Greater, GreaterEqual };
  struct Node {
    Op op = Op::Flag;
    int left = -1, right = -1;  // of And, Or, Not
    FactCall call;
    double number = 0;
    std::string word;
  };
  bool holds(int node, const FactSource& source) const;

  std::vector<Node> nodes_;  // the root is the last
};

}  // namespace lab
