// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/step_packs.h"

#include "core/base/units.h"

namespace lab {

bool usesServers(Reducer method) {
  return method == Reducer::CentralHost || method == Reducer::CentralDevice || method == Reducer::ReduceBroadcast ||
         method == Reducer::ServersSync || method == Reducer::ServersAsync;
}

std::vector<StepPack> makePacks(const StepRequest& request) {
  const std::vector<LayerProfile>& layers = request.model->layers;
  std::vector<StepPack> packs;
  // ReductionToOneDevice sends each variable separately, as servers do.
  const bool each = usesServers(request.method) || request.method == Reducer::OneDevice;
  auto variable = static_cast<std::size_t>(request.model->tensors());
  double open = 0;
  std::size_t lastOfPack = 0;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const std::size_t done = layers.size() - i;
    for (std::size_t t = layers[i].tensors.size(); t-- > 0;) {
      --variable;
      if (open == 0) lastOfPack = i;
      open += kBytesPerElement * static_cast<double>(layers[i].tensors[t]);
      const bool last = variable == 0;  // which need not be in the first layer
      if (!each && !last && (request.packBytes <= 0 || open <= request.packBytes)) continue;
      packs.push_back({open, request.overlap ? done : layers.size(), request.overlap ? i : 0,
                       request.overlap ? lastOfPack : layers.size() - 1, variable});
      open = 0;
    }
  }
  return packs;
}

}  // namespace lab
