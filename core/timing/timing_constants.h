// SPDX-License-Identifier: GPL-3.0-or-later
// The timing model's constants that belong to no device and no link: each a row of resources/timing-constants.csv with
// its unit and its source. A user's file may replace values; it cannot add keys, which nothing would read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct TimingConstant {
  std::string key;  // "nccl.base.ring.ll"
  double value = 0;
  std::string unit;
  std::string source;
};

class TimingConstants {
 public:
  static const TimingConstants& builtIn();
  // `csv` has the columns key, value, unit, source. UserError naming the row that is wrong.
  static TimingConstants parse(std::string_view csv, const std::string& name);
  // With values replaced by another table's. UserError for a key that this table lacks.
  TimingConstants mergedWith(const TimingConstants& other, const std::string& name) const;

  double operator[](std::string_view key) const;  // a broken invariant if it is not there
  const std::vector<TimingConstant>& rows() const { return rows_; }

 private:
  std::vector<TimingConstant> rows_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace lab
