// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a lesson: its text, its fields and question, and the buttons that stay visible.
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/base/at.h"
#include "core/options/config_field.h"
#include "ui/guide/lesson_view.h"
#include "ui/guide/question_view.h"
#include "ui/guide/reading_area.h"
#include "ui/guide/wrapped.h"
#include "ui/setup/experiment.h"
#include "ui/setup/setup_form.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

QLabel* paragraph(const char* name) {
  auto* label = makeLabel({.name = name, .wraps = true, .selectable = true});
  keepNarrow(*label);
  return label;
}

}  // namespace

QPushButton* LessonView::addButton(FlowLayout& row, const char* name, const QString& text, void (LessonView::*act)()) {
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  connect(button, &QPushButton::clicked, this, act);
  row.addWidget(button);
  return button;
}

// The text scrolls between the controls above, which lead away, and those below, which lead on.
QWidget* LessonView::makePage() {
  auto* page = new QWidget;
  auto* all = new QVBoxLayout(page);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  auto* head = new FlowLayout;
  auto* bar = new QVBoxLayout;
  auto* read = new QWidget;
  read->setProperty("role", QStringLiteral("panel"));
  column_ = new QVBoxLayout(read);
  theme::follow(this, [this, head, bar] {
    const int side = theme::em(0.8) - kReadingFrame;
    column_->setContentsMargins(side, theme::em(0.3), side, theme::em(0.8));
    column_->setSpacing(theme::em(0.5));
    for (QLayout* row : {static_cast<QLayout*>(head), static_cast<QLayout*>(bar)}) {
      row->setContentsMargins(theme::em(0.8), theme::em(0.4), theme::em(0.8), theme::em(0.4));
      row->setSpacing(theme::em(0.4));
    }
  });
  all_ = addButton(*head, "lessonAll", tr("All lessons"), &LessonView::showList);
  again_ = addButton(*head, "lessonAgain", tr("Start again"), &LessonView::startAgain);
  where_ = paragraph("lessonWhere");
  where_->setProperty("role", QStringLiteral("quiet"));
  title_ = paragraph("lessonTitle");
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  text_ = paragraph("lessonText");
  changed_ = paragraph("lessonChanged");
  changed_->setText(tr("This task has changed since you did it."));
  place_ = paragraph("lessonPlace");
  hint_ = paragraph("lessonHint");
  for (QWidget* part : {where_, title_, text_, changed_, place_, hint_}) column_->addWidget(part);
  column_->addStretch(1);
  scroll_ = readingArea(*read, QStringLiteral("lessonPage"), tr("The lesson's page"));
  commitRow_ = new QHBoxLayout;
  bar->addLayout(commitRow_);
  auto* acts = new FlowLayout;
  pointButton_ = addButton(*acts, "lessonPoint", tr("Where is it?"), &LessonView::sayWhere);
  hintButton_ = addButton(*acts, "lessonHintButton", tr("Hint"), &LessonView::showHint);
  doButton_ = addButton(*acts, "lessonDo", tr("Do it for me"), &LessonView::doIt);
  previous_ = addButton(*acts, "lessonPrevious", tr("Back"), &LessonView::previous);
  next_ = addButton(*acts, "lessonNext", tr("Next"), &LessonView::next);
  tick_ = makeLabel({.text = tr("✓ Done"), .name = "lessonTick"});  // beside Next, whatever the length of the page
  QSizePolicy keeps = tick_->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);  // so that no button moves when it appears
  tick_->setSizePolicy(keeps);
  acts->addWidget(tick_);
  bar->addLayout(acts);
  all->addLayout(head);
  all->addWidget(scroll_, 1);
  all->addLayout(bar);
  return page;
}

void LessonView::addQuestion() {
  question_ = new QuestionView(now().question, now().isPrediction(), facts_);
  question_->setObjectName(QStringLiteral("question"));
  column_->insertWidget(column_->indexOf(changed_), question_);
  question_->show();
  commitRow_->addWidget(&question_->commitButton());
  question_->commitButton().show();  // at once: the layout would do it later
  connect(question_, &QuestionView::sealed, this, [this] {
    (now().isPrediction() ? predicted_ : answered_).insert(now().name);
    if (now().isPrediction()) arm();
    check();
    emphasize();
    showWhole(question_->verdict());
  });
}

// A page shows the settings that it changes: those in which its moment differs from where the lesson stood before.
QStringList LessonView::fields() const {
  QStringList names;
  if (!now().moment.settings) return names;
  const RunSettings* before = lesson_.moment.settings ? &*lesson_.moment.settings : nullptr;
  for (int i = 0; i < page_; ++i)
    if (const auto& settings = at(lesson_.pages, i).moment.settings) before = &*settings;
  for (const ConfigField& field : configFields()) {
    const std::string value = field.get(*now().moment.settings);
    // A batch that is given replaces the other kind of batch.
    const bool yields = value.empty() && (field.name == "global-batch" || field.name == "batch-per-replica");
    if (before != nullptr && value != field.get(*before) && !yields) names << QString::fromStdString(field.name);
  }
  return names;
}

void LessonView::addFields() {
  delete fields_;
  fields_ = nullptr;
  const QStringList names = fields();
  if (names.isEmpty()) return;
  fields_ = new SetupForm(facts_.world().experiment, names);
  fields_->setObjectName(QStringLiteral("lessonFields"));
  column_->insertWidget(column_->indexOf(changed_), fields_);
  fields_->show();
}

// One button is emphasised: the answer while there is none, then Next.
void LessonView::emphasize() {
  QPushButton* commit = question_ == nullptr ? nullptr : &question_->commitButton();
  const bool asks = commit != nullptr && !question_->isSealed();
  for (QPushButton* button : {commit, next_}) {
    if (button == nullptr) continue;
    const bool primary = (button == commit) == asks;
    button->setDefault(primary);
    QFont font = button->font();
    font.setBold(primary);
    button->setFont(font);
  }
}

// Scrolls as soon as the part is laid out.
void LessonView::showWhole(QWidget& part) {
  scroll_->widget()->layout()->activate();
  QMetaObject::invokeMethod(
      this,
      [this, shown = QPointer<QWidget>(&part)] {
        if (shown != nullptr) scroll_->ensureWidgetVisible(shown, 0, theme::em(0.5));
      },
      Qt::QueuedConnection);
}

}  // namespace lab
