// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand on the stage. The layout depends only on the run and the size, so it is the same at every moment
// of every step. Replicas are columns; transfers between them run in the band below, and servers stand below the band.
#pragma once

#include <QRectF>

#include <vector>

#include "core/base/at.h"
#include "core/training/trainer.h"

namespace lab {

// With more replicas than this, several share a column.
inline constexpr int kMostColumns = 16;
// The middle of the line above the batch, as a share of the width: text about the batch is centred here. Text about the
// run ("Paused at step 25") stands at the left of the same line.
inline constexpr double kBatchWords = 0.44;

struct StageColumn {
  int first = 0, count = 1;  // replicas
  int host = 0;
  bool flat = false;   // the layers stand side by side, not one above the other
  bool brief = false;  // a small column beside the zoomed replica: only its name, weights and gradient
  QRectF box, header, tray, badge, layers, loss;
  QRectF names;                // the names of variables, below the gradient; empty if there is no room
  std::vector<QRectF> strips;  // the gradient buffer of each replica
};

struct StageLayout {
  QSizeF size;
  double px = 12;  // the height of ordinary text; all other sizes are multiples of this one
  int perColumn = 1;
  int zoomed = -1;  // the replica whose network fills the stage; -1: all replicas stand side by side
  QRectF image;     // the image that the zoomed replica shows
  QRectF back;      // the button that leads back to all replicas
  double gapX = 0;  // x in the gap between the zoomed replica and the others, where transfers between them pass
  QRectF top;       // one line: what is running, and the clock
  QRectF batch;     // the global batch, or the coordinator
  QRectF band;      // where gradients travel
  QRectF caption;
  bool farCaption = false;  // the caption's words are larger, so that the last row of a class can read them
  std::vector<StageColumn> columns;
  std::vector<QRectF> frames;   // around the columns of each host, if there are several hosts or a board
  std::vector<QRectF> servers;  // parameter devices

  bool narrow() const { return size.width() < 76 * px; }
  const StageColumn& columnOf(int replica) const { return at(columns, replica / perColumn); }
  QRectF strip(int replica) const { return at(columnOf(replica).strips, replica % perColumn); }
  // Whether words fit beside the batch, or beside a coordinator that stands in its place.
  bool hasRoomBesideBatch() const { return size.width() >= 66 * px; }
};

// `leastText`: the height in pixels that ordinary words should have; the layout is made denser to reach this height, as
// long as everything still has a place. 0: as large as fits into a loose layout.
// `zoomed`: the replica that fills the stage, with the others small beside it; -1: none.
StageLayout layoutStage(const RunInfo& info, QSizeF size, double leastText = 0, int zoomed = -1);

}  // namespace lab
