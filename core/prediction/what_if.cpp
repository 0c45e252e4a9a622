// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/what_if.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/data/split.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/prediction/messages.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

constexpr const char* kBetween = "@between";  // a link between hosts, as opposed to the same link inside
constexpr const char *kProcessor = "cpu_epyc_2core", *kProcessorLink = "cpu_shm";
constexpr int kRounds = 40;
constexpr double kLeastScale = 1e-4, kMostScale = 1e4;

bool everyWorkerIsAHost(const SettingsBase& config) {
  return strategyInfo(config.strategy).hosts == StrategyInfo::Hosts::EachWorker;
}

bool hasOneHost(const SettingsBase& config) {
  return strategyInfo(config.strategy).hosts == StrategyInfo::Hosts::One;
}

// Returns whether whole words of a device's name are the catalogue's key: "GeForce RTX 4090" is rtx4090, a T400 no t4.
bool isNamed(std::string_view hardware, std::string_view id) {
  const auto isWord = [&](std::size_t at) {
    const char letter = at < hardware.size() ? lowerAscii(hardware[at]) : ' ';
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
  };
  for (std::size_t begin = 0; begin < hardware.size(); ++begin) {
    if (begin > 0 && isWord(begin - 1)) continue;
    std::size_t at = begin, same = 0;
    for (; at < hardware.size() && same < id.size(); ++at) {
      if (hardware[at] == ' ') continue;
      if (lowerAscii(hardware[at]) != id[same]) break;
      ++same;
    }
    if (same == id.size() && !isWord(at)) return true;
  }
  return false;
}

// Returns the catalogue's key of the run's GPU: "NVIDIA H100 80GB HBM3" gives h100. "" if the catalogue lacks it.
std::string gpuOf(const RunInfo& info, const Catalogue& catalogue) {
  for (const DeviceModel& device : catalogue.devices())
    if (isNamed(info.devices.front().hardware, device.id)) return device.id;
  return {};
}

// Returns the catalogue's device for a measured one. In place of a GPU that it lacks stands the strategy's usual one.
std::string nearestDevice(const RunInfo& info, const Catalogue& catalogue) {
  if (!areOnGpus(info.config)) return kProcessor;
  const std::string known = gpuOf(info, catalogue);
  return known.empty() ? strategyInfo(info.config.strategy).defaultDeviceModel : known;
}

Catalogue scaled(const Catalogue& catalogue, const WhatIf& what) {
  std::vector<DeviceModel> devices = catalogue.devices();
  for (DeviceModel& device : devices) {
    device.fp32Tflops *= what.deviceSpeed;
    device.matrixTflops *= what.deviceSpeed;
    device.memoryGbPerSec *= what.deviceSpeed;
  }
  std::vector<LinkModel> links = catalogue.links();
  const auto scale = [&](LinkModel& link, double bandwidth) {
    link.gbPerSec *= bandwidth;
    link.effectiveGbPerSec *= bandwidth;
    link.latencyUs *= what.latency;
  };
  std::vector<LinkModel> between;
  for (LinkModel& link : links) {
    LinkModel outside = link;
    outside.id += kBetween;
    scale(outside, what.hostBandwidth);
    between.push_back(outside);
    scale(link, what.linkBandwidth);
  }
  links.insert(links.end(), between.begin(), between.end());
  return Catalogue::of(std::move(devices), std::move(links));
}

TimingConstants scaled(const TimingConstants& constants, double latency) {
  if (latency == 1) return constants;
  std::string rows = "key,value,unit,source\n";
  for (const TimingConstant& row : constants.rows())
    if (row.key.starts_with("nccl.base.") || row.key.starts_with("nccl.hw.") || row.key == "transport.tcp_us" ||
        row.key == "transport.rpc_us")
      rows += row.key + "," + std::to_string(row.value * latency) + "," + row.unit + ",what-if\n";
  return constants.mergedWith(TimingConstants::parse(rows, "what-if"), "what-if");
}

double mean(const std::vector<StageBreakdown>& breakdowns, std::initializer_list<StepStage> stages) {
  double sum = 0;
  for (const StageBreakdown& breakdown : breakdowns)
    for (const StepStage stage : stages) sum += static_cast<double>(at(breakdown, stage));
  return sum / static_cast<double>(std::max<std::size_t>(1, breakdowns.size()));
}

StageBreakdown breakdownOfModel(const StageNs& s) {
  StageBreakdown breakdown{};
  at(breakdown, StepStage::Compute) = s.compute;
  at(breakdown, StepStage::Overlapped) = s.overlapped;
  at(breakdown, StepStage::Exposed) = s.exposed;
  at(breakdown, StepStage::Launch) = s.launch;
  at(breakdown, StepStage::Queue) = s.queue;
  return breakdown;
}

