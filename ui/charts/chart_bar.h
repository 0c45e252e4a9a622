// SPDX-License-Identifier: GPL-3.0-or-later
// The controls that all charts have in common.
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSlider;
class QLabel;
class QMenu;
class QToolButton;

namespace lab {

class ChartPanel;

class ChartBar final : public QWidget {
  Q_OBJECT

 public:
  explicit ChartBar(ChartPanel& panel);
  void refresh();

 private:
  void addChoice(QLayout& row);  // which charts
  void addAxis(QLayout& row);
  void addSmoothing(QLayout& row);

  ChartPanel& panel_;
  QToolButton *charts_, *all_;
  QMenu* menu_;
  QComboBox* axis_;
  QSlider* smoothing_;
  QLabel* amount_;
  QCheckBox* logarithmic_;
};

}  // namespace lab
