// SPDX-License-Identifier: GPL-3.0-or-later
// Under which strategy and which reducer a recorded step is asked for, and what of the step does not hold there.
#pragma once

#include <QWidget>

#include "core/config/run_settings.h"

class QComboBox;
class QLabel;

namespace lab {

class StrategyChoice final : public QWidget {
  Q_OBJECT

 public:
  explicit StrategyChoice(QWidget* parent = nullptr);

  StrategyKind strategy() const;
  Reducer reducer() const;
  // Emits nothing. Offers the strategy's own reducers; one that it has not is shown as Auto.
  void set(StrategyKind strategy, Reducer reducer);
  void setNotes(const QString& sentences);  // "": all of the recorded step holds

 Q_SIGNALS:
  void chosen();

 private:
  void offerReducers(Reducer wanted);

  QComboBox *strategy_, *reducer_;
  QLabel* notes_;
};

}  // namespace lab