// Undoes what resolve() has filled in.
RunSettings leftOpen(const ResolvedSettings& resolved, const RunSettings* asked, const Catalogue& catalogue) {
  RunSettings config = resolved.asked();
  const StrategyInfo& info = strategyInfo(config.strategy);
  const std::string& usualLink = catalogue.linkOf(config.deviceModel, info.defaultLink);
  const auto open = [&](auto& field, const auto& given, const auto& usual, const auto& left) {
    if (asked != nullptr)
      field = given;
    else if (field == usual)
      field = left;
  };
  const RunSettings& given = asked != nullptr ? *asked : config;
  open(config.deviceModel, given.deviceModel, info.defaultDeviceModel, std::string());
  open(config.link, given.link, usualLink, std::string());
  open(config.hostLink, given.hostLink, info.defaultHostLink, std::string());
  open(config.matmul, given.matmul, info.matmul, Precision::Auto);
  const std::int64_t hosts = std::min(info.defaultHosts, resolved.replicas);
  open(config.hosts, given.hosts, std::optional(hosts), std::optional<std::int64_t>());
  return config;
}

}  // namespace

WhatIf whatIfOf(const RunInfo& info, const Catalogue& catalogue, const RunSettings* asked) {
  WhatIf what;
  what.config = leftOpen(withoutOutputs(info.config), asked, catalogue);
  what.model = networkOf(what.config)->key();
  what.examplesPerDevice = info.config.largestShare();
  what.bytesPerPack = info.config.bytesPerPack;
  const bool measured = info.clock == TimeSource::Measured;
  const std::int64_t replicas = info.replicas, hosts = everyWorkerIsAHost(info.config) ? replicas : info.config.hosts;
  const std::string device = measured ? nearestDevice(info, catalogue) : info.config.deviceModel;
  const std::string link = info.config.devices == DeviceChoice::Cpu ? kProcessorLink
                           : measured                               ? catalogue.linkOf(device, info.config.link)
                                                                    : info.config.link;
  what.cluster = uniformCluster(replicas, hosts, device, link, info.config.hostLink);
  return what;
}

Message whyStandIn(const RunInfo& info, const Catalogue& catalogue) {
  const bool known = info.clock == TimeSource::Modelled || !areOnGpus(info.config) || !gpuOf(info, catalogue).empty();
  if (known) return {};
  return {say::gpuStandsIn, info.devices.front().hardware, nearestDevice(info, catalogue)};
}

void shareOut(WhatIf& what, std::int64_t globalBatch) {
  const std::int64_t devices = what.cluster.devices();
  const bool own = everyWorkerIsAHost(what.config);
  what.examplesPerDevice = own ? globalBatch / devices : ceilDivide(globalBatch, devices);
  const bool recorded = !own && std::ssize(what.shards) == devices &&
                        std::reduce(what.shards.begin(), what.shards.end(), std::int64_t{0}) == globalBatch;
  if (recorded) return;
  what.shards.clear();
  if (!own && globalBatch % devices != 0) what.shards = legacyBatchSizes(globalBatch, static_cast<int>(devices));
}

WhatIf withDevices(WhatIf what, std::int64_t devices) {
  LAB_CHECK(!what.cluster.hosts.empty());
  HostGroup group = what.cluster.hosts.front();
  const std::string device = group.devices.empty() ? std::string() : group.devices.front();
  auto perHost = static_cast<std::int64_t>(group.devices.size());
  if (everyWorkerIsAHost(what.config)) perHost = 1;
  if (hasOneHost(what.config)) perHost = devices;
  perHost = std::clamp<std::int64_t>(perHost, 1, std::min(devices, kMostDevicesPerHost));
  while (devices % perHost != 0) --perHost;
  group.devices.assign(static_cast<std::size_t>(perHost), device);
  group.count = devices / perHost;
  what.cluster.hosts = {group};
  what.goesOnOverHosts = devices > kMostDevicesPerHost && goesOnOverHosts(strategyInfo(what.config.strategy));
  return what;
}

Calibration scalesFor(const WhatIf& what, const WhatIf& recorded, const Calibration& scales) {
  if (what.model != recorded.model) return {};
  if (recorded.config.devices != DeviceChoice::Cpu && recorded.config.devices != DeviceChoice::Cuda) return scales;
  const HostGroup &now = what.cluster.hosts.front(), &then = recorded.cluster.hosts.front();
  if (now.devices.front() != then.devices.front()) return {};
  Calibration kept = scales;
  if (now.link != then.link || what.cluster.hostLink != recorded.cluster.hostLink) kept.comm = 1;
  if (what.config.strategy != recorded.config.strategy || what.config.reducer != recorded.config.reducer) kept.comm = 1;
  return kept;
}

WhatIfModel::WhatIfModel(Catalogue catalogue, TimingConstants constants)
    : catalogue_(std::move(catalogue)), constants_(std::move(constants)) {}

