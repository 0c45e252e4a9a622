// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/unequal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "core/config/choices.h"
#include "core/config/lineage.h"
#include "core/config/run_edit.h"
#include "core/config/run_info.h"
#include "core/config/run_settings.h"
#include "core/files/lineage_json.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"
#include "core/training/branches.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lane_places.h"

namespace lab {
namespace {

std::vector<std::int64_t> examplesOf(const StepRecord& record) {
  std::vector<std::int64_t> examples;
  for (const ReplicaStep& replica : record.replicas)
    examples.insert(examples.end(), replica.shard.begin(), replica.shard.end());
  std::ranges::sort(examples);
  return examples;
}

// Compares the steps that are shown, if both are synchronous.
bool seeOtherImages(const Lane& a, const Lane& b) {
  const auto &one = a.playback().record(), &other = b.playback().record();
  if (!one || !other || one->metric.step != other->metric.step) return false;
  if (one->metric.worker || other->metric.worker) return false;
  return examplesOf(*one) != examplesOf(*other);
}

// Returns whether the images differ only because the hosts of a lane read files of their own: all else that chooses the
// images of a step is the same.
bool isForHostsWithFiles(const RunInfo& mine, const RunInfo& base) {
  if (mine.config.globalBatch != base.config.globalBatch) return false;
  for (const char* name : {"dataset", "data-dir", "train-examples", "shuffle-buffer", "seed"})
    if (const ConfigField& field = configField(name); field.get(mine.config) != field.get(base.config)) return false;
  const auto readsFiles = [](const RunInfo& info) { return info.split.policy == AutoShard::File && info.hosts > 1; };
  return readsFiles(mine) || readsFiles(base);
}

QString otherImages(const Lane& lane, const Lane& leader) {
  const RunInfo *mine = lane.controller().info(), *base = leader.controller().info();
  if (mine != nullptr && base != nullptr && isForHostsWithFiles(*mine, *base))
    return tr("Not the same images in each step: every host shuffles its own.");
  return tr("Not the same images in each step.");
}

// Settings that other notes mention, or that follow from the strategy.
bool isSaidElsewhere(const ConfigField& field) {
  constexpr std::array kSaid{"strategy", "replicas",  "hosts",  "batch-per-replica", "global-batch",
                             "matmul",   "reducer",   "steps",  "eval-every",        "device-model",
                             "link",     "host-link", "epochs", "parameter-servers"};
  return std::ranges::any_of(kSaid, [&](const char* name) { return field.name == name; });
}

void addSettings(QStringList& words, const ResolvedSettings& mine, const ResolvedSettings& base) {
  QStringList names;
  for (const ConfigField& field : configFields())
    if (field.group != "Output" && field.changesResults && !isSaidElsewhere(field) &&
        field.get(mine) != field.get(base))
      names << QStringLiteral("%1 %2").arg(settingName(field), settingText(field, field.get(mine))).trimmed();
  if (!names.isEmpty()) words << tr("Other settings: %1.").arg(names.join(QStringLiteral(", ")));
}

// The ratio of images between the lanes after the same number of steps; in few words for the lane's narrow head.
QString imagesWords(std::int64_t mine, std::int64_t base) {
  const std::int64_t common = std::max<std::int64_t>(1, std::gcd(mine, base));
  const std::int64_t part = mine / common, whole = base / common;
  if (whole == 1) return part == 2 ? tr("Twice as many images.") : tr("%1 times as many images.").arg(countText(part));
  if (part == 1 && whole == 2) return tr("Half as many images.");
  if (part == 1 && whole == 3) return tr("A third as many images.");
  if (part == 1 && whole == 4) return tr("A quarter as many images.");
  return tr("%1/%2 as many images.", "a fraction").arg(countText(part), countText(whole));
}

// Where a branch comes from, and what was changed by hand.
std::vector<LaneNote> lineageNotes(const Lane& lane) {
  std::vector<LaneNote> notes;
  for (const Message& said : describe(lane.lineage())) notes.push_back({coreSentence(said), coreSentence(said)});
  if (notes.empty()) return notes;
  if (const QString& change = lane.wish().change; !change.isEmpty())
    notes.back().whole += QStringLiteral(": ") + change;
  for (LaneNote& note : notes)
    for (QString* words : {&note.whole, &note.brief}) *words += QLatin1Char('.');
  const RunBranch& branch = lane.lineage().back();
  notes.front().brief = tr("Branch from step %1.").arg(countText(branch.step));
  if (branch.edit) notes[1].brief = tr("A value changed by hand.");
  if (notes.size() > 1) std::swap(notes[0], notes[1]);  // the edit is what a user looks for
  return notes;
}

// Says whose images a step uses, if the two lanes differ in this.
template <typename Say>
void sayBatches(const Say& say, const ResolvedSettings& mine, const ResolvedSettings& base) {
  const StrategyInfo &info = strategyInfo(mine.strategy), &other = strategyInfo(base.strategy);
  const int batch = plural(mine.examplesPerStep());
  if (!info.synchronous && other.synchronous) {
    const QString brief = tr("A step is one worker's: %Ln images.", nullptr, batch);
    if (mine.examplesOfReplicas() != base.globalBatch)  // as between kept runs
      say(tr("No global batch: a step belongs to one worker and has %Ln images.", nullptr, batch), brief);
    else
      say(tr("No global batch: a step belongs to one worker and has %Ln images;", nullptr, batch) + QLatin1Char(' ') +
              tr("%Ln steps see as many images as one step of the others.", nullptr, plural(mine.replicas)),
          brief);
  } else if (info.synchronous && !other.synchronous) {
    say(tr("A step has %Ln images in total; a step of %1 is one worker's, with %2.", nullptr, plural(mine.globalBatch))
            .arg(strategyShortName(other), countText(base.examplesPerStep())),
        tr("A step has %Ln images in total.", nullptr, plural(mine.globalBatch)));
  } else if (info.synchronous && other.synchronous && mine.globalBatch != base.globalBatch) {
    say(tr("Another global batch: %1 images instead of %2.")
            .arg(countText(mine.globalBatch), countText(base.globalBatch)));
  }
}

}  // namespace

std::vector<LaneNote> laneNotes(const Lane& lane, const Lane& leader, InStepBy by) {
  std::vector<LaneNote> notes;
  const auto say = [&notes](const QString& whole, const QString& brief = {}) {
    notes.push_back({whole, brief.isEmpty() ? whole : brief});
  };
  if (!lane.refusal().isEmpty()) return {{lane.refusal(), lane.refusal()}};
  const ResolvedSettings mine = lane.resolved(), base = leader.resolved();
  const StrategyInfo &info = strategyInfo(mine.strategy), &other = strategyInfo(base.strategy);
  const auto imagesOf = [](const ResolvedSettings& config) { return std::llround(nominalImages(config)); };
  if (by == InStepBy::Steps && info.synchronous != other.synchronous && imagesOf(mine) != imagesOf(base))
    say(imagesWords(imagesOf(mine), imagesOf(base)));
  for (const LaneNote& note : lineageNotes(lane)) notes.push_back(note);
  sayBatches(say, mine, base);
  if (mine.matmul != base.matmul && mine.matmul == Precision::Bfloat16)
    say(tr("Matrix products in bfloat16: the weights differ by more than float32 rounding."),
        tr("Matrix products in bfloat16."));
  if (mine.replicas != base.replicas)
    say(info.singleReplica
            ? tr("It has one replica, which computes the whole batch.")
            : tr("%Ln replicas instead of %1.", nullptr, plural(mine.replicas)).arg(countText(base.replicas)),
        info.singleReplica ? tr("One replica.") : QString());
  if (mine.deviceModel != base.deviceModel)
    say(tr("On %1 instead of %2.")
            .arg(settingText(configField("device-model"), mine.deviceModel),
                 settingText(configField("device-model"), base.deviceModel)),
        tr("On other devices."));
  if (seeOtherImages(lane, leader)) say(otherImages(lane, leader), tr("Other images in each step."));
  QStringList settings;
  addSettings(settings, mine, base);
  for (const QString& words : settings) say(words, tr("Other settings."));
  for (const Message& note : lane.notes()) {
    // Removes the strategy's name, because the lane already shows it.
    const QString words = coreText(note), whose = QString::fromStdString(info.key) + QStringLiteral(": ");
    const QString said = words.startsWith(whose) ? words.mid(whose.size()) : words;
    say(said.left(1).toUpper() + said.mid(1), tr("Not every setting applies."));
  }
  const RunInfo* facts = lane.controller().info();
  if (lane.controller().isRecording())
    say(tr("Its times are those of the lesson."), tr("Times of the lesson."));
  else if (facts != nullptr && facts->clock == TimeSource::Measured)
    say(tr("Its time is measured while other lanes train beside it."), tr("Time measured beside others."));
  return notes;
}

QStringList unequalWords(const Lane& lane, const Lane& leader, InStepBy by) {
  QStringList words;
  for (const LaneNote& note : laneNotes(lane, leader, by)) words << note.whole;
  return words;
}

QString wordsThatFit(const std::vector<LaneNote>& notes, const QFontMetrics& metrics, int width, int lines) {
  const auto fits = [&](const QString& words) {
    return metrics.boundingRect(QRect(0, 0, std::max(width, 1), 10'000), Qt::TextWordWrap, words).height() <=
           lines * metrics.lineSpacing();
  };
  for (std::size_t count = notes.size(); count > 0; --count)
    for (std::size_t brief = 0; brief <= count; ++brief) {
      QStringList words;
      for (std::size_t i = 0; i < count; ++i) words << (i + brief < count ? notes[i].whole : notes[i].brief);
      words.removeDuplicates();  // several notes may have one short form
      if (const QString all = words.join(QLatin1Char(' ')); fits(all)) return all;
    }
  return notes.empty() ? QString() : notes.front().brief;
}

namespace {

QString becauseWords(ApartBecause because, Apart apart) {
  switch (because) {
    case ApartBecause::Nothing:
      return tr("The same arithmetic in the same order.");
    case ApartBecause::OtherExamples:
      return tr("The two lanes have seen different images, or began with different weights.");
    case ApartBecause::OtherBatch:
      return tr("The steps of the two lanes have different numbers of images.");
    case ApartBecause::OtherTraining:
      return tr("The optimizer settings of the two lanes differ.");
    case ApartBecause::StaleWeights:
      return tr(
          "Asynchronous workers compute with weights that others have changed meanwhile, and each update comes from "
          "the images of only one worker.");
    case ApartBecause::OtherMethod:
      if (apart == Apart::Same)
        return tr("The two lanes compute a step in different ways, but here those give the same weights.");
      return tr("The two lanes compute a step in different ways: even without rounding, the weights would differ.");
    case ApartBecause::OtherPrecision:
      return tr("One lane rounds the operands of matrix products to bfloat16, which has 8 bits of precision.");
    case ApartBecause::OrderOfSums:
      break;
  }
  if (apart == Apart::Same)
    return tr("The two lanes add in different ways, but here those give the same sums in the same order.");
  if (apart == Apart::Rounding)
    return tr("The same gradients are added in another order, and float32 rounds each sum.");
  return tr(
      "The same gradients are added in another order; training amplifies the rounding, most of all with an optimizer "
      "that divides by small numbers.");
}

QString editedWords(Apart apart) {
  if (apart == Apart::Same) return tr("A value was changed by hand in one of them, which these weights do not show.");
  return tr("A value was changed by hand in one of them.");
}

}  // namespace

QString distanceWords(const DistanceCurve& curve, ApartBecause because, const QString& base, bool edited,
                      std::int64_t first) {
  const QString step = countText(curve.firstDifference());
  const bool exact = curve.firstDifference() <= std::max(first, curve.lastSame() + 1);
  QString seen;
  switch (curve.apart()) {
    case Apart::Unknown:
      return tr("Not compared yet: both lanes must have reached the same point.");
    case Apart::Same:
      seen = tr("The same weights as %1, to the bit.").arg(base);
      break;
    case Apart::Rounding:
      seen = (exact ? tr("Differs from %1 by rounding, since step %2.")
                    : tr("Differs from %1 by rounding, since step %2 or before."))
                 .arg(base, step);
      break;
    case Apart::Growing:
      seen = (exact ? tr("Differs from %1 by more than rounding, since step %2.")
                    : tr("Differs from %1 by more than rounding, since step %2 or before."))
                 .arg(base, step);
      break;
  }
  if (!edited) return seen + QLatin1Char(' ') + becauseWords(because, curve.apart());
  seen += QLatin1Char(' ') + editedWords(curve.apart());
  // An edit is a stronger reason than rounding, but not than other settings.
  if (because == ApartBecause::Nothing || because == ApartBecause::OrderOfSums) return seen;
  return seen + QLatin1Char(' ') + becauseWords(because, curve.apart());
}

namespace {

std::vector<RunEdit> editsOf(const Lineage& lineage) {
  std::vector<RunEdit> edits;
  for (const RunBranch& branch : lineage)
    if (branch.edit) edits.push_back(*branch.edit);
  return edits;
}

}  // namespace

std::int64_t firstPossibleDifference(const Lane& a, const Lane& b) {
  const Lineage &mine = a.lineage(), &other = b.lineage();
  const auto configText = [](const auto& config) { return configToJson(withoutOutputs(config)).dump(); };
  const auto sameAncestors = [&](std::size_t count) {
    const auto front = [count](const Lineage& all) {
      return lineageToJson(Lineage(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count))).dump();
    };
    return front(mine) == front(other);
  };
  const auto isParent = [&](const Lane& parent, const Lineage& branch) {
    return branch.size() == parent.lineage().size() + 1 && sameAncestors(parent.lineage().size()) &&
           configText(branch.back().config) == configText(parent.resolved());
  };
  if (isParent(b, mine)) return mine.back().step;
  if (isParent(a, other)) return other.back().step;
  const bool siblings = !mine.empty() && mine.size() == other.size() && sameAncestors(mine.size() - 1) &&
                        configText(mine.back().config) == configText(other.back().config);
  return siblings ? std::min(mine.back().step, other.back().step) : 1;
}

QString distanceWords(const Lane& lane, const Lane& base) {
  return distanceWords(lane.distance, whyApart(base.resolved(), lane.resolved()), base.name(),
                       editsOf(lane.lineage()) != editsOf(base.lineage()), firstPossibleDifference(lane, base));
}

}  // namespace lab
