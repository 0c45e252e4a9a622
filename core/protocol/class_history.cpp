// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/class_history.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/protocol/messages.h"

namespace lab::serving {

void ClassHistory::add(ClassUpdate update) {
  const std::lock_guard lock(mutex_);
  const std::int64_t step = std::ssize(updates_) + 1;
  if (update.metric.step != step || update.parts.size() != update.times.parts.size())
    throw UserError(say::classOrderWrong);
  for (const ClassOrder::Part& part : update.parts) {
    if (!part.used) continue;
    if (part.version < 0 || part.version >= step || part.worker < 0) throw UserError(say::classOrderWrong);
    lastUse_[part.version] = step;
  }
  updates_.push_back(std::move(update));
}

void ClassHistory::keep(std::shared_ptr<const Checkpoint> state) {
  const std::lock_guard lock(keeping_);
  if (stepOf(*state) > states_.stepBefore(std::numeric_limits<std::int64_t>::max())) states_.keep(std::move(state));
}

void ClassHistory::describe(std::shared_ptr<const RunInfo> info) {
  const std::lock_guard lock(mutex_);
  info_ = std::move(info);
}

void ClassHistory::joined(int worker) {
  const std::lock_guard lock(mutex_);
  stays_.push_back({worker, std::ssize(updates_)});
}

void ClassHistory::left(int worker) {
  const std::lock_guard lock(mutex_);
  const auto latest = std::ranges::find(stays_.rbegin(), stays_.rend(), worker, &Stay::worker);
  if (latest != stays_.rend()) latest->until = std::ssize(updates_);
}

bool ClassHistory::hasMember(int worker) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(stays_, worker, &Stay::worker) != stays_.end();
}

std::shared_ptr<const RunInfo> ClassHistory::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

std::int64_t ClassHistory::updates() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(updates_);
}

std::optional<ClassUpdate> ClassHistory::update(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  if (step < 1 || step > std::ssize(updates_)) return std::nullopt;
  return at(updates_, step - 1);
}

std::int64_t ClassHistory::lastUse(std::int64_t version) const {
  const std::lock_guard lock(mutex_);
  const auto found = lastUse_.find(version);
  return found == lastUse_.end() ? 0 : found->second;
}

std::map<int, ClassUpdate> ClassHistory::nextOf(std::int64_t step, int workers) const {
  constexpr std::int64_t kFarthest = 2000;  // a worker without a push for this long is not awaited
  const std::lock_guard lock(mutex_);
  std::map<int, ClassUpdate> next;
  const std::int64_t last = std::min<std::int64_t>(std::ssize(updates_), step + kFarthest);
  for (std::int64_t at = step; at < last && std::ssize(next) < workers; ++at) {
    const ClassUpdate& update = lab::at(updates_, at);
    for (const ClassOrder::Part& part : update.parts)
      if (part.used) next.try_emplace(part.worker, update);
  }
  return next;
}

// Numbers are reused, so the latest stay of a number tells whether a worker was there before the step.
std::vector<Absence> ClassHistory::absent(std::int64_t step, int workers) const {
  const std::lock_guard lock(mutex_);
  const ClassUpdate& update = updates_.at(static_cast<std::size_t>(step - 1));
  const bool inStep = !update.metric.worker;
  std::vector<Absence> all;
  for (int worker = 0; worker < workers; ++worker) {
    if (std::ranges::find(update.parts, worker, &ClassOrder::Part::worker) != update.parts.end()) continue;
    auto why = Absence::Why::NotJoined;
    for (const Stay& stay : stays_)
      if (stay.worker == worker && stay.since < step)
        why = stay.until < step ? Absence::Why::Left : Absence::Why::NoPart;
    if (inStep || why != Absence::Why::NoPart) all.push_back({worker, why});
  }
  return all;
}

}  // namespace lab::serving
