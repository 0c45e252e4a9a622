// SPDX-License-Identifier: GPL-3.0-or-later
// Lets one source of a kernel run on a GPU and, for tests, on the processor. A kernel is written for a block, in
// phases: `block.threads(body)` runs body(t) for every thread t of the block and then synchronises all of them. On the
// GPU this is the thread itself and __syncthreads(); on the processor it is a loop over t. What a thread keeps from one
// phase to the next lies in a PerThread; what a block shares lies in the kernel's Shared. Code between phases must be
// the same for all threads of a block, so no thread can miss a barrier.
// Because of the `#if`s in this file, kernels need none.
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#define LAB_DEVICE __device__ __forceinline__
#define LAB_UNROLL _Pragma("unroll")
#define LAB_UNROLL_4 _Pragma("unroll 4")
#else
#define LAB_DEVICE inline
#define LAB_UNROLL
#define LAB_UNROLL_4
#endif

namespace lab::gpu {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int kThreadsTogether = 1024;  // the most that a multiprocessor can run at once
#else
inline constexpr int kThreadsTogether = 1536;
#endif

// What one thread moves at once: up to sixteen bytes.
template <int size>
struct alignas(4 * size) Floats {
  float v[size];
};
using Four = Floats<4>;
struct alignas(4) FourBytes {
  std::uint8_t v[4];
};

// a·b + c: rounded once on a GPU, twice on the processor. All other arithmetic is rounded the same way on both, because
// the compiler contracts nothing else (-fmad=false).
LAB_DEVICE float multiplyAdd(float a, float b, float c) {
#if defined(__CUDACC__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

#if defined(__CUDACC__)
// A block on a GPU.
struct CudaBlock {
  LAB_DEVICE std::int64_t x() const { return blockIdx.x; }
  LAB_DEVICE std::int64_t y() const { return blockIdx.y; }
  LAB_DEVICE std::int64_t z() const { return blockIdx.z; }

  // A kernel may begin while the previous kernel in its stream still runs (programmatic dependent launch). This call
  // waits until the previous kernel is complete and its writes are visible; since that kernel has waited in the same
  // way, so are all earlier ones. Only then may the next kernel start. Does nothing in a kernel launched without this
  // feature.
  LAB_DEVICE void waitForKernelsBefore() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
  }

  template <typename Body>
  LAB_DEVICE void threads(const Body& body) {
    body(static_cast<int>(threadIdx.x));
    __syncthreads();
  }

  template <typename T>
  struct PerThread {
    T value;
    LAB_DEVICE explicit PerThread(const CudaBlock&) {}
    LAB_DEVICE T& operator[](int) { return value; }
  };
};
#endif

}  // namespace lab::gpu
