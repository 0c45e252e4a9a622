// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/device_track.h"

#include <algorithm>
#include <compare>
#include <map>

#include "core/base/at.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

// Returns the factor that sharing costs the computation itself.
double slowdown(const StepRequest& request, const DeviceModel& device, bool isPair) {
  if (request.replicas == 1) return 1;
  const TimingConstants& constants = *request.constants;
  double factor = 1;
  if (request.method != Reducer::None) factor += constants["overlap.compute_loss"];
  // One of the two devices on this board has less power left for work, and a step waits for it.
  if (isPair && device.id == "k80") factor += constants["board.k80_pair_loss"];
  return factor;
}

// The properties that replicas must have in common to share a track.
struct TrackKind {
  const DeviceModel* device = nullptr;
  bool isPair = false;
  std::int64_t batch = 0;
  double drawn = 1, launchFactor = 1;
  int traced = -1;  // the replica itself if traced: its spans are its own
  auto operator<=>(const TrackKind&) const = default;
};

}  // namespace

void DeviceTrack::note(ModelledSpan::Kind kind, std::size_t index, std::int64_t beginNs, std::int64_t endNs,
                       std::int64_t launchNs) {
  // A layer that took less than half a nanosecond has run too, and readers of the spans expect it.
  const bool works = kind == ModelledSpan::Kind::Forward || kind == ModelledSpan::Kind::Backward ||
                     kind == ModelledSpan::Kind::Cancelled;
  if (trace != nullptr && (works || endNs > beginNs))
    trace->push_back({kind, replica, static_cast<int>(index), beginNs, endNs, launchNs, 0});
}

void DeviceTrack::run(const DeviceProgram::Layer& layer, ModelledSpan::Kind kind, std::size_t index) {
  // The device waits for the host to issue its next kernel.
  const auto issued = static_cast<std::int64_t>(countableNs(layer.hostNs * launchFactor));
  const std::int64_t idle = std::max<std::int64_t>(0, issued - nowNs);
  std::int64_t launch = sumNs(wholeNs(layer.launchNs * launchFactor), idle);
  std::int64_t compute = wholeNs(layer.computeNs * computeFactor);
  if (const std::int64_t left = untilNs - nowNs; launch + compute >= left) {
    launch = std::min(launch, left);
    compute = left - launch;
    if (kind != ModelledSpan::Kind::Update) {
      if (isCancelled_) return;
      isCancelled_ = true;
      kind = ModelledSpan::Kind::Cancelled;
    }
  }
  stages.launch += launch;
  stages.compute += compute;
  note(kind, index, nowNs, nowNs + launch + compute, launch);
  nowNs = sumNs(nowNs, sumNs(launch, compute));
  computing.emplace_back(nowNs - compute, nowNs);
}

void DeviceTrack::forward(const DeviceProgram& program, std::size_t i, const std::vector<std::int64_t>& pulledNs) {
  if (!pulledNs.empty()) waitForWeights(i, pulledNs[i]);
  run(program.forward[i], ModelledSpan::Kind::Forward, i);
  if (i + 1 == program.forward.size()) layerDoneNs.push_back(nowNs);
}

void DeviceTrack::waitForWeights(std::size_t layer, std::int64_t thereNs) {
  if (thereNs <= nowNs) return;
  stages.exposed += thereNs - nowNs;
  note(ModelledSpan::Kind::WaitForWeights, layer, nowNs, thereNs);
  nowNs = thereNs;
}

void DeviceTrack::backward(const DeviceProgram& program, std::size_t layer) {
  run(program.backward[program.backward.size() - 1 - layer], ModelledSpan::Kind::Backward, layer);
  layerDoneNs.push_back(nowNs);
}

void DeviceTrack::walk(const DeviceProgram& program, const std::vector<std::int64_t>& pulledNs) {
  for (std::size_t i = 0; i < program.forward.size(); ++i) forward(program, i, pulledNs);
  for (std::size_t i = program.backward.size(); i-- > 0;) backward(program, i);
}

Tracks makeTracks(const StepRequest& request) {
  const Network& network = *request.network;
  const std::vector<double> drawn = straggle(request.stragglers, request.replicas, request.step);
  std::map<int, double> launchFactors;
  // A permanent straggler is slow at launches too.
  for (const auto& [replica, factor] : request.stragglers.persistent)
    launchFactors.emplace(replica, 1.0).first->second *= factor;
  Tracks tracks;
  tracks.ofReplica.reserve(static_cast<std::size_t>(request.replicas));
  std::map<TrackKind, std::size_t> known;
  TrackKind last;
  for (int r = 0; r < request.replicas; ++r) {
    const auto launch = launchFactors.find(r);
    const TrackKind kind{.device = &network.device(r),
                         .isPair = network.devicesOn(network.hostOf(r)) > 1,
                         .batch = request.batchOf(r),
                         .drawn = at(drawn, r),
                         .launchFactor = launch == launchFactors.end() ? 1 : launch->second,
                         .traced = request.traces(r) ? r : -1};
    if (kind == last) {  // among many devices, most are like the one before
      tracks.ofReplica.push_back(tracks.ofReplica.back());
      continue;
    }
    last = kind;
    const auto [found, isNew] = known.try_emplace(kind, tracks.all.size());
    tracks.ofReplica.push_back(found->second);
    if (!isNew) continue;
    DeviceTrack& track = tracks.all.emplace_back();
    track.replica = r;
    track.computeFactor = kind.drawn * slowdown(request, *kind.device, kind.isPair);
    track.launchFactor = kind.launchFactor;
  }
  return tracks;
}

const DeviceProgram& Programs::of(int replica) {
  const DeviceModel* device = &request_.network->device(replica);
  const std::int64_t batch = request_.batchOf(replica);
  for (const Known& each : known_)
    if (each.device == device && each.batch == batch) return each.program;
  known_.push_back({device, batch, makeProgram(request_, *device, batch)});
  return known_.back().program;
}

}  // namespace lab
