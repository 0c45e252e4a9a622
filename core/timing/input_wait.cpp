// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/input_wait.h"

#include <algorithm>
#include <vector>

#include "core/timing/whole_ns.h"

namespace lab {

std::int64_t inputNs(const StepRequest& request, int host) {
  const InputPipeline& input = request.input;
  const Network& network = *request.network;
  const TimingConstants& constants = *request.constants;
  const int first = network.firstDevice(host);
  const int here = network.ranksOn(host, request.replicas);
  const double port =
      network.pciInside(host) ? network.linkInside(host).effectiveGbPerSec : constants["input.pcie_gb_per_s"];
  const int perSwitch = network.pciInside(host) ? std::min(here, network.devicesPerSwitch(host)) : 1;
  double examples = 0, behindSwitch = 0, copyNs = 0;
  for (int r = 0; r < here; ++r) {
    if (r % perSwitch == 0) behindSwitch = 0;
    const auto batch = static_cast<double>(request.batchOf(first + r));
    examples += batch;
    behindSwitch += batch;
    copyNs = std::max(copyNs, behindSwitch * input.bytesPerExample / port);
  }
  const double decodeNs = examples * input.hostUsPerExample * 1e3 / input.threads;
  copyNs = std::max(copyNs, examples * input.bytesPerExample / constants["memory.host_gb_per_s"]);
  return wholeNs(input.prefetch ? std::max(decodeNs, copyNs) : decodeNs + copyNs);
}

std::vector<std::int64_t> inputNsOfHosts(const StepRequest& request) {
  const Network& network = *request.network;
  const int hosts = network.hostsOf(request.replicas);
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(hosts));
  for (int host = 0; host < hosts; ++host) {
    // Hosts of a group are alike, except the last one, where some devices may not be replicas.
    const bool asBefore =
        host > 0 && host + 1 < hosts && request.batches.empty() && &network.group(host) == &network.group(host - 1);
    all.push_back(asBefore ? all.back() : inputNs(request, host));
  }
  return all;
}

std::int64_t inputNs(const StepRequest& request) {
  return std::ranges::max(inputNsOfHosts(request));
}

std::int64_t inputWaitNs(const StepRequest& request, std::int64_t neededNs, std::int64_t stepNs) {
  return request.input.prefetch ? std::max<std::int64_t>(0, neededNs - stepNs) : neededNs;
}

}  // namespace lab
