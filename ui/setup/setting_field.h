// SPDX-License-Identifier: GPL-3.0-or-later
// One setting as a small control with its name above: a stepper or a list. It shows the value in force, also where the
// strategy chose it, and cannot be used where the strategy leaves no choice.
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

// In a list of the devices: those that the strategy cannot run on are greyed, and their tool tip says why. Of GPUs that
// are not there nothing is said: one looks for them when they are chosen.
void greyImpossible(QComboBox& list, const ConfigField& field, const ResolvedSettings& config);

// A property of a field: what is written there was refused.
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
