// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that can be done, by name: type some letters, Enter does it. Besides the actions of the menus it knows the
// settings: "replicas 4".
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;

namespace lab {

class Experiment;

struct Command {
  QString name;  // "File: Save as"
  QString keys;  // "Ctrl+Shift+S"
  std::function<void()> act;
  bool possible = true;  // now
};

// How well the letters typed stand for a name: all of them in their order, better at the beginnings of words and next
// to one another; or each of several words by itself, in any order. Below 0: they do not.
int matchScore(const QString& typed, const QString& name);

class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(std::vector<Command> commands, Experiment& experiment, QWidget* parent);
  QStringList shown() const;  // best first

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void act();
  int nextPossible(int row, int direction) const;

  std::vector<Command> commands_;
  std::vector<Command> found_;
  Experiment& experiment_;
  QLineEdit* line_;
  QListWidget* list_;
};

}  // namespace lab
