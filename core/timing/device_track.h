// SPDX-License-Identifier: GPL-3.0-or-later
// One replica's time line in a step: its layers forward and backward, kernel launches, the host that runs ahead, and
// the stage of each instant. Synchronous steps, asynchronous workers and the clock of a training run all use this
// roofline.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/timing/device_program.h"

namespace lab {

class DeviceTrack {
 public:
  int replica = 0;
  // Factors on the usual time: on arithmetic, and on launches together with the host that issues them.
  double computeFactor = 1, launchFactor = 1;
  std::vector<ModelledSpan>* trace = nullptr;

  StageNs stages;
  std::int64_t nowNs = 0;
  // The track stops here: a layer that is running, or ends just then, is cancelled, no further layer runs, and an
  // update is cut short.
  std::int64_t untilNs = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> layerDoneNs;                         // of the backward pass, by number of layers done
  std::vector<std::pair<std::int64_t, std::int64_t>> computing;  // intervals of arithmetic, without launches

  void note(ModelledSpan::Kind kind, std::size_t index, std::int64_t beginNs, std::int64_t endNs,
            std::int64_t launchNs = 0);
  void run(const DeviceProgram::Layer& layer, ModelledSpan::Kind kind, std::size_t index);
  // pulledNs[i]: when the weights of layer i arrive. Empty: all weights are there from the start.
  void forward(const DeviceProgram& program, std::size_t layer, const std::vector<std::int64_t>& pulledNs);
  void waitForWeights(std::size_t layer, std::int64_t thereNs);
  void backward(const DeviceProgram& program, std::size_t layer);
  // Runs forward and backward over all layers.
  void walk(const DeviceProgram& program, const std::vector<std::int64_t>& pulledNs);

 private:
  bool isCancelled_ = false;
};

// The tracks of all replicas at the start of a step, with the factors of the request's stragglers and of the cost of
// sharing. Replicas that cannot differ share the track of the first of them: they have the same device, batch and
// factors, and none of them is traced.
struct Tracks {
  std::vector<DeviceTrack> all;        // in the order of their first replicas
  std::vector<std::size_t> ofReplica;  // index of each replica's track in `all`
};
Tracks makeTracks(const StepRequest& request);

// Programs by device and batch, each made once. The request must outlive this object.
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
