// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/answers.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QTest>
#include <QWindow>

namespace lab::robot {
namespace {

constexpr int kRescueMs = 50;     // how often it looks
constexpr int kNestedMs = 300;    // an event whose event loop runs this long waits for an answer
constexpr int kPopupTurns = 5;    // after so many turns a menu is closed
constexpr int kFilesTurns = 3;    // the same for a file dialog, which may refuse its input
constexpr int kDialogTurns = 40;  // the same for any other dialog

void pushAny(QMessageBox& box, Chance& chance) {
  QList<QAbstractButton*> buttons = box.buttons();
  buttons.removeIf([](const QAbstractButton* button) { return !button->isEnabled(); });
  if (buttons.isEmpty())
    box.reject();
  else
    chance.of(buttons)->click();
}

}  // namespace

Answers::Answers(Chance& chance, Journal& journal, Papers& papers, Hands& hands, std::uint64_t seed)
    : chance_(chance), journal_(journal), papers_(papers), hands_(hands), nested_(seed, 2) {
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { rescue(); });
  timer_.start(kRescueMs);
}

bool Answers::answer() {
  QWidget* popup = QApplication::activePopupWidget();
  QWidget* asking = popup != nullptr ? popup : QApplication::activeModalWidget();
  if (asking == nullptr) return false;
  turns_ = asking == asks_ ? turns_ + 1 : 0;
  asks_ = asking;
  if (popup != nullptr)
    answerPopup(*popup);
  else if (auto* files = qobject_cast<QFileDialog*>(asking))
    answerFiles(*files);
  else
    answerDialog(*asking);
  return true;
}

void Answers::answerPopup(QWidget& popup) {
  if (turns_ > kPopupTurns) {
    journal_.note(QStringLiteral("leave the menu"));
    popup.close();
  } else if (auto* menu = qobject_cast<QMenu*>(&popup); menu != nullptr && !chance_.oneIn(5)) {
    answerMenu(*menu);
  } else {
    hands_.press(popup);
  }
}

void Answers::answerMenu(QMenu& menu) {
  QList<QAction*> actions = menu.actions();
  actions.removeIf([](const QAction* action) { return !action->isVisible() || action->isSeparator(); });
  if (actions.isEmpty() || chance_.oneIn(6)) {
    journal_.note(QStringLiteral("Esc in the menu"));
    QTest::keyClick(&menu, Qt::Key_Escape);
    return;
  }
  QAction* action = chance_.of(actions);
  journal_.note(QStringLiteral("choose \"%1\" of the menu").arg(action->text()));
  menu.setActiveAction(action);
  QTest::keyClick(&menu, Qt::Key_Return);
}

void Answers::answerFiles(QFileDialog& dialog) {
  if (turns_ > kFilesTurns || chance_.oneIn(6)) {
    journal_.note(QStringLiteral("no file for '%1'").arg(dialog.objectName()));
    return dialog.reject();
  }
  if (auto* types = dialog.findChild<QComboBox*>(QStringLiteral("fileTypeCombo")); types->count() > 1) {
    types->setCurrentIndex(chance_.below(types->count()));
    Q_EMIT types->activated(types->currentIndex());
  }
  const bool folder = dialog.fileMode() == QFileDialog::Directory;
  const QString path = folder                                           ? papers_.toEnter()
                       : dialog.acceptMode() == QFileDialog::AcceptSave ? papers_.toSave()
                                                                        : papers_.toOpen();
  journal_.note(QStringLiteral("'%1' for '%2'").arg(path, dialog.objectName()));
  dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
  static_cast<QDialog&>(dialog).accept();
}

void Answers::answerDialog(QWidget& dialog) {
  if (auto* box = qobject_cast<QMessageBox*>(&dialog)) {
    journal_.note(QStringLiteral("answer '%1' \"%2\"").arg(box->objectName(), box->text().left(60)));
    return pushAny(*box, chance_);
  }
  const int way = chance_.below(20);
  if (turns_ > kDialogTurns || way == 0) {
    journal_.note(
        QStringLiteral("close %1 '%2'").arg(QLatin1String(dialog.metaObject()->className()), dialog.objectName()));
    dialog.close();
  } else if (way < 7) {
    hands_.fill(dialog);
  } else if (way < 11) {
    hands_.pushButton(dialog);
  } else if (way < 15) {
    hands_.press(dialog);
  } else {
    hands_.pointIn(dialog);
  }
}

void Answers::closeAll() {
  for (int i = 0; i < 20; ++i) {
    QWidget* asking = QApplication::activePopupWidget();
    if (asking == nullptr) asking = QApplication::activeModalWidget();
    if (asking == nullptr) break;
    if (auto* box = qobject_cast<QMessageBox*>(asking))
      box->reject();
    else
      asking->close();
  }
  for (QWidget* top : QApplication::topLevelWidgets())
    if (top->isVisible() && qobject_cast<QDialog*>(top) != nullptr) top->close();
}

// Runs while an event has an event loop of its own.
void Answers::rescue() {
  if (!acting_.isValid() || acting_.elapsed() < kNestedMs) return;
  acting_.start();
  if (QWidget* popup = QApplication::activePopupWidget()) {
    journal_.note(QStringLiteral("  it waits: leave the menu"));
    popup->close();
  } else if (QWidget* modal = QApplication::activeModalWidget()) {
    journal_.note(QStringLiteral("  it waits: answer %1").arg(QLatin1String(modal->metaObject()->className())));
    if (auto* box = qobject_cast<QMessageBox*>(modal))
      pushAny(*box, nested_);
    else
      modal->close();
  } else if (QWindow* window = QGuiApplication::focusWindow()) {
    journal_.note(QStringLiteral("  it waits: Esc"));
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &escape);  // ends a drag
  }
}

}  // namespace lab::robot
