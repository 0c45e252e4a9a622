// SPDX-License-Identifier: GPL-3.0-or-later
// The timing model compared with published measurements: scaling rows (one training run at several sizes) and
// collective rows (one all-reduce at several message sizes). Each scaling row is calibrated at its first point alone; a
// prediction reads neither a row's note nor any further measured value, and its id only to group its points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/hardware/catalogue.h"
#include "core/hardware/timing_constants.h"
#include "core/timing/error_band.h"

namespace lab {

struct ValidationPoint {
  std::string id;
  int point = 0;  // as in the file, or the line's number within its id
  bool calibrating = false;
  std::string quality;  // "A", "B"; "" in a collective file
  std::string method;
  int devices = 0;
  bool batchSweep = false;  // the row's number of devices stays that of the calibrating point: only the order counts
  double predicted = 0, measured = 0;
  std::string unit;
  std::string setting;  // device, devices, hosts, model, precision, batch: rows alike in these are compared by method
  BoundBy bound = BoundBy::Compute;  // bottleneck of the predicted step; scaling rows only
  double linear = 0;  // what perfect linear scaling from the calibrating point predicts; 0 in a collective file
  double error() const { return predicted / measured - 1; }
  bool hard() const;  // linear scaling misses it by more than 10 %
};
struct SkippedPoint {
  std::string id;
  int point = 0;
  Message reason;
};
struct ValidationSummary {
  int points = 0;
  double median = 0, mean = 0, p75 = 0, p90 = 0;  // of |error|
};
// Tells which of two rows is faster that differ only in the method, at a point of equal size. Rows that are closer than
// one source's own repeats (validation.repeat_share) have no order that a measurement could show.
struct OrderCheck {
  std::string first, second;  // ids
  int devices = 0;
  double measuredRatio = 0, predictedRatio = 0;
  bool tie = false;
  bool right() const { return (measuredRatio > 1) == (predictedRatio > 1); }
};

struct Validation {
  bool collective = false;
  std::vector<ValidationPoint> points;  // all predicted points, including calibrating ones
  std::vector<SkippedPoint> skipped;
  std::vector<OrderCheck> orders;
  // Over all points except the calibrating ones.
  ValidationSummary all;
  // Over points of quality A that are not in batch sweeps: all of them, and the hard ones.
  ValidationSummary scored, hard;
};

// Recognises the file's kind by its columns. Throws a UserError if it is neither kind.
Validation validateRows(std::string_view csv, const std::string& name, const Catalogue& catalogue,
                        const TimingConstants& constants);

// Returns a quantile of values in rising order, at least one; interpolates between the two nearest ranks, as numpy does
// by default.
double quantile(const std::vector<double>& sorted, double share);
ValidationSummary summarize(std::vector<double> errors);  // signed; empty gives zeros

}  // namespace lab
