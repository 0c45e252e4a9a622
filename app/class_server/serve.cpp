// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/class_server/serve.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "app/class_server/class_server.h"
#include "app/class_server/messages.h"
#include "app/class_server/parent.h"
#include "app/class_server/tls.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/message.h"
#include "core/classruns/class_program.h"
#include "core/files/metric_json.h"
#include "core/launching/run_stream.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/process/awake_clock.h"
#include "core/protocol/class_settings.h"
#include "core/replay/classify.h"
#include "core/serving/class_journal.h"
#include "core/serving/class_training.h"
#include "core/serving/server_processes.h"
#include "core/training/trainer.h"

namespace lab::classes {

namespace net = boost::asio;
using serving::ClassSession;
using serving::Snapshot;

namespace {

constexpr std::chrono::milliseconds kTick{250}, kOftenTick{10};
constexpr std::chrono::seconds kFarewell{3};  // until connections are closed that have been told that the class is over
constexpr std::int64_t kMsNs = 1'000'000, kSecondNs = 1000 * kMsNs;
// Between two states, from which any update can be trained again; longer if they take longer to write.
constexpr std::int64_t kBetweenStatesNs = 400 * kMsNs, kStateShare = 20;

serving::Token newToken() {
  serving::Token token{};
  std::ifstream random("/dev/urandom", std::ios::binary);
  random.read(reinterpret_cast<char*>(token.data()), static_cast<std::streamsize>(token.size()));
  if (!random) throw UserError(UserError::Kind::Run, say::classNoRandom);
  return token;
}

// Adds losses in the examples' order, as a run's evaluation does.
EvalMetric evaluate(const Dataset& dataset, const Snapshot& values, std::int64_t step, const ResolvedSettings& config,
                    std::int64_t weights) {
  const auto all = std::span(*values);
  const auto first = static_cast<std::size_t>(weights);
  const Classified classified = classify(dataset.test, all.first(first), all.subspan(first), config);
  double lossSum = 0;
  std::int64_t correct = 0;
  for (std::size_t i = 0; i < classified.losses.size(); ++i) {
    lossSum += static_cast<double>(classified.losses[i]);
    correct += classified.predictions[i] == dataset.test.labels[i] ? 1 : 0;
  }
  const auto count = static_cast<double>(dataset.test.count);
  return {.step = step, .testLoss = lossSum / count, .testAccuracy = static_cast<double>(correct) / count};
}

// Keeps track of who is there, by the lines of a journal.
void follow(const std::string& line, std::set<int>& there) {
  if (line.starts_with("{\"joined\"")) there.insert(nlohmann::json::parse(line).at("joined").at("worker").get<int>());
  if (line.starts_with("{\"left\"")) there.erase(nlohmann::json::parse(line).at("left").get<int>());
}

class Serving {
 public:
  explicit Serving(const nlohmann::json& order)
      : config_(unchecked(configFromJson(order.at("settings")))),
        dataset_(openDataset(config_)),
        token_(newToken()),
        parent_(
            context_, [this](const std::string& line) { obey(line); }, [this] { session_.end(); }),
        server_(context_, serving::parseListenAddress(order.at("listen")), tlsOf(order),
                [this] { return clock_.nowNs(); }),
        states_(order.value("states", "")),
        checkpoints_(order.value("checkpoints", "")),
        checkpointEvery_(order.value("checkpointEvery", serving::stepsPerEpochOf(config_, dataset_->train.count))),
        training_(config_, dataset_, order.value("firstWorkers", 1), patienceOf(order),
                  serving::startServerProcesses(config_, *networkOf(config_), ClassProgram::path().string(),
                                                patienceOf(order).silentNs)),
        session_(training_, token_, limitsOf(order), events()),
        tick_(context_) {
    if (!checkpoints_.empty()) order.value("resume", false) ? resume() : beginJournal();
    server_.serve(session_);
  }

