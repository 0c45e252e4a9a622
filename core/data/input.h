// SPDX-License-Identifier: GPL-3.0-or-later
// The input pipeline: epochs of the training examples, shuffled by a buffer as in tf.data, cut into steps and
// distributed to replicas. Deterministic for a seed, and the same on every machine; its position can be saved and
// restored exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/data/split.h"

namespace lab {

// tf.data's shuffle(buffer): a buffer of `buffer` indices; each draw takes a random one and replaces it with the next
// index. buffer 0 or 1: file order. One object is one epoch.
class ShuffledRange final : public IndexStream {
 public:
  // Half-open ranges of indices, in order.
  struct Range {
    std::int64_t begin = 0, end = 0;
  };
  ShuffledRange(std::vector<Range> ranges, std::int64_t buffer, Rng rng);
  bool next(std::int64_t& index) override;

 private:
  bool nextInOrder(std::int64_t& index);
  std::vector<Range> ranges_;
  std::size_t rangeAt_ = 0;
  std::int64_t at_ = 0;
  std::int64_t capacity_ = 0;
  std::vector<std::int64_t> buffer_;
  bool filled_ = false;
  Rng rng_;
};

// The position of an Input: enough to continue from exactly there.
struct InputPosition {
  std::int64_t epoch = 0;        // epochs begun before the current one
  std::int64_t stepInEpoch = 0;  // steps distributed in the current epoch
};

// The synchronous strategies' input: each step distributes one batch to all replicas, epoch after epoch, reshuffled in
// each (epoch k uses Rng(seed, stream of k) on every host, as one seed in one program does). An epoch ends when no
// replica has data. If the V2 rule gives all hosts empty sub-batches at once in mid-epoch (only possible if the global
// batch is below the replica count), that round is skipped and does not count as a step. The constructor throws a
// UserError for no examples, a negative buffer, and what resolveSplit refuses.
class Input {
 public:
  Input(std::int64_t examples, const SplitSettings& split, std::int64_t shuffleBuffer, std::uint64_t seed);
  ~Input();

  DistributedBatch next();             // starts the next epoch when the current one is at its end; never empty
  std::int64_t stepsPerEpoch() const;  // exact, counted by the same rules
  // Returns the examples delivered per epoch over all hosts (with the OFF policy, each host delivers every example).
  std::int64_t examplesPerEpoch() const;
  InputPosition position() const;
  // Replays the epoch up to the position: exact, and linear in stepInEpoch. Throws a UserError if there is no such
  // position (a checkpoint with other settings).
  void seek(const InputPosition& position);
  ResolvedSplit resolved() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A parameter-server worker's input: the whole data set, repeated, shuffled differently on each worker (on worker 0 as
// Input does with one replica), in batches of `batch`; the last batch of an epoch is shorter.
class WorkerInput {
 public:
  WorkerInput(std::int64_t examples, std::int64_t batch, int worker, std::int64_t shuffleBuffer, std::uint64_t seed);
  std::vector<std::int64_t> next();
  InputPosition position() const;
  void seek(const InputPosition& position);

 private:
  void beginEpoch();
  std::int64_t examples_, batch_, shuffleBuffer_;
  int worker_;
  std::uint64_t seed_;
  InputPosition position_;
  std::unique_ptr<ShuffledRange> stream_;
};

}  // namespace lab
