// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_bench.h"

#include <QEvent>
#include <QEventLoop>
#include <QFile>

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "core/launching/watched_run.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"

namespace lab::bench {
namespace {

constexpr std::chrono::milliseconds kWatchdogInterval(10);

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Megabytes from a line "VmRSS:  123 kB" of the kernel's status file; 0 if there is no such line.
double statusMb(const QByteArray& key) {
  QFile file(QStringLiteral("/proc/self/status"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (line.startsWith(key)) return line.mid(key.size()).simplified().split(' ').first().toDouble() / 1000 * 1.024;
  return 0;
}

}  // namespace

void report(const std::string& name, double value, const char* unit, Bound bound, double threshold) {
  const bool ok = bound == Bound::AtMost ? value <= threshold : value >= threshold;
  if (bound == Bound::None) {
    std::printf("  %-66s %9.2f %-9s\n", name.c_str(), value, unit);
  } else {
    std::printf("  %-66s %9.2f %-9s %s %6g  %s\n", name.c_str(), value, unit,
                bound == Bound::AtMost ? "<=" : ">=", threshold, ok ? "ok" : "over");
  }
  std::fflush(stdout);
}

void remark(const std::string& sentence) {
  std::printf("%s\n", sentence.c_str());
  std::fflush(stdout);
}

double quantileOf(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

double medianOf(std::vector<double> values) {
  return quantileOf(std::move(values), 0.5);
}

double processSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double residentMb() {
  return statusMb("VmRSS:");
}
double peakMb() {
  return statusMb("VmHWM:");
}

std::string machineLoad() {
  QFile file(QStringLiteral("/proc/loadavg"));
  if (!file.open(QIODevice::ReadOnly)) return "unknown";
  return file.readAll().split(' ').first().toStdString();
}

void waitUntil(const std::string& what, const std::function<bool()>& done, int patienceMs) {
  QElapsedTimer since;
  since.start();
  QEventLoop loop;
  QTimer poll;
  poll.setTimerType(Qt::PreciseTimer);
  QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
    if (done() || since.elapsed() > patienceMs) loop.quit();
  });
  poll.start(1);
  if (!done()) loop.exec();
  if (!done()) throw std::runtime_error(what + " takes longer than " + std::to_string(patienceMs / 1000) + " s");
}

void waitFor(double seconds) {
  QEventLoop loop;
  QTimer::singleShot(std::chrono::milliseconds(std::llround(1000 * seconds)), Qt::PreciseTimer, &loop,
                     &QEventLoop::quit);
  loop.exec();
}

// ---- Watchdog

Watchdog::Watchdog() {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kWatchdogInterval);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { tick(); });
  timer_.start();
  since_.start();
  sleeper_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto began = std::chrono::steady_clock::now();
      std::this_thread::sleep_for(kWatchdogInterval);
      const std::int64_t late = (std::chrono::steady_clock::now() - began - kWatchdogInterval).count();
      if (late > machineWorstNs_) machineWorstNs_ = late;
    }
  });
}

Watchdog::~Watchdog() = default;

void Watchdog::tick() {
  const double ms = static_cast<double>(since_.nsecsElapsed()) * 1e-6;
  since_.restart();
  lateMs_.push_back(std::max(0.0, ms - static_cast<double>(kWatchdogInterval.count())));
}

// A delay that still lasts counts too.
double Watchdog::worstMs() const {
  const double now = static_cast<double>(since_.nsecsElapsed()) * 1e-6 - static_cast<double>(kWatchdogInterval.count());
  return std::max(now, quantileOf(lateMs_, 1));
}

// ---- Desk

Desk::Desk(const Options& options, WindowLayout layout, bool shown) {
  window.resize(options.size);
  window.workspaces().choose(layout);
  window.setVisible(shown);
}

void Desk::begin(const RunSettings& config, const std::function<void()>& beforeShown) {
  PaintWatch watch(*this);
  window.experiment().begin(config);
  if (beforeShown) beforeShown();
  window.show();
  waitUntil("the first picture", [&] { return watch.paintedStep() > 0 || controller.isOver(); });
  if (controller.state() == RunState::Failed) throw std::runtime_error(controller.failure().toStdString());
}

void Desk::seekTo(std::int64_t step) {
  PaintWatch watch(*this);
  playback.seek(step, 0);
  waitUntil("step " + std::to_string(step), [&] { return watch.paintedStep() == step; });
}

// ---- PaintWatch

PaintWatch::PaintWatch(Desk& desk) : desk_(desk) {
  desk_.window.stage().installEventFilter(this);
  connect(&desk_.controller, &RunController::started, this, [this] { paintedStep_ = 0; });
  connect(&desk_.playback, &Playback::changed, this, [this] {
    const std::vector<Item>& items = desk_.window.stage().scene().items;
    if (items == items_) return shown();
    items_ = items;
  });
}

void PaintWatch::forget() {
  paints_ = 0;
  standstillMs_ = 0;
  intervalsMs_.clear();
  since_.invalidate();
}

bool PaintWatch::eventFilter(QObject*, QEvent* event) {
  if (event->type() != QEvent::Paint) return false;
  shown();
  ++paints_;
  // Called when the paint and everything that belongs to it are done.
  const std::int64_t step = desk_.playback.step();
  if (step > 0) QTimer::singleShot(0, this, [this, step] { paintedStep_ = step; });
  return false;
}

void PaintWatch::shown() {
  if (since_.isValid()) {
    const double ms = static_cast<double>(since_.nsecsElapsed()) * 1e-6;
    if (moved_) {
      intervalsMs_.push_back(ms);
    } else {
      standstillMs_ += ms;
    }
  }
  since_.start();
  const Playback& playback = desk_.playback;
  moved_ = playback.isMoving() && playback.seconds() < playback.story().seconds;
}

// ---- Runs

RunSettings teachingRun(const Options& options) {
  RunSettings config = teachingConfig();
  config.dataDir = options.dataDir;
  return config;
}

RunSettings largeRun(const Options& options, std::int64_t steps) {
  RunSettings config;
  config.strategy = StrategyKind::Mirrored;
  config.replicas = 8;
  config.batchPerReplica = 64;
  config.devices = DeviceChoice::Simulated;
  config.dataDir = options.dataDir;
  config.steps = steps;
  config.evalEvery = 0;
  return config;
}

}  // namespace lab::bench
