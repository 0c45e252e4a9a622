// SPDX-License-Identifier: GPL-3.0-or-later
// The strategies without the arithmetic: what a step of a run would take on a cluster of any size, for networks
// that are known by their layers alone. The window's sliders and `sweep --timing-only` ask here. Everything is
// modelled; nothing is trained.
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

// Replicas whose lanes a modelled step's timeline draws.
inline constexpr int kDrawnReplicas = 64;

// What holds central storage's variables and runs parameter servers: a two-socket server of the V100's time.
inline constexpr const char* kVariablesHost = "cpu_xeon_8124m_2s";

// What a RunSettings does not say. Of that, strategy, replicas, hosts, device model, links, reducer, bytes per pack,
// parameter servers, partitioner, stragglers, matmul, optimizer and seed are read; the rest is of training.
struct TimingOptions {
  std::string model = "course-cnn";       // a key of modelPresets()
  Precision precision = Precision::Auto;  // as RunSettings::matmul has it; Mixed only here
  // Of a host, where the hosts are not given and there may be several. Unset: 8, or of a strategy of one host that goes
  // on over hosts as many as the link joins.
  std::optional<std::int64_t> devicesPerHost;
  std::int64_t nics = 1;  // of each host
  NetTransport transport = NetTransport::Auto;
  std::optional<ClusterSpec> cluster;  // instead of device model, links and hosts
  InputPipeline input;
  double jitter = 0;            // sigma of every replica's log-normal draw
  double stallProbability = 0;  // of a replica's step that takes straggler.stall_factor times as long
  // From a calibration against a recorded step: of the arithmetic, of launches, of what is sent.
  double computeScale = 1, launchScale = 1, commScale = 1;
  bool traced = false;  // StepTiming::spans is filled
  int mostTraced = 0;   // then: with the first replicas' alone; 0: with all
  // Of a scaling curve: a strategy of one host with a copy on each device goes on over hosts, as MultiWorkerMirrored
  // has them, when its host is full. Otherwise more devices than the link joins are on that host, extrapolated.
  bool goesOnOverHosts = false;
};

// Whether a strategy does on several hosts what MultiWorkerMirrored does: one host, and a copy on each device.
bool goesOnOverHosts(const StrategyInfo& info);
// The fewest hosts that share the devices evenly, with `most` a host; 0: no bound.
std::int64_t fullHosts(std::int64_t devices, std::int64_t most);

// One strategy on one cluster, ready to be timed at any batch.
class TimingRun {
 public:
  // `config` need not be resolved, and may have more replicas than can be trained (up to kMaxClusterDevices). The
  // catalogue and the constants are copied or must outlive this. UserError for what cannot be.
  TimingRun(const RunSettings& config, const TimingOptions& options, const Catalogue& catalogue,
            const TimingConstants& constants);

  int hosts() const { return model_->network.hostOf(replicas() - 1) + 1; }  // that replicas are on
  // Why there is no such hardware (cluster_spec.h); empty where there may be.
  const Message& extrapolated() const { return extrapolated_; }
  // Of each device model whose units do not know the precision that was asked for (device_program.h).
  const std::vector<Message>& asFloat32() const { return asFloat32_; }
  DeviceMemory memory(std::int64_t batchPerReplica) const;
  int replicas() const { return model_->request.replicas; }
  const Network& network() const { return model_->network; }
  const StepRequest& request() const { return model_->request; }
  const ModelProfile& model() const { return model_->model; }
  // What the clock of a training run of the same settings is asked with.
  std::shared_ptr<const StepModel> shared() const { return model_; }
  // `index`: which draw of the stragglers; under ServersAsync which update, and where weights are averaged now and then
  // which step, 0: a mean one.
  StepTiming step(std::int64_t batchPerReplica, std::int64_t index = 0) const;
  StepTiming step(std::vector<std::int64_t> batches, std::int64_t index = 0) const;  // per replica
  // The same work on one of its devices, for efficiencies: batch as given.
  StepTiming alone(std::int64_t batch) const;

 private:
  std::shared_ptr<const StepModel> model_;
  Message extrapolated_;
  std::vector<Message> asFloat32_;
};

}  // namespace lab
