// SPDX-License-Identifier: GPL-3.0-or-later
// What the marks of a sweep's cells mean, with the number of runs for each.
#pragma once

#include <array>

#include "ui/sweep/sweep_run.h"
#include "ui/theme/flow_legend.h"

namespace lab {

class SweepLegend final : public FlowLegend {
  Q_OBJECT

 public:
  explicit SweepLegend(QWidget* parent = nullptr);
  void setCounts(const SweepRun& run);
  QString words() const;  // "12 waiting, 3 not reached"

 private:
  void fill();

  std::array<int, kCellStates> counts_{};
  QStringList words_;
};

}  // namespace lab
