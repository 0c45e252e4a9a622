// SPDX-License-Identifier: GPL-3.0-or-later
// Loss and accuracy of all lanes over steps or images, with the baseline in a line style of its own; below each chart,
// or beside it where there is little height, the others' difference from the baseline.
#pragma once

#include <QWidget>

#include <optional>

#include "ui/charts/quantity.h"
#include "ui/lanes/lanes.h"

class QCheckBox;
class QComboBox;
class QGridLayout;

namespace lab {

class SeriesChart;

class LaneCharts final : public QWidget {
  Q_OBJECT

 public:
  explicit LaneCharts(Lanes& lanes, QWidget* parent = nullptr);

  void refresh();
  SeriesChart& chart(Quantity quantity, bool difference) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  void takeAxis();  // of the way in which lanes keep in step; until that changes, a person may choose another

  Lanes& lanes_;
  InStepBy by_ = InStepBy::Steps;
  QComboBox* axis_;
  QCheckBox* smooth_;
  QGridLayout* grid_;
  std::optional<bool> inRow_;
  SeriesChart *loss_, *lossDifference_, *accuracy_, *accuracyDifference_;
};

// `curve` minus `base` at each point of `curve` from the first to the last of `base`; between its points, `base` is a
// straight line, as it is drawn. The workers of a parameter server rarely end a step at the others' number of images:
// each goes through all images itself.
Curve differenceOf(const Curve& curve, const Curve& base);

}  // namespace lab
