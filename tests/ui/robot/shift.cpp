// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/shift.h"

#include <QCoreApplication>

#include <algorithm>

namespace lab::robot {
namespace {

constexpr int kRestMs = 1500;        // closed parts are gone by then
constexpr int kMostRestMs = 30'000;  // for a run that ends at its step's end

}  // namespace

Shift::Shift(Robot& robot, Journal& journal, const Wishes& wishes)
    : robot_(robot), journal_(journal), wishes_(wishes), hang_(std::chrono::seconds(wishes.hangS)) {
  since_.start();
  timer_.setSingleShot(true);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { turn(); });
  beginCheck();
  timer_.start(0);
}

bool Shift::isDone() const {
  return (wishes_.events > 0 && journal_.events() >= wishes_.events) ||
         (wishes_.minutes > 0 && static_cast<double>(since_.elapsed()) > 60'000 * wishes_.minutes);
}

void Shift::turn() {
  if (turning_) return;  // the event has an event loop of its own
  turning_ = true;
  int restMs = 0;
  if (checking_) {
    restMs = 50;
    tidyUp();
  } else if (isDone() || static_cast<double>(sinceCheck_.elapsed()) > 1000 * wishes_.checkS) {
    beginCheck();
  } else {
    hang_.begins();
    restMs = robot_.act();
  }
  turning_ = false;
  hang_.begins();  // times the rest of the event's work, until the next turn
  if (over_) return hang_.ends();
  timer_.start(restMs);
}

void Shift::beginCheck() {
  journal_.note(QStringLiteral("check"));
  checking_ = true;
  tidied_ = false;
  settling_.start();
}

void Shift::tidyUp() {
  hang_.begins();
  if (!tidied_) {
    tidied_ = robot_.tidy();
    settling_.start();
    return;
  }
  const bool late = settling_.elapsed() > kMostRestMs;
  if (late) journal_.fault(QStringLiteral("the new experiment does not come to rest at its first picture"));
  if (late || (settling_.elapsed() > kRestMs && robot_.life().isTidy())) check();
}

void Shift::check() {
  const Memory memory = memoryNow();
  const Life::Frames frames = robot_.life().playScene(wishes_.sceneS);
  checks_.push_back(memory);
  journal_.say(
      QStringLiteral(
          "%1 min, %2 events: resident %3 MB, heap %4 MB; %5 windows, %6 widgets, %7 objects; frames every %8 ms, "
          "99 % within %9 ms")
          .arg(static_cast<double>(since_.elapsed()) / 60'000, 0, 'f', 1)
          .arg(journal_.events())
          .arg(memory.residentMb, 0, 'f', 0)
          .arg(memory.heapMb, 0, 'f', 1)
          .arg(memory.windows)
          .arg(memory.widgets)
          .arg(memory.objects)
          .arg(frames.medianMs, 0, 'f', 1)
          .arg(frames.p99Ms, 0, 'f', 1) +
      QStringLiteral(", processor %1 ms a frame; %2 faults").arg(frames.processorMs, 0, 'f', 2).arg(journal_.faults()));
  journal_.say(QStringLiteral("  windows: %1").arg(windowsByClass()));
  checking_ = false;
  sinceCheck_.start();
  if (!isDone()) return;
  grown_ = hasGrown();
  if (grown_) sayWhereMemoryIs();  // while the memory is still held
  over_ = true;
  QCoreApplication::exit();
}

bool Shift::hasGrown() {
  bool grown = false;
  for (const auto& [name, figure] : {std::pair{"resident", &Memory::residentMb}, std::pair{"heap", &Memory::heapMb}}) {
    const double growth = growthMb(checks_, wishes_.checkS, figure);
    if (growth <= wishes_.growthMb) continue;
    grown = true;
    journal_.say(QStringLiteral("%1 memory has grown by %2 MB after its first ten minutes; at most %3 may be")
                     .arg(QLatin1String(name))
                     .arg(growth, 0, 'f', 1)
                     .arg(wishes_.growthMb));
  }
  return grown;
}

int Shift::judge() {
  if (journal_.faults() > 0) journal_.say(QStringLiteral("%1 faults").arg(journal_.faults()));
  const bool passed = !grown_ && journal_.faults() == 0;
  if (passed) journal_.say(QStringLiteral("passed: %1 events").arg(journal_.events()));
  return passed ? 0 : 1;
}

}  // namespace lab::robot
