// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates with their controls: the setting to group by, the measures, and, in words below, how many runs
// are in the ranges and the means of the groups.
#pragma once

#include <QWidget>

#include <optional>
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

  // The run's cells must belong to this request.
  void setCells(const SweepRequest& request, SweepQuantity inView, std::optional<bool> modelled);
  SweepCoordinates& picture() const { return *picture_; }

 private:
  void fillGroups();
  void fillMeasures();
  void chooseMeasure(SweepQuantity quantity, bool shown);
  void tell();

  SweepRequest request_;
  SweepQuantity inView_ = SweepQuantity::Accuracy;
  std::optional<bool> modelled_ = true;
  std::set<SweepQuantity> with_, without_;  // measures that the user has added to the usual ones, and removed
  SweepCoordinates* picture_;
  QComboBox* group_;
  QToolButton *measures_, *all_;
  QMenu* menu_;
  QLabel* words_;
};

}  // namespace lab
