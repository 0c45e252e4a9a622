// SPDX-License-Identifier: GPL-3.0-or-later
// A pad for drawing a digit with mouse or pen, or for dropping a picture. Its contents become an image of the network's
// input shape: a digit in the style of MNIST; for networks of colour images the picture itself at the input's size, or
// the drawing in white on black.
#pragma once

#include <QImage>
#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>

#include "core/data/dataset.h"

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
  // The network's input shape: height, width, channels. A change clears the pad.
  void setShape(const std::array<std::int64_t, 3>& shape);
  Examples example() const;  // one, as the network takes it
  void clear();
  // Any size. For a network of grey images, the picture may be dark on light or light on dark.
  void showPicture(const QImage& picture);
  void openPicture(const QString& path);                      // emits failed() on failure
  void show(const Examples& examples, std::int64_t example);  // shows an image of the data set instead of strokes
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void changed();
  void failed(const QString& sentence);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  bool isColour() const { return shape_[2] == 3; }
  void stroke(const QPointF& to);
  void moveByKey(int key);
  QRectF square() const;

  std::array<std::int64_t, 3> shape_ = Examples{}.shape;
  QImage strokes_;
  QImage picture_;  // in colour, as the network's input; null: strokes_ is used
  bool empty_ = true;
  std::optional<QPointF> last_;  // in the coordinates of strokes_
  QPointF pen_;                  // for drawing by keys, in the coordinates of strokes_
  bool penIsDown_ = false;
};

}  // namespace lab
