// SPDX-License-Identifier: GPL-3.0-or-later
// Finds bars by name or kind in one or more traces: Enter goes to the next, Shift with Enter to the one before, by
// time, and from the last to the first.
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;

namespace lab {

class TraceView;

class TraceSearch final : public QWidget {
  Q_OBJECT

 public:
  explicit TraceSearch(std::vector<TraceView*> views, QWidget* parent = nullptr);

  void refresh();  // how many there are: a trace has changed

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Match {
    TraceView* view = nullptr;
    std::int64_t bar = 0;
  };
  std::vector<Match> matches() const;
  void go(int direction);

  std::vector<TraceView*> views_;  // the last found in one of them has the current bar
  Match last_;
  QLineEdit* line_;
  QLabel* count_;
};

}  // namespace lab
