// SPDX-License-Identifier: GPL-3.0-or-later
// A class with one honest worker and one that sends the input: pieces of it are frames, some of them complete and
// nearly right. Nothing breaks, the honest worker stays, and all numbers stay finite.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/data/dataset.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/serving/class_session.h"
#include "core/serving/class_training.h"

namespace {

using namespace lab;
using namespace lab::serving;

const Token kToken{7};
constexpr int kHonest = 0, kOther = 1;

const ResolvedSettings& settings(Wire wire) {
  static const auto of = [](const char* wished) {
    RunSettings asked;
    configField("strategy").set(asked, "parameter-server");
    configField("network").set(asked, "mlp");
    configField("batch-per-replica").set(asked, "2");
    configField("steps").set(asked, "6");
    configField("wire").set(asked, wished);
    return resolve(asked);
  };
  static const ResolvedSettings whole = of("float32"), halves = of("bfloat16");
  return wire == Wire::Bfloat16 ? halves : whole;
}

std::shared_ptr<const Dataset> fewDigits() {
  static const std::shared_ptr<const Dataset> few = firstExamples(embeddedDigits(), 8, 4);
  return few;
}

// What the worker of a class that has just begun would send.
FrameBytes nearlyRight(std::uint8_t which, std::uint8_t value, std::uint32_t floats, Wire wire) {
  switch (which % 6) {
    case 0:
      return encode(Hello{.token = kToken});
    case 1:
      return encode(Pull{});
    case 2:
      return encode(Push{.closure = value, .version = value / 16U, .lossSum = 1, .correct = 1, .floats = floats});
    case 3:
      return encode(Asleep{value % 2 == 0});
    case 4:
      return encode(Leave{});
    default: {
      const std::size_t most = wire == Wire::Bfloat16 ? kMostShortsPerChunk : kMostFloatsPerChunk;
      const std::size_t first = value % 8U * most, rest = first < floats ? floats - first : most;
      const std::vector<float> values(value < 32 ? 1 + value : std::min(most, rest),
                                      value > 250 ? std::nanf("") : 0.01F);
      return encodeChunk(static_cast<std::uint32_t>(first), values, wire);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Wire wire = size % 2 == 0 ? Wire::Float32 : Wire::Bfloat16;
  int left = 0;
  std::vector<std::shared_ptr<const Suspect>> suspects;
  ClassEvents events{[](const ClassWorkerFacts&) {},
                     [](int) {},
                     [&](int worker, std::optional<Reason>) { left += worker == 0 ? 1 : 0; },
                     [](int) {},
                     [](const StepMetric& metric, const auto&, const auto&) {
                       if (!std::isfinite(metric.loss)) __builtin_trap();
                     },
                     [](std::int64_t, const Snapshot&) {},
                     [] {},
                     [](int) {},
                     [&](const std::shared_ptr<const Suspect>& suspect) { suspects.push_back(suspect); },
                     [](int, std::uint64_t) {}};
  ClassLimits limits;
  limits.checkShare = 1;
  ClassTraining training(settings(wire), fewDigits(), 1, {});
  ClassSession session(training, kToken, limits, events);
  (void)session.opened(kHonest, 0);
  session.received(kHonest, encode(Hello{.token = kToken}), 0);
  session.received(kHonest, encode(Pull{}), 0);
  const auto floats = static_cast<std::uint32_t>(training.variables().snapshot()->size());
  int connection = kOther;
  (void)session.opened(connection, 0);
  std::int64_t ns = 0;
  for (std::size_t at = 0; at + 2 <= size; ns += 1'000'000) {
    const std::uint8_t which = data[at], value = data[at + 1];
    at += 2;
    if (which < 128) {
      session.received(connection, nearlyRight(which, value, floats, wire), ns);
    } else if (which < 250) {
      const std::size_t length = std::min<std::size_t>(value, size - at);
      session.received(connection, {data + at, length}, ns);
      at += length;
    } else if (which < 253) {
      session.tick(ns);
    } else {
      session.closed(connection, ns);
      (void)session.opened(++connection, ns);
    }
    // Some false workers are found out, both present and departed ones.
    if (value % 3 != 0)
      for (const auto& suspect : std::exchange(suspects, {}))
        session.checked(*suspect, value % 3 == 1 || suspect->connection == kHonest, 1, ns);
    for (int each : {kHonest, connection})
      while (session.next(each)) {
      }
    session.heard(kHonest, ns);
  }
  if (left != 0) __builtin_trap();
  const std::vector<float>& values = *training.variables().snapshot();
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) __builtin_trap();
  return 0;
}
