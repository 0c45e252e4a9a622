// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/what_if_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QGraphicsOpacityEffect>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/prediction/reprice.h"
#include "core/prediction/step_timeline.h"
#include "ui/i18n/band_words.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
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
#include "ui/whatif/what_if_prediction.h"

namespace lab {
namespace {

constexpr std::int64_t kCurveDevices = 1024;  // the curve's end; farther if more devices are asked for
constexpr double kOldOpacity = 0.4;

std::int64_t examplesOf(const WhatIf& what) {
  if (std::ssize(what.shards) != what.cluster.devices()) return what.examplesPerDevice * what.cluster.devices();
  return std::reduce(what.shards.begin(), what.shards.end(), std::int64_t{0});
}

// Parameter servers on hosts of their own, beside the workers'.
std::int64_t serversApart(const RunSettings& config) {
  const bool apart = strategyInfo(config.strategy).variables == StrategyInfo::VariablesOn::Servers;
  return apart ? serversOf(config) : 0;
}

bool isOfOneKind(const ClusterSpec& cluster) {
  const std::string& first = cluster.hosts.front().devices.front();
  return cluster.hosts.size() == 1 &&
         std::ranges::all_of(cluster.hosts.front().devices, [&](const std::string& device) { return device == first; });
}

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

}  // namespace

bool WhatIfPanel::isSeen() const {
  return isVisible();
}

WhatIfPanel::~WhatIfPanel() {
  stop_ = true;
}

void WhatIfPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
  if (askTimer_.isActive()) answer();
}

void WhatIfPanel::refresh() {
  follow();
  if (!askTimer_.isActive() && !isPredicting()) return;
  answer();
  if (info_ && isSeen()) show(lab::predict(question()));
}

void WhatIfPanel::follow() {
  if (!isSeen()) return;
  recordTimer_.stop();
  const auto& record = playback_.record();
  const auto info = controller_.sharedInfo();
  waiting_->setVisible(!record || !info);
  if (!record || !info || record == record_.lock()) return;
  record_ = record;
  auto timeline = std::make_shared<Timeline>(timelineOf(*info, *record));
  step_ = anchorOf(*info, *record, *timeline);
  recorded_ = std::move(timeline);
  recordedView_->setTimeline(record->timesKnown ? recorded_ : nullptr);
  if (info != info_) {
    info_ = info;
    takeUp();
  }
  anchor_ = model_->anchor(base_, step_);
  if (!composed_ && asked_.config.strategy != base_.config.strategy) chooseStrategy();
  answer();
}

void WhatIfPanel::takeUp() {
  // The catalogue file may have vanished: then its devices are reported as unknown.
  Catalogue catalogue = Catalogue::builtIn();
  try {
    catalogue = catalogueOf(info_->config);
  } catch (const UserError&) {
  }
  model_ = std::make_shared<const WhatIfModel>(std::move(catalogue), TimingConstants::builtIn());
  editor_->setCatalogue(model_->catalogue());
  picture_->setCatalogue(model_->catalogue());
  base_ = whatIfOf(*info_, model_->catalogue(), &controller_.config());
  reset();
}

void WhatIfPanel::reset() {
  if (!info_) return;  // nothing has been recorded yet to go back to
  asked_ = home_ = base_;
  shards_.clear();
  composed_ = false;
  strategy_->set(base_.config.strategy, base_.config.reducer);
  editor_->setCluster(base_.cluster);
  network_->setRun(base_);
  showDevices();
  examplesPerDevice_ = base_.examplesPerDevice;
  globalBatch_ = info_->config.examplesOfReplicas();
  batch_->setValue(static_cast<double>(examplesPerDevice_), countText(examplesPerDevice_));
  pack_->setValue(static_cast<double>(base_.bytesPerPack));
  for (FactorSlider* slider : {speed_, linkBandwidth_, hostBandwidth_, latency_}) slider->setValue(1);
  jitter_->setValue(0);
  decode_->setValue(0);
  threads_->setValue(base_.inputThreads);
  const QSignalBlocker quiet(prefetch_);
  prefetch_->setChecked(true);
  ask();
}

