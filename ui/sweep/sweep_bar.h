// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of a sweep: it starts, pauses, cancels and resumes, says how far the runs are, and has the menu of files.
#pragma once

#include <QWidget>

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lab {

class SweepRun;
struct SweepRequest;

class SweepBar final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepBar(SweepRun& run,
                    QWidget* parent = nullptr);  // its buttons Pause and Cancel act on the run; the others only ask

  // `impossible`: why the form's plan cannot be started; "": the run has it.
  void refresh(const SweepRequest& request, const QString& impossible);
  QMenu& files() { return *files_; }

 Q_SIGNALS:
  void minuteWanted();  // the classroom's sweep
  void startWanted();
  void retryWanted();           // of the diverged runs too
  void planWanted(bool shown);  // the form

 private:
  SweepRun& run_;
  QPushButton* minute_;
  QToolButton *plan_, *start_, *retry_, *pause_, *cancel_;
  QMenu* files_;
  QProgressBar* progress_;
  QLabel *limit_, *left_;
};

}  // namespace lab
