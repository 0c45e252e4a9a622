// SPDX-License-Identifier: GPL-3.0-or-later
// One synchronous step: the replicas' tracks, and the packs that all replicas send together.
#include "core/timing/step_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/timing/async_servers.h"
#include "core/timing/device_track.h"
#include "core/timing/input_wait.h"
#include "core/timing/messages.h"
#include "core/timing/pack_cost.h"
#include "core/timing/server_queues.h"
#include "core/timing/step_packs.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

// The parts of a step besides computation, which takes what is left over by divisions.
constexpr std::int64_t StageNs::*kWaits[] = {&StageNs::overlapped, &StageNs::exposed, &StageNs::straggler,
                                             &StageNs::input,      &StageNs::launch,  &StageNs::queue,
                                             &StageNs::nextCycle};

struct Interval {
  std::int64_t beginNs = 0, endNs = 0;
};

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

// Returns how long the track computes during one of the intervals, which are merged.
std::int64_t overlapOf(const DeviceTrack& track, const std::vector<Interval>& intervals) {
  std::int64_t ns = 0;
  std::size_t first = 0;
  for (const auto& [begin, end] : track.computing) {
    while (first < intervals.size() && intervals[first].endNs <= begin) ++first;
    for (std::size_t i = first; i < intervals.size() && intervals[i].beginNs < end; ++i)
      ns += std::min(intervals[i].endNs, end) - std::max(intervals[i].beginNs, begin);
  }
  return ns;
}

class StepSimulation {
 public:
  explicit StepSimulation(const StepRequest& request)
      : request_(request), network_(*request.network), packs_(makePacks(request)) {
    Tracks tracks = makeTracks(request);
    tracks_ = std::move(tracks.all);
    trackOf_ = std::move(tracks.ofReplica);
    sumsRequest_.method = request.sums;
    for (DeviceTrack& track : tracks_)
      if (request.traces(track.replica)) track.trace = &spans_;
  }

  StepTiming run() {
    const bool alone = request_.replicas == 1 || request_.method == Reducer::None;
    std::vector<Interval> pulls, sends;
    std::vector<std::int64_t> pulled(request_.model->layers.size(), 0);
    ServerQueues queues(request_);
    const bool servers = !alone && usesServers(request_.method);
    if (servers && !pullsAtOnce()) pulls = pull(queues, pulled);
    gathersTwice_ = !alone && request_.shardStage == kWeightsInParts;
    if (gathersTwice_) pulls = gatherForward(pulled);
    walk(pulled, pulls);
    StepTiming timing;
    arrive(pulled, timing);
    if (request_.sendsUpdated) updateReplicas();
    if (!alone) {
      sends = servers ? push(queues, timing) : send(timing);
      timing.resourceBytes = servers ? queues.resourceBytes() : cost_.resourceBytes();
      gathersUpdated_ = request_.shardStage > 0 && !gathersTwice_;
    }
    timing.resourceBytes.resize(static_cast<std::size_t>(network_.resources()), 0.0);
    for (const std::vector<double>& sums : {sumsCost_.resourceBytes(), sumsByServer_})
      for (std::size_t i = 0; i < sums.size(); ++i) timing.resourceBytes[i] += sums[i];
    finish(timing, std::move(pulls), std::move(sends));
    for (std::size_t i = 0; i < gatherCost_.resourceBytes().size(); ++i)
      timing.resourceBytes[i] += gatherCost_.resourceBytes()[i];
    return timing;
  }

 private:
  void noteAll(ModelledSpan::Kind kind, std::size_t index, const Interval& when, double bytes) {
    if (request_.traced) spans_.push_back({kind, -1, static_cast<int>(index), when.beginNs, when.endNs, 0, bytes});
  }

