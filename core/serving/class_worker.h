// SPDX-License-Identifier: GPL-3.0-or-later
// A native worker of a class without its socket: takes what the server says, hands out closures to be computed, and has
// what is to be said. Computing (WorkerReplica) may be on another thread, so that pings are answered meanwhile: a Job
// has all that it needs. What the server says is checked as what it is told is: UserError where it cannot be.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/serving/frames.h"
#include "core/serving/wire_values.h"
#include "core/serving/worker_replica.h"

namespace lab::serving {

class ClassWorker {
 public:
  ClassWorker(const Token& token, const std::string& path, const std::string& name);

  void received(std::span<const std::uint8_t> bytes);
  std::optional<FrameBytes> next();  // to be sent

  // What the class trains; nothing until it has said so.
  const std::optional<Welcome>& welcome() const { return welcome_; }
  // A closure whose variables are there, once.
  std::optional<Job> takeJob();
  void finish(Result result);  // of it; forgotten where the closure has gone to another meanwhile
  void leave();

  std::optional<Reason> sentAway() const { return sentAway_; }
  bool isOver() const { return over_; }
  std::int64_t applied() const { return applied_; }
  std::int64_t stalenessSum() const { return stalenessSum_; }

 private:
  void take(const Welcome& welcome);
  void take(const Pictures& pictures);
  void take(const Closure& closure);
  void take(const Variables& variables);
  void take(const ChunkView& chunk);
  WireShape shape() const;

  std::optional<Welcome> welcome_;
  std::int64_t pictureBytes_ = 0, classes_ = 0;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // of examples, in the two below
  std::vector<std::uint8_t> pixels_, labels_;
  std::optional<Closure> closure_;     // in hand
  std::optional<Variables> expected_;  // chunks of it come
  IncomingValues values_;
  std::optional<Job> job_;
  std::deque<FrameBytes> out_;
  std::vector<float> pushing_;  // what is left of it is sent in chunks
  std::size_t pushedAt_ = 0;
  std::optional<Result> waiting_;  // for the push before it, of a closure that was lost, to be said to its end
  std::optional<Reason> sentAway_;
  bool over_ = false;
  std::int64_t applied_ = 0, stalenessSum_ = 0;
};

}  // namespace lab::serving
