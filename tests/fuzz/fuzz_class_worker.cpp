// SPDX-License-Identifier: GPL-3.0-or-later
// A native worker whose server sends the input: pieces of it are frames, some of them complete and nearly right. The
// worker goes on, or ends with a UserError; its work has the sizes of its network.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/network_text.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/protocol/class_worker.h"

namespace {

using namespace lab;
using namespace lab::serving;

const NeuralNetwork& network() {
  static const auto mlp = [] {
    RunSettings asked;
    configField("strategy").set(asked, "parameter-server");
    configField("network").set(asked, "mlp");
    return networkOf(resolve(asked));
  }();
  return *mlp;
}

FrameBytes nearlyRight(std::uint8_t which, std::uint8_t value, Wire wire) {
  const auto floats = static_cast<std::uint32_t>(network().layout().size());
  const std::uint64_t closure = value % 4U;
  switch (which % 8) {
    case 0:
      return encode(Welcome{.worker = value,
                            .name = "Otter 1",
                            .strategy = "parameter-server",
                            .network = networkText(network()),
                            .steps = 9,
                            .mostExamples = 4,
                            .weights = floats,
                            .wire = wire});
    case 1: {
      const auto size = static_cast<std::uint32_t>(network().inputSize());
      return encode(Pictures{size, {value}, {static_cast<std::uint8_t>(value % 11)}, std::vector<std::uint8_t>(size)});
    }
    case 2:
      return encode(Closure{.number = closure, .scale = 1, .examples = {value, value}});
    case 3:
      return encode(Variables{.closure = closure, .version = value, .floats = floats});
    case 4:
      return encode(Applied{.closure = closure, .version = value, .staleness = value});
    case 5:
      return encode(Refused{.closure = closure});
    case 6:
      return value % 2 == 0 ? encode(Progress{.updates = value}) : encode(Pause{value % 4 == 1});
    default: {
      const std::size_t most = wire == Wire::Bfloat16 ? kMostShortsPerChunk : kMostFloatsPerChunk;
      const std::size_t first = value % 8 * most;
      const std::vector<float> values(std::min(most, first < floats ? floats - first : most), 0.5F);
      return encodeChunk(static_cast<std::uint32_t>(first), values, wire);
    }
  }
}

// Works as a worker's program does, with a gradient of zeros.
void compute(ClassWorker& worker) {
  const auto job = worker.takeJob();
  if (!job) return;
  const auto floats = static_cast<std::size_t>(network().layout().size() + network().statistics().size());
  if (job->labels.empty() || job->variables.size() != floats ||
      job->pixels.size() != job->labels.size() * static_cast<std::size_t>(network().inputSize()))
    __builtin_trap();
  worker.finish({.closure = job->closure, .version = job->version, .gradients = std::vector<float>(floats)});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Wire wire = size % 2 == 0 ? Wire::Float32 : Wire::Bfloat16;
  ClassWorker worker(Token{7}, "avx2", "Ada");
  try {
    worker.received(nearlyRight(0, 0, wire));
    for (std::size_t at = 0; at + 2 <= size;) {
      const std::uint8_t which = data[at], value = data[at + 1];
      at += 2;
      if (which < 160) {
        worker.received(nearlyRight(which, value, wire));
      } else {
        const std::size_t length = std::min<std::size_t>(value, size - at);
        worker.received({data + at, length});
        at += length;
      }
      // Welcome comes only once, so no work for another network is ever computed.
      if (value % 3 != 0) compute(worker);
      while (value % 5 != 0 && worker.next()) {
      }
    }
  } catch (const UserError&) {
  }
  return 0;
}
