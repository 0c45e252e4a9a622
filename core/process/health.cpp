// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/health.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/at.h"
#include "core/process/messages.h"

namespace lab::process {
namespace {

using namespace std::chrono_literals;

constexpr auto kGrace = 2s;            // until a trainer thread that does not look is helped
constexpr int kBeatsPerDeadline = 10;  // but at least one a second
constexpr int kWithFiles = 5;          // times the start-up limit, while requested files are read or written
constexpr int kLateBeats = 3;          // by which a busy machine may be late; a later process was stopped

std::int64_t nsOf(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e9);
}
std::int64_t beatNs(std::int64_t deadlineNs) {
  return std::clamp<std::int64_t>(deadlineNs / kBeatsPerDeadline, 20'000'000, 1'000'000'000);
}

}  // namespace

bool takesLong(Doing doing) {
  return doing == Doing::StartUp || doing == Doing::Leaving || doing == Doing::Files;
}

Message wordsOf(Doing doing, std::int64_t step) {
  switch (doing) {
    case Doing::StartUp:
      return say::inStartUp;
    case Doing::Computing:
    case Doing::AllReduce:
      return {say::inAllReduce, Count{step}};
    case Doing::Gather:
      return {say::inAllGather, Count{step}};
    case Doing::Begin:
      return {say::inStepsBegin, Count{step}};
    case Doing::Broadcast:
      return say::inBroadcast;
    case Doing::End:
      return {say::inStepsEnd, Count{step}};
    case Doing::Record:
      return {say::inRecord, Count{step}};
    case Doing::Evaluation:
      return {say::inEvaluation, Count{step}};
    case Doing::Leaving:
      return say::inLeaving;
    case Doing::Files:
      return say::inFiles;
  }
  return {};
}

Health::Health(std::shared_ptr<Wire> wire, const TimeLimits& limits, std::function<void(const Verdict&)> ended)
    : wire_(std::move(wire)),
      deadlineNs_(nsOf(limits.deadlineSeconds)),
      startUpNs_(nsOf(limits.startUpSeconds)),
      clock_(kLateBeats * beatNs(deadlineNs_)),
      ended_(std::move(ended)) {
  if (wire_->size() == 1) return;
  const std::int64_t nowNs = clock_.nowNs();
  sinceNs_ = nowNs;
  seen_.resize(static_cast<std::size_t>(wire_->rank() == 0 ? wire_->size() : 1));
  for (Seen& seen : seen_) seen.heardNs = nowNs;
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Health::~Health() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  for (Seen& seen : seen_) {
    wire_->cancel(seen.receiving);
    wire_->cancel(seen.sending);
  }
}

void Health::enter(Doing doing, std::int64_t step) {
  const std::int64_t nowNs = clock_.nowNs();
  if (static_cast<Doing>(doing_.load(std::memory_order_relaxed)) == Doing::Computing)
    longestNs_ = std::max(longestNs_.load(), nowNs - sinceNs_.load());
  // own() reads in the opposite order, so that nothing seems to have lasted since before it began.
  sinceNs_ = nowNs;
  waitsFor_ = -1;
  step_ = step;
  doing_ = static_cast<std::int32_t>(doing);
  ++entered_;
}

void Health::waitFor(int rank) {
  if (waitsFor_.load(std::memory_order_relaxed) == rank) return;
  sinceNs_ = clock_.nowNs();  // first, as in enter()
  waitsFor_ = rank;
}

Verdict Health::takeVerdict() {
  const std::lock_guard lock(mutex_);
  taken_ = true;
  return verdict_;
}

void Health::watch(const std::stop_token& stop) {
  const std::chrono::nanoseconds interval(beatNs(deadlineNs_));
  std::optional<std::chrono::steady_clock::time_point> endsAt;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    lock.unlock();
    clock_.tick();
    const std::int64_t nowNs = clock_.nowNs();
    ++beats_;
    for (int other = wire_->rank() == 0 ? 1 : 0; other < std::ssize(seen_); ++other) exchange(other, nowNs);
    if (!judged_)
      if (const Verdict verdict = judge(nowNs); verdict.kind != Verdict::Kind::None) pass(verdict);
    lock.lock();
    if (judged_ && !endsAt) endsAt = std::chrono::steady_clock::now() + kGrace;
    if (endsAt && !taken_ && std::chrono::steady_clock::now() > *endsAt) {
      taken_ = true;
      lock.unlock();
      ended_(verdict_);
      lock.lock();
    }
    wake_.wait_for(lock, stop, interval, [] { return false; });
  }
}

Health::Heartbeat Health::own(std::int64_t nowNs) const {
  Heartbeat beat;
  beat.count = beats_;
  beat.entered = entered_;
  beat.doing = doing_;
  beat.step = step_;
  beat.waitsFor = waitsFor_;
  beat.sinceMs = (nowNs - sinceNs_) / 1'000'000;
  beat.longestMs = longestNs_ / 1'000'000;
  if (judged_) beat.verdict = verdict_;  // written once, before judged_
  return beat;
}

