// SPDX-License-Identifier: GPL-3.0-or-later
// One moment of a step as a flat list of things to draw, back to front. A pure function of the step's record, the
// moment and the size. The painter draws the scene, hit-testing searches it, and the tests read it.
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
#include "ui/step/object.h"
#include "ui/step/step_index.h"
#include "ui/step/value_map.h"

namespace lab {

class BaseStep;

struct Item {
  enum class Shape {
    Frame,   // around a host's devices
    Panel,   // a device
    Tray,    // where a replica's share of the batch lies
    Digit,   // an example's image; `strong`: the image that the zoomed replica shows
    Answer,  // what the network predicts for an image: row `level` of `values`, a bar for each class, and the likeliest
             // class's name
    Layer,   // a layer; `glow` while it computes, `level` of it done, or below 0 where progress is shown otherwise
    Cell,    // a piece of a gradient buffer; `level`: the share of the replicas that it contains
    Token,   // a piece of gradients in transit
    Weights,  // a copy of the weights: a badge, or in transit
    Link,     // a link
    Block,    // a variable on a shard, `level` wide
    Chip,     // a short text on its own background
    Text,
    Hatch,    // nothing to do: waiting
    Scale,    // the legend of the colours: all of them in `picture`, its words before it
    Bar,      // a bar of a histogram, `level` high
    Outline,  // only an edge, around what the user looks at or what has just arrived
    Term,     // a line of an equation: its picture, of which the share `level` is drawn, and its words
    Edge,     // where one variable ends and the next begins
  };
  Shape shape = Shape::Text;
  QRectF box;
  QPainterPath path;  // for a Link
  Object object;
  int owner = -1;  // the replica whose hue the item has; -1: ink, as it belongs to no replica
  double level = 0;
  double glow = 0;     // 0 to 1
  double opacity = 1;  // 0 to 1
  QString text;
  double fontPx = 0;
  bool bold = false, quiet = false, strong = false;
  bool covers = false;  // the outlines of items under this one end at its edge
  Qt::Alignment align = Qt::AlignCenter;
  std::int64_t example = -1;  // for a Digit: its number in the training examples
  std::int64_t bytes = 0;     // for an item in transit
  Values values;              // the item's values as a picture; null: drawn without one
  QRectF picture;             // where that picture lies; empty: all over the box
  Values apart;               // where `values` differ from those of the run compared with; null: nowhere
  bool isApart = false;       // the item's text differs from that of the run compared with

  bool operator==(const Item&) const = default;
};

struct Scene {
  QSizeF size;
  double px = 12;
  std::vector<Item> items;
  std::size_t standing = 0;  // the first `standing` items do not move; the later ones travel or lie above the others

  // Returns the topmost object at a point, or none if there is nothing to point at.
  Object objectAt(const QPointF& point) const;
};

// The mean losses of a finished epoch: the mean over its steps, as a custom loop prints it, and the mean over its
// images, as fit prints it.
struct EpochMeans {
  std::int64_t steps = 0;  // how many steps are known; 0: none
  double ofSteps = 0, ofImages = 0;
};

struct SceneInput {
  const StepIndex& step;
  const StageLayout& layout;
  const Story& story;
  double seconds = 0;
  std::span<const std::int64_t> stalenessCounts;  // over all steps so far: [staleness] = number of updates
  const EvalMetric* evaluation = nullptr;         // after this step; null: not known
  EpochMeans epoch{};                             // the epoch that ends with this step
  bool dividesWrongly = false;                    // shows losses as they would be if divided by each replica's own
                                                  // batch
  struct Look {                                   // what the user looks at in the zoomed replica
    std::size_t image = 0;                        // its position in the replica's shard
    std::optional<QPointF> pointer;               // the value under the pointer is explained
    Object chosen;                                // without a pointer, this unit's value is explained, if the object is
                                                  // a unit
  } look{};
  double amplified = 1;  // factor for the difference of copies, when they are compared
  int lostWorker = -1;   // a real process that was killed after the run's last step; shown at any moment; -1: none
  std::int64_t lostAfter = 0;      // the last step before that process was killed
  const BaseStep* base = nullptr;  // the step that this one is compared with; null: none
  std::vector<int> left{};         // workers of a class that have left since this step
};

Scene makeScene(const SceneInput& input);

}  // namespace lab
