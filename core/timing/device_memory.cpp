// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/device_memory.h"

#include "core/base/units.h"
#include "core/timing/device_program.h"

namespace lab {
namespace {

// Of a parameter on a replica. Mixed precision computes with a copy of half the size.
double bytesPerParameter(const StepRequest& request, Precision precision) {
  const bool slotsElsewhere = request.method == Reducer::CentralHost || request.method == Reducer::CentralDevice ||
                              request.method == Reducer::ServersSync || request.method == Reducer::ServersAsync;
  // An update reads weights, gradients and slots, and writes weights and slots.
  const double slots = (request.updateBytesPerParameter - 3 * kBytesPerElement) / 2;
  const auto part = [&request](int fromStage) { return request.shardStage >= fromStage ? request.replicas : 1; };
  return kBytesPerElement / static_cast<double>(part(3)) + kBytesPerElement / static_cast<double>(part(2)) +
         request.keptBytesPerParameter + (slotsElsewhere ? 0 : slots / part(1)) +
         (precision == Precision::Mixed ? kBytesPerElement / 2 : 0);
}

}  // namespace

DeviceMemory deviceMemory(const StepRequest& request) {
  const double perExample = request.model->inputElements + request.model->activations();
  const auto parameters = static_cast<double>(request.model->parameters());
  DeviceMemory tightest{0, 1};
  for (int r = 0; r < request.replicas; ++r) {
    const DeviceModel& device = request.network->device(r);
    const Precision precision = precisionOn(device, request.precision);
    const double element = precision == Precision::Float32 ? kBytesPerElement : kBytesPerElement / 2;
    const DeviceMemory own{bytesPerParameter(request, precision) * parameters +
                               element * perExample * static_cast<double>(request.batchOf(r)),
                           1e9 * device.memoryGb};
    if (own.neededBytes / own.deviceBytes > tightest.neededBytes / tightest.deviceBytes) tightest = own;
  }
  return tightest;
}

}  // namespace lab
