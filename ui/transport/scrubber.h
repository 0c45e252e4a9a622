// SPDX-License-Identifier: GPL-3.0-or-later
// The present step as a strip of movie time: a segment for each beat, a tick for each message that arrives, and the
// playhead, which can be dragged. The wheel goes one unit on or back. Dragging with Shift marks a stretch, for a movie.
#pragma once

#include <QPixmap>
#include <QRectF>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>

#include "ui/accessibility/accessible.h"

namespace lab {

class Playback;
struct StepRecord;

class Scrubber final : public QWidget, public Positioned {
  Q_OBJECT

 public:
  explicit Scrubber(Playback& playback, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

  QRectF strip() const;              // where the beats are drawn
  double xAt(double seconds) const;  // of a moment of the story
  double secondsAt(double x) const;  // of a place, within the story

  // Seconds of the story, in order; nothing where none is marked in this step.
  std::optional<std::pair<double, double>> marked() const;

  // For screen readers: how much of the step has been shown, in percent.
  Range range() const override;
  void moveTo(double percent) override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  // What the ground was drawn for.
  struct Shown {
    std::shared_ptr<const StepRecord> record;
    double seconds = 0;  // of the whole story: it depends on the pace
    std::size_t beat = 0;
    bool operator==(const Shown&) const = default;
  };

  Shown present() const;
  void refresh();
  void announcePosition(bool otherBeat);
  QRect cursor(double x) const;
  QPixmap makeGround() const;
  void drawBeats(QPainter& painter) const;
  QRectF placeOver(QPainter& painter, const Beat& beat) const;
  void drawMessages(QPainter& painter) const;
  void drawMark(QPainter& painter) const;

  Playback& playback_;
  Shown shown_;
  QPixmap ground_;                                 // null: to be drawn anew
  double cursorX_ = 0;                             // at the last paint
  std::optional<std::pair<double, double>> mark_;  // where it was begun, and where it is
  double announced_ = 0;                           // percent, to screen readers
};

}  // namespace lab
