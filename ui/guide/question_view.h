// SPDX-License-Identifier: GPL-3.0-or-later
// A page's question: answers to choose from, a number with a slider, or a curve to draw. A prediction is sealed until
// the program has answered; a plain question is judged at once. For a class: the numbers of raised hands are typed in
// beside each answer, and become bars.
#pragma once

#include <QPointer>
#include <QPushButton>
#include <QStringList>
#include <QVector>
#include <QWidget>

#include <optional>

#include "core/lesson/lesson.h"

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QProgressBar;
class QVBoxLayout;
class QSlider;
class QSpinBox;

namespace lab {

class CurvePad;
class LessonFacts;

class QuestionView final : public QWidget {
  Q_OBJECT

 public:
  QuestionView(const LessonQuestion& question, bool prediction, LessonFacts& facts, QWidget* parent = nullptr);
  ~QuestionView() override;

  bool isSealed() const { return sealed_; }
  bool isRight() const { return right_; }
  bool isRevealed() const { return revealed_; }
  void answerRightly();  // when the user asks for the answer
  void reveal();         // shows the program's answer above the prediction
  // Placed by the view that shows the question; destroyed with the question.
  QPushButton& commitButton() { return *commit_; }
  QLabel& verdict() { return *verdict_; }

 Q_SIGNALS:
  void sealed(bool byButton);  // true if the hidden commitButton() had the focus, which must go on

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addChoices(class QVBoxLayout& column);
  void addHands(class QVBoxLayout& column, const QStringList& answers);
  QStringList stretches() const;  // parts of a number's range, for each of which hands are counted
  qsizetype stretchOf(double value) const;
  void markTruth(qsizetype answer);  // among the counted answers
  void markAnswers();                // of a choice, as far as known: ✓ right, ✗ wrong
  void addNumber(class QVBoxLayout& column);
  void commit();
  void judge();
  void refreshHands();
  double number() const;
  void setNumber(double value);
  std::optional<double> truth() const;
  QString numberWords(double value) const;

  const LessonQuestion question_;
  const bool prediction_;
  LessonFacts& facts_;
  bool sealed_ = false, right_ = false, revealed_ = false;
  bool leftToProgram_ = false;  // the user did not answer
  QButtonGroup* choices_ = nullptr;
  QSlider* slider_ = nullptr;
  CurvePad* curve_ = nullptr;
  QLabel *number_ = nullptr, *verdict_;
  QPointer<QPushButton> commit_;
  QVector<QLabel*> marks_;  // before each answer of a choice
  QVector<QSpinBox*> hands_;
  QVector<QProgressBar*> bars_;
  QVector<QLabel*> counted_;  // whose hands
};

QString lessonWords(const LessonText& text, const LessonFacts& facts);  // in the window's language, with its values
                                                                        // filled in

}  // namespace lab
