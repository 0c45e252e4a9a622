// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/watched.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/cli/cli.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/files/metric_json.h"
#include "core/files/recorder.h"
#include "core/launching/run_stream.h"
#include "core/process/failure_json.h"
#include "core/process/peers.h"
#include "core/trace/telemetry.h"
#include "core/training/checkpoint.h"
#include "core/training/process_role.h"
#include "core/training/trainer.h"

namespace lab::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kRest = 50ms;        // between two rounds in which all agree to rest
constexpr auto kOthersRest = 40ms;  // for processes without orders, which keep sleeping
constexpr auto kShortRest = 2ms;    // at first, for a user who takes step after step
constexpr int kShortRounds = 20;
constexpr auto kPulse = 1s;
constexpr auto kBetweenPrints = 15ms;  // mpirun passes on about a hundred pieces a second

// The window's orders on standard input: "step 12", a word and the number of the order.
class Orders {
 public:
  void take(const std::string& word, std::int64_t number) {
    const std::lock_guard lock(mutex_);
    if (word == "go") goes_ = true;
    if (word == "pause" || word == "step") goes_ = false;
    if (word == "pause") steps_ = 0;
    if (word == "step") ++steps_;
    if (word == "record") record_ = true;
    if (word == "stop") stops_ = true;
    number_ = number;
    changed_.notify_all();
  }

  // Rests for a moment if there is nothing to do, and then returns the number of the order before the rest.
  Next next(std::int64_t& restsAfter) {
    std::unique_lock lock(mutex_);
    if (!stops_ && !goes_ && steps_ == 0) {
      const bool told = std::exchange(told_, number_) == number_;
      if (!told) {
        restsAfter = number_;
        return Next::Rest;
      }
      changed_.wait_for(lock, kRest, [this] { return stops_ || goes_ || steps_ > 0 || number_ != told_; });
    }
    if (stops_ || interrupted()) return Next::Stop;
    if (!goes_ && steps_ == 0) return Next::Rest;
    if (!goes_) --steps_;
    told_ = -1;
    return Next::Step;
  }

  bool takeRecord() {
    const std::lock_guard lock(mutex_);
    return std::exchange(record_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool goes_ = false, record_ = false, stops_ = false;  // guarded by mutex_, as are all here
  std::int64_t steps_ = 0, number_ = 0, told_ = -1;
};

// This thread cannot be woken while it waits for a line, so it is detached and shares ownership of the orders.
void readOrders(const std::shared_ptr<Orders>& orders) {
  std::thread([orders] {
    std::array<char, 128> line{};
    while (std::fgets(line.data(), line.size(), stdin) != nullptr) {
      const std::string text(line.data());
      const std::size_t space = text.find(' ');
      if (space != std::string::npos) orders->take(text.substr(0, space), std::atoll(text.c_str() + space + 1));
    }
    orders->take("stop", -1);  // nobody is watching any more
  }).detach();
}

// Reports that this process is alive, however long a step takes.
class Pulse {
 public:
  explicit Pulse(bool wanted) {
    if (wanted) thread_ = std::jthread([this](const std::stop_token& stop) { beat(stop); });
  }

 private:
  void beat(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, stop, kPulse, [] { return false; }) && !stop.stop_requested()) try {
        print("{\"alive\":true}\n");
      } catch (const UserError&) {
        return;  // nobody is listening: the trainer's thread reports it
      }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

// Writes metrics in few pieces; urgent lines are sent together with them.
class Teller {
 public:
  explicit Teller(std::string folder) : folder_(std::move(folder)) {}

  void tell(const std::vector<Metric>& metrics, const std::shared_ptr<const StepRecord>& record) {
    if (record) tellRecord(*record);  // before its metric
    for (const Metric& metric : metrics) lines_ += toJsonLine(metric) + "\n";
    if (record || std::chrono::steady_clock::now() - printedAt_ > kBetweenPrints) flush();
  }
  void line(const nlohmann::json& object) { lines_ += object.dump() + "\n"; }
  // A run that has diverged writes no checkpoint.
  void tellCheckpoint(const std::string& folder, std::int64_t step) {
    std::error_code ignored;
    if (!folder.empty() && std::filesystem::exists(checkpointPath(folder, step), ignored)) line({{"checkpoint", step}});
  }
  void flush() {
    if (!lines_.empty()) print(lines_);
    lines_.clear();
    printedAt_ = std::chrono::steady_clock::now();
  }

 private:
  void tellRecord(const StepRecord& record) {
    const std::string bytes = bytesOf(record);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(folder_) / kFolderMark, ignored)) {
      const std::filesystem::path file = std::filesystem::path(folder_) / recordFileName(record.metric.step);
      errno = 0;
      std::ofstream out(file, std::ios::binary);
      out << bytes;
      if (!out.flush()) throw UserError(UserError::Kind::Run, say::cannotWrite, file, lastSystemError());
    } else {
      for (std::size_t at = 0; at < bytes.size(); at += kBytesPerPiece)
        line({{"piece", textOfBytes(std::string_view(bytes).substr(at, kBytesPerPiece))}});
    }
    line({{"record", record.metric.step}});
  }

