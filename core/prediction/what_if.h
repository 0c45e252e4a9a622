// SPDX-License-Identifier: GPL-3.0-or-later
// "What if we had eight of these on 10 Gb Ethernet?": the step of a run on other hardware or with another batch,
// modelled immediately and never trained. A run on simulated devices was timed by the same model, so if nothing is
// changed the answer is its step, to the nanosecond. A measured step differs from the model: then scales are found with
// which the model of the recorded settings computes, launches and sends for as long as the record says (as Paleo and
// `validate` do with one measured point), and the question is answered with these scales. The remaining gap is shown,
// and its possible effect on the answer is the answer's band. Pure functions; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_info.h"
#include "core/prediction/timing_run.h"
#include "core/timeline/timeline.h"
#include "core/trace/step_record.h"

namespace lab {

struct WhatIf {
  // Strategy, reducer, servers, stragglers, matmul, seed. Devices, links and hosts come from the cluster: they are set
  // here only if the run named them, and not if they were left to its strategy.
  RunSettings config;
  std::string model = "course-cnn";
  ClusterSpec cluster;  // all its devices train
  std::int64_t examplesPerDevice = kDefaultBatchPerReplica;
  // Each device's examples in a recorded step, instead of examplesPerDevice; ignored if the number of devices differs.
  std::vector<std::int64_t> shards;
  std::int64_t bytesPerPack = 0;
  // If steps exchange different things: the step meant, as recorded; 0: the mean of a round.
  std::int64_t step = 0;
  // Factors on the catalogue's figures. The latency's factor applies to NCCL's own constants too.
  double deviceSpeed = 1, linkBandwidth = 1, hostBandwidth = 1, latency = 1;
  double jitter = 0;  // sigma of every replica's step
  // What feeds each host; without a decoding time, examples are always ready. The network gives their bytes.
  double decodeUs = 0;  // per example, on one thread
  int inputThreads = 8;
  bool prefetch = true;
  bool goesOnOverHosts = false;  // for a scaling curve, and for more devices than a host may have (timing_run.h)
};

// Returns the run as recorded. Devices whose time is measured are replaced by the catalogue's nearest. `asked`: the
// settings before they were resolved; without them, values equal to the strategy's defaults count as left to the
// strategy.
WhatIf whatIfOf(const RunInfo& info, const Catalogue& catalogue = Catalogue::builtIn(),
                const RunSettings* asked = nullptr);

// Says which device stands in for a measured GPU that the catalogue lacks; empty if none does.
Message whyStandIn(const RunInfo& info, const Catalogue& catalogue = Catalogue::builtIn());

// Shares `globalBatch` examples out over all devices: the recorded shards if they are those of this batch, otherwise as
// for in-memory data. Each worker of a parameter server has its own batch, a whole share.
void shareOut(WhatIf& what, std::int64_t globalBatch);

// Returns the same with `devices` devices of the first group's first kind: on one host if the strategy has one and it
// has room, otherwise on as many hosts as that group's size needs; with one device each if every worker is a host.
// Other groups and kinds are left out.
WhatIf withDevices(WhatIf what, std::int64_t devices);

// The parts of a recorded step that anchor the model: the replicas' breakdowns, each of which adds up to `stepNs`. For
// an asynchronous step: its worker's own cycle, from the metric.
struct RecordedStep {
  std::vector<StageBreakdown> breakdowns;  // none if the recording has no times
  std::int64_t stepNs = 0;
  std::vector<std::int64_t> shards;  // examples per replica; empty for an asynchronous step
  std::int64_t step = 0;             // its number
  TimeSource clock = TimeSource::Modelled;
};
RecordedStep anchorOf(const RunInfo& info, const StepRecord& record, const Timeline& timeline);

struct Calibration {
  double compute = 1, launch = 1, comm = 1;
  bool calibrated = false;
};

// Returns the scales that hold for `what`: none for another network. If time was measured, the recorded devices' and
// links' scales do not hold for other ones, and scales of sending not under another strategy or reducer.
Calibration scalesFor(const WhatIf& what, const WhatIf& recorded, const Calibration& scales);

// A recorded step, and the model's time for the same settings.
struct Anchor {
  WhatIf base;
  std::int64_t recordedNs = 0;
  Calibration scales;             // of a measured step; otherwise none
  std::int64_t modelNs = 0;       // without scales
  std::int64_t calibratedNs = 0;  // with scales

  // Returns the recorded step's time relative to the model's. 1 on simulated devices, except for an asynchronous
  // worker, whose cycles vary while the model gives their mean.
  double gap() const;
};

struct WhatIfAnswer {
  StepTiming timing;
  std::int64_t stepNs = 0;
  double ratio = 1;  // to the recorded step; exactly 1 if nothing is changed
  // How much shorter and longer the step may be, as fractions of stepNs: the gap may or may not hold for the question.
  double less = 0, more = 0;
  bool anchored = false;  // anchored on a measurement; otherwise only the catalogue's figures
};

class WhatIfModel {
 public:
  WhatIfModel(Catalogue catalogue, TimingConstants constants);

  const Catalogue& catalogue() const { return catalogue_; }

  // Sending is scaled so that the steps have equal length: if replicas share a bus, one's sending is another's waiting.
  // If the breakdowns have no launches (measured time), launches are scaled with the arithmetic.
  Calibration calibrate(const WhatIf& recorded, const RecordedStep& step) const;

  Anchor anchor(WhatIf recorded, const RecordedStep& step) const;
  // `traced`: includes the spans of as many replicas as are drawn.
  WhatIfAnswer answer(const WhatIf& what, const Anchor& anchor, bool traced = false) const;

  // Returns one step; for asynchronous workers, the mean step.
  StepTiming stepOf(const WhatIf& what, const Calibration& scales, bool traced = false) const;

  // Throws a UserError if the cluster or the strategy is impossible.
  TimingRun runOf(const WhatIf& what, const Calibration& scales, bool traced = false) const;

 private:
  Catalogue catalogue_;
  TimingConstants constants_;
};

// One point of a scaling curve: at a fixed batch per replica (weak scaling) or a fixed global batch (strong).
struct ScalingPoint {
  std::int64_t devices = 1, hosts = 1, examplesPerDevice = 1;  // the largest share, where they are not alike
  bool sharesAlike = true;
  bool extrapolated = false;  // there is no such hardware (cluster_spec.h)
  StepTiming timing;          // without arrivals and bytes of links
  double efficiency = 1;      // scaling efficiency: relative to one device alone with the same share or global batch
};
// Returns the points for 1, 2, 4 … `most` devices, as far as the strategy and the batch allow and steps can be counted
// (TakesTooLong); none if one device's step cannot. Devices are alike, see withDevices(). If a host is full, further
// ones like it are added: Mirrored continues as MultiWorkerMirrored does. All devices share `globalBatch`; nothing:
// each has what.examplesPerDevice. Ends early if `stop` becomes true.
std::vector<ScalingPoint> scalingCurve(const WhatIfModel& model, const WhatIf& what, const Calibration& scales,
                                       std::int64_t most, std::optional<std::int64_t> globalBatch = {},
                                       const std::atomic<bool>* stop = nullptr);

}  // namespace lab
