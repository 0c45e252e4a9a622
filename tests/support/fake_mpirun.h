// SPDX-License-Identifier: GPL-3.0-or-later
// A program in mpirun's place for runs among real processes: a shell script that prints what the first worker would,
// with its tags, and then does what a test wants. While an object of this class lives, STRATEGYLAB_MPIRUN names the
// script.
#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <memory>

#include "core/launching/processes.h"
#include "core/launching/run_stream.h"
#include "core/options/resolve.h"
#include "core/trace/telemetry.h"
#include "core/training/trainer.h"

namespace lab::test {

inline RunSettings processConfig(std::int64_t workers = 3) {
  RunSettings config;
  config.strategy = StrategyKind::MultiWorkerMirrored;
  config.devices = DeviceChoice::Processes;
  config.replicas = config.hosts = workers;
  config.dataset = "digits";
  config.trainExamples = 120;
  config.testExamples = 30;
  config.batchPerReplica = 4;
  config.steps = 6;
  config.evalEvery = 0;
  config.threads = 1;
  return config;
}

// What the processes would have said: the results of the simulated run, presented as measured.
struct FakeStory {
  std::shared_ptr<const RunInfo> info;
  std::vector<StepMetric> steps;
  std::vector<std::shared_ptr<const StepRecord>> records;
};
inline FakeStory fakeStory(const RunSettings& asked, int steps) {
  RunSettings config = asked;
  config.devices = DeviceChoice::Simulated;
  Telemetry telemetry;
  Trainer trainer(resolve(config), openDataset(config), telemetry);
  FakeStory story;
  auto info = std::make_shared<RunInfo>(trainer.info());
  info->clock = TimeSource::Measured;
  for (DeviceFacts& device : info->devices) device.simulated = false;
  for (int w = 0; w < info->hosts; ++w) info->processes.push_back({"elsewhere", 1'000'000'000 + w});
  for (int i = 0; i < steps; ++i) {
    telemetry.requestRecord();
    trainer.step();
    auto record = std::make_shared<StepRecord>(*telemetry.takeRecord());
    record->metric.clock = TimeSource::Measured;
    for (Span& span : record->spans) span.clock = TimeSource::Measured;
    story.steps.push_back(record->metric);
    story.records.push_back(std::move(record));
  }
  (void)telemetry.takeMetrics();
  story.info = std::move(info);
  return story;
}

// These scripts stand outside of the tests' files because moc does not understand raw strings.
// Sends steps with records as they are asked for, until "stop".
inline constexpr const char* kObedient = R"(
put "$here/about"
say '{"rest":0,"step":0}'
step=0
while read word number; do
  case $word in
    step) step=$((step + 1))
          if [ -n "$wanted" ]; then cp "$here/record-$step" "$folder/record-$step"; say "{\"record\":$step}"; wanted=; fi
          put "$here/step-$step";;
    record) wanted=1;;
    stop) put "$here/end"; exit 130;;
  esac
  say "{\"rest\":$number,\"step\":$step}"
done)";

// Sends two steps, with records and checkpoints; then a worker is killed.
inline constexpr const char* kStepsThenKilled = R"(
put "$here/about"
say '{"rest":0,"step":0}'
step=0
while read word number; do
  if [ $word = step ]; then
    step=$((step + 1))
    cp "$here/record-$step" "$folder/record-$step"; say "{\"record\":$step}"
    put "$here/step-$step"; say "{\"checkpoint\":$step}"
    if [ $step = 2 ]; then
      echo 'mpirun noticed that process rank 1 with PID 4711 on node elsewhere exited on signal 9 (Killed).' >&2
      exit 137
    fi
  fi
  [ $word = stop ] && exit 130
  say "{\"rest\":$number,\"step\":$step}"
done)";

class FakeMpirun {
 public:
  // `body`: lines of the script; "$folder" is where the run's files are, and `say TEXT` prints TEXT as worker 0.
  explicit FakeMpirun(const QString& body) {
    QFile script(path());
    if (!script.open(QIODevice::WriteOnly)) qFatal("no room for a script");
    script.write(
        "#!/bin/sh\n"
        "for word in \"$@\"; do case $word in --watched=*) folder=${word#--watched=};; esac; done\n"
        "say() { printf '[1,0]<stdout>:%s\\n' \"$1\"; }\n"
        "told() { printf '[1,%s]<stderr>:%s\\n' \"$1\" \"$2\" >&2; }\n"
        "put() { printf '[1,0]<stdout>:'; cat \"$1\"; }\n"
        "here=${0%/*}\n");
    script.write(body.toUtf8() + "\n");
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("STRATEGYLAB_MPIRUN", path().toUtf8());
  }
  ~FakeMpirun() { qunsetenv("STRATEGYLAB_MPIRUN"); }

  QString path() const { return folder_.filePath(QStringLiteral("mpirun")); }
  // Writes a file beside the script, for the script's put.
  void leave(const QString& name, const std::string& line) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no room for a line");
    file.write(line.data(), std::ssize(line));
    if (!name.startsWith(QLatin1String("record"))) file.write("\n");
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace lab::test
