// SPDX-License-Identifier: GPL-3.0-or-later
// A step on GPUs. Everything in a step is written into a list of commands. At the end of the step the list is launched,
// as one graph if the same list was seen before, and the host goes on. Results are read when somebody asks for them, or
// two steps later, so the host waits inside a step only if it must look. Times come from the GPUs, between events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "core/replicas/gpu/gpu_parts.h"
#include "core/replicas/labels.h"

namespace lab {

// A span that begins and ends at two stamps of one GPU.
struct GpuTimedSpan {
  Span span;
  int begin = 0, end = 0, gpu = 0;
  std::size_t pauses = 0;  // the number of pauses before it
};

// What a launch computes: the two halves of a pass are separate where the weights are gathered in between.
enum class PassPart { Whole, Forward, Backward };

// A replica's computation that was launched whole, and its layers, launched once more. The stamps of the layers give
// each layer's share of the whole time.
struct GpuTakenApart {
  int replica = 0;
  PassPart part = PassPart::Whole;
  float scale = 0;
  GpuTimedSpan whole;
  int begin = 0, end = 0;  // of the layers
  std::vector<GpuTimedSpan> layers;
};

class GpuStep {
 public:
  using Watch = ReplicaGroup::Watch;

  explicit GpuStep(GpuParts& parts);
  ~GpuStep();
  GpuStep(const GpuStep&) = delete;
  GpuStep& operator=(const GpuStep&) = delete;

  void begin(std::int64_t step, Watch watch);
  StepOutcome end();
  bool isUnderWay() const { return slot_ != nullptr; }
  std::int64_t number() const { return step_; }
  Watch watch() const { return watch_; }
  bool spansWanted() const { return watch_ != Watch::None; }

  // Executes the commands that the step has so far, and waits for them.
  void flush();
  bool isFlushed() const { return flushed_; }
  // Flushes, runs `body`, and leaves the time until the step continues out of all the step's times.
  void pause(const std::function<void()>& body);
  // If the parameters have been sent, sends the numbers that are put from now on, in none of the step's times.
  void sendNumbers(GpuDevice& device);
  // Leaves the time between two stamps of the first GPU out of all the step's times.
  void leaveOut(int begin, int end) { slot_->pauses.push_back({begin, end}); }
  void dropGraphs() noexcept;                      // graphs contain addresses that are about to become invalid
  std::int64_t graphs() const { return graphs_; }  // made so far
  // Call when nobody needs what is under way any more: waits for the GPUs.
  void giveUp();

  // ---- events and spans
  int stamp(GpuDevice& device);
  int dependency(const GpuDevice& device);  // an event that one stream records and others wait for
  Span spanOn(int replica, SpanKind kind, std::uint16_t label) const;
  // Makes a span from the stamp `begin` to a stamp that is set here.
  GpuTimedSpan endSpan(GpuDevice& device, const Span& span, int begin);
  void addSpan(GpuDevice& device, const Span& span, int begin) { spans().push_back(endSpan(device, span, begin)); }
  std::vector<GpuTimedSpan>& spans() { return slot_->spans; }
  std::vector<GpuTakenApart>& takenApart() { return slot_->takenApart; }
  // `body` writes commands; if spans are wanted, these commands become one span.
  template <typename Body>
  void timed(GpuDevice& device, const Span& span, const Body& body) {
    const int begin = spansWanted() ? stamp(device) : -1;
    body();
    if (spansWanted()) addSpan(device, span, begin);
  }
  // A verb in which the replicas communicate: all its packs are one communication.
  void beginCommunication();
  void endCommunication();

  // ---- where the GPUs write a step's results
  gpu::StepTally* tally(int replica) const { return slot_->tally(replica); }
  std::uint32_t* differs(int replica) const {
    return slot_->differs(replica);
  }                                                            // whether its weights differ from replica 0's
  std::uint64_t* digests() const { return slot_->digests(); }  // (replicas, gpu::kDigestShares)
  void compareCopies() { slot_->compared = true; }             // differs() will have the answer

