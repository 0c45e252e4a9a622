// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/dead_tasks.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/hardware/timing_constants.h"

namespace lab {

std::int64_t faultNs(const char* constant) {
  return std::llround(TimingConstants::builtIn()[constant] * 1e6);
}

void lose(Span& transfer, std::int64_t atNs) {
  const std::int64_t went = std::max<std::int64_t>(0, atNs - transfer.startNs);
  transfer.bytes = transfer.durationNs > 0
                       ? static_cast<std::int64_t>(static_cast<double>(transfer.bytes) * static_cast<double>(went) /
                                                   static_cast<double>(transfer.durationNs))
                       : 0;
  transfer.durationNs = went;
  transfer.label = labelOf(Label::MessageLost);
  transfer.add = false;
}

Span waitSpan(int track, std::int64_t fromNs, std::int64_t untilNs, Label label) {
  Span span;
  span.startNs = fromNs;
  span.durationNs = untilNs - fromNs;
  span.track = track;
  span.label = labelOf(label);
  span.kind = SpanKind::Wait;
  return span;
}

bool DeadTasks::isOf(int replica) const {
  return fault_->task == RunFault::Task::Worker &&
         (parts_.asynchronous() ? replica : parts_.topology.hostOf(replica)) == fault_->index;
}

const RunFault* DeadTasks::beginStep() {
  aborting_ = false;
  if (!fault_ || fault_->step != parts_.ledger.step()) return nullptr;
  LAB_CHECK(parts_.modelled != nullptr);
  aborting_ = !parts_.asynchronous() || fault_->task != RunFault::Task::Worker;
  return &*fault_;
}

DeadTask DeadTasks::takeWorker(int worker) {
  const auto found = std::ranges::find_if(
      dead_, [&](const DeadTask& one) { return one.task == RunFault::Task::Worker && one.index == worker; });
  LAB_CHECK(found != dead_.end());
  const DeadTask dead = *found;
  dead_.erase(found);
  return dead;
}

void DeadTasks::giveClosures(int worker, std::int64_t nowNs) {
  for (DeadTask& dead : dead_) {
    if (dead.takenBy >= 0 || nowNs < dead.noticedNs) continue;
    dead.takenBy = worker;
    dead.takenNs = nowNs;
    return;
  }
}

void DeadTasks::addSpans(std::int64_t fromNs, std::int64_t untilNs) {
  for (const DeadTask& dead : dead_) {
    if (dead.task != RunFault::Task::Worker || dead.sinceNs >= untilNs) continue;
    parts_.replica(dead.index)
        .clock.record(waitSpan(dead.index, std::max(fromNs, dead.sinceNs), untilNs, Label::TaskIsDead));
  }
}

nlohmann::json DeadTasks::save() const {
  nlohmann::json list = nlohmann::json::array();
  for (const DeadTask& dead : dead_)
    list.push_back({static_cast<int>(dead.task), dead.index, dead.sinceNs, dead.noticedNs, dead.takenBy, dead.takenNs,
                    dead.applied});
  return list;
}

void DeadTasks::load(const nlohmann::json& list) {
  dead_.clear();
  for (const nlohmann::json& one : list) {
    const int task = integerOf<int>(one.at(0));
    LAB_CHECK(task >= 0 && task <= static_cast<int>(RunFault::Task::Server));
    dead_.push_back({static_cast<RunFault::Task>(task), integerOf<int>(one.at(1)), integerOf<std::int64_t>(one.at(2)),
                     integerOf<std::int64_t>(one.at(3)), integerOf<int>(one.at(4)), integerOf<std::int64_t>(one.at(5)),
                     integerOf<int>(one.at(6))});
    LAB_CHECK(dead_.back().index >= 0 &&
              (dead_.back().task != RunFault::Task::Worker || dead_.back().index < parts_.replicas()));
  }
}

}  // namespace lab
