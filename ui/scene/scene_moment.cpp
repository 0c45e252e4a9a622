// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_moment.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"
#include "ui/scene/scene_canvas.h"

namespace lab {
namespace {

Contributions::Bits replicasWithImages(const StepRecord& record, bool asynchronous) {
  Contributions::Bits marked;
  marked.set();
  for (std::size_t r = 0; r < record.replicas.size(); ++r)
    if (!asynchronous && record.replicas[r].shard.empty()) marked.reset(r);
  return marked;
}

Contributions::Bits countedIn(const StepRecord& record) {
  Contributions::Bits marked;
  marked.set();
  for (const int replica : record.metric.leftOut) marked.reset(static_cast<std::size_t>(replica));
  for (const Absence& each : record.absent) marked.reset(static_cast<std::size_t>(each.replica));
  return marked;
}

}  // namespace

SceneMoment::SceneMoment(const SceneInput& shown)
    : input(shown),
      step(shown.step),
      info(step.info()),
      record(step.record()),
      ns(shown.story.clockAt(shown.seconds)),
      asynchronous(step.asynchronous()),
      taking(static_cast<int>(record.taking())),
      counted(countedIn(record)),
      state_(step.aggregation().takeState(ns)),
      withImages_(replicasWithImages(record, asynchronous)) {}

SceneMoment::~SceneMoment() {
  step.aggregation().giveBack(std::move(state_));
}

bool SceneMoment::isAt(BeatKind kind) const {
  const Beat* beat = input.story.find(kind);
  return beat != nullptr && input.seconds >= beat->beginS &&
         (input.seconds < beat->endS || beat->endS >= input.story.seconds);
}

double SceneMoment::progress(BeatKind kind) const {
  const Beat* beat = input.story.find(kind);
  if (beat == nullptr || input.seconds <= beat->motionS) return 0;
  constexpr double kMomentS = 0.01;  // a paused movie stops at the beat's last frame, which counts as its end
  if (input.seconds >= beat->endS - kMomentS) return 1;
  return (input.seconds - beat->motionS) / (beat->endS - beat->motionS);
}

double SceneMoment::progress(const Span& span) const {
  return static_cast<double>(ns - span.startNs) / static_cast<double>(std::max<std::int64_t>(1, span.durationNs));
}

bool SceneMoment::hasApplied() const {
  const Beat* apply = input.story.find(BeatKind::Apply);
  return apply != nullptr && input.seconds >= apply->motionS;
}

// When the strategy's start-up ends, which is told line by line while the clock stands; then the weights can be copied.
double SceneMoment::startUpEndsS() const {
  const Beat* beat = input.story.find(BeatKind::Startup);
  if (beat == nullptr) return 0;
  double endS = beat->motionS;
  for (const Story::Knot& knot : input.story.clock)
    if (knot.ns == beat->beginNs) endS = std::max(endS, std::min(knot.seconds, beat->endS));
  return endS;
}

bool SceneMoment::isOnItsWay(const Span& transfer) const {
  if (ns < transfer.startNs || ns >= transfer.startNs + transfer.durationNs) return false;
  // While the batch is shown, nothing of the step has begun, even if the clock already stands at that moment.
  return transfer.step != record.metric.step || input.story.isUnderWay(input.seconds);
}

BufferRange SceneMoment::rangeOf(const Span& transfer) const {
  return transfer.round < 0 ? BufferRange{0, info.parameters} : BufferRange{transfer.offset, transfer.count};
}

bool SceneMoment::isDead(int endpoint) const {
  return deadTaskOf(info, record, endpoint, ns) != nullptr;
}

QString SceneMoment::absence(int worker) const {
  if (std::ranges::find(input.left, worker) != input.left.end()) return tr("has left");
  return absenceWords(record, worker);
}

std::int64_t SceneMoment::knownVersionOf(int replica) const {
  const std::vector<ReplicaStep>& all = record.replicas;
  const auto r = static_cast<std::size_t>(replica);
  const bool differs =
      !asynchronous && r < all.size() && all[r].weightsDigest != 0 && all[r].weightsDigest != all.front().weightsDigest;
  const std::int64_t version = versionOf(replica);
  if (!differs || step.pictures().ownWeights(version, replica) != nullptr) return version;
  return version < record.metric.step && beganAlike(info, record) ? version : -1;
}

Values SceneMoment::gradientsIn(const QRectF& box, int endpoint, const BufferRange& range, std::int64_t known,
                                int server) const {
  return step.pictures().gradients(endpoint, range, known, ns, resolutionOf(box), server);
}

std::span<const Contributions> SceneMoment::cellsOf(int endpoint) const {
  const std::size_t cells = step.aggregation().cells().size();
  const std::size_t first = std::min(static_cast<std::size_t>(endpoint) * cells, state_.of.size());
  return std::span(state_.of).subspan(first, std::min(cells, state_.of.size() - first));
}

bool SceneMoment::isWhole(const Contributions& of, int endpoint) const {
  if (const std::size_t inMean = step.aggregation().inMean(); inMean > 0) return of.count() == inMean;
  const auto all = static_cast<std::size_t>(step.inSum(endpoint));
  return info.isClass ? counted.in(of) + record.metric.leftOut.size() == all : of.count() == all;
}

int SceneMoment::onlyOneIn(const Contributions& of) const {
  if (counted.in(of) != 1) return -1;
  int whose = 0;
  while (!of.test(static_cast<std::size_t>(whose)) || !counted.test(static_cast<std::size_t>(whose))) ++whose;
  return whose;
}

}  // namespace lab
