// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/robot.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <QUrl>

#include <algorithm>
#include <array>

#include "core/lesson/lesson.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"
#include "tests/support/pseudo_language.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/help/command_palette.h"
#include "ui/stage/stage.h"

namespace lab::robot {
namespace {

constexpr int kRestarts = 1500;  // one in so many events is a restart
constexpr int kWordChecks = 40;

}  // namespace

struct Robot::Act {
  int weight;
  void (Robot::*act)();
};

std::span<const Robot::Act> Robot::acts() {
  static constexpr std::array kActs{Act{16, &Robot::choose},    Act{12, &Robot::pointOnStage}, Act{14, &Robot::point},
                                    Act{14, &Robot::press},     Act{10, &Robot::fill},         Act{6, &Robot::push},
                                    Act{8, &Robot::set},        Act{1, &Robot::look},          Act{5, &Robot::visit},
                                    Act{5, &Robot::play},       Act{2, &Robot::lane},          Act{1, &Robot::openFile},
                                    Act{1, &Robot::drop},       Act{1, &Robot::lesson},        Act{2, &Robot::undo},
                                    Act{4, &Robot::leaveField}, Act{1, &Robot::closeLane},     Act{6, &Robot::watch}};
  return kActs;
}

Robot::Robot(const QString& folder, std::uint64_t seed, Journal& journal)
    : chance_(seed),
      journal_(journal),
      folder_(folder),
      papers_(folder + QStringLiteral("/files"), chance_),
      hands_(chance_, journal_, papers_),
      answers_(chance_, journal_, papers_, hands_, seed) {
  test::useLanguage(QStringLiteral("en"));
  life_ = std::make_unique<Life>(folder_);
}

void Robot::restart() {
  static constexpr std::array kLanguages{"en", "de", "en", "de", "pseudo", "pseudo-rtl"};
  const QString language = QLatin1String(chance_.of(kLanguages));
  journal_.note(QStringLiteral("end, and begin again in ") + language);
  answers_.closeAll();
  life_.reset();
  focusBroken_ = false;
  test::useLanguage(language);
  life_ = std::make_unique<Life>(folder_);
}

int Robot::act() {
  journal_.next();
  restMs_ = 0;
  answers_.actBegins();
  try {
    if (life_->isOver() || chance_.oneIn(kRestarts))
      restart();
    else if (!answers_.answer())
      actByChance();
    if (chance_.oneIn(kWordChecks)) checkWords();
    checkFocus();
  } catch (const std::exception& error) {
    journal_.fault(QStringLiteral("thrown: ") + QString::fromUtf8(error.what()));
  }
  answers_.actEnds();
  return restMs_;
}

void Robot::actByChance() {
  const std::span<const Act> all = acts();
  int left = 0;
  for (const Act& each : all) left += each.weight;
  left = chance_.below(left);
  const auto chosen = std::ranges::find_if(all, [&](const Act& act) { return (left -= act.weight) < 0; });
  (this->*chosen->act)();
}

bool Robot::tidy() {
  answers_.closeAll();
  if (life_->isOver()) restart();
  try {
    return life_->tidy();
  } catch (const std::exception& error) {
    journal_.fault(QStringLiteral("thrown: ") + QString::fromUtf8(error.what()));
    return true;
  }
}

QWidget& Robot::root() {
  QWidgetList tops = QApplication::topLevelWidgets();
  tops.removeIf([](const QWidget* top) {
    return !top->isVisible() || top->windowType() == Qt::ToolTip || top->inherits("QFileDialog") || top->width() < 2;
  });
  if (tops.isEmpty() || !chance_.oneIn(3)) return life_->window();
  return *chance_.of(tops);
}

// Chooses a command by its current name in the palette.
void Robot::choose() {
  MainWindow& window = life_->window();
  journal_.note(QStringLiteral("open the palette"));
  window.findChild<QAction*>(QStringLiteral("paletteAct"))->trigger();
  const QPointer<CommandPalette> palette = window.findChild<CommandPalette*>();
  if (!palette) return;
  // The list is limited: typed words bring up the others.
  static const QStringList kWords{QString(),           QStringLiteral("e"), QStringLiteral("a"), QStringLiteral("n s"),
                                  QStringLiteral("o"), QStringLiteral("t"), QStringLiteral("r"), QStringLiteral("w"),
                                  QStringLiteral("l"), QStringLiteral("c"), QStringLiteral("p"), QStringLiteral("h")};
  palette->findChild<QLineEdit*>()->setText(chance_.oneIn(9) ? papers_.anyWords() : chance_.of(kWords));
  const QStringList names = palette->shown();
  if (names.isEmpty() || chance_.oneIn(20)) {
    journal_.note(QStringLiteral("close the palette"));
    palette->close();
    return;
  }
  const int row = chance_.below(static_cast<int>(names.size()));
  journal_.note(QStringLiteral("command \"%1\"").arg(names[row]));
  palette->findChild<QListWidget*>()->setCurrentRow(row);
  QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
  if (palette) palette->close();  // an unavailable command leaves the palette open
}

void Robot::pointOnStage() {
  Stage& stage = life_->window().stage();
  if (stage.isVisible())
    hands_.point(stage);
  else
    hands_.pointIn(life_->window());
}
void Robot::point() {
  hands_.pointIn(root());
}
void Robot::press() {
  hands_.press(root());
}
void Robot::fill() {
  hands_.fill(root());
}
void Robot::leaveField() {
  hands_.typeAndClickElsewhere(root());
}
void Robot::push() {
  hands_.pushButton(root());
}

void Robot::set() {
  const auto& fields = configFields();
  const ConfigField& field = chance_.of(fields);
  if (field.group == "Output" || field.name == "data-dir") return;  // paths
  QString value;
  switch (field.kind) {
    case ConfigField::Kind::Choice:
      value = QString::fromStdString(chance_.of(field.choices));
      break;
    case ConfigField::Kind::Integer:
      // Large networks are slow.
      value = QString::number(1 + chance_.below(chance_.oneIn(20) ? 64 : 8));
      break;
    case ConfigField::Kind::Real:
      value = QString::number(chance_.below(100) / 50.0);
      break;
    default:
      value = QStringLiteral("1:2");
  }
  if (chance_.oneIn(6)) value.clear();
  if (chance_.oneIn(10)) value = papers_.anyWords();
  if (field.kind == ConfigField::Kind::File || field.kind == ConfigField::Kind::Folder) value = papers_.toOpen();
  journal_.note(QStringLiteral("set %1 = %2").arg(QString::fromStdString(field.name), value));
  life_->window().experiment().set(QString::fromStdString(field.name), value);
}

void Robot::look() {
  MainWindow& window = life_->window();
  const int way = chance_.below(6), value = chance_.below(10);
  journal_.note(QStringLiteral("look %1 %2").arg(way).arg(value));
  if (way == 0) window.looks().setTheme(theme::kKinds[static_cast<std::size_t>(value) % theme::kKinds.size()]);
  if (way == 1) window.looks().setTextPoints(value == 0 ? 0 : 6 + 3 * value);
  if (way == 2) window.looks().setReducedMotion(value < 5);
  if (way == 3) window.looks().setProjectorMode(!window.looks().isProjectorMode());
  if (way > 3) window.resize(500 + 150 * chance_.below(10), 350 + 80 * chance_.below(10));
}

void Robot::visit() {
  MainWindow& window = life_->window();
  if (chance_.oneIn(2)) {
    const int which = chance_.below(static_cast<int>(kLayouts.size()));
    journal_.note(QStringLiteral("workspace %1").arg(QLatin1String(keyOf(static_cast<WindowLayout>(which)))));
    return window.workspaces().choose(static_cast<WindowLayout>(which));
  }
  const QStringList names = window.panels().tabNames();
  const QString& name = chance_.of(names);
  journal_.note(QStringLiteral("tab ") + name);
  window.panels().openTab(name);
}

void Robot::play() {
  Playback& playback = life_->window().playback();
  const int way = chance_.below(12), value = chance_.below(16);
  journal_.note(QStringLiteral("play %1 %2").arg(way).arg(value));
  const auto unit = static_cast<Playback::Unit>(value % 4);
  if (way < 3) playback.toggle();
  if (way == 3) playback.setMode(static_cast<Playback::Mode>(value % 5));
  if (way == 4) playback.stepForward(unit);
  if (way == 5) playback.stepBack(unit);
  if (way == 6) playback.seek(1 + value, 0.1 * value);
  if (way == 7) playback.goTo(1 + value);
  if (way == 8) playback.home();
  if (way == 9) playback.end();
  if (way == 10) playback.setSpeed(0.05 + value);
  if (way == 11) playback.setUnit(unit);
}

void Robot::lane() {
  MainWindow& window = life_->window();
  window.workspaces().choose(WindowLayout::Compare);
  CompareView* view = window.centre().comparison();
  if (view == nullptr) return;
  const auto count = static_cast<int>(view->lanes().count());
  if (count > 1 && chance_.oneIn(2)) {
    const int which = 1 + chance_.below(count - 1);
    journal_.note(QStringLiteral("close lane %1").arg(which));
    return view->lanes().remove(static_cast<std::size_t>(which));
  }
  if (!view->lanes().canAdd()) return;
  const StrategyInfo& info = chance_.of(strategies());
  journal_.note(QStringLiteral("a lane of ") + QString::fromStdString(info.key));
  view->compareWith(info);
}

void Robot::closeLane() {
  MainWindow& window = life_->window();
  window.workspaces().choose(WindowLayout::Compare);
  CompareView* view = window.centre().comparison();
  if (view == nullptr || !view->isVisible()) return;
  journal_.note(QStringLiteral("four lanes in a small window"));
  window.resize(1000 + 40 * chance_.below(8), 620 + 30 * chance_.below(7));
  for (const StrategyInfo& info : strategies())
    if (view->lanes().canAdd()) view->compareWith(info);
  const auto count = static_cast<int>(view->lanes().count());
  if (count < 2) return;
  const int turns = chance_.below(count), which = 1 + chance_.below(count - 1);
  journal_.note(QStringLiteral("F6 %1 times, close lane %2 of %3 by its button").arg(turns).arg(which).arg(count));
  for (int i = 0; i < turns; ++i) QTest::keyClick(view, Qt::Key_F6);
  auto* close = view->laneView(static_cast<std::size_t>(which)).findChild<QToolButton*>(QStringLiteral("closeLane"));
  QTest::mouseClick(close, Qt::LeftButton);
}

void Robot::openFile() {
  const QString path = papers_.toOpen();
  journal_.note(QStringLiteral("open ") + path);
  (void)life_->workbench().files().open(path);
}

void Robot::drop() {
  const QString path = chance_.oneIn(5) ? papers_.toEnter() : papers_.toOpen();
  journal_.note(QStringLiteral("drop ") + path);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&life_->window(), &enter);
  if (!enter.isAccepted()) return;
  QDropEvent let({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&life_->window(), &let);
}

void Robot::lesson() {
  const std::span<const Lesson> all = builtInLessons();
  const Lesson& lesson = all[static_cast<std::size_t>(chance_.below(static_cast<int>(all.size())))];
  journal_.note(QStringLiteral("lesson ") + QString::fromStdString(lesson.name));
  (void)life_->workbench().files().openLesson(QString::fromStdString(lesson.name));
}

void Robot::undo() {
  QUndoStack& stack = life_->workbench().undo().stack();
  const bool back = chance_.oneIn(2);
  journal_.note(back ? QStringLiteral("undo") : QStringLiteral("redo"));
  back ? stack.undo() : stack.redo();
}

void Robot::watch() {
  restMs_ = 5 + chance_.below(60);
  journal_.note(QStringLiteral("watch for %1 ms").arg(restMs_));
}

// A placeholder for a number or a name that was not filled in.
void Robot::checkWords() {
  static const QRegularExpression place(QStringLiteral("%L?[1-9n]\\b"));
  const auto check = [this](const QWidget& widget, const QString& text) {
    if (!text.contains(place) || text.contains(QStringLiteral("%1%2%n")) || text.contains(QStringLiteral(" 1 %1 ")))
      return;  // text that the robot itself typed
    journal_.fault(QStringLiteral("%1 '%2' says \"%3\"")
                       .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(), text.left(200)));
  };
  for (const QWidget* widget : QApplication::allWidgets()) {
    if (!widget->isVisible()) continue;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) check(*label, label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) check(*button, button->text());
    check(*widget, widget->toolTip());
  }
}

// Tab and Shift+Tab go round all widgets of a window. If one is not on that way, Qt searches for the next one for ever.
void Robot::checkFocus() {
  if (focusBroken_) return;
  for (QWidget* top : QApplication::topLevelWidgets()) {
    QSet<const QWidget*> ring;
    for (QWidget* each = top; !ring.contains(each); each = each->nextInFocusChain()) ring.insert(each);
    for (const QWidget* widget : top->findChildren<QWidget*>()) {
      if (widget->window() != top || ring.contains(widget)) continue;
      focusBroken_ = true;
      QString way;
      for (const QWidget* each = widget; each != nullptr; each = each->parentWidget())
        way += QStringLiteral(" in %1 '%2'").arg(QLatin1String(each->metaObject()->className()), each->objectName());
      return journal_.fault(QStringLiteral("not on Tab's way:") + way);
    }
  }
}

}  // namespace lab::robot
