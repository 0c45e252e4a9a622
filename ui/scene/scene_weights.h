// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of the weights: the update of each copy, the comparison of the copies, and how far the copies of
// asynchronous workers are from the servers'.
#pragma once

#include <QCoreApplication>

#include <vector>

#include "ui/scene/scene_equations.h"

namespace lab {

class SceneWeights : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneWeights)

 public:
  SceneWeights(const ScenePart& part, SceneEquations& equations, const SceneBuffers& buffers)
      : ScenePart(part), equations_(equations), buffers_(buffers) {}

  void addUpdate();
  void addComparison();
  void addStaleCopies();
  void addVerdict();  // signs between the columns: whether the copies are equal

 private:
  using Reach = SceneEquations::Reach;
  double shownDuring(BeatKind kind) const;
  double updated(int endpoint) const;
  void addChain(int endpoint, double opacity);
  std::vector<EquationLine> copyLines(int replica, Reach reach = Reach::OverBuffer) const;
  void addCopy(int replica, double opacity, bool laid);
  QStringList differenceWords(int replica, bool known) const;
  bool isCompared() const;  // true if the difference between the copies is shown

  SceneEquations& equations_;
  const SceneBuffers& buffers_;
};

}  // namespace lab