void WhatIfPanel::ask() {
  isTouched_ = true;
  if (!askTimer_.isActive()) askTimer_.start();
}

void WhatIfPanel::chooseStrategy() {
  if (!info_) return;  // nothing has been recorded yet
  WhatIf from = home_;
  if (!composed_) from.shards = step_.shards;
  const WhatIf now = underStrategy(from, strategy_->strategy(), strategy_->reducer(), model_->catalogue());
  asked_.config = now.config;
  shards_ = now.shards;
  editor_->setCluster(now.cluster);
  examplesPerDevice_ = now.examplesPerDevice;
  globalBatch_ = examplesOf(now);
  showDevices();
  batch_->setValue(static_cast<double>(examplesPerDevice_), countText(examplesPerDevice_));
  ask();
}

void WhatIfPanel::compose() {
  composed_ = true;
  home_ = asked_;
  home_.cluster = editor_->cluster();
  home_.examplesPerDevice = examplesPerDevice_;
  home_.shards = shards_;
}

// The recorded step's own shares, unless another batch is asked for.
std::vector<std::int64_t> WhatIfPanel::sharesAsked() const {
  if (!composed_ && asked_.config.strategy != base_.config.strategy) return shards_;
  const bool same = std::ssize(step_.shards) == asked_.cluster.devices() &&
                    examplesPerDevice_ == base_.examplesPerDevice && strategyInfo(asked_.config.strategy).synchronous;
  return same ? step_.shards : keepsGlobal() ? shards_ : std::vector<std::int64_t>();
}

// The slider of the number of devices: as many hosts as the editor's devices per host require.
void WhatIfPanel::spreadDevices() {
  asked_.cluster = editor_->cluster();
  asked_ = withDevices(asked_, static_cast<std::int64_t>(devices_->value()));
  editor_->setCluster(asked_.cluster);
  keepBatch();
  compose();
  ask();
}

bool WhatIfPanel::keepsGlobal() const {
  return experiment_.hasGlobalBatch() && experiment_.keepsBatch() == BatchKept::Global;
}

// A kept global batch is shared out as the curve and a run share it.
void WhatIfPanel::keepBatch() {
  WhatIf shared = asked_;
  shared.cluster = editor_->cluster();
  shared.shards.clear();
  shards_.clear();
  const std::int64_t devices = shared.cluster.devices();
  if (!keepsGlobal()) {
    globalBatch_ = examplesPerDevice_ * devices;
    return;
  }
  examplesPerDevice_ = 1;
  if (devices > 0 && devices <= globalBatch_) {  // else each trains one example: hasTooFewExamples()
    shareOut(shared, globalBatch_);
    examplesPerDevice_ = shared.examplesPerDevice;
    shards_ = shared.shards;
  }
  batch_->setValue(static_cast<double>(examplesPerDevice_), countText(examplesPerDevice_));
}

// Each device would then train one example, but there are more devices than examples in the batch.
bool WhatIfPanel::hasTooFewExamples() const {
  return keepsGlobal() && asked_.cluster.devices() > globalBatch_;
}

void WhatIfPanel::showKept() {
  if (hasTooFewExamples()) {
    const std::int64_t all = examplesPerDevice_ * asked_.cluster.devices();
    kept_->setText(tr("More devices than examples: strong scaling (global batch fixed) ends at %Ln devices; modelled "
                      "is one example on each, %1 in all.",
                      nullptr, plural(globalBatch_))
                       .arg(countText(all)));
    return;
  }
  const std::int64_t trained = examplesPerDevice_ * asked_.cluster.devices();
  const bool own = strategyInfo(asked_.config.strategy).hosts == StrategyInfo::Hosts::EachWorker;
  if (keepsGlobal() && own && trained < globalBatch_) {
    kept_->setText(tr("Strong scaling: global batch fixed, %Ln examples. Each worker takes a whole share, so %1 are "
                      "trained.",
                      nullptr, plural(globalBatch_))
                       .arg(countText(trained)));
    return;
  }
  kept_->setText(keepsGlobal()
                     ? tr("Strong scaling: global batch fixed, %Ln examples", nullptr, plural(globalBatch_))
                     : tr("Weak scaling: batch per replica fixed, %Ln examples", nullptr, plural(examplesPerDevice_)));
}

