// SPDX-License-Identifier: GPL-3.0-or-later
// What resolve() is told of the world: the files that settings name, the devices and the memory of this machine, the
// processes that this one was joined to. As data, so that a test describes a machine that nobody has.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/config/run_settings.h"
#include "core/process/process_gpus.h"
#include "core/timing/catalogue.h"

namespace lab {

class NeuralNetwork;

// Processes that have been joined; all vectors are by rank.
struct JoinedWorkers {
  std::int64_t count = 1;
  std::vector<Message> names;      // "worker 1 (process 4711 on host b)"
  std::vector<std::string> hosts;  // that they are on
  std::vector<WorkerGpus> gpus;    // empty where the settings ask for none
};

struct Surroundings {
  Catalogue catalogue = Catalogue::builtIn();    // with the rows of the settings' own file
  std::shared_ptr<const NeuralNetwork> network;  // of the file that the settings name; null: they name none
  std::int64_t pictureClasses = 0;               // of the user's own pictures; 0: there are none here
  std::set<std::string> sharedFiles;             // of those to write: names that several may write, a pipe's
  Message olderSave;                             // why the file to save to is one of an older Keras; empty: it is not

  std::int64_t gpus = 0;
  Message whyNoGpu, whyNoNccl;   // empty where there are some, and where NCCL works between them
  std::int64_t threads = 1;      // that a run may take, or each process of this computer
  std::int64_t memoryBytes = 0;  // of this machine; 0: not known
  std::optional<JoinedWorkers> workers;
};

// What is here, as far as these settings depend on it. Reads the files that they name, opens the GPUs where they may
// take them, and asks the joined processes: all of those make the call together. UserError naming the file that cannot
// be read.
Surroundings surroundingsOf(const RunSettings& asked);

}  // namespace lab
