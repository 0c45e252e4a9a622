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

#include "core/model/layout.h"
#include "ui/look/flow_layout.h"
#include "ui/look/theme.h"
#include "ui/playback/playback.h"
#include "ui/tryout/batch_grid.h"
#include "ui/tryout/digit_pad.h"
#include "ui/tryout/pages.h"
#include "ui/watch/run_controller.h"
#include "ui/words/words.h"

namespace lab {
namespace {

constexpr int kIntervalMs = 200;

}  // namespace

TryOut::TryOut(RunController& controller, Playback& playback, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback) {
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  words_ = new QLabel;
  words_->setObjectName(QStringLiteral("tryWords"));
  words_->setProperty("role", QStringLiteral("quiet"));
  words_->setWordWrap(true);
  words_->setContentsMargins(theme::em(0.6), theme::em(0.3), theme::em(0.6), 0);
  pad_ = new DigitPad;
  bars_ = new ProbabilityBars;
  batches_ = new BatchGrid;
  mistakes_ = new MistakeGrid;
  confusion_ = new ConfusionTable;
  filters_ = new FilterGrid;
  pages_ = new QStackedWidget;
  tabs_ = new QButtonGroup(this);
  auto* tabs = new FlowLayout;  // in a narrow dock not all of them stand in one row
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
    if (!keyboard) scroll->setFocusPolicy(Qt::NoFocus);  // what is in it has it
    return scroll;
  };
  add(scrolled(makeDrawing(), false), "tryDraw", tr("Draw"),
      tr("Draw a digit, and see what the network gives to each class"));
  add(scrolled(batches_, true), "tryBatch", tr("Batch"), tr("What each replica computed with in this step"));
  add(scrolled(mistakes_, false), "tryMissed", tr("Missed"), tr("The test images that are taken for others"));
  add(scrolled(confusion_, true), "tryMatrix", tr("Matrix"), tr("Which digit is taken for which, how often"));
  add(scrolled(filters_, true), "tryFilters", tr("Filters"), tr("The 32 filters of the first layer"));
  tabs_->button(0)->setChecked(true);
}

QWidget* TryOut::makeDrawing() {
  auto* draw = new QWidget;
  draw_ = new QBoxLayout(QBoxLayout::LeftToRight, draw);
  auto* column = new QVBoxLayout;
  column->addWidget(pad_, 1);
  auto* wipe = new QPushButton(tr("Wipe off"));
  wipe->setToolTip(tr("An empty pad again (Delete)"));
  wipe->setFocusPolicy(Qt::TabFocus);
  connect(wipe, &QPushButton::clicked, pad_, &DigitPad::clear);
  column->addWidget(wipe);
  draw_->addLayout(column, 1);
  draw_->addWidget(bars_, 1);
  draw_->setContentsMargins(theme::em(0.4), theme::em(0.4), theme::em(0.4), theme::em(0.4));
  return draw;
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
  connect(mistakes_, &MistakeGrid::chosen, this, [this](std::int64_t image) {
    if (const RunInfo* info = controller_.info()) putOnPad(info->data->test, image);
  });
  connect(batches_, &BatchGrid::chosen, this, [this](std::int64_t image) {
    if (const RunInfo* info = controller_.info()) putOnPad(info->data->train, image);
  });
}

void TryOut::putOnPad(const Examples& images, std::int64_t image) {
  DigitImage digit;
  // Of the run before; or in colour, and the pad is grey.
  if (image >= images.count || images.imageSize() != std::ssize(digit)) return;
  std::copy_n(images.image(image), digit.size(), digit.begin());
  pad_->show(digit);
  showPage(Page::Draw);
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
  pad_->showPicture(picture);
  showPage(Page::Draw);
}

// Of a first convolution with windows of 3×3 on grey images; others are not drawn, and it says so.
void TryOut::showFilters(const StepRecord& record) {
  const NeuralNetwork& network = *controller_.info()->network;
  const Variable& kernel = network.layout().variables().front();
  const bool drawn = kernel.shape.size() == 4 && kernel.shape[0] == 3 && kernel.shape[1] == 3 && kernel.shape[2] == 1;
  const auto begin = record.weightsAfter.begin() + kernel.offset;
  filters_->show(drawn ? std::vector<float>(begin, begin + kernel.size) : std::vector<float>());
  if (!drawn) words_->setText(tr("Filters are drawn where the first layer has some of 3×3 on grey images."));
}

// What the page that is seen stands for, if it is not what it shows already.
void TryOut::refresh() {
  if (!isVisible()) return;
  const auto record = playback_.record();
  if (!record || record->weightsAfter.empty() || controller_.info() == nullptr) {
    words_->setText(tr("There are no weights yet: the run is being prepared."));
    return;
  }
  if (background_.busy()) return schedule();
  words_->setText(tr("With the weights after step %1, the step on the stage.").arg(countText(record->metric.step)));
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
        names << (workers ? tr("Worker %1") : tr("Replica %1")).arg(i);
      batches_->show(info.data, record, names);
      break;
    }
    case Page::Mistakes:
    case Page::Confusion:
      if (tested_ != record) askAboutTestImages();
      break;
    case Page::Filters:
      if (filtered_ == record) break;
      filtered_ = record;
      showFilters(*record);
      break;
  }
}

namespace {

Examples onColour(const Examples& grey) {
  constexpr std::int64_t kColourSide = 32, kColourEdge = 2;
  Examples colour;
  colour.count = 1;
  colour.labels = grey.labels;
  colour.shape = {kColourSide, kColourSide, 3};
  colour.pixels.resize(static_cast<std::size_t>(colour.imageSize()));
  for (std::int64_t y = 0; y < grey.shape[0]; ++y)
    for (std::int64_t x = 0; x < grey.shape[1]; ++x)
      std::fill_n(colour.pixels.begin() + ((y + kColourEdge) * kColourSide + x + kColourEdge) * 3, 3,
                  grey.pixels[static_cast<std::size_t>(y * grey.shape[1] + x)]);
  return colour;
}

}  // namespace

void TryOut::askAboutDrawing() {
  drawn_ = playback_.record();
  drawingChanged_ = false;
  ++computations_;
  Examples one;
  one.count = 1;
  const DigitImage digit = pad_->digit();
  one.pixels.assign(digit.begin(), digit.end());
  one.labels = {0};
  // For a network of colour images it is drawn in white on black, in the middle.
  if (controller_.info()->data->train.shape[2] == 3) one = onColour(one);
  auto answer = std::make_shared<Classified>();
  background_.run([this, one = std::move(one), record = drawn_, info = controller_.sharedInfo(),
                   answer] { *answer = classify(one, record->weightsAfter, info->config, &stop_); },
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
  background_.run([this, record = tested_, info,
                   answer] { *answer = classify(info->data->test, record->weightsAfter, info->config, &stop_); },
                  [this, answer, info](const QString& failure) {
                    if (!failure.isEmpty()) return words_->setText(failure);
                    mistakes_->show(info->data, *answer);
                    confusion_->show(confusionOf(info->data->test, *answer));
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
