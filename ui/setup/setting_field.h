// SPDX-License-Identifier: GPL-3.0-or-later
// One setting as a small control with its name above: a stepper or a list. It shows the value in force, even if the
// strategy chose the value, and is disabled if the strategy leaves no choice.
#pragma once

#include <QString>
#include <QWidget>

#include "core/config/resolved_settings.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace lab {

struct ConfigField;
class Experiment;

// In a list of devices, greys those that the strategy cannot run on; their tool tip says why. Missing GPUs are not
// greyed, because the program looks for GPUs only when they are chosen.
void greyImpossible(QComboBox& list, const ConfigField& field, const ResolvedSettings& config);

// A property of a field: its text was refused.
inline constexpr char kRefused[] = "refused";

class SettingField final : public QWidget {
  Q_OBJECT

 public:
  // `name` is an Integer or a Choice of the table of fields.
  SettingField(Experiment& experiment, const QString& name, const QString& caption, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();

  Experiment& experiment_;
  QString name_, help_;
  QLabel* caption_;
  QSpinBox* number_ = nullptr;
  QComboBox* list_ = nullptr;
};

}  // namespace lab
