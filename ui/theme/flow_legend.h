// SPDX-License-Identifier: GPL-3.0-or-later
// A legend in words: marks with their meanings, side by side, in as many rows as necessary.
#pragma once

#include <QPixmap>
#include <QString>
#include <QWidget>

#include <vector>

class QLabel;

namespace lab {

class FlowLegend : public QWidget {
  Q_OBJECT

 public:
  struct Entry {
    QPixmap mark;  // null: only words
    QString words;
  };
  explicit FlowLegend(QWidget* parent = nullptr);
  void setEntries(const std::vector<Entry>& entries);

 private:
  struct Part {
    QWidget* whole;
    QLabel *mark, *words;
  };
  std::vector<Part> parts_;  // those beyond the number of entries are hidden
};

}  // namespace lab
