// SPDX-License-Identifier: GPL-3.0-or-later
// The quiz: one question at a time; what is wrong about an answer, why the right one is right, and a moment that proves
// it. The score counts first tries; the listener to scored() stores it on this machine.
#pragma once

#include <QWidget>

#include <map>
#include <string>

#include "ui/guide/quiz.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lab {

class QuizAnswers;

class QuizView final : public QWidget {
  Q_OBJECT

 public:
  explicit QuizView(const std::vector<QuizQuestion>& questions, QWidget* parent = nullptr);

  void go(std::size_t question);
  void goTo(const std::string& name);  // does nothing if there is none
  std::size_t present() const { return present_; }
  QString look() const;   // what to see at the moment that proves the present answer
  QString score() const;  // as text, for storing
  void setScore(const QString& text);

 Q_SIGNALS:
  void wanted(const lab::Moment& moment);
  void scored();

 private:
  void addButtons(QVBoxLayout& foot);
  void check();
  void giveUp();
  void finish(const QString& result, bool first);
  void explain();
  void showResult();
  void startAgain();
  void refresh();

  const std::vector<QuizQuestion>& questions_;
  std::size_t present_ = 0;
  bool tried_ = false;                  // the present question
  std::map<std::string, bool> firsts_;  // by the question's name: true if the first answer was right
  std::map<std::string, bool> before_;  // firsts_ before it was cleared, to bring it back
  QLabel *place_, *ask_, *hint_, *result_, *why_, *slide_, *look_, *score_;
  QuizAnswers* answers_;
  QScrollArea* scroll_;
  QPushButton *check_, *giveUp_, *show_, *previous_, *next_, *again_;
};

}  // namespace lab
