// SPDX-License-Identifier: GPL-3.0-or-later
// What settings choose between. Plain data: the code that a choice selects is in other folders.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace lab {

// A strategy's position in the table. The names are for code that means one of them; a new row needs none.
enum class StrategyKind {
  Default,
  OneDevice,
  Mirrored,
  MultiWorkerMirrored,
  Tpu,
  CentralStorage,
  ParameterServer,
};

enum class DeviceChoice { Auto, Simulated, Cpu, Cuda, Processes };
// Returns whether the run's times are measured.
inline bool isReal(DeviceChoice devices) {
  return devices >= DeviceChoice::Cpu;
}
enum class WorkerDevices { Cpu, Cuda };  // what real processes compute on
// Scales by global batch / 64; Staleness: scales each update of a parameter server by its staleness, if this exceeds
// one.
enum class LearningRateScaling { None, Linear, Sqrt, Staleness };

// How replicas share their gradients. --reducer accepts Auto to Mpi, in this order; Ring to OneDevice are schedules
// (comm/schedule.h). The timing model also knows the others, which send their bytes in other ways.
enum class Reducer {
  Auto,  // the strategy's own choice for its devices
  Ring,
  Tree,
  HalvingDoubling,
  Hierarchical,
  Torus,
  OneDevice,  // everything to one device and back; the last schedule
  Nccl,       // NCCL's choice of ring, tree or NVLS, with its own published constants; this program executes the ring
  Mpi,        // MPI_Allreduce between real processes, for comparison: MPI itself chooses the order of additions
  None,       // one replica, or nothing is shared
  ReduceBroadcast,  // OneDevice, with tensors distributed over the devices of one host
  CpuAllReduce,     // a ring of host processors
  CentralHost,      // one copy in host memory
  CentralDevice,    // one copy on a device
  ServersSync,      // parameter servers, one step for all
  ServersAsync,     // parameter servers, each worker at its own pace
  // From here on only some replicas have the same afterwards.
  Neighbours,  // a ring's neighbours exchange weights
};
std::string_view toString(Reducer reducer);  // "auto", "ring", "halving-doubling", …
// Returns whether all replicas have the same afterwards.
inline constexpr bool isOverAll(Reducer reducer) {
  return reducer < Reducer::Neighbours;
}
// Returns whether the schedule goes by hosts, which then must have equally many ranks.
inline constexpr bool goesByHosts(Reducer reducer) {
  return reducer == Reducer::Hierarchical;
}

inline constexpr auto kSchedules = [] {
  constexpr auto kFirst = static_cast<std::size_t>(Reducer::Ring);
  std::array<Reducer, static_cast<std::size_t>(Reducer::OneDevice) + 1 - kFirst> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Reducer>(kFirst + i);
  return all;
}();

// How one replica's loss gradients are scaled before they are summed over replicas (strategy/README.md).
enum class LossReduction {
  Fit,   // mean over the replica's own examples, divided by the replicas: Keras fit
  Loop,  // sum over the replica's examples divided by the global batch: a custom loop
};

enum class OptimizerKind { Adam, Sgd };

// The type of weights and gradients between workers and parameter servers. Bfloat16: rounded to nearest, ties to even.
// Servers hold float32, and moving statistics travel as float32.
enum class Wire { Float32, Bfloat16 };
inline constexpr int kWires = 2;
inline constexpr int bytesOnWire(Wire wire) {  // per weight or gradient
  return wire == Wire::Bfloat16 ? 2 : 4;
}

enum class SplitSource { InMemory, File };       // --split
enum class AutoShard { Auto, Data, File, Off };  // --auto-shard
enum class SplitRule { Legacy, V2 };             // what --split and --auto-shard resolve to

struct ResolvedSplit {
  SplitRule rule = SplitRule::Legacy;
  AutoShard policy = AutoShard::Data;  // Data, File or Off
};

}  // namespace lab
