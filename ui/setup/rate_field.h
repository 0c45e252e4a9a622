// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate and the result of its rule, "0.001 → 0.004", in the toolbar. Its menu shows each rule with the
// resulting rate. The rate itself is a setting of the form.
#pragma once

#include <QString>
#include <QWidget>

#include "core/config/run_settings.h"

class QMenu;
class QToolButton;

namespace lab {

class Experiment;

// The rate after any warm-up: "0.001" if the rule does not change it, "0.001 → 0.004", "0.001 ÷ staleness".
QString rateText(const ResolvedSettings& config);

class RateField final : public QWidget {
  Q_OBJECT

 public:
  explicit RateField(Experiment& experiment, QWidget* parent = nullptr);

 private:
  void refresh();
  void openMenu();

  Experiment& experiment_;
  QToolButton* button_;
  QMenu* menu_;
};

}  // namespace lab
