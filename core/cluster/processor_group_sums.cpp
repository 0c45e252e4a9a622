// SPDX-License-Identifier: GPL-3.0-or-later
// Replicas that stop in the middle of a pass and add up what a synchronised batch normalisation needs of all of them.
#include <atomic>
#include <memory>

#include "core/base/error.h"
#include "core/cluster/labels.h"
#include "core/cluster/parameter_device.h"
#include "core/cluster/processor_group.h"

namespace lab {

void ProcessorGroup::passTogether(std::span<Replica* const> replicas,
                                  const std::function<float(const Replica&)>& scaleOf, const AddUp& addUp) {
  std::vector<OperationObserver> observers(replicas.size());
  std::vector<std::unique_ptr<LayerPass>> passes;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    Replica& one = *replicas[i];
    one.editWeights(one.version + 1);
    if (one.clock.kind() == TimeSource::Measured)
      observers[i] = [&one](int operation, bool begin) {
        if (begin)
          one.clock.begin();
        else
          one.clock.end(SpanKind::Compute, labelOfOperation(operation), std::ssize(one.shard()));
      };
    passes.push_back(std::make_unique<LayerPass>(*settings_.backend, *settings_.network, settings_.precision,
                                                 passOf(one, scaleOf(one)), one.activations,
                                                 one.variables.gradients.data(), observers[i]));
  }
  // They stop at the same places.
  std::vector<std::vector<float>> sums(replicas.size());
  while (true) {
    std::atomic<std::size_t> ended{0};
    overThreads(static_cast<int>(replicas.size()), [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      if (passes[at]->run())
        ++ended;
      else
        sums[at] = asFloats(passes[at]->exchanged());
    });
    LAB_CHECK(ended == 0 || ended == replicas.size());
    if (ended > 0) break;
    addUp(sums);
    for (std::size_t i = 0; i < passes.size(); ++i) takeFloats(sums[i], passes[i]->exchanged());
  }
  for (Replica* one : replicas) one->editGradients(one->version + 1, false);
}

void ProcessorGroup::forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                                             const SumsSchedule& scheduleOf) {
  std::vector<Replica*> all;
  for (int r = 0; r < size(); ++r) all.push_back(&replica(r));
  passTogether(all, scaleOf, [&](std::span<std::vector<float>> sums) {
    // The only copy of the variables, where there is one, begins with nothing.
    std::vector<std::vector<float>> rest(static_cast<std::size_t>(topology_.endpoints()) - sums.size(),
                                         std::vector<float>(sums.front().size()));
    std::vector<float*> buffers;
    for (std::vector<float>& each : sums) buffers.push_back(each.data());
    for (std::vector<float>& each : rest) buffers.push_back(each.data());
    std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
    for (int r = 0; r < size(); ++r) clocks[static_cast<std::size_t>(r)] = &replica(r).clock;
    const std::int64_t beganNs = steadyNs();
    collective_.run(scheduleOf(std::ssize(sums.front())), 0, buffers, clocks, Label::ExchangeSums, -1);
    communicationNs_ += steadyNs() - beganNs;
  });
}

}  // namespace lab