// A slider cannot multiply devices of several kinds.
void WhatIfPanel::showDevices() {
  const ClusterSpec cluster = editor_->cluster();
  devices_->setValue(static_cast<double>(cluster.devices()), countText(cluster.devices()));
  devices_->setEnabled(isOfOneKind(cluster));
}

// Reads the question from the controls.
void WhatIfPanel::readControls() {
  asked_.cluster = editor_->cluster();
  asked_.goesOnOverHosts =
      asked_.cluster.devices() > kMostDevicesPerHost && lab::goesOnOverHosts(strategyInfo(asked_.config.strategy));
  network_->apply(asked_);
  asked_.examplesPerDevice = examplesPerDevice_;
  showKept();
  // A slider that was not moved stands for the recorded value, which need not be on its list.
  const auto given = [](const FactorSlider* slider, double base) {
    return slider->isTouched() ? slider->value() : base;
  };
  asked_.bytesPerPack = static_cast<std::int64_t>(given(pack_, static_cast<double>(base_.bytesPerPack)));
  asked_.deviceSpeed = speed_->value();
  asked_.linkBandwidth = linkBandwidth_->value();
  asked_.hostBandwidth = hostBandwidth_->value();
  asked_.latency = latency_->value();
  asked_.jitter = jitter_->value();
  asked_.decodeUs = decode_->value();
  asked_.inputThreads = static_cast<int>(threads_->value());
  asked_.prefetch = prefetch_->isChecked();
  for (QWidget* each : {static_cast<QWidget*>(threads_), static_cast<QWidget*>(prefetch_)})
    each->setEnabled(asked_.decodeUs > 0);
  asked_.shards = sharesAsked();
  asked_.step = asked_.config.strategy == base_.config.strategy ? anchor_.base.step : 0;
}

void WhatIfPanel::answer() {
  askTimer_.stop();
  if (!info_ || !isSeen()) return;
  readControls();
  picture_->setCluster(asked_.cluster, serversApart(asked_.config),
                       {.link = asked_.linkBandwidth, .hostLink = asked_.hostBandwidth, .latency = asked_.latency});
  showStrategyNotes();
  const bool isTouched = std::exchange(isTouched_, false);
  if (!isPredicting()) return predict(question());
  // A new step of the same question waits for the previous answer: otherwise the movie would delay answers forever.
  if (isTouched) stop_ = true;
  next_ = std::make_unique<WhatIfQuestion>(question());
}

WhatIfQuestion WhatIfPanel::question() const {
  const auto devices = static_cast<std::uint64_t>(asked_.cluster.devices());
  return {
      .model = model_,
      .asked = asked_,
      .anchor = anchor_,
      .globalBatch = globalBatch_,
      .keepsGlobal = keepsGlobal() && !hasTooFewExamples(),
      .mostDevices = std::clamp(static_cast<std::int64_t>(std::bit_ceil(devices)), kCurveDevices, kMaxClusterDevices)};
}

void WhatIfPanel::predict(WhatIfQuestion question) {
  stop_ = false;
  oldTimer_.start();
  auto prediction = std::make_shared<WhatIfPrediction>();
  background_.run([this, question = std::move(question),
                   prediction]() mutable { *prediction = lab::predict(std::move(question), &stop_); },
                  [this, prediction](const QString& failure) {
                    if (!failure.isEmpty()) {
                      oldTimer_.stop();
                      editor_->complain(failure);
                    } else if (!stop_) {
                      show(*prediction);
                    }
                    if (next_) predict(std::move(*std::exchange(next_, nullptr)));
                  });
}

// Dimmed, because these figures no longer match the controls.
void WhatIfPanel::showAsOld(bool isOld) {
  oldTimer_.stop();
  if (isOld) modelledTitle_->setText(tr("What if: computing; until then the previous answer is shown"));
  for (QWidget* each :
       {static_cast<QWidget*>(scaling_), static_cast<QWidget*>(modelledView_), static_cast<QWidget*>(breakdown_)}) {
    if (isOld == (each->graphicsEffect() != nullptr)) continue;
    auto* dim = isOld ? new QGraphicsOpacityEffect : nullptr;
    if (dim != nullptr) dim->setOpacity(kOldOpacity);
    each->setGraphicsEffect(dim);
  }
}

