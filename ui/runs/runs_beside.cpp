// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_beside.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/files/lineage_json.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/runs/run_library.h"
#include "ui/setup/fit.h"

namespace lab {
namespace {

// True if `now` has everything that the earlier one has.
bool reaches(const RunMetrics& now, const RunMetrics& before) {
  return now.steps.size() >= before.steps.size() && now.evaluations.size() >= before.evaluations.size() &&
         (now.end || !before.end);
}

// A lane's settings are complete; those that follow from the strategy were not requested, and are no part of a name.
RunSettings withoutWhatFollows(const RunSettings& asked) {
  RunSettings least = withoutOutputs(asked);
  const nlohmann::json resolved = configToJson(resolve(least));
  for (const char* name :
       {"hosts", "parameter-servers", "devices", "device-model", "link", "host-link", "matmul", "reducer"}) {
    try {
      const RunSettings without = withSetting(least, name, std::string());
      if (configToJson(resolve(without)) == resolved) least = without;
    } catch (const UserError&) {
      continue;  // the setting must be given
    }
  }
  return least;
}

}  // namespace

void RunsBeside::follow(RunController& controller) {
  beside_.push_back({&controller});
  connect(&controller, &RunController::started, this, [this, &controller] { update(controller); });
  connect(&controller, &RunController::updated, this, [this, &controller] { update(controller); });
  connect(&controller, &QObject::destroyed, this, [this, &controller] {
    if (Beside* gone = find(controller)) end(*gone);
    std::erase_if(beside_, [&controller](const Beside& one) { return one.controller == &controller; });
  });
}

// Call it again after each signal: what receives it may have added or removed entries.
RunsBeside::Beside* RunsBeside::find(const RunController& controller) {
  const auto found = std::ranges::find(beside_, &controller, &Beside::controller);
  return found == beside_.end() ? nullptr : &*found;
}

bool RunsBeside::has(int id) const {
  return std::ranges::any_of(beside_, [id](const Beside& one) { return one.id == id || one.earlier == id; });
}

void RunsBeside::end(Beside& beside) {
  const int id = std::exchange(beside.id, 0);
  beside.earlier = 0;
  beside.metrics.reset();
  library_.conclude(id);
}

// Only for modelled time: measured times differ in each repetition.
const KeptRun* RunsBeside::sameRun(const KeptRun& run) const {
  if (run.header->clock != TimeSource::Modelled) return nullptr;
  const nlohmann::json asked = configToJson(run.resolved), lineage = lineageToJson(lineageOf(run));
  const std::vector<KeptRun>& runs = library_.runs();
  const auto same = std::ranges::find_if(runs, [&](const KeptRun& other) {
    const bool trains = other.id == library_.presentId() || has(other.id);
    return !trains && other.settingsKnown && other.header && other.header->clock == TimeSource::Modelled &&
           configToJson(withoutOutputs(other.resolved)) == asked && lineageToJson(lineageOf(other)) == lineage;
  });
  return same == runs.end() ? nullptr : &*same;
}

// The user's name, note and so on pass from the earlier run to this one as soon as this one has got as far.
void RunsBeside::takePlace(Beside& beside, KeptRun run) {
  const RunController& controller = *beside.controller;
  const KeptRun* earlier = library_.find(beside.earlier);
  if (earlier != nullptr && !reaches(*run.metrics, *earlier->metrics)) return;
  const bool baseline = earlier != nullptr && earlier->id == library_.baselineId();
  beside.earlier = 0;
  if (earlier != nullptr) {
    run.name = earlier->name;
    run.note = earlier->note;
    run.shown = earlier->shown;
    run.colour = earlier->colour;
    library_.drop(earlier->id);
  }
  const int id = library_.add(std::move(run));
  if (Beside* still = find(controller)) still->id = id;
  if (baseline) library_.setBaseline(id);
}

void RunsBeside::update(RunController& controller) {
  if (Beside* before = find(controller); before != nullptr && before->metrics != controller.metrics()) {
    end(*before);
    if (Beside* now = find(controller)) now->metrics = controller.metrics();
  }
  Beside* const found = find(controller);
  if (found == nullptr) return;
  Beside& beside = *found;
  const RunInfo* info = controller.info();
  if (info == nullptr || controller.isRecording() || controller.liveStep() < info->firstStep) return;
  if (beside.id != 0) return library_.report(beside.id, controller.state());
  if (const KeptRun* earlier = library_.find(beside.earlier); earlier && !reaches(*beside.metrics, *earlier->metrics))
    return;
  KeptRun run;
  run.asked = withoutWhatFollows(controller.config());
  run.resolved = withoutOutputs(info->config);
  beginHere(run);
  run.state = controller.state();
  run.metrics = beside.metrics;
  run.header = headerOf(*info);
  if (beside.earlier == 0)
    if (const KeptRun* same = sameRun(run)) beside.earlier = same->id;
  takePlace(beside, std::move(run));
}

}  // namespace lab
