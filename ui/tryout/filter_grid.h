// SPDX-License-Identifier: GPL-3.0-or-later
// What each unit of a network's first layer with weights looks for, as a picture: a convolution's filters, or a dense
// layer's weight for each pixel. On grey images purple below zero and green above; on colour images the weights of red,
// green and blue, with grey for zero. One scale for all units.
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

#include <span>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

struct Filters {
  QString layer;  // "conv2d"
  bool convolution = false;
  int height = 0, width = 0, channels = 0;  // of one filter
  int count = 0;
  std::vector<float> weights;  // (height, width, channels, count)
};
// Empty if that layer's input is not an image of one or three channels. `weights` in the network's layout.
Filters filtersOf(const NeuralNetwork& network, std::span<const float> weights);

class FilterGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit FilterGrid(QWidget* parent = nullptr);
  void show(Filters filters);
  int count() const { return filters_.count; }
  int shown() const;                 // how many are drawn
  QImage pictureOf(int unit) const;  // in its original size
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Filters filters_;
  double scale_ = 1;
};

}  // namespace lab
