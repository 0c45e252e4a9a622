// SPDX-License-Identifier: GPL-3.0-or-later
// The same object in another lane: the same image wherever it was distributed to, the same layer, gradient or copy of
// the weights; and its numbers, for a comparison side by side. Pure functions of two recorded steps.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/step/object.h"

namespace lab {

struct StepOf {
  const RunInfo& info;
  const StepRecord& record;
};

// Returns no object if the other lane has none like it. If the other lane lacks the replica but has only one, an object
// of the replica corresponds to that one's.
Object counterpartOf(const Object& object, const StepOf& here, const StepOf& there);

struct PointedFigure {
  enum class Unit { Number, Nanoseconds, Class };
  QString name;
  double value = 0;
  Unit unit = Unit::Number;
};
// Empty if the object has no figures, or the step does not have the object.
std::vector<PointedFigure> pointedFigures(const Object& object, const StepOf& step);
QString textOf(const PointedFigure& figure);
QString differenceText(const PointedFigure& figure, const PointedFigure& base);  // "" for classes

}  // namespace lab
