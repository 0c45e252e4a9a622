// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/branches/branches.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/classruns/class_branch.h"
#include "core/experiments/comparison.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/training/branches.h"
#include "ui/branches/difference_cause.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/aggregation.h"

namespace lab {
namespace {

using Of = BranchOffer::Of;

// The value that is changed, and its present value if the record has it.
struct EditPlace {
  RunEdit edit;
  std::optional<float> was;
};

std::int64_t largestIn(std::span<const float> values) {
  const auto less = [](float a, float b) { return std::abs(a) < std::abs(b); };
  return std::ranges::max_element(values, less) - values.begin();
}

// For an asynchronous worker the record holds a computation that can no longer be changed: the edit applies to the next
// one.
std::optional<EditPlace> placeOf(const Lane& lane, const Object& object) {
  const StepRecord& record = *lane.playback().record();
  const RunInfo& info = *lane.controller().info();
  const bool synchronous = strategyInfo(info.config.strategy).synchronous;
  const auto replica = static_cast<std::size_t>(object.endpoint);
  if (replica >= record.replicas.size()) return std::nullopt;
  EditPlace place;
  place.edit.step = record.metric.step;
  place.edit.replica = object.endpoint;
  std::span<const float> values = record.weightsBefore;
  if (object.kind == Object::Kind::Gradient) {
    place.edit.what = RunEdit::What::Gradient;
    if (!record.replicas[replica].gradients.empty()) values = record.replicas[replica].gradients;
  }
  std::int64_t offset = 0;
  if (object.kind == Object::Kind::Gradient && object.index >= 0) {
    const std::vector<GradientCell> cells = Aggregation(info.legend, record).cells();
    if (object.index < std::ssize(cells)) {
      const GradientCell& cell = at(cells, object.index);
      offset = cell.offset;
      values = values.subspan(static_cast<std::size_t>(cell.offset), static_cast<std::size_t>(cell.count));
    }
  }
  if (values.empty()) return std::nullopt;
  const std::int64_t within = largestIn(values);
  place.edit.index = offset + within;
  const bool shown =
      object.kind == Object::Kind::Weights ? !record.averagesWeights() : !record.replicas[replica].gradients.empty();
  if (synchronous && shown) place.was = at(values, within);
  return place;
}

LaneSpec wishOf(const Lane& lane, const QString& parent, RunSettings config, std::optional<RunEdit> edit) {
  const RunController& run = lane.controller();
  const std::int64_t step = lane.playback().record()->metric.step;
  LaneSpec wish;
  wish.kept = withoutOutputs(config);
  wish.from = branchOf(run, {parent.toStdString(), parentSettings(run), step, edit});
  return wish;
}

// `change`: applied to the settings. If the core rejects the result, its reason becomes the offer's refusal.
template <typename Change>
BranchOffer offerOf(const Lane& lane, const QString& parent, Of of, const QString& words, Change change,
                    std::optional<RunEdit> edit = {}) {
  const RunController& run = lane.controller();
  BranchOffer offer;
  offer.of = of;
  offer.words = words;
  try {
    RunSettings config = run.info()->isClass ? parentSettings(run) : withoutOutputs(run.config());
    change(config);
    offer.wish = wishOf(lane, parent, std::move(config), edit);
    checkLineage(offer.wish.from.origin.lineage, resolve(*offer.wish.kept));
  } catch (const UserError& error) {
    offer.refusal = coreSentence(error);
  }
  return offer;
}

QString ownName(const Lane& lane, const QString& change) {
  return QStringLiteral("%1, %2").arg(lane.name(), change);
}

QString arrow(const QString& was, const QString& is) {
  return was + QStringLiteral(" → ") + is;
}

QString valueText(float value) {
  // 9 digits distinguish any two floats.
  return numberText(static_cast<double>(value), 'g', 9).replace(QLatin1Char('-'), QChar(0x2212));
}

void offerRates(std::vector<BranchOffer>& offers, const Lane& lane, const QString& parent) {
  const ConfigField& rate = configField("learning-rate");
  const std::string was = rate.get(lane.controller().info()->config);
  for (const double factor : {0.1, 0.5, 2.0, 10.0}) {
    const std::string is = QString::number(QString::fromStdString(was).toDouble() * factor, 'g', 6).toStdString();
    const QString now = settingText(rate, is);
    offers.push_back(offerOf(lane, parent, Of::LearningRate,
                             QStringLiteral("%1 %2").arg(settingCaption(rate), arrow(settingText(rate, was), now)),
                             [&](RunSettings& config) { rate.set(config, is); }));
    offers.back().wish.name = ownName(lane, QStringLiteral("%1 %2").arg(settingName(rate), now));
  }
}

void offerReducers(std::vector<BranchOffer>& offers, const Lane& lane, const QString& parent) {
  const ConfigField& reducer = configField("reducer");
  const std::string& was = lane.controller().info()->reducer;
  if (was.empty()) return;
  for (const std::string& is : reducer.choices) {
    if (is == was || is == "auto") continue;
    const QString now = settingText(reducer, is);
    offers.push_back(
        offerOf(lane, parent, Of::Reducer,
                QStringLiteral("%1 %2").arg(settingCaption(reducer), arrow(settingText(reducer, was), now)),
                [&](RunSettings& config) { reducer.set(config, is); }));
    offers.back().wish.name = ownName(lane, QStringLiteral("%1 %2").arg(settingName(reducer), now));
  }
}

void offerStrategies(std::vector<BranchOffer>& offers, const Lane& lane, const QString& parent) {
  for (const StrategyInfo& info : strategies()) {
    if (info.kind == lane.controller().info()->config.strategy) continue;
    offers.push_back(offerOf(lane, parent, Of::Strategy, coreText(info.name),
                             [&](RunSettings& config) { config = comparedRun(info, givenOf(config)).config.asked(); }));
    offers.back().wish.name =
        tr("%1 from step %2").arg(strategyShortName(info), countText(lane.playback().record()->metric.step));
  }
}

}  // namespace

// A class's times were measured but a branch's are modelled, and one run never has both.
RunController::Start branchOf(const RunController& run, RunBranch branch) {
  RunController::Start from;
  const std::int64_t step = branch.step;
  branch.ofClass = run.info()->isClass;
  from.origin = {run.info()->lineage, run.records().history(), run.ofClass().stateBefore(step)};
  from.origin.lineage.push_back(std::move(branch));
  if (!run.info()->isClass) from.before = run.metrics()->before(step);
  return from;
}

RunSettings parentSettings(const RunController& run) {
  const RunInfo& info = *run.info();
  return info.isClass ? serving::branchSettings(info.config, info.replicas) : withoutOutputs(info.config).asked();
}

QString branchRefusal(const RunController& run, const Playback& playback) {
  if (run.info() == nullptr || !playback.record()) return tr("The window's run shows no step yet.");
  return {};
}

QString editRefusal(const RunController& run, const Playback& playback, const Object& object) {
  if (const QString refusal = branchRefusal(run, playback); !refusal.isEmpty()) return refusal;
  const bool values = object.kind == Object::Kind::Weights || object.kind == Object::Kind::Gradient;
  if (!values) return tr("Click a replica's weights or its gradient on the stage first.");
  if (object.endpoint < 0 || object.endpoint >= run.info()->replicas)
    return tr("The selected object belongs to no replica. Click a replica's weights or its gradient.");
  return {};
}

std::vector<BranchOffer> branchOffers(const Lane& lane, const QString& parent) {
  std::vector<BranchOffer> offers;
  if (!branchRefusal(lane.controller(), lane.playback()).isEmpty()) return offers;
  const QString words =
      lane.controller().info()->isClass ? tr("The same settings, simulated") : tr("Nothing changed, as a check");
  offers.push_back(offerOf(lane, parent, Of::Nothing, words, [](const RunSettings&) {}));
  offers.back().wish.name = tr("%1 from step %2").arg(lane.name(), countText(lane.playback().record()->metric.step));
  offerRates(offers, lane, parent);
  offerReducers(offers, lane, parent);
  offerStrategies(offers, lane, parent);
  return offers;
}

std::vector<BranchOffer> editOffers(const Lane& lane, const Object& object, const QString& parent) {
  std::vector<BranchOffer> offers;
  if (!editRefusal(lane.controller(), lane.playback(), object).isEmpty()) return offers;
  const std::optional<EditPlace> place = placeOf(lane, object);
  if (!place) return offers;
  const auto add = [&](const QString& words, std::optional<float> value, int bit) {
    RunEdit edit = place->edit;
    edit.value = value;
    if (!value) edit.bit = bit;
    const QString change = place->was ? arrow(valueText(*place->was), valueText(edit.applied(*place->was))) : QString();
    offers.push_back(offerOf(
        lane, parent, Of::Edit, change.isEmpty() ? words : QStringLiteral("%1: %2").arg(words, change),
        [](const RunSettings&) {}, edit));
    offers.back().wish.name = lane.name();
    offers.back().wish.change = change.isEmpty() ? words : change;
  };
  constexpr int kSignBit = 31, kExponentBit = 24;  // the second bit of the exponent: multiplies or divides by four
  add(tr("Flip the bit of its sign"), std::nullopt, kSignBit);
  add(tr("Flip a bit of its exponent"), std::nullopt, kExponentBit);
  add(tr("Flip its lowest bit"), std::nullopt, 0);
  if (place->was) {
    add(tr("Add 1"), *place->was + 1, 0);
    add(tr("Set to 0"), 0.0F, 0);
  }
  return offers;
}

QString editedValueWords(const Lane& lane, const Object& object) {
  if (!editRefusal(lane.controller(), lane.playback(), object).isEmpty()) return {};
  const std::optional<EditPlace> place = placeOf(lane, object);
  if (!place) return {};
  return (object.kind == Object::Kind::Weights ? tr("The largest weight of replica %1: %2, number %3 of all")
                                               : tr("The largest value of replica %1's gradient: %2, number %3 of all"))
      .arg(countText(place->edit.replica), valueName(*lane.controller().info(), place->edit.index),
           countText(place->edit.index));
}

}  // namespace lab