  std::string folder_, lines_;
  std::chrono::steady_clock::time_point printedAt_{};
};

// Removes checkpoints that nobody requested, at the end, on a host where the window does not do so.
void removeUnasked(const std::filesystem::path& checkpoints, const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::exists(folder / kFolderMark, ignored) || checkpoints != folder / "checkpoints") return;
  std::filesystem::remove_all(checkpoints, ignored);
  std::filesystem::remove(folder, ignored);  // fails unless it is empty
}

bool watched = false;

}  // namespace

void beginWatched() {
  watched = true;
}
bool isWatched() {
  return watched;
}

void sayFailure(const Message& message) {
  say(failureLine(message));
}

int trainWatched(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, const std::string& folder,
                 bool tells) {
  Telemetry telemetry;
  Trainer trainer(config, std::move(dataset), telemetry);
  Recorder recorder(trainer.info(), telemetry, STRATEGYLAB_VERSION);
  const auto orders = std::make_shared<Orders>();
  const Pulse pulse(tells);
  Teller teller(folder);
  if (tells) {
    print(aboutLine(trainer.info()) + "\n");
    readOrders(orders);
  }
  const RunInfo& info = trainer.info();
  const std::int64_t every = info.checkpointEvery();
  bool stopped = false;
  for (int rests = 0; !trainer.finished();) {
    std::int64_t restsAfter = -1;
    const Next wish = tells ? orders->next(restsAfter) : interrupted() ? Next::Stop : Next::Step;
    // Resting does not count as computation, however long it lasts, because other processes are judged by that.
    if (const auto peers = process::peers()) peers->enter(process::Doing::Begin, trainer.stepsDone() + 1);
    const Next next = agreedNext(config, wish);
    if (const auto peers = process::peers()) peers->leave();
    if ((stopped = next == Next::Stop)) break;
    if (next == Next::Rest) {
      ++rests;
      if (restsAfter >= 0) {
        teller.line({{"rest", restsAfter}, {"step", trainer.stepsDone()}});
        teller.flush();
      }
      if (!tells) std::this_thread::sleep_for(rests > kShortRounds ? kOthersRest : kShortRest);
      continue;
    }
    rests = 0;
    // Live goes on to the last step when the run has ended, and then nobody can compute that step again.
    const bool isLast = trainer.stepsDone() + 1 == info.totalSteps;
    if (orders->takeRecord() || (tells && isLast)) telemetry.requestRecord();
    trainer.step();
    const std::vector<Metric> metrics = recorder.drain();
    if (!tells) continue;
    if (trainer.stepsDone() % every == 0) teller.tellCheckpoint(info.config.checkpointDir, trainer.stepsDone());
    teller.tell(metrics, telemetry.takeRecord());
  }
  const auto tellLast = [&] {
    const std::vector<Metric> last = recorder.finish();
    if (!tells) return;
    teller.tellCheckpoint(info.config.checkpointDir, trainer.stepsDone());
    teller.tell(last, telemetry.takeRecord());
    teller.flush();
  };
  try {
    trainer.finish();
  } catch (const UserError&) {
    tellLast();  // what was recorded is intact all the same
    throw;
  }
  tellLast();
  if (tells && !stopped) removeUnasked(info.config.checkpointDir, folder);
  process::setPeers(nullptr);
  return stopped ? kInterrupted : 0;
}

}  // namespace lab::cli