TimingRun WhatIfModel::runOf(const WhatIf& what, const Calibration& scales, bool traced) const {
  checkCluster(what.cluster, catalogue_);  // with the names that a person gave
  TimingOptions options;
  options.model = what.model;
  options.cluster = what.cluster;
  if (!options.cluster->hostLink.empty()) options.cluster->hostLink += kBetween;
  for (SwitchSpec& each : options.cluster->switches) each.link += kBetween;
  options.jitter = what.jitter;
  if (what.decodeUs > 0) {
    options.input = {.hostUsPerExample = what.decodeUs, .threads = what.inputThreads, .prefetch = what.prefetch};
  }
  options.computeScale = scales.compute;
  options.launchScale = scales.launch;
  options.commScale = scales.comm;
  options.traced = traced;
  options.mostTraced = kDrawnReplicas;
  options.goesOnOverHosts = what.goesOnOverHosts;
  RunSettings config = what.config;
  config.replicas = what.cluster.devices();
  config.hosts.reset();
  config.bytesPerPack = what.bytesPerPack;
  for (auto* factors : {&config.slow, &config.slowLink})
    std::erase_if(*factors, [&](const auto& slow) { return slow.first >= *config.replicas; });
  return TimingRun(config, options, scaled(catalogue_, what), scaled(constants_, what.latency));
}

RecordedStep anchorOf(const RunInfo& info, const StepRecord& record, const Timeline& timeline) {
  RecordedStep step;
  const StepMetric& metric = record.metric;
  step.clock = info.clock;
  step.step = record.metric.step;
  if (!record.timesKnown) {  // the recording says how long the step took, but not where the time went
    step.stepNs = metric.stepNs;
    if (!metric.worker) step.shards = metric.shards;
    return step;
  }
  if (metric.worker) {
    StageBreakdown breakdown{};
    step.stepNs = metric.stepNs;
    const auto put = [&](StepStage stage, std::int64_t ns) { at(breakdown, stage) = ns; };
    put(StepStage::Compute, metric.computeNs);
    put(StepStage::Exposed, metric.communicationNs);
    put(StepStage::Input, metric.inputNs);
    put(StepStage::Queue, metric.queueNs);
    put(StepStage::Launch, metric.launchNs);
    put(StepStage::Fault, metric.faultNs);
    step.breakdowns = {breakdown};
    return step;
  }
  step.stepNs = record.endNs - record.beginNs;
  step.shards = metric.shards;
  for (int r = 0; r < info.replicas; ++r)
    step.breakdowns.push_back(timeline.breakdown(r, record.beginNs, record.endNs));
  return step;
}

Calibration WhatIfModel::calibrate(const WhatIf& recorded, const RecordedStep& step) const {
  Calibration scales;
  if (step.breakdowns.empty()) return scales;
  const double launch = mean(step.breakdowns, {StepStage::Launch});
  const double compute = mean(step.breakdowns, {StepStage::Compute, StepStage::Overlapped});
  const auto follow = [](double& scale, double wanted, double found) {
    if (wanted > 0 && found > 0) scale = std::clamp(scale * wanted / found, kLeastScale, kMostScale);
  };
  for (int round = 0; round < kRounds; ++round) {
    const StepTiming timing = stepOf(recorded, scales);
    std::vector<StageBreakdown> modelled;
    for (const StageNs& stages : timing.stages) modelled.push_back(breakdownOfModel(stages));
    const double busy = mean(modelled, {StepStage::Compute, StepStage::Overlapped});
    const double launched = mean(modelled, {StepStage::Launch}), sent = mean(modelled, {StepStage::Exposed});
    if (launch > 0) {
      follow(scales.compute, compute, busy);
      follow(scales.launch, launch, launched);
    } else {
      follow(scales.compute, compute, busy + launched);
      scales.launch = scales.compute;
    }
    // The difference to the step's time counts as sending, which keeps at least a small part of its time.
    if (sent > 0)
      follow(scales.comm, std::max(0.05 * sent, sent + static_cast<double>(step.stepNs - timing.stepNs)), sent);
  }
  scales.calibrated = true;
  return scales;
}

double Anchor::gap() const {
  return static_cast<double>(recordedNs) / static_cast<double>(std::max<std::int64_t>(1, modelNs));
}

namespace {

StepTiming stepOf(const WhatIf& what, const TimingRun& run) {
  return std::ssize(what.shards) == run.replicas() ? run.step(what.shards, what.step)
                                                   : run.step(what.examplesPerDevice, what.step);
}

}  // namespace

StepTiming WhatIfModel::stepOf(const WhatIf& what, const Calibration& scales, bool traced) const {
  return lab::stepOf(what, runOf(what, scales, traced));
}

