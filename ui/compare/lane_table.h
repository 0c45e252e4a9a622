// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes as a table, one row each, with all figures that can be compared and their difference from the baseline.
// Figures follow the movies, but change no faster than a reader can follow.
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <optional>
#include <vector>

#include "ui/lanes/lane_figures.h"
#include "ui/lanes/lanes.h"
#include "ui/runview/known_steady.h"

class QTableView;

namespace lab {

class LaneTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kSortRole = Qt::UserRole;

  explicit LaneTable(Lanes& lanes, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  std::optional<double> target() const { return target_; }
  bool isKnown(LaneFigure figure) const;         // true if any lane has this figure
  void setTarget(std::optional<double> target);  // test accuracy, 0 to 1
  void refresh();                                // at once
  const LaneFigures& figures(std::size_t lane) const { return figures_[lane]; }

 private:
  void reset();
  void takeFigures();

  Lanes& lanes_;
  std::vector<LaneFigures> figures_;
  std::vector<KnownSteady> steady_;
  std::optional<double> target_;
  QTimer timer_;  // single shot
};

// The colour and the style of a lane's line, and the mark beside a lane's name.
QColor laneColour(const Lane& lane);
Qt::PenStyle laneStyle(std::size_t lane, std::size_t baseline);  // the baseline has a style of its own
QPixmap laneMark(const Lanes& lanes, std::size_t lane);

// A view that sorts when a column's head is clicked, with the lanes' names at its side.
QTableView* makeLaneTableView(LaneTable& table, QWidget* parent = nullptr);

}  // namespace lab
