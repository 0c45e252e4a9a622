// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/machine_peak.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "core/base/aligned_buffer.h"
#include "core/device/cpu/paths.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// Returns the shortest of as many calls as fit into `time`, at least three.
template <typename Work>
double shortestSeconds(std::chrono::milliseconds time, const Work& work) {
  double best = 0;
  const Clock::time_point end = Clock::now() + time;
  for (int call = 0; call < 3 || Clock::now() < end; ++call) {
    const Clock::time_point begin = Clock::now();
    work();
    const double taken = seconds(Clock::now() - begin);
    if (call == 0 || taken < best) best = taken;
  }
  return best;
}

// Each thread walks over its own part of both arrays, several times if the parts are small.
MachinePeak::Level measureLevel(ThreadPool& pool, const CpuKernels& kernels, std::int64_t bytes) {
  constexpr std::int64_t kWorkBytes = std::int64_t{4} << 20;
  const std::int64_t threads = pool.threads(), part = bytes / threads / 2 / static_cast<std::int64_t>(sizeof(float)),
                     rounds = std::max<std::int64_t>(1, kWorkBytes / bytes);
  AlignedBuffer<float> a(part * threads), b(part * threads);
  const double taken = shortestSeconds(std::chrono::milliseconds(60), [&] {
    pool.forEach(threads, [&](std::int64_t i) {
      float* const own = a.data() + i * part;
      for (std::int64_t round = 0; round < rounds; ++round) kernels.triad(part, 0.5F, b.data() + i * part, own, own);
    });
  });
  return {bytes, 1.5 * static_cast<double>(2 * a.bytes() * rounds) / taken / 1e9};
}

}  // namespace

double MachinePeak::gbPerSec(double bytes) const {
  double most = levels.front().gbPerSec;
  for (const Level& level : levels)
    if (static_cast<double>(level.bytes) <= bytes / 2) most = level.gbPerSec;
  return most;
}

void MachinePeak::raiseTo(const MachinePeak& other) {
  multiplyAddGflops = std::max(multiplyAddGflops, other.multiplyAddGflops);
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i].gbPerSec = std::max(levels[i].gbPerSec, other.levels[i].gbPerSec);
}

MachinePeak measureMachinePeak(ThreadPool& pool) {
  const CpuKernels& kernels = *availableCpuKernels().front();
  const std::int64_t threads = pool.threads();
  MachinePeak peak;

  // Uses many short pieces, so that a delayed thread leaves its share to the others.
  constexpr std::int64_t kRounds = 2000, kPiecesPerThread = 16;
  const std::int64_t pieces = threads * kPiecesPerThread;
  std::atomic<float> kept{0};  // so that the compiler cannot drop the work
  const double registers = shortestSeconds(std::chrono::milliseconds(200), [&] {
    pool.forEach(pieces, [&](std::int64_t) { kept = kernels.multiplyAddRounds(kRounds); });
  });
  peak.multiplyAddGflops = static_cast<double>(pieces * kRounds) * kernels.peakFlop / registers / 1e9;
  for (const std::int64_t kib : {32, 256, 1024, 4096, 16 * 1024, 128 * 1024})
    peak.levels.push_back(measureLevel(pool, kernels, kib * 1024));
  return peak;
}

}  // namespace lab
