// SPDX-License-Identifier: GPL-3.0-or-later
// The processes of this run as one of them meets the others: who and where they are, what they exchange, and that none
// is waited for in vain. Collectives are made of the wire's messages; the work of each grows with the number of
// processes as its comment says. The trainer thread, but for what health.h does.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/process/health.h"
#include "core/process/wire.h"

namespace lab::process {

using Content = std::vector<std::byte>;

struct Place {
  std::string host;
  std::int64_t pid = 0;
  int onHost = 1;         // processes there
  std::string processor;  // its name
};

class Peers {
 public:
  // Joins them: all processes make one at the same time.
  Peers(std::shared_ptr<Wire> wire, const TimeLimits& limits);
  ~Peers();  // leaves them, when all do

  int rank() const { return wire_->rank(); }
  int size() const { return wire_->size(); }
  bool isChief() const { return rank() == 0; }  // who writes files
  const std::vector<Place>& places() const { return places_; }
  const Place& here() const { return places_[static_cast<std::size_t>(rank())]; }
  Message nameOf(int rank) const;  // "worker 1 (process 4711 on host b)"
  std::string library() const { return wire_->library(); }
  std::chrono::nanoseconds deadline() const { return health_->deadline(); }

  // What follows belongs to this: messages about missing workers say so.
  void enter(Doing doing, std::int64_t step) { health_->enter(doing, step); }
  void leave() { health_->enter(Doing::Computing, health_->step()); }

  // The chief's bytes, to all; of one size everywhere. ⌈log₂ W⌉ rounds.
  void broadcast(void* bytes, std::size_t count);
  // Everybody's, of one size, in the order of ranks. ⌈log₂ W⌉ rounds; W times the bytes.
  void allGather(const void* mine, void* all, std::size_t count);
  // Of any size. The chief gets all, the others nothing. W − 1 messages to the chief.
  std::vector<Content> gather(const Content& mine);
  std::vector<Content> allGather(const Content& mine);
  Content broadcast(Content content);  // the chief's, of any size
  void barrier();

  // Hops of a schedule.
  Request send(int to, const void* bytes, std::size_t count) { return wire_->send(to, Channel::Values, bytes, count); }
  Request receive(int from, void* bytes, std::size_t count) {
    return wire_->receive(from, Channel::Values, bytes, count);
  }
  bool test(Request& request) { return wire_->test(request); }
  void cancel(Request& request) { wire_->cancel(request); }
  void beInCall() { health_->waitFor(kInCall); }  // of another library, which may wait for other processes
  // Until it is done. UserError (kind Run) where a worker is missing; `from`: whom it is waiting for.
  void wait(Request& request, int from);
  // Once around a loop that waits: lets others compute, and throws as wait() does.
  void pause(int from);
  void resume() {  // the loop is over
    idle_ = 0;
    health_->waitFor(-1);
  }

  void sumOverAll(float* values, std::int64_t count) { wire_->sumOverAll(values, count); }

  // A process's time minus the chief's, and how wrong that may be: measured anew, along the broadcast's tree, in
  // ⌈log₂ W⌉ rounds; what may be wrong adds up along the way, over as many links at most.
  struct Offset {
    std::int64_t ns = 0, errorNs = 0;
  };
  void alignClocks(int exchanges);                                 // all call it
  const std::vector<Offset>& offsets() const { return offsets_; }  // per rank; only the chief has them

  // Whether an error that comes now comes in all processes alike, so that the first one tells of it.
  void setAlike(bool alike) { alike_ = alike; }
  bool isAlike() const { return alike_; }
  // This one was told to end: how long ago at first. All are, within a moment, where the run is.
  std::chrono::nanoseconds sinceToldToEnd();
  bool hasVerdict() const { return health_->hasVerdict(); }

  // `tell` is called, on another thread, with what ends the run where this one hangs in such a call, and is the one
  // that tells of it.
  void whenHanging(std::function<void(const Message&)> tell);

  // Ends all processes at once.
  void abort(int exitCode) noexcept;

 private:
  void findPlaces();
  Message sentenceOf(const Verdict& verdict) const;
  void endHanging(const Verdict& verdict) noexcept;
  Offset offsetOf(int child, int exchanges);  // its clock minus this one's
  void answerClock(int parent, int exchanges);

  std::shared_ptr<Wire> wire_;
  std::unique_ptr<Health> health_;
  std::vector<Place> places_;
  std::vector<Offset> offsets_;
  bool alike_ = false;
  std::optional<std::chrono::steady_clock::time_point> toldToEndAt_;
  std::mutex telling_;
  std::function<void(const Message&)> tell_;
  int idle_ = 0;          // polls of pause() without anything done
  bool crowded_ = false;  // more processes than processors here: whoever waits gives way
};

// Those of the environment, STRATEGYLAB_DEADLINE and STRATEGYLAB_START_UP_LIMIT, in seconds.
inline constexpr const char* kDeadlineVariable = "STRATEGYLAB_DEADLINE";
inline constexpr const char* kStartUpVariable = "STRATEGYLAB_START_UP_LIMIT";
TimeLimits timeLimits();

// The present process's others, joined by join(); null before that and without it. The calling thread's.
std::shared_ptr<Peers> peers();
// Joins those that were started together with this one. UserError naming --devices where there are none.
std::shared_ptr<Peers> join();
void setPeers(std::shared_ptr<Peers> peers);  // of the calling thread: for tests, and to leave

}  // namespace lab::process
