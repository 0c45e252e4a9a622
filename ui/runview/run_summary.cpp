// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_summary.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/base/units.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"

namespace lab {
namespace {

QString dash() {
  return QStringLiteral("–");
}

QString perSecond(std::optional<double> value) {
  if (!value) return dash();
  if (*value >= 100) return countText(std::llround(*value));
  const QString text = numberText(*value, 'f', 1);
  // A slow run is not one that stands.
  return *value > 0 && text == numberText(0, 'f', 1) ? numberText(*value, 'g', 2) : text;
}

QString meanWords(std::span<const StepMetric> steps) {
  return tr("mean of %Ln steps", nullptr, static_cast<int>(std::min(steps.size(), kRecentSteps)));
}

// The two rates with their descriptions; a dash if a rate is missing. A step that was given up delivered nothing.
std::pair<QString, QString> namedRates(std::span<const StepMetric> steps, const std::optional<SteadyStep>& steady) {
  if (!steps.empty() && steps.back().aborted) steps = steps.first(steps.size() - 1);
  if (steps.empty()) return {dash(), dash()};
  const Throughput recent = recentThroughput(steps);
  const auto named = [](double rate, const QString& what) {
    return tr("%1, %2", "a rate, what it is of").arg(perSecond(rate), what);
  };
  const QString measured = recent.measured ? named(*recent.measured, meanWords(steps)) : dash();
  if (steady) return {measured, named(steady->imagesPerSecond, tr("steady"))};
  if (!recent.modelled) return {measured, dash()};
  // A recording of an older time model, or with unknown settings.
  return {measured, named(*recent.modelled, steps.back().worker ? tr("mean of the run") : meanWords(steps))};
}

// The duration of the last step, and the parts that add up to it.
void addTimes(std::vector<Figure>& figures, const RunInfo* info, std::span<const StepMetric> steps) {
  if (steps.empty()) {
    figures.push_back({tr("This step"), dash()});
    return;
  }
  const StepMetric& last = steps.back();
  const QString time = last.clock == TimeSource::Modelled ? tr("%1, modelled").arg(durationText(last.stepNs))
                                                          : tr("%1, measured").arg(durationText(last.stepNs));
  figures.push_back(
      {last.worker ? tr("This cycle of a worker") : tr("This step"), info ? withRemainder(time, *info, last) : time});
  const std::pair<QString, std::int64_t> parts[] = {{tr("compute"), last.computeNs},
                                                    {tr("launch"), last.launchNs},
                                                    {tr("communication"), last.communicationNs},
                                                    {tr("queue"), last.queueNs},
                                                    {tr("stragglers"), last.stragglerNs},
                                                    {tr("input"), last.inputNs},
                                                    {tr("a dead task"), last.faultNs}};
  for (const auto& [name, ns] : parts)
    if (ns > 0) figures.push_back({QStringLiteral("  ") + name, durationText(ns)});
}

QString copiesWords(const RunInfo& info, std::span<const StepMetric> steps) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  if (!strategy.hasCopies || info.config.replicas < 2 || info.isClass) return tr("one");
  if (!strategy.keepsCopies(info.config)) return tr("in parts, one on each replica", "the copies of the variables");
  const auto comparedAs = [&](bool identical) {
    return std::ranges::find_if(steps, [&](const StepMetric& s) { return s.mirrorsIdentical == identical; });
  };
  if (const auto differs = comparedAs(false); differs != steps.end())
    return tr("differ since step %1").arg(countText(differs->step));
  const StepMetric& last = steps.back();
  if (last.aborted) return tr("not compared: the step was given up");
  if (last.copiesShared) return tr("one, shared by all replicas");
  if (!last.mirrorsIdentical && !strategy.mustAgree(info.config, last.step))
    return tr("need not be equal after this step");
  // GPUs compare in some steps only.
  return comparedAs(true) != steps.end() ? tr("identical") : tr("not compared", "copies of the variables");
}

Figure copiesFigure(const RunInfo* info, std::span<const StepMetric> steps) {
  return {tr("Copies of the variables"), info && !steps.empty() ? copiesWords(*info, steps) : dash()};
}

}  // namespace

std::optional<double> ratePerSecond(std::int64_t examples, std::int64_t ns) {
  if (ns <= 0) return std::nullopt;
  return static_cast<double>(examples) / (static_cast<double>(ns) / static_cast<double>(kNsPerSecond));
}

