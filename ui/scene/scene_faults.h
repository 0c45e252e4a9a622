// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks that are dead or absent: marks on their boxes, with when and how they died.
#pragma once

#include <QCoreApplication>

#include "ui/scene/scene_part.h"

namespace lab {

class SceneFaults : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneFaults)

 public:
  explicit SceneFaults(const ScenePart& part) : ScenePart(part) {}

  void addDead();
  void addLost();  // a real process that no record mentions
  void addAbsent();

 private:
  int firstReplicaOf(const DeadTask& worker) const;
  QRectF boxOf(const DeadTask& dead) const;
  Object objectOf(const DeadTask& dead) const;
  void addHatch(const QRectF& box, const Object& object);  // over all that is there
  Item& addMark(const QRectF& box, double top, double height, const QStringList& forms);
};

}  // namespace lab