  int run() {
    // There is nothing to join if all updates were done before.
    if (!isOver_) parent_.tell({{"link", serving::ClassLink{server_.address(), token_, isSecure_}.text()}});
    try {
      tick();
      context_.run();
    } catch (const serving::LostServer& lost) {
      tellMembers();  // everybody's pushes
      parent_.tell({{"lostServer", lost.number}, {"code", lost.code}});
      throw;
    }
    evaluations_.join();
    keeper_.join();
    if (failure_) std::rethrow_exception(failure_);
    checking_.join();
    return 0;
  }

 private:
  static serving::Patience patienceOf(const nlohmann::json& order) {
    serving::Patience patience;
    patience.silentNs = order.value("silentMs", patience.silentNs / kMsNs) * kMsNs;
    return patience;
  }

  static serving::ClassLimits limitsOf(const nlohmann::json& order) {
    serving::ClassLimits limits;
    limits.checkShare = order.value("checkShare", limits.checkShare);
    limits.processors = processorCount();
    const serving::Token seed = newToken();  // unlike the other token, it is told to nobody
    std::memcpy(&limits.checkSeed, seed.data(), sizeof limits.checkSeed);
    return limits;
  }

  std::shared_ptr<Tls> tlsOf(const nlohmann::json& order) {
    isSecure_ = order.contains("certificate");
    if (!isSecure_) return nullptr;
    return serverTls(order.at("certificate"), order.at("key"), serving::parseListenAddress(order.at("listen")).host);
  }

  serving::ClassEvents events() {
    serving::ClassEvents all;
    all.joined = [this](const serving::ClassWorkerFacts& facts) {
      parent_.tell(
          {{"joined",
            {{"worker", facts.worker}, {"name", facts.name}, {"nickname", facts.nickname}, {"path", facts.path}}}});
      keep(serving::joinedLine(facts.worker, facts.name, facts.path));
    };
    all.leaving = [this](int worker) {
      parent_.tell({{"members", {serving::memberToJson(session_.member(worker, clock_.nowNs()))}}});
    };
    all.left = [this](int worker, std::optional<serving::Reason> reason) {
      parent_.tell({{"left", worker}, {"why", reason ? nlohmann::json(*reason) : nlohmann::json()}});
      keep(serving::leftLine(worker));
    };
    all.lost = [this](int worker) { parent_.tell({{"lost", worker}}); };
    all.updated = [this](const StepMetric& metric, const std::vector<serving::ClassOrder::Part>& parts,
                         const serving::ClassTimes& times) {
      // The metric comes last: once it has arrived the update counts as known, with all that belongs to it.
      tellAndKeep(serving::orderLine(parts));
      tellAndKeep(serving::timesLine(times));
      tellAndKeep(toJsonLine(metric));
      updated();
    };
    all.evaluationDue = [this](std::int64_t step, const Snapshot& values) { evaluateLater(step, values); };
    all.ended = [this] {
      isOver_ = true;
      tellMembers();  // everybody's pushes, before the members are gone
    };
    all.checkDue = [this](const std::shared_ptr<const serving::Suspect>& suspect) { checkLater(suspect); };
    all.falseFound = [this](int worker, std::uint64_t closure) {
      tellAndKeep(serving::falsePushLine(worker, closure));
    };
    all.wantsToSend = [this](int connection) { server_.wantsToSend(connection); };
    return all;
  }

  void obey(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    int worker = -1;
    words >> what >> worker;
    if (what == "pause" || what == "resume") session_.pause(what == "pause", clock_.nowNs());
    if (what == "remove") session_.remove(worker, clock_.nowNs());
    if (what == "step") session_.step(clock_.nowNs());
    if (what == "state") keepState(true);
    double factor = 0;
    if (what == "slow" && words >> factor) session_.slow(worker, factor, clock_.nowNs());
    ++orders_;
    tellRest();
  }

  void tellAndKeep(const std::string& line) {
    parent_.tellText(line);
    keep(line);
  }

  void keep(const std::string& line) {
    if (journal_) journal_->add(line);
  }

  void beginJournal() {
    makeCheckpointFolder(checkpoints_);
    journal_.emplace(checkpoints_);
  }

