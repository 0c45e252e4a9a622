// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/menus.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenuBar>

#include "ui/help/actions.h"
#include "ui/help/help.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/transport/transport.h"

namespace lab {

Menus::Menus(QMainWindow& window, Experiment& experiment, const Transport& transport)
    : window_(window), experiment_(experiment) {
  file = add("fileMenu", tr("&File"));
  edit = add("editMenu", tr("&Edit"));  // the workbench fills it
  view = add("viewMenu", tr("&View"));
  run = add("runMenu", tr("&Run"));
  help = add("helpMenu", tr("&Help"));
  quit_ = makeAction(window, "quit", tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
  connect(quit_, &QAction::triggered, &window, &QWidget::close);
  file->addAction(quit_);
  fillRun(transport);
}

QMenu* Menus::add(const char* name, const QString& title) {
  QMenu* menu = window_.menuBar()->addMenu(title);
  menu->setObjectName(QLatin1String(name));
  return menu;
}

void Menus::fillRun(const Transport& transport) {
  transport.fillMenu(*run);
  run->addSeparator();
  auto* kept = new QActionGroup(this);
  const auto keep = [&](const char* name, const QString& text, BatchKept what) {
    QAction* action = kept->addAction(makeAction(window_, name, text));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, what] { experiment_.keepBatch(what); });
    connect(&experiment_, &Experiment::changed, action, [this, action, what] {
      action->setChecked(experiment_.keepsBatch() == what);
      action->setEnabled(experiment_.hasGlobalBatch());
    });
  };
  keep("keepGlobalBatch", tr("Keep the &global batch when replicas change"), BatchKept::Global);
  keep("keepReplicaBatch", tr("Keep each replica's &batch when replicas change"), BatchKept::PerReplica);
  run->addActions(kept->actions());
  run->addSeparator();
}

void Menus::complete(const Transport& transport, QAction& compare, QAction& projector, QAction& fullScreen) {
  QAction* again = makeAction(window_, "again", tr("Start &anew, same seed"), {QKeySequence(Qt::CTRL | Qt::Key_R)});
  connect(again, &QAction::triggered, &experiment_, &Experiment::again);
  run->addAction(again);
  QAction* keys = makeAction(window_, "keys", tr("&Keys"), {Qt::Key_Question});
  connect(keys, &QAction::triggered, this, [this] { showShortcuts(&window_, withKeys(*window_.menuBar(), keys_)); });
  QAction* about = makeAction(window_, "about", tr("&About StrategyLab"));
  connect(about, &QAction::triggered, this, [this] { showAbout(&window_); });
  help->addActions({keys, about});
  keys_ = transport.actions() + QList<QAction*>{&compare, again, &projector, &fullScreen, keys, quit_};
  connect(addKeyAct("moreReplicas", tr("One replica more"), {Qt::Key_Plus, Qt::Key_Equal}), &QAction::triggered, this,
          [this] { addReplicas(1); });
  connect(addKeyAct("fewerReplicas", tr("One replica fewer"), {Qt::Key_Minus}), &QAction::triggered, this,
          [this] { addReplicas(-1); });
  int number = 0;
  for (const StrategyInfo& info : strategies()) {
    const QList<QKeySequence> digit = number < 9 ? QList{QKeySequence(Qt::Key_1 + number)} : QList<QKeySequence>();
    ++number;
    connect(addKeyAct(("strategy-" + info.key).c_str(), coreText(info.name), digit), &QAction::triggered, this,
            [this, key = QString::fromStdString(info.key)] { experiment_.set(QStringLiteral("strategy"), key); });
  }
}

QAction* Menus::addKeyAct(const char* name, const QString& text, const QList<QKeySequence>& keys) {
  QAction* action = makeAction(window_, name, text, keys);
  window_.addAction(action);
  keys_.append(action);
  return action;
}

void Menus::addReplicas(int more) {
  const std::int64_t replicas = experiment_.resolved().replicas + more;
  if (replicas >= 1) experiment_.set(QStringLiteral("replicas"), QString::number(replicas));
}

}  // namespace lab
