// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/class_desk.h"

#include <QMenu>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.h"
#include "core/options/config_field.h"
#include "ui/classroom/arrange_dialog.h"
#include "ui/classroom/class_locks.h"
#include "ui/classroom/link_code.h"
#include "ui/frame/menus.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/session/desk_parts.h"
#include "ui/window/main_window.h"

namespace lab {

ClassDesk::ClassDesk(DeskParts& desk)
    : QObject(&desk), desk_(desk), locks_(new ClassLocks(desk.window, desk.undo.stack(), this)) {
  QMenu* view = desk_.window.menus().view;
  view->addSeparator();
  desk_.add(*view, "linkCodeAct", tr("Share the experiment as a &QR code…"), {Qt::Key_Q},
            [this] { showLinkCode(desk_.window, shared()); });
  QAction* arrange = desk_.add(*view, "arrangeAct", tr("&Arrange for the class…"), {}, [this] {
    QDialog& dialog = showArrangement(desk_.window, *locks_);
    connect(&dialog, &QObject::destroyed, locks_, &ClassLocks::changed, Qt::UniqueConnection);
  });
  // Only by its keys: in a menu every pupil would find it.
  QAction* back =
      desk_.window.menus().addKeyAct("bringBackAct", tr("Bring all controls back, or hide and lock them again"),
                                     {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_U)});
  back->setProperty("byKeysAlone", true);
  connect(back, &QAction::triggered, this, [this] { locks_->lift(!locks_->isLifted()); });
  const auto refresh = [this, back, arrange] {
    back->setEnabled(!locks_->locks().empty());
    const bool open = !locks_->isInForce() || locks_->isArranging();
    arrange->setEnabled(open);
    arrange->setToolTip(open ? QString() : tr("Press %1 first: all controls then come back").arg(locks_->keys()));
    desk_.document.setLocks(locks_->locks());
    if (locks_->locks().empty() || locks_->isLifted()) desk_.notices.over(Notices::Cause::Locks);
  };
  connect(locks_, &ClassLocks::changed, this, refresh);
  connect(locks_, &ClassLocks::refused, &desk_, &DeskParts::mention);
  connect(&desk_.undo, &SettingsUndo::refused, &desk_, &DeskParts::mention);
  desk_.document.setLocksInForce([this] { return locks_->isInForce() ? locks_->locks() : ControlLocks(); });
  connect(&desk_.document, &Document::changed, this, &ClassDesk::takeLocks);
  refresh();
}

// The experiment as it is at this moment.
SharedExperiment ClassDesk::shared() const {
  const RunSettings asked = withoutOutputs(desk_.window.experiment().asked());
  const ResolvedSettings& resolved = desk_.window.experiment().resolved();
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
  shared.picture = desk_.window.centralWidget()->grab().toImage();
  shared.file = desk_.document.text();
  shared.fileName = fileStem(resolved) + QStringLiteral(".slab");
  try {
    shared.link = desk_.document.link();
  } catch (const UserError&) {  // no link can hold it: the file contains everything
  }
  return shared;
}

// Takes the locks of another experiment as soon as it is there.
void ClassDesk::takeLocks() {
  if (desk_.document.locks() == locks_->locks()) return;
  const QStringList unknown = locks_->take(desk_.document.locks());
  if (locks_->locks().empty()) return;
  QStringList words;
  const auto known = std::ssize(locks_->locks().hidden) + std::ssize(locks_->locks().locked) - unknown.size();
  if (known > 0)
    words << tr("This experiment hides or locks %Ln controls. %1 brings all back.", nullptr, plural(known))
                 .arg(locks_->keys());
  if (!unknown.isEmpty()) words << tr("Not known here, and ignored: %1.").arg(unknown.join(QStringLiteral(", ")));
  desk_.notices.set(Notices::Cause::Locks, {words.join(QLatin1Char(' ')), {}, {}, Notice::Kind::Hint});
}

}  // namespace lab
