// SPDX-License-Identifier: GPL-3.0-or-later
// A class of 40 on the stage: real processes of strategylab-class. A school's would compute elsewhere, so each one here
// is slowed down until together they leave most of this machine to the window.
#include <stdexcept>

#include "core/classruns/class_program.h"
#include "core/options/config_field.h"
#include "tests/support/class_workers.h"
#include "window_bench.h"

namespace lab::bench {
namespace {

constexpr int kWorkers = 40;

RunSettings classOf(const char* strategy) {
  RunSettings asked;
  configField("strategy").set(asked, strategy);
  asked.batchPerReplica = 32;
  asked.steps = 1'000'000;
  asked.evalEvery = 0;
  return asked;
}

void measureClassIn(const Options& options, const char* strategy, double slowdown) {
  const std::string program = ClassProgram::path().string();
  Desk desk(options);
  desk.window.experiment().serve(classOf(strategy), {});
  desk.playback.setMode(Playback::Mode::Live);
  desk.playback.play();
  waitUntil("the class", [&] {
    if (desk.controller.isOver()) throw std::runtime_error(desk.controller.failure().toStdString());
    return !desk.controller.ofClass().run()->link().empty();
  });
  test::ClassWorkers workers(QString::fromStdString(program));
  ClassRun& served = *desk.controller.ofClass().run();
  for (int worker = 0; worker < kWorkers; ++worker) {
    workers.join(served.link());
    waitUntil("a worker", [&] { return std::ssize(served.members()) == worker + 1; });
    served.slow(worker, slowdown);
  }
  waitUntil("all of them on the stage",
            [&] { return desk.playback.record() && desk.playback.record()->taking() == kWorkers; });
  waitFor(2);
  watchLive(desk, 10 * options.seconds, std::string("12 A class of 40, ") + strategy + ": ");
  desk.controller.stop();
  waitUntil("the end", [&] { return desk.controller.isOver(); });
}

}  // namespace

void measureClass(const Options& options) {
  measureClassIn(options, "parameter-server", 40);
  measureClassIn(options, "mirrored", 4);  // in step each waits for all the others as it is
}

}  // namespace lab::bench
