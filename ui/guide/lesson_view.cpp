// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/lesson_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDockWidget>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStyle>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/at.h"
#include "core/options/config_field.h"
#include "ui/accessibility/announcer.h"
#include "ui/guide/question_view.h"
#include "ui/guide/reading_area.h"
#include "ui/guide/spotlight.h"
#include "ui/guide/wrapped.h"
#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/runs/run_library.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/setup/setup_form.h"
#include "ui/stage/stage.h"
#include "ui/step/object_name.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kHintMs = 60'000;

// "scope@1f0c22ab": what is stored about a finished page. Earlier versions stored only its name.
QString keyOf(const LessonPage& page) {
  return QString::fromStdString(page.name + '@' + page.revision);
}

// True if the page is among the finished ones: under its name, if its task is the same as then; or under an earlier
// name, if exactly the same task had that name and no page has it any more.
bool isAmong(const QStringList& done, const Lesson& lesson, const LessonPage& page) {
  const QString name = QString::fromStdString(page.name), key = keyOf(page);
  if (done.contains(name) || done.contains(key)) return true;
  return std::ranges::any_of(done, [&](const QString& each) {
    const std::string had = each.section(QLatin1Char('@'), 0, 0).toStdString();
    return each.section(QLatin1Char('@'), 1).toStdString() == page.revision &&
           std::ranges::find(lesson.pages, had, &LessonPage::name) == lesson.pages.end();
  });
}

// Where the pages before this one leave the window: their run, with what has happened to it. The run's movie begins
// anew, because a beat that is shown on the way would count as watched.
Moment momentBefore(const Lesson& lesson, int page) {
  Moment moment = lesson.moment;
  for (int i = 0; i < page; ++i) {
    const Moment& left = at(lesson.pages, i).moment;
    if (!left.settings) continue;
    moment.settings = left.settings;
    moment.faults = left.faults;
    moment.view.step = left.faults.empty() ? 1 : left.view.step;
    moment.view.beat.clear();
  }
  return moment;
}

QLabel* paragraph(const char* name) {
  auto* label = makeLabel({.name = name, .wraps = true, .selectable = true});
  keepNarrow(*label);
  return label;
}

// The rectangle of an item's words, as the painter places them.
QRectF itemWords(const Item& item, const QFont& font) {
  if (item.shape != Item::Shape::Text) return item.box;
  QFont own = font;
  own.setPixelSize(std::max(1, static_cast<int>(std::lround(item.fontPx))));
  own.setBold(item.bold);
  const QFontMetricsF metrics(own);
  QRectF words = metrics.boundingRect(item.box, static_cast<int>(item.align.toInt()) | Qt::TextWordWrap, item.text);
  return words.intersected(item.box);
}

QRect placeIn(const QWidget& window, const QWidget& widget, const QRect& part) {
  const int margin = theme::em(0.2);
  return QRect(widget.mapTo(&window, part.topLeft()), part.size()).adjusted(-margin, -margin, margin, margin);
}

// The buttons of the window that do this.
QVector<QRect> buttonsOf(const QWidget& window, const QString& act) {
  QVector<QRect> places;
  if (const auto* action = window.findChild<QAction*>(act))
    for (QObject* object : action->associatedObjects())
      if (const auto* widget = qobject_cast<QWidget*>(object);
          widget != nullptr && widget->isVisible() && widget->inherits("QToolButton"))
        places << QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size());
  return places;
}

// Tab would come to new parts last in the window: puts them, and what they contain, behind a widget, in this order.
void orderKeys(QWidget& behind, const std::vector<QWidget*>& parts) {
  QWidget* last = &behind;
  const auto add = [&last](QWidget* part) {
    if (part->focusPolicy() == Qt::NoFocus || part->focusProxy() != nullptr || part->window() != last->window()) return;
    QWidget::setTabOrder(last, part);
    last = part;
  };
  for (QWidget* part : parts) {
    if (part == nullptr) continue;
    add(part);
    for (QWidget* inner : part->findChildren<QWidget*>()) add(inner);
  }
}

// The panel that has this tab; nullptr: there is no such tab.
const QDockWidget* panelOf(const QWidget& window, const QString& tab) {
  for (const QWidget* part = window.findChild<QWidget*>(tab); part != nullptr; part = part->parentWidget())
    if (const auto* panel = qobject_cast<const QDockWidget*>(part)) return panel;
  return nullptr;
}

