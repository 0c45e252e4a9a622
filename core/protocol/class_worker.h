// SPDX-License-Identifier: GPL-3.0-or-later
// A native worker of a class without its socket: reads the server's frames, offers closures as jobs, and queues frames
// to send. Another thread may compute the jobs (WorkerReplica), so that pings are answered meanwhile; a Job has all
// that this needs. The worker checks the server's frames, as the server checks the worker's, and throws a UserError for
// impossible ones.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/protocol/frames.h"
#include "core/protocol/wire_values.h"
#include "core/protocol/worker_replica.h"

namespace lab::serving {

class ClassWorker {
 public:
  ClassWorker(const Token& token, const std::string& path, const std::string& name);

  void received(std::span<const std::uint8_t> bytes);
  std::optional<FrameBytes> next();  // the next frame to send

  // What the class trains; nothing until the server has sent it.
  const std::optional<Welcome>& welcome() const { return welcome_; }
  // Returns each closure once, when its variables have arrived.
  std::optional<Job> takeJob();
  void finish(Result result);  // of the job; ignored if the closure has gone to another worker meanwhile
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
  std::unordered_map<std::uint32_t, std::size_t> places_;  // indices of examples in the next two vectors
  std::vector<std::uint8_t> pixels_, labels_;
  std::optional<Closure> closure_;     // the present closure
  std::optional<Variables> expected_;  // whose chunks are arriving
  IncomingValues values_;
  std::optional<Job> job_;
  std::deque<FrameBytes> out_;
  std::vector<float> pushing_;  // the rest is still to be sent in chunks
  std::size_t pushedAt_ = 0;
  std::optional<Result> waiting_;  // waits until the push before it, of a lost closure, has been sent completely
  std::optional<Reason> sentAway_;
  bool over_ = false;
  std::int64_t applied_ = 0, stalenessSum_ = 0;
};

}  // namespace lab::serving