void countStaleness(const StepMetric& step, std::vector<std::int64_t>& counts) {
  if (step.aborted) return;
  const auto stale = static_cast<std::size_t>(std::clamp<std::int64_t>(step.staleness.value_or(0), 0, 63));
  if (stale >= counts.size()) counts.resize(stale + 1, 0);
  ++counts[stale];
}

Throughput meanThroughput(std::span<const StepMetric> steps) {
  if (!steps.empty() && steps.back().aborted) steps = steps.first(steps.size() - 1);
  std::int64_t examples = 0, wallNs = 0, stepNs = 0;
  for (const StepMetric& step : steps) {
    examples += step.examples;
    wallNs += step.wallNs;
    stepNs += step.stepNs;
  }
  if (steps.empty()) return {};
  const bool measured = steps.back().clock == TimeSource::Measured;
  // Steps of asynchronous workers overlap, so their times do not add up to the elapsed time.
  if (steps.back().worker)
    return {ratePerSecond(examples, wallNs), measured ? std::nullopt : std::optional(steps.back().imagesPerSecond)};
  if (measured) return {ratePerSecond(examples, stepNs), std::nullopt};
  return {ratePerSecond(examples, wallNs), ratePerSecond(examples, stepNs)};
}

Throughput recentThroughput(std::span<const StepMetric> steps) {
  if (!steps.empty() && steps.back().aborted) steps = steps.first(steps.size() - 1);
  return meanThroughput(steps.last(std::min(steps.size(), kRecentSteps)));
}

QString remainderWords(const RunInfo& info, const StepMetric& step) {
  if (info.isClass || !isRemainder(info.config, step)) return {};
  return tr("%1 of %2 images").arg(countText(step.distributed()), countText(info.config.examplesPerStep()));
}

QString withRemainder(const QString& words, const RunInfo& info, const StepMetric& step) {
  const QString remainder = remainderWords(info, step);
  return remainder.isEmpty() ? words : tr("%1, %2", "a time, of how many images").arg(words, remainder);
}

QString preparationWords(const Preparation& preparation) {
  switch (preparation.part) {
    case Preparation::Part::Turn:
      return tr("Waiting for the previous run to end");
    case Preparation::Part::Data:
      return preparation.total > 0
                 ? tr("Reading the images: %1 of %2").arg(bytesText(preparation.done), bytesText(preparation.total))
                 : tr("Reading the images");
    case Preparation::Part::Replicas:
      return tr("Setting up replica %1 of %2").arg(countText(preparation.done + 1), countText(preparation.total));
    case Preparation::Part::Upload:
      return tr("Copying the images to the GPUs: %1 of %2")
          .arg(countText(preparation.done), countText(preparation.total));
    case Preparation::Part::Gpus:
      return tr("Opening the GPUs");
    case Preparation::Part::Processes:
      return tr("Open MPI starts the processes");
    case Preparation::Part::Weights:
      return preparation.total > 0 ? tr("Copying the weights to the replicas: %1 of %2")
                                         .arg(countText(preparation.done), countText(preparation.total))
                                   : tr("Copying the weights to the replicas");
    case Preparation::Part::Step:
      return preparation.total > 0 ? tr("Training the parent once more: step %1 of %2")
                                         .arg(countText(preparation.done + 1), countText(preparation.total))
                                   : tr("Computing the first step");
  }
  return {};
}

QString runTitle(const ResolvedSettings& config, const RunInfo* info) {
  return coreText(strategyInfo(info ? info->config.strategy : config.strategy).name);
}

QString runDevices(const RunInfo* info) {
  if (!info) return {};
  if (info->isClass) return tr("trained by a class");  // the tab shows who is there, and where
  const ResolvedSettings& config = info->config;
  const std::int64_t replicas = config.replicas, hosts = config.hosts;
  QString text = tr("%Ln replicas", nullptr, plural(replicas));
  if (hosts > 1) text += tr(" over %Ln hosts", nullptr, plural(hosts));
  const QString hardware = info->devices.empty() ? settingText(configField("device-model"), config.deviceModel)
                                                 : QString::fromStdString(info->devices.front().hardware);
  std::set<std::string> computers;
  for (const ProcessFacts& process : info->processes) computers.insert(process.host);
  text += info->clock == TimeSource::Modelled ? tr(" on simulated %1").arg(hardware)
          : computers.size() > 1
              ? tr(" on real devices of %Ln computers", nullptr, plural(static_cast<std::int64_t>(computers.size())))
              : tr(" on real devices of this computer");
  if (const QString reduction = reductionText(strategyInfo(config.strategy), info->reducer); !reduction.isEmpty())
    text += QStringLiteral("  ·  ") + reduction;
  return text;
}

