// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that a teacher changes in front of a class. Strategy, replicas and the batch are always visible; the
// others, in the order of the data flow, are in a row that stands elsewhere.
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

  int nameWidth() const;                            // width of the strategy's button, including the gap after it
  SettingsRow& first() const { return *first_; }    // replicas, and the batch that the strategy's step uses
  SettingsRow& others() const { return *others_; }  // without a parent: the caller places it

 Q_SIGNALS:
  void compareWanted(const StrategyInfo& info);
  void refreshed();  // fields may have another width, or another field is the least needed

 private:
  void refresh();

  Experiment& experiment_;
  QToolButton* strategy_;
  SettingsRow *first_, *others_;
  StrategyPicker* picker_ = nullptr;  // made when it is first opened
};

}  // namespace lab
