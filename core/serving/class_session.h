// SPDX-License-Identifier: GPL-3.0-or-later
// A class without its sockets: connections, numbered by the caller, send and receive frames. A connection has no rights
// until it has sent the token; whatever a worker sends is checked against what it was asked for before it is used, and
// a connection that sends nonsense is closed. class_training.h has what is trained; every call is told the time.
// Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/protocol/class_member.h"
#include "core/protocol/class_order.h"
#include "core/protocol/frames.h"
#include "core/protocol/wire_values.h"
#include "core/serving/class_state.h"
#include "core/serving/class_training.h"
#include "core/serving/coordinator.h"
#include "core/serving/link_turns.h"
#include "core/serving/served_variables.h"
#include "core/serving/spot_check.h"
#include "core/trace/metric.h"

namespace lab::serving {

struct ClassLimits {
  int workers = 64;
  int connections = 128;                 // including those that have not sent the token
  std::int64_t helloNs = 5'000'000'000;  // time to send the token
  double norm = 1e6;                     // limit for a gradient, a moving statistic and an example's loss
  int frames = 50;                       // besides chunks, per second without a new closure
  double checkShare = 0;                 // of this machine's time, for spot checks
  int processors = 1;
  std::uint64_t checkSeed = 0;  // not guessable
};

struct ClassWorkerFacts {
  int worker = 0;
  std::string name;      // given by the program
  std::string nickname;  // as the person wishes; shown if the teacher allows it
  std::string path;
};

// What the class reports to the code that runs it; all functions must be set.
struct ClassEvents {
  std::function<void(const ClassWorkerFacts&)> joined;
  std::function<void(int worker)> leaving;                      // is about to leave: member() still has it
  std::function<void(int worker, std::optional<Reason>)> left;  // no reason: it left of its own accord
  std::function<void(int worker)> lost;                         // its closure goes to another worker
  std::function<void(const StepMetric&, const std::vector<ClassOrder::Part>&, const ClassTimes&)> updated;
  std::function<void(std::int64_t step, const Snapshot&)> evaluationDue;  // also after the last step
  std::function<void()> ended;
  std::function<void(int connection)> wantsToSend;  // next() has something, or the connection should be closed
  // A push to be recomputed elsewhere and reported to checked(). Only called if spot checks have a share.
  std::function<void(std::shared_ptr<const Suspect>)> checkDue;
  std::function<void(int worker, std::uint64_t closure)> falseFound;  // the false push has already been applied
};

class ClassSession {
 public:
  // `training` outlives this object. `token`: admits the workers that send it. If the training's servers are lost, each
  // call that needs them, and tick(), throws a LostServer (server_processes.h).
  ClassSession(ClassTraining& training, const Token& token, const ClassLimits& limits, ClassEvents events);

  // Returns false if there are too many, and the connection must be closed. `isLocal`: from this machine, so it shares
  // no link.
  bool opened(int connection, std::int64_t ns, bool isLocal = false);
  void received(int connection, std::span<const std::uint8_t> bytes, std::int64_t ns);
  void heard(int connection, std::int64_t ns);  // a ping or pong arrived
  // Returns the closure whose variables were last sent completely; 0: none. The caller must send a ping after them,
  // because its pong shows that they have arrived.
  std::uint64_t sent(int connection) const;
  // A pong arrived, `roundTripNs` after its ping; the variables of closure `has` were sent before the ping.
  void answered(int connection, std::int64_t roundTripNs, std::uint64_t has, std::int64_t ns);
  void closed(int connection, std::int64_t ns);
  void tick(std::int64_t ns);  // must be called a few times a second

  // Returns the next frame to send; nothing if there is none, and then the connection must be closed if isClosing().
  // Without `ns`, the frame counts as sent when something was last heard.
  std::optional<FrameBytes> next(int connection, std::int64_t ns = 0);
  bool isClosing(int connection) const;
  // Returns whether a push of this worker has counted and it was not sent away. Others may have to wait when they come
  // again.
  bool hasEarned(int connection) const;

