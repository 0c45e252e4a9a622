// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/question_view.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QProgressBar>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/accessibility/own_events.h"
#include "ui/guide/curve_pad.h"
#include "ui/guide/lesson_facts.h"
#include "ui/guide/wrapped.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/i18n/written_words.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kSliderSteps = 1000, kPages = 10;
constexpr double kAlike = 0.05;                 // share of the chart's height within which two curves are alike
constexpr int kStretches = 4, kMostSingle = 5;  // parts of a number's range, for raised hands

// With a typographic minus, as in the texts.
QString shown(QString number) {
  return number.replace(QLatin1Char('-'), QChar(0x2212));
}

QString factWords(const FactCall& call, const Fact& fact) {
  if (const auto* word = std::get_if<std::string>(&fact)) {
    const std::string name = call.name->name;
    for (const StrategyInfo& info : strategies())
      if (name == "strategy" && info.key == *word) return coreText(info.name);
    return coreText(*word);
  }
  if (const auto* number = std::get_if<double>(&fact)) {
    if (std::string(call.name->name) == "bytes") return bytesText(std::llround(*number));
    return *number == std::floor(*number) ? countText(std::llround(*number)) : numberText(*number, 'g', 3);
  }
  if (const auto* flag = std::get_if<bool>(&fact)) return *flag ? tr("yes") : tr("no");
  return QStringLiteral("–");
}

QLabel* wrapped(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  keepNarrow(*label);
  return label;
}

}  // namespace

QString lessonWords(const LessonText& text, const LessonFacts& facts) {
  QString words;
  for (const TextPiece& piece : piecesOf(writtenWords(text).toStdString()))
    words += piece.call.name == nullptr ? QString::fromStdString(piece.words)
                                        : factWords(piece.call, facts.fact(piece.call));
  // *A name of the window* and `a command` get quotation marks.
  static const QRegularExpression kName(QStringLiteral("([*`])(\\S[^*`\n]*\\S|\\S)\\1"));
  return words.replace(kName, tr("“%1”", "a name of the window, in a lesson's text").arg(QStringLiteral("\\2")));
}

QuestionView::QuestionView(const LessonQuestion& question, bool prediction, LessonFacts& facts, QWidget* parent)
    : QWidget(parent), question_(question), prediction_(prediction), facts_(facts) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  QLabel* ask = wrapped(lessonWords(question_.ask, facts_));
  QFont bold = ask->font();
  bold.setBold(true);
  ask->setFont(bold);
  column->addWidget(ask);
  if (question_.kind == LessonQuestion::Kind::Choice) addChoices(*column);
  if (question_.kind == LessonQuestion::Kind::Number) addNumber(*column);
  if (question_.kind == LessonQuestion::Kind::Curve) {
    curve_ = new CurvePad(ask->text(), question_.low, question_.high, question_.steps);
    connect(curve_, &CurvePad::changed, this, [this] { commit_->setEnabled(true); });
    column->addWidget(curve_);
    addHands(*column, {tr("Lower than this curve"), tr("Like this curve"), tr("Higher than this curve")});
  }
  commit_ = new QPushButton(prediction_ ? tr("Seal my answer") : tr("Answer"));
  commit_->setObjectName(QStringLiteral("commitAnswer"));
  commit_->setEnabled(false);
  connect(commit_, &QPushButton::clicked, this, &QuestionView::commit);
  verdict_ = wrapped({});
  verdict_->setObjectName(QStringLiteral("verdict"));
  verdict_->hide();
  column->addWidget(verdict_);
}

QuestionView::~QuestionView() {
  delete commit_;
}

