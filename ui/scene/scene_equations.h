// SPDX-License-Identifier: GPL-3.0-or-later
// Computations, written as equations of pictures over what a replica holds, one line under the other in the order of
// the buffer: their ground, their lines and the names of their terms.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ui/scene/scene_columns.h"
#include "ui/scene/scene_servers.h"

namespace lab {

inline constexpr double kSinkS = 0.4;  // how long the terms take to sink into the sum, when the clock goes on

struct EquationLine {
  QRectF label, picture;
};
// The alignment of a picture's words in their label, and that of the text at the label's other end.
std::pair<Qt::Alignment, Qt::Alignment> sidesOf(const QRectF& label, const QRectF& picture);

class SceneEquations : private ScenePart {
 public:
  enum class Reach { ToLoss, ToBuffer, OverBuffer };  // how far down an equation covers a replica

  SceneEquations(const ScenePart& part, SceneColumns& columns, SceneBuffers& buffers, SceneServers& servers)
      : ScenePart(part), columns_(columns), buffers_(buffers), servers_(servers) {}

  QRectF room(int endpoint, Reach reach = Reach::ToBuffer) const;
  QRectF stripOf(int endpoint) const;
  std::vector<EquationLine> linesIn(const QRectF& room, std::size_t count, double most, bool closing) const;
  // `named`: below OverBuffer's lines stands whose variables they show.
  void addGround(int endpoint, const Object& object, double opacity, Reach reach, bool named = true);
  void nameTerm(std::size_t term, const QRectF& label, const QStringList& forms, double opacity);
  Item& addVariables(const EquationLine& line, const Values& values, const Object& object, const QStringList& forms,
                     double opacity, bool edged = true);

 private:
  QRectF ground(int endpoint, Reach reach) const;

  SceneColumns& columns_;
  SceneBuffers& buffers_;
  SceneServers& servers_;
};

}  // namespace lab
