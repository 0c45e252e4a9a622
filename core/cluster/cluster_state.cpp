// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint keeps of a cluster: where every clock stands, and what an asynchronous one has under way.
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
  for (const auto& r : replicas_) state["replicas"].push_back(r->clock.nowNs());
  for (const auto& device : parameterDevices_) {
    state["parameterDevices"].push_back(device->clock.nowNs());
    state["versions"].push_back(device->version);
  }
  for (const DeviceClock& host : hostClocks_) state["hosts"].push_back(host.nowNs());
  state["stepBegin"] = stepBeginNs_;
  if (!asynchronous()) return state;
  state["servers"] = servers_.save();
  state["done"] = doneNs_;
  for (const auto& r : replicas_) {
    state["busy"].push_back(r->clock.busyNs());
    state["computedWith"].push_back(r->version);
  }
  if (clock() == Clock::Measured)
    for (const StepTimes& cycle : cycles_) state["cycles"].push_back({cycle.computeNs, cycle.communicationNs});
  std::vector<float> spans = numbersOf(stepSpans_);
  checkpoint.tensors[kSpansTensor] = {{std::ssize(spans)}, std::move(spans)};
  return state;
}

void Cluster::load(const nlohmann::json& state, const TensorFile& checkpoint) {
  for (std::size_t i = 0; i < replicas_.size(); ++i)
    replicas_[i]->clock.setModelled(state.at("replicas").at(i).get<std::int64_t>());
  for (std::size_t i = 0; i < parameterDevices_.size(); ++i) {
    parameterDevices_[i]->clock.setModelled(state.at("parameterDevices").at(i).get<std::int64_t>());
    parameterDevices_[i]->version = state.at("versions").at(i).get<std::int64_t>();
  }
  for (std::size_t i = 0; i < hostClocks_.size(); ++i)
    hostClocks_[i].setModelled(state.at("hosts").at(i).get<std::int64_t>());
  if (clock() == Clock::Modelled) stepBeginNs_ = state.at("stepBegin").get<std::int64_t>();
  if (!asynchronous()) return;
  if (state.contains("arrivals")) throw UserError(say::olderAsyncCheckpoint);
  servers_.load(state.at("servers"));
  doneNs_ = state.at("done").get<std::int64_t>();
  for (std::size_t i = 0; i < replicas_.size(); ++i) {
    replicas_[i]->clock.setBusyNs(state.at("busy").at(i).get<std::int64_t>());
    replicas_[i]->version = state.at("computedWith").at(i).get<std::int64_t>();
  }
  if (const auto cycles = state.find("cycles"); cycles != state.end()) {  // checkpoints of earlier versions have none
    for (std::size_t i = 0; i < cycles_.size(); ++i) {
      cycles_[i].computeNs = cycles->at(i).at(0).get<std::int64_t>();
      cycles_[i].communicationNs = cycles->at(i).at(1).get<std::int64_t>();
      LAB_CHECK(cycles_[i].computeNs >= 0 && cycles_[i].communicationNs >= 0);
    }
  }
  stepSpans_ = spansOf(checkpoint.tensors.at(kSpansTensor).values, topology_.legend());
}

}  // namespace lab