  // Runs all tracks, which meet before each layer that needs sums over all replicas.
  void walk(const std::vector<std::int64_t>& pulled, std::vector<Interval>& gathers) {
    const std::vector<LayerProfile>& layers = request_.model->layers;
    const auto meets = [&](std::size_t i) { return request_.meets() && layers[i].summedElements > 0; };
    const auto each = [this](const auto& body) {
      for (DeviceTrack& track : tracks_) body(track, programs_.of(track.replica));
    };
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (meets(i)) addSums(i);
      each([&](DeviceTrack& track, const DeviceProgram& program) { track.forward(program, i, pulled); });
    }
    std::vector<std::int64_t> gathered;
    if (gathersTwice_) gathered = gatherBackward(gathers);
    for (std::size_t i = layers.size(); i-- > 0;) {
      if (meets(i)) addSums(i);
      each([&](DeviceTrack& track, const DeviceProgram& program) {
        if (gathersTwice_) track.waitForWeights(i, gathered[i]);
        track.backward(program, i);
      });
    }
  }

  // Lets all tracks wait for the last replica, and returns when it arrives.
  std::int64_t meet() {
    std::int64_t lastNs = 0;
    for (const DeviceTrack& track : tracks_) lastNs = std::max(lastNs, track.nowNs);
    for (DeviceTrack& track : tracks_) {
      track.note(ModelledSpan::Kind::WaitForReplicas, 0, track.nowNs, lastNs);
      track.stages.straggler += lastNs - track.nowNs;
      track.nowNs = lastNs;
    }
    return lastNs;
  }

  // Gathers a pack from `fromNs` on, as soon as the ring has carried the pack before.
  Interval gather(std::size_t pack, std::int64_t fromNs) {
    const std::int64_t begin = std::max(fromNs, freeNs_);
    freeNs_ = sumNs(begin, gatherCost_.ns(packs_[pack].bytes));
    noteAll(ModelledSpan::Kind::Gather, pack, {begin, freeNs_}, packs_[pack].bytes);
    return {begin, freeNs_};
  }

  // A layer's forward waits only for its own weights.
  std::vector<Interval> gatherForward(std::vector<std::int64_t>& gathered) {
    std::vector<Interval> intervals;
    for (std::size_t i = packs_.size(); i-- > 0;) {
      intervals.push_back(gather(i, 0));
      for (std::size_t layer = packs_[i].forwardLayer; layer <= packs_[i].lastLayer; ++layer)
        gathered[layer] = intervals.back().endNs;
    }
    return intervals;
  }

  // All replicas take part, so gathering begins when the last replica has its loss. Sums wait until the ring is free.
  std::vector<std::int64_t> gatherBackward(std::vector<Interval>& intervals) {
    std::vector<std::int64_t> gathered(request_.model->layers.size(), 0);
    const std::int64_t turnNs = meet();
    for (std::size_t i = 0; i < packs_.size(); ++i) {
      intervals.push_back(gather(i, turnNs));
      for (std::size_t layer = packs_[i].forwardLayer; layer <= packs_[i].lastLayer; ++layer)
        gathered[layer] = intervals.back().endNs;
    }
    return gathered;
  }

  // For stages at which every replica keeps all weights: the new ones come from their updaters before the step ends.
  void gatherUpdated() {
    const std::int64_t updatedNs = meet();
    for (std::size_t i = packs_.size(); i-- > 0;) {
      const Interval interval = gather(i, updatedNs);
      for (DeviceTrack& track : tracks_) {
        track.note(ModelledSpan::Kind::TakeGathered, i, track.nowNs, interval.endNs);
        track.stages.exposed += interval.endNs - track.nowNs;
        track.nowNs = interval.endNs;
      }
    }
  }

  // Notes when each replica has all its gradients. Late replicas that the sum does not wait for are cut off as it
  // begins.
  void arrive(const std::vector<std::int64_t>& pulled, StepTiming& timing) {
    timing.arrivals.reserve(trackOf_.size());
    for (std::size_t r = 0; r < trackOf_.size(); ++r)
      timing.arrivals.push_back({static_cast<int>(r), tracks_[trackOf_[r]].nowNs});
    if (!std::ranges::is_sorted(timing.arrivals, {}, &Arrival::ns))
      std::ranges::stable_sort(timing.arrivals, {}, &Arrival::ns);
    auto awaited = static_cast<std::size_t>(request_.waitsFor);
    if (awaited == 0 || request_.meets()) return;
    // Replicas without examples are the first to arrive, and a sum of theirs alone would train nothing.
    const auto useful = std::ranges::find_if(
        timing.arrivals, [this](const Arrival& arrival) { return request_.batchOf(arrival.replica) > 0; });
    awaited = std::max(awaited, static_cast<std::size_t>(useful - timing.arrivals.begin()) + 1);
    if (awaited >= trackOf_.size()) return;
    for (std::size_t i = awaited; i < trackOf_.size(); ++i) timing.leftOut.push_back(timing.arrivals[i].replica);
    std::ranges::sort(timing.leftOut);
    splitTracks();
    isLeftOut_.assign(tracks_.size(), false);
    for (const int replica : timing.leftOut) at(isLeftOut_, replica) = true;
    std::erase_if(spans_, [&](const ModelledSpan& span) { return span.replica >= 0 && at(isLeftOut_, span.replica); });
    const Tracks fresh = makeTracks(request_);
    for (const int replica : timing.leftOut) {
      DeviceTrack& track = at(tracks_, replica);
      std::vector<ModelledSpan>* const trace = track.trace;
      track = fresh.all[at(fresh.ofReplica, replica)];
      track.replica = replica;
      track.trace = trace;
      track.untilNs = timing.arrivals[awaited - 1].ns;
      track.walk(programs_.of(replica), pulled);
    }
  }

  // Gives each replica its own track from now on, because replicas are left out by number.
  void splitTracks() {
    std::vector<DeviceTrack> all;
    all.reserve(trackOf_.size());
    for (std::size_t r = 0; r < trackOf_.size(); ++r) {
      all.push_back(tracks_[trackOf_[r]]);
      all.back().replica = static_cast<int>(r);
      trackOf_[r] = r;
    }
    tracks_ = std::move(all);
  }

  bool isLeftOut(const DeviceTrack& track) const { return !isLeftOut_.empty() && at(isLeftOut_, track.replica); }

  // The arithmetic of the sums is counted with the layer before, which reads their operands. Packs that are under way
  // do not delay the sums.
  void addSums(std::size_t layer) {
    const double bytes = kBytesPerElement * static_cast<double>(request_.model->layers[layer].summedElements);
    std::int64_t ready = 0;
    for (const DeviceTrack& track : tracks_) ready = std::max(ready, track.nowNs);
    std::int64_t end = ready;
    if (usesServers(request_.sums)) {
      ServerQueues queues(sumsRequest_);
      const std::int64_t there = queues.push(0, bytes, ready).endNs;
      end = queues.pull(0, bytes, there).endNs;
      noteAll(ModelledSpan::Kind::AddSums, layer, {ready, there}, bytes);
      noteAll(ModelledSpan::Kind::ReturnSums, layer, {there, end}, bytes);
      sumsByServer_.resize(queues.resourceBytes().size(), 0.0);
      for (std::size_t i = 0; i < sumsByServer_.size(); ++i) sumsByServer_[i] += queues.resourceBytes()[i];
    } else {
      end = sumNs(end, sumsCost_.ns(bytes));
      noteAll(ModelledSpan::Kind::AddSums, layer, {ready, end}, bytes);
    }
    for (DeviceTrack& track : tracks_) {
      track.note(ModelledSpan::Kind::WaitForReplicas, 0, track.nowNs, ready);
      track.note(ModelledSpan::Kind::ShareSums, layer, ready, end);
      track.stages.straggler += ready - track.nowNs;
      track.stages.exposed += end - ready;
      track.nowNs = end;
    }
  }

  // Returns whether variables are copies on the replicas, refreshed within the step: reduced onto one device and copied
  // back, or by way of servers (tf_cnn_benchmarks' distributed_replicated, MXNet's dist_device_sync). Otherwise the
  // next step reads the variables where they are, layer by layer.
  bool pullsAtOnce() const { return request_.method == Reducer::ReduceBroadcast || request_.workerIsHost; }

  // Pulls weights before the layers that need them; only late weights delay a replica.
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

  std::int64_t readyNs(const StepPack& pack) const {
    std::int64_t ready = 0;
    for (const DeviceTrack& track : tracks_)
      if (!isLeftOut(track))
        ready = std::max(ready, request_.sendsUpdated ? track.nowNs : track.layerDoneNs[pack.backwardLayer]);
    return ready;
  }

  std::vector<Interval> send(StepTiming& timing) {
    std::vector<Interval> intervals;
    for (const StepPack& pack : packs_) {
      const std::int64_t ready = readyNs(pack), begin = std::max(ready, freeNs_);
      const double sent = pack.bytes / kBytesPerElement * request_.carried.perElement();
      freeNs_ = sumNs(begin, cost_.ns(sent));
      intervals.push_back({begin, freeNs_});
      noteAll(ModelledSpan::Kind::Send, timing.packs.size(), intervals.back(), sent);
      timing.packs.push_back({pack.bytes, ready, begin, freeNs_});
    }
    return intervals;
  }

  std::vector<Interval> push(ServerQueues& queues, StepTiming& timing) {
    std::vector<Interval> intervals;
    for (const StepPack& pack : packs_) {
      const std::int64_t ready = readyNs(pack);
      ServerQueues::Interval interval = queues.push(pack.variable, pack.bytes, ready);
      if (pullsAtOnce()) interval.endNs = queues.pull(pack.variable, pack.bytes, interval.endNs).endNs;
      intervals.push_back({interval.beginNs, interval.endNs});
      noteAll(ModelledSpan::Kind::Send, timing.packs.size(), intervals.back(), pack.bytes);
      timing.packs.push_back({pack.bytes, ready, interval.beginNs, interval.endNs});
    }
    return intervals;
  }

  // Updates the replicas. Nobody waits for the update of a replica that was left out: the rest of its update delays
  // only its own next step, which is not modelled.
  void updateReplicas() {
    std::int64_t endNs = 0;
    const auto update = [this](DeviceTrack& track) {
      track.run(programs_.of(track.replica).update, ModelledSpan::Kind::Update, 0);
    };
    for (DeviceTrack& track : tracks_) {
      if (isLeftOut(track)) continue;
      update(track);
      endNs = std::max(endNs, track.nowNs);
    }
    for (DeviceTrack& track : tracks_) {
      if (!isLeftOut(track)) continue;
      track.untilNs = endNs;
      update(track);
    }
  }

  // Returns when the one copy of the variables is updated, after the last gradients have come.
  Interval serverUpdate(const std::vector<Interval>& sends) {
    if (!usesServers(request_.method) || pullsAtOnce() || sends.empty()) return {};
    const std::int64_t begin = sends.back().endNs;
    const Interval update{begin, sumNs(begin, serverUpdateNs(request_, request_.model->parameters()))};
    if (update.endNs > begin) noteAll(ModelledSpan::Kind::ServerUpdate, 0, update, 0);
    return update;
  }

  // Books the rest of each track after its backward, and how much of its computation was overlapped.
  void finish(StepTiming& timing, std::vector<Interval> pulls, std::vector<Interval> sends) {
    std::int64_t stepNs = 0;
    const bool updatesHere =
        !usesServers(request_.method) || request_.method == Reducer::ReduceBroadcast || request_.replicas == 1;
    std::vector<Interval> sending = pulls;
    sending.insert(sending.end(), sends.begin(), sends.end());
    sending = merged(std::move(sending));
    const std::vector<Interval> each = sends;
    sends = merged(std::move(sends));
    const Interval update = serverUpdate(sends);
    for (DeviceTrack& track : tracks_) {
      const std::int64_t overlapped = overlapOf(track, sending);
      track.stages.overlapped = overlapped;
      track.stages.compute -= overlapped;
      for (const Interval& run : sends) {
        if (run.endNs <= track.nowNs) continue;
        const std::int64_t begin = std::max(run.beginNs, track.nowNs);
        track.note(ModelledSpan::Kind::WaitForReplicas, 0, track.nowNs, begin);
        track.stages.straggler += begin - track.nowNs;
        track.stages.exposed += run.endNs - begin;
        takePart(track, each, begin, run.endNs);
        track.nowNs = run.endNs;
      }
      if (update.endNs > track.nowNs) {
        track.note(ModelledSpan::Kind::WaitForServers, 0, track.nowNs, update.endNs);
        track.stages.queue += update.endNs - track.nowNs;
        track.nowNs = update.endNs;
      }
    }
    if (updatesHere && !request_.sendsUpdated) updateReplicas();
    if (gathersUpdated_) gatherUpdated();
    for (const DeviceTrack& track : tracks_) stepNs = std::max(stepNs, track.nowNs);
    const std::int64_t input = inputWaitNs(request_, inputNs(request_), stepNs);
    timing.stepNs = sumNs(stepNs, input);
    for (ModelledSpan& span : spans_) {
      span.beginNs += input;
      span.endNs += input;
    }
    for (DeviceTrack& track : tracks_) {
      track.note(ModelledSpan::Kind::WaitForReplicas, 0, input + track.nowNs, timing.stepNs);
      track.note(ModelledSpan::Kind::WaitForInput, 0, 0, input);
      track.stages.straggler += stepNs - track.nowNs;
      track.stages.input = input;
      LAB_CHECK(track.stages.sum() == timing.stepNs);
    }
    timing.stages.reserve(trackOf_.size());
    for (const std::size_t track : trackOf_) timing.stages.push_back(tracks_[track].stages);
    timing.spans = std::move(spans_);
    for (PackTiming& pack : timing.packs) {
      pack.readyNs += input;
      pack.beginNs += input;
      pack.endNs += input;
    }
    for (Arrival& arrival : timing.arrivals) arrival.ns += input;
    timing.examples = request_.examples();
    for (const int replica : timing.leftOut) timing.examples -= request_.batchOf(replica);
    timing.imagesPerSecond =
        static_cast<double>(timing.examples) * 1e9 / static_cast<double>(std::max<std::int64_t>(1, timing.stepNs));
  }

  // Lets a track that is idle in [from, to) take part in one pack after the other.
  void takePart(DeviceTrack& track, const std::vector<Interval>& packs, std::int64_t from, std::int64_t to) {
    for (std::size_t i = 0; i < packs.size(); ++i) {
      const std::int64_t begin = std::max(packs[i].beginNs, from), end = std::min(packs[i].endNs, to);
      track.note(ModelledSpan::Kind::TakePart, i, begin, end);
      from = std::max(from, end);
    }
  }

  const StepRequest& request_;
  const Network& network_;
  std::vector<StepPack> packs_;
  Programs programs_{request_};
  std::vector<DeviceTrack> tracks_;  // replicas that act alike share a track
  std::vector<std::size_t> trackOf_;
  std::vector<ModelledSpan> spans_;
  PackCost cost_{request_, request_.shardStage > 0 ? std::optional(RingHalf::ReduceScatter) : std::nullopt};
  PackCost gatherCost_{request_, RingHalf::AllGather};
  std::int64_t freeNs_ = 0;  // when replicas that take part as equals may send the next pack
  bool gathersTwice_ = false, gathersUpdated_ = false;
  StepRequest sumsRequest_ = request_;
  PackCost sumsCost_{sumsRequest_};
  std::vector<double> sumsByServer_;
  std::vector<bool> isLeftOut_;  // per replica; empty: no replica is left out
};