  void resume() {
    const Checkpoint kept = readNewestCheckpoint(checkpoints_);
    training_.resume(kept);
    if (training_.coordinator().isOver()) session_.end();  // the class was stopped after its last update
    std::set<int> there;
    journal_.emplace(checkpoints_, stepOf(kept), [&](const std::string& line) {
      parent_.tellText(line);
      evaluatedAt_ = serving::evaluatedStep(line).value_or(evaluatedAt_);
      follow(line, there);
    });
    for (const int worker : there) tellAndKeep(serving::leftLine(worker));  // with the class that was lost
  }

  // Writes on another thread, at most two at once; a checkpoint that is due meanwhile is left out, to save memory.
  void checkpoint() {
    if (checkpointing_ > 1) return;
    ++checkpointing_;
    checkpointedAt_ = training_.updates();
    net::post(keeper_, [this, kept = training_.checkpoint()] {
      std::exception_ptr failure;
      try {
        if (tensorNotFinite(kept.tensors).empty()) writeCheckpoint(checkpoints_, stepOf(kept), kept);
      } catch (...) {
        failure = std::current_exception();
      }
      net::post(context_, [this, failure] {
        --checkpointing_;
        if (failure) fail(failure);
      });
    });
  }

  // If a requested file cannot be written, the class ends, as a run does.
  void fail(const std::exception_ptr& failure) {
    if (!failure_) failure_ = failure;
    session_.end();
  }

  void keepCheckpoint() try {
    journal_->flush();
    checkpoint();
  } catch (const UserError&) {
    fail(std::current_exception());
  }

  // After an update: keeps a state now and then.
  void updated() {
    if (journal_ && training_.updates() % checkpointEvery_ == 0) keepCheckpoint();
    if (states_.empty() || clock_.nowNs() - keptNs_ < std::max(kBetweenStatesNs, kStateShare * keepingNs_)) return;
    if (keeping_ == 0) keepState(false);
  }

  // Writes a state on another thread, and reports when it is available.
  void keepState(bool ordered) {
    if (states_.empty()) return;
    keptNs_ = clock_.nowNs();
    ++keeping_;
    net::post(keeper_, [this, ordered, state = session_.state()] {
      const std::int64_t beganNs = steadyNs();
      bool isThere = true;
      try {
        writeFileAtomically(states_ / recordFileName(state.step), serializeCheckpoint(serving::toCheckpoint(state)));
      } catch (...) {  // without the state, a recording only takes longer
        isThere = false;
      }
      net::post(context_, [this, ordered, isThere, step = state.step, tookNs = steadyNs() - beganNs] {
        --keeping_;
        keepingNs_ = tookNs;
        if (isThere || ordered) parent_.tell({{"state", step}, {"ordered", ordered}, {"there", isThere}});
      });
    });
  }

  // Reports once, after the orders that led to the rest, that nothing more will happen.
  void tellRest() {
    if (!training_.coordinator().isAtRest() || restedAfter_ == orders_) return;
    restedAfter_ = orders_;
    parent_.tell({{"rest", orders_}});
  }

  void tellMembers() {
    const std::int64_t ns = clock_.nowNs();
    toldMembersNs_ = ns;
    nlohmann::json all = nlohmann::json::array();
    for (const ClassMember& member : session_.members(ns)) all.push_back(serving::memberToJson(member));
    parent_.tell({{"members", all}});
  }

  void tick() {
    clock_.tick();
    session_.tick(clock_.nowNs());
    if (isOver_ && isThrough()) return finish();
    if (clock_.nowNs() - toldMembersNs_ >= kSecondNs) tellMembers();
    tellRest();
    tick_.expires_after(isOver_ || session_.isSlowed() ? kOftenTick : kTick);
    tick_.async_wait([this](const boost::system::error_code& error) {
      if (!error) tick();
    });
  }

