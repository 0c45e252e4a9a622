// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a trace: rows with their names and bars, arrows and axis. It is painted anew only when its contents
// have changed; the mark of the present moment moves above it.
#pragma once

#include <QPixmap>

#include <cstddef>
#include <functional>
#include <vector>

#include "ui/trace/trace_arrows.h"
#include "ui/trace/trace_axis.h"
#include "ui/trace/trace_tracks.h"

class QAbstractScrollArea;

namespace lab {

class TracePicture {
 public:
  // All of them outlive it.
  TracePicture(const QAbstractScrollArea& area, const TraceAxis& axis, const TraceTracks& tracks,
               const TraceArrows& arrows, const ChosenBars& chosen)
      : area_(area), axis_(axis), tracks_(tracks), arrows_(arrows), chosen_(chosen) {}

  // Null: nothing. A new timeline has no marks.
  void setTimeline(const Timeline* timeline) {
    timeline_ = timeline;
    markedBars_ = markedTracks_ = {};
  }
  // Which spans and tracks of the timeline belong to the selected object; either may be null. True if others did
  // before.
  bool setMarks(const std::function<bool(std::size_t)>& span, const std::function<bool(int)>& track);
  void clear() { picture_ = {}; }  // after a change of what it shows
  void paint(QPainter& painter);   // there is a timeline

 private:
  QPixmap make() const;
  void paintAll(QPainter& painter) const;
  void paintBars(QPainter& painter, const TraceRow& row, int track, const QRectF& strip) const;
  void paintWords(QPainter& painter, const Span& bar, const QRectF& room) const;
  void paintName(QPainter& painter, const TraceRow& row, const QRectF& place) const;
  bool isMarked(const TraceRow& row, std::size_t bar) const;
  bool isBarMarked(std::size_t bar) const { return bar < markedBars_.size() && markedBars_[bar]; }
  bool isTrackMarked(const TraceRow& row) const;

  const QAbstractScrollArea& area_;
  const TraceAxis& axis_;
  const TraceTracks& tracks_;
  const TraceArrows& arrows_;
  const ChosenBars& chosen_;
  const Timeline* timeline_ = nullptr;
  std::vector<bool> markedBars_, markedTracks_;  // of the timeline; empty: none
  QPixmap picture_;
};

}  // namespace lab
