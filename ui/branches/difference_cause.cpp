// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/branches/difference_cause.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "core/base/at.h"
#include "core/experiments/weight_distance.h"
#include "core/model/neural_network.h"
#include "core/replicas/labels.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/aggregation.h"
#include "ui/playback/captions.h"

namespace lab {
namespace {

using Cause = DifferenceCause::What;

bool sameFloats(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

std::optional<std::int64_t> firstOther(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!sameFloats(a[i], b[i])) return static_cast<std::int64_t>(i);
  return std::nullopt;
}

const ReplicaStep* workerOf(const StepRecord& record) {
  return record.metric.worker ? &at(record.replicas, *record.metric.worker) : nullptr;
}

// The step's images, whichever replica computed them.
std::vector<std::int64_t> imagesOf(const StepRecord& record) {
  std::vector<std::int64_t> images;
  if (const ReplicaStep* worker = workerOf(record)) {
    images = worker->shard;
  } else {
    for (const ReplicaStep& replica : record.replicas)
      images.insert(images.end(), replica.shard.begin(), replica.shard.end());
  }
  std::ranges::sort(images);
  return images;
}

const RunEdit* editIn(const StepOf& step) {
  const Lineage& lineage = step.info.lineage;
  const bool here = !lineage.empty() && lineage.back().edit && lineage.back().edit->step == step.record.metric.step;
  return here ? &*lineage.back().edit : nullptr;
}

bool sameDistribution(const StepRecord& a, const StepRecord& b) {
  return std::ranges::equal(a.replicas, b.replicas,
                            [](const ReplicaStep& one, const ReplicaStep& other) { return one.shard == other.shard; });
}

// A partial sum of one element, with the transfer that makes it.
struct PartialSum {
  std::size_t span = 0;
  float value = 0;
};
std::vector<PartialSum> partialSums(const StepOf& step, std::int64_t element) {
  std::vector<PartialSum> sums;
  const Aggregation aggregation(step.info.legend, step.record);
  for (const std::size_t index : aggregation.transfers()) {
    const Span& span = step.record.spans[index];
    const bool covers = span.round >= 0 && span.offset <= element && element < span.offset + span.count;
    if (span.add && covers) sums.push_back({index, aggregation.numbers(index, element, 1).after.front()});
  }
  return sums;
}

DifferenceCause causeInSum(const StepOf& step, const StepOf& base, DifferenceCause cause) {
  const std::vector<PartialSum> mine = partialSums(step, cause.element), others = partialSums(base, cause.element);
  cause.what = Cause::Sum;
  // A gradient that is added to nothing is no new sum: the other run has it too.
  const auto isIn = [&](float value) {
    const auto same = [value](float other) { return sameFloats(value, other); };
    const auto at = static_cast<std::size_t>(cause.element);
    return std::ranges::any_of(others, same, &PartialSum::value) ||
           std::ranges::any_of(base.record.replicas, [&](const ReplicaStep& replica) {
             return at < replica.gradients.size() && same(replica.gradients[at]);
           });
  };
  for (const PartialSum& sum : mine) {
    if (isIn(sum.value)) continue;
    cause.what = Cause::Transfer;
    cause.span = static_cast<int>(sum.span);
    cause.value = sum.value;
    break;
  }
  return cause;
}

std::int64_t endNsOf(const Span& span) {
  return span.startNs + span.durationNs;
}

// The last transfer that brought the worker the weights for the gradients it has sent; -1: in an earlier step.
int pullOf(const StepRecord& record, int worker) {
  std::int64_t sentNs = 0;
  for (const Span& span : record.spans)
    if (span.kind == SpanKind::Transfer && span.label == labelOf(Label::PushGradients) && span.from == worker &&
        endNsOf(span) <= record.endNs)
      sentNs = std::max(sentNs, span.startNs);
  int last = -1;
  for (int i = 0; i < static_cast<int>(record.spans.size()); ++i) {
    const Span& span = at(record.spans, i);
    if (span.kind != SpanKind::Transfer || span.label != labelOf(Label::PullWeights) || span.to != worker) continue;
    if (endNsOf(span) > sentNs) continue;
    if (last < 0 || endNsOf(span) >= endNsOf(at(record.spans, last))) last = i;
  }
  return last;
}

// Number of updates in the weights that the step's gradients were computed with.
std::int64_t versionOf(const StepRecord& record) {
  const ReplicaStep* worker = workerOf(record);
  return worker != nullptr ? worker->version : record.metric.step - 1;
}

std::optional<DifferenceCause> causeInGradients(const StepRecord& a, const StepRecord& b) {
  if (!sameDistribution(a, b)) return std::nullopt;
  for (std::size_t r = 0; r < a.replicas.size(); ++r) {
    const std::vector<float>&mine = a.replicas[r].gradients, &others = b.replicas[r].gradients;
    if (mine.empty() || others.empty()) continue;
    if (const auto element = firstOther(mine, others)) {
      const auto at = static_cast<std::size_t>(*element);
      return DifferenceCause{Cause::Gradient, static_cast<int>(r), -1, *element, mine[at], others[at]};
    }
  }
  return std::nullopt;
}

}  // namespace

DifferenceCause differenceCause(const StepOf& step, const StepOf& base) {
  const StepRecord &a = step.record, &b = base.record;
  const auto after = firstOther(a.weightsAfter, b.weightsAfter);
  if (!after) return {};
  for (const StepOf& one : {step, base})
    if (const RunEdit* edit = editIn(one))
      return {Cause::Edited,
              edit->replica,
              0,
              edit->index,
              at(a.weightsAfter, edit->index),
              at(b.weightsAfter, edit->index)};
  if (!sameWeights(a.weightsBefore, b.weightsBefore)) return {.what = Cause::Earlier};
  if (imagesOf(a) != imagesOf(b)) return {.what = Cause::Images};
  if (versionOf(a) < versionOf(b)) return {Cause::Pulled, *a.metric.worker, pullOf(a, *a.metric.worker)};
  if (const auto gradient = causeInGradients(a, b)) return *gradient;
  if (const auto element = firstOther(a.gradients, b.gradients)) {
    const auto at = static_cast<std::size_t>(*element);
    return causeInSum(step, base, {Cause::Sum, -1, -1, *element, a.gradients[at], b.gradients[at]});
  }
  const auto at = static_cast<std::size_t>(*after);
  return {Cause::Update, -1, -1, *after, a.weightsAfter[at], b.weightsAfter[at]};
}

QString valueName(const RunInfo& info, std::int64_t element) {
  if (info.network != nullptr)
    for (const Variable& variable : info.network->layout().variables())
      if (element >= variable.offset && element < variable.offset + variable.size)
        return QStringLiteral("%1[%2]").arg(QString::fromStdString(variable.name)).arg(element - variable.offset);
  return QString::number(element);
}

namespace {

QString endpointName(const StepOf& step, int endpoint) {
  return coreText(at(step.info.legend.endpoints, endpoint).name);
}

QString transferWords(const StepOf& step, int index) {
  const Span& span = at(step.record.spans, index);
  return tr("%1 → %2", "a transfer from one device to another")
      .arg(endpointName(step, span.from), endpointName(step, span.to));
}

// 9 digits are enough to distinguish any two floats.
QString exactText(float value) {
  return numberText(static_cast<double>(value), 'g', 9);
}

}  // namespace

QString differenceWords(const DifferenceCause& cause, const StepOf& step, const QString& base) {
  const QString variable = valueName(step.info, cause.element);
  const QString mine = exactText(cause.value), other = exactText(cause.other);
  switch (cause.what) {
    case Cause::Nothing:
      return tr("The weights are the same.");
    case Cause::Earlier:
      return tr("The weights differed before this step already.");
    case Cause::Edited:
      return tr("%1 of replica %2 was changed by hand.").arg(variable, countText(cause.replica));
    case Cause::Images:
      return tr("The gradients of this lane come from other images than those of %1.").arg(base);
    case Cause::Pulled:
      if (cause.span < 0)
        return tr("%1 computed its gradients with weights that others have updated since.")
            .arg(workerName(step.info, cause.replica));
      return tr("The transfer %1 brought older weights: others had updated them before its gradients came.")
          .arg(transferWords(step, cause.span));
    case Cause::Gradient:
      return tr("The gradient of %1 differs, although weights and images are equal: %2 is %3, not %4.")
          .arg(endpointName(step.info, cause.replica), variable, mine, other);
    case Cause::Transfer: {
      const Span& span = at(step.record.spans, cause.span);
      return tr("The difference begins with the transfer %1 in round %2: there the sum of %3 becomes %4, a value that "
                "%5 never has.")
          .arg(transferWords(step, cause.span), countText(span.round + 1), variable, mine, base);
    }
    case Cause::Sum:
      return tr("The same gradients are added in another order: %1 is %2, not %3.").arg(variable, mine, other);
    case Cause::Update:
      return tr("The sums of the gradients are the same, but the update differs: %1 is %2, not %3.")
          .arg(variable, mine, other);
  }
  return {};
}

double differenceSeconds(const DifferenceCause& cause, const StepOf& step, const Story& story) {
  const auto endOf = [&story](std::initializer_list<BeatKind> kinds) {
    for (const BeatKind kind : kinds)
      if (const Beat* beat = story.find(kind)) return beat->endS;
    return story.seconds;
  };
  switch (cause.what) {
    case Cause::Nothing:
    case Cause::Earlier:
      return 0;
    case Cause::Images:
      return endOf({BeatKind::Distribute, BeatKind::Batch, BeatKind::Flow});
    case Cause::Pulled:
    case Cause::Transfer: {
      if (cause.span < 0) return 0;
      const Span& span = at(step.record.spans, cause.span);
      return std::clamp(story.secondsAt(span.startNs + span.durationNs), 0.0, story.seconds);
    }
    case Cause::Edited:
    case Cause::Gradient:
      return endOf({BeatKind::Backward, BeatKind::Flow});
    case Cause::Sum:
      return endOf({BeatKind::Aggregate, BeatKind::Backward, BeatKind::Flow});
    case Cause::Update:
      return endOf({BeatKind::Update, BeatKind::Apply});
  }
  return 0;
}

}  // namespace lab