void QuestionView::addChoices(QVBoxLayout& column) {
  choices_ = new QButtonGroup(this);
  int id = 0;
  for (const LessonAnswer& answer : question_.answers) {
    // Its words stand beside the button, where they can wrap.
    auto* button = new QRadioButton;
    const QString words = lessonWords(answer.text, facts_);
    button->setObjectName(QStringLiteral("answer%1").arg(id));
    button->setAccessibleName(words);
    choices_->addButton(button, id++);
    QLabel* label = wrapped(words);
    label->setBuddy(button);
    label->installEventFilter(this);
    auto* row = new QHBoxLayout;
    auto* mark = new QLabel;
    mark->setObjectName(QStringLiteral("mark%1").arg(id - 1));
    mark->setProperty("role", QStringLiteral("strong"));
    mark->hide();
    marks_ << mark;
    row->addWidget(button, 0, Qt::AlignTop);
    row->addWidget(mark, 0, Qt::AlignTop);
    row->addWidget(label, 1);
    column.addLayout(row);
  }
  connect(choices_, &QButtonGroup::idClicked, this, [this] { commit_->setEnabled(true); });
  QStringList words;
  for (const LessonAnswer& answer : question_.answers) words << lessonWords(answer.text, facts_);
  addHands(column, words);
}

void QuestionView::addHands(QVBoxLayout& column, const QStringList& answers) {
  auto* asks = new QCheckBox(tr("Count hands"));
  asks->setObjectName(QStringLiteral("countHands"));
  column.addWidget(asks);
  for (int i = 0; i < answers.size(); ++i) {
    auto* hands = new QSpinBox;
    hands->setObjectName(QStringLiteral("hands%1").arg(i));
    hands->setRange(0, 999);
    hands->setAccessibleName(tr("Hands for: %1").arg(answers[i]));
    auto* bar = new QProgressBar;
    bar->setAccessibleName(hands->accessibleName());
    auto* line = new QWidget;
    auto* both = new QVBoxLayout(line);
    both->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    QLabel* whose = wrapped(answers[i]);
    whose->setObjectName(QStringLiteral("counted%1").arg(i));
    counted_ << whose;
    both->addWidget(whose);
    both->addLayout(row);
    row->addWidget(hands);
    row->addWidget(bar, 1);
    line->hide();
    column.addWidget(line);
    connect(asks, &QCheckBox::toggled, line, &QWidget::setVisible);
    connect(hands, &QSpinBox::valueChanged, this, &QuestionView::refreshHands);
    hands_ << hands;
    bars_ << bar;
  }
}

void QuestionView::refreshHands() {
  int all = 0;
  for (const QSpinBox* hands : hands_) all += hands->value();
  for (qsizetype i = 0; i < hands_.size(); ++i) {
    bars_[i]->setRange(0, std::max(1, all));
    bars_[i]->setValue(hands_[i]->value());
    bars_[i]->setFormat(percentText(all == 0 ? 0 : static_cast<double>(hands_[i]->value()) / all));
  }
}

void QuestionView::addNumber(QVBoxLayout& column) {
  slider_ = new QSlider(Qt::Horizontal);
  slider_->setObjectName(QStringLiteral("answerNumber"));
  slider_->installEventFilter(this);
  slider_->setAccessibleName(lessonWords(question_.ask, facts_));
  const double span = question_.high - question_.low;
  const bool whole = span == std::floor(span) && question_.low == std::floor(question_.low) && span <= kSliderSteps;
  slider_->setRange(0, whole ? static_cast<int>(span) : kSliderSteps);
  // Qt's page of ten would be all of a short range, and a click beside the handle would lead to an end.
  slider_->setPageStep(std::max(1, slider_->maximum() / kPages));
  number_ = wrapped({});
  slider_->setValue(slider_->maximum() / 2);
  // The initial position is not an answer, and may be the right one.
  number_->setText(tr("Move the slider to answer."));
  const auto take = [this] {
    number_->setText(numberWords(number()));
    if (!sealed_) commit_->setEnabled(true);
  };
  connect(slider_, &QSlider::valueChanged, this, take);
  connect(slider_, &QSlider::sliderPressed, this, take);
  column.addWidget(slider_);
  column.addWidget(number_);
  addHands(column, stretches());
}

