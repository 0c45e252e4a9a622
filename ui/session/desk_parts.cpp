// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/desk_parts.h"

#include <QAction>
#include <QBoxLayout>
#include <QMenu>
#include <QStatusBar>

#include "ui/frame/messages.h"
#include "ui/help/actions.h"
#include "ui/help/notice.h"
#include "ui/runview/run_controller.h"
#include "ui/window/main_window.h"

namespace lab {

DeskParts::DeskParts(MainWindow& mainWindow, QSettings& kept, QObject* parent)
    : QObject(parent),
      window(mainWindow),
      settings(kept),
      document(window.experiment(), window.library()),
      undo(window.experiment()),
      notices(*new Notice),
      view(window) {
  static_cast<QBoxLayout*>(window.centralWidget()->layout())->insertWidget(1, &notices.notice());
  document.setViewOf([this] {
    SavedView now = view.now();
    // A class's steps are in its recording. A run with the experiment's settings has others.
    if (window.controller().ofClass().isThere()) {
      now.step = 0;
      now.beat.clear();
      now.mode.clear();
    }
    return now;
  });
  connect(&window, &MainWindow::arranged, &notices, &Notices::review);
  connect(&window.playback(), &Playback::acted, &notices, &Notices::review);
  connect(&window.messages(), &Messages::said, this, [this](const QString& text) {
    if (window.statusBar()->isHidden()) mention(text);
  });
  connect(&window.messages(), &Messages::unsaid, this, [this](const QString& text) {
    if (text == mentioned_) notices.over(Notices::Cause::Passing);
  });
  passing_.setSingleShot(true);
  connect(&passing_, &QTimer::timeout, this, [this] { notices.over(Notices::Cause::Passing); });
}

void DeskParts::say(Notices::Cause cause, const QString& text, bool failure) {
  if (failure) {
    window.statusBar()->clearMessage();  // such as "Saved", of the save before
    return notices.set(cause, {text});
  }
  notices.over(cause);
  mention(text);
}

void DeskParts::mention(const QString& text) {
  if (!window.statusBar()->isHidden()) return window.statusBar()->showMessage(text, kMessageMs);
  mentioned_ = text;
  notices.set(Notices::Cause::Passing, {text, {}, {}, Notice::Kind::Hint});
  passing_.start(kMessageMs);
}

QAction* DeskParts::add(QMenu& menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                        const std::function<void()>& act) {
  QAction* action = makeAction(menu, name, text, keys);
  menu.addAction(action);
  connect(action, &QAction::triggered, this, act);
  return action;
}

// Checks what comes by drag and drop: opening a file, pasting a link, using images as a data set.
bool DeskParts::mayDrop(const char* act) {
  const auto* action = window.findChild<QAction*>(QLatin1String(act));
  if (action == nullptr || action->isEnabled()) return true;
  mention(action->toolTip());
  return false;
}

void DeskParts::offerView(const QString& sentence) {
  if (!document.view()) return;
  const SavedView saved = *document.view();
  const QString words = view.difference(saved);
  if (words.isEmpty()) return;
  notices.set(Notices::Cause::View, {sentence.arg(words), tr("Show this view"), [this, saved] { view.show(saved); },
                                     Notice::Kind::Hint, [this, saved] { return view.difference(saved).isEmpty(); }});
}

}  // namespace lab
