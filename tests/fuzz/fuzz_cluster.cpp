// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the text: a cluster is refused with a UserError, or becomes a network in which every device reaches every
// other one and a step takes time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/error.h"
#include "core/model/model_presets.h"
#include "core/timing/step_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lab;
  try {
    const ClusterSpec cluster =
        parseCluster(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz", Catalogue::builtIn());
    if (cluster.devices() < 1 || cluster.devices() > kMaxClusterDevices) std::abort();
    if (cluster.devices() > 512) return 0;  // valid, but slow
    const Network network(cluster, Catalogue::builtIn(), TimingConstants::builtIn());
    const int last = network.devices() - 1;
    for (const int to : {1, last / 2, last}) {
      if (to <= 0 || to > last) continue;
      const Network::Route route = network.route(0, to);
      if (route.count < 1 || !(route.alphaNs >= 0)) std::abort();
      for (const Network::Crossing& crossing : route.span())
        if (!(network.bandwidth(crossing.resource) > 0)) std::abort();
    }
    StepRequest request{
        .network = &network, .model = &modelPreset("course-cnn"), .constants = &TimingConstants::builtIn()};
    request.replicas = network.devices();
    request.method = Reducer::Ring;
    if (simulateStep(request).stepNs <= 0) std::abort();
  } catch (const UserError&) {
  }
  return 0;
}
