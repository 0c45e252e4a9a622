// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus have for whoever shows the program to a class: the link as a code, a beat as a movie, what is hidden
// or locked.
#include <QMenu>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/classroom/arrange_dialog.h"
#include "ui/classroom/class_locks.h"
#include "ui/classroom/link_code.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/movie/movie_dialog.h"
#include "ui/session/workbench.h"
#include "ui/transport/scrubber.h"
#include "ui/window/main_window.h"

namespace lab {

void Workbench::fillTeachMenu() {
  QMenu* view = window_.menus().view;
  view->addSeparator();
  add(*view, "linkCodeAct", tr("Share the experiment as a &QR code…"), {Qt::Key_Q},
      [this] { showLinkCode(window_, shared()); });
  locks_ = new ClassLocks(window_, undo_.stack(), this);
  QAction* arrange = add(*view, "arrangeAct", tr("&Arrange for the class…"), {}, [this] {
    QDialog& dialog = showArrangement(window_, *locks_);
    connect(&dialog, &QObject::destroyed, locks_, &ClassLocks::changed, Qt::UniqueConnection);
  });
  // By its keys alone: in a menu each pupil would find it.
  QAction* back = window_.addKeyAct("bringBackAct", tr("Bring all controls back, or hide and lock them again"),
                                    QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_U));
  back->setProperty("byKeysAlone", true);
  connect(back, &QAction::triggered, this, [this] { locks_->lift(!locks_->isLifted()); });
  const auto refresh = [this, back, arrange] {
    back->setEnabled(!locks_->locks().empty());
    const bool open = !locks_->isInForce() || locks_->isArranging();
    arrange->setEnabled(open);
    arrange->setToolTip(open ? QString() : tr("Press %1 first: all controls then come back").arg(locks_->keys()));
    document_.setLocks(locks_->locks());
    if (locks_->locks().empty() || locks_->isLifted()) notices_.over(Notices::Cause::Locks);
  };
  connect(locks_, &ClassLocks::changed, this, refresh);
  connect(locks_, &ClassLocks::refused, this, &Workbench::mention);
  connect(&undo_, &SettingsUndo::refused, this, &Workbench::mention);
  document_.setLocksInForce([this] { return locks_->isInForce() ? locks_->locks() : ControlLocks(); });
  connect(&document_, &Document::changed, this, &Workbench::takeLocks);
  refresh();
}

QString Workbench::link() const {
  return QString::fromStdString(experimentLink(window_.experiment().asked(), document_.locks()));
}

// As it is at this moment.
SharedExperiment Workbench::shared() const {
  const RunSettings asked = withoutOutputs(window_.experiment().asked());
  const ResolvedSettings& resolved = window_.experiment().resolved();
  const StrategyInfo& info = strategyInfo(resolved.strategy);
  SharedExperiment shared;
  shared.title = tr("%1, %Ln replicas", nullptr, plural(resolved.replicas)).arg(coreText(info.name));
  static constexpr std::array<std::string_view, 6> kAlways{"batch-per-replica", "dataset",       "network",
                                                           "optimizer",         "learning-rate", "seed"};
  for (const ConfigField& field : configFields()) {
    if (!field.belongsTo(info) || field.name == "strategy" || field.name == "replicas") continue;
    const bool always = std::ranges::find(kAlways, field.name) != kAlways.end();
    if (!always && field.isDefault(asked)) continue;
    const QString value = coreText(always ? field.get(resolved) : field.get(asked));
    if (!value.isEmpty()) shared.settings.append({settingCaption(field), value});
  }
  shared.picture = window_.centralWidget()->grab().toImage();
  shared.file = document_.text();
  shared.fileName = fileStem(resolved) + QStringLiteral(".slab");
  try {
    shared.link = link();
  } catch (const UserError&) {  // too long: the file says all
  }
  return shared;
}

// Those of another experiment, as soon as it is here.
void Workbench::takeLocks() {
  if (document_.locks() == locks_->locks()) return;
  const QStringList unknown = locks_->take(document_.locks());
  if (locks_->locks().empty()) return;
  QString words = tr("This experiment hides or locks %Ln controls. %1 brings all back.", nullptr,
                     plural(std::ssize(locks_->locks().hidden) + std::ssize(locks_->locks().locked)))
                      .arg(locks_->keys());
  if (!unknown.isEmpty())
    words += QLatin1Char(' ') + tr("Not known here, and ignored: %1.").arg(unknown.join(QStringLiteral(", ")));
  notices_.set(Notices::Cause::Locks, {words, {}, {}, Notice::Kind::Hint});
}

// What comes by the pointer: a file is opened, a link is pasted, images are a data set.
bool Workbench::mayDrop(const char* act) {
  const auto* action = window_.findChild<QAction*>(QLatin1String(act));
  if (action == nullptr || action->isEnabled()) return true;
  mention(action->toolTip());
  return false;
}

void Workbench::showMovie() {
  if (auto* open = window_.findChild<MovieDialog*>()) return open->raise();
  std::optional<Stretch> chosen;
  if (const auto marked = window_.findChild<Scrubber*>()->marked()) chosen = Stretch{marked->first, marked->second};
  auto* dialog = new MovieDialog(
      window_.controller(), window_.playback(), chosen, [this](theme::Kind kind) { return window_.nameOf(kind); },
      &window_);
  connect(dialog, &MovieDialog::said, this,
          [this](const QString& text, bool failure) { say(Notices::Cause::Export, text, failure); });
  dialog->show();
}

}  // namespace lab
