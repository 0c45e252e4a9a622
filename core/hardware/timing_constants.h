// SPDX-License-Identifier: GPL-3.0-or-later
// The timing model's constants that belong to no device and no link; each is a row of resources/timing-constants.csv
// with its unit and its source. A user's file may replace values but cannot add keys, because nothing would read them.
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
  // `csv` has the columns key, value, unit, source. Throws a UserError naming the row that is wrong.
  static TimingConstants parse(std::string_view csv, const std::string& name);
  // Returns these constants with the other table's values. Throws a UserError for a key that this table lacks.
  TimingConstants mergedWith(const TimingConstants& other, const std::string& name) const;

  double operator[](std::string_view key) const;  // a missing key is a broken invariant
  const std::vector<TimingConstant>& rows() const { return rows_; }

 private:
  std::vector<TimingConstant> rows_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

}  // namespace lab
