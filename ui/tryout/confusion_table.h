// SPDX-License-Identifier: GPL-3.0-or-later
// The confusion matrix: rows are labels, columns are predictions. The diagonal is in ink, mistakes in the warning
// colour. Names of classes stand before the rows, and vertically above the columns.
#pragma once

#include <QStringList>
#include <QWidget>

#include "core/replay/classify.h"

namespace lab {

class ConfusionTable final : public QWidget {
  Q_OBJECT

 public:
  explicit ConfusionTable(QWidget* parent = nullptr);
  void show(const ConfusionCounts& confusion, const QStringList& names);
  const ConfusionCounts& shown() const { return counts_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF cell(int row, int column) const;
  QString nameOf(int label) const;
  void paintNames(QPainter& painter) const;
  int classes() const { return static_cast<int>(counts_.size()); }
  ConfusionCounts counts_ = ConfusionCounts(10, std::vector<std::int64_t>(10));
  QStringList names_;
  double across_ = 0;  // the longest name's width in the painted font
};

}  // namespace lab
