// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline as lanes of bars, one per device and one per link, which can be zoomed, panned, stepped through and
// measured by dragging. It knows nothing about runs: its owner says what is marked and receives what is pointed at.
// It is redrawn only when its contents have changed; the mark of the present moment moves above the picture.
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <QPointer>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/files/trace_flows.h"
#include "core/trace/timeline.h"
#include "ui/trace/time_scale.h"
#include "ui/trace/trace_rows.h"

namespace lab {

class CounterTracks;

class TraceView final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr std::int64_t kNone = -1;
  static constexpr double kAxisEm = 1.7;       // in text sizes: the height of the axis
  static constexpr double kNameLeftEm = 0.95;  // where a name begins, after its colour
  static constexpr double kEdgePx = 6;         // between names and bars, and at the right
  static constexpr std::initializer_list<Qt::Key> kKeys = {Qt::Key_W, Qt::Key_A, Qt::Key_S,      Qt::Key_D,
                                                           Qt::Key_F, Qt::Key_R, Qt::Key_Period, Qt::Key_Comma};
  using Range = std::pair<std::int64_t, std::int64_t>;

  explicit TraceView(QWidget* parent = nullptr);

  // Null: nothing. Fits the step, unless the user has zoomed or panned: then the same range after the step's beginning
  // is shown.
  void setTimeline(std::shared_ptr<const Timeline> timeline);
  void shareAxis(TraceView& other);  // for two views one above the other: a moment has the same x in both
  const Timeline* timeline() const { return timeline_.get(); }
  void setNow(std::optional<std::int64_t> ns);  // the moment that the movie shows
  std::optional<std::int64_t> now() const { return nowNs_; }
  // Sets which spans (indices into timeline()->spans) and lanes of the present timeline belong to the selected object;
  // another timeline has no marks. Either argument may be null.
  void setMarks(const std::function<bool(std::size_t)>& span, const std::function<bool(int)>& lane);

  // For another program's trace: how a bar's tip names the program. Its lanes are never alike.
  void setWhose(const QString& whose) { whose_ = whose; }

  // Lanes that are alike share a row if there is no room for all. The user can separate or fold them in any room.
  bool canFold() const { return canFold_; }
  bool isFolded() const { return folded_; }
  void setFolded(bool folded);

  // Counters below the lanes. Shown if all rows have room above them, unless the user shows or hides them.
  CounterTracks& addTracks();
  void showTracks(bool shown) { tracksByHand_ = shown, fitTracks(); }
  bool areTracksShown() const;
  void fitTracks();  // after tracks have come or gone
  // For what is below the lanes, on the same axis: the marked range with the movie's moment; the step's ends.
  void paintMoments(QPainter& painter, double top, double height) const;
  void paintBounds(QPainter& painter, double height) const;

  std::optional<Range> range() const { return range_; }
  void setRange(std::optional<Range> range);
  bool isDragging() const { return dragging_; }
  void endPress() { pressed_.reset(); }              // of the button, without a click
  std::int64_t current() const { return current_; }  // the bar from which the keys . and , continue; kNone
  void setCurrent(std::int64_t bar, bool intoSight);
  void goTo(std::int64_t bar);                                 // makes it visible, and chooses it as by a click
  std::vector<std::int64_t> find(const QString& words) const;  // drawn bars that match by name or kind, ordered by time

  // Arrows from sender to receiver: the visible ones, with those of the chosen bar last.
  struct Arrow {
    QPointF from, to;
    bool chosen = false;
  };
  void setArrows(bool shown);
  std::vector<Arrow> arrows() const;

  const TimeScale& scale() const { return scale_; }
  void setScale(const TimeScale& scale);  // for two views that show the same time
  void fit();                             // shows the current bar or the step; called again: everything

  // In the viewport; `lane` is the timeline's. Null if the lane is not shown or the place is empty. For lanes that
  // share a row, the first is shown for all.
  QRectF barRect(std::size_t span) const;
  QRectF laneRect(int lane) const;
  QString laneName(int lane) const;                // as much of the name as fits
  std::int64_t barAt(const QPointF& place) const;  // kNone
  int laneAt(const QPointF& place) const;          // -1

 Q_SIGNALS:
  void barHovered(std::int64_t bar);        // kNone: none
  void picked(std::int64_t bar, int lane);  // kNone, lane: the lane's name; kNone, -1: nothing
  void wanted(std::int64_t ns);             // double-clicked
  void rangeChanged();
  void scaleChanged();
  void foldedChanged();  // also if canFold() has changed
  void tracksChanged();  // areTracksShown()

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool viewportEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void arrange();
  void makeRows();
  void fillRows();
  double heightFor(const std::vector<TraceRow>& rows) const;  // with the axis
  double lanesNeed() const;
  void placeAxis();
  std::size_t rowOf(int lane) const;  // past the last: the lane has no row
  void refreshGround();
  QPixmap makeGround() const;
  void paintAxis(QPainter& painter) const;
  void paintRow(QPainter& painter, std::size_t row) const;
  void paintBars(QPainter& painter, const TraceRow& row, int lane, const QRectF& whole) const;
  bool isMarked(const TraceRow& row, std::size_t bar) const;
  bool isBarMarked(std::size_t bar) const { return bar < markedBars_.size() && markedBars_[bar]; }
  bool isLaneMarked(const TraceRow& row) const;
  QString rowName(const TraceRow& row) const;
  QFont boldFont() const;
  void paintName(QPainter& painter, std::size_t row) const;
  const std::vector<TraceFlow>& flows() const;
  bool isEndOf(const TraceFlow::End& end, std::int64_t bar) const;
  void paintArrows(QPainter& painter) const;
  void zoom(double factor, double x);
  void pan(double share);
  void walk(int direction);
  double rowTop(std::size_t row) const;
  QRectF rowRect(std::size_t row) const;
  double wholeNs() const;
  QRect nowRect() const;
  void refreshNow();
  QString tipOf(std::size_t bar) const;

  std::shared_ptr<const Timeline> timeline_;
  QPointer<TraceView> above_;                                 // the view above or below, which shares this axis
  double names_ = 0;                                          // the room that the rows' names need
  std::vector<TraceRow> rows_;                                // from top to bottom
  std::optional<std::vector<TraceRow>> eachRow_, fewerRows_;  // for the timeline, unfolded and folded; made when needed
  std::vector<std::size_t> rowOfLane_;
  mutable std::optional<std::vector<TraceFlow>> flows_;  // for the timeline; made when an arrow is first needed
  bool arrowsShown_ = false;
  CounterTracks* tracks_ = nullptr;  // a child
  std::optional<bool> tracksByHand_;
  QString whose_;  // "": our own trace
  std::optional<bool> foldedByHand_;
  bool folded_ = false, canFold_ = false;
  std::vector<std::int64_t> longest_;      // per lane: its longest span
  std::int64_t firstNs_ = 0, lastNs_ = 1;  // over all spans
  TimeScale scale_;
  std::optional<std::int64_t> nowNs_;
  std::vector<bool> markedBars_, markedLanes_;  // of the timeline; empty: none
  std::optional<Range> range_;
  std::int64_t current_ = kNone, hovered_ = kNone;
  bool scaledByHand_ = false;
  bool fittedStep_ = false;  // so that pressing F again fits everything
  std::optional<QPointF> pressed_;
  bool dragging_ = false;
  QPixmap ground_;
};

}  // namespace lab
