// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint keeps of a cluster: where every clock stands, and what an asynchronous one has under way.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/cluster/messages.h"

namespace lab {
namespace {

constexpr const char* kSpansTensor = "in_flight/spans";

// Whole numbers as digits to the base of 2^16, which floats hold exactly; negative ones as two's complement.
constexpr int kDigits = 4, kBitsPerDigit = 16;

void append(std::vector<float>& digits, std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number);
  for (int i = 0; i < kDigits; ++i, bits >>= kBitsPerDigit) digits.push_back(static_cast<float>(bits & 0xffff));
}

class NumberReader {
 public:
  explicit NumberReader(const std::vector<float>& digits) : digits_(digits) {}
  bool atEnd() const { return next_ == digits_.size(); }

  template <typename T>
  T next() {
    LAB_CHECK(digits_.size() - next_ >= kDigits);
    std::uint64_t bits = 0;
    for (int i = 0; i < kDigits; ++i, ++next_) {
      LAB_CHECK(digits_[next_] >= 0 && digits_[next_] <= 0xffff);
      bits |= static_cast<std::uint64_t>(digits_[next_]) << (i * kBitsPerDigit);
    }
    const auto number = static_cast<std::int64_t>(bits);
    LAB_CHECK(number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max());
    return static_cast<T>(number);
  }

 private:
  const std::vector<float>& digits_;
  std::size_t next_ = 0;
};

std::vector<float> numbersOf(const std::vector<Span>& spans) {
  std::vector<float> digits;
  for (const Span& span : spans)
    for (const std::int64_t number : {span.startNs, span.durationNs, span.step, span.bytes, span.offset, span.count,
                                      std::int64_t{span.lane}, std::int64_t{span.from}, std::int64_t{span.to},
                                      std::int64_t{span.label}, static_cast<std::int64_t>(span.kind), span.launchNs})
      append(digits, number);
  return digits;
}

// Spans of an asynchronous step have no round and no pack, and time is modelled where any outlasts its step.
std::vector<Span> spansOf(const std::vector<float>& digits, const TraceLegend& legend) {
  std::vector<Span> spans;
  for (NumberReader reader(digits); !reader.atEnd();) {
    Span span;
    span.startNs = reader.next<std::int64_t>();
    span.durationNs = reader.next<std::int64_t>();
    span.step = reader.next<std::int64_t>();
    span.bytes = reader.next<std::int64_t>();
    span.offset = reader.next<std::int64_t>();
    span.count = reader.next<std::int64_t>();
    span.lane = reader.next<std::int32_t>();
    span.from = reader.next<std::int32_t>();
    span.to = reader.next<std::int32_t>();
    span.label = reader.next<std::uint16_t>();
    span.kind = static_cast<SpanKind>(reader.next<std::uint8_t>());
    span.launchNs = reader.next<std::int64_t>();
    LAB_CHECK(span.kind <= SpanKind::Startup && isValid(span, legend));
    spans.push_back(span);
  }
  return spans;
}

}  // namespace

nlohmann::json Cluster::save(TensorFile& checkpoint) const {
  nlohmann::json state;
  saveStatistics(checkpoint);
  for (int r = 0; r < replicas(); ++r) state["replicas"].push_back(group_->replica(r).clock.nowNs());
  for (const auto& device : parameterDevices_) {
    state["parameterDevices"].push_back(device->clock.nowNs());
    state["versions"].push_back(device->version);
  }
  for (const DeviceClock& host : hostClocks_) state["hosts"].push_back(host.nowNs());
  state["stepBegin"] = ledger_.beganNs();
  for (int r = 0; r < replicas(); ++r)
    for (const Replica::Edit& edit : group_->replica(r).edits)
      if (edit.appliedIn > 0) state["edited"].push_back({{"id", edit.id}, {"step", edit.appliedIn}});
  if (!dead_.empty()) state["dead"] = saveDead();
  if (!asynchronous()) return state;
  state["servers"] = servers_.save();
  state["done"] = doneNs_;
  for (int r = 0; r < replicas(); ++r) state["computedWith"].push_back(group_->replica(r).version);
  if (clock() == TimeSource::Measured)
    for (const StepTimes& cycle : cycles_) state["cycles"].push_back({cycle.computeNs, cycle.communicationNs});
  std::vector<float> spans = numbersOf(ledger_.spans());
  checkpoint.tensors[kSpansTensor] = {{std::ssize(spans)}, std::move(spans)};
  return state;
}

