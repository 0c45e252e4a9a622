// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/try_out.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <numeric>
#include <span>

#include "core/replay/mean_weights.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/class_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/tryout/batch_grid.h"
#include "ui/tryout/confusion_table.h"
#include "ui/tryout/digit_pad.h"
#include "ui/tryout/filter_grid.h"
#include "ui/tryout/pages.h"

namespace lab {
namespace {

constexpr int kIntervalMs = 200;

// Replica 0's statistics, which are those that Keras 3 evaluates and saves.
std::span<const float> statisticsOf(const StepRecord& record) {
  return record.statistics;
}

}  // namespace

TryOut::TryOut(RunController& controller, Playback& playback, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback) {
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  words_ = makeLabel({.name = "tryWords", .role = "quiet", .wraps = true});
  words_->setContentsMargins(theme::em(0.6), theme::em(0.3), theme::em(0.6), 0);
  pad_ = new DigitPad;
  bars_ = new ProbabilityBars;
  batches_ = new BatchGrid;
  mistakes_ = new MistakeGrid;
  confusion_ = new ConfusionTable;
  filters_ = new FilterGrid;
  pages_ = new QStackedWidget;
  tabs_ = new QButtonGroup(this);
  auto* tabs = new FlowLayout;  // a narrow dock needs several rows
  tabs->setContentsMargins(theme::em(0.4), 0, theme::em(0.4), 0);
  tabs->setSpacing(theme::em(0.2));
  addPages(*tabs);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(theme::em(0.2));
  all->addWidget(words_);
  all->addLayout(tabs);
  all->addWidget(pages_, 1);
  followAll();
}

void TryOut::addPages(QLayout& tabs) {
  const auto add = [this, &tabs](QWidget* page, const char* name, const QString& text, const QString& tip) {
    auto* tab = new QToolButton;
    tab->setObjectName(QLatin1String(name));
    tab->setText(text);
    tab->setToolTip(tip);
    tab->setWhatsThis(tip);
    tab->setCheckable(true);
    tab->setFocusPolicy(Qt::TabFocus);
    tabs_->addButton(tab, pages_->addWidget(page));
    tabs.addWidget(tab);
    page->setAccessibleName(text);
  };
  const auto scrolled = [](QWidget* content, bool keyboard) {
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    if (!keyboard) scroll->setFocusPolicy(Qt::NoFocus);  // its content takes the focus
    return scroll;
  };
  add(scrolled(makeDrawing(), false), "tryDraw", tr("Draw"),
      tr("Draw or drop a picture, and see what the network gives to each class"));
  add(scrolled(batches_, true), "tryBatch", tr("Batch"), tr("What each replica computed with in this step"));
  add(scrolled(mistakes_, false), "tryMissed", tr("Missed"),
      tr("Test images that the network takes for another class"));
  add(scrolled(confusion_, true), "tryMatrix", tr("Matrix"), tr("How often the network takes which class for which"));
  add(scrolled(filters_, true), "tryFilters", tr("Filters"), tr("What the first layer looks for"));
  tabs_->button(0)->setChecked(true);
}

QWidget* TryOut::makeDrawing() {
  auto* draw = new QWidget;
  draw_ = new QBoxLayout(QBoxLayout::LeftToRight, draw);
  auto* column = new QVBoxLayout;
  column->addWidget(pad_, 1);
  auto* wipe = new QPushButton(tr("Clear"));
  wipe->setToolTip(tr("Clears the pad (Delete)"));
  wipe->setFocusPolicy(Qt::TabFocus);
  connect(wipe, &QPushButton::clicked, pad_, &DigitPad::clear);
  auto* open = new QPushButton(tr("Picture…"));
  open->setToolTip(tr("Puts a PNG or JPEG file onto the pad"));
  open->setFocusPolicy(Qt::TabFocus);
  connect(open, &QPushButton::clicked, this, &TryOut::choosePicture);
  auto* buttons = new FlowLayout;
  buttons->setSpacing(theme::em(0.3));
  buttons->addWidget(wipe);
  buttons->addWidget(open);
  column->addLayout(buttons);
  draw_->addLayout(column, 1);
  draw_->addWidget(bars_, 1);
  draw_->setContentsMargins(theme::em(0.4), theme::em(0.4), theme::em(0.4), theme::em(0.4));
  return draw;
}

void TryOut::choosePicture() {
  askForPath(this, this,
             {FileQuestion::Kind::Open, tr("Picture"),
              tr("Pictures") + QStringLiteral(" (*.png *.jpg *.jpeg *.bmp *.gif *.webp)")},
             [this](const QString& path) { openPicture(path); });
}

void TryOut::openPicture(const QString& path) {
  followShape();
  showPage(Page::Draw);
  pad_->openPicture(path);
}

void TryOut::followAll() {
  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &TryOut::refresh);
  connect(&playback_, &Playback::changed, this, &TryOut::schedule);
  connect(&controller_, &RecordSource::started, this, &TryOut::schedule);
  connect(tabs_, &QButtonGroup::idToggled, this, [this](int page, bool on) {
    if (on) pages_->setCurrentIndex(page);
  });
  connect(pages_, &QStackedWidget::currentChanged, this, &TryOut::schedule);
  connect(pad_, &DigitPad::changed, this, [this] {
    drawingChanged_ = true;
    if (pad_->isEmpty()) bars_->show({});
    schedule();
  });
  connect(pad_, &DigitPad::failed, this, [this](const QString& sentence) { words_->setText(sentence); });
  connect(mistakes_, &MistakeGrid::chosen, this, [this](std::int64_t image) {
    if (const RunInfo* info = controller_.info()) putOnPad(info->data->test, image);
  });
  connect(batches_, &BatchGrid::chosen, this, [this](std::int64_t image) {
    if (const RunInfo* info = controller_.info()) putOnPad(info->data->train, image);
  });
}

