// SPDX-License-Identifier: GPL-3.0-or-later
// The acts on the playback clock as actions, for buttons, menu and keyboard, always in the clock's present state.
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QObject>

#include <functional>

#include "ui/playback/playback.h"

class QMenu;
class QToolBar;

namespace lab {

QString modeName(Playback::Mode mode);

class Transport final : public QObject {
  Q_OBJECT

 public:
  explicit Transport(Playback& playback, QObject* parent = nullptr);

  void fillToolBar(QToolBar& bar) const;  // choices for ▶: units, modes, speeds
  QWidget* makeSteps() const;             // the buttons for single steps, for the bar with ▶
  QAction& playAct() const { return *play_; }
  static void showWith(QAction& action, QWidget& button);  // the button is hidden together with the action
  void fillMenu(QMenu& menu) const;
  QList<QAction*> actions() const;  // all actions with keys

  void setUsable(bool usable);  // a run that failed before its first step has nothing to play

 Q_SIGNALS:
  void modeChosen(lab::Playback::Mode mode);  // by the user

 private:
  QAction* makeAct(const char* name, const QString& text, const QKeySequence& key, const std::function<void()>& act);
  void makeStepActs();
  void makeChoices();
  void refresh();

  Playback& playback_;
  QAction *home_, *play_, *end_, *live_, *nextMode_;
  QAction *back_, *forward_, *backCoarse_, *forwardCoarse_, *previousTransfer_, *nextTransfer_;
  QActionGroup *modes_, *units_, *speeds_;
};

}  // namespace lab