// The means over a round's steps, of which there may be thousands: none of them is kept.
class RoundMean {
 public:
  explicit RoundMean(std::int64_t count) : count_(count) {}

  void add(const StepTiming& step, std::int64_t times) {
    step_.add(step.stepNs, times);
    roundNs_ += static_cast<double>(times) * static_cast<double>(step.stepNs);
    stages_.resize(step.stages.size() * std::size(kWaits), MeanNs(count_));
    auto mean = stages_.begin();
    for (const StageNs& stages : step.stages)
      for (const auto part : kWaits) (mean++)->add(stages.*part, times);
    bytes_.resize(step.resourceBytes.size(), 0.0);
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] += static_cast<double>(times) * step.resourceBytes[i];
  }

  // Returns the last step of the round with the mean times of all its steps.
  StepTiming of(StepTiming last) const {
    last.stepNs = step_.ns();
    auto mean = stages_.begin();
    for (StageNs& stages : last.stages) {
      stages = {};
      for (const auto part : kWaits) stages.*part = (mean++)->ns();
      stages.compute = last.stepNs - stages.sum();
    }
    for (std::size_t i = 0; i < bytes_.size(); ++i) last.resourceBytes[i] = bytes_[i] / static_cast<double>(count_);
    last.imagesPerSecond = static_cast<double>(last.examples * count_) * 1e9 / std::max(1.0, roundNs_);
    return last;
  }

 private:
  std::int64_t count_;
  MeanNs step_{count_};
  double roundNs_ = 0;          // of the round
  std::vector<MeanNs> stages_;  // per replica, in the order of kWaits
  std::vector<double> bytes_;   // per resource
};

