// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients that are added where they arrive: the terms of each addition, and the sum.
#pragma once

#include <QCoreApplication>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ui/scene/scene_equations.h"

namespace lab {

class SceneSums : private ScenePart {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneSums)

 public:
  SceneSums(const ScenePart& part, SceneEquations& equations) : ScenePart(part), equations_(equations) {}

  void add();
  // While the clock stands where something has been added, the next transfers would cover the sum.
  bool standsAtSum() const;
  double travelled(const Span& transfer) const;  // the share of its way, 0 to 1, before it docks
  struct Dock {
    QRectF line;
    double part = 0;  // the share of the way to the line, 0 to 1
  };
  const Dock* dockOf(std::size_t transfer) const;  // null: it ends at no line of an equation

 private:
  struct Sum {  // gradients that are added at one place at one moment
    int endpoint = 0;
    BufferRange range;
    std::int64_t endNs = 0;
    bool adds = false;                   // otherwise they replace what was there
    double docked = 0, sunk = 0;         // 0 to 1
    std::vector<std::size_t> transfers;  // in the order of the transfers
  };
  struct Place {
    std::vector<EquationLine> lines;
    QRectF piece;  // the piece of the buffer
    bool alone = false;
    double docked = 0, words = 0;  // how far the terms have arrived; the opacity of the words
    QRectF picture(std::size_t line) const;
    QRectF label(std::size_t line) const;
  };
  static constexpr double kDockAt = 0.6;  // the share of its way at which a piece turns towards its line
  void find();
  bool hasEquation(int endpoint, const BufferRange& range) const;
  QRectF pieceOf(int endpoint, const BufferRange& range) const;
  QStringList contributorNames(const Contributions& of, int inSum) const;
  void addRest(int endpoint, std::size_t lines, double opacity);
  void addSum(const Sum& sum, bool alone);
  void addEquals(const Place& place, std::size_t count, int inSum);

  SceneEquations& equations_;
  std::vector<Sum> sums_;              // the additions that are shown
  std::map<std::size_t, Dock> docks_;  // the lines of equations where transfers end
};

}  // namespace lab
