// SPDX-License-Identifier: GPL-3.0-or-later
// Why the weights of two runs begin to differ in a step, when they were equal before it: other images, older weights, a
// gradient, a transfer of the aggregation, or the update. Uses only the two records. Pure functions.
#pragma once

#include <QString>

#include <cstdint>

#include "ui/lanes/counterpart.h"
#include "ui/playback/story.h"

namespace lab {

struct DifferenceCause {
  enum class What {
    Nothing,   // the weights are the same
    Earlier,   // they already differed before the step
    Edited,    // a value was changed by hand in the step
    Images,    // the step used other images
    Pulled,    // a worker computed with older weights
    Gradient,  // one replica's gradient, from equal weights and images
    Transfer,  // a transfer of the aggregation makes a sum that the other run never has
    Sum,       // the same gradients are added in another order, but no single transfer can be named
    Update,    // the update, from the same sum
  };
  What what = What::Nothing;
  int replica = -1;            // for Edited, Pulled, Gradient
  int span = -1;               // for Pulled and Transfer: the transfer in the lane's record; -1: in an earlier step's
  std::int64_t element = 0;    // for Gradient to Update: the first element of the flat buffer that differs
  float value = 0, other = 0;  // the element's value in the lane and in the other run
};

// How `step` differs from `base`; both are the same step.
DifferenceCause differenceCause(const StepOf& step, const StepOf& base);
// A sentence: which transfer from whom to whom, of which variable.
QString differenceWords(const DifferenceCause& cause, const StepOf& step, const QString& base);
// "dense/kernel[141394]": without thousands separators, which would look like several dimensions.
QString valueName(const RunInfo& info, std::int64_t element);
// The moment of the step's story at which the cause happens.
double differenceSeconds(const DifferenceCause& cause, const StepOf& step, const Story& story);

}  // namespace lab
