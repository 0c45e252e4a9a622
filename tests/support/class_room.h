// SPDX-License-Identifier: GPL-3.0-or-later
// A class without sockets: real workers and a server that speak frames, in an order that the test chooses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/classruns/class_record.h"
#include "core/options/resolve.h"
#include "core/protocol/class_order.h"
#include "core/protocol/class_worker.h"
#include "core/protocol/worker_replica.h"
#include "core/serving/class_session.h"
#include "core/serving/class_training.h"
#include "tests/support/training.h"

namespace lab::test {

inline const serving::Token kClassToken{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

// A class and its workers in one program. Frames are delivered at once; a worker computes when the test says so.
class ClassRoom {
 public:
  explicit ClassRoom(const Settings& settings, std::shared_ptr<const Dataset> data, int firstWorkers = 1,
                     const serving::ClassLimits& limits = {})
      : config(resolve(configOf(settings))),
        dataset(std::move(data)),
        training(config, dataset, firstWorkers, {}),
        session(training, kClassToken, limits, events()) {}

  int join(const serving::Token& token = kClassToken, const std::string& path = "") {
    const int connection = next_++;
    if (!session.opened(connection, ns)) return -1;
    workers[connection] = std::make_unique<serving::ClassWorker>(token, path, "");
    pump();
    return connection;
  }

  // Delivers frames until nobody has anything left to send. Workers in `mute` neither receive nor send.
  void pump() {
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& [connection, worker] : workers) {
        if (mute.contains(connection)) continue;
        while (const auto bytes = session.next(connection)) {
          worker->received(*bytes);
          moved = true;
        }
        if (answers && session.sent(connection) != has[connection])
          session.answered(connection, 0, has[connection] = session.sent(connection), ns);
        while (const auto bytes = worker->next()) {
          session.received(connection, *bytes, ns);
          moved = true;
        }
      }
    }
  }

  bool compute(int connection) {
    const auto job = workers.at(connection)->takeJob();
    if (!job) return false;
    if (!replica) replica = std::make_unique<serving::WorkerReplica>(workers.at(connection)->welcome()->network, 1);
    workers.at(connection)->finish(replica->compute(*job));
    pump();
    return true;
  }

  void leave(int connection) {
    session.closed(connection, ns);
    workers.erase(connection);
    mute.erase(connection);
    pump();
  }

  // Reports to `history` which workers join and leave, and every update.
  void tell(serving::ClassHistory& history) {
    history_ = &history;
    updated = [&history](const StepMetric& metric, const auto& parts, const auto& times) {
      history.add({metric, parts, times});
    };
  }

  // Sends this frame to the session as if the worker had sent it.
  void say(int connection, const serving::Frame& frame) {
    session.received(connection, encode(frame), ns);
    pump();
  }

  serving::ClassEvents events() {
    serving::ClassEvents all;
    all.joined = [this](const serving::ClassWorkerFacts& facts) {
      joined.push_back(facts);
      lines.push_back(serving::joinedLine(facts.worker, facts.name, facts.path));
      if (history_ != nullptr) history_->joined(facts.worker);
    };
    all.leaving = [](int) {};
    all.left = [this](int worker, std::optional<serving::Reason> reason) {
      left.push_back(reason);
      lines.push_back(serving::leftLine(worker));
      if (history_ != nullptr) history_->left(worker);
    };
    all.lost = [this](int worker) { lost.push_back(worker); };
    all.updated = [this](const StepMetric& metric, const std::vector<serving::ClassOrder::Part>& parts,
                         const serving::ClassTimes& times) {
      metrics.push_back(metric);
      lines.push_back(serving::orderLine(parts));
      lines.push_back(serving::timesLine(times));
      if (onUpdate) onUpdate();
      updated(metric, parts, times);
    };
    all.evaluationDue = [this](std::int64_t step, const serving::Snapshot&) { evaluations.push_back(step); };
    all.ended = [this] { ++ended; };
    all.wantsToSend = [](int) {};
    all.checkDue = [this](const std::shared_ptr<const serving::Suspect>& suspect) { suspects.push_back(suspect); };
    all.falseFound = [this](int worker, std::uint64_t closure) { falsePushes.emplace_back(worker, closure); };
    return all;
  }

  const ResolvedSettings config;
  const std::shared_ptr<const Dataset> dataset;
  std::int64_t ns = 0;
  std::vector<serving::ClassWorkerFacts> joined;
  std::vector<std::optional<serving::Reason>> left;
  std::vector<int> lost;
  std::vector<std::string> lines;  // lines of the run file
  std::vector<StepMetric> metrics;
  std::function<void(const StepMetric&, const std::vector<serving::ClassOrder::Part>&, const serving::ClassTimes&)>
      updated = [](const auto&...) {};
  std::vector<std::int64_t> evaluations;
  std::vector<std::shared_ptr<const serving::Suspect>> suspects;
  std::vector<std::pair<int, std::uint64_t>> falsePushes;
  int ended = 0;
  std::function<void()> onUpdate;
  serving::ClassTraining training;
  serving::ClassSession session;
  std::map<int, std::unique_ptr<serving::ClassWorker>> workers;
  std::set<int> mute;
  bool answers = true;  // whether workers answer pings
  std::map<int, std::uint64_t> has;
  std::unique_ptr<serving::WorkerReplica> replica;

 private:
  serving::ClassHistory* history_ = nullptr;
  int next_ = 0;
};

}  // namespace lab::test
