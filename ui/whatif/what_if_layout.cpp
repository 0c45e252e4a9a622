// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the what-if panel's widgets.
#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/trace/breakdown_table.h"
#include "ui/trace/trace_view.h"
#include "ui/whatif/cluster_editor.h"
#include "ui/whatif/cluster_picture.h"
#include "ui/whatif/factor_slider.h"
#include "ui/whatif/network_choice.h"
#include "ui/whatif/scaling_view.h"
#include "ui/whatif/strategy_choice.h"
#include "ui/whatif/what_if_panel.h"
#include "ui/whatif/what_if_prediction.h"

namespace lab {
namespace {

constexpr double kControls = 23, kTrace = 12;  // least widths, in text sizes
constexpr double kPictures = 13;
constexpr double kHeights[] = {20, 22, 34};  // of the three parts, one above the other
constexpr double kLeastHeight = 16, kHead = 2.4, kHeadAcross = 45;
constexpr int kMostControls = 420;  // pixels
constexpr int kOldMs = 100;         // a shorter wait is not noticed
constexpr int kRecordMs = 400;      // shortest time between two steps while the movie runs

FactorSlider* powersOfTwo(const char* objectName, const QString& name, const QString& tip, int most) {
  std::vector<double> values;
  QStringList words;
  for (int i = 0; i <= most; ++i) {
    values.push_back(static_cast<double>(std::int64_t{1} << i));
    words << countText(std::int64_t{1} << i);
  }
  return new FactorSlider(objectName, name, tip, std::move(values), std::move(words));
}

FactorSlider* packSlider() {
  std::vector<double> values{0};
  QStringList words{QObject::tr("one pack")};
  for (std::int64_t bytes = 32 << 10; bytes <= std::int64_t{64} << 20; bytes *= 2) {
    values.push_back(static_cast<double>(bytes));
    words << bytesText(bytes);
  }
  return new FactorSlider(
      "whatIfPack", QObject::tr("Pack size"),
      QObject::tr("Gradients are sent as soon as this many bytes are ready, while the backward pass continues."),
      std::move(values), std::move(words));
}

FactorSlider* jitterSlider() {
  std::vector<double> values;
  QStringList words;
  for (int i = 0; i <= 20; ++i) {
    values.push_back(i * 0.02);
    words << numberText(i * 0.02, 'f', 2);
  }
  return new FactorSlider("whatIfJitter", QObject::tr("Stragglers"),
                          QObject::tr("How much the computing time varies from replica to replica (shape of a "
                                      "log-normal distribution): 0.01 is usual for dedicated GPUs."),
                          std::move(values), std::move(words));
}

// A thread decodes some hundred of ImageNet's JPEGs per second, and almost any number of MNIST's raw images.
FactorSlider* decodeSlider() {
  std::vector<double> values{0};
  QStringList words{QObject::tr("none")};
  for (int us = 1; us <= 1 << 15; us *= 2) {
    values.push_back(us);
    words << durationText(std::int64_t{us} * 1000);
  }
  return new FactorSlider("whatIfDecode", QObject::tr("Decoding"),
                          QObject::tr("How long one thread of a host takes to read and decode an example. Each example "
                                      "is then copied to its device, one byte per element."),
                          std::move(values), std::move(words));
}

QLabel* heading(const QString& text) {
  return makeLabel({.text = text, .role = "strong"});
}

// Once its place is known, that is, after the layout.
void bringIntoView(QWidget& widget) {
  for (QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(&widget, 0, theme::em(0.5));
}

}  // namespace

WhatIfPanel::WhatIfPanel(RunController& controller, Playback& playback, Experiment& experiment, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      playback_(playback),
      experiment_(experiment),
      model_(std::make_shared<const WhatIfModel>(Catalogue::builtIn(), TimingConstants::builtIn())) {
  setProperty("role", QStringLiteral("panel"));
  recordTimer_.setSingleShot(true);
  recordTimer_.setInterval(kRecordMs);
  askTimer_.setSingleShot(true);
  askTimer_.setInterval(0);
  oldTimer_.setSingleShot(true);
  oldTimer_.setInterval(kOldMs);
  QWidget* head = createHead();
  split_ = new QSplitter(Qt::Horizontal);
  split_->setChildrenCollapsible(false);
  split_->addWidget(createControls());
  split_->addWidget(createPictures());
  split_->addWidget(createTraces());
  for (int i = 0; i < 3; ++i) split_->setStretchFactor(i, i);
  theme::follow(split_, [this] {
    setSizes();
    for (TraceView* view : {recordedView_, modelledView_}) view->setMinimumWidth(theme::em(kTrace));
    fitBreakdown();
  });
  auto* row = new QVBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(head);
  row->addWidget(split_, 1);

  connect(&askTimer_, &QTimer::timeout, this, &WhatIfPanel::answer);
  connect(&oldTimer_, &QTimer::timeout, this, [this] { showAsOld(true); });
  connect(&experiment_, &Experiment::changed, this, &WhatIfPanel::ask);  // the kept batch may have changed
  connect(&recordTimer_, &QTimer::timeout, this, &WhatIfPanel::follow);
  connect(&playback_, &Playback::changed, this, [this] {
    if (!isSeen() || playback_.record() == record_.lock()) return;
    if (!recorded_) return follow();  // the first record is shown at once
    if (!recordTimer_.isActive()) recordTimer_.start();
  });
  // The two traces show the same range, each from its step's beginning.
  const auto together = [this](TraceView* from, TraceView* to) {
    connect(from, &TraceView::scaleChanged, this, [from, to] {
      if (from->timeline() == nullptr || to->timeline() == nullptr) return;
      const double by = static_cast<double>(to->timeline()->beginNs - from->timeline()->beginNs);
      to->setScale(from->axis().scale().moved(by));
    });
  };
  together(recordedView_, modelledView_);
  together(modelledView_, recordedView_);
}

// The result stands above everything that may have to scroll.
QWidget* WhatIfPanel::createHead() {
  auto* content = new QWidget;
  content->setProperty("role", QStringLiteral("panel"));
  head_ = new QBoxLayout(QBoxLayout::LeftToRight, content);
  theme::follow(content, [this] {
    head_->setContentsMargins(theme::em(0.8), theme::em(0.2), theme::em(0.5), theme::em(0.2));
    head_->setSpacing(theme::em(0.8));
  });
  recordedTitle_ = heading({});
  recordedTitle_->setObjectName(QStringLiteral("whatIfRecorded"));
  modelledTitle_ = heading({});
  modelledTitle_->setObjectName(QStringLiteral("whatIfModelled"));
  recordedTitle_->setToolTip(tr("What the run's own clock says"));
  modelledTitle_->setToolTip(tr("What the timing model says, and how many times as long as the recorded step that is"));
  for (QLabel* title : {recordedTitle_, modelledTitle_}) {
    title->setWordWrap(true);
    head_->addWidget(title, 1);
  }
  auto* back = new QToolButton;
  back->setObjectName(QStringLiteral("whatIfReset"));
  back->setText(tr("As recorded"));
  back->setToolTip(tr("Back to all values of the recorded step"));
  back->setAccessibleName(back->text());
  back->setProperty("framed", true);
  connect(back, &QToolButton::clicked, this, &WhatIfPanel::reset);
  head_->addWidget(back);
  return content;
}

QWidget* WhatIfPanel::createControls() {
  auto* content = new QWidget;
  content->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(theme::em(0.8), theme::em(0.5), theme::em(0.8), theme::em(0.5));
  column->setSpacing(theme::em(0.4));
  strategy_ = new StrategyChoice;
  column->addWidget(strategy_);
  connect(strategy_, &StrategyChoice::chosen, this, &WhatIfPanel::chooseStrategy);
  addSliders(*column);
  addCluster(*column);
  column->addStretch(1);

  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  theme::follow(scroll, [scroll] { scroll->setMinimumWidth(std::min(theme::em(kControls), kMostControls)); });
  return scroll;
}

void WhatIfPanel::addSliders(QVBoxLayout& column) {
  devices_ = powersOfTwo("whatIfDevices", tr("Devices"), tr("All of them train; hosts are added as needed."), 16);
  batch_ = powersOfTwo("whatIfBatch", tr("Batch/replica"), tr("Examples on each device in a step."), 14);
  speed_ = FactorSlider::ofFactor("whatIfSpeed", tr("Device speed"),
                                  tr("Speed of arithmetic and memory, not of kernel launches."));
  linkBandwidth_ =
      FactorSlider::ofFactor("whatIfLink", tr("Link speed"), tr("Bandwidth of the link between devices of a host."));
  hostBandwidth_ =
      FactorSlider::ofFactor("whatIfHostLink", tr("Host link speed"), tr("Bandwidth of the link between hosts."));
  latency_ = FactorSlider::ofFactor("whatIfLatency", tr("Latency"),
                                    tr("Latency of every link and of the collectives' library."));
  pack_ = packSlider();
  jitter_ = jitterSlider();
  decode_ = decodeSlider();
  threads_ =
      powersOfTwo("whatIfThreads", tr("Input threads"), tr("Threads of each host, which decode side by side."), 8);
  for (FactorSlider* slider :
       {devices_, batch_, speed_, linkBandwidth_, hostBandwidth_, latency_, pack_, jitter_, decode_, threads_})
    column.addWidget(slider);
  connect(devices_, &FactorSlider::moved, this, &WhatIfPanel::spreadDevices);
  connect(batch_, &FactorSlider::moved, this, [this] {
    examplesPerDevice_ = static_cast<std::int64_t>(batch_->value());
    globalBatch_ = examplesPerDevice_ * editor_->cluster().devices();
    shards_.clear();
    compose();
  });
  for (FactorSlider* slider :
       {batch_, speed_, linkBandwidth_, hostBandwidth_, latency_, pack_, jitter_, decode_, threads_})
    connect(slider, &FactorSlider::moved, this, &WhatIfPanel::ask);

  prefetch_ = new QCheckBox(tr("Prefetch the next batch"));
  prefetch_->setObjectName(QStringLiteral("whatIfPrefetch"));
  prefetch_->setChecked(true);
  prefetch_->setToolTip(
      tr("The input pipeline makes the next batch while the present step trains, so a step waits only for what takes "
         "longer. Otherwise it waits for the whole batch."));
  connect(prefetch_, &QCheckBox::toggled, this, &WhatIfPanel::ask);
  column.addWidget(prefetch_);

  kept_ = makeLabel({.name = "whatIfKept", .wraps = true});
  kept_->setToolTip(
      tr("Keep batch in the toolbar decides. Strong scaling: global batch fixed. Weak scaling: batch per replica "
         "fixed. The curve shows both; the chosen one is bold."));
  column.addWidget(kept_);
}

void WhatIfPanel::addCluster(QVBoxLayout& column) {
  column.addSpacing(theme::em(0.4));
  column.addWidget(heading(tr("Cluster")));
  editor_ = new ClusterEditor(model_->catalogue());
  column.addWidget(editor_);
  connect(editor_, &ClusterEditor::changed, this, [this] {
    showDevices();
    keepBatch();
    compose();
    ask();
  });
  network_ = new NetworkChoice;
  network_->setObjectName(QStringLiteral("whatIfNetwork"));
  connect(network_, &NetworkChoice::chosen, this, &WhatIfPanel::ask);
  column.addWidget(heading(tr("Network")));
  column.addWidget(network_);
  auto* complaint = makeLabel({.name = "whatIfNetworkComplaint", .wraps = true});
  complaint->setProperty("role", QStringLiteral("error"));
  complaint->hide();
  connect(network_, &NetworkChoice::complained, complaint, [complaint](const QString& why) {
    complaint->setText(why);
    complaint->setVisible(!why.isEmpty());
    if (!why.isEmpty()) QTimer::singleShot(0, complaint, [complaint] { bringIntoView(*complaint); });
  });
  column.addWidget(complaint);
}

QWidget* WhatIfPanel::createPictures() {
  auto* content = new QWidget;
  pictures_ = new QBoxLayout(QBoxLayout::TopToBottom, content);
  pictures_->setContentsMargins(0, 0, 0, 0);
  pictures_->setSpacing(1);
  picture_ = new ClusterPicture(model_->catalogue());
  scaling_ = new ScalingView;
  pictures_->addWidget(picture_, 2);
  pictures_->addWidget(scaling_, 3);
  connect(scaling_, &ScalingView::leastHeightChanged, this, &WhatIfPanel::fitHeight);
  return content;
}

void WhatIfPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

// In a low window the curve stands beside the cluster, so that both are visible, but only if nothing has to scroll
// sideways for that. The room does not depend on the arrangement, or the two could change each other for ever: the
// panel grows with its parts, and a bar as needed comes and goes with them.
void WhatIfPanel::arrange() {
  const QSize room = visibleRoom(*this) - QSize(style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this), 0);
  const int controls = std::min(theme::em(kControls), kMostControls), breakdown = breakdown_->minimumWidth();
  const int left = room.width() - controls - theme::em(kTrace + 1.5) - breakdown;
  const bool low = room.height() < theme::em(22);
  // In a dock at the side, all parts stand one above the other.
  const bool narrow = room.width() < controls + theme::em(kPictures + 2) + std::max(theme::em(kTrace), breakdown);
  if (const auto wanted = narrow ? Qt::Vertical : Qt::Horizontal; split_->orientation() != wanted) {
    split_->setOrientation(wanted);
    setSizes();
  }
  head_->setDirection(room.width() < theme::em(kHeadAcross) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  pictures_->setDirection(low && left >= theme::em(23.5) ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  traces_->setDirection(left >= theme::em(13.5) ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  fitHeight();
}

// With less height there would be no room for the curve; if more is needed, the panel scrolls.
void WhatIfPanel::fitHeight() {
  const bool beside = pictures_->direction() == QBoxLayout::LeftToRight;
  const int picture = picture_->minimumHeight(), curve = scaling_->minimumHeight();
  const int pictures = beside ? std::max(picture, curve) : picture + curve + pictures_->spacing();
  const bool narrow = split_->orientation() == Qt::Vertical;
  const int head = theme::em(head_->direction() == QBoxLayout::TopToBottom ? 3 * kHead : kHead);
  setMinimumHeight(head + (narrow ? theme::em(kHeights[0] + kHeights[2]) + std::max(theme::em(kHeights[1]), pictures)
                                  : std::max(theme::em(kLeastHeight), pictures)));
}

void WhatIfPanel::setSizes() {
  const bool narrow = split_->orientation() == Qt::Vertical;
  if (narrow)
    split_->setSizes({theme::em(kHeights[0]), theme::em(kHeights[1]), theme::em(kHeights[2])});
  else
    split_->setSizes({theme::em(23), theme::em(26), theme::em(50)});
  fitHeight();
}

void WhatIfPanel::fitBreakdown() {
  for (QWidget* each : {static_cast<QWidget*>(breakdown_), static_cast<QWidget*>(band_)})
    each->setFixedWidth(
        std::max(theme::em(18), breakdown_->wholeWidth() + breakdown_->verticalScrollBar()->sizeHint().width()));
  arrange();
}

QWidget* WhatIfPanel::createTraces() {
  auto* content = new QWidget;
  content->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout;
  column->setContentsMargins(theme::em(0.5), theme::em(0.3), theme::em(0.3), 0);
  column->setSpacing(theme::em(0.2));
  waiting_ =
      new QLabel(tr("Play a step first: this then shows how long the recorded step would take on other hardware."));
  waiting_->setWordWrap(true);
  recordedView_ = new TraceView;
  recordedView_->setObjectName(QStringLiteral("recordedTrace"));
  modelledView_ = new TraceView(recordedView_);
  modelledView_->setObjectName(QStringLiteral("modelledTrace"));
  column->addWidget(waiting_);
  column->addWidget(heading(tr("Recorded")));
  column->addWidget(recordedView_, 1);
  drawn_ = heading(tr("What if"));
  drawn_->setObjectName(QStringLiteral("whatIfDrawn"));
  drawn_->setWordWrap(true);
  column->addWidget(drawn_);
  column->addWidget(modelledView_, 1);
  breakdown_ = new BreakdownTable;
  breakdown_->setObjectName(QStringLiteral("whatIfBreakdown"));
  breakdown_->setColumnHidden(0, true);
  breakdown_->setToolTip(tr("A replica's mean step"));
  traces_ = new QBoxLayout(QBoxLayout::LeftToRight, content);
  traces_->setContentsMargins(0, 0, 0, 0);
  traces_->addLayout(column, 1);
  band_ = makeLabel({.name = "whatIfBand", .wraps = true});  // how far off predictions of published steps were
  auto* figures = new QVBoxLayout;
  figures->setSpacing(theme::em(0.2));
  figures->addWidget(band_);
  figures->addWidget(breakdown_, 1);
  traces_->addLayout(figures);
  return content;
}

}  // namespace lab
