// SPDX-License-Identifier: GPL-3.0-or-later
// One synchronous step: the replicas' lanes, and the packs that all of them send together.
#include "core/timing/step_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/timing/device_program.h"
#include "core/timing/input_wait.h"
#include "core/timing/pack_cost.h"
#include "core/timing/server_queues.h"

namespace lab {
namespace {

bool usesServers(CommMethod method) {
  return method == CommMethod::CentralHost || method == CommMethod::CentralDevice ||
         method == CommMethod::ReduceBroadcast || method == CommMethod::ServersSync ||
         method == CommMethod::ServersAsync;
}

struct Interval {
  std::int64_t beginNs = 0, endNs = 0;
};

// A run of gradients that is sent as one.
struct Pack {
  double bytes = 0;
  std::size_t backwardLayer = 0;  // ready when so many layers' backward are done
  std::size_t forwardLayer = 0;   // of servers: pulled before this layer's forward
  std::size_t variable = 0;       // of servers: creation order
};

std::vector<Pack> makePacks(const StepRequest& request) {
  constexpr double kBytesPerElement = 4;
  const std::vector<LayerProfile>& layers = request.model->layers;
  std::vector<Pack> packs;
  const bool each = usesServers(request.method);
  auto variable = static_cast<std::size_t>(request.model->tensors());
  double open = 0;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const std::size_t done = layers.size() - i;
    for (std::size_t t = layers[i].tensors.size(); t-- > 0;) {
      --variable;
      open += kBytesPerElement * static_cast<double>(layers[i].tensors[t]);
      const bool last = i == 0 && t == 0;
      if (!each && !last && (request.packBytes <= 0 || open < request.packBytes)) continue;
      packs.push_back({open, request.overlap ? done : layers.size(), request.overlap ? i : 0, variable});
      open = 0;
    }
  }
  return packs;
}

// One replica's lane while it is being walked.
struct Lane {
  StageNs stages;
  std::int64_t nowNs = 0;
  std::vector<std::int64_t> layerDoneNs;  // backward, by count of layers done
  std::vector<ModelledSpan>* trace = nullptr;
  int replica = 0;

  void note(ModelledSpan::Kind kind, std::size_t index, std::int64_t beginNs, std::int64_t endNs,
            std::int64_t launchNs = 0) {
    if (trace != nullptr && endNs > beginNs)
      trace->push_back({kind, replica, static_cast<int>(index), beginNs, endNs, launchNs, 0});
  }
};

void runLayer(Lane& lane, const DeviceProgram::Layer& layer, double factor, ModelledSpan::Kind kind,
              std::size_t index) {
  // The device waits for the host to issue its next kernel.
  const auto issued = static_cast<std::int64_t>(layer.hostNs);
  const std::int64_t idle = std::max<std::int64_t>(0, issued - lane.nowNs);
  const std::int64_t launch = std::llround(layer.launchNs) + idle;
  const std::int64_t compute = std::llround(layer.computeNs * factor);
  lane.stages.launch += launch;
  lane.stages.compute += compute;
  lane.note(kind, index, lane.nowNs, lane.nowNs + launch + compute, launch);
  lane.nowNs += launch + compute;
}

std::vector<Interval> merged(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::beginNs);
  std::vector<Interval> all;
  for (const Interval& each : intervals) {
    if (!all.empty() && each.beginNs <= all.back().endNs)
      all.back().endNs = std::max(all.back().endNs, each.endNs);
    else if (each.endNs > each.beginNs)
      all.push_back(each);
  }
  return all;
}

class StepSimulation {
 public:
  explicit StepSimulation(const StepRequest& request)
      : request_(request), network_(*request.network), packs_(makePacks(request)) {
    for (int r = 0; r < request.replicas; ++r) {
      const DeviceModel* model = &network_.device(r);
      const auto found = std::ranges::find(models_, model);
      programOf_.push_back(static_cast<std::size_t>(found - models_.begin()));
      if (found != models_.end()) continue;
      models_.push_back(model);
      programs_.push_back(makeProgram(request, *model));
    }
    factors_ = straggle(request.stragglers, request.replicas, request.step);
    for (int r = 0; r < request.replicas; ++r) factors_[static_cast<std::size_t>(r)] *= slowdown(r);
  }

