// SPDX-License-Identifier: GPL-3.0-or-later
// A pad to draw a digit on, with the mouse or a pen. What is drawn becomes an image as MNIST has them.
#pragma once

#include <QImage>
#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>

namespace lab {

using DigitImage = std::array<std::uint8_t, 784>;  // (28, 28)

// The strokes (255 on 0, any square size) scaled so that their longer side has 20 pixels, with their centre of mass in
// the middle: as MNIST was made (yann.lecun.com/exdb/mnist). All 0 where nothing is drawn.
DigitImage digitOf(const QImage& strokes);

class DigitPad final : public QWidget {
  Q_OBJECT

 public:
  explicit DigitPad(QWidget* parent = nullptr);

  bool isEmpty() const { return empty_; }
  DigitImage digit() const { return digitOf(strokes_); }
  void clear();
  void showPicture(const QImage& picture);  // dark on light or light on dark, of any size
  void show(const DigitImage& digit);       // one of the data set, instead of strokes
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return width; }

 Q_SIGNALS:
  void changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void stroke(const QPointF& to);
  void moveByKey(int key);
  QRectF square() const;

  QImage strokes_;
  bool empty_ = true;
  std::optional<QPointF> last_;  // in strokes_
  QPointF pen_;                  // for the keys, in strokes_
  bool penIsDown_ = false;
};

}  // namespace lab
