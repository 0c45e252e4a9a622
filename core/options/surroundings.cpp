// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/surroundings.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/data/dataset.h"
#include "core/data/picture_folder.h"
#include "core/device/cuda/gpu_module.h"
#include "core/keras/keras_file.h"
#include "core/model/neural_network.h"
#include "core/options/network_of.h"
#include "core/options/output_files.h"
#include "core/options/own_pictures.h"
#include "core/options/resolve.h"
#include "core/process/peers.h"

namespace lab {
namespace {

JoinedWorkers workersOf(process::Peers& peers, const RunSettings& asked) {
  JoinedWorkers workers{.count = peers.size(), .names = {}, .hosts = {}, .gpus = {}};
  for (const process::Place& place : peers.places()) {
    workers.names.push_back(peers.nameOf(static_cast<int>(workers.hosts.size())));
    workers.hosts.push_back(place.host);
  }
  if (asked.devices == DeviceChoice::Processes && areOnGpus(asked)) workers.gpus = gpusOfWorkers(peers);
  return workers;
}

Message whyOlder(const std::string& save) {
  try {
    refuseOlderKeras(save);
    return {};
  } catch (const UserError& error) {
    return error.message();
  }
}

}  // namespace

Surroundings surroundingsOf(const RunSettings& asked) {
  Surroundings here;
  if (!isNetworkName(asked.network)) {
    here.network = networkOf(asked);
    if (asked.dataset == "auto") here.autoDataset = nameOfAuto(asked.dataDir);
  }
  if (takesOwnPictures(asked) && isNetworkName(asked.network)) here.pictureClasses = pictureClasses(asked.dataDir);
  if (!asked.catalogue.empty()) here.catalogue = catalogueOf(asked);
  here.outputPlaces = placesOfOutputs(asked);
  if (!asked.save.empty()) here.olderSave = whyOlder(asked.save);
  if (mayTakeGpus(asked)) {
    here.whyNoGpu = whyNoGpu();
    here.gpus = static_cast<std::int64_t>(gpuInfos().size());
    if (asked.reducer == Reducer::Nccl) here.whyNoNccl = whyNoNccl();
  }
  here.threads = processorCount();
  here.memoryBytes = memoryBytes();
  if (const std::shared_ptr<process::Peers> peers = process::peers()) {
    here.workers = workersOf(*peers, asked);
    if (asked.devices == DeviceChoice::Processes)
      here.threads = std::max<std::int64_t>(1, here.threads / peers->here().onHost);
  }
  return here;
}

ResolvedSettings resolve(const RunSettings& asked) {
  return resolve(asked, surroundingsOf(asked));
}

}  // namespace lab
