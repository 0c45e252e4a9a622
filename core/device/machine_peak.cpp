// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/machine_peak.h"

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

// The shortest of as many calls as fit in 0.2 s, three at least.
template <typename Work>
double shortestSeconds(const Work& work) {
  double best = 0;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(200);
  for (int call = 0; call < 3 || Clock::now() < end; ++call) {
    const Clock::time_point begin = Clock::now();
    work();
    const double taken = seconds(Clock::now() - begin);
    if (call == 0 || taken < best) best = taken;
  }
  return best;
}

}  // namespace

MachinePeak measureMachinePeak(ThreadPool& pool) {
  const CpuKernels& kernels = *availableCpuKernels().front();
  const std::int64_t threads = pool.threads();
  MachinePeak peak;

  // Many short pieces, so that a thread that is held up leaves its share to the others.
  constexpr std::int64_t kRounds = 2000, kPiecesPerThread = 16;
  const std::int64_t pieces = threads * kPiecesPerThread;
  std::atomic<float> kept{0};  // so that the compiler cannot drop the work
  const double registers =
      shortestSeconds([&] { pool.forEach(pieces, [&](std::int64_t) { kept = kernels.multiplyAddRounds(kRounds); }); });
  peak.multiplyAddGflops = static_cast<double>(pieces * kRounds) * kernels.peakFlop / registers / 1e9;

  constexpr std::int64_t kFloats = std::int64_t{1} << 24, kPiece = std::int64_t{1} << 16;  // 64 MiB an array
  AlignedBuffer<float> a(kFloats), b(kFloats), c(kFloats);
  const double memory = shortestSeconds([&] {
    pool.forEach(kFloats / kPiece, [&](std::int64_t i) {
      kernels.triad(kPiece, 0.5F, b.data() + i * kPiece, c.data() + i * kPiece, a.data() + i * kPiece);
    });
  });
  peak.triadGbPerSec = 3.0 * static_cast<double>(a.bytes()) / memory / 1e9;
  return peak;
}

}  // namespace lab
