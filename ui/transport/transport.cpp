// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport/transport.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "ui/playback/playback.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

using Mode = Playback::Mode;
using Unit = Playback::Unit;

Unit coarser(Unit unit) {
  return unit == Unit::Transfer ? Unit::Phase : unit == Unit::Phase ? Unit::Step : Unit::Epoch;
}

QToolButton* makeButton(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(action->text());
  Transport::showWith(*action, *button);
  return button;
}

// A caption with a row of controls below it, in the style of the settings.
QWidget* captioned(const QString& caption, const QList<QWidget*>& controls) {
  auto* widget = new QWidget;
  widget->setProperty("spare", true);  // can be left out, as the menu Run has the same controls
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  auto* label = new QLabel(caption);
  label->setProperty("role", QStringLiteral("caption"));
  column->addWidget(label);
  auto* row = new QHBoxLayout;
  row->setSpacing(1);
  for (QWidget* control : controls) {
    row->addWidget(control);
    control->setSizePolicy(control->sizePolicy().horizontalPolicy(),
                           QSizePolicy::Expanding);  // as high as its neighbours
  }
  widget->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  column->addLayout(row);
  return widget;
}

QComboBox* makeCombo(QActionGroup* group, const QString& name, const QString& tip) {
  auto* combo = new QComboBox;
  combo->setObjectName(group->objectName());
  combo->setFocusPolicy(Qt::TabFocus);
  combo->setAccessibleName(name);
  combo->setToolTip(tip);
  for (QAction* action : group->actions()) {
    combo->addItem(action->text());
    combo->setItemData(combo->count() - 1, action->toolTip(), Qt::ToolTipRole);
    QObject::connect(action, &QAction::toggled, combo, [combo, row = combo->count() - 1](bool on) {
      if (on) combo->setCurrentIndex(row);
    });
    if (action->isChecked()) combo->setCurrentIndex(combo->count() - 1);
  }
  QObject::connect(combo, &QComboBox::activated, group, [group](int row) { group->actions().at(row)->trigger(); });
  return combo;
}

}  // namespace

QString modeName(Mode mode) {
  switch (mode) {
    case Mode::Story:
      return Transport::tr("Story");
    case Mode::Play:
      return Transport::tr("Play", "mode");
    case Mode::Live:
      return Transport::tr("Live");
    case Mode::Fast:
      return Transport::tr("Fast");
    case Mode::Express:
      return Transport::tr("Express");
  }
  return {};
}

Transport::Transport(Playback& playback, QObject* parent) : QObject(parent), playback_(playback) {
  home_ = makeAct("home", tr("To the first step"), Qt::Key_Home, [this] { playback_.home(); });
  play_ = makeAct("play", tr("Play"), Qt::Key_Space, [this] { playback_.toggle(); });
  play_->setIconVisibleInMenu(false);  // its icon is drawn for the button's accent colour
  end_ = makeAct("end", tr("To the latest step"), Qt::Key_End, [this] { playback_.end(); });
  home_->setIcon(icon(Icon::Home));
  end_->setIcon(icon(Icon::End));
  makeStepActs();
  makeChoices();
  connect(&playback_, &Playback::acted, this, &Transport::refresh);
  refresh();
}

QAction* Transport::makeAct(const char* name, const QString& text, const QKeySequence& key,
                            const std::function<void()>& act) {
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(name));
  action->setShortcut(key);
  action->setToolTip(tr("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, &playback_, act);
  return action;
}

void Transport::makeStepActs() {
  const auto make = [this](const char* name, const QString& text, const QKeySequence& key, auto unit, bool forward) {
    return makeAct(name, text, key, [this, unit, forward] {
      if (forward) {
        playback_.stepForward(unit());
      } else {
        playback_.stepBack(unit());
      }
    });
  };
  const auto chosen = [this] { return playback_.unit(); };
  const auto coarse = [this] { return coarser(playback_.unit()); };
  const auto transfer = [] { return Unit::Transfer; };
  back_ = make("back", tr("Step back"), Qt::Key_Left, chosen, false);
  forward_ = make("forward", tr("Step forward"), Qt::Key_Right, chosen, true);
  backCoarse_ = make("backCoarse", tr("Coarser step back"), Qt::SHIFT | Qt::Key_Left, coarse, false);
  forwardCoarse_ = make("forwardCoarse", tr("Coarser step forward"), Qt::SHIFT | Qt::Key_Right, coarse, true);
  previousTransfer_ = make("previousMessage", tr("Previous transfer"), Qt::Key_Comma, transfer, false);
  nextTransfer_ = make("nextMessage", tr("Next transfer"), Qt::Key_Period, transfer, true);
  back_->setIcon(icon(Icon::Back));
  forward_->setIcon(icon(Icon::Forward));
}

void Transport::makeChoices() {
  const auto choice = [](QActionGroup* group, const QString& text, const QString& tip, auto act) {
    QAction* action = group->addAction(text);
    action->setCheckable(true);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, group, act);
  };
  modes_ = new QActionGroup(this);
  modes_->setObjectName(QStringLiteral("mode"));
  for (const auto& [mode, tip] :
       {std::pair{Mode::Story, tr("Every step, with pauses for reading; training waits for the movie")},
        {Mode::Play, tr("Every step, without pauses; training waits for the movie")},
        {Mode::Live, tr("Training continues; the movie shows one step of many")},
        {Mode::Fast, tr("Training continues; no motion, the latest step as it ended")},
        {Mode::Express, tr("Training at full speed; only the charts follow, once a second")}}) {
    choice(modes_, modeName(mode), tip, [this, mode = mode] {
      playback_.setMode(mode);
      if (mode == Mode::Live) playback_.play();  // as the key L does
      Q_EMIT modeChosen(mode);
    });
  }
  units_ = new QActionGroup(this);
  units_->setObjectName(QStringLiteral("unit"));
  for (const auto& [unit, text, tip] : {std::tuple{Unit::Transfer, tr("transfer"), tr("One transfer at a time")},
                                        {Unit::Phase, tr("beat"), tr("One beat of the step at a time")},
                                        {Unit::Step, tr("step"), tr("One training step at a time")},
                                        {Unit::Epoch, tr("epoch"), tr("One epoch at a time")}}) {
    choice(units_, text, tip, [this, unit = unit] { playback_.setUnit(unit); });
  }
  speeds_ = new QActionGroup(this);
  speeds_->setObjectName(QStringLiteral("speed"));
  for (const auto& [speed, text, tip] : {std::tuple{0.25, tr("¼×"), tr("A quarter of the speed")},
                                         {1.0, tr("1×"), tr("Normal speed")},
                                         {4.0, tr("4×"), tr("Four times the speed")}}) {
    choice(speeds_, text, tip, [this, speed = speed] { playback_.setSpeed(speed); });
    speeds_->actions().back()->setData(speed);
  }
  live_ = new QAction(tr("Live"), this);
  live_->setObjectName(QStringLiteral("live"));
  live_->setShortcut(Qt::Key_L);
  connect(live_, &QAction::triggered, modes_->actions().at(static_cast<int>(Mode::Live)), &QAction::trigger);
  // Skips Express, which shows nothing.
  nextMode_ = makeAct("nextMode", tr("The next mode: Story, Play, Live, Fast"), Qt::Key_M, [this] {
    const Mode now = playback_.mode();
    playback_.setMode(now == Mode::Story  ? Mode::Play
                      : now == Mode::Play ? Mode::Live
                      : now == Mode::Live ? Mode::Fast
                                          : Mode::Story);
    Q_EMIT modeChosen(playback_.mode());
  });
  const auto showKey = [this, mode = modes_->actions().at(static_cast<int>(Mode::Live)), words = QString()]() mutable {
    if (words.isEmpty()) words = mode->toolTip();
    const QString keys = live_->shortcut().toString(QKeySequence::NativeText);
    mode->setToolTip(keys.isEmpty() ? words : tr("%1 (%2)").arg(words, keys));
  };
  connect(live_, &QAction::changed, this, showKey);
  Q_EMIT live_->changed();
}