// Sends and receives one message of this process's beats; never starts another while one is under way.
void Health::exchange(int other, std::int64_t nowNs) try {
  Seen& seen = at(seen_, other);
  while (wire_->test(seen.receiving)) {
    if (seen.incoming.count > seen.beat.count) {
      seen.beat = seen.incoming;
      seen.heardNs = nowNs;
    }
    seen.receiving = wire_->receive(other, Channel::Heartbeats, &seen.incoming, sizeof seen.incoming);
  }
  if (!wire_->test(seen.sending)) return;
  seen.outgoing = own(nowNs);
  seen.sending = wire_->send(other, Channel::Heartbeats, &seen.outgoing, sizeof seen.outgoing);
} catch (const std::exception&) {
  // This one is missing soon; the rest must not seem so. A trainer thread that needs the link fails by itself.
}

Verdict Health::judge(std::int64_t nowNs) const {
  const bool chief = wire_->rank() == 0;
  for (std::size_t i = chief ? 1 : 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    if (!chief && seen.beat.verdict.kind != Verdict::Kind::None) return seen.beat.verdict;
    if (nowNs - seen.heardNs <= deadlineNs_) continue;
    return {Verdict::Kind::Missing,
            static_cast<std::int32_t>(i),
            -1,
            static_cast<std::int32_t>((nowNs - seen.heardNs) / 1'000'000'000),
            static_cast<Doing>(doing_.load()),
            step_};
  }
  return chief ? judgeWaiting(nowNs) : Verdict{};
}

// If somebody has waited too long in another library's collective, blames the process that is furthest behind.
Verdict Health::judgeCollective(const std::vector<Heartbeat>& beats, std::int64_t limitMs) {
  const auto progress = [](const Heartbeat& beat) {
    return beat.waitsFor == kAllOthers ? 2 : beat.waitsFor == kInCall ? 1 : 0;
  };
  const auto [behind, ahead] = std::ranges::minmax_element(beats, {}, progress);
  if (progress(*ahead) == 0 || ahead->sinceMs <= limitMs) return {};
  Verdict verdict{Verdict::Kind::Stuck,
                  static_cast<std::int32_t>(behind - beats.begin()),
                  -1,
                  static_cast<std::int32_t>(ahead->sinceMs / 1000),
                  static_cast<Doing>(ahead->doing),
                  ahead->step};
  if (progress(*behind) == progress(*ahead)) return verdict;
  if (behind->waitsFor >= 0 || behind->sinceMs <= limitMs) return {};  // it waits for one whom the others' beats name
  verdict.kind = Verdict::Kind::Absent;
  return verdict;
}

// A computation that once took long may do so again.
std::int64_t Health::limitMs(Doing doing, std::int64_t longestMs) const {
  const std::int64_t longNs = doing == Doing::StartUp ? startUpNs_ : takesLong(doing) ? kWithFiles * startUpNs_ : 0;
  return std::max(std::max(longNs, deadlineNs_) / 1'000'000, 10 * longestMs);
}

// All are heard from, but somebody waits in vain: blames the process at the end of the chain of waiting ones, or, if
// they wait in a circle, the two of which one has waited longest.
Verdict Health::judgeWaiting(std::int64_t nowNs) const {
  std::vector<Heartbeat> beats;
  for (const Seen& seen : seen_) beats.push_back(seen.beat);
  beats.front() = own(nowNs);
  const std::int64_t longestMs = std::ranges::max_element(beats, {}, &Heartbeat::longestMs)->longestMs;
  const auto slow = std::ranges::find_if(beats, [](const Heartbeat& beat) { return takesLong(Doing{beat.doing}); });
  const Doing common = slow != beats.end() ? Doing{slow->doing} : Doing::AllReduce;
  if (const Verdict verdict = judgeCollective(beats, limitMs(common, longestMs)); verdict.kind != Verdict::Kind::None)
    return verdict;
  for (std::size_t w = 0; w < beats.size(); ++w) {
    const auto doing = static_cast<Doing>(beats[w].doing);
    const std::int64_t most = limitMs(doing, longestMs);
    if (beats[w].waitsFor < 0 || beats[w].sinceMs <= most) continue;
    auto at = w;
    std::size_t longest = w;
    for (std::size_t hops = 0; hops <= beats.size() && beats[at].waitsFor >= 0; ++hops) {
      if (beats[at].sinceMs > beats[longest].sinceMs) longest = at;
      at = static_cast<std::size_t>(beats[at].waitsFor);
    }
    const auto seconds = static_cast<std::int32_t>(beats[w].sinceMs / 1000);
    if (beats[at].waitsFor >= 0)
      return {Verdict::Kind::Unreachable,
              static_cast<std::int32_t>(longest),
              beats[longest].waitsFor,
              seconds,
              doing,
              beats[w].step};
    // The limit of what the awaited process does counts as well: the others may be in a step already.
    const Doing awaited{beats[at].doing};
    const Doing named = takesLong(awaited) ? awaited : doing;
    if (std::min(beats[w].sinceMs, beats[at].sinceMs) > std::max(most, limitMs(named, longestMs)))
      return {Verdict::Kind::Absent, static_cast<std::int32_t>(at), -1, seconds, named, beats[w].step};
  }
  return {};
}

void Health::pass(const Verdict& verdict) {
  const std::lock_guard lock(mutex_);
  verdict_ = verdict;
  judged_.store(true, std::memory_order_release);
}

}  // namespace lab::process