void WhatIfPanel::show(const WhatIfPrediction& prediction) {
  showAsOld(false);
  if (prediction.timeline == nullptr) return showImpossible(coreSentence(prediction.failure));
  editor_->complain({});
  showTimeline(prediction);
  showFigures(prediction);
  band_->setText(howFarOff(prediction));
  drawCurves(prediction);
}

void WhatIfPanel::showImpossible(const QString& why) {
  editor_->complain(why);
  modelledTitle_->setText(tr("What if: impossible, see the cluster"));
  modelledView_->setNone(tr("Such a step is impossible: the cluster's fields say why."));
  drawn_->setText(tr("What if"));
  band_->clear();
  scaling_->setPoints({}, 0, {});
  scaling_->setOther({}, {});
  breakdown_->setColumns({});
}

void WhatIfPanel::showTimeline(const WhatIfPrediction& prediction) {
  const std::shared_ptr<const Timeline>& timeline = prediction.timeline;
  modelledView_->setTimeline(timeline);
  const auto drawn = std::ranges::count_if(timeline->legend.tracks, [](const auto& track) { return !track.isLink; });
  drawn_->setText(
      drawn < prediction.replicas
          ? tr("What if: %1 of %Ln devices drawn", nullptr, plural(prediction.replicas)).arg(countText(drawn))
          : tr("What if"));
  // One time scale, from each step's beginning.
  const double longest = static_cast<double>(std::max(timeline->endNs, recorded_->endNs - recorded_->beginNs));
  modelledView_->setScale(modelledView_->axis().scale().fitted(0, longest));
  const auto begin = static_cast<double>(recorded_->beginNs);
  recordedView_->setScale(recordedView_->axis().scale().fitted(begin, begin + longest));
}

// Published steps are from real hardware only.
QString WhatIfPanel::howFarOff(const WhatIfPrediction& prediction) const {
  if (info_->isClass)
    return tr("A class's computers and links are its own: the model uses as many from the catalogue in their place.");
  QString text;
  if (const Message standIn = whyStandIn(*info_, model_->catalogue()); !standIn.empty())
    text += coreSentence(standIn) + QLatin1Char(' ');
  const DeviceMemory& memory = prediction.memory;
  if (!memory.fits())
    return text + tr("This does not fit: %1 (%2) needs %3 or more and has %4, which first runs out in "
                     "\u201C%5\u201D. Take a smaller batch.")
                      .arg(coreText(memory.endpoint), QString::fromStdString(memory.device),
                           bytesText(sumOf(memory.most)), bytesText(std::llround(memory.deviceBytes)),
                           coreText(memory.firstTooMuchIn));
  for (const Message& why : prediction.asFloat32) text += coreSentence(why) + QLatin1Char(' ');
  if (!prediction.extrapolated.empty()) return text + coreSentence(prediction.extrapolated);
  return text + tr("Modelled: %1").arg(bandText(prediction.bound));
}

void WhatIfPanel::drawCurves(const WhatIfPrediction& prediction) {
  const WhatIfQuestion& question = prediction.question;
  const ClusterSpec& cluster = question.asked.cluster;
  const std::vector<ScalingView::Point>& strong = question.keepsGlobal ? prediction.curve : prediction.other;
  // Whole shares of a parameter server's workers may be fewer examples.
  const bool same = std::ranges::all_of(strong, [&](const ScalingView::Point& point) {
    return point.examplesPerDevice * point.devices >= question.globalBatch;
  });
  const int all = plural(question.globalBatch);
  const QString shared = same ? tr("Modelled: %Ln examples over all devices", nullptr, all)
                              : tr("Modelled: up to %Ln examples over all devices", nullptr, all),
                each = tr("Modelled: %Ln examples on each device", nullptr, plural(question.asked.examplesPerDevice));
  QString heading = question.keepsGlobal ? shared : each;
  if (const QString under = otherStrategy(); !under.isEmpty()) heading = QStringLiteral("%1 · %2").arg(heading, under);
  // The curve assumes equal devices.
  const bool alike = isOfOneKind(cluster);
  if (!alike)
    heading = tr("%1 · only %2").arg(heading, QString::fromStdString(cluster.hosts.front().devices.front()).toUpper());
  if (question.asked.jitter > 0) heading += tr(" · one draw of the stragglers");
  scaling_->setPoints(prediction.curve, alike ? cluster.devices() : 0, heading);
  scaling_->setOther(prediction.other, question.keepsGlobal ? each : shared);
}

