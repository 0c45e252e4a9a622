// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the window's actions, as a person wants them: changed at once, kept in the settings, and back to the
// standard when asked for. An action is known by its object name.
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

  // Actions without an object name are left out. What is kept is in force from here on.
  Keys(const std::vector<NamedAction>& actions, QSettings& settings, QObject* parent = nullptr);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* ownerOf(const QKeySequence& keys) const;  // null: nobody
  // One key with its modifiers, or nothing; taken from whoever has it. Meta is the desktop's.
  static bool isAllowed(const QKeySequence& keys);
  void assign(const Entry& entry, const QKeySequence& keys);
  void restore(const Entry& entry);  // the standard, taken from whoever has it
  void restoreAll();

 Q_SIGNALS:
  void changed();

 private:
  void set(const Entry& entry, const QList<QKeySequence>& keys);
  void take(const QKeySequence& keys, const Entry& to);

  QSettings& settings_;
  std::vector<Entry> entries_;
};

// Keys named in an action's tooltip follow the action's keys.
void setKeys(QAction& action, const QList<QKeySequence>& keys);

QDialog* showKeyEditor(QWidget* parent, Keys& keys);

}  // namespace lab
