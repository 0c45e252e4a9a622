// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the strategy and the reducer for which a recorded step is predicted, and says what of the step does not carry
// over.
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
  // Emits nothing. Offers the strategy's own reducers; a reducer that the strategy lacks is shown as Auto.
  void set(StrategyKind strategy, Reducer reducer);
  void setNotes(const QString& sentences);  // "": everything of the recorded step carries over

 Q_SIGNALS:
  void chosen();

 private:
  void offerReducers(Reducer wanted);

  QComboBox *strategy_, *reducer_;
  QLabel* notes_;
};

}  // namespace lab