// Each whole number of a short range, or four parts of a longer one.
QStringList QuestionView::stretches() const {
  QStringList words;
  const double span = question_.high - question_.low;
  if (slider_->maximum() == span && span <= kMostSingle) {
    for (int i = 0; i <= static_cast<int>(span); ++i) words << numberWords(question_.low + i);
    return words;
  }
  const bool whole = slider_->maximum() == span;
  for (int i = 0; i < kStretches && whole; ++i) {
    const double first = std::ceil(question_.low + span * i / kStretches),
                 last = std::ceil(question_.low + span * (i + 1) / kStretches) - (i + 1 < kStretches ? 1 : 0);
    words << tr("%1 to %2").arg(shown(numberText(first, 'g', 4)), numberWords(last));
  }
  for (int i = 0; i < kStretches && !whole; ++i)
    words << tr("%1 to %2")
                 .arg(shown(numberText(question_.low + span * i / kStretches, 'g', 4)),
                      numberWords(question_.low + span * (i + 1) / kStretches));
  return words;
}

qsizetype QuestionView::stretchOf(double value) const {
  const double span = question_.high - question_.low;
  const bool single = slider_->maximum() == span && span <= kMostSingle;
  const double place = (value - question_.low) / (single ? 1 : span / kStretches);
  if (single) return std::lround(place);
  return std::clamp<qsizetype>(static_cast<qsizetype>(std::floor(place)), 0, kStretches - 1);
}

// Marks the true answer among the counted ones.
void QuestionView::markTruth(qsizetype answer) {
  for (qsizetype i = 0; i < counted_.size(); ++i) {
    QFont font = counted_[i]->font();
    font.setBold(i == answer);
    counted_[i]->setFont(font);
    const QString mark = QStringLiteral("✓ ");
    QString words = counted_[i]->text();
    if (words.startsWith(mark)) words.remove(0, mark.size());
    counted_[i]->setText(i == answer ? mark + words : words);
  }
}

double QuestionView::number() const {
  return question_.low + (question_.high - question_.low) * slider_->value() / slider_->maximum();
}

void QuestionView::setNumber(double value) {
  const double share = (value - question_.low) / (question_.high - question_.low);
  slider_->setValue(static_cast<int>(std::lround(share * slider_->maximum())));
}

QString QuestionView::numberWords(double value) const {
  const QString unit = QString::fromStdString(question_.unit);
  return unit.isEmpty() ? shown(numberText(value))
                        : QStringLiteral("%1 %2").arg(shown(numberText(value, 'g', 4)), unit);
}

std::optional<double> QuestionView::truth() const {
  if (question_.value) return question_.value;
  const Fact fact = facts_.fact(question_.truth);
  return std::holds_alternative<double>(fact) ? std::optional(std::get<double>(fact)) : std::nullopt;
}

// A click on its words chooses an answer; the slider takes the arrow keys while focused.
bool QuestionView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == slider_ &&
      takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End}))
    return true;
  if (event->type() == QEvent::MouseButtonRelease)
    if (auto* label = qobject_cast<QLabel*>(watched); label != nullptr && label->buddy() != nullptr)
      static_cast<QRadioButton*>(label->buddy())->click();
  return QWidget::eventFilter(watched, event);
}

void QuestionView::commit() {
  if (sealed_) return;
  sealed_ = true;
  for (QWidget* part : findChildren<QWidget*>())
    if (qobject_cast<QRadioButton*>(part) != nullptr || qobject_cast<QSlider*>(part) != nullptr)
      part->setEnabled(false);
  if (curve_ != nullptr) curve_->seal(true);
  if (prediction_) {
    verdict_->setText(tr("Sealed. Now let the program answer."));
    verdict_->show();
  } else {
    judge();
    if (!right_) {  // asks again
      sealed_ = false;
      for (QWidget* part : findChildren<QWidget*>()) part->setEnabled(true);
      // A button that is disabled would pass the focus on to the stage.
      if (choices_ != nullptr && commit_->hasFocus()) choices_->checkedButton()->setFocus();
      commit_->setEnabled(slider_ != nullptr);
    }
  }
  const bool byButton = sealed_ && commit_->hasFocus();
  if (sealed_) commit_->hide();
  Q_EMIT sealed(byButton);
}

