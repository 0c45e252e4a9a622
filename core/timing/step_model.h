// SPDX-License-Identifier: GPL-3.0-or-later
// A training step without the arithmetic: its time on a cluster, the breakdown of that time, and the bytes on each
// link. One call is one step in steady state, an event simulation over layers and packs in whole
// nanoseconds (README.md); asynchronous servers are simulated over many steps. Pure functions of their
// arguments: any thread, and the same answer always. Everything here is modelled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/precision.h"
#include "core/comm/schedule.h"
#include "core/config/choices.h"
#include "core/timing/model_presets.h"
#include "core/timing/network.h"
#include "core/timing/stragglers.h"

namespace lab {

// What feeds the replicas of a host. All zero: never waited for.
struct InputPipeline {
  double hostUsPerExample = 0;  // decoding, on one thread
  int threads = 8;              // of each host
  double bytesPerExample = 0;   // over the host's PCIe and memory
  bool prefetch = true;         // the next batch is made while this one trains
};

struct StepRequest {
  const Network* network = nullptr;
  const ModelProfile* model = nullptr;
  const TimingConstants* constants = nullptr;
  int replicas = 1;  // the network's first devices
  std::int64_t batchPerReplica = kDefaultBatchPerReplica;
  // Where replicas have unequal batches, or none at all: one entry each, instead of batchPerReplica.
  std::vector<std::int64_t> batches;
  Precision precision = Precision::Float32;
  Reducer method = Reducer::None;
  // How sums in the middle of a pass are added over the replicas (LayerProfile::summedElements); None: by nobody.
  Reducer sums = Reducer::None;
  double packBytes = 0;       // gradients are sent when so many are ready; 0: all in one pack
  bool overlap = true;        // packs are sent during backward
  bool sendsUpdated = false;  // weights are sent, when every replica has updated its own: all packs after that
  // A sum begins when so many replicas have arrived: have all their gradients. Whoever is later is cancelled then and
  // adds nothing. 0: it waits for all, as it does where replicas meet in the middle of a pass.
  int waitsFor = 0;
  int servers = 1;  // of ServersSync and ServersAsync, on the hosts in turn
  // Servers are hosts of their own, so that even one worker sends to them (tf.distribute's parameter servers).
  bool serversApart = false;
  struct Held {  // by one server; statistics are not trained
    std::int64_t weights = 0, statistics = 0;
  };
  std::vector<Held> held;     // of each server; empty: by `placement`
  Wire wire = Wire::Float32;  // of weights and gradients between servers and workers; ServersAsync's alone
  std::vector<std::pair<int, double>> slowLinks;  // worker, factor on what it sends and is sent; ServersAsync's alone
  bool workerIsHost = false;                      // a host's replicas are reduced first, and are one worker
  // Which server holds which variable: round robin by count, as tf.distribute does; balanced by bytes, the largest
  // first to the emptiest, so that the fullest holds about max(1/S, largest tensor / all) (README.md); or every
  // variable cut over all servers.
  enum class Placement { RoundRobin, Balanced, Sliced } placement = Placement::RoundRobin;
  InputPipeline input;
  StragglerModel stragglers;
  // Read and written by an optimizer's update of a parameter: 28 Adam, 20 momentum, 12 SGD (README.md, Device).
  double updateBytesPerParameter = 20;
  // The device that updates variables with one copy, apart from the replicas. None: updates take no time.
  std::optional<DeviceModel> server;
  double hostUsPerOp = -1;        // < 0: the constants' value
  bool oneLaunchPerStep = false;  // an XLA program
  double computeScale = 1;        // of the arithmetic, from a calibration; launches are not scaled
  double commScale = 1;           // of what is sent, likewise
  double launchScale = 1;         // of launches and of the host that issues them, likewise
  bool traced = false;            // StepTiming::spans is filled
  std::vector<int> tracedAlone;   // then: of these replicas, in rising order; empty: of all
  // Nothing is sent but at the end of every so manyth step, where the weights are averaged. 0: gradients are summed in
  // every step. `step` says which step it is; 0: the mean of the round, whose spans and packs are those of its last
  // one.
  std::int64_t averagesEvery = 0;
  // What lies in parts on the replicas: 1 the optimizer's slots, 2 gradients too, 3 weights too; 0: nothing. Packs are
  // summed by the ring's reduce-scatter, and weights gathered: after the update, at 3 before forward and backward.
  int shardStage = 0;
  double keptBytesPerParameter = 0;  // on a replica, besides weights, gradients and the optimizer's slots
  // Which draw of the stragglers. Of ServersAsync: the cycle that ends with this update, counted from the start of all
  // workers; 0: a mean cycle, when the start is over.
  std::int64_t step = 0;