  StepTiming run() {
    const bool alone = request_.replicas == 1 || request_.method == CommMethod::None;
    openLanes();
    std::vector<Interval> pulls, sends;
    std::vector<std::int64_t> pulled(request_.model->layers.size(), 0);
    ServerQueues queues(request_);
    const bool servers = !alone && usesServers(request_.method);
    if (servers && !pullsAtOnce()) pulls = pull(queues, pulled);
    for (std::size_t r = 0; r < lanes_.size(); ++r) walk(lanes_[r], r, pulled);
    StepTiming timing;
    if (!alone) {
      sends = servers ? push(queues, timing) : send(timing);
      timing.resourceBytes = servers ? queues.resourceBytes() : cost_.resourceBytes();
    }
    timing.resourceBytes.resize(static_cast<std::size_t>(network_.resources()), 0.0);
    finish(timing, merged(std::move(pulls)), merged(std::move(sends)));
    return timing;
  }

  // Of an asynchronous worker: its own computation, from the weights' arrival to the gradients'.
  std::vector<Lane> lonelyLanes() {
    openLanes();
    const std::vector<std::int64_t> nothing(request_.model->layers.size(), 0);
    for (std::size_t r = 0; r < lanes_.size(); ++r) walk(lanes_[r], r, nothing);
    return lanes_;
  }

  std::vector<ModelledSpan> takeSpans() { return std::move(spans_); }

 private:
  void openLanes() {
    lanes_.resize(static_cast<std::size_t>(request_.replicas));
    for (std::size_t r = 0; r < lanes_.size(); ++r) {
      lanes_[r].replica = static_cast<int>(r);
      lanes_[r].trace = request_.traced ? &spans_ : nullptr;
    }
  }

  void noteAll(ModelledSpan::Kind kind, std::size_t index, const Interval& when, double bytes) {
    if (request_.traced) spans_.push_back({kind, -1, static_cast<int>(index), when.beginNs, when.endNs, 0, bytes});
  }

  // Whether variables are copies on the replicas, refreshed within the step: reduced onto one device and copied back,
  // or by way of servers (tf_cnn_benchmarks' distributed_replicated, MXNet's dist_device_sync). Otherwise the next step
  // reads them where they are, layer by layer.
  bool pullsAtOnce() const { return request_.method == CommMethod::ReduceBroadcast || request_.workerIsHost; }

  // What sharing costs the computation itself.
  double slowdown(int replica) const {
    if (request_.replicas == 1) return 1;
    const TimingConstants& constants = *request_.constants;
    double factor = 1;
    if (request_.method != CommMethod::None) factor += constants["overlap.compute_loss"];
    // Of the two devices of this board one has less power left for work; a step waits for it.
    const bool pair = network_.devicesOn(network_.hostOf(replica)) > 1;
    if (pair && network_.device(replica).id == "k80") factor += constants["board.k80_pair_loss"];
    return factor;
  }

  // Weights come down before the layers that need them; only what comes late holds anybody up.
  std::vector<Interval> pull(ServerQueues& queues, std::vector<std::int64_t>& pulled) {
    std::vector<Interval> intervals;
    for (std::size_t i = packs_.size(); i-- > 0;) {  // forward order
      const ServerQueues::Interval interval = queues.pull(packs_[i].variable, packs_[i].bytes, 0);
      intervals.push_back({interval.beginNs, interval.endNs});
      noteAll(ModelledSpan::Kind::Pull, i, intervals.back(), packs_[i].bytes);
      std::int64_t& when = pulled[packs_[i].forwardLayer];
      when = std::max(when, interval.endNs);
    }
    return intervals;
  }

  void walk(Lane& lane, std::size_t replica, const std::vector<std::int64_t>& pulled) {
    const DeviceProgram& program = programs_[programOf_[replica]];
    const double factor = factors_[replica];
    for (std::size_t i = 0; i < program.forward.size(); ++i) {
      if (pulled[i] > lane.nowNs) {
        lane.stages.exposed += pulled[i] - lane.nowNs;
        lane.note(ModelledSpan::Kind::WaitForWeights, i, lane.nowNs, pulled[i]);
        lane.nowNs = pulled[i];
      }
      runLayer(lane, program.forward[i], factor, ModelledSpan::Kind::Forward, i);
    }
    lane.layerDoneNs.push_back(lane.nowNs);
    for (std::size_t i = 0; i < program.backward.size(); ++i) {
      runLayer(lane, program.backward[i], factor, ModelledSpan::Kind::Backward, program.backward.size() - 1 - i);
      lane.layerDoneNs.push_back(lane.nowNs);
    }
  }

  std::int64_t readyNs(const Pack& pack) const {
    std::int64_t ready = 0;
    for (const Lane& lane : lanes_) ready = std::max(ready, lane.layerDoneNs[pack.backwardLayer]);
    return ready;
  }

