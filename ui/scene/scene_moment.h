// SPDX-License-Identifier: GPL-3.0-or-later
// What a step's record says of one moment of its movie: what endpoints do, which weights they have, who is dead, whose
// gradients a sum contains. Knows no places, only sizes of pictures.
#pragma once

#include <QCoreApplication>

#include <cstdint>
#include <span>

#include "ui/scene/scene.h"

namespace lab {

class SceneMoment {
  Q_DECLARE_TR_FUNCTIONS(lab::SceneMoment)

 public:
  explicit SceneMoment(const SceneInput& shown);  // `shown` must outlive the moment
  ~SceneMoment();
  SceneMoment(const SceneMoment&) = delete;
  SceneMoment& operator=(const SceneMoment&) = delete;

  const SceneInput& input;
  const StepIndex& step;
  const RunInfo& info;
  const StepRecord& record;
  const std::int64_t ns;  // on the step's clock
  const bool asynchronous;
  const int taking;  // replicas that take part in the step
  // The replicas whose gradients are in a sum: those that came too late added zeros, and a class's sum may be made in
  // the place of an absent replica.
  const MarkedReplicas counted;

  bool isAt(BeatKind kind) const;
  // Where the moment lies in a beat's motion, 0 to 1; 1 after it, 0 before it or where the step has no such beat.
  double progress(BeatKind kind) const;
  double progress(const Span& span) const;  // 0 when the span begins, 1 when it ends
  bool waitsForImages() const { return !asynchronous && progress(BeatKind::Distribute) < 1; }
  // True if a worker that does nothing queues behind another; processes in real time only wait.
  bool namesQueue() const { return record.metric.clock == TimeSource::Modelled && step.hasMessages(ns); }
  bool hasApplied() const;      // true if an asynchronous step's gradients have been applied
  double startUpEndsS() const;  // until then the clock stands at the step's beginning, and nothing is in transit

  bool isServer(int endpoint) const { return endpoint >= info.replicas; }
  // What an endpoint does; nullptr while the movie still shows what precedes the computation.
  const Span* activity(int endpoint) const { return step.activity(endpoint, input.story, input.seconds); }
  bool isOnItsWay(const Span& transfer) const;
  BufferRange rangeOf(const Span& transfer) const;  // the whole buffer for a server's share, which is no single range
  bool isDead(int endpoint) const;                  // true if the endpoint's task is dead
  QString absence(int worker) const;                // why a worker of a class is absent; "" if the worker is present

  // The number of updates in the weights that the replica or server holds; -1: no weights yet.
  std::int64_t versionOf(int endpoint) const { return step.versionOf(endpoint, ns, hasApplied()); }
  // The version whose values the replica's copy has; -1: not known, because its copy differs from the recorded one (a
  // broken copy before the update, or local steps since the last average).
  std::int64_t knownVersionOf(int replica) const;
  // The same, but -1 unless the replica has all of the weights.
  std::int64_t wholeVersionOf(int replica) const {
    return step.partOfWeights(replica, ns) < 1 ? -1 : knownVersionOf(replica);
  }
  // The picture of a range of an endpoint's buffer, for a box of this size; elements from `known` on are not there yet.
  // `server`: only the elements that this server holds; -1: all.
  Values gradientsIn(const QRectF& box, int endpoint, const BufferRange& range, std::int64_t known,
                     int server = -1) const;

  // Whose gradients an endpoint's cell contains, and all of its cells.
  const Contributions& holds(int endpoint, std::size_t cell) const { return state_.at(endpoint, cell); }
  std::span<const Contributions> cellsOf(int endpoint) const;
  // True if every replica of the endpoint's sum has been added, if only zeros.
  bool isWhole(const Contributions& of, int endpoint) const;
  // The replica whose gradient alone is in it, beside zeros of those that came too late; -1: none, or several.
  int onlyOneIn(const Contributions& of) const;
  bool isOfZeros(const Contributions& of) const { return withImages_.in(of) == 0; }

 private:
  Aggregation::State state_;
  const MarkedReplicas withImages_;
};

}  // namespace lab
