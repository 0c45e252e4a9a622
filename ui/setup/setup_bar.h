// SPDX-License-Identifier: GPL-3.0-or-later
// The settings one changes in front of a class, in the order in which data flow: strategy, replicas, batch, learning
// rate, reducer. Those that have no room stand behind one button.
#pragma once

#include <QList>
#include <QStringList>
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

  int nameWidth() const;                        // of the strategy's button
  int moreWidth() const;                        // of the button for those that have no room
  QList<QWidget*> spares() const;               // that may go from the bar, in its order
  void setGone(const QList<QWidget*>& spares);  // of these; a button opens the same fields

 Q_SIGNALS:
  void compareWanted(const StrategyInfo& info);
  void refreshed();  // fields may be wider or narrower, or another one be the least needed

 private:
  void refresh();
  QWidget* makeField(const QString& name);
  void openMore();

  Experiment& experiment_;
  QToolButton *strategy_, *more_;
  QList<QWidget*> spares_;
  QStringList gone_;  // the names of those that have no room
  QWidget *rate_ = nullptr, *reducer_ = nullptr;
  StrategyPicker* picker_ = nullptr;  // made when it is first opened
};

}  // namespace lab
