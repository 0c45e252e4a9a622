// SPDX-License-Identifier: GPL-3.0-or-later
// How values travel between GPUs, and between GPUs and the host: either as commands of a step, with only the events
// that the order of a schedule's transfers needs, or at once between two steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/comm/schedule.h"
#include "core/replicas/gpu/gpu_parts.h"
#include "core/replicas/gpu/gpu_step.h"
#include "core/replicas/reduction.h"

namespace lab {

class GpuTransfers {
 public:
  GpuTransfers(GpuParts& parts, GpuStep& step) : parts_(parts), list_(parts.list), step_(step) {}
  ~GpuTransfers();
  GpuTransfers(const GpuTransfers&) = delete;
  GpuTransfers& operator=(const GpuTransfers&) = delete;

  // ---- in a step
  void prepare(const ReductionPlan& plan);
  void broadcast(const Schedule& schedule);
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then);
  // Where variables lie in parts: copies the parts' weights from the whole buffers; sends the weights of all parts to
  // all replicas.
  void takeParts();
  void gather(const ReductionPlan& plan);
  // Between processes the host carries the GPUs' values: copies them into the replicas' host variables, where
  // `exchange` changes them, and copies them back.
  void exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange);
  // Send weights from the host and fetch gradients to it, in order with the other commands; the host buffers are
  // page-locked here. If `endpoint`, the owner of the host's copy, is given, the transfer gets a span.
  void sendWeights(GpuDevice& device, float* host, std::optional<int> endpoint);
  void fetchGradients(GpuDevice& device, float* host, std::optional<int> endpoint);
  // Moving statistics in transit: page-locked memory, and the copy from there to the GPU or back.
  std::span<float> passedStatistics(const GpuDevice& device);
  void passStatistics(GpuDevice& device, bool toHost);

  // ---- between steps, or after GpuStep::flush(): these functions wait
  void copyStatistics(bool toHost);
  // If variables lie in parts, these functions copy parts.
  void upload(GpuDevice& device, const Variables& host);
  void download(GpuDevice& device, Variables& host);
  void downloadWeights(GpuDevice& device, Variables& host);
  void downloadOutcome(GpuDevice& device, Activations& host);

 private:
  enum class Buffer { Weights, Gradients };
  // Runs a schedule's transfers on all replicas' weights or gradients; `base` is the element at the schedule's offset
  // 0.
  void run(const Schedule& schedule, std::int64_t base, Buffer buffer, Label label, int pack);
  void carry(const Transfer& transfer, std::int64_t base, Buffer buffer, Label label, int pack);
  // Runs a schedule that averages (Schedule::averages), on the replicas' weights.
  void average(const Schedule& schedule, std::int64_t base, Label label, int pack);
  void averageIn(const Transfer& transfer, std::int64_t base, std::size_t inMean);
  void addReduceSpans(const std::vector<int>& began, Label label, int pack);
  void allReduceWithNccl(const Pack& range, Buffer buffer, int pack);
  void keepSummedGradients();
  void copyPieces(const GpuDevice& device, float* whole, float* part, bool toPart);
  bool usesNccl(const ReductionPlan& plan) const {
    return plan.reducer == Reducer::Nccl && (parts_.members().size() > 1 || parts_.ncclForOne);
  }
  void pin(void* memory, std::int64_t bytes);

  GpuParts& parts_;
  gpu::CommandList& list_;
  GpuStep& step_;
  std::vector<void*> pinned_;
  gpu::PinnedMemory passed_;  // moving statistics, per replica
};

}  // namespace lab