// The chosen tab's page. For another tab, where it is chosen; for one of a closed panel, the button that opens that.
QVector<QRect> placesOfTab(const QWidget& window, const QString& name) {
  const auto* page = window.findChild<QWidget*>(name);
  const QDockWidget* panel = panelOf(window, name);
  if (panel == nullptr) return {};
  if (panel->isHidden()) return buttonsOf(window, panel->objectName() + QStringLiteral("Act"));
  if (page->window() != &window) return {};  // the panel floats
  if (page->isVisible()) return {placeIn(window, *page, page->rect())};
  const auto* list = panel->titleBarWidget()->findChild<QComboBox*>();
  if (list != nullptr && list->isVisible()) return {placeIn(window, *list, list->rect())};
  const auto* tabs = panel->titleBarWidget()->findChild<QTabBar*>();
  const auto* action = window.findChild<QAction*>(name + QStringLiteral("Act"));
  QVector<QRect> places;
  for (int i = 0; tabs != nullptr && tabs->isVisible() && action != nullptr && i < tabs->count(); ++i)
    if (tabs->tabText(i) == action->text()) places << placeIn(window, *tabs, tabs->tabRect(i));
  return places;
}

}  // namespace

LessonView::LessonView(const LessonWorld& world, Stage& stage, QWidget& window, QWidget* parent)
    : QStackedWidget(parent),
      facts_(world),
      stage_(stage),
      window_(window),
      spotlight_(new Spotlight(window, [this](const QRect& place) { return labelsAt(place); })) {
  setProperty("role", QStringLiteral("panel"));
  setAccessibleName(tr("Lessons"));
  addWidget(makeList());
  addWidget(makePage());
  hintTimer_.setSingleShot(true);
  hintTimer_.setInterval(kHintMs);
  connect(&hintTimer_, &QTimer::timeout, this, &LessonView::showHint);
  connect(&facts_, &LessonFacts::acted, this, &LessonView::look);
  connect(&facts_, &LessonFacts::changed, this, &LessonView::check);
  connect(&world.experiment, &Experiment::started, this, [this] {
    if (open_) stopAt(goal());  // another run, which trains from the beginning
    spotlight_->setDims(!isOfClass());
  });
  connect(&world.playback, &Playback::changed, spotlight_, &Spotlight::follow);
  connect(&world.playback, &Playback::changed, this, [this] {
    if (open_ && toPoint_) light();
  });
  fillList();
}

QWidget* LessonView::makeList() {
  list_ = new QListWidget;
  list_->setObjectName(QStringLiteral("lessonList"));
  list_->setAccessibleName(tr("Lessons"));
  theme::follow(list_, [this] { list_->setSpacing(theme::em(0.25)); });
  keepRowsWhole(*list_);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // Connected once for a click, and once for Enter.
  connect(list_, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) {
    beginNamed(item->data(Qt::UserRole).toString());
    // Many people double-click in a list; the second click would press what the page has in this place.
    QWidget* page = widget(1);
    page->setAttribute(Qt::WA_TransparentForMouseEvents);
    QTimer::singleShot(QApplication::doubleClickInterval(), page,
                       [page] { page->setAttribute(Qt::WA_TransparentForMouseEvents, false); });
  });
  connect(list_, &QListWidget::itemActivated, this,
          [this](const QListWidgetItem* item) { beginNamed(item->data(Qt::UserRole).toString()); });
  return list_;
}

bool LessonView::isDone(int page) const {
  return open_ && isTicked(page);
}

bool LessonView::isTicked(int page) const {
  return isAmong(done_.value(QString::fromStdString(lesson_.name)), lesson_, at(lesson_.pages, page));
}

void LessonView::fillList() {
  list_->clear();
  int number = 0;
  for (const Lesson& lesson : builtInLessons()) {
    const QStringList kept = done_.value(QString::fromStdString(lesson.name));
    const auto done =
        std::ranges::count_if(lesson.pages, [&](const LessonPage& page) { return isAmong(kept, lesson, page); });
    const auto all = static_cast<qsizetype>(lesson.pages.size());
    const QString progress = done >= all ? tr("✓ done")
                             : done == 0 ? tr("%Ln pages", nullptr, static_cast<int>(all))
                                         : tr("%1 of %2").arg(done).arg(all);
    auto* item = new QListWidgetItem(
        QStringLiteral("%1. %2\n%3").arg(++number).arg(lessonWords(lesson.title, facts_), progress), list_);
    item->setData(Qt::UserRole, QString::fromStdString(lesson.name));
    item->setToolTip(lessonWords(lesson.about, facts_));
  }
}

