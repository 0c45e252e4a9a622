// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the window's actions, as the user chooses them: changed at once, stored in the settings, and reset on
// request. Actions are identified by object name.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <vector>

#include "ui/help/actions.h"

class QDialog;
class QSettings;

namespace lab {

class Keys final : public QObject {
  Q_OBJECT

 public:
  struct Entry {
    QString name;  // "File ▸ Save"
    QAction* action = nullptr;
    QList<QKeySequence> standard;
    bool isStandard() const { return action->shortcuts() == standard; }
  };

  // Actions without an object name are left out. Stored keys take effect here.
  Keys(const std::vector<NamedAction>& actions, QSettings& settings, QObject* parent = nullptr);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* ownerOf(const QKeySequence& keys) const;  // null: no action has these keys
  // One key with its modifiers, or nothing; removed from any action that has it. Meta belongs to the desktop.
  static bool isAllowed(const QKeySequence& keys);
  void assign(const Entry& entry, const QKeySequence& keys);
  void restore(const Entry& entry);  // the standard keys, removed from any action that has them
  void restoreAll();

 Q_SIGNALS:
  void changed();

 private:
  void set(const Entry& entry, const QList<QKeySequence>& keys);
  void take(const QKeySequence& keys, const Entry& to);

  QSettings& settings_;
  std::vector<Entry> entries_;
};

// Also updates the keys named in the action's tool tip.
void setKeys(QAction& action, const QList<QKeySequence>& keys);

QDialog* showKeyEditor(QWidget* parent, Keys& keys);

}  // namespace lab
