// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a toolbar, side by side, the most needed first. Those that have no room stand behind one button.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace lab {

class Experiment;

class SettingsRow final : public QWidget {
  Q_OBJECT

 public:
  SettingsRow(Experiment& experiment, const QStringList& names, QWidget* parent = nullptr);

  QList<QWidget*> fields() const { return fields_; }  // in the row's order
  QWidget* field(const QString& name) const;          // nullptr: another row has it
  void setGone(const QList<QWidget*>& fields);        // a button opens the same ones
  int moreWidth() const;                              // of that button
  // Gives each the other's place.
  static void exchange(SettingsRow& one, const QString& name, SettingsRow& other, const QString& otherName);

 private:
  QWidget* makeField(const QString& name) const;
  void openMore();

  Experiment& experiment_;
  QHBoxLayout* row_;
  QStringList names_, gone_;
  QList<QWidget*> fields_;
  QToolButton* more_;
};

}  // namespace lab
