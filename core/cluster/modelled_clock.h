// SPDX-License-Identifier: GPL-3.0-or-later
// Time on simulated devices. The same step model that sweeps and what-if use says how long a step takes, given the
// number of examples on each replica; this class lays the answer out as spans on the run's tracks. This folder decides
// nothing about modelled times.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/replicas/labels.h"
#include "core/replicas/reduction.h"
#include "core/replicas/topology.h"
#include "core/timing/step_model.h"
#include "core/trace/memory_timeline.h"
#include "core/trace/span.h"

namespace lab {

// What a worker computes between its pull and its push.
struct WorkerTiming {
  std::int64_t computeNs = 0;
  std::int64_t inputNs = 0;  // the time its host needs to prepare such a batch
  StageNs stages;
  std::vector<ModelledSpan> spans;  // from 0
  MemoryTimeline memory;            // from 0
};

class ModelledClock {
 public:
  // The model's layers are the operations of `network`, which outlives this object, as does the topology.
  ModelledClock(std::shared_ptr<const StepModel> model, const NeuralNetwork& network, Topology& topology);

  const StepModel& model() const { return *model_; }

  // A synchronous step, with its spans. Most steps are alike, so the model computes each kind only once. The same
  // answer also says, before the sum, which replicas have arrived for it and which are left out.
  struct Step {
    StepTiming timing;
    std::vector<std::int64_t> inputNs;  // per host: the time to prepare its replicas' examples
  };
  struct Question {
    std::vector<std::int64_t> batches;  // per replica
    Exchange exchange;
    int waitsFor = 0;       // StepRequest::waitsFor
    std::int64_t step = 0;  // the step's number if stragglers are drawn anew for each step, else 0
    auto operator<=>(const Question&) const = default;
  };
  // `asked.step` is the step's number.
  const Step& stepOf(Question asked);
  // Returns the memory of each replica and then of each parameter device; times begin at 0.
  std::vector<MemoryTimeline> memoryOf(const Question& asked);
  std::vector<MemoryTimeline> heldMemory() const;  // of parameter devices alone, at any time
  const WorkerTiming& workerOf(int worker, std::int64_t batch);

  // Lays out the step's spans on the tracks of the replicas and of the parameter device, and its transfers, each list
  // in order of time. `plan` is the all-reduce's, or null if there is none.
  struct Tracks {
    std::vector<std::vector<Span>> replicas;
    std::vector<Span> parameterDevice, transfers;
  };
  Tracks lay(const StepTiming& timing, std::int64_t beginNs, std::span<const std::int64_t> batches,
             const ReductionPlan* plan);
  // Lays out a worker's layers, beginning at beginNs.
  void lay(const WorkerTiming& timing, int worker, std::int64_t beginNs, std::int64_t batch, std::vector<Span>& track);

  // Returns when each round of a schedule ends, from 0, by the cost model of collectives. The result is cached by the
  // schedule's address.
  const std::vector<std::int64_t>& roundEnds(const Schedule& schedule);

 private:
  StepRequest requestOf(const Question& asked) const;
  // Returns how many elements a replica updates: all, or its own part.
  std::int64_t updatedBy(int replica, const ReductionPlan* plan) const;
  void addTrackSpans(const ModelledSpan& from, std::int64_t beginNs, std::int64_t batch, Label exchange,
                     const ReductionPlan* plan, std::vector<Span>& track) const;
  void addPackSpans(const Schedule& schedule, std::int64_t offset, int index, std::int64_t beginNs, std::int64_t endNs,
                    Label label, std::vector<Span>& transfers);
  void addSumSpans(const ModelledSpan& from, std::int64_t beginNs, std::vector<Span>& transfers);
  void addCopySpans(std::int64_t offset, const ModelledSpan& from, std::int64_t beginNs, std::vector<Span>& transfers);

  std::shared_ptr<const StepModel> model_;
  Topology& topology_;
  std::vector<std::uint16_t> forward_, backward_;  // labels of the model's layers
  std::uint16_t loss_;
  std::map<Question, Step> steps_;
  std::map<std::pair<int, std::int64_t>, WorkerTiming> workers_;
  std::map<const Schedule*, std::vector<std::int64_t>> rounds_;
  std::map<std::int64_t, Schedule> sums_;  // by number of elements; their addresses stay valid
};

}  // namespace lab