  std::int64_t batchOf(int replica) const {
    return batches.empty() ? batchPerReplica : batches[static_cast<std::size_t>(replica)];
  }
  std::int64_t examples() const;  // of all replicas together
  bool traces(int replica) const {
    return traced && (tracedAlone.empty() || std::ranges::binary_search(tracedAlone, replica));
  }
  bool meets() const;  // whether replicas exchange sums in the middle of a pass
};

// Where one replica's step went; the seven sum to the step, exactly.
struct StageNs {
  std::int64_t compute = 0;     // and nothing was being sent
  std::int64_t overlapped = 0;  // computed while gradients were being sent
  std::int64_t exposed = 0;     // waited for its own communication
  std::int64_t straggler = 0;   // waited for slower replicas
  std::int64_t input = 0;       // waited for its examples
  std::int64_t launch = 0;      // kernels being launched, host behind
  std::int64_t queue = 0;       // waited for a server: for its link while others use it, or for its update
  std::int64_t sum() const { return compute + overlapped + exposed + straggler + input + launch + queue; }
};

struct PackTiming {
  double bytes = 0;
  std::int64_t readyNs = 0, beginNs = 0, endNs = 0;  // readyNs: on the last replica
};

// What happened when, for drawing.
struct ModelledSpan {
  enum class Kind {
    Forward,          // a layer; with the wait for the host and the launches at its beginning
    Backward,         // likewise
    Cancelled,        // a layer that was cut off: the sum goes on without this replica
    Update,           // likewise
    Send,             // a pack, of all replicas together
    Pull,             // a variable's weights come to all replicas
    TakePart,         // a replica does nothing but take part in a pack
    WaitForReplicas,  // …until a slower one is there
    WaitForWeights,   // …until a layer's weights are there
    Exchange,         // an asynchronous worker's pulls and pushes: a mean
    WaitForServers,   // until a server's link is free, or its update done
    WaitForInput,
    ServerUpdate,  // by the server that holds the variables
    ShareSums,     // a replica takes part in an exchange of sums, before a layer of its pass
    Gather,        // weights of a pack come to all replicas from those that keep them
    TakeGathered,  // a replica does nothing but take part in that
    AddSums,       // those of all replicas together, on their way; by way of one device: there…
    ReturnSums,    // …and back
  };
  Kind kind = Kind::Forward;
  int replica = 0;  // -1: all of them
  int index = 0;    // the layer, in forward order, of sums as well; the pack, in the order of StepTiming::packs
  std::int64_t beginNs = 0, endNs = 0;
  std::int64_t launchNs = 0;  // at the beginning
  double bytes = 0;
};

// A replica has all its gradients, or would have had them.
struct Arrival {
  int replica = 0;
  std::int64_t ns = 0;  // in the step
};

struct StepTiming {
  std::int64_t stepNs = 0;
  std::vector<Arrival> arrivals;      // of a synchronous step, in the order of time; who arrives together, by number
  std::vector<int> leftOut;           // who was too late for the sum, in ascending order
  std::vector<StageNs> stages;        // per replica; of one update of ServersAsync: its worker's alone
  std::vector<PackTiming> packs;      // in the order in which they are sent; of servers one per variable
  std::vector<double> resourceBytes;  // per resource of the network, a step
  std::int64_t examples = 0;          // of a synchronous step: of all replicas but those that were left out
  double imagesPerSecond = 0;         // of them
  double meanStaleness = 0;           // ServersAsync
  int worker = -1;                    // of one update of ServersAsync: its worker
  std::vector<ModelledSpan> spans;    // where StepRequest::traced; of ServersAsync: every worker's mean cycle

  StageNs meanStages() const;  // over the replicas; the nanoseconds that do not divide are computation's
};

// A request with all that it points to: what a run's clock, sweeps and what-if ask, so that they give one answer.
struct StepModel {
  TimingConstants constants;
  Network network;
  ModelProfile model;
  StepRequest request;  // its pointers are not set

  StepRequest asked() const;  // they are; valid as long as this
};

// UserError where the request cannot be: more replicas than devices, a batch below 1.
StepTiming simulateStep(const StepRequest& request);

// One all-reduce of `bytes` by the request's method, which must be one where all take part as equals (not servers).
std::int64_t collectiveNs(const StepRequest& request, double bytes);

// Images per second over the same at one replica, ideal = 1: weak at a fixed batch per replica, strong at a fixed
// global batch (README.md, Stages).
double weakEfficiency(const StepTiming& one, const StepTiming& many, int replicas);
double strongEfficiency(const StepTiming& one, const StepTiming& many, int replicas);

}  // namespace lab
