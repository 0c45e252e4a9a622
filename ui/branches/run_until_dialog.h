// SPDX-License-Identifier: GPL-3.0-or-later
// Asks until when to run, and shows the progress and the result. Not modal: the window remains usable.
#pragma once

#include <QDialog>

#include "ui/branches/run_until.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace lab {

class RunUntilDialog final : public QDialog {
  Q_OBJECT

 public:
  RunUntilDialog(RunUntil& until, std::int64_t shownStep, QWidget* parent);

  UntilWish wish() const;  // as currently chosen

 private:
  void makeFields(std::int64_t shownStep);
  void makeButtons();
  void refresh();

  RunUntil& until_;
  QComboBox *what_, *in_;
  QStackedWidget* values_;  // one field for each entry of what_
  QSpinBox *step_, *epoch_;
  QDoubleSpinBox *accuracy_, *distance_;
  QLabel *valueLabel_, *inLabel_, *words_;
  QPushButton *run_, *stop_;
};

}  // namespace lab