// Returns to the list as the user left it: same scroll position, at the lesson that was open.
void LessonView::showList() {
  open_ = false;
  hintTimer_.stop();
  spotlight_->end();
  stopAt(0);
  library().setChartedSince({});
  const int scrolled = list_->verticalScrollBar()->value();
  fillList();
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->data(Qt::UserRole).toString().toStdString() == lesson_.name) list_->setCurrentRow(row);
  setCurrentIndex(0);
  list_->doItemsLayout();
  list_->verticalScrollBar()->setValue(scrolled);
  list_->scrollToItem(list_->currentItem());
  list_->setFocus();
}

bool LessonView::beginNamed(const QString& name) {
  const auto found = std::ranges::find(builtInLessons(), name.toStdString(), &Lesson::name);
  if (found == builtInLessons().end()) return false;
  if (!open_ || lesson_.name != found->name) begin(*found);
  return true;
}

void LessonView::begin(const Lesson& lesson) {
  spotlight_->end();
  toPoint_ = false;
  open_ = false;  // nothing is checked until the page is there
  lesson_ = lesson;
  page_ = 0;
  predicted_.clear();
  answered_.clear();
  stopAt(0);
  library().setChartedSince(QDateTime::currentDateTime());
  int first = 0;
  while (first + 1 < static_cast<int>(lesson_.pages.size()) && isTicked(first)) ++first;
  if (isTicked(first)) first = 0;
  // The lesson is about the class that is served, and nothing else could begin.
  if (facts_.world().experiment.busyWords().isEmpty()) Q_EMIT visitWanted(momentBefore(lesson_, first));
  open_ = true;
  setCurrentIndex(1);
  turn(first);
}

// Starts a run of its own: what the previous run has trained is neither shown nor counted. A class trains on.
void LessonView::startAgain() {
  open_ = false;  // else the pause could finish the page that was just forgotten
  done_.remove(QString::fromStdString(lesson_.name));
  keep();
  Experiment& experiment = facts_.world().experiment;
  if (experiment.busyWords().isEmpty()) {
    facts_.world().playback.pause();
    const auto& settings = lesson_.moment.settings;
    if (!settings || experiment.runs(*settings)) experiment.again();
  }
  const Lesson lesson = lesson_;
  begin(lesson);
}

void LessonView::next() {
  if (page_ + 1 < static_cast<int>(lesson_.pages.size()))
    turn(page_ + 1);
  else
    showList();
}

void LessonView::previous() {
  turn(std::max(0, page_ - 1));
}

void LessonView::turn(int page) {
  page_ = page;
  hints_ = 0;
  hint_->hide();
  place_->hide();
  delete question_;
  question_ = nullptr;
  addFields();
  if (now().question.kind != LessonQuestion::Kind::None) addQuestion();
  beginInStory();
  arm();
  stopAt(goal());
  if (!isDone(page_) && !now().hints.empty()) hintTimer_.start();
  refresh();
  scroll_->verticalScrollBar()->setValue(0);
  orderKeys(*scroll_, {fields_, question_, question_ == nullptr ? nullptr : &question_->commitButton()});
  const bool asks = question_ != nullptr && !isDone(page_);
  (asks ? static_cast<QWidget*>(scroll_) : next_)->setFocus();
  pointOut();
  check();
}

// The step that the page trains to, from its moment; 0 if something must happen on the way, as the user stops there. A
// class trains on, because students join while it does.
std::int64_t LessonView::goal() const {
  return isOfClass() || isDone(page_) || !now().moment.faults.empty() || now().moment.view.step < 2
             ? 0
             : now().moment.view.step;
}

bool LessonView::isOfClass() const {
  return facts_.world().controller.ofClass().run() != nullptr;
}

void LessonView::stopAt(std::int64_t step) {
  facts_.world().playback.setStop(step);
}

RunLibrary& LessonView::library() {
  return facts_.world().library;
}

// At full speed the movie would skip what the page asks the user to watch.
void LessonView::beginInStory() {
  Playback& playback = facts_.world().playback;
  const Playback::Mode mode = playback.mode();
  const bool fast = mode == Playback::Mode::Fast || mode == Playback::Mode::Express || mode == Playback::Mode::Live;
  if (fast && !isDone(page_) && !now().moment.view.beat.empty() && now().moment.view.step < 2)
    playback.setMode(Playback::Mode::Story);
}

// What was already true before the page began does not count.
void LessonView::arm() {
  facts_.beginPage();
  facts_.setAnswers(predicted_, answered_);
  armed_ = now().until.empty() || now().already || !now().until.holds(facts_);
}

void LessonView::look() {
  armed_ = true;
  check();
}