  std::vector<Interval> send(StepTiming& timing) {
    std::vector<Interval> intervals;
    std::int64_t free = 0;
    for (const Pack& pack : packs_) {
      const std::int64_t ready = readyNs(pack), begin = std::max(ready, free);
      free = begin + cost_.ns(pack.bytes);
      intervals.push_back({begin, free});
      noteAll(ModelledSpan::Kind::Send, timing.packs.size(), intervals.back(), pack.bytes);
      timing.packs.push_back({pack.bytes, ready, begin, free});
    }
    return intervals;
  }

  std::vector<Interval> push(ServerQueues& queues, StepTiming& timing) {
    std::vector<Interval> intervals;
    for (const Pack& pack : packs_) {
      const std::int64_t ready = readyNs(pack);
      ServerQueues::Interval interval = queues.push(pack.variable, pack.bytes, ready);
      if (pullsAtOnce()) interval.endNs = queues.pull(pack.variable, pack.bytes, interval.endNs).endNs;
      intervals.push_back({interval.beginNs, interval.endNs});
      noteAll(ModelledSpan::Kind::Send, timing.packs.size(), intervals.back(), pack.bytes);
      timing.packs.push_back({pack.bytes, ready, interval.beginNs, interval.endNs});
    }
    return intervals;
  }

  // Books what comes after each lane's backward, and what of its computation was overlapped.
  void finish(StepTiming& timing, const std::vector<Interval>& pulls, const std::vector<Interval>& sends) {
    std::int64_t stepNs = 0;
    const bool updatesHere =
        !usesServers(request_.method) || request_.method == CommMethod::ReduceBroadcast || request_.replicas == 1;
    for (std::size_t r = 0; r < lanes_.size(); ++r) {
      Lane& lane = lanes_[r];
      std::int64_t overlapped = 0;
      for (const std::vector<Interval>* kind : {&pulls, &sends})
        for (const Interval& each : *kind)
          overlapped += std::max<std::int64_t>(0, std::min(each.endNs, lane.nowNs) - each.beginNs);
      // Some of that time the lane waited or launched.
      overlapped = std::min(overlapped, lane.stages.compute);
      lane.stages.overlapped = overlapped;
      lane.stages.compute -= overlapped;
      for (std::size_t i = 0; i < sends.size(); ++i) {
        const Interval& each = sends[i];
        if (each.endNs <= lane.nowNs) continue;
        const std::int64_t begin = std::max(each.beginNs, lane.nowNs);
        lane.note(ModelledSpan::Kind::WaitForReplicas, 0, lane.nowNs, begin);
        lane.note(ModelledSpan::Kind::TakePart, i, begin, each.endNs);
        lane.stages.straggler += begin - lane.nowNs;
        lane.stages.exposed += each.endNs - begin;
        lane.nowNs = each.endNs;
      }
      if (updatesHere) runLayer(lane, programs_[programOf_[r]].update, factors_[r], ModelledSpan::Kind::Update, 0);
      stepNs = std::max(stepNs, lane.nowNs);
    }
    const std::int64_t input = inputWaitNs(request_, inputNs(request_), stepNs);
    timing.stepNs = stepNs + input;
    for (ModelledSpan& span : spans_) {
      span.beginNs += input;
      span.endNs += input;
    }
    for (Lane& lane : lanes_) {
      lane.note(ModelledSpan::Kind::WaitForReplicas, 0, input + lane.nowNs, timing.stepNs);
      lane.note(ModelledSpan::Kind::WaitForInput, 0, 0, input);
      lane.stages.straggler += stepNs - lane.nowNs;
      lane.stages.input = input;
      timing.stages.push_back(lane.stages);
      LAB_CHECK(lane.stages.sum() == timing.stepNs);
    }
    timing.spans = std::move(spans_);
    for (PackTiming& pack : timing.packs) {
      pack.readyNs += input;
      pack.beginNs += input;
      pack.endNs += input;
    }
    const double examples = static_cast<double>(request_.batchPerReplica) * request_.replicas;
    timing.imagesPerSecond = examples * 1e9 / static_cast<double>(std::max<std::int64_t>(1, timing.stepNs));
  }

  const StepRequest& request_;
  const Network& network_;
  std::vector<Pack> packs_;
  std::vector<const DeviceModel*> models_;
  std::vector<DeviceProgram> programs_;
  std::vector<std::size_t> programOf_;
  std::vector<double> factors_;
  std::vector<Lane> lanes_;
  std::vector<ModelledSpan> spans_;
  PackCost cost_{request_};
};

