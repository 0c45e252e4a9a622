// SPDX-License-Identifier: GPL-3.0-or-later
// A class without its sockets: connections, which are numbers of the caller's, say frames and are told some. Who has
// not said the token is nobody; whatever a worker sends is checked against what it was asked for before anything is
// done with it, and who sends nonsense is sent away. Holds the coordinator and the parameter servers; every call says
// what time it is. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/serving/class_member.h"
#include "core/serving/class_order.h"
#include "core/serving/class_settings.h"
#include "core/serving/class_state.h"
#include "core/serving/coordinator.h"
#include "core/serving/frames.h"
#include "core/serving/link_turns.h"
#include "core/serving/served_variables.h"
#include "core/serving/spot_check.h"
#include "core/serving/wire_values.h"
#include "core/trace/metric.h"

namespace lab::serving {

struct ClassLimits {
  int workers = 64;
  int connections = 128;                 // with those that have not said the token
  std::int64_t helloNs = 5'000'000'000;  // until they have
  double norm = 1e6;                     // of a gradient
  int frames = 50;                       // beside chunks, in a second without a new closure
  double checkShare = 0;                 // of this machine's time, for spot checks
  int processors = 1;
  std::uint64_t checkSeed = 0;  // nobody's guess
};

struct ClassWorkerFacts {
  int worker = 0;
  std::string name;      // that the program gave
  std::string nickname;  // that the person wishes; shown where a teacher allows it
  std::string path;
};

// What the class tells whoever runs it; all of them are set.
struct ClassEvents {
  std::function<void(const ClassWorkerFacts&)> joined;
  std::function<void(int worker)> leaving;                      // it is about to: member() still has it
  std::function<void(int worker, std::optional<Reason>)> left;  // nothing: it went by itself
  std::function<void(int worker)> lost;                         // its closure goes to another
  std::function<void(const StepMetric&, const std::vector<ClassOrder::Part>&, const ClassTimes&)> updated;
  std::function<void(std::int64_t step, const Snapshot&)> evaluationDue;  // also after the last step
  std::function<void()> ended;
  std::function<void(int connection)> wantsToSend;  // next() has something, or the connection is to be closed
  // To be computed again, elsewhere, and then told by checked(). Only where spot checks have a share.
  std::function<void(std::shared_ptr<const Suspect>)> checkDue;
  std::function<void(int worker, std::uint64_t closure)> falseFound;  // what it pushed has been applied all the same
};

class ClassSession {
 public:
  // `token`: whoever says it may take part. `servers`: where the variables are; null: here. Where they are lost, each
  // call that needs them, and tick(), says so (server_processes.h).
  ClassSession(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, const Token& token,
               int firstWorkers, const Patience& patience, const ClassLimits& limits, ClassEvents events,
               std::unique_ptr<ParameterServers> servers = nullptr);
  ~ClassSession();

  // False: there are too many, and it is to be closed. `isLocal`: from this machine, so that no link is shared with it.
  bool opened(int connection, std::int64_t ns, bool isLocal = false);
  void received(int connection, std::span<const std::uint8_t> bytes, std::int64_t ns);
  void heard(int connection, std::int64_t ns);  // a ping or pong
  // The closure whose variables went off whole, the last that did; 0: none. A ping behind them is to be sent, for its
  // pong says that they are there.
  std::uint64_t sent(int connection) const;
  // A pong, so long after its ping, before which the variables of closure `has` were sent.
  void answered(int connection, std::int64_t roundTripNs, std::uint64_t has, std::int64_t ns);
  void closed(int connection, std::int64_t ns);
  void tick(std::int64_t ns);  // a few times a second

  // The next frame to send; nothing: there is none, and where isClosing() the connection is to be closed. Without a
  // time it goes when something was last heard.
  std::optional<FrameBytes> next(int connection, std::int64_t ns = 0);
  bool isClosing(int connection) const;
  // A worker of whom a push has counted, and who is not sent away. Whoever is not may wait when it comes again.
  bool hasEarned(int connection) const;

  void pause(bool paused, std::int64_t ns);
  void step(std::int64_t ns);  // one update more, while it is paused
  void remove(int worker, std::int64_t ns);
  // Its pushes count when `factor` times as long has passed as from its closure to its push, so that it is as late, and
  // as stale, as if it were so many times slower. It computes as fast as ever, and gets no other closure meanwhile. 1
  // or less: no more.
  void slow(int worker, double factor, std::int64_t ns);
  // Of checkDue: `tookNs` decides when the next may be. Whoever pushed falsely is sent away.
  void checked(const Suspect& suspect, bool honest, std::int64_t tookNs, std::int64_t ns);
  // All are told that it is over.
  void end();

  // For whoever watches.
  std::vector<ClassMember> members(std::int64_t ns) const;  // in the order of their numbers; names are told once
  ClassMember member(int worker, std::int64_t ns) const;    // one of them
  bool isAtRest() const { return coordinator_.isAtRest(); }
  bool isSlowed() const;  // somebody is: tick() is to be called often
  ClassState state();     // what recordings begin from

