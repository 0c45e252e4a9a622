// SPDX-License-Identifier: GPL-3.0-or-later
// Finds bars by name or kind in one or more traces: Enter goes to the next, Shift+Enter to the previous, ordered by
// time, and wraps around at the end.
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

  void refresh();  // counts the matches again after a trace has changed

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Match {
    TraceView* view = nullptr;
    std::int64_t bar = 0;
  };
  std::vector<Match> matches() const;
  void go(int direction);

  std::vector<TraceView*> views_;  // the view of the last match has the current bar
  Match last_;
  QLineEdit* line_;
  QLabel* count_;
};

}  // namespace lab
