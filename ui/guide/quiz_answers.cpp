// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/quiz_answers.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMouseEvent>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/guide/order_list.h"
#include "ui/guide/wrapped.h"
#include "ui/i18n/words.h"
#include "ui/i18n/written_words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// The words of a choice, which can wrap: a button's own words cannot.
class ChoiceWords final : public QLabel {
 public:
  ChoiceWords(const QString& words, QAbstractButton& button) : QLabel(breakable(words)), button_(button) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setBuddy(&button_);
    keepNarrow(*this);
  }

 protected:
  void mousePressEvent(QMouseEvent* event) override { event->accept(); }
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) {
      button_.setFocus(Qt::MouseFocusReason);
      button_.click();
    }
  }

 private:
  QAbstractButton& button_;
};

}  // namespace

QuizAnswers::QuizAnswers(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
}

void QuizAnswers::ask(const QuizQuestion& question) {
  // A line of its list may still be dragged: Qt waits inside the list until it is dropped.
  if (page_ != nullptr) {
    page_->setParent(nullptr);
    page_->deleteLater();
  }
  page_ = new QWidget;
  column_->addWidget(page_);
  question_ = &question;
  choices_.clear();
  remarks_.clear();
  number_ = nullptr;
  order_ = nullptr;
  switch (question.kind) {
    case QuizQuestion::Kind::One:
    case QuizQuestion::Kind::Several:
      return addChoices();
    case QuizQuestion::Kind::Number:
      return addNumber();
    case QuizQuestion::Kind::Order:
      return addOrder();
  }
}

QLabel* QuizAnswers::addRemark() {
  auto* remark = wrappedLabel("quizRemark", nullptr);
  remark->hide();
  remarks_.push_back(remark);
  return remark;
}

void QuizAnswers::addChoices() {
  auto* grid = new QGridLayout(page_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setColumnStretch(1, 1);
  const bool one = question_->kind == QuizQuestion::Kind::One;
  for (std::size_t i = 0; i < question_->lines.size(); ++i) {
    QAbstractButton* button = one ? static_cast<QAbstractButton*>(new QRadioButton) : new QCheckBox;
    const QString words = writtenWords(question_->lines[i].text);
    button->setAccessibleName(words);
    button->setObjectName(QStringLiteral("quizChoice%1").arg(i));
    button->setToolTip(tr("An answer: choose it, then press Check."));
    button->setWhatsThis(button->toolTip());
    choices_.push_back(button);
    const int row = 2 * static_cast<int>(i);
    grid->addWidget(button, row, 0, Qt::AlignTop);
    grid->addWidget(new ChoiceWords(words, *button), row, 1, Qt::AlignVCenter);
    grid->addWidget(addRemark(), row + 1, 1);
    connect(button, &QAbstractButton::toggled, this, &QuizAnswers::changed);
  }
}

void QuizAnswers::addNumber() {
  auto* column = new QVBoxLayout(page_);
  column->setContentsMargins(0, 0, 0, 0);
  number_ = new QLineEdit;
  number_->setObjectName(QStringLiteral("quizNumber"));
  number_->setAccessibleName(tr("Your number"));
  number_->setPlaceholderText(tr("Your number"));
  number_->setToolTip(tr("An answer: write a number, then press Check."));
  theme::follow(number_, [field = number_] { field->setMaximumWidth(theme::em(12)); });
  column->addWidget(number_);
  column->addWidget(addRemark());
  connect(number_, &QLineEdit::textEdited, this, &QuizAnswers::changed);
}

void QuizAnswers::addOrder() {
  auto* column = new QVBoxLayout(page_);
  column->setContentsMargins(0, 0, 0, 0);
  order_ = new OrderList;
  QStringList lines;
  for (const QuizLine& line : question_->lines) lines << writtenWords(line.text);
  order_->setLines(lines, question_->shownOrder());
  column->addWidget(order_);
  column->addWidget(addRemark());
  connect(order_, &OrderList::moved, this, &QuizAnswers::changed);
}

// Accepts the number format of the window's language, or a decimal point.
std::optional<double> QuizAnswers::number() const {
  bool is = false;
  const QString text = number_->text().trimmed();
  double value = QLocale().toDouble(text, &is);
  if (!is) value = QLocale::c().toDouble(text, &is);
  return is ? std::optional(value) : std::nullopt;
}

std::vector<std::size_t> QuizAnswers::chosen() const {
  if (order_ != nullptr) return order_->order();
  std::vector<std::size_t> chosen;
  if (number_ != nullptr) {
    if (const auto value = number()) chosen.push_back(question_->lineOf(*value));
    return chosen;
  }
  for (std::size_t i = 0; i < choices_.size(); ++i)
    if (choices_[i]->isChecked()) chosen.push_back(i);
  return chosen;
}

bool QuizAnswers::isAnswered() const {
  return question_ != nullptr && !chosen().empty();
}

bool QuizAnswers::isRight() const {
  return question_ != nullptr && question_->isRight(chosen());
}

void QuizAnswers::sayOf(QLabel& remark, std::size_t line, bool right) {
  QString words;
  if (line < question_->lines.size()) words = writtenWords(question_->lines[line].because);
  remark.setText((right ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + breakable(words));
  setRole(remark, right ? QStringLiteral("quiet") : QStringLiteral("strong"));
  remark.setVisible(right || !words.isEmpty());
}

void QuizAnswers::tell() {
  for (QLabel* remark : remarks_) remark->hide();
  const std::vector<std::size_t> now = chosen();
  if (order_ != nullptr) {
    // The remark is about the first line that is too early.
    const auto early = std::ranges::adjacent_find(now, std::ranges::greater{});
    if (early == now.end()) return sayOf(*remarks_.front(), question_->lines.size(), true);
    sayOf(*remarks_.front(), *early, false);
  } else if (number_ != nullptr) {
    const std::size_t line = now.empty() ? question_->lines.size() : now.front();
    sayOf(*remarks_.front(), line, question_->isRight(now));
  } else {
    for (const std::size_t i : now) sayOf(*remarks_[i], i, question_->lines[i].right);
  }
}

void QuizAnswers::showRight() {
  if (order_ != nullptr) {
    QStringList lines;
    std::vector<std::size_t> order;
    for (const QuizLine& line : question_->lines) {
      order.push_back(order.size());
      lines << writtenWords(line.text);
    }
    order_->setLines(lines, order);
  }
  for (std::size_t i = 0; i < question_->lines.size(); ++i) {
    if (!choices_.empty()) choices_[i]->setChecked(question_->lines[i].right);
    if (number_ != nullptr && question_->lines[i].right) number_->setText(numberText(question_->numberOf(i)));
  }
  tell();
}

}  // namespace lab
