// SPDX-License-Identifier: GPL-3.0-or-later
// What replicas on GPUs compute, as commands of a step. The course network has fused kernels; every other network runs
// layer by layer (gpu_layers.h). Replicas exchange sums on the way if a batch normalisation is synchronised.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/replicas/gpu/gpu_layers.h"
#include "core/replicas/gpu/gpu_parts.h"
#include "core/replicas/gpu/gpu_step.h"

namespace lab {

class GpuCompute {
 public:
  GpuCompute(GpuParts& parts, GpuStep& step) : parts_(parts), list_(parts.list), step_(step) {}

  void begin() { toTakeApart_.clear(); }
  void load(const Replica& replica);  // gathers the replica's shard
  // If `again`, moving statistics have been updated and sums exchanged already.
  void compute(const Replica& replica, float scale, bool again);
  // Computes all replicas together, because they add up sums on the way. The sums are copied between the replicas or
  // gathered by the hosts, without a schedule.
  void computeTogether(const std::function<float(const Replica&)>& scaleOf) { computeTogether(scaleOf, nullptr); }
  // Computes all replicas, and calls `gather` before the forward passes and before the backward passes.
  void computeGathering(const std::function<float(const Replica&)>& scaleOf, const std::function<void()>& gather);
  // After the computation of a watched step that was launched whole, takeApart() runs its layers once more, outside the
  // step's times, to see each layer's share.
  bool hasToTakeApart() const { return !toTakeApart_.empty(); }
  void takeApart();
  // Evaluates with these weights and moving statistics. May be called from several threads.
  void evaluate(const Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                const float* weights, std::span<const float> statistics, float* losses, std::uint8_t* right);

 private:
  void reserve(GpuDevice& device, std::int64_t examples);
  void copyParameters(GpuDevice& device, std::int64_t indices);
  // Returns whether the convolution reads the images as bytes, by index, so that nothing needs to be gathered.
  bool readsBytes() const;
  void gather(GpuDevice& device, std::int64_t n);
  Span inputSpan(const GpuDevice& device) const;
  void takePlace(GpuDevice& device, const Replica& replica);
  void computePart(GpuDevice& device, PassPart part, float scale, bool again);
  void computeTogether(const std::function<float(const Replica&)>& scaleOf, const std::function<void()>* gatherAgain);
  void computeFused(GpuDevice& device, PassPart part, float scale, bool again);
  void forwardFused(GpuDevice& device, float scale);
  void backwardFused(GpuDevice& device);
  void computeLayers(GpuDevice& device, PassPart part, float scale, std::vector<GpuTimedSpan>* spans, bool again);
  void computeNetwork(GpuDevice& device, float scale, std::vector<GpuTimedSpan>* spans, bool again);
  void tally(GpuDevice& device, int stream);
  PassOf passOf(GpuDevice& device, float scale, bool again);
  GpuLayerPass passOn(GpuDevice& device, float scale, bool again, const OperationObserver& observer);
  OperationObserver observerOf(GpuDevice& device, std::vector<GpuTimedSpan>& spans, int& began);
  void exchange(std::vector<GpuLayerPass>& passes);
  void exchangeOverHosts(std::vector<GpuLayerPass>& passes);
  void evaluateNetwork(GpuDevice& device, std::int64_t n, std::span<const float> statistics);

  GpuParts& parts_;
  gpu::CommandList& list_;
  GpuStep& step_;
  std::vector<GpuTakenApart> toTakeApart_;
  gpu::PinnedMemory exchanged_;  // sums on their way between hosts
  std::mutex evaluating_;
};

}  // namespace lab