// Simulates a step of a strategy whose steps do not all exchange the same.
StepTiming simulateRound(StepRequest request) {
  const std::vector<Exchange> round = std::exchange(request.round, {});
  const bool drawsEachStep = request.stragglers.drawsEachStep();
  const auto simulate = [&](std::int64_t step) {
    StepRequest one = withExchange(request, at(round, (step - 1) % std::ssize(round)));
    one.step = drawsEachStep ? step : 0;
    return simulateStep(one);
  };
  if (request.step > 0) return simulate(request.step);
  RoundMean mean(std::ssize(round));
  StepTiming last;
  for (auto at = round.begin(); at != round.end(); ++at) {
    if (!drawsEachStep && std::find(round.begin(), at, *at) != at) continue;  // counted with the first like it
    const StepTiming step = simulate(at - round.begin() + 1);
    mean.add(step, drawsEachStep ? 1 : std::ranges::count(round, *at));
    if (*at == round.back()) last = step;
  }
  return mean.of(std::move(last));
}

}  // namespace

StepRequest withExchange(StepRequest request, const Exchange& exchange) {
  request.round.clear();
  if (exchange.by != Reducer::Auto) request.method = exchange.by;
  if (exchange.what == Exchange::What::Nothing) request.method = Reducer::None;
  request.sendsUpdated = exchange.afterUpdate;
  request.carried = exchange.carried;
  return request;
}

