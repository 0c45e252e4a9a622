// SPDX-License-Identifier: GPL-3.0-or-later
// Where a lane's step went, as one bar: its parts one after the other, as long as the step is beside the longest of the
// lanes.
#pragma once

#include <QStringList>
#include <QWidget>

#include <optional>

#include "core/trace/metric.h"

namespace lab {

class BreakdownBar final : public QWidget {
  Q_OBJECT

 public:
  explicit BreakdownBar(QWidget* parent = nullptr);

  // `longestNs`: of all lanes' steps, as long as the narrowest lane has room for (`room`, in pixels; room()): equal
  // lengths are equal times, also where lanes are of different widths. `fullBatch`: examples of the lane's full steps.
  // Nothing: no step yet.
  void show(const std::optional<StepMetric>& step, std::int64_t longestNs, double room, std::int64_t fullBatch);
  double room() const;         // for the longest bar, in pixels
  double pixelsPerNs() const;  // the scale of its parts
  QString words() const;       // "3.2 ms, modelled: compute 41 %, …"

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double timeWidth() const;       // what the words at the end take
  QStringList timeWords() const;  // the longest first; of less than a full batch with its images

  std::optional<StepMetric> step_;
  std::int64_t longestNs_ = 0, fullBatch_ = 0;
  double room_ = 0;
};

}  // namespace lab
