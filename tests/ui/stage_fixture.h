// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded steps and everything else that their pictures are made from, for tests of what the stage shows.
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/training/trainer.h"
#include "ui/scene/scene.h"

namespace lab::test {

struct Recorded {
  std::shared_ptr<const RunInfo> info;
  std::vector<std::shared_ptr<const StepRecord>> steps;
};

inline Recorded recordSteps(const RunSettings& config, int steps) {
  Telemetry telemetry;
  Trainer trainer(resolve(config), openDataset(config), telemetry);
  Recorded recorded;
  recorded.info = std::make_shared<const RunInfo>(trainer.info());
  for (int i = 0; i < steps; ++i) {
    telemetry.requestRecord();
    trainer.step();
    recorded.steps.push_back(telemetry.takeRecord());
  }
  return recorded;
}

// "strategy=mirrored replicas=2"
// "ring", as --reducer takes it.
inline QString nameOf(Reducer reducer) {
  return QString::fromStdString(std::string(toString(reducer)));
}

inline RunSettings stageConfig(const QString& text) {
  RunSettings config;
  config.dataset = "digits";
  config.evalEvery = 0;
  config.threads = 2;
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const auto parts = word.split(QLatin1Char('='));
    configField(parts[0].toStdString()).set(config, parts[1].toStdString());
  }
  return config;
}

struct Picture {
  StepIndex index;
  StageLayout layout;
  Story story;

  Picture(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record, Pace pace = Pace::Play,
          QSizeF size = {1280, 640})
      : index(info, record), layout(layoutStage(*info, size)), story(makeStory(*info, *record, pace)) {}

  Scene at(double seconds) const { return makeScene({index, layout, story, seconds, {}}); }
  Scene atNs(std::int64_t ns) const { return at(story.secondsAt(ns)); }
};

}  // namespace lab::test
