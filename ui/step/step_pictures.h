// SPDX-License-Identifier: GPL-3.0-or-later
// The values that a step's record holds, or that follow from it bit by bit, as pictures: weights, gradients, and the
// contents of buffers during an aggregation. Each picture is made once and kept as long as the same one is asked for,
// but only at the latest sizes. Any thread.
#pragma once

#include <QSize>

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/aggregation.h"
#include "ui/step/latest_sizes.h"
#include "ui/step/value_map.h"

namespace lab {

class StepPictures {
 public:
  // All three must outlive this object.
  StepPictures(const RunInfo& info, const StepRecord& record, const Aggregation& aggregation);

  const BufferMap& map() const { return map_; }
  // Where the colours end, the same for all copies: the largest magnitude of the step, rounded up. 0: nothing is known.
  double weightScale() const;
  double gradientScale() const;

  // A range of an endpoint's gradient buffer after the transfers that have ended by `ns`. `known`: how many elements
  // from the buffer's front are there; the others are left blank. `server`: the number of a parameter device, to show
  // only the variables that it holds; -1: all. Null: too expensive, or not recorded.
  Values gradients(int endpoint, const BufferRange& range, std::int64_t known, std::int64_t ns, QSize size,
                   int server = -1) const;
  // A range of the variables of a version (a number of updates), as the first copy or the servers have it, or as an
  // asynchronous worker has read it (`replica`); null if the record does not have that version.
  Values weights(std::int64_t version, const BufferRange& range, QSize size, int replica = -1) const;
  // What a transfer adds to a range of the buffer, and what the range held before: both as they were at that time.
  struct Terms {
    Values before, source;
  };
  Terms terms(std::size_t transfer, const BufferRange& range, QSize size) const;
  // How the step's update changed the weights: after minus before. Has its own scale; null if not recorded.
  Values change(const BufferRange& range, QSize size) const;
  double changeScale() const;
  // A copy after the step minus the first copy; for an asynchronous worker, the copy that it computes with minus the
  // servers'. Blank where both have the same bits. `amplified`: factor for the difference. Null if the record does not
  // have the copy.
  Values difference(int replica, const BufferRange& range, QSize size, double amplified) const;
  bool hasCopy(int replica) const;  // true if difference() has such a copy
  bool isEqual(int replica) const;  // true if the copy equals the first one, or the servers', bit by bit
  // The network's predictions for each image of a replica's recorded shard, in the order of the shard, as probabilities
  // of the classes; these are what it was trained on in this step. Null for many images, if the answer differs from
  // that in training (dropout, batch normalisation), or if the weights are not recorded.
  static constexpr std::int64_t kMostAnswered = 16;  // images per replica
  Values answers(int replica) const;
  // What each layer of the network output for an image of a replica's recorded shard, computed again from the recorded
  // weights. Empty if these are not recorded, if batch normalisation is over all replicas, or if it would take too
  // long. [layer][element], in the order of NetworkLayer::output.
  using LayerValues = std::vector<std::vector<float>>;
  const LayerValues& layerValues(int replica, std::size_t image) const;
  // One channel of a layer that has maps, or one unit of a layer without, as a picture. All channels of a layer share
  // its scale.
  Values unit(int replica, std::size_t image, std::size_t layer, std::int64_t channel) const;
  // All channels of a layer, `across` in a line, with a gap of one cell; for a layer without maps, a row of units.
  Values units(int replica, std::size_t image, std::size_t layer, int across) const;
  std::vector<float> pixels(int replica, std::size_t image) const;  // as the network gets them, 0 to 1
  Values digit(int replica, std::size_t image) const;               // the same as a picture, of the one colour or the
                                                                    // mean of three
  // The weights that the replica computed its shard with; empty if not known, as for a copy that differs from the
  // first.
  std::span<const float> weightsWith(int replica) const;
  // A replica's copy after `version` updates, if it differs from the first copy; null if not, or if not recorded.
  const std::vector<float>* ownWeights(std::int64_t version, int replica) const;
  // The first layer's kernel as tiles, `across` in a line.
  Values filters(std::int64_t version, const FilterShape& shape, const BufferRange& kernel, int across,
                 int replica = -1) const;

 private:
  enum class Kind { Gradients, Weights, Filters, Change, Difference };
  using Key = std::tuple<Kind, std::int64_t, int, BufferRange>;  // endpoint or version, server
  struct Kept {  // with what the picture depends on: elements that are there, transfers that have ended
    std::int64_t known = 0, ended = 0;
    bool ofWeights = false;
    Values values;
  };
  const std::vector<float>* weightsOf(std::int64_t version, int replica = -1) const;
  const std::vector<float>* copyOf(int replica) const;  // the copy that is compared; null: not recorded
  int ownerOf(const std::vector<float>* weights, int replica) const;
  std::int64_t versionWith(const ReplicaStep& step) const;  // number of updates in the weights that the step was
                                                            // computed with
  LayerValues computeLayers(int replica, std::size_t image) const;
  void findScales() const;
  std::span<const float> bufferAt(int endpoint, std::int64_t ns) const;  // the whole buffer
  std::vector<float> heldBy(int server, const BufferRange& range, std::span<const float> values) const;
  bool isTooMuch() const;  // true if adding up all buffers again would take too long
  void findArrivals() const;
  std::int64_t endedInto(int endpoint, const BufferRange& range, std::int64_t ns) const;  // number of transfers

  const RunInfo& info_;
  const StepRecord& record_;
  const Aggregation& aggregation_;
  BufferMap map_;
  mutable std::once_flag scaled_;  // most records are never drawn
  mutable double weightScale_ = 0, gradientScale_ = 0, changeScale_ = 0;
  struct Arrival {
    std::int64_t endNs = 0;
    BufferRange range;
    std::int64_t reach = 0;  // where the range ends, or one before it in the list, whichever is farther
  };
  mutable std::once_flag found_;
  mutable std::vector<std::vector<Arrival>> arrivals_;  // by endpoint: its incoming transfers, by offset
  mutable std::mutex mutex_;
  mutable std::map<Key, LatestSizes<Kept>> kept_;
  struct Summed {  // all endpoints' buffers at a moment
    std::int64_t ns = -1;
    Aggregation::Buffers buffers;
  };
  mutable Summed summed_;
  mutable std::map<std::pair<std::size_t, BufferRange>, LatestSizes<Terms>> terms_;
  mutable std::map<int, Values> answers_;                              // by replica
  mutable std::map<std::pair<int, std::size_t>, LayerValues> layers_;  // by replica and image
  mutable std::map<std::tuple<int, std::size_t, std::size_t, std::int64_t>, Values> units_;
  mutable std::map<std::tuple<int, std::size_t, std::size_t, int>, Values> allUnits_;
  mutable std::map<std::pair<int, std::size_t>, Values> digits_;
};

}  // namespace lab
