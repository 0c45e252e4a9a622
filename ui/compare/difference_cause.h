// SPDX-License-Identifier: GPL-3.0-or-later
// What made the weights of two runs differ in a step, after which they differ and before which they did not: other
// images, older weights, a gradient, a message of the aggregation, the update. Found in the two records alone. Pure
// functions.
#pragma once

#include <QString>

#include <cstdint>

#include "ui/compare/counterpart.h"
#include "ui/playback/story.h"

namespace lab {

struct DifferenceCause {
  enum class What {
    Nothing,   // the weights are the same
    Earlier,   // they differed before the step
    Edited,    // a value was changed by hand in it
    Images,    // the step is of other images
    Pulled,    // a worker computed with older weights
    Gradient,  // of one replica, from equal weights and images
    Message,   // of the aggregation: a sum is made that the other run never has
    Sum,       // the same gradients are added otherwise, without a message that could be named
    Update,    // made of the same sum
  };
  What what = What::Nothing;
  int replica = -1;            // of Edited, Pulled, Gradient
  int span = -1;               // of Pulled and Message: the transfer, in the lane's record; -1: in an earlier step's
  std::int64_t element = 0;    // of the flat buffer: the first that differs; of Gradient to Update
  float value = 0, other = 0;  // what the lane has there, what the other run has
};

// `step` is told apart from `base`; both have shown the same step.
DifferenceCause differenceCause(const StepOf& step, const StepOf& base);
// A sentence: which message from whom to whom, of which variable.
QString differenceWords(const DifferenceCause& cause, const StepOf& step, const QString& base);
// "dense/kernel[141394]": without separators, which would read as those of several dimensions.
QString valueName(const RunInfo& info, std::int64_t element);
// The moment of the step's story at which it is done.
double differenceSeconds(const DifferenceCause& cause, const StepOf& step, const Story& story);

}  // namespace lab