 private:
  // Two successive steps each have their own slot: results that the GPUs write directly into host memory, and stamps.
  struct Slot {
    struct Communication {
      int begin = 0, end = 0, gpu = 0;
      std::size_t pausesBefore = 0, pauses = 0;  // number of pauses before its begin, and before its end
    };
    // Stamps of the first GPU around something that is not part of the step: somebody looks at the replicas' variables.
    struct Pause {
      int begin = 0, end = 0;
    };

    Slot(gpu::Layer& layer, int firstGpu, std::size_t slotNumber, std::size_t replicas, std::size_t gpus)
        : number(slotNumber),
          beginEvent(layer.createEvent(firstGpu, true)),
          endEvent(layer.createEvent(firstGpu, true)),
          beginOfGpu(gpus, -1),
          results_(layer, static_cast<std::int64_t>(replicas * sizeof(Result))),
          digests_(layer, static_cast<std::int64_t>(replicas * gpu::kDigestShares * sizeof(std::uint64_t))),
          replicas_(replicas),
          stamps_(gpus),
          stampsUsed_(gpus) {}

    void begin(std::int64_t ofStep) {
      step = ofStep;
      compared = false;
      spans.clear();
      communications.clear();
      pauses.clear();
      goOn = -1;
      takenApart.clear();
      std::ranges::fill(stampsUsed_, 0);
      std::memset(results_.as<void>(), 0, replicas_ * sizeof(Result));
    }
    int nextStamp(gpu::Layer& layer, int gpu) {
      const auto index = static_cast<std::size_t>(gpu);
      if (stampsUsed_[index] == stamps_[index].size()) stamps_[index].push_back(layer.createEvent(gpu, true));
      return stamps_[index][stampsUsed_[index]++];
    }
    gpu::StepTally* tally(int replica) const { return &results_.as<Result>()[replica].tally; }
    std::uint32_t* differs(int replica) const { return &results_.as<Result>()[replica].differs; }
    std::uint64_t* digests() const { return digests_.as<std::uint64_t>(); }  // (replicas, gpu::kDigestShares)

    std::size_t number;
    std::int64_t step = 0;
    bool underWay = false;
    StepOutcome outcome{StepValues()};  // of the step, once it has ended
    bool compared = false;              // the step compares the copies
    std::int64_t launchNs = 0;
    int beginEvent, endEvent;
    std::vector<int> beginOfGpu;
    std::vector<GpuTimedSpan> spans;
    std::vector<std::vector<Communication>> communications;  // one after the other, each of all replicas
    std::vector<Pause> pauses;
    int goOn = -1;  // stamp: the end of a pause after which the step has not continued yet
    std::vector<GpuTakenApart> takenApart;

   private:
    struct Result {
      gpu::StepTally tally;
      std::uint32_t differs;
      std::uint32_t unused[11];  // so that each result fills a cache line
    };
    static_assert(sizeof(Result) == 64);

    gpu::PinnedMemory results_, digests_;
    std::size_t replicas_;
    std::vector<std::vector<int>> stamps_;  // per GPU
    std::vector<std::size_t> stampsUsed_;
  };
  struct Cached {
    std::vector<gpu::Command> commands;
    int graph = 0;  // 0: the list was seen only once
  };
  struct Sending {
    int stream = -1;      // -1: the GPU is not used
    int sent[2]{-1, -1};  // events, of each slot
  };

  Slot& slotOf(std::int64_t step);
  void submitStamp(int event);
  // Sends the step's parameters and marks its beginning.
  void sendParameters();
  void join();
  void goOn();
  void launch();
  void finishUntil(std::int64_t step);
  StepValues sumOf(const Slot& slot);
  void finish(Slot& slot);

  GpuParts& parts_;
  gpu::CommandList& list_;
  std::vector<Sending> sending_;  // of parameters, per GPU
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Cached> cache_;
  std::vector<std::vector<int>> dependencies_;  // events per GPU
  std::vector<std::size_t> dependenciesUsed_;
  std::int64_t step_ = 0;
  Slot* slot_ = nullptr;  // of the step under way
  Watch watch_ = Watch::None;
  bool flushed_ = false;
  std::int64_t lastEndNs_ = 0;
  std::int64_t graphs_ = 0;
};

}  // namespace lab
