// SPDX-License-Identifier: GPL-3.0-or-later
// One moment of a step as a flat list of things to draw, back to front. A pure function of the step's record, the
// moment and the size: the painter draws it, hits are found in it, and the tests read it.
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ui/playback/story.h"
#include "ui/scene/layout.h"
#include "ui/scene/object.h"
#include "ui/scene/step_index.h"
#include "ui/scene/value_map.h"

namespace lab {

class BaseStep;

struct Item {
  enum class Shape {
    Frame,   // around a host's devices
    Panel,   // a device
    Tray,    // where a replica's share of the batch lies
    Digit,   // an example's image; `strong`: the one that is looked at
    Answer,  // what the network says of it: the row `level` of `values`, a bar for each class, and the likeliest's name
    Layer,   // a layer; `glow` while it computes, `level` of it done where that is not seen otherwise, else below 0
    Cell,    // a piece of a gradient buffer; `level` of the replicas are in it
    Token,   // a piece of gradients on its way
    Weights,  // a copy of the weights: a badge, or on its way
    Link,     // a link
    Block,    // a variable on a shard, `level` wide
    Chip,     // a short text on a ground of its own
    Text,
    Hatch,    // nothing to do: waiting
    Scale,    // what colours stand for: all of them in `picture`, its words before it
    Bar,      // of a histogram, `level` high
    Outline,  // of what is looked at, or has just come: its edge alone
    Term,     // a line of an equation: its picture, of which the part `level` is there, and its words
    Edge,     // where one variable ends and the next begins
  };
  Shape shape = Shape::Text;
  QRectF box;
  QPainterPath path;  // of a Link
  Object object;
  int owner = -1;  // the replica whose hue it has; -1: ink, nobody's
  double level = 0;
  double glow = 0;     // 0 to 1
  double opacity = 1;  // 0 to 1
  QString text;
  double fontPx = 0;
  bool bold = false, quiet = false, strong = false;
  bool covers = false;  // outlines of what lies under it end at its edge
  Qt::Alignment align = Qt::AlignCenter;
  std::int64_t example = -1;  // of a Digit: number in the training examples
  std::int64_t bytes = 0;     // of what is on its way
  Values values;              // what is in it, as a picture; null: drawn without
  QRectF picture;             // where that lies; empty: all over the box
  Values apart;               // where `values` are other than those of the run that is compared with; null: nowhere
  bool isApart = false;       // what it says is

  bool operator==(const Item&) const = default;
};

struct Scene {
  QSizeF size;
  double px = 12;
  std::vector<Item> items;
  std::size_t standing =
      0;  // so many of them, the first, stand where they are; from there on they travel, or lie above

  // The topmost object there; none where there is nothing to point at.
  Object objectAt(const QPointF& point) const;
};

// The mean of an epoch's losses, when it is over: of its steps, as a custom loop prints it, and of its images, as fit
// does.
struct EpochMeans {
  std::int64_t steps = 0;  // that are known; 0: none
  double ofSteps = 0, ofImages = 0;
};

struct SceneInput {
  const StepIndex& step;
  const StageLayout& layout;
  const Story& story;
  double seconds = 0;
  std::span<const std::int64_t> stalenessCounts;  // of all steps so far: [staleness] = how many updates
  const EvalMetric* evaluation = nullptr;         // after this step; null: not known
  EpochMeans epoch{};                             // that ends with this step
  bool dividesWrongly = false;                    // losses as they would be over each replica's own batch
  struct Look {                                   // into the zoomed replica of the layout
    std::size_t image = 0;                        // of its shard
    std::optional<QPointF> pointer;               // explains the value under it
    Object chosen;                                // else that of this unit, where it is one
  } look{};
  double amplified = 1;  // the difference of copies, when they are compared
  int lostWorker = -1;   // a real process that was killed after the run's last step, whatever the moment; -1: none
  std::int64_t lostAfter = 0;      // that step
  const BaseStep* base = nullptr;  // that this one is compared with; null: none
  std::vector<int> left{};         // workers of a class that have left since the step
};

Scene makeScene(const SceneInput& input);

}  // namespace lab
