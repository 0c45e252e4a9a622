// SPDX-License-Identifier: GPL-3.0-or-later
// A training step without the arithmetic: its time on a cluster, the breakdown of that time, and the bytes on each
// link. One call simulates one step in steady state by events over layers and packs, in whole nanoseconds (README.md);
// asynchronous servers are simulated over many steps. Pure functions of their arguments: any thread may call them, and
// the same request always gives the same answer. Every result is modelled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/base/limits.h"
#include "core/base/precision.h"
#include "core/comm/schedule.h"
#include "core/config/exchange.h"
#include "core/hardware/network.h"
#include "core/timing/model_profile.h"
#include "core/timing/pull_turns.h"
#include "core/timing/stragglers.h"

namespace lab {

// The pipeline that feeds the replicas of a host. If all figures are zero, no replica ever waits for input.
struct InputPipeline {
  double hostUsPerExample = 0;  // decoding, on one thread
  int threads = 8;              // of each host
  double bytesPerExample = 0;   // bytes that cross the host's PCIe and memory
  bool prefetch = true;         // the next batch is made while this one trains
};

struct StepRequest {
  const Network* network = nullptr;
  const ModelProfile* model = nullptr;
  const TimingConstants* constants = nullptr;
  int replicas = 1;  // the network's first devices
  std::int64_t batchPerReplica = kDefaultBatchPerReplica;
  // One entry per replica instead of batchPerReplica, if replicas have unequal batches or none at all.
  std::vector<std::int64_t> batches;
  Precision precision = Precision::Float32;
  Reducer method = Reducer::None;
  // How replicas add sums in the middle of a pass (LayerProfile::summedElements); None: they do not.
  Reducer sums = Reducer::None;
  double packBytes = 0;       // gradients are sent once this many are ready; 0: all in one pack
  bool overlap = true;        // packs are sent during backward
  bool sendsUpdated = false;  // weights are sent once every replica has updated its own: all packs after the update
  Carried carried{};          // by a pack's transfers, where replicas take part in its sum as equals
  // A sum begins once this many replicas have arrived, that is, have all their gradients. Later replicas are then
  // cancelled and add nothing. At least one of those that have arrived has examples. 0: the sum waits for all, as it
  // does where replicas meet in the middle of a pass.
  int waitsFor = 0;
  int servers = 1;  // number of servers for ServersSync and ServersAsync, placed on the hosts in turn
  // Servers have hosts of their own, so even a single worker sends to them (tf.distribute's parameter servers).
  bool serversApart = false;
  struct Held {  // by one server; statistics are not trained
    std::int64_t weights = 0, statistics = 0;
  };
  std::vector<Held> held;     // of each server; empty: by `placement`
  Wire wire = Wire::Float32;  // format of weights and gradients between servers and workers; ServersAsync only
  std::vector<std::pair<int, double>> slowLinks;  // worker, factor on what it sends and receives; ServersAsync only
  PullTurns turns;                                // ServersAsync only
  bool workerIsHost = false;                      // a host's replicas are reduced first, and act as one worker
  // Which server holds which variable: round robin by count, as tf.distribute does; balanced by bytes, the largest
  // first to the emptiest, so that the fullest holds about max(1/S, largest tensor / all) (README.md); or every
  // variable cut over all servers.
  enum class Placement { RoundRobin, Balanced, Sliced } placement = Placement::RoundRobin;
  InputPipeline input;
  StragglerModel stragglers;
  // Bytes that an optimizer's update reads and writes per parameter: 28 Adam, 20 momentum, 12 SGD (README.md, Device).
  double updateBytesPerParameter = 20;
  // The device that updates variables with one copy, apart from the replicas. Nothing: updates take no time.
  std::optional<DeviceModel> server;
  double hostUsPerOp = -1;        // < 0: the constants' value
  bool oneLaunchPerStep = false;  // an XLA program
  double computeScale = 1;        // factor on arithmetic, from a calibration; launches are not scaled
  double commScale = 1;           // factor on communication, from a calibration
  double launchScale = 1;         // factor on launches and the host that issues them, from a calibration
  bool traced = false;            // StepTiming::spans are filled
  std::vector<int> tracedAlone;   // the replicas that are traced then, in rising order; empty: all
  // What each step of a round exchanges, from the first step on; empty: every step is as this request has it. `step`
  // selects a step; 0: the mean of the round, with the spans and packs of its last step.
  std::vector<Exchange> round;
  // What is split over the replicas: 1 the optimizer's slots, 2 gradients too, 3 weights too; 0: nothing. Packs are
  // summed by the ring's reduce-scatter, and weights gathered: after the update, or at 3 before forward and backward.
  int shardStage = 0;
  double keptBytesPerParameter = 0;  // kept on a replica besides weights, gradients and the optimizer's slots
  // Selects the draw of the stragglers. For ServersAsync: the cycle that ends with this update, counted from the start
  // of all workers; 0: a mean cycle after the start-up.
  std::int64_t step = 0;

