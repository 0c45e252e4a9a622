// SPDX-License-Identifier: GPL-3.0-or-later
// The values that a step's record holds, or that follow from it bit by bit, as pictures: weights, gradients, what lies
// in the buffers in the middle of an aggregation. Each picture is made once and kept while the same is asked for. Any
// thread.
#pragma once

#include <QSize>

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/aggregation.h"
#include "ui/scene/value_map.h"

namespace lab {

class StepPictures {
 public:
  // All three must outlive this.
  StepPictures(const RunInfo& info, const StepRecord& record, const Aggregation& aggregation);

  const BufferMap& map() const { return map_; }
  // Where colours end, the same in all copies: the largest magnitude of the step, rounded up. 0: nothing is known.
  double weightScale() const;
  double gradientScale() const;

  // A range of an endpoint's gradient buffer after the transfers that have ended by `ns`. `known`: so many elements
  // from the buffer's front are there; the rest is left out. `server`: only the variables that this parameter device
  // holds, by its number; -1: all. Null: more than is worth it, or not recorded.
  Values gradients(int endpoint, const BufferRange& range, std::int64_t known, std::int64_t ns, QSize size,
                   int server = -1) const;
  // A range of the variables with so many updates in them, as the first copy or the servers have them, or as an
  // asynchronous worker has read them (`replica`); null where the record does not have those.
  Values weights(std::int64_t version, const BufferRange& range, QSize size, int replica = -1) const;
  // What a transfer adds, and what it is added to, of a range of the buffer: both as they were then.
  struct Terms {
    Values before, source;
  };
  Terms terms(std::size_t transfer, const BufferRange& range, QSize size) const;
  // What the step's update made of the weights: after it less before it. Its own scale; null where that is not
  // recorded.
  Values change(const BufferRange& range, QSize size) const;
  double changeScale() const;
  // A copy after the step less the first one; of an asynchronous worker, the one that it computes with less the
  // servers'. Blank where both have the same bits. `amplified`: so many times as large. Null where the record does not
  // have the copy.
  Values difference(int replica, const BufferRange& range, QSize size, double amplified) const;
  bool hasCopy(int replica) const;  // there is such a difference
  bool isEqual(int replica) const;  // bit by bit, to the first copy, or to the servers'
  // What the network says of each image of a replica's recorded shard, in the order of the shard, as probabilities of
  // its classes; what it was trained on in this step. Null for many images, and where the answer is not the same as in
  // training (dropout, batch normalisation) or the weights are not recorded.
  static constexpr std::int64_t kMostAnswered = 16;  // images of a replica
  Values answers(int replica) const;
  // What each layer of the network gave for an image of a replica's recorded shard, computed again from the recorded
  // weights; empty where those are not recorded, where batch normalisation is over all replicas, and where it would
  // take too long. [layer][element], as NetworkLayer::output has them.
  using LayerValues = std::vector<std::vector<float>>;
  const LayerValues& layerValues(int replica, std::size_t image) const;
  // Of those: a channel of a layer that has maps, or a unit of one that has none, as a picture. Its scale is the
  // layer's, for all of its channels.
  Values unit(int replica, std::size_t image, std::size_t layer, std::int64_t channel) const;
  // All of its channels, `across` in a line, with a gap of one cell; of a layer without maps a row of units.
  Values units(int replica, std::size_t image, std::size_t layer, int across) const;
  std::vector<float> pixels(int replica, std::size_t image) const;  // as the network gets them, 0 to 1
  Values digit(int replica, std::size_t image) const;               // likewise, of one colour or the mean of three
  // That it computed its shard with; empty: not known, as of a copy that differs from the first one.
  std::span<const float> weightsWith(int replica) const;
  // A replica's copy after so many updates, where that is not the first one's; null: it is, or it is not recorded.
  const std::vector<float>* ownWeights(std::int64_t version, int replica) const;
  // The first layer's kernel as tiles, `across` in a line.
  Values filters(std::int64_t version, const FilterShape& shape, const BufferRange& kernel, int across,
                 int replica = -1) const;

 private:
  enum class Kind { Gradients, Weights, Filters, Change, Difference };
  using Key = std::tuple<Kind, std::int64_t, int, BufferRange, int, int>;  // endpoint or version, server, pixels
  struct Kept {  // with what it depends on: elements that are there, transfers that have ended
    std::int64_t known = 0, ended = 0;
    bool ofWeights = false;
    Values values;
  };
  const std::vector<float>* weightsOf(std::int64_t version, int replica = -1) const;
  const std::vector<float>* copyOf(int replica) const;  // that is compared; null: not recorded
  int ownerOf(const std::vector<float>* weights, int replica) const;
  std::int64_t versionWith(const ReplicaStep& step) const;  // updates in the weights that it computed with
  LayerValues computeLayers(int replica, std::size_t image) const;
  void findScales() const;
  std::span<const float> bufferAt(int endpoint, std::int64_t ns) const;  // the whole of it
  std::vector<float> heldBy(int server, const BufferRange& range, std::span<const float> values) const;
  bool isTooMuch() const;  // to add up all buffers again
  void findArrivals() const;
  std::int64_t endedInto(int endpoint, const BufferRange& range, std::int64_t ns) const;  // so many transfers

  const RunInfo& info_;
  const StepRecord& record_;
  const Aggregation& aggregation_;
  BufferMap map_;
  mutable std::once_flag scaled_;  // most records are never drawn
  mutable double weightScale_ = 0, gradientScale_ = 0, changeScale_ = 0;
  struct Arrival {
    std::int64_t endNs = 0;
    BufferRange range;
  };
  mutable std::once_flag found_;
  mutable std::vector<std::vector<Arrival>> arrivals_;  // of an endpoint's transfers
  mutable std::mutex mutex_;
  mutable std::map<Key, Kept> kept_;
  struct Summed {  // all endpoints' buffers at a moment
    std::int64_t ns = -1;
    Aggregation::Buffers buffers;
  };
  mutable Summed summed_;
  mutable std::map<std::tuple<std::size_t, BufferRange, int, int>, Terms> terms_;
  mutable std::map<int, Values> answers_;                              // by replica
  mutable std::map<std::pair<int, std::size_t>, LayerValues> layers_;  // by replica and image
  mutable std::map<std::tuple<int, std::size_t, std::size_t, std::int64_t>, Values> units_;
  mutable std::map<std::tuple<int, std::size_t, std::size_t, int>, Values> allUnits_;
  mutable std::map<std::pair<int, std::size_t>, Values> digits_;
};

}  // namespace lab
