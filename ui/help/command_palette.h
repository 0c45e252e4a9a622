// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that can be done, by name: type some letters, Enter does it, and what was done is said. Besides the
// actions of the menus it knows the settings with a value that they take: "replicas 4".
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
  bool possible = true;  // now
  QString words = {};    // by which it is found: of a name that changes what stays; "": the name
  QString why = {};      // it is not possible now, in a sentence; "": nothing is known
  QString says = {};     // when it was chosen; "" where what it opens is seen
};

// The commands' rows from the best on; a command that does not match has none. First those whose own words, without the
// menu's, begin with what is typed; then those of which the menus' words do too; then letters from here and there. The
// same words give the same order, whatever is possible now.
std::vector<std::size_t> rankedCommands(const QString& typed, const std::vector<Command>& commands);
// How well the letters typed stand for a name: all of them in their order, better at the beginnings of words and next
// to one another; or each of several words by itself, in any order. Below 0: they do not.
int matchScore(const QString& typed, const QString& name);

class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(std::vector<Command> commands, Experiment& experiment, QWidget* parent);
  QStringList shown() const;  // best first

 Q_SIGNALS:
  void said(const QString& text);  // what was done

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
  QLabel* hint_;  // why not
};

}  // namespace lab