  void pause(bool paused, std::int64_t ns);
  void step(std::int64_t ns);  // allows one more update while it is paused
  void remove(int worker, std::int64_t ns);
  // Delays a worker's pushes: each counts when `factor` times as long has passed as from its closure to its push, so it
  // is as late, and as stale, as if the worker were that much slower. The worker computes at its own speed, but gets no
  // other closure meanwhile. A factor of 1 or less ends the delay.
  void slow(int worker, double factor, std::int64_t ns);
  // Reports the result of checkDue; `tookNs` decides when the next check may be. Workers that pushed falsely are sent
  // away.
  void checked(const Suspect& suspect, bool honest, std::int64_t tookNs, std::int64_t ns);
  // Tells all workers that the class is over.
  void end();

  // For displays.
  std::vector<ClassMember> members(std::int64_t ns) const;  // in the order of their numbers; each name is told once
  ClassMember member(int worker, std::int64_t ns) const;    // one of them
  bool isSlowed() const;                                    // if somebody is slowed, tick() must be called often
  ClassState state();                                       // where recordings begin

 private:
  struct Outgoing {  // values to be sent in chunks
    Snapshot values;
    std::size_t at = 0;
  };
  struct Connection {
    std::int64_t openedNs = 0, countingSinceNs = 0;
    int frames = 0;   // since then, and since its latest closure
    int worker = -1;  // -1: it has not sent the token
    std::string path;
    std::deque<std::variant<FrameBytes, Outgoing>> out;
    std::size_t ofClosure = 0;  // how many of them its latest closure added, with hundreds for large pictures
    bool closing = false, isLocal = false;
    std::vector<bool> has;                  // which examples it has been sent
    std::int64_t version = 0, givenNs = 0;  // version of the variables sent with its closure, and when
    Snapshot variables;                     // those variables
    std::int64_t sentNs = -1;               // when the last of them was sent; -1: not yet
    std::uint64_t newest = 0, sent = 0;     // number of the latest closure given to it, and the result of sent()
    int mayPush = 0;                        // closures given, less pushes begun
    bool hasPushed = false;                 // a push of it has counted
    std::shared_ptr<Suspect> suspect;       // of that closure, if its push will be checked
    std::optional<Push> push;               // the push under way
    IncomingValues values;                  // of that push
    std::int64_t pushBeganNs = 0, pushedNs = 0;
    std::optional<std::int64_t> heldUntilNs;  // for a slowed worker whose push is complete
    double slowdown = 1;
    std::int64_t roundTripNs = 0;
    MemberCounts counts;
  };

  void take(int connection, Connection& it, const Frame& frame, std::int64_t ns);
  void greet(int connection, Connection& it, const Hello& hello, std::int64_t ns);
  void beginPush(int connection, Connection& it, const Push& push, std::int64_t ns);
  void addChunk(int connection, Connection& it, const ChunkView& chunk, std::int64_t ns);
  void finishPush(int connection, Connection& it, std::int64_t ns);
  void update(const Coordinator::Update& due, std::int64_t ns);
  void tellApplied(const Coordinator::Update& due, const StepMetric& metric, std::int64_t ns);
  void assign(std::int64_t ns);
  void give(int connection, Connection& it, const Work& work, std::int64_t ns);
  void releaseHeld(std::int64_t ns);
  bool isHeld(Connection& it, std::int64_t ns) const;
  std::shared_ptr<Suspect> suspectOf(int connection, int worker, const Work& work,
                                     const std::vector<float>& variables) const;
  void check(Connection& it, const Push& push, const std::vector<float>& values);
  void refuse(int worker, std::uint64_t closure, Reason reason);
  bool takeBack(Connection& it);
  void drop(int connection, Connection& it, Reason reason);
  void finish();
  void tellProgress(std::int64_t ns);
  void send(int connection, Connection& it, const Frame& frame);
  void endTurn(int connection);
  void wakeNext();
  int connectionOf(int worker) const;

  ClassTraining& training_;
  Coordinator& coordinator_;  // the training's
  const Token token_;
  const ClassLimits limits_;
  const ClassEvents events_;
  LinkTurns turns_;
  CheckTimes checks_;
  std::map<int, Connection> connections_;
  std::map<int, int> connectionOf_;               // by worker
  ReceivedPushes pushed_;                         // for an asynchronous class, only the last push
  std::int64_t nowNs_ = 0;                        // the latest time told
  std::int64_t toldNs_ = 0, examplesToTell_ = 0;  // for Progress
  double lossToTell_ = 0;
  bool over_ = false;
};

// The name that the program gives worker `worker`: "Otter 7".
std::string nameOf(int worker);

}  // namespace lab::serving
