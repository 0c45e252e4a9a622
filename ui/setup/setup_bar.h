// SPDX-License-Identifier: GPL-3.0-or-later
// The settings one changes in front of a class. Strategy, replicas and the batch are always in sight; the others, in
// the order in which data flow, are in a row that stands elsewhere.
#pragma once

#include <QWidget>

#include "core/strategy/strategy.h"

class QToolButton;

namespace lab {

class Experiment;
class SettingsRow;
class StrategyPicker;

class SetupBar final : public QWidget {
  Q_OBJECT

 public:
  explicit SetupBar(Experiment& experiment, QWidget* parent = nullptr);

  void openPicker();

  int nameWidth() const;                            // of the strategy's button, with the gap after it
  SettingsRow& first() const { return *first_; }    // replicas, and the batch that the strategy's step is about
  SettingsRow& others() const { return *others_; }  // without a parent: for whoever places it

 Q_SIGNALS:
  void compareWanted(const StrategyInfo& info);
  void refreshed();  // fields may be wider or narrower, or another one be the least needed

 private:
  void refresh();

  Experiment& experiment_;
  QToolButton* strategy_;
  SettingsRow *first_, *others_;
  StrategyPicker* picker_ = nullptr;  // made when it is first opened
};

}  // namespace lab
