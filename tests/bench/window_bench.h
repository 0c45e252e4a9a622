// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that measure the window's figures: a window as the program makes it, a watchdog over its event loop, a
// count of the stage's paints, and the line that reports a figure.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <QTimer>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "ui/runview/run_controller.h"
#include "ui/scene/scene.h"
#include "ui/window/main_window.h"

namespace lab::bench {

struct Options {
  std::string dataDir;      // "": the built-in digits
  QSize size{1920, 1080};   // of the window
  double seconds = 1;       // factor on the usual length of watching
  std::int64_t rounds = 3;  // rounds of the runs whose speeds are compared
  std::string program;      // this program, to be started again
  std::vector<int> only;    // only these figures; empty: all
};

enum class Bound { AtMost, AtLeast, None };

// Prints one line: what was measured, its value, and whether it meets its bound.
void report(const std::string& name, double value, const char* unit, Bound bound = Bound::None, double threshold = 0);
void remark(const std::string& sentence);

double medianOf(std::vector<double> values);
double quantileOf(std::vector<double> values, double part);

double processSeconds();  // processor time of all threads
double threadSeconds();   // of the calling thread
double residentMb();      // of this process now
double peakMb();          // at its peak
std::string machineLoad();

// Runs the event loop until `done`. Throws if this takes so long that only a hang explains it.
void waitUntil(const std::string& what, const std::function<bool()>& done, int patienceMs = 600'000);
void waitFor(double seconds);

// The lateness of the event loop, by a timer of 10 ms in it; and, by a thread that only sleeps for as long, the
// machine's own lateness, which no program can avoid.
class Watchdog {
 public:
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  double worstMs() const;
  double quantileMs(double part) const { return quantileOf(lateMs_, part); }
  double machineWorstMs() const { return static_cast<double>(machineWorstNs_.load()) * 1e-6; }

 private:
  void tick();

  QTimer timer_;
  QElapsedTimer since_;
  std::vector<double> lateMs_;
  std::atomic<std::int64_t> machineWorstNs_{0};
  std::jthread sleeper_;
};

// A visible window with its controller, before anything has begun.
struct Desk {
  explicit Desk(const Options& options, WindowLayout layout = WindowLayout::Teach, bool shown = true);

  void begin(const RunSettings& config, const std::function<void()>& beforeShown =
                                            {});  // waits for the first step's picture; shows the window if need be
  void seekTo(std::int64_t step);                 // returns when the step is painted

  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();
};

// Counts the stage's frames, and the time since the one before, while the movie moves. A frame is a paint, or a tick of
// the movie that needs no paint because the picture stays the same.
class PaintWatch final : public QObject {
 public:
  explicit PaintWatch(Desk& desk);

  std::int64_t paints() const { return paints_; }
  std::int64_t paintedStep() const { return paintedStep_; }  // 0: no paint since the start of the present run
  const std::vector<double>& intervalsMs() const { return intervalsMs_; }
  double standstillMs() const { return standstillMs_; }  // the movie at its end waited for a record
  void forget();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void shown();

  Desk& desk_;
  QElapsedTimer since_;
  std::vector<Item> items_;  // of the last frame
  bool moved_ = false;       // the movie was moving at the last paint
  std::int64_t paints_ = 0, paintedStep_ = 0;
  std::vector<double> intervalsMs_;
  double standstillMs_ = 0;
};

void watchLive(Desk& desk, double seconds, const std::string& in);  // reports frames and the event loop

RunSettings teachingRun(const Options& options);                               // the run that the program starts with
RunSettings largeRun(const Options& options, std::int64_t steps = 1'000'000);  // 8 simulated replicas, 64 examples each

void measureFirstPaint(const Options& options);
int paintOnce(const Options& options);  // run by the program when it is started again
void measureLive(const Options& options);
void measureSlowdown(const Options& options);
void measureIdle(const Options& options);
void measureMemory(const Options& options);
void measureSteppingBack(const Options& options);
void measureSwitches(const Options& options);
void measureCharts(const Options& options);
void measureLanes(const Options& options);
void measureLanesBack(const Options& options);
void measureMovies(const Options& options);
void measureClass(const Options& options);

}  // namespace lab::bench
