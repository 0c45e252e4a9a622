// SPDX-License-Identifier: GPL-3.0-or-later
// A class that trains (core/serving), for a viewer that is not one of its workers: a thread starts strategylab-class,
// listens to it, and passes the teacher's orders on. The run ends with the last update, when it is stopped, or with the
// class's program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/classruns/watched_class.h"
#include "core/protocol/class_member.h"

namespace lab {

class ClassProgram;

// An event since the last call of takeNews(). Of those that nobody takes, the latest kMostNews are kept: the window
// takes none, and somebody may join and leave all day.
struct ClassNews {
  // Lost: its closure goes to another. Lied: a spot check has found a false push, which stays applied.
  enum class What { Joined, Left, Lost, Lied };
  What what = What::Joined;
  ClassMember who;  // as the member was then
};

class ClassRun final : public WatchedClass {
 public:
  static constexpr std::size_t kMostNews = 1000;
  struct Wishes {
    std::string listen = "127.0.0.1:0";
    int firstWorkers = 1;
    double deadlineSeconds = 5;
    std::string certificate, key;  // files; "": no encryption
    double checkShare = 0.02;      // of this machine's time, for spot checks of what workers push
    double stopSeconds = 60;       // of silence after stop(), until the class's program is ended
  };
  // Settings that a class does not have are left out (serving::classSettings). Throws a UserError at once for settings
  // that contradict each other, and if strategylab-class is missing; if the class cannot train, the run ends as Failed.
  explicit ClassRun(const RunSettings& config, const Wishes& wishes);
  ~ClassRun() override;
  ClassRun(const ClassRun&) = delete;
  ClassRun& operator=(const ClassRun&) = delete;

  // ---- The class. Any thread; no call waits for the class.
  std::string link() const;  // empty until the class listens
  std::vector<ClassMember> members() const;
  std::vector<ClassMember> latest() const;  // the present or latest owner of each number, in ascending order
  std::deque<ClassNews> takeNews();
  // Returns lines for the run file (class_order.h). An update's lines follow its metric, so that a file cut off in
  // mid-lesson has a loss for each update that it knows.
  std::vector<std::string> takeOrder();
  RunInfo fileInfo() const;  // the beginning of such a file, with the settings as requested
  void remove(int worker);
  void slow(int worker, double factor);  // makes the worker seem `factor` times slower; 1: normal
  void endClass() { stop(); }

  RunState state() const override;
  bool isAtRest() const override;
  Message failure() const override;
  std::shared_ptr<const RunInfo> info() const override;
  std::vector<Metric> takePast() override { return {}; }
  void pause() override;
  void resume() override;
  void stepOnce() override;
  void stop() override;
  void release() override {}
  void stopAndWait() override;
  Telemetry& telemetry() override { return telemetry_; }

 private:
  struct Listening;
  void listen(const std::stop_token& stop);
  nlohmann::json beginning(const std::string& states) const;  // the class's program's first line
  void take(const nlohmann::json& line, Listening& listening);
  void takeWorker(const nlohmann::json& line);
  void takeFalsePush(const nlohmann::json& line);
  void takeMembers(const nlohmann::json& line);
  [[noreturn]] void loseServer(int number, int code);
  ClassMember& memberOf(int worker);                           // with mutex_ held
  void addNews(ClassNews::What what, const ClassMember& who);  // with mutex_ held
  void takeMetric(const Metric& metric, Listening& listening);
  void takeState(std::int64_t step, bool isThere, Listening& listening);
  void passOrders(ClassProgram& program, bool mayRecord);
  void recordIfDue(Listening& listening);
  void describe(std::shared_ptr<const Dataset> dataset);  // with mutex_ held
  void orderState();                                      // with mutex_ held, if a record is wanted
  void finish(const Listening& listening);
  void end(RunState state, const Message& failure = {});
  void order(const std::string& line);  // with mutex_ held

  const Wishes wishes_;
  Telemetry telemetry_;
  mutable std::mutex mutex_;
  RunState state_ = RunState::Preparing;  // guarded by mutex_, as all below
  Message failure_;
  std::shared_ptr<const RunInfo> info_, firstInfo_;
  std::string link_;
  std::vector<ClassMember> members_;  // in order of arrival
  std::deque<ClassNews> news_;
  std::vector<std::string> order_;
  std::vector<std::string> orders_;  // not yet passed on
  bool paused_ = false;
  bool stateAwaited_ = false;                   // a state was ordered for a record
  std::int64_t ordered_ = 0, restsAfter_ = -1;  // number of orders: all, and those before it came to rest
  std::jthread thread_;                         // last member: joined before the others are destroyed
};

}  // namespace lab
