// SPDX-License-Identifier: GPL-3.0-or-later
// A pad to draw a digit on, with the mouse or a pen, or to drop a picture onto. What is on it becomes an image of the
// shape that the network takes: a digit as MNIST has them; for networks of colour images the picture itself, in as many
// pixels, or what is drawn in white on black.
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
  // Of the images that the network takes: height, width, channels. The pad is wiped where they change.
  void setShape(const std::array<std::int64_t, 3>& shape);
  Examples example() const;  // one, as the network takes it
  void clear();
  // Of any size. For a network of grey images dark on light or light on dark.
  void showPicture(const QImage& picture);
  void openPicture(const QString& path);                      // or failed()
  void show(const Examples& examples, std::int64_t example);  // of the data set, instead of strokes
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
  QImage picture_;  // in colour, as the network gets it; null: strokes_
  bool empty_ = true;
  std::optional<QPointF> last_;  // in strokes_
  QPointF pen_;                  // for the keys, in strokes_
  bool penIsDown_ = false;
};

}  // namespace lab
