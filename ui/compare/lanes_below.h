// SPDX-License-Identifier: GPL-3.0-or-later
// What the lanes come to, under them, on tabs: figures, the distance of the weights, curves, traces, what is pointed
// at. Only the tab that is seen is kept up to date. All of it folds away.
#pragma once

#include <QTabWidget>
#include <QTimer>

#include <vector>

#include "ui/compare/difference_search.h"
#include "ui/compare/lanes.h"

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
  void refresh();  // at once: the tab that is seen
  // What the tab that is seen would like; the table makes do with what the lanes leave.
  int wantedHeight() const;
  int leastHeight() const;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void foldedChanged(bool folded);
  void wantedChanged();  // the height, perhaps

 private:
  QWidget* makeTable();
  QWidget* makeDistances();
  QWidget* makeSearch();
  int tableHeight() const;  // of all lanes
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
