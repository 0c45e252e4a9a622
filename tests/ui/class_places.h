// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the places that a class uses, one after another, for a test to look at: lessons page by page, questions before
// and after an answer, quiz, gallery, glossary, moments, program, movie, QR code, locks, the menu of faults.
#pragma once

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QListWidget>
#include <QMenu>

#include <functional>
#include <span>

#include "ui/frame/on_demand.h"
#include "ui/guide/lesson_view.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace lab::test {

using LookAt = std::function<void(const QString& name, QWidget& shown)>;

inline void settle(MainWindow& window) {
  window.refreshAll();
  for (int i = 0; i < 4; ++i) {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
  }
}

inline QAbstractButton* seenButton(QWidget& root, const char* name) {
  for (auto* button : root.findChildren<QAbstractButton*>(QLatin1String(name)))
    if (button->isVisible() && button->isEnabled()) return button;
  return nullptr;
}

inline bool press(MainWindow& window, QWidget& root, const char* name) {
  QAbstractButton* button = seenButton(root, name);
  if (button == nullptr) return false;
  button->click();
  settle(window);
  return true;
}

// Visits all pages of the open lesson, and answers each question, right or wrong.
inline void eachPage(MainWindow& window, LessonView& view, const QString& name, const LookAt& look) {
  for (int page = 0; page < 9; ++page) {
    settle(window);
    look(QStringLiteral("lesson-%1-%2").arg(name).arg(page + 1), window);
    if (seenButton(view, "commitAnswer") != nullptr || seenButton(view, "answer0") != nullptr) {
      press(window, view, "answer0");
      press(window, view, "commitAnswer");
      look(QStringLiteral("lesson-%1-%2-answered").arg(name).arg(page + 1), window);
    }
    press(window, view, "lessonHintButton");
    if (!press(window, view, "lessonNext")) return;
  }
}

// `every`: how many lessons are left out after each visited one.
inline void eachGuide(MainWindow& window, const LookAt& look, int every = 1) {
  window.panels().openTab(QStringLiteral("lessonsTab"));
  settle(window);
  look(QStringLiteral("lessons"), window);
  auto& lessons = static_cast<LessonView&>(window.panels().tab(QStringLiteral("lessonsTab"))->content());
  const std::span<const Lesson> all = builtInLessons();
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(every)) {
    lessons.begin(all[i]);
    eachPage(window, lessons, QString::fromStdString(all[i].name), look);
  }
  press(window, lessons, "lessonAll");
  window.panels().openTab(QStringLiteral("quizTab"));
  QWidget& quiz = *window.panels().tab(QStringLiteral("quizTab"));
  for (int question = 1; question < 40; ++question) {
    settle(window);
    look(QStringLiteral("quiz-%1").arg(question), window);
    if (press(window, quiz, "quizGiveUp")) look(QStringLiteral("quiz-%1-answered").arg(question), window);
    if (!press(window, quiz, "quizNext")) break;
  }
  for (int i = 0; i < 3; ++i) window.findChild<QAction*>(QStringLiteral("momentAddMenu"))->trigger();
  for (const char* tab :
       {"galleryTab", "momentsTab", "glossaryTab", "programTab", "setupTab", "narrationTab", "classTab"}) {
    window.panels().openTab(QLatin1String(tab));
    settle(window);
    if (auto* list = window.panels().tab(QLatin1String(tab))->findChild<QListWidget*>()) list->setCurrentRow(0);
    settle(window);
    look(QLatin1String(tab), window);
  }
}

inline void eachClassDialog(MainWindow& window, const LookAt& look) {
  for (const char* name : {"exportMovie", "arrangeAct", "linkCodeAct", "serveClass"}) {
    const QList<QDialog*> before = window.findChildren<QDialog*>();
    window.findChild<QAction*>(QLatin1String(name))->trigger();
    settle(window);
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
      if (before.contains(dialog) || !dialog->isVisible()) continue;
      look(QLatin1String(name), *dialog);
      dialog->close();
    }
    settle(window);
  }
  window.findChild<QAction*>(QStringLiteral("faultMenu"))->trigger();
  settle(window);
  if (auto* menu = window.findChild<QMenu*>(QStringLiteral("faults"))) {
    look(QStringLiteral("faults"), *menu);
    menu->close();
  }
}

}  // namespace lab::test
