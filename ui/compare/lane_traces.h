// SPDX-License-Identifier: GPL-3.0-or-later
// The steps that the lanes show as traces on one scale, each from its own beginning, and where their time went, with
// the difference from the baseline.
#pragma once

#include <QWidget>

#include <cstddef>
#include <memory>
#include <vector>

#include "ui/lanes/lanes.h"

class QLabel;
class QTableWidget;
class QVBoxLayout;

namespace lab {

class TraceView;

class LaneTraces final : public QWidget {
  Q_OBJECT

 public:
  explicit LaneTraces(Lanes& lanes, QWidget* parent = nullptr);

  void refresh();
  const QTableWidget& breakdown() const { return *breakdown_; }
  TraceView& view(std::size_t lane) const { return *rows_[lane].view; }

 private:
  struct Row {
    const Lane* lane;
    QLabel* name;
    TraceView* view;
    std::weak_ptr<const StepRecord> record;  // only for comparison
  };

  void follow();  // after lanes have come or gone, or have other runs
  void addRow(const Lane& lane);
  bool takeRecords();  // true if any lane has a new record
  void fillBreakdown();

  Lanes& lanes_;
  QVBoxLayout* column_;
  QTableWidget* breakdown_;
  std::vector<Row> rows_;
  bool scaling_ = false;
};

}  // namespace lab