  // Returns whether the class is over, all have been told, and the last evaluation is complete.
  bool isThrough() {
    if (!std::exchange(isEnding_, true)) {
      server_.stopListening();
      farewellUntil_ = std::chrono::steady_clock::now() + kFarewell;
      if (config_.evalEvery != 0 && training_.updates() > 0 && evaluatedAt_ != training_.updates())
        evaluateLater(training_.updates(), training_.variables().snapshot());
      const bool isKept = !journal_ || training_.updates() == 0 || checkpointedAt_ == training_.updates();
      if (!isKept && training_.coordinator().isBetweenSteps()) keepCheckpoint();
    }
    return pending_ == 0 && checkpointing_ == 0 &&
           (server_.open() == 0 || std::chrono::steady_clock::now() >= farewellUntil_);
  }

  // Evaluates on another thread, because this takes longer than a worker may be silent.
  void evaluateLater(std::int64_t step, const Snapshot& values) {
    evaluatedAt_ = step;
    ++pending_;
    const std::int64_t weights = training_.network().layout().size();
    net::post(evaluations_, [this, step, values, weights] {
      try {
        const EvalMetric metric = evaluate(*dataset_, values, step, config_, weights);
        net::post(context_, [this, metric] {
          --pending_;
          keepEvaluation(metric);
        });
      } catch (...) {
        failLater(std::current_exception());
      }
    });
  }

  // Flushed at once, because the checkpoint that needs the line may have been written already.
  void keepEvaluation(const EvalMetric& metric) try {
    tellAndKeep(toJsonLine(metric));
    if (journal_) journal_->flush();
  } catch (const UserError&) {
    fail(std::current_exception());
  }

  void checkLater(const std::shared_ptr<const serving::Suspect>& suspect) {
    ++pending_;
    net::post(checking_, [this, suspect] {
      try {
        const std::int64_t beganNs = steadyNs();
        const bool honest = checker_.isHonest(*suspect, training_.networkDescription());
        const std::int64_t tookNs = steadyNs() - beganNs;
        net::post(context_, [this, suspect, honest, tookNs] {
          --pending_;
          session_.checked(*suspect, honest, tookNs, clock_.nowNs());
        });
      } catch (...) {
        failLater(std::current_exception());
      }
    });
  }

  // For an evaluation or a check, on its thread: an exception that leaves a pool's thread would end the program at
  // once.
  void failLater(const std::exception_ptr& failure) {
    net::post(context_, [this, failure] {
      --pending_;
      fail(failure);
    });
  }

  void finish() {
    const Snapshot values = training_.variables().snapshot();
    const std::string_view bytes(reinterpret_cast<const char*>(values->data()), values->size() * sizeof(float));
    for (std::size_t at = 0; at < bytes.size(); at += kBytesPerPiece)
      parent_.tell({{"weights", textOfBytes(bytes.substr(at, kBytesPerPiece))}});
    parent_.tell({{"over", training_.updates()}});
    parent_.forget();
    context_.stop();
  }

  const ResolvedSettings config_;
  const std::shared_ptr<const Dataset> dataset_;
  const serving::Token token_;
  process::AwakeClock clock_{1'000'000'000};  // so a pause of this machine hardly counts
  net::io_context context_{1};
  bool isSecure_ = false;
  Parent parent_;
  ClassServer server_;
  const std::filesystem::path states_, checkpoints_;  // folders; empty: nothing is kept
  const std::int64_t checkpointEvery_;                // updates
  serving::ClassTraining training_;
  ClassSession session_;
  net::steady_timer tick_;
  std::chrono::steady_clock::time_point farewellUntil_;
  std::int64_t evaluatedAt_ = -1;
  int pending_ = 0;                      // evaluations and checks
  int keeping_ = 0, checkpointing_ = 0;  // states, checkpoints
  std::int64_t checkpointedAt_ = -1;
  std::optional<serving::ClassJournal> journal_;
  std::exception_ptr failure_;
  std::int64_t keptNs_ = 0, keepingNs_ = 0, toldMembersNs_ = 0;
  std::int64_t orders_ = 0, restedAfter_ = -1;
  bool isOver_ = false, isEnding_ = false;
  serving::SpotChecker checker_;
  net::thread_pool evaluations_{1}, checking_{1}, keeper_{1};  // last members: they use the others
};

}  // namespace

int serve(const nlohmann::json& order) {
  return Serving(order).run();
}

}  // namespace lab::classes
