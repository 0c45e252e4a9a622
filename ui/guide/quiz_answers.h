// SPDX-License-Identifier: GPL-3.0-or-later
// What a question is answered with: choices, a number, or lines that are put in order, by dragging them or with Alt+Up
// and Alt+Down. What is wrong about an answer is said under it.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "ui/guide/quiz.h"

class QAbstractButton;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace lab {

class OrderList;

class QuizAnswers final : public QWidget {
  Q_OBJECT

 public:
  explicit QuizAnswers(QWidget* parent = nullptr);

  void ask(const QuizQuestion& question);
  bool isAnswered() const;
  bool isRight() const;
  void tell();       // what there is to say about the present answer
  void showRight();  // answers rightly, and tells

 Q_SIGNALS:
  void changed();  // by a person

 private:
  void addChoices();
  void addNumber();
  void addOrder();
  QLabel* addRemark();
  std::optional<double> number() const;
  std::vector<std::size_t> chosen() const;
  void sayOf(QLabel& remark, std::size_t line, bool right);

  const QuizQuestion* question_ = nullptr;
  QVBoxLayout* column_;
  QWidget* page_ = nullptr;                // of the present question
  std::vector<QAbstractButton*> choices_;  // in the order of the question's lines
  std::vector<QLabel*> remarks_;           // under each choice; of a number and an order one
  QLineEdit* number_ = nullptr;
  OrderList* order_ = nullptr;
};

}  // namespace lab
