// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster's verbs where the replicas are on real GPUs: what goes on between them, what travels to the host and
// back, and results that come a step late.
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/comm/execute.h"

namespace lab {

Variables& Cluster::variablesOf(int index) {
  if (gpus_ && !asynchronous()) gpus_->download(index, replica(index).variables);
  return replica(index).variables;
}

void Cluster::variablesHaveChanged() {
  if (!gpus_ || asynchronous()) return;
  for (int r = 0; r < replicas(); ++r) gpus_->upload(r, replica(r).variables);
}

// For whoever reads everything on the host: a record. Waits. An asynchronous worker's are there already.
void Cluster::bringVariables() {
  if (!gpus_ || asynchronous()) return;
  for (int r = 0; r < replicas(); ++r) {
    gpus_->download(r, replica(r).variables);
    gpus_->downloadOutcome(r, replica(r).activations);
  }
}

// What a watched step has computed is launched once more, layer by layer. All of it is left out of the step's time.
void Cluster::takeApart() {
  if (gpus_ && gpus_->canTakeApart())
    gpus_->pause(sinceOriginNs(), [this] { unmeasured([this] { gpus_->takeApart(); }); });
}

GpuStepResult Cluster::takeResult(std::int64_t step) {
  if (result_ && result_->first == step) return std::exchange(result_, std::nullopt)->second;
  GpuStepResult result = gpus_->take(step);
  publishGpuSpans(result.spans);
  return result;
}

void Cluster::publishGpuSpans(std::vector<Span>& spans) {
  if (telemetry_.spansWanted())
    for (const Span& span : spans) telemetry_.span(span);
  if (recording_ || asynchronous() || step_ == 0) stepSpans_.insert(stepSpans_.end(), spans.begin(), spans.end());
  spans.clear();
}

void Cluster::allReduceOnGpus(const ReductionPlan& plan) {
  // Whoever looks at the replicas' own gradients makes the host wait for them.
  const bool looked = recording_ || settings_.noiseScale;
  std::vector<LocalGradient> local;
  if (looked)
    gpus_->pause(sinceOriginNs(), [&] {
      unmeasured([&] {
        bringVariables();
        if (recording_) recording_->keepOwnGradients();
      });
      local = localGradients();
    });
  for (std::size_t i = 0; i < plan.packs.size(); ++i) {
    const PackedSchedule& packed = plan.packs[i];
    if (usesNccl(plan))
      gpus_->allReduceWithNccl(packed.pack.offset, packed.pack.count, static_cast<int>(i));
    else
      gpus_->run(packed.schedule, packed.pack.offset, GpuReplicas::Buffer::Gradients, Label::AllReduce,
                 static_cast<int>(i));
    // NCCL chooses its algorithm itself, and does not tell: counted as the ring, which sends the least.
    copiedBytes_ += packed.schedule.bytesSent();
  }
  if (local.empty()) return;
  gpus_->pause(sinceOriginNs(), [&] {
    unmeasured([this] { bringVariables(); });
    noteNoise(local, replica(0).variables.gradients.data());
  });
}

// The variables are in the host's memory, so the gradients come over and the host adds them, in the schedule's order.
void Cluster::reduceOnHost(ParameterDevice& device) {
  for (int r = 0; r < replicas(); ++r)
    gpus_->fetchGradients(r, replica(r).variables.gradients.data(), topology_.parameterDevice(0));
  gpus_->flush(sinceOriginNs());
  if (recording_)
    gpus_->pause(sinceOriginNs(), [this] {
      unmeasured([this] {
        bringVariables();
        recording_->keepOwnGradients();
      });
    });
  const std::vector<LocalGradient> local = localGradients();
  device.clock.begin();
  std::ranges::fill(device.variables.gradients.span(), 0.0F);
  execute(pushSchedule_, 0, buffers(&Variables::gradients), *backend_, pool_);
  device.clock.end(SpanKind::Reduce, labelOf(Label::AddGradients), layout().size());
  copiedBytes_ += pushSchedule_.bytesSent();
  noteNoise(local, device.variables.gradients.data());
}

}  // namespace lab
