// SPDX-License-Identifier: GPL-3.0-or-later
// A step's record, arranged for drawing many moments of it: spans by lane, what is added where, who computed which
// example. Made once per record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/neural_network.h"
#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/aggregation.h"
#include "ui/playback/story.h"
#include "ui/scene/step_pictures.h"

namespace lab {

class StepIndex {
 public:
  StepIndex(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record);

  const RunInfo& info() const { return *info_; }
  const StepRecord& record() const { return *record_; }
  const Aggregation& aggregation() const { return *aggregation_; }
  const StepPictures& pictures() const { return *pictures_; }
  bool asynchronous() const { return record_->metric.worker.has_value(); }

  // What the endpoint's own lane recorded in this step, in the order of time.
  const std::vector<const Span*>& lane(int endpoint) const { return lanes_[static_cast<std::size_t>(endpoint)]; }
  // Indices into record().spans, in the order of the record.
  const std::vector<std::size_t>& transfers() const { return transfers_; }

  // Its operation at `ns`, nullptr where it has none.
  const Span* activity(int endpoint, std::int64_t ns) const;
  // The same while the movie may still be at what comes before the computation, where nobody does anything.
  const Span* activity(int endpoint, const Story& story, double seconds) const;
  // What an asynchronous worker is at. It queues for a link of a server that others use; where workers take turns on
  // one processor, for its turn.
  enum class Doing { Queues, Computes, Pulls, Pushes, IsApplied };
  Doing doing(int worker, std::int64_t ns) const;
  // Whether the replica had finished this operation of the step by `ns`.
  bool isDone(int replica, int operation, std::int64_t ns) const;  // of NeuralNetwork::operations()
  bool hasLoss(int replica, std::int64_t ns) const { return isDone(replica, info_->network->lossOperation(), ns); }
  bool hasGradients(int replica, std::int64_t ns) const {
    return isDone(replica, static_cast<int>(info_->network->operations().size()) - 1, ns);
  }
  // Elements of its gradient buffer, from the front, that the backward pass had filled by `ns`.
  std::int64_t gradientReady(int replica, std::int64_t ns) const;
  // The batch that a replica has at `ns`, with its outcome: the recorded one, or that before it (isPast), which an
  // asynchronous worker keeps until it computes again. Null: none yet.
  const ReplicaStep* batchOf(int replica, std::int64_t ns) const;
  bool isPast(int replica, std::int64_t ns) const;
  // Whether it had been cancelled by `ns`, as it came too late for the step's sum.
  bool isLeftOut(int replica, std::int64_t ns) const;
  // Whether the endpoint's variables had been updated by `ns`.
  bool isUpdated(int endpoint, std::int64_t ns) const;
  // Updates in the weights that a replica or parameter device has at `ns`; -1: none yet. `applied`: whether an
  // asynchronous step's gradients have been applied, which is a matter of the movie, for it ends at that moment.
  std::int64_t versionOf(int endpoint, std::int64_t ns, bool applied) const;
  // Where replicas keep parts of the variables: how much of the weights one has, 1 while a pass has all of them;
  // whether each has the sum of its part of the gradients; and whether that is all that it keeps of them.
  double partOfWeights(int replica, std::int64_t ns) const;
  bool isScattered(std::int64_t ns) const;
  bool keepsSumAlone(std::int64_t ns) const;
  // Updates that others have made since an asynchronous worker read its weights; at its own update, the recorded
  // number.
  std::int64_t staleness(int worker, std::int64_t ns, bool applied) const;
  // Examples of a batch that were predicted rightly.
  std::int64_t recognised(const ReplicaStep& batch) const;
  static double loss(const ReplicaStep& batch);  // mean
  double loss(int replica) const { return loss(record_->replicas[static_cast<std::size_t>(replica)]); }
  // What one image of its shard counts in the step's gradient: its share of the sum over all. 0 where it has none.
  double vote(int replica) const;
  bool votesDiffer() const;  // from those that the same images would have in equal shares

 private:
  std::shared_ptr<const RunInfo> info_;
  std::shared_ptr<const StepRecord> record_;
  std::unique_ptr<const Aggregation> aggregation_;
  std::unique_ptr<const StepPictures> pictures_;
  std::vector<std::vector<const Span*>> lanes_;
  std::vector<std::size_t> transfers_;
  // When each replica's computation of the recorded shard began; the step's beginning where that was before.
  std::vector<std::int64_t> computeBegin_;
};

}  // namespace lab
