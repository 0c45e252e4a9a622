// SPDX-License-Identifier: GPL-3.0-or-later
// Shows where a lane's step spent its time, as one bar: its parts one after the other, at a length relative to the
// longest step of all lanes.
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

  // `longestNs`: the longest step of all lanes. It is as long as the narrowest lane has room for (`room`, in pixels;
  // room()), so that equal lengths are equal times even in lanes of different widths. `fullBatch`: the number of
  // examples in a full step of the lane. `step` is empty before the first step.
  void show(const std::optional<StepMetric>& step, std::int64_t longestNs, double room, std::int64_t fullBatch);
  double room() const;         // the longest bar that fits, in pixels
  double pixelsPerNs() const;  // the scale of the bar's parts
  QString words() const;       // "3.2 ms, modelled: compute 41 %, …"

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double timeWidth() const;       // the width of the words at the end
  QStringList timeWords() const;  // the longest first; for a partial batch, with the number of images

  std::optional<StepMetric> step_;
  std::int64_t longestNs_ = 0, fullBatch_ = 0;
  double room_ = 0;
};

}  // namespace lab
