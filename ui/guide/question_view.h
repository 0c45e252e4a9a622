// SPDX-License-Identifier: GPL-3.0-or-later
// A page's question: answers to choose from, a number with a slider, a curve to draw. What is answered is sealed until
// the program has answered; a plain question says at once whether it is right. For a class: raised hands are typed in
// beside each answer, and become bars.
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

#include <optional>

#include "core/lesson/lesson.h"

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QProgressBar;
class QPushButton;
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

  bool isSealed() const { return sealed_; }
  bool isRight() const { return right_; }
  void answerRightly();  // for whoever asks for it
  void reveal();         // what the program says, over what was predicted

 Q_SIGNALS:
  void sealed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addChoices(class QVBoxLayout& column);
  void addHands(class QVBoxLayout& column, const QStringList& answers);
  QStringList stretches() const;  // of a number's range, of each of which hands are counted
  qsizetype stretchOf(double value) const;
  void markTruth(qsizetype answer);  // among the counted
  void addNumber(class QVBoxLayout& column);
  void commit();
  void judge();
  void refreshHands();
  double number() const;
  std::optional<double> truth() const;
  QString numberWords(double value) const;

  const LessonQuestion question_;
  const bool prediction_;
  LessonFacts& facts_;
  bool sealed_ = false, right_ = false;
  QButtonGroup* choices_ = nullptr;
  QSlider* slider_ = nullptr;
  CurvePad* curve_ = nullptr;
  QLabel *number_ = nullptr, *verdict_;
  QPushButton* commit_;
  QVector<QSpinBox*> hands_;
  QVector<QProgressBar*> bars_;
  QVector<QLabel*> counted_;  // whose hands
};

QString lessonWords(const LessonText& text, const LessonFacts& facts);  // in the window's language, with its values

}  // namespace lab
