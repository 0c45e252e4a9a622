// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster_state.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"

namespace lab {
namespace {

constexpr const char* kSpansTensor = "in_flight/spans";

// Whole numbers are stored as digits to the base of 2^16, which floats hold exactly; negative numbers as two's
// complement.
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
                                      std::int64_t{span.track}, std::int64_t{span.from}, std::int64_t{span.to},
                                      std::int64_t{span.label}, static_cast<std::int64_t>(span.kind), span.launchNs})
      append(digits, number);
  return digits;
}

// Reads the spans of asynchronous steps: these have no round and no pack, and a span outlasts its step only where time
// is modelled.
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
    span.track = reader.next<std::int32_t>();
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

nlohmann::json ClusterState::save(TensorFile& checkpoint) const {
  nlohmann::json state;
  statistics_.save(checkpoint);
  for (int r = 0; r < parts_.replicas(); ++r) state["replicas"].push_back(parts_.replica(r).clock.nowNs());
  for (const auto& device : parts_.parameterDevices) {
    state["parameterDevices"].push_back(device->clock.nowNs());
    state["versions"].push_back(device->version);
  }
  for (const DeviceClock& host : parts_.hostClocks) state["hosts"].push_back(host.nowNs());
  state["stepBegin"] = parts_.ledger.beganNs();
  for (int r = 0; r < parts_.replicas(); ++r)
    for (const Replica::Edit& edit : parts_.replica(r).edits)
      if (edit.appliedIn > 0) state["edited"].push_back({{"id", edit.id}, {"step", edit.appliedIn}});
  if (!dead_.all().empty()) state["dead"] = dead_.save();
  if (!parts_.asynchronous()) return state;
  workers_.save(state);
  std::vector<float> spans = numbersOf(parts_.ledger.spans());
  checkpoint.tensors[kSpansTensor] = {{std::ssize(spans)}, std::move(spans)};
  return state;
}

nlohmann::json ClusterState::clocksAt(const nlohmann::json& others, std::int64_t steps) const {
  LAB_CHECK(!parts_.asynchronous());
  TensorFile none;
  nlohmann::json state = save(none);
  std::int64_t nowNs = 0;
  for (const nlohmann::json& clock : others.at("replicas")) nowNs = std::max(nowNs, integerOf<std::int64_t>(clock));
  for (const char* devices : {"replicas", "parameterDevices", "hosts"})
    if (const auto found = state.find(devices); found != state.end())
      for (nlohmann::json& clock : *found) clock = nowNs;
  if (const auto versions = state.find("versions"); versions != state.end())
    for (nlohmann::json& version : *versions) version = steps;
  state["stepBegin"] = others.at("stepBegin");
  return state;
}

// Edits that have not been applied are not in `made`.
void ClusterState::loadEdits(const nlohmann::json& made) {
  for (int r = 0; r < parts_.replicas(); ++r)
    for (Replica::Edit& edit : parts_.replica(r).edits) {
      edit.appliedIn = 0;
      for (const nlohmann::json& one : made)
        if (integerOf<int>(one.at("id")) == edit.id) edit.appliedIn = integerOf<std::int64_t>(one.at("step"));
    }
}

void ClusterState::load(const nlohmann::json& state, const TensorFile& checkpoint) {
  (void)parts_.group->setOneCopy(nullptr);
  for (int r = 0; r < parts_.replicas(); ++r)
    parts_.replica(r).clock.setModelled(integerOf<std::int64_t>(state.at("replicas").at(static_cast<std::size_t>(r))));
  for (std::size_t i = 0; i < parts_.parameterDevices.size(); ++i) {
    parts_.parameterDevices[i]->clock.setModelled(integerOf<std::int64_t>(state.at("parameterDevices").at(i)));
    parts_.parameterDevices[i]->version = integerOf<std::int64_t>(state.at("versions").at(i));
  }
  for (std::size_t i = 0; i < parts_.hostClocks.size(); ++i)
    parts_.hostClocks[i].setModelled(integerOf<std::int64_t>(state.at("hosts").at(i)));
  if (parts_.clock() == TimeSource::Modelled) parts_.ledger.setBegan(integerOf<std::int64_t>(state.at("stepBegin")));
  statistics_.load(checkpoint);
  loadEdits(state.value("edited", nlohmann::json::array()));
  dead_.load(state.value("dead", nlohmann::json::array()));
  if (!parts_.asynchronous()) return;
  workers_.load(state);
  parts_.ledger.spans() = spansOf(checkpoint.tensors.at(kSpansTensor).values, parts_.topology.legend());
}

}  // namespace lab