nlohmann::json Cluster::clocksAt(const nlohmann::json& others, std::int64_t steps) const {
  LAB_CHECK(!asynchronous());
  TensorFile none;
  nlohmann::json state = save(none);
  std::int64_t nowNs = 0;
  for (const nlohmann::json& clock : others.at("replicas")) nowNs = std::max(nowNs, clock.get<std::int64_t>());
  for (const char* devices : {"replicas", "parameterDevices", "hosts"})
    if (const auto found = state.find(devices); found != state.end())
      for (nlohmann::json& clock : *found) clock = nowNs;
  if (const auto versions = state.find("versions"); versions != state.end())
    for (nlohmann::json& version : *versions) version = steps;
  state["stepBegin"] = others.at("stepBegin");
  return state;
}

// What has not been made is not there.
void Cluster::loadEdits(const nlohmann::json& made) {
  for (int r = 0; r < replicas(); ++r)
    for (Replica::Edit& edit : replica(r).edits) {
      edit.appliedIn = 0;
      for (const nlohmann::json& one : made)
        if (one.at("id").get<int>() == edit.id) edit.appliedIn = one.at("step").get<std::int64_t>();
    }
}

void Cluster::load(const nlohmann::json& state, const TensorFile& checkpoint) {
  (void)group_->setOneCopy(nullptr);
  const auto each = [this](const nlohmann::json& values, const auto& body) {
    for (int r = 0; r < replicas(); ++r)
      body(replica(r), values.at(static_cast<std::size_t>(r)).template get<std::int64_t>());
  };
  each(state.at("replicas"), [](Replica& replica, std::int64_t ns) { replica.clock.setModelled(ns); });
  for (std::size_t i = 0; i < parameterDevices_.size(); ++i) {
    parameterDevices_[i]->clock.setModelled(state.at("parameterDevices").at(i).get<std::int64_t>());
    parameterDevices_[i]->version = state.at("versions").at(i).get<std::int64_t>();
  }
  for (std::size_t i = 0; i < hostClocks_.size(); ++i)
    hostClocks_[i].setModelled(state.at("hosts").at(i).get<std::int64_t>());
  if (clock() == TimeSource::Modelled) ledger_.setBegan(state.at("stepBegin").get<std::int64_t>());
  loadStatistics(checkpoint);
  loadEdits(state.value("edited", nlohmann::json::array()));
  loadDead(state.value("dead", nlohmann::json::array()));
  if (!asynchronous()) return;
  if (state.contains("arrivals")) throw UserError(say::olderAsyncCheckpoint);
  servers_.load(state.at("servers"));
  doneNs_ = state.at("done").get<std::int64_t>();
  each(state.at("computedWith"), [](Replica& replica, std::int64_t version) { replica.version = version; });
  if (const auto cycles = state.find("cycles"); cycles != state.end()) {  // checkpoints of earlier versions have none
    for (std::size_t i = 0; i < cycles_.size(); ++i) {
      cycles_[i].computeNs = cycles->at(i).at(0).get<std::int64_t>();
      cycles_[i].communicationNs = cycles->at(i).at(1).get<std::int64_t>();
      LAB_CHECK(cycles_[i].computeNs >= 0 && cycles_[i].communicationNs >= 0);
    }
  }
  ledger_.spans() = spansOf(checkpoint.tensors.at(kSpansTensor).values, topology_.legend());
}

}  // namespace lab
