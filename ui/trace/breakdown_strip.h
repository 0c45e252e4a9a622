// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time went, in little room: one bar of all devices together, and under it the name and the time of each of
// its parts. Times are of one device: the mean of all, and the same for each where all are alike.
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

  void setColumns(const std::vector<BreakdownTable::Column>& columns);
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
  QStringList parts_;  // in words
};

}  // namespace lab