QList<QAction*> Transport::actions() const {
  return {home_,     back_,       play_,          forward_,          end_,         live_,
          nextMode_, backCoarse_, forwardCoarse_, previousTransfer_, nextTransfer_};
}

// Hides the button with its action, which a classroom's locks may hide.
void Transport::showWith(QAction& action, QWidget& button) {
  const auto follow = [&action, &button] { button.setVisible(action.isVisible()); };
  QObject::connect(&action, &QAction::changed, &button, follow);
  if (!action.isVisible()) follow();
}

QWidget* Transport::makeSteps() const {
  auto* steps = new QWidget;
  steps->setLayoutDirection(Qt::LeftToRight);  // like the scrubber's time, also where text runs from right to left
  auto* row = new QHBoxLayout(steps);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(1);
  for (QAction* action : {home_, back_, forward_, end_}) row->addWidget(makeButton(action));
  return steps;
}

void Transport::fillToolBar(QToolBar& bar) const {
  bar.addWidget(
      captioned(tr("Step by"), {makeCombo(units_, tr("Step by"), tr("How far the step buttons and ← → go"))}));
  bar.addSeparator();
  QList<QWidget*> buttons;
  for (QAction* action : modes_->actions()) buttons << makeButton(action);
  bar.addWidget(captioned(tr("Mode"), buttons));
  bar.addSeparator();
  buttons.clear();
  for (QAction* action : speeds_->actions()) buttons << makeButton(action);
  bar.addWidget(captioned(tr("Speed"), buttons));
  QWidget* shorter = captioned(tr("Speed"), {makeCombo(speeds_, tr("Speed"), tr("How fast the movie runs"))});
  shorter->setProperty("shorter", true);
  bar.addWidget(shorter);
}

void Transport::fillMenu(QMenu& menu) const {
  menu.addActions({play_, live_, nextMode_});
  menu.addSeparator();
  menu.addActions({forward_, back_});
  menu.addMenu(tr("Go"))->addActions({forwardCoarse_, backCoarse_, nextTransfer_, previousTransfer_, home_, end_});
  menu.addSeparator();
  for (const auto& [group, title] : {std::pair{modes_, tr("Mode")}, {units_, tr("Step by")}, {speeds_, tr("Speed")}})
    menu.addMenu(title)->addActions(group->actions());
}

void Transport::setUsable(bool usable) {
  for (QAction* action : actions()) action->setEnabled(usable);
}

void Transport::refresh() {
  const bool playing = playback_.isPlaying();
  play_->setText(playing ? tr("Pause") : tr("Play"));
  const QString keys = play_->shortcut().toString(QKeySequence::NativeText);
  play_->setToolTip(keys.isEmpty() ? play_->text() : tr("%1 (%2)").arg(play_->text(), keys));
  play_->setIcon(icon(playing ? Icon::Pause : Icon::Play, IconColour::OnAccent));
  modes_->actions().at(static_cast<int>(playback_.mode()))->setChecked(true);
  units_->actions().at(static_cast<int>(playback_.unit()))->setChecked(true);
  for (QAction* action : speeds_->actions()) {
    action->setChecked(std::abs(action->data().toDouble() - playback_.speed()) < 1e-9);
  }
}

}  // namespace lab
