// SPDX-License-Identifier: GPL-3.0-or-later
// How values travel between GPUs, and between them and the host: as commands of a step, with just the events that the
// order of a schedule's transfers needs, or at once between two steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/cluster/gpu/gpu_parts.h"
#include "core/cluster/gpu/gpu_step.h"
#include "core/cluster/reduction.h"
#include "core/comm/schedule.h"

namespace lab {

class GpuTransfers {
 public:
  GpuTransfers(GpuParts& parts, GpuStep& step) : parts_(parts), list_(parts.list), step_(step) {}
  ~GpuTransfers();
  GpuTransfers(const GpuTransfers&) = delete;
  GpuTransfers& operator=(const GpuTransfers&) = delete;

  // ---- in a step
  void prepare(const ReductionPlan& plan);
  enum class Buffer { Weights, Gradients };
  // A schedule's transfers on the element `base` of everybody's weights or gradients.
  void run(const Schedule& schedule, std::int64_t base, Buffer buffer, Label label, int pack);
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then);
  // Between processes the host carries what the GPUs have: brought to the replicas' own variables, where `exchange`
  // changes it, and back.
  void exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange);
  // Weights from the host, gradients to it, both page-locked here; in order with the rest. Where `endpoint` has the
  // host's copy there is a span.
  void sendWeights(GpuDevice& device, float* host, std::optional<int> endpoint);
  void fetchGradients(GpuDevice& device, float* host, std::optional<int> endpoint);
  // Moving statistics on their way: page-locked, and from there to the GPU or back.
  std::span<float> passedStatistics(const GpuDevice& device);
  void passStatistics(GpuDevice& device, bool toHost);

  // ---- between steps, or after GpuStep::flush(): these wait
  void copyStatistics(bool toHost);
  void upload(GpuDevice& device, const Variables& host);
  void download(GpuDevice& device, Variables& host);
  void downloadOutcome(GpuDevice& device, Activations& host);

 private:
  void carry(const Transfer& transfer, std::int64_t base, Buffer buffer, Label label, int pack);
  void allReduceWithNccl(const Pack& range, Buffer buffer, int pack);
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
