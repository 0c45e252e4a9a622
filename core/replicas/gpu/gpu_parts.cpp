// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_parts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/device/cuda/gpu_errors.h"

namespace lab {

void GpusAmong::tellDigests(const std::uint64_t* shares, std::size_t replicas) {
  digests.assign(replicas, 0);
  for (std::size_t i = 0; i < replicas * gpu::kDigestShares; ++i) digests[i / gpu::kDigestShares] += shares[i];
}

GpuParts::GpuParts(std::shared_ptr<gpu::Layer> onLayer, const ReplicaSettings& ofReplicas, const Dataset& examplesOfRun,
                   Topology& ofCluster, StepLedger& ofSteps, ThreadPool& threads, std::int64_t examples, bool asOneRank,
                   const ReadProgress& uploaded, const ReplicaGroup& own, GpusAmong* othersToo)
    : layer(std::move(onLayer)),
      settings(ofReplicas),
      dataset(examplesOfRun),
      topology(ofCluster),
      ledger(ofSteps),
      pool(threads),
      group(own),
      ncclForOne(asOneRank),
      asynchronous(topology.settings().separateHosts),
      course(isCourseNetwork(*settings.network)),
      among(othersToo) {
  const std::vector<int>& all = topology.settings().gpuOfReplica;
  const int everywhere = static_cast<int>(std::ssize(all));
  const auto isHere = [](int gpu) { return gpu >= 0; };
  first = static_cast<int>(std::ranges::find_if(all, isHere) - all.begin());
  std::ranges::copy_if(all, std::back_inserter(gpus), isHere);
  LAB_CHECK(!gpus.empty());
  data.resize(layer->gpus().size());
  // Says before any allocation how much memory is needed, if it does not fit.
  for (std::size_t gpu = 0; gpu < data.size(); ++gpu) {
    const auto replicas = std::ranges::count(gpus, static_cast<int>(gpu));
    if (replicas == 0) continue;
    const std::int64_t images = GpuExamples::bytes(dataset);
    const std::int64_t needed = replicas * GpuDevice::bytes(settings, examples, everywhere) + images;
    const std::int64_t free = layer->freeBytes(static_cast<int>(gpu));
    if (images > free) throw gpu::imagesDoNotFit("GPU " + std::to_string(gpu), images, free);
    if (needed > free) throw gpu::outOfMemory("GPU " + std::to_string(gpu), needed, free);
  }
  const bool several = std::ranges::any_of(gpus, [&](int gpu) { return gpu != gpus.front(); });
  const auto used = std::ssize(std::set<int>(gpus.begin(), gpus.end()));
  std::int64_t images = 0;
  const auto count = [&](std::int64_t more) {
    uploaded(images += more, used * (dataset.train.count + dataset.test.count));
  };
  for (std::size_t r = 0; r < gpus.size(); ++r) {
    auto& ofGpu = data.at(static_cast<std::size_t>(gpus[r]));
    if (!ofGpu) ofGpu = std::make_unique<GpuExamples>(*layer, gpus[r], dataset, count);
    devices.push_back(std::make_unique<GpuDevice>(*layer, static_cast<int>(r), everywhere, gpus[r], settings, several));
    devices.back()->firstOfGpu =
        std::ranges::none_of(std::span(gpus).first(r), [&](int gpu) { return gpu == gpus[r]; });
    devices.back()->reserve(*layer, settings, std::max<std::int64_t>(1, examples), list);
  }
}

}  // namespace lab
