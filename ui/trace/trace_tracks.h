// SPDX-License-Identifier: GPL-3.0-or-later
// The tracks of a trace in its viewport: the rows that they share, the rows' names, and where bars are. Tracks that are
// alike share a row if there is no room for all. The user can separate or fold them in any room.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/at.h"
#include "ui/trace/trace_axis.h"
#include "ui/trace/trace_rows.h"

class QAbstractScrollArea;

namespace lab {

// All places are the viewport's; bars are indices into the timeline's spans, tracks are the timeline's.
class TraceTracks {
 public:
  static constexpr std::int64_t kNone = -1;
  static constexpr double kNameLeftEm = 0.95;  // in text sizes: where a name begins, after its colour

  TraceTracks(const QAbstractScrollArea& area, const TraceAxis& axis) : area_(area), axis_(axis) {}  // both outlive it

  void setTimeline(const Timeline* timeline, bool isOurs);  // another program's tracks are never alike
  void foldByHand(bool folded) { foldedByHand_ = folded; }
  bool canFold() const { return fewer_.size() < each_.size(); }
  bool isFolded() const { return folded_; }
  bool arrange();  // after any change: true if canFold() or isFolded() has changed
  double namesWidth() const { return namesPx_; }
  double height() const { return heightOf(rows().size()); }  // with the axis
  double neededHeight() const;                               // as it would be without tracks

  const std::vector<TraceRow>& rows() const { return folded_ ? fewer_ : each_; }  // from top to bottom
  std::size_t rowOf(int track) const { return at(rowOfTrack_, track); }           // rows().size(): none
  static double rowHeight();
  QRectF rowRect(std::size_t row) const;
  QRectF stripRect(std::size_t row) const;     // for the row's bars
  QString rowName(const TraceRow& row) const;  // as much of the name as fits
  bool isDrawn(const Span& span) const;        // of bars that are alike, one is

  // Null if the track is not shown or the place is empty. For tracks that share a row, the first is shown for all.
  QRectF barRect(std::size_t span) const;
  QRectF trackRect(int track) const;
  int trackAt(const QPointF& place) const;                     // -1
  std::int64_t barAt(const QPointF& place) const;              // kNone
  std::span<const Span> barsFrom(int track, double ns) const;  // without those that cannot last until then
  std::vector<std::int64_t> find(const QString& words) const;  // drawn bars that match by name or kind, ordered by time

 private:
  static double heightOf(std::size_t rows);
  void fitNames();
  QFont boldFont() const;  // so that a name does not change when it is marked

  const QAbstractScrollArea& area_;
  const TraceAxis& axis_;
  const Timeline* timeline_ = nullptr;
  bool isOurs_ = true;
  std::vector<TraceRow> each_, fewer_;  // unfolded and folded
  std::vector<std::size_t> rowOfTrack_;
  std::vector<std::int64_t> longest_;  // per track: its longest span
  std::optional<bool> foldedByHand_;
  bool folded_ = false, couldFold_ = false;
  double namesPx_ = 0;  // the room that the rows' names need
};

}  // namespace lab