void LessonView::check() {
  if (!open_ || currentIndex() != 1) return;
  facts_.setAnswers(predicted_, answered_);
  text_->setText(lessonWords(now().text, facts_));
  // A prediction on a page that is done already, perhaps another day, is answered as well.
  const bool waits = awaitsProgram();
  if ((isDone(page_) && !waits) || !armed_) return;
  if (question_ != nullptr && !question_->isSealed()) return;
  if (question_ != nullptr && !now().isPrediction() && !question_->isRight()) return;
  if (!now().until.empty() && !now().until.holds(facts_)) return;
  if (waits) {
    question_->reveal();
    showWhole(question_->verdict());
  }
  if (!isDone(page_)) tick();
}

bool LessonView::awaitsProgram() const {
  return question_ != nullptr && now().isPrediction() && !question_->isRevealed();
}

void LessonView::tick() {
  // Nothing would say why a run stops later at the step of a page that is done.
  const bool isEarly = std::max(facts_.world().playback.step(), facts_.world().controller.liveStep()) < goal();
  QStringList& done = done_[QString::fromStdString(lesson_.name)];
  done.removeIf(
      [&](const QString& each) { return each.section(QLatin1Char('@'), 0, 0) == QString::fromStdString(now().name); });
  done << keyOf(now());
  hintTimer_.stop();
  if (isEarly) stopAt(0);
  toPoint_ = false;
  spotlight_->end();
  keep();
  refresh();
  Q_EMIT ticked(page_);
}

void LessonView::refresh() {
  const int pages = static_cast<int>(lesson_.pages.size());
  where_->setText(tr("%1 · page %2 of %3").arg(lessonWords(lesson_.title, facts_)).arg(page_ + 1).arg(pages));
  title_->setText(lessonWords(now().title, facts_));
  text_->setText(lessonWords(now().text, facts_));
  // The page was done before the lesson was edited.
  const QString before = QString::fromStdString(now().name + '@');
  const QStringList kept = done_.value(QString::fromStdString(lesson_.name));
  const bool was = std::ranges::any_of(kept, [&](const QString& each) { return each.startsWith(before); });
  const bool changed = was && !isDone(page_);
  changed_->setVisible(changed);
  tick_->setVisible(isDone(page_));
  emphasize();
  hintButton_->setEnabled(hints_ < std::ssize(now().hints));
  pointButton_->setEnabled(!now().point.empty());
  doButton_->setEnabled(!now().moment.empty() || question_ != nullptr);
  previous_->setEnabled(page_ > 0);
  next_->setText(page_ + 1 < pages ? tr("Next") : tr("Finish"));
}

void LessonView::showHint() {
  if (!open_ || now().hints.empty()) return;
  hints_ = std::min(hints_ + 1, static_cast<int>(now().hints.size()));
  QStringList words;
  for (int i = 0; i < hints_; ++i) words << tr("Hint: %1").arg(lessonWords(at(now().hints, i), facts_));
  hint_->setText(words.join(QLatin1Char('\n')));
  hint_->show();
  // Else the focus would go on to the next button, which the same key then presses.
  if (hints_ == std::ssize(now().hints) && hintButton_->hasFocus()) scroll_->setFocus();
  refresh();
  showWhole(*hint_);
}

void LessonView::doIt() {
  const auto& settings = now().moment.settings;
  const bool isThere = !settings || facts_.world().experiment.runs(*settings);
  if (question_ != nullptr) question_->answerRightly();
  if (!now().moment.empty()) Q_EMIT visitWanted(now().moment);
  // If the window is where it was when the page was done, nothing happens that would let the program answer.
  if (awaitsProgram() && isThere && isDone(page_)) question_->reveal();
}

void LessonView::pointOut() {
  spotlight_->end();
  toPoint_ = false;
  if (!now().point.empty() && !isDone(page_)) light();
}

void LessonView::light() {
  const QString point = QString::fromStdString(now().point), name = point.section(QLatin1Char(' '), 1);
  if (point.startsWith(QStringLiteral("control "))) Q_EMIT controlPointedAt(name);
  if (point.startsWith(QStringLiteral("tab ")))
    if (const QDockWidget* panel = panelOf(window_, name)) Q_EMIT controlPointedAt(panel->objectName());
  const bool animated = !facts_.world().playback.reducedMotion();
  // A class takes as long as its students do, and they read the code off this window.
  spotlight_->setDims(!isOfClass());
  toPoint_ = !spotlight_->point([this] { return places(); }, this, animated);
  if (!toPoint_) place_->hide();
}

