// SPDX-License-Identifier: GPL-3.0-or-later
// The processes of this run from one process's view: who and where the others are, what they exchange, and that no wait
// is in vain. Collectives are built from the wire's messages; each comment says how its work grows with the number of
// processes. Only for the trainer thread, except health.h's part.
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

#include "core/base/at.h"
#include "core/process/health.h"
#include "core/process/wire.h"

namespace lab::process {

using Content = std::vector<std::byte>;

struct Place {
  std::string host;
  std::int64_t pid = 0;
  int onHost = 1;         // processes on that host
  std::string processor;  // its name
};

// Returns the rank that reports a verdict on `worker`: the first one. Of the first one itself it is the lowest rank on
// another host, because its whole host may be lost, or else the second one.
int reporterOf(const std::vector<Place>& places, int worker);

// What a process does between two polls: after `polls` in vain, the first of them `waited` ago. `shares`: others need
// its processor, so it never spins. A nap is short beside such a wait; who spins or yields keeps a processor busy.
enum class Rest { Spin, Yield, Nap };
inline constexpr int kSpins = 2000;  // polls before a process with a processor of its own yields
inline constexpr std::chrono::milliseconds kLongWait{10};
inline Rest restAfter(int polls, std::chrono::nanoseconds waited, bool shares) {
  if (!shares && polls <= kSpins) return Rest::Spin;
  return waited < kLongWait ? Rest::Yield : Rest::Nap;
}

class Peers {
 public:
  // Joins the others: all processes construct their Peers at the same time.
  Peers(std::shared_ptr<Wire> wire, const TimeLimits& limits);
  ~Peers();  // leaves them; all must do so together

  int rank() const { return wire_->rank(); }
  int size() const { return wire_->size(); }
  bool isChief() const { return rank() == 0; }  // the chief writes files
  const std::vector<Place>& places() const { return places_; }
  const Place& here() const { return at(places_, rank()); }
  Message nameOf(int rank) const;  // "worker 1 (process 4711 on host b)"
  std::string library() const { return wire_->library(); }
  std::chrono::nanoseconds deadline() const { return health_->deadline(); }

  // Messages about missing workers name what is entered here.
  void enter(Doing doing, std::int64_t step) { health_->enter(doing, step); }
  void leave() { health_->enter(Doing::Computing, health_->step()); }

  // Sends the chief's bytes to all; the same size everywhere. ⌈log₂ W⌉ rounds.
  void broadcast(void* bytes, std::size_t count);
  // Gives everybody all contributions, of equal size, in the order of ranks. ⌈log₂ W⌉ rounds; W times the bytes.
  void allGather(const void* mine, void* all, std::size_t count);
  // Contributions of any size. The chief gets all, the others nothing. W − 1 messages to the chief.
  std::vector<Content> gather(const Content& mine);
  std::vector<Content> allGather(const Content& mine);
  // The chief's, of any size: in pieces, because MPI counts the bytes of a message with an int.
  Content broadcast(Content content);
  static constexpr std::size_t kMostBroadcast = std::size_t{16} << 20;  // bytes of a piece
  void barrier();

  // Single hops of a schedule.
  Request send(int to, const void* bytes, std::size_t count) { return wire_->send(to, Channel::Values, bytes, count); }
  Request receive(int from, void* bytes, std::size_t count) {
    return wire_->receive(from, Channel::Values, bytes, count);
  }
  bool test(Request& request) { return wire_->test(request); }
  void cancel(Request& request) { wire_->cancel(request); }
  void beInCall() { health_->waitFor(kInCall); }  // in another library's call, which may wait for other processes
  // Waits until the request is done; `from`: the rank it waits for. Throws a UserError (kind Run) if a worker is
  // missing.
  void wait(Request& request, int from);
  // For each round of a loop that waits: lets other processes compute, and throws as wait() does.
  void pause(int from);
  void resume() {  // the loop is over
    polls_ = 0;
    health_->waitFor(-1);
  }

  void sumOverAll(float* values, std::int64_t count) { wire_->sumOverAll(values, count); }

  // A process's clock minus the chief's, and the maximum error: measured anew along the broadcast's tree, in ⌈log₂ W⌉
  // rounds; the errors add up along the way, over at most as many links.
  struct Offset {
    std::int64_t ns = 0, errorNs = 0;
  };
  void alignClocks(int exchanges);                                 // all must call it
  const std::vector<Offset>& offsets() const { return offsets_; }  // per rank; only the chief has them

  // Sets whether an error from now on occurs in all processes alike, so that only the first one reports it.
  void setAlike(bool alike) { alike_ = alike; }
  bool isAlike() const { return alike_; }
  // Returns how long ago this process was first told to end. All processes of a run are told within a moment.
  std::chrono::nanoseconds sinceToldToEnd();
  bool hasVerdict() const { return health_->hasVerdict(); }

  // Sets `tell`, which is called on another thread with the reason for the run's end, if this process hangs in such a
  // call and is the one that must report.
  void whenHanging(std::function<void(const Message&)> tell);

  // Kills all processes at once.
  void abort(int exitCode) noexcept;

 private:
  void findPlaces();
  Message sentenceOf(const Verdict& verdict) const;
  void endHanging(const Verdict& verdict) noexcept;
  Offset offsetOf(int child, int exchanges);  // the child's clock minus this one's
  void answerClock(int parent, int exchanges);

  std::shared_ptr<Wire> wire_;
  std::unique_ptr<Health> health_;
  std::vector<Place> places_;
  std::vector<Offset> offsets_;
  bool alike_ = false;
  std::optional<std::chrono::steady_clock::time_point> toldToEndAt_;
  std::mutex telling_;
  std::function<void(const Message&)> tell_;
  int polls_ = 0;                  // calls of pause() since resume()
  std::int64_t waitsSinceNs_ = 0;  // the first of them
  bool crowded_ = false;           // more processes than processors here, so waiting processes yield
};

// Returns the limits of the environment, STRATEGYLAB_DEADLINE and STRATEGYLAB_START_UP_LIMIT, in seconds.
inline constexpr const char* kDeadlineVariable = "STRATEGYLAB_DEADLINE";
inline constexpr const char* kStartUpVariable = "STRATEGYLAB_START_UP_LIMIT";
TimeLimits timeLimits();

// Returns the peers of this process, joined by join(); null before and without it. Belongs to the calling thread.
std::shared_ptr<Peers> peers();
// Joins the processes that were started together with this one. Throws a UserError naming --devices if there are none.
std::shared_ptr<Peers> join();
void setPeers(std::shared_ptr<Peers> peers);  // for the calling thread: in tests, and to leave

}  // namespace lab::process
