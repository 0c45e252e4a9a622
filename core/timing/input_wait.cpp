// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/input_wait.h"

#include <algorithm>
#include <cmath>

namespace lab {

std::int64_t inputNs(const StepRequest& request) {
  const InputPipeline& input = request.input;
  const Network& network = *request.network;
  const TimingConstants& constants = *request.constants;
  const double batch = static_cast<double>(request.batchPerReplica);
  double decodeNs = 0, copyNs = 0;
  for (int host = 0; host <= network.hostOf(request.replicas - 1); ++host) {
    const double here = std::min(network.devicesOn(host), request.replicas - network.firstDevice(host));
    decodeNs = std::max(decodeNs, here * batch * input.hostUsPerExample * 1e3 / input.threads);
    const double port =
        network.pciInside(host) ? network.linkInside(host).effectiveGbPerSec : constants["input.pcie_gb_per_s"];
    const double perSwitch = network.pciInside(host) ? std::min<double>(here, network.devicesPerSwitch(host)) : 1;
    const double memory = constants["memory.host_gb_per_s"];
    copyNs = std::max(copyNs, batch * input.bytesPerExample * std::max(perSwitch / port, here / memory));
  }
  return std::llround(input.prefetch ? std::max(decodeNs, copyNs) : decodeNs + copyNs);
}

std::int64_t inputWaitNs(const StepRequest& request, std::int64_t neededNs, std::int64_t stepNs) {
  return request.input.prefetch ? std::max<std::int64_t>(0, neededNs - stepNs) : neededNs;
}

}  // namespace lab
