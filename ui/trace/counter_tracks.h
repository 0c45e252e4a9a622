// SPDX-License-Identifier: GPL-3.0-or-later
// Counters below the tracks of a trace, on its axis: bytes in flight, links in use and the memory of a device, as
// stepped areas. They cover the step only, because outside of it not all transfers are recorded. Drags, wheels and the
// trace's keys do here what they do on the tracks; the arrow keys go from change to change and from counter to counter.
#pragma once

#include <QPixmap>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/timeline/timeline.h"

namespace lab {

class TraceView;

class CounterTracks final : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { Bytes, Links, Memory };
  struct Track {
    Kind kind = Kind::Bytes;
    QStringList names;  // the longest first
    TimeSource clock = TimeSource::Modelled;
    Counter counter;
    std::int64_t highest = 0;  // the counter's
  };
  struct Column {  // of an area; in pixels of the widget
    double left = 0, right = 0;
    std::int64_t value = 0;
  };

  explicit CounterTracks(TraceView& view);  // a child of the view, which places it

  void setTimeline(std::shared_ptr<const Timeline> timeline);
  void setDevice(int endpoint);  // whose memory is shown; if that is unknown: the first known one
  void setShown(bool shown);     // by the user; otherwise they are shown if all rows have room above them
  void fit();                    // after a change of the room, of the trace or of its counters
  const std::vector<Track>& tracks() const { return tracks_; }
  QRectF trackRect(std::size_t track) const;
  std::vector<Column> columns(std::size_t track) const;  // what is visible
  QString tipAt(const QPointF& place) const;
  QString words() const;  // for screen readers: every counter at the moment being read
  void refresh();         // after a change of the trace's scale or of colours
  void describe();        // after a change of the movie's moment

 Q_SIGNALS:
  void shownChanged();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void makeTracks();
  void read(std::optional<std::int64_t> ns);  // nothing: the movie's moment
  void readInSight(std::int64_t ns);
  std::int64_t readNs() const;
  void forward(const QMouseEvent& event);
  QPixmap makeGround() const;
  void paintGround(QPainter& painter) const;
  void paintTrack(QPainter& painter, std::size_t track) const;
  void paintName(QPainter& painter, std::size_t track) const;

  TraceView& view_;
  std::shared_ptr<const Timeline> timeline_;
  int device_ = -1;
  std::vector<Track> tracks_;
  std::optional<bool> shownByHand_;
  std::size_t current_ = 0;                                         // the track of the arrow keys
  std::optional<std::int64_t> at_;                                  // the moment of the pointer or the keys
  std::optional<std::pair<std::int64_t, std::int64_t>> described_;  // the description holds from … to …
  QPixmap ground_;
};

}  // namespace lab