// "Central Storage", "Mirrored, tree"; "" if both are as recorded.
QString WhatIfPanel::otherStrategy() const {
  const RunSettings &now = asked_.config, &then = base_.config;
  if (now.strategy == then.strategy && now.reducer == then.reducer) return {};
  const QString name = strategyShortName(strategyInfo(now.strategy));
  if (now.reducer == Reducer::Auto) return name;
  return QStringLiteral("%1, %2").arg(name, settingText(configField("reducer"), std::string(toString(now.reducer))));
}

void WhatIfPanel::showStrategyNotes() {
  QStringList sentences;
  for (const Message& note : repricingNotes(asked_, anchor_, model_->catalogue())) sentences << coreSentence(note);
  strategy_->setNotes(sentences.join(QLatin1Char(' ')));
}

void WhatIfPanel::showFigures(const WhatIfPrediction& prediction) {
  const WhatIfAnswer& answer = prediction.answer;
  const auto duration = [](std::int64_t ns) { return durationText(ns); };
  const bool measured = recorded_->clock == TimeSource::Measured;
  QString recorded = (measured ? tr("Recorded: step %1, measured, %2") : tr("Recorded: step %1, modelled, %2"))
                         .arg(countText(playback_.step()), duration(step_.stepNs));
  if (info_ && playback_.record()) recorded = withRemainder(recorded, *info_, playback_.record()->metric);
  // A worker's cycles differ, and a real device differs from the catalogue's.
  if (step_.stepNs != anchor_.modelNs) recorded += tr(" · %1 × the model's").arg(ratioText(anchor_.gap()));
  recordedTitle_->setText(recorded);
  const QString figures = QStringLiteral("%1 (×%2)").arg(duration(answer.stepNs), ratioText(answer.ratio));
  const QString under = otherStrategy();
  QString modelled = under.isEmpty() ? tr("What if: modelled, %1").arg(figures)
                                     : tr("What if under %1: modelled, %2").arg(under, figures);
  if (!prediction.extrapolated.empty())
    modelled += tr(" · extrapolated");
  else if (answer.less > 0 || answer.more > 0)
    modelled += tr(" −%1/+%2 %").arg(numberText(100 * answer.less, 'f', 0), numberText(100 * answer.more, 'f', 0));
  if (prediction.question.asked.jitter > 0) modelled += tr(" · one draw of the stragglers");
  if (!answer.anchored && (measured || prediction.question.asked.model != base_.model))
    modelled += tr(" · only from the catalogue");
  modelledTitle_->setText(modelled);
  const bool timed = !step_.breakdowns.empty();
  modelledTitle_->setToolTip(
      !timed ? tr("The recording does not say how long the parts of its step took, so the model cannot be fitted to "
                  "them: the answer is the model's alone.")
      : measured
          ? tr("The recorded step took %1 times as long as the model says for its own settings. It is not known "
               "whether that also holds for the changed settings: the band covers the answer with and without this "
               "factor.")
                .arg(ratioText(anchor_.gap()))
          : tr("The same model times simulated devices: with nothing changed, the modelled step is the recorded one."));
  std::vector<BreakdownTable::Column> columns{{tr("what if"), -1, prediction.mean}};
  if (timed)
    columns.insert(columns.begin(), {measured ? tr("measured") : tr("recorded"), -1, meanBreakdown(step_.breakdowns)});
  breakdown_->setColumns(columns, !strategyInfo(prediction.question.asked.config.strategy).synchronous);
  fitBreakdown();
}

// The layout of the what-if panel's widgets.

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
    if (!why.isEmpty()) bringIntoView(*complaint);
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
