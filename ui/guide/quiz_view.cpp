// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/quiz_view.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/guide/quiz_answers.h"
#include "ui/guide/reading_area.h"
#include "ui/guide/wrapped.h"
#include "ui/i18n/words.h"
#include "ui/i18n/written_words.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"

namespace lab {
QuizView::QuizView(const std::vector<QuizQuestion>& questions, QWidget* parent)
    : QWidget(parent), questions_(questions) {
  setObjectName(QStringLiteral("quiz"));
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  setWhatsThis(
      tr("Questions about data parallelism and tf.distribute. Check says what is wrong about an answer; Show "
         "me leads to the moment that proves the right one."));
  place_ = wrappedLabel("quizPlace", "caption");
  ask_ = wrappedLabel("quizAsk", "strong");
  hint_ = wrappedLabel("quizHint", "quiet");
  answers_ = new QuizAnswers;
  result_ = wrappedLabel("quizResult", "strong");
  why_ = wrappedLabel("quizWhy", nullptr);
  slide_ = wrappedLabel("quizSlide", "quiet");
  look_ = wrappedLabel("quizLook", "quiet");
  score_ = wrappedLabel("quizScore", "caption");
  // The text scrolls above the buttons, which stay visible.
  auto* read = new QWidget;
  read->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(read);
  for (QWidget* widget : {static_cast<QWidget*>(place_), static_cast<QWidget*>(ask_), static_cast<QWidget*>(hint_),
                          static_cast<QWidget*>(answers_)})
    column->addWidget(widget);
  for (QLabel* label : {result_, why_, slide_, look_}) column->addWidget(label);
  column->addStretch(1);
  scroll_ = readingArea(*read, QStringLiteral("quizPage"), tr("The quiz's question"));
  auto* foot = new QVBoxLayout;
  foot->addWidget(score_);
  addButtons(*foot);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(scroll_, 1);
  all->addLayout(foot);
  theme::follow(this, [column, foot] {
    const int margin = theme::em(0.6), side = margin - kReadingFrame;
    column->setContentsMargins(side, side, side, side);
    foot->setContentsMargins(margin, theme::em(0.3), margin, theme::em(0.4));
    foot->setSpacing(theme::em(0.3));
  });
  connect(answers_, &QuizAnswers::changed, this, &QuizView::refresh);
  go(0);
}

void QuizView::addButtons(QVBoxLayout& foot) {
  const auto add = [](QWidget& row, const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    row.layout()->addWidget(button);
    return button;
  };
  auto *first = new QWidget, *second = new QWidget;
  for (QWidget* row : {first, second}) {
    row->setLayout(new FlowLayout);
    row->layout()->setContentsMargins(0, 0, 0, 0);
  }
  check_ = add(*first, "quizCheck", tr("Check"), tr("Says whether the answer is right, and if not, why"));
  show_ = add(*first, "quizShow", tr("Show me"),
              tr("Leads to the moment that proves the answer, once you have given one. Undo brings your experiment "
                 "back."));
  giveUp_ = add(*first, "quizGiveUp", tr("Tell me"), tr("Shows the right answer; it counts as not known"));
  previous_ = add(*second, "quizPrevious", tr("Back"), tr("The question before"));
  next_ = add(*second, "quizNext", tr("Next"), tr("The next question"));
  again_ = add(*second, "quizAgain", tr("Start again"), tr("Resets the score and begins with the first question"));
  foot.addWidget(first);
  foot.addWidget(second);
  connect(check_, &QPushButton::clicked, this, &QuizView::check);
  connect(giveUp_, &QPushButton::clicked, this, &QuizView::giveUp);
  connect(show_, &QPushButton::clicked, this, [this] { Q_EMIT wanted(questions_[present_].moment); });
  connect(previous_, &QPushButton::clicked, this, [this] { go(present_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { go(present_ + 1); });
  connect(again_, &QPushButton::clicked, this, &QuizView::startAgain);
}

void QuizView::go(std::size_t question) {
  if (question >= questions_.size()) return;
  present_ = question;
  tried_ = false;
  const QuizQuestion& asked = questions_[present_];
  ask_->setText(breakable(writtenWords(asked.ask)));
  const QString hints[]{tr("One answer is right."), tr("One or more answers are right."), tr("Write a number."),
                        tr("Drag the lines into their order, or move one with Alt+Up and Alt+Down.")};
  hint_->setText(at(hints, asked.kind));
  answers_->ask(asked);
  for (QLabel* label : {result_, why_, slide_, look_}) label->hide();
  scroll_->verticalScrollBar()->setValue(0);
  refresh();
}

void QuizView::goTo(const std::string& name) {
  const auto found = std::ranges::find(questions_, name, &QuizQuestion::name);
  if (found != questions_.end()) go(static_cast<std::size_t>(found - questions_.begin()));
}

void QuizView::check() {
  if (!answers_->isAnswered()) return;
  answers_->tell();
  const bool right = answers_->isRight();
  const bool first = right && !std::exchange(tried_, true);
  finish(right ? (first ? tr("Right.") : tr("Right this time.")) : tr("Not quite. Change it and check again."), first);
  if (right) explain();
}

void QuizView::giveUp() {
  tried_ = true;
  answers_->showRight();
  finish(tr("This is the right answer."), false);
  explain();
}

void QuizView::finish(const QString& result, bool first) {
  tried_ = true;
  before_.clear();
  result_->setText(result);
  result_->show();
  announce(*this, result);
  showResult();
  if (firsts_.emplace(questions_[present_].name, first).second) Q_EMIT scored();
  refresh();
}

// Scrolls after layout, because the answers may have taken all the room.
void QuizView::showResult() {
  QMetaObject::invokeMethod(
      this, [this] { scroll_->ensureWidgetVisible(result_, 0, theme::em(4)); }, Qt::QueuedConnection);
}

void QuizView::explain() {
  const QuizQuestion& asked = questions_[present_];
  for (const auto& [label, words] : {std::pair{why_, writtenWords(asked.why)},
                                     {slide_, asked.slide.empty() ? QString() : writtenWords(asked.slide)},
                                     {look_, writtenWords(asked.look)}}) {
    const QString said = breakable(words);
    label->setText(label == slide_  ? tr("About the slides: %1").arg(said)
                   : label == look_ ? tr("Show me: %1").arg(said)
                                    : said);
    label->setVisible(!words.isEmpty());
  }
}

void QuizView::startAgain() {
  if (!before_.empty()) {
    firsts_ = std::exchange(before_, {});
    Q_EMIT scored();
    return refresh();
  }
  before_ = std::exchange(firsts_, {});
  Q_EMIT scored();
  go(0);
}

void QuizView::refresh() {
  place_->setText(tr("Question %1 of %2").arg(present_ + 1).arg(questions_.size()));
  const auto right = std::ranges::count_if(firsts_, [](const auto& each) { return each.second; });
  score_->setText(firsts_.empty() ? tr("No answers yet")
                                  : tr("Right at the first try: %1 of %2 answered").arg(right).arg(firsts_.size()));
  check_->setEnabled(answers_->isAnswered());
  show_->setEnabled(tried_);
  previous_->setEnabled(present_ > 0);
  next_->setEnabled(present_ + 1 < questions_.size());
  again_->setText(before_.empty() ? tr("Start again") : tr("Bring the score back"));
  again_->setEnabled(!before_.empty() || !firsts_.empty());
}

QString QuizView::look() const {
  return writtenWords(questions_[present_].look);
}

// "slices=1 modes=0": by the questions' names, so that questions can be added.
QString QuizView::score() const {
  QStringList parts;
  for (const auto& [name, right] : firsts_)
    parts << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(right ? 1 : 0);
  return parts.join(QLatin1Char(' '));
}

void QuizView::setScore(const QString& text) {
  firsts_.clear();
  for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const std::string name = part.section(QLatin1Char('='), 0, 0).toStdString();
    if (std::ranges::find(questions_, name, &QuizQuestion::name) != questions_.end())
      firsts_[name] = part.endsWith(QLatin1String("=1"));
  }
  // Continue with the first question that has no answer yet.
  const auto open =
      std::ranges::find_if(questions_, [&](const QuizQuestion& question) { return !firsts_.contains(question.name); });
  go(open == questions_.end() ? 0 : static_cast<std::size_t>(open - questions_.begin()));
}

}  // namespace lab
