// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand on the stage: a function of the run and the size alone, the same at every moment of every step.
// Replicas are columns; what travels between them travels in the band below, to servers below that.
#pragma once

#include <QRectF>

#include <vector>

#include "core/training/trainer.h"

namespace lab {

// Beyond this many, several replicas share a column.
inline constexpr int kMostColumns = 16;
// The line above the batch: its middle, for text about the batch. At its left is text about the run
// ("Paused at step 25").
inline constexpr double kBatchWords = 0.44;

struct StageColumn {
  int first = 0, count = 1;  // replicas
  int host = 0;
  bool flat = false;   // the layers stand side by side
  bool brief = false;  // beside the zoomed replica: its name, its weights and its gradient alone
  QRectF box, header, tray, badge, layers, loss;
  QRectF names;                // of its variables, below the gradient; empty: no room
  std::vector<QRectF> strips;  // the gradient buffer of each replica
};

struct StageLayout {
  QSizeF size;
  double px = 12;  // the height of ordinary text; everything is a multiple of it
  int perColumn = 1;
  int zoomed = -1;  // the replica whose network fills the stage; -1: all stand beside each other
  QRectF image;     // of the zoomed one: the image that is looked at
  QRectF back;      // what leads back to all of them
  double lane = 0;  // the middle between it and the others, where what travels between them passes
  QRectF top;       // one line: what runs, and the clock
  QRectF batch;     // the global batch, or the coordinator
  QRectF band;      // where gradients travel
  QRectF caption;
  bool farCaption = false;  // its words are larger, for the last row of a class
  std::vector<StageColumn> columns;
  std::vector<QRectF> frames;   // around the columns of each host, where there are several or a board
  std::vector<QRectF> servers;  // parameter devices

  bool narrow() const { return size.width() < 76 * px; }
  const StageColumn& columnOf(int replica) const { return columns[static_cast<std::size_t>(replica / perColumn)]; }
  QRectF strip(int replica) const { return columnOf(replica).strips[static_cast<std::size_t>(replica % perColumn)]; }
  // Whether words fit beside the batch, or beside a coordinator that stands in its place.
  bool hasRoomBesideBatch() const { return size.width() >= 66 * px; }
};

// `leastText`: pixels that ordinary words should have; the layout gets denser for it as far as everything still has
// a place. 0: as large as fits loosely.
// `zoomed`: a replica that has the stage for itself, the others small beside it; -1: none.
StageLayout layoutStage(const RunInfo& info, QSizeF size, double leastText = 0, int zoomed = -1);

}  // namespace lab