// Answers the user even if the place is still to come, covered by start-up or made by a later beat.
void LessonView::sayWhere() {
  light();
  if (!toPoint_ || !QString::fromStdString(now().point).startsWith(QStringLiteral("object "))) return;
  const QString beat = beatNamed(now().moment.view.beat);
  place_->setText(
      beat.isEmpty()
          ? tr("It is not on the stage yet. Keep playing: it lights up as soon as it is there.")
          : tr("It is not on the stage yet. Keep playing to “%1”: it lights up as soon as it is there.").arg(beat));
  place_->show();
  announce(*this, place_->text());
  showWhole(*place_);
}

void LessonView::hideEvent(QHideEvent* event) {
  spotlight_->end();
  QStackedWidget::hideEvent(event);
}

void LessonView::keepIn(QSettings& settings) {
  settings_ = &settings;
  settings.beginGroup(QStringLiteral("lessons"));
  for (const QString& name : settings.childKeys()) done_[name] = settings.value(name).toStringList();
  settings.endGroup();
  if (!open_) fillList();
}

void LessonView::keep() {
  if (settings_ == nullptr) return;
  const QString name = QString::fromStdString(lesson_.name);
  settings_->setValue(QStringLiteral("lessons/") + name, done_.value(name));
}

bool isInLesson(const QWidget& window) {
  const auto* lessons = window.findChild<LessonView*>();
  return lessons != nullptr && lessons->lesson() != nullptr;
}

// The page of a lesson: its text, its fields and question, and the buttons that stay visible.

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
  connect(question_, &QuestionView::sealed, this, [this](bool byButton) {
    if (byButton) next_->setFocus();
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

// Finds the places in the window that a lesson's page is about, and the words around them.

// In window coordinates; empty if the target is not there at present.
QVector<QRect> LessonView::places() const {
  QVector<QRect> places;
  if (!open_ || now().point.empty()) return places;
  const std::string& point = now().point;
  const std::string kind = point.substr(0, point.find(' ')), name = point.substr(kind.size() + 1);
  const int margin = theme::em(0.2);
  if (kind == "object") {
    for (const Object& object : stage_.objects().all()) {
      const std::string full = lab::objectName(object);
      if (full != name && full.substr(0, full.find(' ')) != name) continue;
      // The start-up's card covers what has not begun, an equation of weights the gradient: a light on that would show
      // nothing, or something else.
      const Object above = stage_.scene().objectAt(stage_.objects().placeOf(object).center());
      if (above.kind == Object::Kind::Pipeline && object.kind != above.kind) continue;
      if (above.kind == Object::Kind::Weights && object.kind == Object::Kind::Gradient) continue;
      const QRect place = stage_.objects().placeOf(object).toAlignedRect().adjusted(-margin, -margin, margin, margin);
      if (stage_.isVisible()) places << QRect(stage_.mapTo(&window_, place.topLeft()), place.size());
    }
    return places;
  }
  const QString control = QString::fromStdString(name);
  if (kind == "tab") return placesOfTab(window_, control);
  for (const QWidget* widget : window_.findChildren<QWidget*>(control))
    if (widget->isVisible()) places << placeIn(window_, *widget, widget->rect());
  // For a closed panel, the button that opens it.
  const bool closed = places.isEmpty() && window_.findChild<QDockWidget*>(control) != nullptr;
  return places + buttonsOf(window_, closed ? control + QStringLiteral("Act") : control);
}

// The words of the stage and of controls at this place in the window.
QVector<QRect> LessonView::labelsAt(const QRect& place) const {
  QVector<QRect> labels;
  const auto take = [&](const QRect& words) {
    if (words.intersects(place) && !words.contains(place)) labels << words;
  };
  if (stage_.isVisible())
    for (const Item& item : stage_.scene().items) {
      if (item.text.isEmpty() || item.opacity < 0.05) continue;
      const QRect words = itemWords(item, stage_.font()).toAlignedRect();
      take(QRect(stage_.mapTo(&window_, words.topLeft()), words.size()));
    }
  for (const QWidget* widget : window_.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != &window_) continue;
    const auto* label = qobject_cast<const QLabel*>(widget);
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const QString text = label != nullptr ? label->text() : button != nullptr ? button->text() : QString();
    if (text.isEmpty()) continue;
    QRect words = widget->rect();
    if (label != nullptr && !label->wordWrap())
      words = label->style()->itemTextRect(label->fontMetrics(), label->contentsRect(),
                                           static_cast<int>(label->alignment().toInt()), true, text);
    take(QRect(widget->mapTo(&window_, words.topLeft()), words.size()));
  }
  return labels;
}

}  // namespace lab
