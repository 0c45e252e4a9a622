// SPDX-License-Identifier: GPL-3.0-or-later
// The thin layer between this program and GPUs: memory, streams, events, and lists of commands. The CUDA module
// implements it on real GPUs; tests implement it on the processor (tests/support/emulated_gpus.h), so that they cover
// all host logic above it without a GPU.
// A step is a list of commands, as plain values, so a repeated list can be launched as one graph.
// Only one thread at a time may call these functions. Failures are UserErrors of kind Run: out of memory, a lost GPU,
// an NCCL error. After a lost GPU every call fails at once, with the same sentence. Nothing is freed then and nothing
// needs to be, because CUDA requires a new process.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/message.h"
#include "core/device/cuda/kernels.h"

namespace lab::gpu {

struct GpuInfo {
  std::string name;          // "NVIDIA H100 80GB HBM3"
  std::string address;       // PCI
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  double fp32Gflops = 0;  // at its highest clock, from the number of its float32 lanes; 0 if unknown
  std::int64_t memoryBytes = 0;
  bool isMig = false;
};

// The layer numbers streams and events itself. Commands of one stream are executed in order; only events order commands
// of different streams. A list that is to become a graph must obey these rules: the first command's stream is the
// origin; another stream's first command waits for an event recorded earlier in the list; and the origin finally waits
// for the last events of all streams.
enum class Action : std::uint8_t {
  Launch,     // a kernel
  Copy,       // bytes, between any memories
  Clear,      // bytes, to zero
  Record,     // an event that other streams wait for
  Wait,       // the stream waits for an event
  Stamp,      // an event whose time is read
  AllReduce,  // NCCL; the commands of all ranks are adjacent
  RangeBegin,
  RangeEnd,  // NVTX, on the host, where commands are enqueued
};

struct CopyArgs {
  void* to;
  const void* from;
  std::int64_t bytes;
};
struct AllReduceArgs {
  float* buffer;  // in place
  std::int64_t count;
  std::int64_t rank;
};
struct RangeArgs {
  char name[32];
};

struct Command {
  Action action = Action::Launch;
  std::uint8_t unused = 0;
  KernelId kernel = KernelId::Gather;
  std::int32_t stream = 0;
  std::int32_t event = -1;
  std::int32_t gridX = 1, gridY = 1, gridZ = 1;
  std::array<std::uint64_t, 16> args{};  // the bytes of the action's arguments; the rest is zero

  template <typename Args>
  void set(const Args& value) {
    static_assert(std::is_trivially_copyable_v<Args> && sizeof(Args) <= sizeof(args));
    std::memcpy(args.data(), &value, sizeof(Args));
  }
  template <typename Args>
  Args get() const {
    Args value;
    std::memcpy(&value, args.data(), sizeof(Args));
    return value;
  }
  bool operator==(const Command&) const = default;
};

// Shared by the ranks of one NCCL communicator, in all processes (ncclUniqueId).
struct NcclId {
  std::array<char, 128> bytes{};
};

class Layer {
 public:
  virtual ~Layer() = default;

  virtual const std::vector<GpuInfo>& gpus() const = 0;  // the usable ones
  virtual std::string description() const = 0;           // "CUDA 13.0, driver for CUDA 13.0, NCCL 2.28.3"

  virtual std::int64_t freeBytes(int gpu) = 0;
  virtual void* allocate(int gpu, std::int64_t bytes) = 0;
  virtual void release(int gpu, void* memory) noexcept = 0;
  // Host memory that GPUs read and write directly.
  virtual void* allocatePinned(std::int64_t bytes) = 0;
  virtual void releasePinned(void* memory) noexcept = 0;
  // Page-locks memory that was allocated elsewhere, so that copies are as fast. Best effort.
  virtual void pin(void* memory, std::int64_t bytes) noexcept = 0;
  virtual void unpin(void* memory) noexcept = 0;

  virtual int createStream(int gpu) = 0;
  virtual int createEvent(int gpu, bool timed) = 0;  // stamps need timed ones

  // Enqueues commands in order.
  virtual void submit(std::span<const Command> commands) = 0;
  // Creates one graph of the commands. 0 means no graph.
  virtual int createGraph(std::span<const Command> commands) = 0;
  virtual void launchGraph(int graph) = 0;
  virtual void destroyGraph(int graph) noexcept = 0;

  virtual void waitForEvent(int event) = 0;  // blocks the host until the event has happened
  virtual void waitForStream(int stream) = 0;
  // Returns the time between two stamps of one GPU; both must have happened.
  virtual std::int64_t elapsedNs(int from, int to) = 0;

  virtual Message whyNoNccl() = 0;  // empty if NCCL can be used
  // Sets the ranks of every later AllReduce: rank r is on gpus[r]. NCCL needs a different GPU for each rank.
  virtual void createRanks(std::span<const int> gpus) = 0;
  // The same for `total` ranks in several processes: this process has those from `first` on, and AllReduce's rank
  // counts from `first`. All processes call it at the same time, with the id that one of them has made.
  virtual NcclId newNcclId() = 0;
  virtual void joinRanks(std::span<const int> gpus, int first, int total, const NcclId& id) = 0;
  // Sets a function that is called repeatedly while the host waits for a GPU or for other ranks. An exception from it
  // ends the wait, and the GPUs are then treated as lost.
  virtual void whileWaiting(std::function<void()> look) = 0;
};

// What the module exports as `strategylabOpenCuda`. The function sets `layer`, or writes why GPUs cannot be used.
// `interface` must equal the module's own: classes are passed, so both sides must come from the same build.
using OpenLayer = void (*)(const char* interface, Layer** layer, Message* why);
inline constexpr const char* kOpenLayerSymbol = "strategylabOpenCuda";
inline constexpr const char* kInterface = "strategylab gpu layer 5, g++ " __VERSION__;

}  // namespace lab::gpu