QString runData(const RunInfo* info) {
  if (!info) return {};
  const QString examples =
      tr("%1 training and %2 test images").arg(countText(info->trainExamples), countText(info->testExamples));
  if (info->datasetSource == "embedded")
    return tr("Data: %1, inside this program, %2").arg(coreText(info->dataset), examples);
  const bool own = info->data != nullptr && info->data->own;
  return tr("Data: %1 from %2, %3")
      .arg(own ? tr("custom") : coreText(info->dataset), QString::fromStdString(info->datasetSource), examples);
}

std::vector<Figure> runFigures(const RunInfo* info, std::span<const StepMetric> steps,
                               std::span<const EvalMetric> evaluations, const std::optional<SteadyStep>& steady) {
  const bool any = !steps.empty();
  const auto [measured, modelled] = namedRates(steps, steady);
  std::vector<Figure> figures;
  const QString step = countText(any ? steps.back().step : 0);
  figures.push_back({tr("Step"), info ? tr("%1 of %2").arg(step, countText(info->totalSteps)) : step});
  figures.push_back({tr("Training loss"), any ? lossText(steps.back().loss, 4) : dash()});
  figures.push_back({tr("Test accuracy"), evaluations.empty() ? dash()
                                                              : tr("%1, at step %2")
                                                                    .arg(percentText(evaluations.back().testAccuracy),
                                                                         countText(evaluations.back().step))});
  figures.push_back({tr("Images/s, measured"), measured});
  figures.push_back({tr("Images/s, modelled"), modelled});
  addTimes(figures, info, steps);
  figures.push_back(copiesFigure(info, steps));
  return figures;
}

QString stepWords(const RunInfo* info, std::span<const StepMetric> steps) {
  if (info == nullptr || steps.empty()) return {};
  return tr("step %1 of %2 · epoch %3")
      .arg(countText(steps.back().step), countText(info->totalSteps), numberText(steps.back().epoch, 'f', 2));
}

QString rateWords(std::span<const StepMetric> steps, const std::optional<SteadyStep>& steady) {
  if (!steps.empty() && steps.back().aborted) steps = steps.first(steps.size() - 1);
  if (steps.empty()) return {};
  const bool workers = steps.back().worker.has_value();
  const Throughput recent = recentThroughput(steps);
  if (steady)
    return (workers ? tr("%1 images/s modelled, steady, all workers") : tr("%1 images/s modelled, steady"))
        .arg(perSecond(steady->imagesPerSecond));
  if (steps.back().clock == TimeSource::Measured)
    return tr("%1 images/s measured, %2", "a rate, what it is of").arg(perSecond(recent.measured), meanWords(steps));
  return tr("%1 images/s modelled, %2", "a rate, what it is of")
      .arg(perSecond(recent.modelled), workers ? tr("mean of the run") : meanWords(steps));
}

QString clockWords(const RunInfo* info, std::span<const StepMetric> steps) {
  if (steps.empty()) return {};
  const StepMetric& last = steps.back();
  const QString duration = durationText(last.stepNs);
  if (last.aborted) return tr("given up after %1, modelled").arg(duration);
  // Cycles of asynchronous workers overlap, so dividing one figure by the other does not give the images of a step.
  const QString words = last.clock == TimeSource::Measured ? tr("%1 this step, measured").arg(duration)
                        : last.worker                      ? tr("%1 this cycle of one worker, modelled").arg(duration)
                                                           : tr("%1 this step, modelled").arg(duration);
  return info == nullptr ? words : withRemainder(words, *info, last);
}

QString runWarning(std::span<const StepMetric> steps, const Divergence& divergence) {
  const std::optional<std::size_t> at = divergence.index();
  if (!at) return {};
  const QString step = countText(steps[*at].step);
  if (!divergence.isFinite())
    return tr("Diverged at step %1: the loss is no longer a finite number, so this run cannot learn any more. Start "
              "again with a lower learning rate or with warm-up.")
        .arg(step);
  return tr("Diverged at step %1: the loss went from %2 to %3. Start again with a lower learning rate or with warm-up.")
      .arg(step, roughText(divergence.before()), roughText(steps[*at].loss));
}

}  // namespace lab
