// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time went, as a table: a row for each stage, a column for each device, and at the bottom the sum, which is
// the step (or the measured range). The first column has the shares over all devices.
#pragma once

#include <QTableWidget>

#include <vector>

#include "core/timeline/timeline.h"

namespace lab {

// Rounded so that it still adds up to the step, as every replica's breakdown does.
StageBreakdown meanBreakdown(const std::vector<StageBreakdown>& breakdowns);

class BreakdownTable final : public QTableWidget {
  Q_OBJECT

 public:
  struct Column {
    QString device;
    int endpoint = -1;  // decides its colour
    StageBreakdown breakdown{};
  };

  explicit BreakdownTable(QWidget* parent = nullptr);

  // Writes only what has changed. Devices beyond kMostColumns count in the shares only.
  // `areWorkers`: asynchronous ones.
  void setColumns(const std::vector<Column>& columns, bool areWorkers = false);
  const std::vector<Column>& columns() const { return columns_; }

  QSize sizeHint() const override;
  int wholeWidth() const;   // of all its columns, in pixels: at this width nothing needs to scroll
  int leastWidth() const;   // with one device
  int wholeHeight() const;  // of all its rows

  static constexpr std::size_t kMostColumns = 64;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fill();
  void fitColumns();
  int widthWith(int devices) const;
  void setCell(int row, int column, const QString& text, const QString& tip);

  int shareWidth_ = 1, deviceWidth_ = 1;  // the widths that columns need; the first is a multiple of the second
  std::vector<Column> columns_;
  bool areWorkers_ = false;
};

}  // namespace lab
