// SPDX-License-Identifier: GPL-3.0-or-later
// The predictions from the settings. The widgets are laid out in what_if_layout.cpp.
#include "ui/whatif/what_if_panel.h"

#include <QCheckBox>
#include <QGraphicsOpacityEffect>
#include <QLabel>

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
  modelledView_->setTimeline(nullptr);
  drawn_->setText(tr("What if"));
  band_->clear();
  scaling_->setPoints({}, 0, {});
  scaling_->setOther({}, {});
  breakdown_->setColumns({});
}

void WhatIfPanel::showTimeline(const WhatIfPrediction& prediction) {
  const std::shared_ptr<const Timeline>& timeline = prediction.timeline;
  modelledView_->setTimeline(timeline);
  const auto drawn = std::ranges::count_if(timeline->legend.lanes, [](const auto& lane) { return !lane.isLink; });
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

}  // namespace lab
