// SPDX-License-Identifier: GPL-3.0-or-later
// The settings one changes in front of a class, in the order in which data flow: strategy, replicas, batch, learning
// rate, reducer.
#pragma once

#include <QWidget>

#include "core/strategy/strategy.h"

class QToolButton;

namespace lab {

class Experiment;
class StrategyPicker;

class SetupBar final : public QWidget {
  Q_OBJECT

 public:
  explicit SetupBar(Experiment& experiment, QWidget* parent = nullptr);

  void openPicker();

  int nameWidth() const;  // of the strategy's button

 Q_SIGNALS:
  void compareWanted(const StrategyInfo& info);
  void refreshed();  // fields may be wider or narrower, or another one be the least needed

 private:
  void refresh();

  Experiment& experiment_;
  QToolButton* strategy_;
  QWidget *rate_ = nullptr, *reducer_ = nullptr;
  StrategyPicker* picker_ = nullptr;  // made when it is first opened
};

}  // namespace lab
