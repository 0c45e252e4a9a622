// SPDX-License-Identifier: GPL-3.0-or-later
// The actions in the menu Run that lead to a moment not known beforehand: run until a condition holds, and find where
// the lanes of a comparison begin to differ.
#include <QMenu>

#include "ui/compare/compare_view.h"
#include "ui/compare/run_until.h"
#include "ui/compare/run_until_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace lab {
namespace {

constexpr int kUntilMessageMs = 15000;

}  // namespace

void MainWindow::fillSearches(QMenu& run) {
  const auto lanes = [this]() -> Lanes* { return compare_ != nullptr ? &compare_->lanes() : nullptr; };
  until_ = new RunUntil(controller_, playback_, lanes, this);
  connect(until_, &RunUntil::ended, this, [this](const QString& words) { say(words, kUntilMessageMs); });
  QAction* until = addAct("runUntil", tr("Run &until…"), {Qt::Key_U});
  connect(until, &QAction::triggered, this, &MainWindow::openRunUntil);
  run.addAction(until);
  const auto add = [&](const char* name, const QString& text, const QKeySequence& key, DifferenceSearch::Which which) {
    QAction* action = addAct(name, text, {key});
    connect(action, &QAction::triggered, this, [this, which] {
      setWindowLayout(WindowLayout::Compare);
      if (layout_ == WindowLayout::Compare && compare_ != nullptr) compare_->findDifference(which);
    });
    run.addAction(action);
  };
  add("firstDifferenceMenu", tr("First &difference of the lane"), Qt::Key_D, DifferenceSearch::Which::First);
  add("nextDifferenceMenu", tr("Ne&xt difference between lanes"), Qt::Key_N, DifferenceSearch::Which::Next);
  add("previousDifferenceMenu", tr("Pre&vious difference between lanes"), Qt::SHIFT | Qt::Key_N,
      DifferenceSearch::Which::Previous);
}

void MainWindow::openRunUntil() {
  if (auto* open = findChild<RunUntilDialog*>()) return open->raise(), open->activateWindow();
  auto* dialog = new RunUntilDialog(*until_, playback_.step(), this);
  dialog->show();
}

}  // namespace lab
