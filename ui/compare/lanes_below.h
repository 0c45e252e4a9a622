// SPDX-License-Identifier: GPL-3.0-or-later
// The results below the lanes, on tabs: figures, the distance of the weights, curves, traces, and the object pointed
// at. Only the visible tab is kept up to date. The whole widget can be folded.
#pragma once

#include <QTabWidget>
#include <QTimer>

#include <vector>

#include "ui/branches/difference_search.h"
#include "ui/lanes/lanes.h"

class QLabel;
class QToolButton;

namespace lab {

class LaneCharts;
class LanePointing;
class LaneTable;
class LaneTraces;
class SeriesChart;

class LanesBelow final : public QTabWidget {
  Q_OBJECT

 public:
  explicit LanesBelow(Lanes& lanes, QWidget* parent = nullptr);

  LaneTable& table() { return *table_; }
  SeriesChart& distances() { return *distances_; }
  DifferenceSearch& differences() { return *difference_; }
  const QLabel& distanceSentences() const { return *sentences_; }
  bool isFolded() const { return folded_; }
  void setFolded(bool folded);
  void refresh();  // refreshes the visible tab at once
  // The height that the visible tab would like; the table makes do with what the lanes leave.
  int wantedHeight() const;
  int leastHeight() const;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void foldedChanged(bool folded);
  void wantedChanged();  // the wanted height may have changed

 private:
  QWidget* makeTable();
  QWidget* makeDistances();
  QWidget* makeSearch();
  int tableHeight() const;  // with the rows of all lanes
  void refreshDistances();

  Lanes& lanes_;
  LaneTable* table_;
  SeriesChart* distances_;
  QLabel *sentences_, *found_;
  DifferenceSearch* difference_;
  QToolButton* fold_;
  LaneCharts* charts_;
  LaneTraces* traces_;
  LanePointing* pointing_;
  QTimer timer_;  // single shot
  bool folded_ = false;
};

}  // namespace lab
