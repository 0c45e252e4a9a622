// SPDX-License-Identifier: GPL-3.0-or-later
// The present step as a strip of movie time: a segment for each beat, a tick for each message that arrives, and the
// playhead, which can be dragged. The wheel goes one unit on or back.
#pragma once

#include <QRectF>
#include <QWidget>

namespace lab {

class Playback;

class Scrubber final : public QWidget {
  Q_OBJECT

 public:
  explicit Scrubber(Playback& playback, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

  QRectF strip() const;              // where the beats are drawn
  double xAt(double seconds) const;  // of a moment of the story
  double secondsAt(double x) const;  // of a place, within the story

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void refresh();
  void drawBeats(QPainter& painter) const;
  void drawMessages(QPainter& painter) const;

  Playback& playback_;
  std::size_t toldBeat_ = 0;  // what the accessible description says
};

}  // namespace lab
