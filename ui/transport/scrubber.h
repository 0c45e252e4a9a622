// SPDX-License-Identifier: GPL-3.0-or-later
// The present step as a strip of movie time: a segment for each beat, a tick for each arriving transfer, and the
// playhead, which can be dragged. The wheel goes one unit forwards or back. Dragging with Shift marks a range for a
// movie.
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

  // In seconds of the story, ascending; nothing if no range is marked in this step.
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
  // What the cached ground was drawn for.
  struct Shown {
    std::shared_ptr<const StepRecord> record;
    double seconds = 0;  // length of the whole story, which depends on the pace
    std::size_t beat = 0;
    bool operator==(const Shown&) const = default;
  };

  Shown present() const;
  void refresh();
  void announcePosition(bool otherBeat);
  QRect cursor(double x) const;
  QPixmap makeGround() const;
  void paintGround(QPainter& painter) const;
  void drawBeats(QPainter& painter) const;
  QRectF placeOver(QPainter& painter, const Beat& beat) const;
  void drawArrivals(QPainter& painter) const;
  void drawMark(QPainter& painter) const;

  Playback& playback_;
  Shown shown_;
  QPixmap ground_;                                 // null: must be redrawn
  double cursorX_ = 0;                             // at the last paint
  std::optional<std::pair<double, double>> mark_;  // where the mark was begun, and its present end
  double announced_ = 0;                           // percent, as last announced to screen readers
};

}  // namespace lab