void QuestionView::judge() {
  QStringList words;
  if (choices_ != nullptr) {
    const auto chosen = static_cast<std::size_t>(std::max(0, choices_->checkedId()));
    right_ = question_.answers[chosen].right;
    words << (right_ ? tr("Right.") : tr("Not quite."));
    if (!question_.answers[chosen].feedback.empty()) words << lessonWords(question_.answers[chosen].feedback, facts_);
    if (prediction_ && !right_)
      for (const LessonAnswer& answer : question_.answers)
        if (answer.right) words << tr("It is: %1").arg(lessonWords(answer.text, facts_));
    markAnswers();
    if (prediction_ || right_)
      markTruth(std::ranges::find(question_.answers, true, &LessonAnswer::right) - question_.answers.begin());
  } else if (slider_ != nullptr) {
    const std::optional<double> true_ = truth();
    if (leftToProgram_ && true_) setNumber(*true_);  // the slider stands where nobody has put it
    right_ = true_ && std::abs(*true_ - number()) <= question_.tolerance + 1e-9;
    // If the page has no run to answer, the question is asked again.
    words << (prediction_ || right_ ? tr("You: %1. The program: %2.")
                                          .arg(numberWords(number()), true_ ? numberWords(*true_) : QStringLiteral("–"))
                                    : tr("You: %1.").arg(numberWords(number())));
    words << (right_ ? tr("Right.") : tr("Not quite."));
    if (true_ && (prediction_ || right_)) markTruth(stretchOf(*true_));
  } else if (curve_ != nullptr) {
    QVector<double> values;
    for (const StepMetric& step : facts_.world().controller.steps()) {
      if (values.size() >= question_.steps) break;
      values << (question_.curve == "loss" ? step.loss : step.accuracy);
    }
    curve_->setTruth(values);
    right_ = true;
    if (curve_->isDrawn()) {
      words << tr("Dashed: your curve. Solid: the run. On average they are %1 apart.")
                   .arg(numberText(curve_->distance(), 'g', 3));
      const double higher = curve_->excess(), alike = kAlike * (question_.high - question_.low);
      markTruth(higher < -alike ? 0 : higher > alike ? 2 : 1);
    }
  }
  if ((prediction_ || right_) && !question_.why.empty()) words << lessonWords(question_.why, facts_);
  verdict_->setText(words.join(QLatin1Char('\n')));
  verdict_->show();
}

void QuestionView::markAnswers() {
  for (int i = 0; i < marks_.size(); ++i) {
    const LessonAnswer& answer = at(question_.answers, i);
    const bool chosen = choices_->checkedId() == i;
    if (!prediction_ && !right_ && !chosen) continue;  // the question is asked again
    marks_[i]->setText(answer.right ? QStringLiteral("✓") : QStringLiteral("✗"));
    marks_[i]->show();
    const QString words = lessonWords(answer.text, facts_);
    choices_->button(i)->setAccessibleName(answer.right ? tr("%1 (right)").arg(words) : tr("%1 (wrong)").arg(words));
  }
}

void QuestionView::reveal() {
  if (!sealed_) return;
  revealed_ = true;
  judge();
}

void QuestionView::answerRightly() {
  if (sealed_) return;
  if (choices_ != nullptr) {
    for (std::size_t i = 0; i < question_.answers.size(); ++i)
      if (question_.answers[i].right) choices_->button(static_cast<int>(i))->setChecked(true);
  } else if (slider_ != nullptr && question_.value) {
    setNumber(*question_.value);
  }
  leftToProgram_ = true;
  commit();
}

}  // namespace lab
