// SPDX-License-Identifier: GPL-3.0-or-later
// Four runs side by side, in Live: frames of their stages, memory, and how long all take to go back.
#include <QEvent>

#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/strategy/strategy.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/stage/stage.h"
#include "window_bench.h"

namespace lab::bench {
namespace {

// Frames of a stage while the movie moves: a paint, or a tick of the movie that needs no paint because the picture
// stays the same (as PaintWatch counts them). While the movie waits for another lane or a record, it stands still.
class Paints final : public QObject {
 public:
  Paints(Stage& stage, Playback& playback) : playback_(playback) {
    stage.installEventFilter(this);
    connect(&playback, &Playback::changed, this, [this, &stage] {
      if (stage.scene().items == items_) {
        ++unchanged;
        return shown();
      }
      items_ = stage.scene().items;
    });
    since_.start();
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.start(4);
    connect(&timer_, &QTimer::timeout, this, [this] {
      stood_ = stood_ || playback_.isWaitingForFollowers() || playback_.wantedStep() != playback_.step();
    });
  }
  std::vector<double> intervalsMs;
  std::vector<double> processorMs;  // of the window's thread, from one frame to the next
  double stoodMs = 0;
  std::int64_t unchanged = 0;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) shown();
    return false;
  }

 private:
  void shown() {
    const double ms = static_cast<double>(since_.nsecsElapsed()) * 1e-6;
    since_.restart();
    const double seconds = threadSeconds(), spentMs = 1000 * (seconds - std::exchange(spentS_, seconds));
    if (stood_) {
      stoodMs += ms;
    } else {
      intervalsMs.push_back(ms);
      processorMs.push_back(spentMs);
    }
    stood_ = false;
  }

  std::vector<Item> items_;  // of the last frame
  Playback& playback_;
  QTimer timer_;
  QElapsedTimer since_;
  double spentS_ = threadSeconds();
  bool stood_ = false;
};

// Four lanes of eight replicas. Small steps, so that there are many.
void beginLanes(Desk& desk, const Options& options) {
  RunSettings config = largeRun(options);
  config.globalBatch = 8 * 4;
  config.batchPerReplica.reset();
  desk.begin(config);
  desk.window.workspaces().choose(WindowLayout::Compare);
  CompareView& view = *desk.window.centre().comparison();
  for (const StrategyKind kind : {StrategyKind::CentralStorage, StrategyKind::ParameterServer, StrategyKind::Tpu})
    view.compareWith(strategyInfo(kind));
  waitUntil("the lanes", [&] { return view.lanes().lockstep().isInStep() && desk.playback.record(); });
}

void waitForRest(Desk& desk) {
  CompareView& view = *desk.window.centre().comparison();
  waitUntil("all lanes", [&] { return !desk.playback.isMoving() && view.lanes().lockstep().isInStep(); });
}

}  // namespace

void measureLanes(const Options& options) {
  Desk desk(options, WindowLayout::Teach);
  beginLanes(desk, options);
  CompareView& view = *desk.window.centre().comparison();
  report("9 memory with four lanes, before they train", residentMb(), "MB");
  desk.playback.setMode(Playback::Mode::Live);
  desk.playback.play();
  waitFor(4);
  const double seconds = 20 * options.seconds;
  {
    Paints paints(view.laneView(0).stage(), desk.playback);
    Watchdog watchdog;
    const std::int64_t steps = desk.controller.liveStep();
    waitFor(seconds);
    report("9 four lanes of 8 replicas in Live: frame interval, median", medianOf(paints.intervalsMs), "ms");
    report("9 frame interval, 99th percentile", quantileOf(paints.intervalsMs, 0.99), "ms", Bound::AtMost, 33);
    report("9 frame interval, longest", quantileOf(paints.intervalsMs, 1), "ms");
    report("9 the window's processor time a frame, median", medianOf(paints.processorMs), "ms");
    report("9 processor time a frame, 99th percentile", quantileOf(paints.processorMs, 0.99), "ms");
    report("9 processor time a frame, longest", quantileOf(paints.processorMs, 1), "ms");
    report("9 frames whose picture stays the same", static_cast<double>(paints.unchanged), "");
    report("9 the movie stood still, of all time", 100 * paints.stoodMs / (1000 * seconds), "%");
    report("9 the event loop's lateness, 99th percentile", watchdog.quantileMs(0.99), "ms");
    report("9 longest block of the event loop", watchdog.worstMs(), "ms", Bound::AtMost, 100);
    report("9 the machine's own longest lateness meanwhile", watchdog.machineWorstMs(), "ms");
    report("9 steps trained by each", static_cast<double>(desk.controller.liveStep() - steps), "");
  }
  report("9 memory in Live", residentMb(), "MB", Bound::AtMost, 700);
}

// After 10,000 steps, or with --longer 0.1 after 1000.
void measureLanesBack(const Options& options) {
  const std::int64_t last = options.seconds >= 1 ? 10'000 : 1000;
  Desk desk(options, WindowLayout::Teach);
  beginLanes(desk, options);
  desk.playback.setMode(Playback::Mode::Express);  // the longest strides
  desk.playback.play();
  waitUntil("steps", [&] { return desk.playback.step() >= last; });
  desk.playback.pause();
  waitForRest(desk);
  waitFor(1);
  report("10 memory of four lanes after so many steps: " + std::to_string(desk.playback.step()), residentMb(), "MB",
         Bound::AtMost, 700);
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int64_t> any(30, last - 20);
  std::vector<double> ms, processorMs;
  for (int i = 0; i < 20; ++i) {
    QElapsedTimer since;
    since.start();
    const double spentS = processSeconds();
    desk.playback.seek(any(random), 0);
    waitForRest(desk);
    ms.push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
    processorMs.push_back(1000 * (processSeconds() - spentS));
  }
  report("10 processor time of all threads for that, median", medianOf(processorMs), "ms");
  report("10 processor time, longest", quantileOf(processorMs, 1), "ms");
  report("10 all lanes back to any step, median", medianOf(ms), "ms");
  report("10 all lanes back to any step, longest", quantileOf(ms, 1), "ms", Bound::AtMost, 500);
  ms.clear();
  for (int i = 0; i < 20; ++i) {
    QElapsedTimer since;
    since.start();
    desk.playback.seek(desk.playback.step() - 1, 0);
    waitForRest(desk);
    ms.push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
  }
  report("10 from there one step back after the other, median", medianOf(ms), "ms");
  report("10 the longest of these", quantileOf(ms, 1), "ms", Bound::AtMost, 500);
  report("10 memory after that", residentMb(), "MB", Bound::AtMost, 700);
}

}  // namespace lab::bench
