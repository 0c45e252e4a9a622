// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window is: the moment on the stage, layout, theme and mode, as an experiment's file keeps them. What a file
// says is shown only when somebody asks for it; then the run is trained up to the step, if it has to be.
#pragma once

#include <QObject>
#include <QString>

#include "core/run/experiment_file.h"

namespace lab {

class MainWindow;

class WindowView final : public QObject {
  Q_OBJECT

 public:
  explicit WindowView(MainWindow& window, QObject* parent = nullptr);

  SavedView now() const;
  // In what the window would change: "step 12, all-reduce · layout Explore". "" where it shows all of it, and for names
  // that are not known here.
  QString difference(const SavedView& saved) const;
  void show(const SavedView& saved);

 private:
  void goOn();

  MainWindow& window_;
  std::int64_t step_ = 0;  // where it goes, to the beat there; 0: nowhere
  std::string beat_;
  double part_ = 0;
  bool going_ = false;  // the playback has it
};

}  // namespace lab