  // Where another session goes on (class_checkpoint.cpp), of the same settings and examples: closures that somebody
  // has, or had, are done again. Before anybody is there; UserError where it does not fit.
  bool mayCheckpoint() const { return coordinator_.isBetweenSteps(); }
  Checkpoint checkpoint();
  void resume(const Checkpoint& kept);

  bool isOver() const { return over_; }
  int workers() const { return coordinator_.workers(); }
  std::int64_t updates() const { return variables_.version(); }
  std::int64_t weights() const { return network_->layout().size(); }      // of a snapshot; then moving statistics
  const std::string& networkDescription() const { return description_; }  // core/model/network_text.h
  Snapshot snapshot() { return variables_.snapshot(); }
  const ClassOrder& order() const { return order_; }

 private:
  struct Outgoing {  // values that are sent in chunks
    Snapshot values;
    std::size_t at = 0;
  };
  struct Connection {
    std::int64_t openedNs = 0, countingSinceNs = 0;
    int frames = 0;   // since then, and since its latest closure
    int worker = -1;  // -1: it has not said the token
    std::string path;
    std::deque<std::variant<FrameBytes, Outgoing>> out;
    bool closing = false, isLocal = false;
    std::vector<bool> has;                  // which examples it has
    std::int64_t version = 0, givenNs = 0;  // of the variables that it got with its closure, and when
    Snapshot variables;                     // these
    std::int64_t sentNs = -1;               // when the last of them went off; -1: not yet
    std::uint64_t newest = 0, sent = 0;     // number of the latest closure that it was given, and of sent()
    int mayPush = 0;                        // closures given, less pushes begun
    bool hasPushed = false;                 // what counted
    std::shared_ptr<Suspect> suspect;       // of that closure, where its push is to be checked
    std::optional<Push> push;               // under way
    IncomingValues values;                  // of it
    std::int64_t pushBeganNs = 0, pushedNs = 0;
    std::optional<std::int64_t> heldUntilNs;  // of somebody slowed, whose push is whole
    double slowdown = 1;
    std::int64_t roundTripNs = 0;
    MemberCounts counts;
  };
  struct Pushed {
    Push push;
    std::vector<float> values;
    std::int64_t version = 0;
    ClassTimes::Part times;
    std::string path;
  };

  void take(int connection, Connection& it, const Frame& frame, std::int64_t ns);
  void greet(int connection, Connection& it, const Hello& hello, std::int64_t ns);
  void beginPush(int connection, Connection& it, const Push& push, std::int64_t ns);
  void addChunk(int connection, Connection& it, const ChunkView& chunk, std::int64_t ns);
  void finishPush(int connection, Connection& it, std::int64_t ns);
  void update(const Coordinator::Update& due, std::int64_t ns);
  std::vector<float> sumOf(const Coordinator::Update& due);
  void report(const Coordinator::Update& due, double learningRate, std::int64_t ns);
  void tellApplied(const Coordinator::Update& due, const StepMetric& metric, std::int64_t ns);
  void assign(std::int64_t ns);
  void give(int connection, Connection& it, const Work& work, std::int64_t ns);
  void releaseHeld(std::int64_t ns);
  bool isHeld(Connection& it, std::int64_t ns) const;
  std::shared_ptr<Suspect> suspectOf(int connection, int worker, const Work& work,
                                     const std::vector<float>& variables) const;
  void check(Connection& it, const Push& push, const std::vector<float>& values);
  void refuse(int worker, std::uint64_t closure);
  void drop(int connection, Connection& it, Reason reason);
  void finish();
  void tellProgress(std::int64_t ns);
  void send(int connection, Connection& it, const Frame& frame);
  void endTurn(int connection);
  void wakeNext();
  int connectionOf(int worker) const;
  WireShape shape() const;

  const ResolvedSettings config_;
  const std::shared_ptr<const Dataset> dataset_;
  const std::shared_ptr<const NeuralNetwork> network_;
  const std::string description_;  // of it
  const Token token_;
  const ClassLimits limits_;
  const ClassEvents events_;
  const bool synchronous_;
  const std::int64_t stepsPerEpoch_, updatesWanted_;
  ClassExamples examples_;
  Coordinator coordinator_;
  ServedVariables variables_;
  ClassOrder order_;
  LinkTurns turns_;
  CheckTimes checks_;
  std::map<int, Connection> connections_;
  std::map<int, int> connectionOf_;         // by worker
  std::map<std::uint64_t, Pushed> pushed_;  // of a synchronous step, by closure; of an asynchronous one, the last
  std::int64_t trained_ = 0, updatedNs_ = -1;
  std::int64_t nowNs_ = 0;                        // the latest that was told
  std::int64_t toldNs_ = 0, examplesToTell_ = 0;  // of Progress
  double lossToTell_ = 0;
  bool over_ = false;
};

// The name that the program gives worker `worker`: "Otter 7".
std::string nameOf(int worker);

}  // namespace lab::serving
