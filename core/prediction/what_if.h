// SPDX-License-Identifier: GPL-3.0-or-later
// "What if we had eight of these on 10 Gb Ethernet?": the step of a run on other hardware or with another batch,
// modelled at once and trained never. A run on simulated devices was timed by the same model, so with nothing changed
// the answer is its step, to the nanosecond. A measured step differs from the model: then scales are found with which
// the model of the recorded settings takes as long to compute, to launch and to send as the record says (as Paleo and
// `validate` do with one measured point), and what is asked is priced with them; the gap is named, and what it may make
// of the answer is its band. Pure functions; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_info.h"
#include "core/prediction/timing_run.h"
#include "core/trace/step_record.h"
#include "core/trace/timeline.h"

namespace lab {

struct WhatIf {
  // Strategy, reducer, servers, stragglers, matmul, seed. Devices, links and hosts are the cluster's: here they are set
  // where the run was asked for them, and not where they were left to its strategy.
  RunSettings config;
  std::string model = "course-cnn";
  ClusterSpec cluster;  // all its devices train
  std::int64_t batchPerReplica = kDefaultBatchPerReplica;
  std::vector<std::int64_t>
      shards;  // instead of that, per device: of a recorded step. Of another count they are nobody's
  std::int64_t bytesPerPack = 0;
  // Where weights are averaged now and then: which step is meant, as recorded; 0: the mean of a round.
  std::int64_t step = 0;
  // Times as fast or as much as the catalogue says. Latency counts NCCL's own constants too.
  double deviceSpeed = 1, linkBandwidth = 1, hostBandwidth = 1, latency = 1;
  double jitter = 0;  // sigma of every replica's step
  // What feeds each host; without a decoding time examples are there when they are wanted. The bytes are the network's.
  double decodeUs = 0;  // of an example, on one thread
  int inputThreads = 8;
  bool prefetch = true;
  bool goesOnOverHosts = false;  // of a scaling curve, and of more devices than a host may have (timing_run.h)
};

// The run as it is recorded. Devices whose time is measured are taken for the catalogue's nearest. `asked`: the
// settings before they were resolved; without them, what is as the strategy has it by default was left to it.
WhatIf whatIfOf(const RunInfo& info, const Catalogue& catalogue = Catalogue::builtIn(),
                const RunSettings* asked = nullptr);

// So many examples over all devices: the recorded shards where they are those of this batch, else in-memory data's.
// Workers of a parameter server have batches of their own, each a whole share.
void shareOut(WhatIf& what, std::int64_t globalBatch);

// The same with so many devices of the first group's first kind: on one host where the strategy has one, while it can
// be that full, else on as many as that group asks for; one device each where every worker is a host. Other groups and
// kinds are left out.
WhatIf withDevices(WhatIf what, std::int64_t devices);

// What of a recorded step the model is anchored on: the replicas' breakdowns, which add up to `stepNs` each. Of an
// asynchronous step: its worker's own cycle, from the metric.
struct RecordedStep {
  std::vector<StageBreakdown> breakdowns;
  std::int64_t stepNs = 0;
  std::vector<std::int64_t> shards;  // examples per replica; empty of an asynchronous step
  std::int64_t step = 0;             // its number
  TimeSource clock = TimeSource::Modelled;
};
RecordedStep anchorOf(const RunInfo& info, const StepRecord& record, const Timeline& timeline);

struct Calibration {
  double compute = 1, launch = 1, comm = 1;
  bool calibrated = false;
};

// What of a calibration holds for `what`: nothing for another network, and where time was measured, nothing of other
// devices and other links than the recorded ones, and nothing of what is sent under another strategy or reducer.
Calibration scalesFor(const WhatIf& what, const WhatIf& recorded, const Calibration& scales);

// A recorded step, and what the model says of the same settings.
struct Anchor {
  WhatIf base;
  std::int64_t recordedNs = 0;
  Calibration scales;             // of a measured step; else none
  std::int64_t modelNs = 0;       // without them
  std::int64_t calibratedNs = 0;  // with them

  // How many times as long the recorded step took as the model's. 1 on simulated devices, but for an asynchronous
  // worker, whose cycles are not all alike, while the model gives their mean.
  double gap() const;
};

struct WhatIfAnswer {
  StepTiming timing;
  std::int64_t stepNs = 0;
  double ratio = 1;  // to the recorded step; exactly 1 where nothing is changed
  // How much less and more it may be, as fractions of stepNs: whether the gap holds for what is asked is not known.
  double less = 0, more = 0;
  bool anchored = false;  // on what was measured; else by the catalogue alone
};

class WhatIfModel {
 public:
  WhatIfModel(Catalogue catalogue, TimingConstants constants);

  const Catalogue& catalogue() const { return catalogue_; }

  // What is sent is scaled so that the steps are as
  // long as each other: where replicas share a bus, one's sending is another's waiting. Where the breakdowns know of no
  // launches (measured time), launches are scaled with the arithmetic.
  Calibration calibrate(const WhatIf& recorded, const RecordedStep& step) const;

  Anchor anchor(WhatIf recorded, const RecordedStep& step) const;
  // `traced`: with the spans of as many replicas as are drawn.
  WhatIfAnswer answer(const WhatIf& what, const Anchor& anchor, bool traced = false) const;

  // One step, or of asynchronous workers the mean one.
  StepTiming stepOf(const WhatIf& what, const Calibration& scales, bool traced = false) const;

  // UserError where it cannot be: the cluster's, the strategy's.
  TimingRun runOf(const WhatIf& what, const Calibration& scales, bool traced = false) const;

 private:
  Catalogue catalogue_;
  TimingConstants constants_;
};

// One point of a scaling curve. At a fixed batch per replica (weak scaling) or a fixed global one (strong).
struct ScalingPoint {
  std::int64_t devices = 1, hosts = 1, batchPerReplica = 1;  // the largest share, where they are not alike
  bool extrapolated = false;                                 // there is no such hardware (cluster_spec.h)
  StepTiming timing;                                         // without arrivals and bytes of links
  double efficiency = 1;                                     // images per second over the first point's, ideal = 1
};
// Of 1, 2, 4 … `most` devices, as far as the strategy and the batch go; alike, see withDevices(). Where a host is full,
// as many are on hosts like it: Mirrored goes on as MultiWorkerMirrored does. `globalBatch` is shared by all of them;
// nothing: each has what.batchPerReplica. Ends earlier where `stop` becomes true.
std::vector<ScalingPoint> scalingCurve(const WhatIfModel& model, const WhatIf& what, const Calibration& scales,
                                       std::int64_t most, std::optional<std::int64_t> globalBatch = {},
                                       const std::atomic<bool>* stop = nullptr);

}  // namespace lab
