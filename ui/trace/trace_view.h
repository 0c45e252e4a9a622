// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline as tracks of bars, one per device and one per link, which can be zoomed, panned, stepped through and
// measured by dragging. It knows nothing about runs: its owner says what is marked and receives what is pointed at.
#pragma once

#include <QAbstractScrollArea>
#include <QPointer>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>

#include "ui/trace/trace_arrows.h"
#include "ui/trace/trace_axis.h"
#include "ui/trace/trace_picture.h"
#include "ui/trace/trace_tracks.h"

namespace lab {

class CounterTracks;

class TraceView final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr std::int64_t kNone = TraceTracks::kNone;
  static constexpr std::initializer_list<Qt::Key> kKeys = {Qt::Key_W, Qt::Key_A, Qt::Key_S,      Qt::Key_D,
                                                           Qt::Key_F, Qt::Key_R, Qt::Key_Period, Qt::Key_Comma};

  // Two views one above the other share the axis: a moment has the same x in both.
  explicit TraceView(TraceView* above = nullptr);

  // Null: nothing. `whose`: for another program's trace, how a bar's tip names the program.
  void setTimeline(std::shared_ptr<const Timeline> timeline, const QString& whose = {});
  void setNone(const QString& why);  // no timeline, for a reason that is shown in its place
  QString placeholder() const;       // what is shown where there is no timeline
  const Timeline* timeline() const { return timeline_.get(); }
  const TraceAxis& axis() const { return axis_; }
  const TraceTracks& tracks() const { return tracks_; }
  const TraceArrows& arrows() const { return arrows_; }
  std::int64_t current() const { return chosen_.current; }  // kNone

  void setNow(std::optional<std::int64_t> ns);  // the moment that the movie shows
  // Sets which spans (indices into timeline()->spans) and tracks of the present timeline belong to the selected object;
  // another timeline has no marks. Either argument may be null.
  void setMarks(const std::function<bool(std::size_t)>& span, const std::function<bool(int)>& track) {
    if (picture_.setMarks(span, track)) refresh();
  }
  void setFolded(bool folded) { tracks_.foldByHand(folded), arrange(); }
  void setArrows(bool shown) { arrows_.setShown(shown), refresh(); }
  CounterTracks& addCounters();       // below the tracks
  void leaveRoomBelow(int heightPx);  // for tracks
  void setRange(std::optional<TraceAxis::Range> range);
  bool endPress();  // of the button, without a click; false: it is a drag, which goes on
  void setCurrent(std::int64_t bar, bool intoSight);
  void goTo(std::int64_t bar);  // makes it visible, and chooses it as by a click
  void setScale(const TimeScale& scale) { axis_.setTimes(scale), refresh(); }  // for two views that show the same time
  void fit() { axis_.fit(currentBar()), rescaled(); }  // shows the current bar or the step; called again: everything

 Q_SIGNALS:
  void barHovered(std::int64_t bar);         // kNone: none
  void picked(std::int64_t bar, int track);  // kNone, track: the track's name; kNone, -1: nothing
  void wanted(std::int64_t ns);              // double-clicked
  void rangeChanged();
  void scaleChanged();
  void foldedChanged();  // also if canFold() has changed

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
  void scrollContentsBy(int, int) override { refresh(); }
  bool viewportEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void arrange();
  void placeAxis();
  void refresh();
  void rescaled();
  void hover(std::int64_t bar);
  void walk(int direction);
  const Span* currentBar() const;  // null: none

  std::shared_ptr<const Timeline> timeline_;
  QString whose_;              // "": our own trace
  QString whyNone_;            // "": no step has been played yet
  QPointer<TraceView> above_;  // the view above or below, which shares this axis
  ChosenBars chosen_;
  TraceAxis axis_;
  TraceTracks tracks_{*this, axis_};
  TraceArrows arrows_{axis_, tracks_, chosen_};
  TracePicture picture_{*this, axis_, tracks_, arrows_, chosen_};
  CounterTracks* counters_ = nullptr;  // a child
  std::optional<QPointF> pressed_;
  bool dragging_ = false;
};

}  // namespace lab
