// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate and what its rule makes of it, "0.001 → 0.004", in the toolbar. Its menu has each rule with the
// rate that would result. The rate itself is a setting of the form.
#pragma once

#include <QString>
#include <QWidget>

#include "core/config/run_settings.h"

class QMenu;
class QToolButton;

namespace lab {

class Experiment;

// Once a warm-up is over: "0.001" where the rule leaves it so, "0.001 → 0.004",
// "0.001 ÷ staleness".
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
