// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/keys.h"

#include <QSettings>

#include <algorithm>

namespace lab {
namespace {

QString settingOf(const QAction& action) {
  return QStringLiteral("keys/") + action.objectName();
}

QString keyNames(const QList<QKeySequence>& keys) {
  return keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys.front().toString(QKeySequence::NativeText));
}

}  // namespace

void setKeys(QAction& action, const QList<QKeySequence>& keys) {
  const QString before = keyNames(action.shortcuts()), after = keyNames(keys);
  QString tip = action.toolTip();
  const bool namesKeys = !before.isEmpty() && tip.endsWith(before);
  action.setShortcuts(keys);
  if (namesKeys) action.setToolTip(tip.chopped(before.size()) + after);
}

Keys::Keys(const std::vector<NamedAction>& actions, QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings) {
  for (const NamedAction& named : actions) {
    const bool known =
        std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.action == named.action; });
    if (named.action->objectName().isEmpty() || known) continue;
    entries_.push_back({named.name, named.action, named.action->shortcuts()});
  }
  for (const Entry& entry : entries_) {
    const QString key = settingOf(*entry.action);
    if (!settings_.contains(key)) continue;
    QList<QKeySequence> keys;
    for (const QString& text : settings_.value(key).toStringList()) {
      const QKeySequence one(text, QKeySequence::PortableText);
      if (isAllowed(one)) keys << one;
    }
    setKeys(*entry.action, keys);
  }
  // A newer version may have given such a key to another action: if both had it, it would do nothing.
  for (const Entry& entry : entries_)
    if (settings_.contains(settingOf(*entry.action)))
      for (const QKeySequence& keys : entry.action->shortcuts()) take(keys, entry);
}

bool Keys::isAllowed(const QKeySequence& keys) {
  return keys.count() == 1 && keys[0].key() != Qt::Key_unknown &&
         !keys[0].keyboardModifiers().testFlag(Qt::MetaModifier);
}

const Keys::Entry* Keys::ownerOf(const QKeySequence& keys) const {
  const auto owner = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.action->shortcuts().contains(keys); });
  return owner == entries_.end() ? nullptr : &*owner;
}

void Keys::set(const Entry& entry, const QList<QKeySequence>& keys) {
  setKeys(*entry.action, keys);
  if (keys == entry.standard) return settings_.remove(settingOf(*entry.action));
  QStringList texts;
  for (const QKeySequence& one : keys) texts << one.toString(QKeySequence::PortableText);
  settings_.setValue(settingOf(*entry.action), texts);
}

void Keys::take(const QKeySequence& keys, const Entry& to) {
  for (const Entry& entry : entries_) {
    QList<QKeySequence> left = entry.action->shortcuts();
    if (entry.action != to.action && left.removeAll(keys) > 0) set(entry, left);
  }
}

void Keys::assign(const Entry& entry, const QKeySequence& keys) {
  if (keys.isEmpty()) {
    set(entry, {});
  } else if (isAllowed(keys)) {
    take(keys, entry);
    set(entry, {keys});
  }
  Q_EMIT changed();
}

void Keys::restore(const Entry& entry) {
  for (const QKeySequence& keys : entry.standard) take(keys, entry);
  set(entry, entry.standard);
  Q_EMIT changed();
}

void Keys::restoreAll() {
  for (const Entry& entry : entries_) set(entry, entry.standard);
  Q_EMIT changed();
}

}  // namespace lab
