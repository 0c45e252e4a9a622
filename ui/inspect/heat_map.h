// SPDX-License-Identifier: GPL-3.0-or-later
// Values as a picture, in the colours of theme/value_colour.h. If there are more values than pixels, a pixel shows the
// largest of its values, so that none is lost.
#pragma once

#include <QImage>
#include <QWidget>

#include "ui/inspect/describe.h"

namespace lab {

// The part's values in rows of part.columns (transposed if that is much taller than wide), in at most `most` pixels;
// `scale` is where the colours end.
QImage heatImage(const TensorPart& part, double scale, QSize most);

class HeatMap final : public QWidget {
  Q_OBJECT

 public:
  explicit HeatMap(QWidget* parent = nullptr);

  void show(const TensorPart& part, double scale);
  void clear();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  TensorPart part_;
  double scale_ = 1;
};

}  // namespace lab
