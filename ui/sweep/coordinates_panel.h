// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates with what is chosen for them: the setting to group by, the measures, and below in words how many
// runs are in the ranges and what the groups' means are.
#pragma once

#include <QWidget>

#include <set>

#include "ui/sweep/sweep_table.h"

class QComboBox;
class QLabel;
class QMenu;
class QToolButton;

namespace lab {

class SweepCoordinates;

class CoordinatesPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit CoordinatesPanel(const SweepRun& run, QWidget* parent = nullptr);

  // The run's cells are this request's.
  void setCells(const SweepRequest& request, SweepQuantity inView, bool modelled);
  SweepCoordinates& picture() const { return *picture_; }

 private:
  void fillGroups();
  void fillMeasures();
  void chooseMeasure(SweepQuantity quantity, bool shown);
  void tell();

  SweepRequest request_;
  SweepQuantity inView_ = SweepQuantity::Accuracy;
  bool modelled_ = true;
  std::set<SweepQuantity> with_, without_;  // what a person has chosen besides the usual ones
  SweepCoordinates* picture_;
  QComboBox* group_;
  QToolButton *measures_, *all_;
  QMenu* menu_;
  QLabel* words_;
};

}  // namespace lab
