// SPDX-License-Identifier: GPL-3.0-or-later
// Where a lane's step went, as one bar: its parts one after the other, as long as the step is beside the longest of the
// lanes.
#pragma once

#include <QWidget>

#include <optional>

#include "core/trace/metric.h"

namespace lab {

class BreakdownBar final : public QWidget {
  Q_OBJECT

 public:
  explicit BreakdownBar(QWidget* parent = nullptr);

  // `longestNs`: of all lanes' steps. Nothing: no step yet.
  void show(const std::optional<StepMetric>& step, std::int64_t longestNs);
  QString words() const;  // "3.2 ms, modelled: compute 41 %, …"

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  std::optional<StepMetric> step_;
  std::int64_t longestNs_ = 0;
};

}  // namespace lab