StepTiming simulateStep(const StepRequest& request) {
  LAB_CHECK(request.network != nullptr && request.model != nullptr && request.constants != nullptr);
  LAB_CHECK(!request.model->layers.empty() && request.computeScale > 0);
  if (request.replicas < 1 || request.replicas > request.network->devices())
    throw UserError(say::replicasDoNotFit, Count{request.replicas}, Count{request.network->devices()});
  LAB_CHECK(request.batches.empty() || std::ssize(request.batches) == request.replicas);
  LAB_CHECK(request.waitsFor >= 0);
  if (!request.round.empty()) return simulateRound(request);
  if (request.batches.empty() && request.batchPerReplica < 1) throw UserError(say::noExamplesInBatch);
  if (request.servers < 1) throw UserError(say::noServer);
  if (request.method == Reducer::ServersAsync && (request.replicas > 1 || request.serversApart))
    return simulateWorkers(request);
  return StepSimulation(request).run();
}

std::int64_t collectiveNs(const StepRequest& request, double bytes) {
  return request.replicas == 1 ? 0 : PackCost(request).ns(bytes);
}

std::int64_t StepRequest::examples() const {
  return batches.empty() ? batchPerReplica * replicas
                         : std::accumulate(batches.begin(), batches.end(), std::int64_t{0});
}

bool StepRequest::meets() const {
  return replicas > 1 && sums != Reducer::None &&
         std::ranges::any_of(model->layers, [](const LayerProfile& layer) { return layer.summedElements > 0; });
}

StageNs StepTiming::meanStages() const {
  StageNs mean;
  const auto tracks = std::max<std::int64_t>(1, std::ssize(stages));
  for (const auto part : kWaits) {
    MeanNs over(tracks);
    for (const StageNs& track : stages) over.add(track.*part);
    mean.*part = over.ns();
  }
  mean.compute = stepNs - mean.sum();
  return mean;
}

StepRequest StepModel::asked() const {
  StepRequest complete = request;
  complete.network = &network;
  complete.model = &model;
  complete.constants = &constants;
  return complete;
}

double scalingEfficiency(const StepTiming& one, const StepTiming& many, int replicas) {
  return many.imagesPerSecond / (replicas * one.imagesPerSecond);
}

}  // namespace lab
