// SPDX-License-Identifier: GPL-3.0-or-later
// The strategies as cards on two axes: one machine or several, synchronous or asynchronous. Choosing one applies
// it at once; the settings that matter for the choice stand below. Opened as a popup; Esc closes it.
#pragma once

#include <QFrame>

#include <vector>

#include "core/strategy/strategy.h"

class QAbstractButton;

class QScrollArea;

namespace lab {

class Experiment;

class StrategyPicker final : public QFrame {
  Q_OBJECT

 public:
  explicit StrategyPicker(Experiment& experiment, QWidget* parent = nullptr);

  void openBelow(QWidget* anchor);

 Q_SIGNALS:
  void closed();
  void compareWanted(const StrategyInfo& info);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QLayout* makeCards();
  void refresh();

  Experiment& experiment_;
  QScrollArea* area_;
  std::vector<QAbstractButton*> cards_;  // in the order of strategies()
};

}  // namespace lab
