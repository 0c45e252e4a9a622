// SPDX-License-Identifier: GPL-3.0-or-later
// Time on simulated devices. What a step takes is asked of the same step model that sweeps and what-if ask, with the
// examples that each replica got; here it is laid out as spans on the run's lanes. Nothing of a modelled time is
// decided in this folder.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/cluster/labels.h"
#include "core/cluster/reduction.h"
#include "core/cluster/topology.h"
#include "core/timing/step_model.h"
#include "core/trace/memory_timeline.h"
#include "core/trace/span.h"

namespace lab {

// What a worker computes between its pull and its push.
struct WorkerTiming {
  std::int64_t computeNs = 0;
  std::int64_t inputNs = 0;  // its host prepares such a batch
  StageNs stages;
  std::vector<ModelledSpan> spans;  // from 0
};

class ModelledClock {
 public:
  // `network`: whose operations the model's layers are; it outlives this, as does the topology.
  ModelledClock(std::shared_ptr<const StepModel> model, const NeuralNetwork& network, Topology& topology);

  const StepModel& model() const { return *model_; }

  // A synchronous step, with its spans. Steps are mostly alike, so each is asked for once. Who has arrived for its sum,
  // and who is left out, is asked here too, before the sum; the answer to both is one.
  struct Step {
    StepTiming timing;
    std::vector<std::int64_t> inputNs;  // per host: what it takes to prepare its replicas' examples
  };
  enum class Sends { Nothing, Gradients, Weights };
  struct Question {
    std::vector<std::int64_t> batches;  // per replica
    Sends sends = Sends::Gradients;
    int waitsFor = 0;       // StepRequest::waitsFor
    std::int64_t step = 0;  // where stragglers are drawn anew for each, else 0
    auto operator<=>(const Question&) const = default;
  };
  // `asked.step`: the step's number.
  const Step& stepOf(Question asked);
  // Of each replica and then of each parameter device, from 0.
  std::vector<MemoryTimeline> memoryOf(const Question& asked);
  std::vector<MemoryTimeline> heldMemory() const;  // of parameter devices alone, at any time
  const WorkerTiming& workerOf(int worker, std::int64_t batch);

  // The step's spans on the lanes of replicas and of the parameter device, and the transfers, each list in the order of
  // time. `plan`: of an all-reduce, else null.
  struct Lanes {
    std::vector<std::vector<Span>> replicas;
    std::vector<Span> parameterDevice, transfers;
  };
  Lanes lay(const StepTiming& timing, std::int64_t beginNs, std::span<const std::int64_t> batches,
            const ReductionPlan* plan);
  // A worker's layers, from beginNs on.
  void lay(const WorkerTiming& timing, int worker, std::int64_t beginNs, std::int64_t batch, std::vector<Span>& lane);

  // When each round of a schedule ends, by the price of collectives, from 0. Remembered by the schedule's address.
  const std::vector<std::int64_t>& roundEnds(const Schedule& schedule);

 private:
  StepRequest requestOf(const Question& asked) const;
  void layLane(const ModelledSpan& from, std::int64_t beginNs, std::int64_t batch, Label exchange,
               std::vector<Span>& lane) const;
  void layPack(const Schedule& schedule, std::int64_t offset, int index, std::int64_t beginNs, std::int64_t endNs,
               Label label, std::vector<Span>& transfers);
  void laySums(const ModelledSpan& from, std::int64_t beginNs, std::vector<Span>& transfers);
  void layCopies(std::int64_t offset, const ModelledSpan& from, std::int64_t beginNs, std::vector<Span>& transfers);

  std::shared_ptr<const StepModel> model_;
  Topology& topology_;
  std::vector<std::uint16_t> forward_, backward_;  // labels of the model's layers
  std::uint16_t loss_;
  std::map<Question, Step> steps_;
  std::map<std::pair<int, std::int64_t>, WorkerTiming> workers_;
  std::map<const Schedule*, std::vector<std::int64_t>> rounds_;
  std::map<std::int64_t, Schedule> sums_;  // by elements; they stay where they are
};

}  // namespace lab
