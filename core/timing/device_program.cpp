// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/device_program.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/timing/messages.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

// Returns the rate that training a CNN reaches (README.md, Device, Peaks). `precision`: in which the device computes.
double flopPerNs(const DeviceModel& device, Precision precision, const TimingConstants& constants) {
  const double float32 =
      device.cnnEfficiency * (device.float32OnMatrixUnit() ? device.matrixTflops : device.fp32Tflops) * 1e3;
  if (precision == Precision::Float32) return float32;
  // If the unit has only bfloat16, the device's efficiency was measured on it.
  if (!device.multiplies(MatrixFormat::Fp16)) return device.cnnEfficiency * device.halfTflops() * 1e3;
  return std::max(float32, constants["amp.share_of_peak"] * device.halfTflops() * 1e3);
}

// The time of a pass by the roofline, layer by layer. A layer that is fused with a product adds its bytes to the
// product's, and takes as long as the product then takes more.
class Roofline {
 public:
  Roofline(const std::vector<LayerProfile>& layers, double flopPerNs, double bytesPerNs)
      : layers_(layers), flopPerNs_(flopPerNs), bytesPerNs_(bytesPerNs), products_(layers.size()) {}

  double addNs(std::size_t layer, double flop, double bytes) {
    const int product = layers_[layer].fusedWith;
    Work& work = products_[product < 0 ? layer : static_cast<std::size_t>(product)];
    const double before = ns(work);
    work.flop += flop;
    work.bytes += bytes;
    return ns(work) - before;
  }

 private:
  struct Work {
    double flop = 0, bytes = 0;
  };
  double ns(const Work& work) const { return std::max(work.flop / flopPerNs_, work.bytes / bytesPerNs_); }

  const std::vector<LayerProfile>& layers_;
  double flopPerNs_, bytesPerNs_;
  std::vector<Work> products_;
};

}  // namespace

bool copiesPacks(const StepRequest& request) {
  if (request.replicas == 1 || request.oneLaunchPerStep) return false;
  switch (request.method) {
    case Reducer::Auto:
    case Reducer::Mpi:
    case Reducer::None:
    case Reducer::OneDevice:
    case Reducer::ReduceBroadcast:
    case Reducer::CentralHost:
    case Reducer::CentralDevice:
    case Reducer::ServersSync:
    case Reducer::ServersAsync:
    case Reducer::Neighbours:  // each averages what it receives into its own weights
      return false;
    default:
      return true;
  }
}

Precision precisionOn(const DeviceModel& device, Precision asked) {
  if (asked == Precision::Auto) return asked;
  const bool halves =
      device.multiplies(MatrixFormat::Bf16) || (asked == Precision::Mixed && device.multiplies(MatrixFormat::Fp16));
  return halves ? asked : Precision::Float32;
}

Message whyFloat32(const DeviceModel& device, Precision asked) {
  if (precisionOn(device, asked) == asked) return {};
  return {asked == Precision::Bfloat16 ? say::noBfloat16 : say::noHalfPrecision, device.id};
}

DeviceProgram makeProgram(const StepRequest& request, const DeviceModel& device, std::int64_t examples) {
  const TimingConstants& constants = *request.constants;
  const double batch = static_cast<double>(examples);
  const Precision precision = precisionOn(device, request.precision);
  const double rate = flopPerNs(device, precision, constants);
  const double memory = constants["memory.efficiency"] * device.memoryGbPerSec;
  const double elementBytes = precision == Precision::Float32 ? 4 : 2;
  const double forwardKernels = constants["launch.kernels_per_layer_forward"];
  const double backwardKernels = constants["launch.kernels_per_layer_backward"];
  const double launchNs = request.launchScale * device.launchOverheadUs * 1e3;
  const double hostNs = 1e3 * request.launchScale *
                        (request.hostUsPerOp >= 0 ? request.hostUsPerOp
                         : device.isProcessor()   ? constants["launch.native_us_per_op"]
                                                  : constants["launch.host_us_per_op"]);

  DeviceProgram program;
  double issued = 0;  // kernels issued so far
  const auto add = [&](std::vector<DeviceProgram::Layer>& to, double computeNs, double kernels) {
    DeviceProgram::Layer layer;
    layer.computeNs = request.computeScale * computeNs;
    if (request.oneLaunchPerStep) {
      layer.launchNs = issued == 0 ? launchNs : 0;
    } else {
      layer.launchNs = kernels * launchNs;
      layer.hostNs = (issued + 1) * hostNs;
    }
    issued += kernels;
    to.push_back(layer);
  };
  const std::vector<LayerProfile>& layers = request.model->layers;
  const auto kernels = [&](std::size_t i, double each) { return layers[i].fusedWith < 0 ? each : 0; };
  // Gradients are copied into their pack right after each layer's backward, and out of it before the update: each copy
  // reads and writes the device's memory once (README.md, Device).
  const double packNsPerParameter = copiesPacks(request) ? 2 * kBytesPerElement / memory : 0;
  Roofline forward(layers, rate, memory), backward = forward;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const double passed = layers[i].activations * layers[i].elementwisePasses * elementBytes * batch;
    add(program.forward, forward.addNs(i, 2 * layers[i].forwardMac * batch, passed), kernels(i, forwardKernels));
  }
  for (std::size_t i = layers.size(); i-- > 0;) {
    const double passed = 1.5 * layers[i].activations * layers[i].elementwisePasses * elementBytes * batch;
    // Gradients by input and by weight; the first layer's input is data, which needs none.
    add(program.backward, backward.addNs(i, (i == 0 ? 2 : 4) * layers[i].forwardMac * batch, passed),
        kernels(i, backwardKernels));
    program.backward.back().computeNs += packNsPerParameter * static_cast<double>(layers[i].parameters());
  }
  // One kernel per variable.
  std::vector<DeviceProgram::Layer> update;
  const double updated =
      static_cast<double>(request.model->parameters()) / (request.shardStage > 0 ? request.replicas : 1);
  add(update, request.updateBytesPerParameter * updated / memory, static_cast<double>(request.model->tensors()));
  program.update = update.front();
  program.update.computeNs /= request.computeScale;
  program.update.computeNs += packNsPerParameter * updated;
  return program;
}

std::int64_t serverUpdateNs(const StepRequest& request, std::int64_t elements) {
  if (!request.server || elements == 0) return 0;
  const DeviceModel& server = *request.server;
  const double memory = (*request.constants)["memory.efficiency"] * server.memoryGbPerSec;
  return wholeNs(server.launchOverheadUs * 1e3 +
                 request.updateBytesPerParameter * static_cast<double>(elements) / memory);
}

}  // namespace lab
