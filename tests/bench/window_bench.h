// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's figures are taken with: a window as the program makes it, a watchdog over its event loop, a count
// of the stage's paints, and the line that a figure is printed on.
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
  double seconds = 1;       // times the usual length of what is watched for a while
  std::int64_t rounds = 3;  // of the runs whose speeds are compared
  std::string program;      // this one, to be started anew
  std::vector<int> only;    // these figures; empty: all
};

enum class Bound { AtMost, AtLeast, None };

// One line: what, how much, and whether that is what it should be.
void report(const std::string& name, double value, const char* unit, Bound bound = Bound::None, double threshold = 0);
void remark(const std::string& sentence);

double medianOf(std::vector<double> values);
double quantileOf(std::vector<double> values, double part);

double processSeconds();  // processor time of all threads
double threadSeconds();   // of the calling one
double residentMb();      // of this process now
double peakMb();          // and at its most
std::string machineLoad();

// Runs the event loop. Throws where it takes longer than only a hang does.
void waitUntil(const std::string& what, const std::function<bool()>& done, int patienceMs = 600'000);
void waitFor(double seconds);

// The event loop's lateness, by a timer of 10 ms in it; and, on a thread that does nothing but sleep for as long, the
// lateness that the machine itself has and that no program can help.
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

// A window with its controller, shown, with nothing begun yet.
struct Desk {
  explicit Desk(const Options& options, WindowLayout layout = WindowLayout::Teach, bool shown = true);

  void begin(const RunSettings& config, const std::function<void()>& beforeShown =
                                            {});  // waits for the first step's picture; shows the window if need be
  void seekTo(std::int64_t step);                 // returns when it is painted

  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();
};

// Frames of the stage, and how long after the one before, while the movie moves. A frame is a paint, or a tick of the
// movie at which the picture stays the same: that needs none.
class PaintWatch final : public QObject {
 public:
  explicit PaintWatch(Desk& desk);

  std::int64_t paints() const { return paints_; }
  std::int64_t paintedStep() const { return paintedStep_; }  // 0: none since the start of the present run
  const std::vector<double>& intervalsMs() const { return intervalsMs_; }
  double standstillMs() const { return standstillMs_; }  // the movie had come to its end and waited for a record
  void forget();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void shown();

  Desk& desk_;
  QElapsedTimer since_;
  std::vector<Item> items_;  // of the last frame
  bool moved_ = false;       // at the last paint the movie was on its way
  std::int64_t paints_ = 0, paintedStep_ = 0;
  std::vector<double> intervalsMs_;
  double standstillMs_ = 0;
};

void watchLive(Desk& desk, double seconds, const std::string& in);  // frames and the event loop, reported

RunSettings teachingRun(const Options& options);                               // as the program starts
RunSettings largeRun(const Options& options, std::int64_t steps = 1'000'000);  // 8 simulated replicas, 64 examples each

void measureFirstPaint(const Options& options);
int paintOnce(const Options& options);  // what the program started anew does
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
