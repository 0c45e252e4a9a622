// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/wire_collective.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/units.h"

namespace lab {

// One execution of a schedule.
struct WireCollective::Call {
  std::int64_t base;
  std::span<float* const> buffers;
  Label label;
  int pack;
  std::vector<std::int64_t> firstNs, lastNs;  // per endpoint, steady time: of its transfers

  float* at(int endpoint, const Transfer& transfer) const {
    return lab::at(buffers, endpoint) + base + transfer.offset;
  }
};

namespace {

// Asking whether a message has left yields the processor to others if it has not, although this process still has
// something to send. So it asks only when it needs the answer, or when many messages have gathered.
constexpr std::size_t kManySends = 32;

// Returns whether `other` reads or writes anything that `writes` writes.
bool touches(const Transfer& other, const Transfer& writes) {
  return (other.from == writes.to || other.to == writes.to) && other.offset < writes.offset + writes.count &&
         writes.offset < other.offset + other.count;
}

}  // namespace

const WireCollective::Rounds& WireCollective::roundsOf(const Schedule& schedule, std::span<float* const> buffers) {
  const auto [found, isNew] = rounds_.try_emplace(schedule.transfers.data());
  Rounds& rounds = found->second;
  if (!isNew) return rounds;
  const auto isHere = [&](int endpoint) { return at(buffers, endpoint) != nullptr; };
  int last = -1;
  for (const Transfer& transfer : schedule.transfers) {
    if (!isHere(transfer.from) && !isHere(transfer.to)) continue;
    if (transfer.round != last) rounds.emplace_back();
    last = transfer.round;
    Round& round = rounds.back();
    (!isHere(transfer.from) ? round.in : isHere(transfer.to) ? round.inside : round.out).push_back(transfer);
  }
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    Round& round = rounds[k];
    for (std::vector<Transfer>* messages : {&round.in, &round.out})
      std::stable_partition(messages->begin(), messages->end(), [](const Transfer& message) { return message.add; });
    round.additions = static_cast<std::size_t>(std::ranges::count_if(round.in, &Transfer::add));
    round.early = round.additions;
    if (k == 0) continue;
    const Round& before = rounds[k - 1];
    const auto isFree = [&](const Transfer& place) {
      const auto apart = [&](const Transfer& other) { return !touches(other, place); };
      return std::ranges::all_of(before.inside, apart) && std::ranges::all_of(before.in, apart) &&
             std::ranges::all_of(before.out, apart);
    };
    while (round.early < round.in.size() && isFree(round.in[round.early])) ++round.early;
  }
  findPlaces(rounds);
  return rounds;
}

// Puts even rounds into the first half and odd rounds into the second, each addition on a cache line's boundary.
void WireCollective::findPlaces(Rounds& rounds) {
  constexpr std::int64_t kLine = static_cast<std::int64_t>(kCacheLineBytes) / kBytesPerElement;
  std::int64_t halves[2]{};
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    std::int64_t end = 0;
    for (std::size_t i = 0; i < rounds[k].additions; ++i) {
      rounds[k].places.push_back(end);
      end += ceilDivide(rounds[k].in[i].count, kLine) * kLine;
    }
    halves[k % 2] = std::max(halves[k % 2], end);
  }
  for (std::size_t k = 1; k < rounds.size(); k += 2)
    for (std::int64_t& place : rounds[k].places) place += halves[0];
  rounds.room = halves[0] + halves[1];
}

// Receives into a separate buffer, or, if nothing is added, directly into the destination once nothing is sent from
// there any more.
void WireCollective::ask(Call& call, const Round& round, Arrivals& arrivals, std::size_t until) {
  if (arrivals.messages.size() < round.in.size()) arrivals.messages.resize(round.in.size());
  for (; arrivals.asked < until; ++arrivals.asked) {
    const Transfer& transfer = round.in[arrivals.asked];
    Incoming& to = arrivals.messages[arrivals.asked];
    if (!transfer.add) finishSends(call, transfer);
    to.beganNs = steadyNs();
    // Hosts are the processes, in the order of their ranks.
    to.request =
        peers_.receive(topology_.hostOf(transfer.from),
                       transfer.add ? arriving_.data() + round.places[arrivals.asked] : call.at(transfer.to, transfer),
                       static_cast<std::size_t>(transfer.count * kBytesPerElement));
  }
}

// Posts receives one round ahead, as far as this needs no waiting.
void WireCollective::askEarly(Call& call, const Round& next, Arrivals& arrivals) {
  std::size_t until = next.additions;
  const auto isFree = [&](const Transfer& place) {
    return std::ranges::all_of(sending_,
                               [&](Sending& each) { return !touches(*each.transfer, place) || isSent(call, each); });
  };
  while (until < next.early && isFree(next.in[until])) ++until;
  ask(call, next, arrivals, until);
}

void WireCollective::note(Call& call, const Transfer& transfer, std::int64_t beginNs, std::int64_t endNs,
                          bool arrives) {
  for (const int endpoint : {transfer.from, transfer.to}) {
    if (at(call.buffers, endpoint) == nullptr) continue;
    std::int64_t& first = at(call.firstNs, endpoint);
    std::int64_t& last = at(call.lastNs, endpoint);
    first = std::min(first, beginNs);
    last = std::max(last, endNs);
  }
  const std::int64_t originNs = ledger_.originNs();
  if (recording_ && arrives)
    ledger_.transfers().push_back(
        topology_.transferSpan(transfer, call.base, call.label, call.pack, beginNs - originNs, endNs - originNs));
}

