// SPDX-License-Identifier: GPL-3.0-or-later
// Devices that hold variables for others: central storage's one copy, and the variable shards of parameter servers,
// shown with their real, unequal sizes.
#pragma once

#include <QCoreApplication>

#include <algorithm>

#include "ui/scene/scene_part.h"

namespace lab {

class SceneServers : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneServers)

 public:
  explicit SceneServers(const ScenePart& part) : ScenePart(part) {}

  void add();
  QRectF roomIn(const QRectF& box) const;  // the part of a server's box below its first line, beside its badge
  void nameCentral(const QRectF& line);

 private:
  double badgeWidth(const QRectF& box) const { return std::min(4.4 * px_, 0.42 * box.width()); }  // many are narrow
  QRectF addServer(const QRectF& box, const Object& object, BeatKind update, const QStringList& words);
  void addShard(int server);
  void addCentral();
  QStringList centralNames() const;
};

}  // namespace lab
