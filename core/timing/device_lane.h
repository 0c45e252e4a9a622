// SPDX-License-Identifier: GPL-3.0-or-later
// One replica's time line in a step: its layers forward and backward, launches and the host that runs ahead, and the
// stage of each instant. Synchronous steps, asynchronous workers and the clock of a training run all use this roofline.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/timing/device_program.h"

namespace lab {

class DeviceLane {
 public:
  int replica = 0;
  // Factors on the usual time: of its arithmetic, and of its launches with the host that issues them.
  double computeFactor = 1, launchFactor = 1;
  std::vector<ModelledSpan>* trace = nullptr;

  StageNs stages;
  std::int64_t nowNs = 0;
  // It goes no further: a layer is cancelled then, or as it ends, and no other is run; an update is cut short.
  std::int64_t untilNs = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> layerDoneNs;                         // backward, by count of layers done
  std::vector<std::pair<std::int64_t, std::int64_t>> computing;  // when: begin and end, without launches

  void note(ModelledSpan::Kind kind, std::size_t index, std::int64_t beginNs, std::int64_t endNs,
            std::int64_t launchNs = 0);
  void run(const DeviceProgram::Layer& layer, ModelledSpan::Kind kind, std::size_t index);
  // pulledNs[i]: when the weights of layer i are there; empty: they are.
  void forward(const DeviceProgram& program, std::size_t layer, const std::vector<std::int64_t>& pulledNs);
  void waitForWeights(std::size_t layer, std::int64_t thereNs);
  void backward(const DeviceProgram& program, std::size_t layer);
  // Both, over all layers.
  void walk(const DeviceProgram& program, const std::vector<std::int64_t>& pulledNs);

 private:
  bool isCancelled_ = false;
};

// The lanes of all replicas, before anything has happened on them, with the factors of the request's stragglers and of
// what sharing costs. Replicas that cannot differ share the first one's: the same device, batch and factors, and none
// of them traced.
struct Lanes {
  std::vector<DeviceLane> all;         // by their first replica
  std::vector<std::size_t> ofReplica;  // whose lane is which
};
Lanes makeLanes(const StepRequest& request);

// Programs by device and batch, each made once. The request must outlive this.
class Programs {
 public:
  explicit Programs(const StepRequest& request) : request_(request) {}
  const DeviceProgram& of(int replica);

 private:
  struct Known {
    const DeviceModel* device = nullptr;
    std::int64_t batch = 0;
    DeviceProgram program;
  };
  const StepRequest& request_;
  std::vector<Known> known_;
};

}  // namespace lab
