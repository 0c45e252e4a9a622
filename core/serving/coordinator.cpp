// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/coordinator.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/data/split.h"

namespace lab::serving {

Coordinator::Coordinator(const ClosureRules& rules, const Patience& patience, Draw draw)
    : rules_(rules), patience_(patience), draw_(std::move(draw)) {}

void Coordinator::join(int worker, std::int64_t ns) {
  const auto [place, isNew] = workers_.try_emplace(worker);
  LAB_CHECK(isNew);
  place->second.heardNs = ns;
}

void Coordinator::leave(int worker) {
  const auto found = workers_.find(worker);
  if (found == workers_.end()) return;
  lose(found->second);
  workers_.erase(found);
}

void Coordinator::heard(int worker, std::int64_t ns) {
  const auto found = workers_.find(worker);
  if (found == workers_.end()) return;
  found->second.heardNs = ns;
  found->second.silent = false;
}

void Coordinator::ask(int worker) {
  const auto found = workers_.find(worker);
  if (found == workers_.end()) return;
  Worker& it = found->second;
  if (!it.work && !it.asks) it.asked = ++asked_;
  (it.work ? it.asksAgain : it.asks) = true;
}

void Coordinator::setAsleep(int worker, bool asleep, std::int64_t ns) {
  const auto found = workers_.find(worker);
  if (found == workers_.end()) return;
  Worker& it = found->second;
  if (!asleep && it.asleepSinceNs) it.sleptNs += ns - *it.asleepSinceNs;
  if (asleep != it.asleepSinceNs.has_value()) it.asleepSinceNs = asleep ? std::optional(ns) : std::nullopt;
}

// Makes a lost closure the next to be done.
void Coordinator::lose(Worker& worker) {
  if (worker.work) waiting_.push_front(std::move(*worker.work));
  worker.work.reset();
  worker.asksAgain = false;
}

bool Coordinator::mayBegin() const {
  const auto ready = std::ranges::count_if(workers_, [this](const auto& each) { return isFree(each.second); });
  return begun_ || ready >= rules_.firstWorkers;
}

float Coordinator::scaleOf(std::int64_t examples, std::int64_t counted) const {
  const std::int64_t of = rules_.lossReduction == LossReduction::Fit ? examples : rules_.batch;
  return static_cast<float>(1.0 / (static_cast<double>(of) * static_cast<double>(counted)));
}

// Returns the free workers in turn; in a synchronous class by their numbers, as the slots are.
std::vector<int> Coordinator::inTurn() const {
  std::vector<std::pair<std::uint64_t, int>> order;
  for (const auto& [number, worker] : workers_)
    if (isFree(worker)) order.emplace_back(rules_.synchronous ? 0 : worker.asked, number);
  std::ranges::sort(order);
  std::vector<int> numbers;
  for (const auto& [asked, number] : order) numbers.push_back(number);
  return numbers;
}

std::vector<Coordinator::Assignment> Coordinator::assign(std::int64_t ns, int most,
                                                         const std::function<bool(int worker)>& isApart) {
  std::vector<Assignment> given;
  if ((paused_ && allowed_ == 0) || isOver() || !mayBegin()) return given;
  begun_ = true;
  std::int64_t left = paused_ && !rules_.synchronous ? allowed_ - closuresOut() : std::ssize(workers_);
  if (rules_.synchronous && slots_.empty()) beginStep();
  for (const int number : inTurn()) {
    Worker& worker = workers_.at(number);
    if (left <= 0) break;
    const bool counts = !rules_.synchronous && !(isApart && isApart(number));
    if (counts && most <= 0) continue;
    if (!rules_.synchronous && worker.isNew && !admitsNew(ns)) continue;
    if (counts) --most;
    --left;
    if (waiting_.empty() && !rules_.synchronous) schedule();
    if (waiting_.empty()) break;
    worker.work = std::move(waiting_.front());
    waiting_.pop_front();
    worker.workSinceNs = ns;
    worker.sleptNs = 0;
    given.push_back({number, *worker.work});
  }
  return given;
}

bool Coordinator::admitsNew(std::int64_t ns) {
  newFromNs_ = std::max(newFromNs_, ns - kNewAtOnce * kNewEveryNs);
  if (ns - newFromNs_ < kNewEveryNs) return false;
  newFromNs_ += kNewEveryNs;
  return true;
}

// Schedules the next closure of an asynchronous run: only as many as updates, so that none are computed in vain.
void Coordinator::schedule() {
  if (static_cast<std::int64_t>(scheduled_) >= rules_.updates) return;
  Work work;
  work.number = ++scheduled_;
  work.step = static_cast<std::int64_t>(work.number) - 1;
  work.examples = draw_(rules_.batch);
  work.scale = scaleOf(std::ssize(work.examples), 1);
  waiting_.push_back(std::move(work));
}

// Makes one closure for each worker present, in the workers' order, from one batch that is cut as Mirrored cuts it.
void Coordinator::beginStep() {
  const auto members = std::ranges::count_if(workers_, [this](const auto& each) { return isFree(each.second); });
  if (members == 0) return;
  const std::int64_t counted = std::max<std::int64_t>(1, members - rules_.backups);
  const std::vector<std::int64_t> batch = draw_(rules_.batch * members);
  std::int64_t begin = 0;
  for (const std::int64_t size : legacyBatchSizes(std::ssize(batch), static_cast<int>(members))) {
    if (size == 0) continue;  // nothing to add
    Work work;
    work.number = ++scheduled_;
    work.slot = static_cast<int>(slots_.size());
    work.step = updates_;
    work.globalOffset = begin;
    work.scale = scaleOf(size, counted);
    work.examples.assign(batch.begin() + begin, batch.begin() + begin + size);
    begin += size;
    slots_.push_back({work, std::nullopt});
    waiting_.push_back(std::move(work));
  }
  needed_ = std::max<std::int64_t>(1, std::ssize(slots_) - rules_.backups);
}

std::int64_t Coordinator::closuresOut() const {
  return std::ranges::count_if(workers_, [](const auto& each) { return each.second.work.has_value(); });
}

bool Coordinator::isAtRest() const {
  return paused_ && allowed_ == 0 && closuresOut() == 0;
}

Coordinator::Standing Coordinator::standingOf(int worker) const {
  const Worker& it = workers_.at(worker);
  return {it.asleepSinceNs.has_value(), it.silent, isFree(it)};
}

const Work* Coordinator::workOf(int worker) const {
  const auto found = workers_.find(worker);
  return found == workers_.end() || !found->second.work ? nullptr : &*found->second.work;
}

void Coordinator::countUpdate() {
  ++updates_;
  allowed_ = std::max<std::int64_t>(0, allowed_ - 1);
}

std::optional<Coordinator::Update> Coordinator::pushed(int worker) {
  Worker& it = workers_.at(worker);
  LAB_CHECK(it.work);
  const Work work = std::move(*std::exchange(it.work, std::nullopt));
  it.asks = std::exchange(it.asksAgain, false);
  it.asked = ++asked_;
  it.isNew = false;
  it.late = 0;
  if (rules_.synchronous) return pushedInStep(worker, work);
  countUpdate();
  return Update{{{worker, work}}, {}};
}

std::optional<Coordinator::Update> Coordinator::pushedInStep(int worker, const Work& work) {
  Slot& slot = slots_.at(static_cast<std::size_t>(work.slot));
  LAB_CHECK(!slot.pushedBy && slot.work.number == work.number);
  slot.pushedBy = worker;
  const auto pushes = std::ranges::count_if(slots_, [](const Slot& each) { return each.pushedBy.has_value(); });
  if (pushes < needed_) return std::nullopt;
  Update update;
  for (const Slot& each : slots_)
    if (each.pushedBy)
      update.used.push_back({*each.pushedBy, each.work});
    else
      update.leftOut.push_back({-1, each.work});
  for (Contribution& late : update.leftOut)
    for (auto& [number, other] : workers_)
      if (other.work && other.work->number == late.work.number) {
        late.worker = number;
        other.work.reset();
        other.asksAgain = false;
      }
  waiting_.clear();
  slots_.clear();
  countUpdate();
  return update;
}

Coordinator::Position Coordinator::position() const {
  Position position{.scheduled = scheduled_, .updates = updates_, .undone = {waiting_.begin(), waiting_.end()}};
  for (const auto& [number, worker] : workers_)
    if (worker.work) position.undone.push_back(*worker.work);
  std::ranges::sort(position.undone, {}, &Work::number);
  return position;
}

void Coordinator::resume(Position position) {
  LAB_CHECK(workers_.empty() && updates_ == 0);
  scheduled_ = position.scheduled;
  updates_ = position.updates;
  for (Work& work : position.undone) {
    LAB_CHECK(!rules_.synchronous && work.number <= scheduled_ && !work.examples.empty());
    work.step = static_cast<std::int64_t>(work.number) - 1;
    work.scale = scaleOf(std::ssize(work.examples), 1);
    waiting_.push_back(std::move(work));
  }
}

Coordinator::Overdue Coordinator::expire(std::int64_t ns) {
  Overdue overdue;
  for (auto& [number, worker] : workers_) {
    const std::int64_t silentFor = ns - worker.heardNs;
    const std::int64_t bound = worker.asleepSinceNs ? patience_.asleepNs : patience_.silentNs;
    if (silentFor >= bound) worker.silent = true;
    if (silentFor >= patience_.goneNs) overdue.gone.push_back(number);
    const std::int64_t slept = worker.sleptNs + (worker.asleepSinceNs ? ns - *worker.asleepSinceNs : 0);
    const bool sleptTooLong = slept >= patience_.asleepNs;
    const bool tookTooLong = ns - worker.workSinceNs - slept >= patience_.closureNs;
    if (!worker.work || !(worker.silent || sleptTooLong || tookTooLong)) continue;
    lose(worker);
    overdue.lost.push_back(number);
    if (rules_.synchronous && !worker.silent && !sleptTooLong && ++worker.late >= kMostLate)
      overdue.slow.push_back(number);
  }
  return overdue;
}

}  // namespace lab::serving
