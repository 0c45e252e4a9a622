// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a scene: has each part add its items, back to front (frames and links, devices, what lies on them, what is in
// transit), and adds what stands around them.
#pragma once

#include <QCoreApplication>

#include "core/strategy/strategy.h"
#include "ui/scene/scene_columns.h"

namespace lab {

class SceneBuilder {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneBuilder)

 public:
  explicit SceneBuilder(const SceneInput& input)
      : at_(input), canvas_(input.layout), layout_(input.layout), px_(layout_.px) {}

  Scene build();

 private:
  void addFrames();
  void addTop(const SceneColumns::Header& header);
  QStringList topFacts(const StrategyInfo& strategy, const SceneColumns::Header& header) const;  // the most important
                                                                                                 // first
  bool addScales(const QRectF& line);
  void addCaption();

  const SceneMoment at_;
  SceneCanvas canvas_;
  const StageLayout& layout_;
  const double px_;
};

}  // namespace lab