void TryOut::putOnPad(const Examples& images, std::int64_t image) {
  if (image >= images.count) return;  // an image of the previous run
  followShape();
  pad_->show(images, image);
  showPage(Page::Draw);
}

// Adapts the pad and the bars to the run's images and classes.
void TryOut::followShape() {
  const RunInfo* info = controller_.info();
  if (info == nullptr) return;
  pad_->setShape(info->data->train.shape);
  bars_->setNames(classList(*info->data, info->network->classes()));
}

TryOut::~TryOut() {
  stop_ = true;
}

void TryOut::schedule() {
  if (isVisible() && !timer_.isActive()) timer_.start();
}

void TryOut::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  schedule();
}

void TryOut::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  draw_->setDirection(2 * height() > 3 * width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void TryOut::showPage(Page page) {
  tabs_->button(static_cast<int>(page))->setChecked(true);
}

void TryOut::tryPicture(const QImage& picture) {
  followShape();
  pad_->showPicture(picture);
  showPage(Page::Draw);
}

// Takes the weights that the run's own test step would take, so that both make the same mistakes.
void TryOut::takeWeights(const std::shared_ptr<const StepRecord>& record) {
  if (weightsOf_ == record) return;
  weightsOf_ = record;
  weights_ = {record, &record->weightsAfter};
  const RunInfo& info = *controller_.info();
  const QString step = countText(record->metric.step);
  whose_ = tr("With the weights after step %1, the step on the stage.").arg(step);
  if (!copiesMayDiffer(info, *record)) return;
  auto mean = meanWeights(info, *record, controller_.steps());
  whose_ = mean ? tr("With the mean of all copies after step %1, as in the test step.").arg(step)
                : tr("With the first replica's copy after step %1. The other copies differ from it.").arg(step);
  if (mean) weights_ = std::make_shared<const std::vector<float>>(*std::move(mean));
}

void TryOut::showFilters(const StepRecord& record) {
  Filters filters = filtersOf(*controller_.info()->network, *weights_);
  const QString about =
      filters.count > 0
          ? tr("What the first layer, %1, looks for: its weights after step %2.")
                .arg(filters.layer, countText(record.metric.step))
          : tr("Weights are drawn only where the first layer that has weights sees an image of one or three channels.");
  QStringList words{about};
  if (filters.count > 0 && copiesMayDiffer(*controller_.info(), record)) words << whose_;
  filters_->show(std::move(filters));
  if (filters_->shown() < filters_->count()) words << tr("The first %1 are drawn.").arg(filters_->shown());
  words_->setText(words.join(QLatin1Char(' ')));
}

// Brings the visible page up to date, if it does not show the present record and drawing already.
void TryOut::refresh() {
  if (!isVisible()) return;
  const auto record = playback_.record();
  if (!record || record->weightsAfter.empty() || controller_.info() == nullptr) {
    words_->setText(tr("There are no weights yet: the run is being prepared."));
    return;
  }
  followShape();
  if (background_.busy()) return schedule();
  takeWeights(record);
  words_->setText(whose_);
  switch (static_cast<Page>(pages_->currentIndex())) {
    case Page::Draw:
      if (!pad_->isEmpty() && (drawn_ != record || drawingChanged_)) askAboutDrawing();
      break;
    case Page::Batches: {
      words_->setText(
          tr("The batch of step %1, with the weights before its update.").arg(countText(record->metric.step)));
      if (distributed_ == record) break;
      distributed_ = record;
      const RunInfo& info = *controller_.info();
      const bool workers = !strategyInfo(info.config.strategy).synchronous;
      QStringList names;
      for (int i = 0; i < static_cast<int>(record->replicas.size()); ++i)
        names << (workers || info.isClass ? workerName(info, i) : tr("Replica %1").arg(i));
      batches_->show(info.data, record, names);
      break;
    }
    case Page::Mistakes:
    case Page::Confusion:
      if (tested_ != record) askAboutTestImages();
      break;
    case Page::Filters:
      showFilters(*record);
      break;
  }
}

void TryOut::askAboutDrawing() {
  drawn_ = playback_.record();
  drawingChanged_ = false;
  ++computations_;
  Examples one = pad_->example();
  auto answer = std::make_shared<Classified>();
  background_.run([this, one = std::move(one), record = drawn_, weights = weights_, info = controller_.sharedInfo(),
                   answer] { *answer = classify(one, *weights, statisticsOf(*record), info->config, &stop_); },
                  [this, answer, step = drawn_->metric.step](const QString& failure) {
                    if (!failure.isEmpty()) return words_->setText(failure);
                    answeredStep_ = step;
                    bars_->show(pad_->isEmpty() ? std::vector<float>() : answer->probabilities);
                  });
}

void TryOut::askAboutTestImages() {
  tested_ = playback_.record();
  ++computations_;
  auto answer = std::make_shared<Classified>();
  const auto info = controller_.sharedInfo();
  background_.run(
      [this, record = tested_, weights = weights_, info, answer] {
        *answer = classify(info->data->test, *weights, statisticsOf(*record), info->config, &stop_);
      },
      [this, answer, info](const QString& failure) {
        if (!failure.isEmpty()) return words_->setText(failure);
        mistakes_->show(info->data, *answer);
        confusion_->show(confusionOf(info->data->test, *answer), classList(*info->data, info->network->classes()));
      });
}

int TryOut::answer() const {
  const auto& shown = bars_->shown();
  return shown.empty() ? -1 : static_cast<int>(std::max_element(shown.begin(), shown.end()) - shown.begin());
}

std::pair<std::int64_t, double> TryOut::answered() const {
  const auto& shown = bars_->shown();
  return {answeredStep_, std::accumulate(shown.begin(), shown.end(), 0.0)};
}

std::size_t TryOut::mistakes() const {
  return mistakes_->count();
}
ConfusionCounts TryOut::confusion() const {
  return confusion_->shown();
}
int TryOut::filters() const {
  return filters_->count();
}

}  // namespace lab
