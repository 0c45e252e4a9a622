// SPDX-License-Identifier: GPL-3.0-or-later
// A legend in words: marks with what they mean, one beside the other, in as many rows as it takes.
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
    QPixmap mark;  // null: words alone
    QString words;
  };
  explicit FlowLegend(QWidget* parent = nullptr);
  void setEntries(const std::vector<Entry>& entries);

 private:
  struct Part {
    QWidget* whole;
    QLabel *mark, *words;
  };
  std::vector<Part> parts_;  // those beyond the entries are hidden
};

}  // namespace lab
