// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time went, for little room: one bar for all devices together, and below it the name and the time of each
// part. Times are per device: the mean over all, or the same for each if all are alike.
#pragma once

#include <QWidget>

#include <vector>

#include "ui/trace/breakdown_table.h"

namespace lab {

class FlowLegend;

class BreakdownStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit BreakdownStrip(QWidget* parent = nullptr);

  void setColumns(const std::vector<BreakdownTable::Column>& columns, bool areWorkers = false);  // as the table's
  QString words() const;  // "8 devices alike, 359 µs each: compute 28 µs, …"
  const StageBreakdown& mean() const { return mean_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  class Bar;
  void fill();

  Bar* bar_;
  FlowLegend* legend_;
  StageBreakdown mean_{};
  QString head_;
  QStringList parts_;  // as text
  bool areWorkers_ = false;
};

}  // namespace lab
