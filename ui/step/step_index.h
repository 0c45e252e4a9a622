// SPDX-License-Identifier: GPL-3.0-or-later
// A step's record, arranged for drawing many moments of the step: spans by track, what is added where, which replica
// computed which example. Made once per record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/at.h"
#include "core/model/neural_network.h"
#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/aggregation.h"
#include "ui/playback/story.h"
#include "ui/step/step_pictures.h"

namespace lab {

class StepIndex {
 public:
  StepIndex(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record);
  // `sums`: who is in each replica's sum (replicasInSums()).
  StepIndex(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record,
            std::vector<std::vector<int>> sums);

  const RunInfo& info() const { return *info_; }
  const StepRecord& record() const { return *record_; }
  const Aggregation& aggregation() const { return *aggregation_; }
  const StepPictures& pictures() const { return *pictures_; }
  bool asynchronous() const { return record_->metric.worker.has_value(); }

  // What the endpoint's own track recorded in this step, ordered by time.
  const std::vector<const Span*>& track(int endpoint) const { return at(tracks_, endpoint); }
  // Indices into record().spans, in the order of the record.
  const std::vector<std::size_t>& transfers() const { return transfers_; }
  // Those that are under way at `ns`, or begin or end just then.
  std::vector<std::size_t> underWay(std::int64_t ns) const { return times_.underWay(ns, ns); }
  // A link that has transfers, and the first of them between each pair of its endpoints, also indices into
  // record().spans.
  struct UsedLink {
    int track = -1;
    std::vector<std::size_t> first;
  };
  const std::vector<UsedLink>& links() const { return links_; }  // by track

  // The endpoint's operation at `ns`, or nullptr.
  const Span* activity(int endpoint, std::int64_t ns) const;
  // The same, but nullptr while the movie still shows what precedes the computation, when nobody does anything.
  const Span* activity(int endpoint, const Story& story, double seconds) const;
  // What an asynchronous worker does. It queues for a server's link that others use, or for its turn if workers take
  // turns on one processor.
  enum class Doing { Queues, Computes, Pulls, Pushes, IsApplied };
  Doing doing(int worker, std::int64_t ns) const;
  // True if a message is on its way at `ns`. While there is none, nobody stands before a worker that queues: its
  // request is in transit, or has not been made yet.
  bool hasMessages(std::int64_t ns) const;
  // True if the replica had finished this operation of the step by `ns`.
  bool isDone(int replica, int operation, std::int64_t ns) const;  // an index into NeuralNetwork::operations()
  bool hasLoss(int replica, std::int64_t ns) const { return isDone(replica, info_->network->lossOperation(), ns); }
  bool hasGradients(int replica, std::int64_t ns) const {
    return isDone(replica, static_cast<int>(info_->network->operations().size()) - 1, ns);
  }
  // Number of elements of the replica's gradient buffer, from the front, that the backward pass had filled by `ns`.
  std::int64_t gradientReady(int replica, std::int64_t ns) const;
  // The batch that a replica has at `ns`, with its outcome: the recorded batch, or the one before (isPast), which an
  // asynchronous worker keeps until it computes again. Null: none yet.
  const ReplicaStep* batchOf(int replica, std::int64_t ns) const;
  bool isPast(int replica, std::int64_t ns) const;
  // True if the replica had been cancelled by `ns`, because it came too late for the step's sum.
  bool isLeftOut(int replica, std::int64_t ns) const;
  // True if the endpoint's variables had been updated by `ns`.
  bool isUpdated(int endpoint, std::int64_t ns) const;
  // The number of updates in the weights that a replica or parameter device has at `ns`; -1: none yet. `applied`:
  // whether an asynchronous step's gradients have been applied; the movie decides, as the step ends at that moment.
  std::int64_t versionOf(int endpoint, std::int64_t ns, bool applied) const;
  // If replicas keep parts of the variables: the share of the weights that a replica has (1 while a pass has all of
  // them), whether each replica has the sum of its part of the gradients, and whether it keeps nothing else of them.
  double partOfWeights(int replica, std::int64_t ns) const;
  bool isScattered(std::int64_t ns) const;
  bool keepsSumAlone(std::int64_t ns) const;
  // Number of updates that others have made since an asynchronous worker read its weights; at its own update, the
  // recorded number.
  std::int64_t staleness(int worker, std::int64_t ns, bool applied) const;
  // Number of examples in a batch that were predicted correctly.
  std::int64_t recognised(const ReplicaStep& batch) const;
  static double loss(const ReplicaStep& batch);  // mean
  double loss(int replica) const { return loss(at(record_->replicas, replica)); }
  // Number of replicas in the sum that the endpoint has once it is whole; 1 in a step without a sum, in which each
  // follows its own gradient.
  int inSum(int endpoint) const {
    if (!exchanges_) return 1;
    const auto at = static_cast<std::size_t>(endpoint);
    return static_cast<int>(at < sums_.size() ? std::ssize(sums_[at]) : record_->taking());
  }
  // The weight of one image of the replica's shard in the step's gradient, as a share of the sum over all; 0 without
  // images.
  double vote(int replica) const;
  bool votesDiffer() const;  // true if they differ from the votes that the images would have in equal shares

 private:
  void findLinks();
  bool sumsGradients() const;  // false: each replica follows its own

  std::shared_ptr<const RunInfo> info_;
  std::shared_ptr<const StepRecord> record_;
  std::unique_ptr<const Aggregation> aggregation_;
  std::unique_ptr<const StepPictures> pictures_;
  std::vector<std::vector<const Span*>> tracks_;
  std::vector<std::size_t> transfers_;
  std::vector<std::vector<int>> sums_;  // empty: each is over all replicas
  bool exchanges_ = true;               // false: the replicas send each other nothing in this step
  TransferTimes times_;
  std::vector<UsedLink> links_;
  std::vector<std::vector<std::size_t>> weightsInto_;  // by endpoint: the transfers that bring it weights
  // When each replica began to compute the recorded shard; the step's beginning if that was earlier.
  std::vector<std::int64_t> computeBegin_;
};

}  // namespace lab
