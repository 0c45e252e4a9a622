// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a toolbar, side by side, the most needed first. Settings without room go behind a single button.
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
  QWidget* field(const QString& name) const;          // nullptr if another row has it
  void setGone(const QList<QWidget*>& fields);        // a button shows them instead
  int moreWidth() const;                              // the width of that button
  // Exchanges the places of two fields.
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
