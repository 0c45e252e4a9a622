// SPDX-License-Identifier: GPL-3.0-or-later
// The images: the global batch, how it is distributed, and the trays, with the network's answers.
#pragma once

#include <QCoreApplication>

#include <cstddef>

#include "ui/scene/scene_part.h"

namespace lab {

class SceneBatch : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneBatch)

 public:
  explicit SceneBatch(const ScenePart& part) : ScenePart(part) {}

  void addGround();  // words, and the places of the images
  void addDigits();

 private:
  void addHandedOut(const QRectF& box);
  void addAnswer(const QRectF& box, int replica, std::size_t index);
};

}  // namespace lab