// Transfers of a round are independent, so the transfer that arrives first is added first.
void WireCollective::receiveAll(Call& call, const Round& round, Arrivals& arrivals) {
  std::size_t left = round.in.size();
  std::vector<bool> done(left, false);
  while (left > 0) {
    int from = -1;
    for (std::size_t i = 0; i < round.in.size(); ++i) {
      const Transfer& transfer = round.in[i];
      if (done[i]) continue;
      Incoming& message = arrivals.messages[i];
      if (!peers_.test(message.request)) {
        from = topology_.hostOf(transfer.from);
        continue;
      }
      if (transfer.add) {
        finishSends(call, transfer);
        backend_.add(transfer.count, arriving_.data() + round.places[i], call.at(transfer.to, transfer));
      }
      note(call, transfer, message.beganNs, steadyNs(), true);
      done[i] = true;
      --left;
    }
    if (left > 0 && from >= 0) peers_.pause(from);
  }
  peers_.resume();
}

bool WireCollective::isSent(Call& call, Sending& sending) {
  if (sending.done) return true;
  sending.done = peers_.test(sending.request);
  if (sending.done) note(call, *sending.transfer, sending.beganNs, steadyNs(), false);
  return sending.done;
}

void WireCollective::finish(Call& call, Sending& sending) {
  while (!isSent(call, sending)) peers_.pause(topology_.hostOf(sending.transfer->to));
  peers_.resume();
}

// Finishes the sends that read what `writes` is about to overwrite.
void WireCollective::finishSends(Call& call, const Transfer& writes) {
  for (Sending& each : sending_)
    if (touches(*each.transfer, writes)) finish(call, each);
}

void WireCollective::carryOut(Call& call, const Round& round, Arrivals& arrivals, const Round* next,
                              Arrivals& nextArrivals) {
  if (sending_.size() > kManySends) std::erase_if(sending_, [&](Sending& each) { return isSent(call, each); });
  ask(call, round, arrivals, round.in.size());
  const std::int64_t beganNs = steadyNs();
  for (const Transfer& transfer : round.out)
    sending_.push_back({peers_.send(topology_.hostOf(transfer.to), call.at(transfer.from, transfer),
                                    static_cast<std::size_t>(transfer.count * kBytesPerElement)),
                        &transfer, beganNs});
  if (next != nullptr) askEarly(call, *next, nextArrivals);
  for (const Transfer& transfer : round.inside) {
    finishSends(call, transfer);
    const std::int64_t beginNs = steadyNs();
    if (transfer.add)
      backend_.add(transfer.count, call.at(transfer.from, transfer), call.at(transfer.to, transfer));
    else
      backend_.copy(transfer.count, call.at(transfer.from, transfer), call.at(transfer.to, transfer));
    note(call, transfer, beginNs, steadyNs(), true);
  }
  for (Incoming& each : arrivals.messages) each.beganNs = std::max(each.beganNs, beganNs);
  receiveAll(call, round, arrivals);
  arrivals.asked = 0;
}

void WireCollective::cancelAll() {
  for (Arrivals& round : arrivals_)
    for (Incoming& each : round.messages) peers_.cancel(each.request);
  for (Sending& each : sending_) peers_.cancel(each.request);
}

void WireCollective::run(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
                         std::span<DeviceClock* const> clocks, Label label, int pack) {
  const Rounds& rounds = roundsOf(schedule, buffers);
  if (rounds.empty()) return;
  if (arriving_.size() < rounds.room)
    arriving_ =
        AlignedBuffer<float>(std::max(rounds.room, static_cast<std::int64_t>(kLargeBufferBytes) / kBytesPerElement));
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  Call call{base,
            buffers,
            label,
            pack,
            std::vector<std::int64_t>(buffers.size(), kNever),
            std::vector<std::int64_t>(buffers.size(), 0)};
  try {
    sending_.clear();
    for (Arrivals& round : arrivals_) round.asked = 0;
    for (std::size_t k = 0; k < rounds.size(); ++k)
      carryOut(call, rounds[k], arrivals_[k % 2], k + 1 < rounds.size() ? &rounds[k + 1] : nullptr,
               arrivals_[(k + 1) % 2]);
    for (Sending& each : sending_) finish(call, each);
  } catch (...) {
    cancelAll();  // the buffers are freed when the run ends
    throw;
  }
  for (std::size_t endpoint = 0; endpoint < clocks.size(); ++endpoint) {
    if (clocks[endpoint] == nullptr || call.lastNs[endpoint] == 0) continue;
    Span span;
    span.startNs = call.firstNs[endpoint] - ledger_.originNs();
    span.durationNs = call.lastNs[endpoint] - call.firstNs[endpoint];
    span.track = clocks[endpoint]->track();
    span.pack = pack;
    span.label = labelOf(label);
    span.kind = SpanKind::Reduce;
    span.clock = TimeSource::Measured;
    clocks[endpoint]->record(span);
  }
}

}  // namespace lab
