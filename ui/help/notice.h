// SPDX-License-Identifier: GPL-3.0-or-later
// A bar above the stage: what happened and what to do, in place of a dialog. It stays until what it says is over or it
// is closed, and never takes the keyboard.
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

  // "" hides it. The same text again does not bring back what was closed, but after again(). `remedy`: a button's
  // words, "" for none.
  void say(Kind kind, const QString& text, const QString& remedy = {});
  void again();  // it has happened once more

  static constexpr qsizetype kMostRecent = 10;
  static const QStringList& recent();  // the last notices of all bars, each with its time, for a report of a problem

 Q_SIGNALS:
  void remedyWanted();
  void closed();  // by its reader

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QLabel* text_;
  QScrollArea* area_;
  QGridLayout* grid_;
  bool below_ = false;  // what helps, below the words
  QToolButton* remedy_;
};

}  // namespace lab
