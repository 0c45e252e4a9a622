// SPDX-License-Identifier: GPL-3.0-or-later
// Every command by name: type some letters, Enter runs the command, and its result is announced. Besides the actions of
// the menus it knows settings with a value: "replicas 4".
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

#include <functional>
#include <vector>
#include "core/options/config_field.h"

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace lab {

class Experiment;
struct ConfigField;

struct Command {
  QString name;  // "File ▸ Save as"
  QString keys;  // "Ctrl+Shift+S"
  std::function<void()> act;
  bool possible = true;  // whether it can run now
  QString words = {};    // the words searched, for a name that changes; "": the name
  QString why = {};      // why it is impossible now, as a sentence; "": not known
  QString says = {};     // announced when chosen; "" if the result is visible
};

// The rows of matching commands, best first. First come those whose own words, without the menu's, begin with the typed
// text; then those that match with the menu's words; then scattered letters. The same text always gives the same order,
// whatever is possible now.
std::vector<std::size_t> rankedCommands(const QString& typed, const std::vector<Command>& commands);
// How well the typed letters match a name: all letters in order, better at the beginnings of words and next to each
// other; or each of several words separately, in any order. Below 0: no match.
int matchScore(const QString& typed, const QString& name);

class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(std::vector<Command> commands, Experiment& experiment, QWidget* parent);
  QStringList shown() const;  // best first

 Q_SIGNALS:
  void said(const QString& text);  // the result

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  std::vector<Command> settingsTyped();
  void set(const ConfigField& field, const QString& value);
  void act();
  void hint(const QString& text);
  QString nothingFound(const QString& typed) const;
  int nextPossible(int row, int direction) const;

  std::vector<Command> commands_;
  std::vector<Command> found_;
  Experiment& experiment_;
  QLineEdit* line_;
  QListWidget* list_;
  QLabel* hint_;  // why the command is impossible
};

}  // namespace lab
