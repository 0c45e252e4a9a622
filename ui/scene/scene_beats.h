// SPDX-License-Identifier: GPL-3.0-or-later
// Beats in which the clock stands: the start-up, the input pipeline, the sum of the losses, an epoch's mean, the test
// step. Cards show the run's own numbers, chips show each replica's.
#pragma once

#include <QCoreApplication>

#include "ui/scene/scene_columns.h"

namespace lab {

class SceneBeats : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneBeats)

 public:
  SceneBeats(const ScenePart& part, const SceneColumns& columns) : ScenePart(part), columns_(columns) {}

  void addStartup();
  void addInput();
  void addLosses();
  void addEpoch();
  void addEvaluation();

 private:
  QRectF addStepsGround();
  QRectF cardBox() const;  // for two lines: in the batch's place, or above the columns if that is taken
  void addCard(const Object& object, const QString& line, const QString& detail, bool warns = false);
  QRectF chipBox(const StageColumn& column, const QString& words) const;
  Item& addChip(const StageColumn& column, const QRectF& box, const QString& words, const Object& object);

  const SceneColumns& columns_;
};

}  // namespace lab