Anchor WhatIfModel::anchor(WhatIf recorded, const RecordedStep& step) const {
  Anchor anchor{.base = std::move(recorded), .recordedNs = step.stepNs};
  anchor.base.shards = step.shards;
  if (!strategyInfo(anchor.base.config.strategy).repeatsEvery.empty()) anchor.base.step = step.step;
  anchor.modelNs = anchor.calibratedNs = stepOf(anchor.base, {}).stepNs;
  if (step.clock == TimeSource::Modelled) return anchor;
  anchor.scales = calibrate(anchor.base, step);
  anchor.calibratedNs = stepOf(anchor.base, anchor.scales).stepNs;
  return anchor;
}

WhatIfAnswer WhatIfModel::answer(const WhatIf& what, const Anchor& anchor, bool traced) const {
  const Calibration scales = scalesFor(what, anchor.base, anchor.scales);
  WhatIfAnswer answer;
  answer.timing = stepOf(what, scales, traced);
  answer.anchored = scales.calibrated;
  const auto ns = [](std::int64_t value) { return static_cast<double>(std::max<std::int64_t>(1, value)); };
  if (!anchor.scales.calibrated) {  // the run's own clock
    answer.stepNs = answer.timing.stepNs;
    answer.ratio = ns(answer.stepNs) / ns(anchor.modelNs);
    return answer;
  }
  // Either the record's scales of the parts hold for the question, or the model is right and only the gap remains.
  double other = 0;
  if (scales.calibrated) {
    answer.ratio = ns(answer.timing.stepNs) / ns(anchor.calibratedNs);
    other = ns(stepOf(what, {}).stepNs) / ns(anchor.modelNs);
  } else {
    answer.ratio = ns(answer.timing.stepNs) / ns(anchor.recordedNs);
    other = answer.ratio * anchor.gap();
  }
  answer.stepNs = wholeNs(answer.ratio * ns(anchor.recordedNs));
  answer.less = std::max(0.0, 1 - other / answer.ratio);
  answer.more = std::max(0.0, other / answer.ratio - 1);
  return answer;
}

namespace {

// Lets a one-host strategy continue over several hosts when the host is full. If the user's own host is fuller than
// possible, the curve's hosts are too, so that the curve goes through the question's point.
WhatIf onFullHosts(WhatIf scaledOut, const WhatIf& asked, const Catalogue& catalogue) {
  if (!goesOnOverHosts(strategyInfo(asked.config.strategy))) return scaledOut;
  HostGroup& group = scaledOut.cluster.hosts.front();
  const std::int64_t domain = catalogue.link(group.link).largestDomain, devices = scaledOut.cluster.devices();
  if (domain <= 0) return scaledOut;
  const std::int64_t own = std::ssize(asked.cluster.hosts.front().devices);
  group.count = fullHosts(devices, std::min(kMostDevicesPerHost, std::max(domain, own)));
  group.devices.assign(static_cast<std::size_t>(devices / group.count), std::string(group.devices.front()));
  scaledOut.goesOnOverHosts = true;
  return scaledOut;
}

}  // namespace

std::vector<ScalingPoint> scalingCurve(const WhatIfModel& model, const WhatIf& what, const Calibration& scales,
                                       std::int64_t most, std::optional<std::int64_t> globalBatch,
                                       const std::atomic<bool>* stop) {
  std::vector<ScalingPoint> points;
  StepTiming alone;
  const StrategyInfo& info = strategyInfo(what.config.strategy);
  if (info.singleReplica) most = 1;
  if (hasOneHost(what.config) && !goesOnOverHosts(info)) most = std::min(most, kMostDevicesPerHost);
  for (std::int64_t devices = 1; devices <= most; devices *= 2) {
    if (stop != nullptr && *stop) break;
    if (globalBatch && *globalBatch < devices) break;
    WhatIf scaledOut = onFullHosts(withDevices(what, devices), what, model.catalogue());
    if (globalBatch)
      shareOut(scaledOut, *globalBatch);
    else
      scaledOut.shards.clear();
    const TimingRun run = model.runOf(scaledOut, scales);
    ScalingPoint point{.devices = devices, .hosts = run.hosts(), .examplesPerDevice = scaledOut.examplesPerDevice};
    point.sharesAlike = std::ranges::adjacent_find(scaledOut.shards, std::not_equal_to()) == scaledOut.shards.end();
    point.extrapolated = !run.extrapolated().empty();
    try {
      point.timing = stepOf(scaledOut, run);
      if (points.empty()) alone = run.alone(scaledOut.examplesPerDevice);
    } catch (const TakesTooLong&) {
      break;
    }
    point.timing.arrivals = {};  // a curve does not use the figures of each device and link
    point.timing.resourceBytes = {};
    point.efficiency = scalingEfficiency(alone, point.timing, run.replicas());
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace lab
