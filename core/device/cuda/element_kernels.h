// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with one thread per element: relu's gradient, the optimizers, bfloat16 rounding, addition, comparison.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"

namespace lab::gpu {

// Calls body with the thread's element `i`, if it has one.
template <typename Block, typename Body>
LAB_DEVICE void eachElement(Block& block, std::int64_t size, const Body& body) {
  block.threads([&](int t) {
    const std::int64_t i = block.x() * kElementThreads + t;
    if (i < size) body(i);
  });
}

struct ReluBackwardKernel {
  using Args = ReluBackwardArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      if (a.y[i] <= 0) a.dy[i] = 0;
    });
  }
};

struct AdamKernel {
  using Args = AdamArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const float gradient = a.gradient[i];
      const float m = a.m[i] + (gradient - a.m[i]) * a.complement1;
      const float v = a.v[i] + (gradient * gradient - a.v[i]) * a.complement2;
      a.m[i] = m;
      a.v[i] = v;
      a.weights[i] -= *a.learningRate * m / (sqrtf(v) + a.epsilon);
    });
  }
};

struct SgdKernel {
  using Args = SgdArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const float change = *a.learningRate * a.gradient[i];
      if (a.velocity == nullptr) {
        a.weights[i] -= change;
        return;
      }
      const float velocity = a.momentum * a.velocity[i] - change;
      a.velocity[i] = velocity;
      a.weights[i] += velocity;
    });
  }
};

// Rounds to the nearest bfloat16, ties to even; a NaN stays a quiet NaN. Works on bits, so denormals are not flushed.
struct RoundToBfloat16Kernel {
  using Args = RoundArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const std::uint32_t bits = a.in[i];
      const bool isNan = (bits & 0x7fffffffU) > 0x7f800000U;
      const std::uint32_t half = 0x7fffU + ((bits >> 16) & 1U);
      a.out[i] = (isNan ? bits | 0x00400000U : bits + half) & 0xffff0000U;
    });
  }
};

struct AddKernel {
  using Args = AddArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) { a.destination[i] += a.source[i]; });
  }
};

// Every thread that finds a difference writes the same 1.
struct CompareKernel {
  using Args = CompareArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      if (a.a[i] != a.b[i]) *a.differs = 1;
    });
  }
};

struct DigestKernel {
  using Args = DigestArgs;
  static constexpr int kThreads = kElementThreads;
  struct Shared {
    std::uint64_t sums[kThreads];
  };
  // SplitMix64's mixing, made odd (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014).
  LAB_DEVICE static std::uint64_t factorOf(std::int64_t word) {
    std::uint64_t x = static_cast<std::uint64_t>(word + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return (x ^ (x >> 31)) | 1;
  }
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    block.threads([&](int t) {
      std::uint64_t sum = 0;
      for (std::int64_t i = block.x() * kThreads + t; i < a.size; i += std::int64_t{kDigestShares} * kThreads)
        sum += a.words[i] * factorOf(i);
      shared.sums[t] = sum;
    });
    for (int half = kThreads / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t < half) shared.sums[t] += shared.sums[t + half];
      });
    block.threads([&](int t) {
      if (t == 0) a.sums[block.x()] = shared.sums[0];
    });
  }
};

}  // namespace lab::gpu
