// SPDX-License-Identifier: GPL-3.0-or-later
// The environment that resolve() is given: the files that settings name, this machine's devices and memory, and the
// joined processes. As data, so that a test can describe any machine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/config/run_settings.h"
#include "core/hardware/catalogue.h"
#include "core/process/process_gpus.h"

namespace lab {

class NeuralNetwork;

// Processes that this one has joined; all vectors are by rank.
struct JoinedWorkers {
  std::int64_t count = 1;
  std::vector<Message> names;      // "worker 1 (process 4711 on host b)"
  std::vector<std::string> hosts;  // of each process
  std::vector<WorkerGpus> gpus;    // empty if the settings use none
};

struct Surroundings {
  Catalogue catalogue = Catalogue::builtIn();       // with the rows of the settings' own file
  std::shared_ptr<const NeuralNetwork> network;     // from the file that the settings name; null: they name none
  std::string autoDataset;                          // what auto stands for; "": only a network from a file asks for it
  std::int64_t pictureClasses = 0;                  // of the user's own pictures; 0: none here
  std::map<std::string, std::string> outputPlaces;  // of each output's name (placesOfOutputs)
  Message olderSave;  // why the file to save to has an older Keras format; empty: it does not

  std::int64_t gpus = 0;
  Message whyNoGpu, whyNoNccl;   // empty if there are GPUs, and if NCCL works between them
  std::int64_t threads = 1;      // for a run, or for each process of this computer
  std::int64_t memoryBytes = 0;  // of this machine; 0: unknown
  std::optional<JoinedWorkers> workers;
};

// Returns this machine's surroundings as far as these settings depend on them. Reads the files that they name, opens
// the GPUs if they may use them, and asks the joined processes, all of which must call this together. Throws a
// UserError naming a file that cannot be read.
Surroundings surroundingsOf(const RunSettings& asked);

}  // namespace lab
