// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/wire_collective.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/units.h"

namespace lab {

// One schedule that is under way.
struct WireCollective::Call {
  std::int64_t base;
  std::span<float* const> buffers;
  Label label;
  int pack;
  std::vector<std::int64_t> firstNs, lastNs;  // per endpoint, steady time: of the transfers it takes part in

  float* at(int endpoint, const Transfer& transfer) const {
    return buffers[static_cast<std::size_t>(endpoint)] + base + transfer.offset;
  }
};

const WireCollective::Rounds& WireCollective::roundsOf(const Schedule& schedule, std::span<float* const> buffers) {
  const auto [found, isNew] = rounds_.try_emplace(schedule.transfers.data());
  Rounds& rounds = found->second;
  if (!isNew) return rounds;
  const auto isHere = [&](int endpoint) { return buffers[static_cast<std::size_t>(endpoint)] != nullptr; };
  int last = -1;
  for (const Transfer& transfer : schedule.transfers) {
    if (!isHere(transfer.from) && !isHere(transfer.to)) continue;
    if (transfer.round != last) rounds.emplace_back();
    last = transfer.round;
    Round& round = rounds.back();
    (!isHere(transfer.from) ? round.in : isHere(transfer.to) ? round.inside : round.out).push_back(transfer);
  }
  // Messages of two processes are matched in their order, and additions are asked for first.
  for (Round& round : rounds)
    for (std::vector<Transfer>* messages : {&round.in, &round.out})
      std::stable_partition(messages->begin(), messages->end(), [](const Transfer& message) { return message.add; });
  return rounds;
}

// Where an endpoint's process is: hosts are the processes, in the order of their ranks.
void WireCollective::post(const Call& call, const Round& round, std::vector<Incoming>& incoming, bool additions) {
  if (incoming.size() < round.in.size()) incoming.resize(round.in.size());
  for (std::size_t i = 0; i < round.in.size(); ++i) {
    const Transfer& transfer = round.in[i];
    if (transfer.add != additions) continue;
    Incoming& to = incoming[i];
    if (transfer.add && to.values.size() < transfer.count) to.values = AlignedBuffer<float>(transfer.count);
    to.beganNs = steadyNs();
    to.request = peers_.receive(topology_.hostOf(transfer.from),
                                transfer.add ? to.values.data() : call.at(transfer.to, transfer),
                                static_cast<std::size_t>(transfer.count * kBytesPerElement));
  }
}

void WireCollective::note(Call& call, const Transfer& transfer, std::int64_t beginNs, std::int64_t endNs,
                          bool arrives) {
  for (const int endpoint : {transfer.from, transfer.to}) {
    if (call.buffers[static_cast<std::size_t>(endpoint)] == nullptr) continue;
    std::int64_t& first = call.firstNs[static_cast<std::size_t>(endpoint)];
    std::int64_t& last = call.lastNs[static_cast<std::size_t>(endpoint)];
    first = std::min(first, beginNs);
    last = std::max(last, endNs);
  }
  if (!recording_ || !arrives) return;
  Span span;
  span.startNs = beginNs - ledger_.originNs();
  span.durationNs = endNs - beginNs;
  span.bytes = transfer.count * kBytesPerElement;
  span.offset = call.base + transfer.offset;
  span.count = transfer.count;
  span.lane = topology_.linkLane(transfer.from, transfer.to);
  span.from = transfer.from;
  span.to = transfer.to;
  span.round = transfer.round;
  span.pack = call.pack;
  span.label = labelOf(call.label);
  span.kind = SpanKind::Transfer;
  span.clock = Clock::Measured;
  span.add = transfer.add;
  ledger_.transfers().push_back(span);
}

// Transfers of a round are independent, so whatever arrives first is added first.
void WireCollective::receiveAll(Call& call, const Round& round, std::vector<Incoming>& incoming) {
  std::size_t left = round.in.size();
  std::vector<bool> done(left, false);
  while (left > 0) {
    int from = -1;
    for (std::size_t i = 0; i < round.in.size(); ++i) {
      const Transfer& transfer = round.in[i];
      if (done[i]) continue;
      if (!peers_.test(incoming[i].request)) {
        from = topology_.hostOf(transfer.from);
        continue;
      }
      if (transfer.add) backend_.add(transfer.count, incoming[i].values.data(), call.at(transfer.to, transfer));
      note(call, transfer, incoming[i].beganNs, steadyNs(), true);
      done[i] = true;
      --left;
    }
    if (left > 0 && from >= 0) peers_.pause(from);
  }
  peers_.resume();
}

void WireCollective::carryOut(Call& call, const Round& round, std::vector<Incoming>& incoming, const Round* next,
                              std::vector<Incoming>& nextIncoming) {
  post(call, round, incoming, false);
  const std::int64_t beganNs = steadyNs();
  sending_.clear();
  for (const Transfer& transfer : round.out)
    sending_.emplace_back(peers_.send(topology_.hostOf(transfer.to), call.at(transfer.from, transfer),
                                      static_cast<std::size_t>(transfer.count * kBytesPerElement)),
                          topology_.hostOf(transfer.to));
  if (next != nullptr) post(call, *next, nextIncoming, true);  // into buffers of their own, so they may come early
  for (const Transfer& transfer : round.inside) {
    const std::int64_t beginNs = steadyNs();
    if (transfer.add)
      backend_.add(transfer.count, call.at(transfer.from, transfer), call.at(transfer.to, transfer));
    else
      backend_.copy(transfer.count, call.at(transfer.from, transfer), call.at(transfer.to, transfer));
    note(call, transfer, beginNs, steadyNs(), true);
  }
  for (Incoming& each : incoming) each.beganNs = std::max(each.beganNs, beganNs);
  receiveAll(call, round, incoming);
  for (auto& [request, to] : sending_) peers_.wait(request, to);
  const std::int64_t endNs = steadyNs();
  for (const Transfer& transfer : round.out) note(call, transfer, beganNs, endNs, false);
}

void WireCollective::cancelAll() {
  for (std::vector<Incoming>& round : incoming_)
    for (Incoming& each : round) peers_.cancel(each.request);
  for (auto& [request, to] : sending_) peers_.cancel(request);
}

void WireCollective::run(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
                         std::span<DeviceClock* const> clocks, Label label, int pack) {
  const Rounds& rounds = roundsOf(schedule, buffers);
  if (rounds.empty()) return;
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  Call call{base,
            buffers,
            label,
            pack,
            std::vector<std::int64_t>(buffers.size(), kNever),
            std::vector<std::int64_t>(buffers.size(), 0)};
  try {
    post(call, rounds.front(), incoming_[0], true);
    for (std::size_t k = 0; k < rounds.size(); ++k)
      carryOut(call, rounds[k], incoming_[k % 2], k + 1 < rounds.size() ? &rounds[k + 1] : nullptr,
               incoming_[(k + 1) % 2]);
  } catch (...) {
    cancelAll();  // the buffers go with the run
    throw;
  }
  for (std::size_t endpoint = 0; endpoint < clocks.size(); ++endpoint) {
    if (clocks[endpoint] == nullptr || call.lastNs[endpoint] == 0) continue;
    Span span;
    span.startNs = call.firstNs[endpoint] - ledger_.originNs();
    span.durationNs = call.lastNs[endpoint] - call.firstNs[endpoint];
    span.lane = clocks[endpoint]->lane();
    span.pack = pack;
    span.label = labelOf(label);
    span.kind = SpanKind::Reduce;
    span.clock = Clock::Measured;
    clocks[endpoint]->record(span);
  }
}

}  // namespace lab
