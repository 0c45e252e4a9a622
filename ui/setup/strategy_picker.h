// SPDX-License-Identifier: GPL-3.0-or-later
// The strategies as cards on two axes: one machine or several, synchronous or asynchronous. Choosing one applies
// it at once; the settings that matter for the choice stand below. Opened as a popup; Esc closes it. Letters find a
// card by the beginning of its name, as in a list; Enter chooses it.
#pragma once

#include <QElapsedTimer>
#include <QFrame>
#include <QString>

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
  void find(const QString& letter);

  Experiment& experiment_;
  QScrollArea* area_;
  std::vector<QAbstractButton*> cards_;  // in the order of strategies()
  QString typed_;                        // the letters of the search under way
  QElapsedTimer sinceLetter_;
};

}  // namespace lab
