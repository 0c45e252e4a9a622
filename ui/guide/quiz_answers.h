// SPDX-License-Identifier: GPL-3.0-or-later
// The controls that answer a question: choices, a number, or lines that are put in order by dragging or with Alt+Up and
// Alt+Down. What is wrong about an answer is shown under it.
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
  void tell();       // shows remarks on the present answer
  void showRight();  // answers correctly, and shows the remarks

 Q_SIGNALS:
  void changed();  // by the user

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
  QWidget* page_ = nullptr;                // the widget of the present question
  std::vector<QAbstractButton*> choices_;  // in the order of the question's lines
  std::vector<QLabel*> remarks_;           // one under each choice; a number or an order has one
  QLineEdit* number_ = nullptr;
  OrderList* order_ = nullptr;
};

}  // namespace lab
