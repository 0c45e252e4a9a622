// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/device_memory.h"

#include "core/base/units.h"

namespace lab {
namespace {

// Of a parameter on a replica. Mixed precision computes with a copy of half the size.
double bytesPerParameter(const StepRequest& request) {
  const bool slotsElsewhere = request.method == Reducer::CentralHost || request.method == Reducer::CentralDevice ||
                              request.method == Reducer::ServersSync || request.method == Reducer::ServersAsync;
  // An update reads weights, gradients and slots, and writes weights and slots.
  const double slots = (request.updateBytesPerParameter - 3 * kBytesPerElement) / 2;
  return 2 * kBytesPerElement + (slotsElsewhere ? 0 : slots) +
         (request.precision == Precision::Mixed ? kBytesPerElement / 2 : 0);
}

}  // namespace

DeviceMemory deviceMemory(const StepRequest& request) {
  const double element = request.precision == Precision::Float32 ? kBytesPerElement : kBytesPerElement / 2;
  const double variables = bytesPerParameter(request) * static_cast<double>(request.model->parameters());
  const double perExample = element * (request.model->inputElements + request.model->activations());
  DeviceMemory tightest{0, 1};
  for (int r = 0; r < request.replicas; ++r) {
    const DeviceMemory own{variables + perExample * static_cast<double>(request.batchOf(r)),
                           1e9 * request.network->device(r).memoryGb};
    if (own.neededBytes / own.deviceBytes > tightest.neededBytes / tightest.deviceBytes) tightest = own;
  }
  return tightest;
}

}  // namespace lab
