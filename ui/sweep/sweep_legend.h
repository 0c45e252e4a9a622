// SPDX-License-Identifier: GPL-3.0-or-later
// What the marks of a sweep's cells mean, with how many runs each is of.
#pragma once

#include <QWidget>

#include <array>

#include "ui/sweep/sweep_run.h"

namespace lab {

class SweepLegend final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepLegend(QWidget* parent = nullptr);
  void setCounts(const SweepRun& run);
  QString words() const;  // "12 waiting, 3 not reached"

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString textOf(std::size_t state) const;
  // Where each state's mark and words stand; the height that all take.
  int place(int width, std::array<QRect, kCellStates>& places) const;

  std::array<int, kCellStates> counts_{};
};

}  // namespace lab
