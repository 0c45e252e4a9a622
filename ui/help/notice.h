// SPDX-License-Identifier: GPL-3.0-or-later
// A bar above the stage that says what happened and what to do, instead of a dialog. It stays until the message is
// obsolete or closed, and never takes the keyboard focus.
#pragma once

#include <QFrame>
#include <QStringList>

class QGridLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace lab {

class Notice final : public QFrame {
  Q_OBJECT

 public:
  enum class Kind { Error, Warning, Hint };

  explicit Notice(QWidget* parent = nullptr);

  // "" hides the bar. A closed message does not reappear with the same text, except after again(). `remedy`: the words
  // of a button, "" for none.
  void say(Kind kind, const QString& text, const QString& remedy = {});
  void again();  // the event has happened again

  static constexpr qsizetype kMostRecent = 10;
  static const QStringList& recent();  // the last notices of all bars with their times, for a report of a problem

 Q_SIGNALS:
  void remedyWanted();
  void closed();  // by the user

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QLabel* text_;
  QScrollArea* area_;
  QGridLayout* grid_;
  bool below_ = false;  // the remedy stands below the words
  QToolButton* remedy_;
};

}  // namespace lab
