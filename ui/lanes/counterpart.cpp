// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/counterpart.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/at.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"

namespace lab {
namespace {

const ReplicaStep* replicaOf(const StepRecord& record, int endpoint) {
  if (endpoint < 0 || endpoint >= static_cast<int>(record.replicas.size())) return nullptr;
  return &at(record.replicas, endpoint);
}

Object sameDigit(const Object& object, const StepOf& here, const StepOf& there) {
  const ReplicaStep* replica = replicaOf(here.record, object.endpoint);
  if (replica == nullptr || object.index < 0 || object.index >= std::ssize(replica->shard)) return {};
  const std::int64_t example = at(replica->shard, object.index);
  for (std::size_t r = 0; r < there.record.replicas.size(); ++r) {
    const std::vector<std::int64_t>& shard = there.record.replicas[r].shard;
    const auto found = std::ranges::find(shard, example);
    if (found != shard.end()) return {Object::Kind::Digit, static_cast<int>(r), found - shard.begin()};
  }
  return {};
}

std::optional<int> sameEndpoint(int endpoint, const RunInfo& here, const RunInfo& there) {
  if (endpoint < here.replicas) {
    if (endpoint < there.replicas) return endpoint;
    return there.replicas == 1 ? std::optional(0) : std::nullopt;
  }
  const int device = endpoint - here.replicas;
  if (device < there.parameterDevices) return there.replicas + device;
  return std::nullopt;
}

double norm(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return std::sqrt(sum);
}

// The weights after the step: a replica's own copy where it differs from the first; of a parameter server, the
// servers'. Empty if the copy was not recorded.
std::span<const float> weightsAfter(const StepRecord& record, const ReplicaStep* replica) {
  if (replica == nullptr || record.metric.worker || replica->weightsDigest == 0 ||
      replica->weightsDigest == record.replicas.front().weightsDigest)
    return record.weightsAfter;
  return record.averagesWeights() ? replica->weightsAfter : replica->ownWeights;
}

double largest(std::span<const float> values) {
  double most = 0;
  for (const float value : values) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

// How long the endpoint's own lane did something of this kind in the step, for one operation or for all (no label).
// Excludes the launching of kernels, as the step's breakdown does.
std::int64_t timeOf(const StepOf& step, int endpoint, SpanKind kind, std::optional<std::uint16_t> label = {}) {
  std::int64_t ns = 0;
  for (const Span& span : step.record.spans)
    if (span.kind == kind && span.step == step.record.metric.step && span.track >= 0 &&
        at(step.info.legend.tracks, span.track).endpoint == endpoint && (!label || span.label == *label))
      ns += span.durationNs - span.launchNs;
  return ns;
}

}  // namespace

Object counterpartOf(const Object& object, const StepOf& here, const StepOf& there) {
  using Kind = Object::Kind;
  Object same = object;
  switch (object.kind) {
    case Kind::Digit:
      return sameDigit(object, here, there);
    case Kind::Weights:
      // The servers' one copy corresponds to each of the others' copies.
      if (const auto endpoint = sameEndpoint(object.endpoint, here.info, there.info))
        same.endpoint = *endpoint;
      else
        same.endpoint = 0;
      return same;
    case Kind::Gradient:
    case Kind::Layer:
    case Kind::Unit:
    case Kind::Device:
    case Kind::VariableShard:
    case Kind::Loss:
      if (object.kind == Kind::Loss && object.endpoint < 0) return same;
      if (const auto endpoint = sameEndpoint(object.endpoint, here.info, there.info))
        same.endpoint = *endpoint;
      else
        return {};
      // Cells of the buffer depend on the schedule.
      if (object.kind == Kind::Gradient &&
          (here.info.reducer != there.info.reducer || here.info.replicas != there.info.replicas))
        same.index = -1;
      return same;
    case Kind::Host:
      return object.index < there.info.hosts ? same : Object{};
    case Kind::Queue:
      return strategyInfo(there.info.config.strategy).synchronous ? Object{} : same;
    case Kind::Evaluation:
    case Kind::EpochMean:
      return same;
    case Kind::Pipeline:
    case Kind::None:
    case Kind::Transfer:
    case Kind::Link:
      break;
  }
  return {};
}

std::vector<PointedFigure> pointedFigures(const Object& object, const StepOf& step) {
  using Kind = Object::Kind;
  using Unit = PointedFigure::Unit;
  std::vector<PointedFigure> figures;
  const auto add = [&](const QString& name, double value, Unit unit = Unit::Number) {
    figures.push_back({name, value, unit});
  };
  const ReplicaStep* replica = replicaOf(step.record, object.endpoint);
  if (object.kind == Kind::Digit && replica != nullptr && object.index >= 0 &&
      object.index < std::ssize(replica->losses)) {
    const auto i = static_cast<std::size_t>(object.index);
    add(tr("replica"), object.endpoint, Unit::Class);
    add(tr("recognised as"), replica->predictions[i], Unit::Class);
    add(tr("loss of the image"), replica->losses[i]);
  } else if (object.kind == Kind::Gradient) {
    if (replica != nullptr && !replica->gradients.empty()) {
      add(tr("length of its own gradient"), norm(replica->gradients));
      add(tr("largest value of its gradient"), largest(replica->gradients));
    }
    add(tr("length of the gradient that the optimizer used"), norm(step.record.gradients));
  } else if (object.kind == Kind::Weights || object.kind == Kind::VariableShard) {
    if (const std::span<const float> weights = weightsAfter(step.record, replica); !weights.empty()) {
      add(tr("length of the weights after the step"), norm(weights));
      add(tr("largest weight"), largest(weights));
    }
    if (replica != nullptr)
      add(step.info.parameterDevices > 0 ? tr("distance of this copy to the servers'")
                                         : tr("distance of this copy to the first"),
          replica->weightsDistance);
  } else if (!step.record.timesKnown) {
    return figures;
  } else if (object.kind == Kind::Layer) {
    add(tr("time in this step"),
        static_cast<double>(
            timeOf(step, object.endpoint, SpanKind::Compute, labelOfOperation(static_cast<int>(object.index)))),
        Unit::Nanoseconds);
  } else if (object.kind == Kind::Device) {
    for (const auto& [name, kind] : {std::pair{tr("computes"), SpanKind::Compute},
                                     {tr("updates"), SpanKind::Update},
                                     {tr("waits"), SpanKind::Wait}})
      add(name, static_cast<double>(timeOf(step, object.endpoint, kind)), Unit::Nanoseconds);
  }
  return figures;
}

QString textOf(const PointedFigure& figure) {
  switch (figure.unit) {
    case PointedFigure::Unit::Nanoseconds:
      return durationText(std::llround(figure.value));
    case PointedFigure::Unit::Class:
      return QString::number(std::llround(figure.value));
    case PointedFigure::Unit::Number:
      break;
  }
  return numberText(figure.value, 'g', 6);
}

QString differenceText(const PointedFigure& figure, const PointedFigure& base) {
  if (figure.unit == PointedFigure::Unit::Class) return {};
  const double difference = figure.value - base.value;
  if (difference == 0) return QStringLiteral("0");
  PointedFigure apart = figure;
  apart.value = std::abs(difference);
  if (apart.unit == PointedFigure::Unit::Number)
    return (difference < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + roughText(apart.value);
  return (difference < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + textOf(apart);
}

}  // namespace lab
