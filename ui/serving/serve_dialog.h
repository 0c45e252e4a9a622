// SPDX-License-Identifier: GPL-3.0-or-later
// Run ▸ Serve to the class: on which address, in which way and for how long a class trains. Nothing listens before
// *Serve* is pressed. The dialog also names what prevents serving, and what to do about it.
#pragma once

#include <QDialog>
#include <QList>

#include <functional>

#include "core/classruns/class_run.h"
#include "core/config/run_settings.h"
#include "ui/serving/own_addresses.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace lab {

class ServeDialog final : public QDialog {
  Q_OBJECT

 public:
  // Begins the class. Throws UserError, which the dialog shows, if the class cannot begin.
  using Serve = std::function<void(const RunSettings& settings, const ClassRun::Wishes& wishes)>;

  // Throws UserError if the settings cannot be used now, as when a file of theirs has gone.
  ServeDialog(const RunSettings& asked, const QList<OwnAddress>& addresses, Serve serve, QWidget* parent = nullptr);

 private:
  QLayout* makeForm(const QList<OwnAddress>& addresses);
  QWidget* makeWays();
  QWidget* makeWire();
  const char* strategy() const;  // the chosen one
  void makeMissing();
  RunSettings settings() const;
  void serve();
  void refresh();

  const RunSettings asked_;
  const Serve serve_;
  QComboBox* address_;
  QList<QRadioButton*> ways_;
  QSpinBox *updates_, *batch_, *first_;
  QCheckBox* halves_;  // the wire is bfloat16
  QLabel* halvesWords_;
  QLabel *who_, *refusal_;
  QPushButton* ok_;
};

}  // namespace lab