  std::int64_t batchOf(int replica) const { return batches.empty() ? batchPerReplica : at(batches, replica); }
  std::int64_t examples() const;  // of all replicas together
  bool traces(int replica) const {
    return traced && (tracedAlone.empty() || std::ranges::binary_search(tracedAlone, replica));
  }
  bool meets() const;  // whether replicas exchange sums in the middle of a pass
};

// Where one replica's step went; the eight parts sum exactly to the step.
struct StageNs {
  std::int64_t compute = 0;     // computed while nothing was being sent
  std::int64_t overlapped = 0;  // computed while gradients were being sent
  std::int64_t exposed = 0;     // waited for its own communication
  std::int64_t straggler = 0;   // waited for slower replicas
  std::int64_t input = 0;       // waited for its examples
  std::int64_t launch = 0;      // waited while kernels were launched or the host was behind
  std::int64_t queue = 0;       // waited for a server: for its turn, its link while others used it, or its update
  // An asynchronous worker's rest of the step, which is the slowest worker's cycle: the worker is in its next cycle
  // already.
  std::int64_t nextCycle = 0;
  std::int64_t sum() const { return compute + overlapped + exposed + straggler + input + launch + queue + nextCycle; }
};

struct PackTiming {
  double bytes = 0;                                  // of its elements, whatever transfers carry of them
  std::int64_t readyNs = 0, beginNs = 0, endNs = 0;  // readyNs: on the last replica
};

// One span of the modelled time line, for drawing.
struct ModelledSpan {
  enum class Kind {
    Forward,          // a layer, with the wait for the host and the launches at its beginning
    Backward,         // as Forward
    Cancelled,        // a layer that was cut off: the sum goes on without this replica
    Update,           // an update, which may be cut short too
    Send,             // a pack, of all replicas together
    Pull,             // a variable's weights come to all replicas
    TakePart,         // a replica is idle apart from its part in sending a pack
    WaitForReplicas,  // waits for a slower replica
    WaitForWeights,   // waits for a layer's weights
    Exchange,         // an asynchronous worker's pulls and pushes: a mean
    WaitForServers,   // waits for a server's link or update
    WaitForInput,
    ServerUpdate,  // by the server that holds the variables
    ShareSums,     // a replica takes part in an exchange of sums, before a layer of its pass
    Gather,        // a pack's weights come to all replicas from those that keep them
    TakeGathered,  // a replica is idle apart from its part in a gather
    AddSums,       // the sums of all replicas together, under way; if by way of one device: to the device
    ReturnSums,    // the sums on their way back from the device
  };
  Kind kind = Kind::Forward;
  int replica = 0;  // -1: all of them
  int index = 0;    // the layer, in forward order, of sums as well; the pack, in the order of StepTiming::packs
  std::int64_t beginNs = 0, endNs = 0;
  std::int64_t launchNs = 0;  // at the beginning
  double bytes = 0;           // of what transfers carry
};

// The moment at which a replica has all its gradients, or would have had them.
struct Arrival {
  int replica = 0;
  std::int64_t ns = 0;  // from the beginning of the step
};

struct StepTiming {
  std::int64_t stepNs = 0;
  std::vector<Arrival> arrivals;      // of a synchronous step, in the order of time; who arrives together, by number
  std::vector<int> leftOut;           // replicas that came too late for the sum, in ascending order
  std::vector<StageNs> stages;        // per replica; for one update of ServersAsync: only of its worker
  std::vector<PackTiming> packs;      // in sending order; with servers, one per variable
  std::vector<double> resourceBytes;  // per resource of the network, a step
  std::int64_t examples = 0;          // of a synchronous step: of all replicas except those left out
  double imagesPerSecond = 0;         // of these examples
  double meanStaleness = 0;           // ServersAsync
  int worker = -1;                    // the worker of one update of ServersAsync
  std::vector<ModelledSpan> spans;    // filled if StepRequest::traced; for ServersAsync: every worker's mean cycle

  StageNs meanStages() const;  // mean over the replicas; nanoseconds that do not divide evenly count as computation
};

// A request with all that it points to. A run's clock, sweeps and what-if use it, so they give one answer.
struct StepModel {
  TimingConstants constants;
  Network network;
  ModelProfile model;
  StepRequest request;  // its pointers are not set

  StepRequest asked() const;  // the request with its pointers set; valid as long as this model
};

// Returns the request of one step, with this exchange.
StepRequest withExchange(StepRequest request, const Exchange& exchange);

// Simulates a step. Throws a UserError for an impossible request: more replicas than devices, a batch below 1.
StepTiming simulateStep(const StepRequest& request);

// Returns the time of one all-reduce of `bytes` by the request's method, in which all must take part as equals (no
// servers).
std::int64_t collectiveNs(const StepRequest& request, double bytes);

// Returns the scaling efficiency: images per second relative to the ideal, the rate of one replica times the number of
// replicas; ideal = 1. Weak if `one` has the same batch per replica, strong if it has the same global batch (README.md,
// Stages).
double scalingEfficiency(const StepTiming& one, const StepTiming& many, int replicas);

}  // namespace lab