// Every worker's mean cycle; nobody waits for anybody but for the servers.
StepTiming asynchronous(const StepRequest& request) {
  StepRequest own = request;
  own.stragglers.expected = false;
  StepSimulation simulation(own);
  std::vector<StageNs> stages;
  std::vector<std::int64_t> computeNs;
  for (const auto& lane : simulation.lonelyLanes()) {
    stages.push_back(lane.stages);
    computeNs.push_back(lane.nowNs);
  }
  // A worker whose examples are late begins so much later; how long it then waits for servers is another matter.
  AsyncTiming async = simulateAsync(own, computeNs);
  const std::int64_t examplesNs = inputNs(own);
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    std::int64_t late = 0;
    for (std::size_t w = 0; w < stages.size(); ++w) {
      const std::int64_t more = inputWaitNs(own, examplesNs, computeNs[w] + async.waitNs[w]);
      stages[w].input += more;
      computeNs[w] += more;
      late = std::max(late, more);
    }
    if (late == 0) break;
    async = simulateAsync(own, computeNs);
    if (!own.input.prefetch) break;  // waited for once, and in full
  }
  StepTiming timing;
  timing.meanStaleness = async.meanStaleness;
  timing.imagesPerSecond = async.updatesPerSecond * static_cast<double>(request.batchPerReplica);
  // Cycles differ by worker; each lane adds up to its own, the step is the longest of them.
  for (std::size_t w = 0; w < stages.size(); ++w) {
    stages[w].exposed = async.waitNs[w];
    timing.stepNs = std::max(timing.stepNs, stages[w].sum());
  }
  timing.spans = simulation.takeSpans();
  for (ModelledSpan& span : timing.spans) {
    const std::int64_t late = stages[static_cast<std::size_t>(span.replica)].input;
    span.beginNs += late;
    span.endNs += late;
  }
  for (std::size_t w = 0; w < stages.size(); ++w) {
    const std::int64_t computed = computeNs[w], cycle = stages[w].sum();
    const int worker = static_cast<int>(w);
    if (request.traced) {
      if (stages[w].input > 0)
        timing.spans.push_back({ModelledSpan::Kind::WaitForInput, worker, 0, 0, stages[w].input, 0, 0});
      timing.spans.push_back({ModelledSpan::Kind::WaitForServers, worker, 0, computed, cycle, 0, 0});
      if (timing.stepNs > cycle)
        timing.spans.push_back({ModelledSpan::Kind::WaitForReplicas, worker, 0, cycle, timing.stepNs, 0, 0});
    }
    stages[w].straggler = timing.stepNs - cycle;
  }
  timing.stages = std::move(stages);
  timing.resourceBytes.assign(static_cast<std::size_t>(request.network->resources()), 0.0);
  const double bytes = 4.0 * static_cast<double>(request.model->parameters());
  for (int r = 0; r < request.replicas; ++r)
    for (int port = 0; port < 2; ++port) timing.resourceBytes[static_cast<std::size_t>(2 * r + port)] = bytes;
  return timing;
}

}  // namespace

StepTiming simulateStep(const StepRequest& request) {
  LAB_CHECK(request.network != nullptr && request.model != nullptr && request.constants != nullptr);
  LAB_CHECK(!request.model->layers.empty() && request.computeScale > 0);
  if (request.replicas < 1 || request.replicas > request.network->devices())
    throw UserError(formatCount(request.replicas) + " replicas do not fit on a cluster of " +
                    formatCount(request.network->devices()) + " devices. Give it more devices, or fewer replicas.");
  if (request.batchPerReplica < 1) throw UserError("a batch of no examples trains nothing. Give at least 1.");
  if (request.servers < 1) throw UserError("parameter servers need at least one server. Give 1 or more.");
  if (request.method == CommMethod::ServersAsync && request.replicas > 1) return asynchronous(request);
  return StepSimulation(request).run();
}

std::int64_t collectiveNs(const StepRequest& request, double bytes) {
  return request.replicas == 1 ? 0 : PackCost(request).ns(bytes);
}

double weakEfficiency(const StepTiming& one, const StepTiming& many, int replicas) {
  return many.imagesPerSecond / (replicas * one.imagesPerSecond);
}

double strongEfficiency(const StepTiming& one, const StepTiming& many, int replicas) {
  return static_cast<double>(one.stepNs) / (replicas * static_cast<double>(many.stepNs));
}

}  // namespace lab
