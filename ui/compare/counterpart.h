// SPDX-License-Identifier: GPL-3.0-or-later
// The same object in another lane: the same image wherever it was distributed to, the same layer, gradient or copy of
// the weights; and its numbers, to be held side by side. Pure functions of two recorded steps.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/scene/object.h"

namespace lab {

struct StepOf {
  const RunInfo& info;
  const StepRecord& record;
};

// None where the other has no such object. What belongs to a replica that the other does not have is its only one's,
// where it has one.
Object counterpartOf(const Object& object, const StepOf& here, const StepOf& there);

struct PointedFigure {
  enum class Unit { Number, Nanoseconds, Class };
  QString name;
  double value = 0;
  Unit unit = Unit::Number;
};
// Empty where the object has none, or the step does not have it.
std::vector<PointedFigure> pointedFigures(const Object& object, const StepOf& step);
QString textOf(const PointedFigure& figure);
QString differenceText(const PointedFigure& figure, const PointedFigure& base);  // "" of classes

}  // namespace lab
