// SPDX-License-Identifier: GPL-3.0-or-later
// How promptly the window answers: the first paint, frames while training runs at full speed, steps that are gone back
// to, and the change to another strategy.
#include <QApplication>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "core/config/run_settings.h"
#include "core/data/dataset.h"
#include "core/device/device_clock.h"
#include "core/options/config_field.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "window_bench.h"

namespace lab::bench {

// ---- First paint: from before the program is started to after its first step is on the stage

int paintOnce(const Options& options) {
  // As the program: the digits are unpacked meanwhile, and the run begins before the window has its style sheet and is
  // shown.
  const std::jthread digits([] { (void)embeddedDigits(); });
  theme::applyColours(*qApp);
  Desk desk(options, WindowLayout::Teach, false);
  desk.begin(teachingRun(options), [] { theme::apply(*qApp); });
  std::printf("%lld\n", static_cast<long long>(steadyNs()));
  return 0;
}

void measureFirstPaint(const Options& options) {
  constexpr int kTimes = 5;
  std::vector<double> ms;
  QStringList arguments{QStringLiteral("--paint-once"), QStringLiteral("--size"),
                        QStringLiteral("%1x%2").arg(options.size.width()).arg(options.size.height())};
  if (!options.dataDir.empty()) arguments << QStringLiteral("--data-dir") << QString::fromStdString(options.dataDir);
  for (int i = 0; i < kTimes; ++i) {
    QProcess child;
    const std::int64_t began = steadyNs();
    child.start(QString::fromStdString(options.program), arguments);
    if (!child.waitForFinished() || child.exitCode() != 0)
      throw std::runtime_error("the program started anew has failed: " + child.readAllStandardError().toStdString());
    ms.push_back(static_cast<double>(child.readAllStandardOutput().trimmed().toLongLong() - began) * 1e-6);
  }
  report("1 first paint of a step, from the program's start (median of 5)", medianOf(ms), "ms", Bound::AtMost, 150);
  report("1   the slowest of them", quantileOf(ms, 1), "ms");
}

// ---- Live, while 4 and 8 replicas train

void watchLive(Desk& desk, double seconds, const std::string& in) {
  PaintWatch paints(desk);
  Watchdog watchdog;
  const std::int64_t steps = desk.controller.liveStep();
  const double cpu = threadSeconds();
  waitFor(seconds);
  const double share = 100 * (threadSeconds() - cpu) / seconds;
  report(in + "frames a second, by the median interval", 1000 / std::max(medianOf(paints.intervalsMs()), 1e-3), "fps",
         Bound::AtLeast, 55);
  report(in + "frame interval, 99th percentile", quantileOf(paints.intervalsMs(), 0.99), "ms", Bound::AtMost, 33);
  report(in + "frame interval, longest", quantileOf(paints.intervalsMs(), 1), "ms");
  report(in + "longest block of the event loop", watchdog.worstMs(), "ms", Bound::AtMost, 100);
  report(in + "its lateness, 99th percentile", watchdog.quantileMs(0.99), "ms");
  report(in + "the machine's own longest lateness meanwhile", watchdog.machineWorstMs(), "ms");
  report(in + "paints", static_cast<double>(paints.paints()), "");
  report(in + "the movie stood still for want of a record", paints.standstillMs(), "ms");
  report(in + "processor time of the window's thread", share, "% of one");
  report(in + "steps trained", static_cast<double>(desk.controller.liveStep() - steps), "");
}

void measureLive(const Options& options) {
  for (const auto& [layout, name, replicas] :
       {std::tuple{WindowLayout::Teach, "Teach, 4 replicas", 4}, std::tuple{WindowLayout::Teach, "Teach", 8},
        std::tuple{WindowLayout::Explore, "Explore", 8}}) {
    Desk desk(options, layout);
    RunSettings config = largeRun(options);
    config.replicas = replicas;
    desk.begin(config);
    desk.playback.setMode(Playback::Mode::Live);
    desk.playback.play();
    waitFor(2);
    watchLive(desk, 10 * options.seconds, std::string("2 Live in ") + name + ": ");
  }
}

// ---- Stepping back

namespace {

void reportSteps(const std::string& name, const std::vector<double>& ms, double threshold) {
  report(name + ", median", medianOf(ms), "ms");
  report(name + ", longest", quantileOf(ms, 1), "ms", Bound::AtMost, threshold);
}

void measureSteppingBackIn(const Options& options, const RunSettings& config, const std::string& name) {
  constexpr std::int64_t kRecent = 8;
  constexpr int kOlder = 20;
  Desk desk(options);
  desk.begin(config);
  const std::int64_t last = *config.steps;
  desk.playback.setReducedMotion(true);
  desk.playback.setMode(Playback::Mode::Play);
  desk.controller.requestStep(last - kRecent);
  waitUntil("training", [&] { return desk.controller.liveStep() >= last - kRecent; });
  desk.seekTo(last - kRecent);
  // The last ones as in front of a class: one by one.
  for (std::int64_t step = last - kRecent + 1; step <= last; ++step) {
    desk.playback.stepForward(Playback::Unit::Step);
    waitUntil("a step forward", [&] { return desk.playback.step() == step && !desk.playback.isMoving(); });
  }

  const auto msTo = [&](std::int64_t step) {
    QElapsedTimer since;
    since.start();
    desk.seekTo(step);
    return static_cast<double>(since.nsecsElapsed()) * 1e-6;
  };
  std::vector<double> recent, older;
  Watchdog watchdog;
  for (std::int64_t step = last - 1; step > last - kRecent; --step) recent.push_back(msTo(step));
  recent.push_back(msTo(last));
  reportSteps("6 " + name + ": to one of the last 8 steps", recent, 100);
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int64_t> any(1, last - kRecent);
  std::int64_t slowest = 0;
  for (int i = 0; i < kOlder; ++i) {
    const std::int64_t step = any(random);
    older.push_back(msTo(step));
    if (older.back() >= quantileOf(older, 1)) slowest = step;
  }
  reportSteps("6 " + name + ": to any of 1,000 steps", older, 300);
  report("6 " + name + ": the step that took longest", static_cast<double>(slowest), "");
  report("6 " + name + ": longest block of the event loop", watchdog.worstMs(), "ms", Bound::AtMost, 100);
}

}  // namespace

void measureSteppingBack(const Options& options) {
  constexpr std::int64_t kSteps = 1000;
  RunSettings teaching = teachingRun(options);
  teaching.steps = kSteps;
  measureSteppingBackIn(options, teaching, "Teach, 8 examples a step");
  measureSteppingBackIn(options, largeRun(options, kSteps), "8 replicas of 64");
}

// ---- Another strategy

void measureSwitches(const Options& options) {
  constexpr int kTimes = 5;
  Desk desk(options);
  desk.begin(teachingRun(options));
  const std::vector<std::string> keys = configField("strategy").choices;
  std::vector<std::vector<double>> ms(keys.size());
  Watchdog watchdog;
  for (int time = 0; time < kTimes; ++time) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const StrategyKind before = desk.window.experiment().resolved().strategy;
      if (strategyKey(before) == keys[i]) continue;
      waitFor(0.2);
      PaintWatch watch(desk);
      QElapsedTimer since;
      since.start();
      desk.window.experiment().set(QStringLiteral("strategy"), QString::fromStdString(keys[i]));
      waitUntil(keys[i], [&] { return watch.paintedStep() > 0 || desk.controller.isOver(); });
      if (strategyKey(desk.window.experiment().resolved().strategy) != keys[i] || desk.controller.isOver())
        throw std::runtime_error(keys[i] + " does not start: " + desk.window.experiment().complaint().toStdString());
      ms[i].push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    report("7 switch to " + keys[i] + ", median", medianOf(ms[i]), "ms", Bound::AtMost, 200);
    report("7   the slowest", quantileOf(ms[i], 1), "ms");
  }
  report("7 longest block of the event loop", watchdog.worstMs(), "ms", Bound::AtMost, 100);
}

}  // namespace lab::bench
