// SPDX-License-Identifier: GPL-3.0-or-later
// The strategies without the arithmetic: how long a step of a run would take on a cluster of any size, also for
// networks known only by their layers. The window's sliders and `sweep --timing-only` use this. Everything is modelled;
// nothing is trained.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/strategy/strategy.h"
#include "core/timing/device_memory.h"
#include "core/timing/step_model.h"

namespace lab {

// Number of replicas whose tracks a modelled step's timeline draws.
inline constexpr int kDrawnReplicas = 64;

// The host that holds central storage's variables and runs parameter servers: a two-socket server of the V100's time.
inline constexpr const char* kVariablesHost = "cpu_xeon_8124m_2s";

// Options that RunSettings lacks. Of RunSettings, the strategy, replicas, hosts, device model, links, reducer, bytes
// per pack, parameter servers, partitioner, stragglers, matmul, optimizer and seed are read; the rest only concerns
// training.
struct TimingOptions {
  std::string model = "course-cnn";       // a key of modelPresets()
  Precision precision = Precision::Auto;  // as RunSettings::matmul; Mixed only exists here
  // Per host, if the hosts are not given and there may be several. Unset: 8, or as many as the link joins for a
  // one-host strategy that continues over several hosts.
  std::optional<std::int64_t> devicesPerHost;
  std::int64_t nics = 1;  // per host
  NetTransport transport = NetTransport::Auto;
  std::optional<ClusterSpec> cluster;  // replaces device model, links and hosts
  InputPipeline input;
  double jitter = 0;            // sigma of every replica's log-normal draw
  double stallProbability = 0;  // that a replica's step takes straggler.stall_factor times as long
  // From a calibration against a recorded step: factors on arithmetic, launches and sending.
  double computeScale = 1, launchScale = 1, commScale = 1;
  bool traced = false;  // StepTiming::spans are filled
  int mostTraced = 0;   // if traced, only for this many first replicas; 0: all
  // For a scaling curve: a one-host strategy with a copy on each device continues over several hosts, as
  // MultiWorkerMirrored does, when its host is full. If false, excess devices are on that host, extrapolated.
  bool goesOnOverHosts = false;
};

// Returns whether a strategy does the same on several hosts as MultiWorkerMirrored: one host, and a copy on each
// device.
bool goesOnOverHosts(const StrategyInfo& info);
// Returns the fewest hosts that share the devices evenly, with at most `most` per host; 0: no bound.
std::int64_t fullHosts(std::int64_t devices, std::int64_t most);

// One strategy on one cluster, ready to be timed with any batch.
class TimingRun {
 public:
  // `config` need not be resolved, and may have more replicas than can be trained (up to kMaxClusterDevices). The
  // catalogue and the constants are copied or must outlive this object. Throws a UserError for an impossible run.
  TimingRun(const RunSettings& config, const TimingOptions& options, const Catalogue& catalogue,
            const TimingConstants& constants);

  int hosts() const { return model_->network.hostsOf(replicas()); }  // that have replicas
  // Returns why no such hardware exists (cluster_spec.h); empty if it may exist.
  const Message& extrapolated() const { return extrapolated_; }
  // Returns a note for each device model whose units lack the requested precision (device_program.h).
  const std::vector<Message>& asFloat32() const { return asFloat32_; }
  DeviceMemory memory(std::int64_t batchPerReplica) const;
  int replicas() const { return model_->request.replicas; }
  const Network& network() const { return model_->network; }
  const StepRequest& request() const { return model_->request; }
  const ModelProfile& model() const { return model_->model; }
  // Returns the model that the clock of a training run with the same settings uses.
  std::shared_ptr<const StepModel> shared() const { return model_; }
  // `index` selects the draw of the stragglers; for ServersAsync the update, and if steps exchange
  // different things the step; 0: a mean step.
  StepTiming step(std::int64_t batchPerReplica, std::int64_t index = 0) const;
  StepTiming step(std::vector<std::int64_t> batches, std::int64_t index = 0) const;  // per replica
  // Returns the same work on a single device, for efficiencies, with this batch.
  StepTiming alone(std::int64_t batch) const;

 private:
  std::shared_ptr<const StepModel> model_;
  Message extrapolated_;
  std::vector<Message> asFloat32_;
};

}  // namespace lab
