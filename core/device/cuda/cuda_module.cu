// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA module: the device layer on real GPUs. A shared library, opened at run time by gpu_module.cpp, that links to
// nothing of this program. It contains CUDA's runtime, which opens the driver itself: without a driver, the module
// still loads and can say so.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "core/base/messages.h"
#include "core/device/cuda/cuda_nccl.h"
#include "core/device/cuda/every_kernel.h"
#include "core/device/cuda/gpu_errors.h"
#include "core/device/cuda/gpu_layer.h"
#include "core/device/messages.h"

namespace lab::gpu {
namespace {

constexpr int kOldestMajor = 7, kOldestMinor = 5;
constexpr int kOverlapMajor = 9;                  // from here on a kernel can begin while the previous one still runs
constexpr std::int64_t kRoundsBetweenLooks = 64;  // while the host waits for a step of several GPUs

template <typename Kernel>
constexpr int blocksTogether() {
  if constexpr (requires { Kernel::kBlocksTogether; })
    return std::min(Kernel::kBlocksTogether, kThreadsTogether / Kernel::kThreads);
  return 1;
}

// Every kernel waits before it touches anything, so any kernel may be launched while the previous one still runs.
template <typename Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, blocksTogether<Kernel>()) entry(const typename Kernel::Args args) {
  static_assert(Kernel::kThreads <= 1024 && sizeof(typename Kernel::Shared) <= 48 * 1024);  // within every GPU's limits
  __shared__ typename Kernel::Shared shared;
  CudaBlock block;
  block.waitForKernelsBefore();
  Kernel::run(block, args, shared);
}

struct Entry {
  const void* function = nullptr;
  unsigned threads = 0;
};

Entry entryOf(KernelId id) {
  Entry result;
  visitKernel(id, [&](auto kernel) {
    using Kernel = typename decltype(kernel)::Type;
    result = {reinterpret_cast<const void*>(&entry<Kernel>), static_cast<unsigned>(Kernel::kThreads)};
  });
  return result;
}

std::string versionText(int version) {  // 13000 is 13.0
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Returns the float32 lanes of a multiprocessor (CUDA C++ Programming Guide, throughput of arithmetic instructions).
int lanesOf(int major, int minor) {
  return major == 7 || (major == 8 && minor == 0) ? 64 : 128;
}

std::string textOf(cudaError_t error) {
  return std::string(cudaGetErrorString(error)) + ", " + cudaGetErrorName(error);
}

// Returns whether the call itself was wrong; the GPU and its context are then unchanged.
bool isOurMistake(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidDevice:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorIllegalState:
    case cudaErrorNotReady:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorNotPermitted:
    case cudaErrorNotSupported:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
    case cudaErrorStreamCaptureMerge:
    case cudaErrorStreamCaptureUnmatched:
    case cudaErrorStreamCaptureUnjoined:
    case cudaErrorStreamCaptureIsolation:
    case cudaErrorStreamCaptureImplicit:
    case cudaErrorCapturedEvent:
    case cudaErrorStreamCaptureWrongThread:
      return true;
    default:
      return false;
  }
}

// Returns whether the driver was to make code for this GPU from PTX, and could not. The GPU is then unchanged.
bool isOfMakingCode(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidKernelImage:
    case cudaErrorInvalidPtx:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilationDisabled:
      return true;
    default:
      return false;
  }
}

std::string visibleDevices() {
  const char* value = std::getenv("CUDA_VISIBLE_DEVICES");
  return value == nullptr ? "" : std::string(value);
}

// Returns the CUDA version that the driver supports, 12040 for 12.4; 0 if unknown, -1 without a driver. CUDA's runtime
// returns 0 for a driver that lacks what it needs; the driver itself is asked then.
int driverVersion() {
  int version = 0;
  if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0) return version;
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return -1;
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
  if (ask == nullptr || ask(&version) != 0) version = 0;
  dlclose(library);
  return version;
}

// Returns why there is no device; a sentence without its full stop.
Message whyNoDevice(cudaError_t error) {
  if (error == cudaErrorInsufficientDriver) {
    const int driver = driverVersion();
    if (driver < 0) return say::noDriver;
    return {say::driverTooOld, driver > 0 ? Message(say::verbatim, versionText(driver)) : Message(say::ofLongAgo),
            versionText(CUDART_VERSION)};
  }
  if (error == cudaErrorNoDevice) {
    const char* value = std::getenv("CUDA_VISIBLE_DEVICES");
    if (value != nullptr) return {say::noGpuVisible, visibleDevices()};
    return say::noGpuFound;
  }
  return {error == cudaErrorSystemDriverMismatch ? say::cudaDriverMismatch
          : error == cudaErrorSystemNotReady     ? say::cudaNotReady
                                                 : say::cudaDoesNotStart,
          std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")"};
}

class CudaLayer final : public Layer {
 public:
  // Throws UserError with the reason.
  CudaLayer() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
      throw UserError(whyNoDevice(error == cudaSuccess ? cudaErrorNoDevice : error));
    std::vector<Message> refused;
    const auto refuse = [&](const Message& why) {
      refused.push_back(refused.empty() ? why : Message(say::andFurther, why));
    };
    for (int device = 0; device < count; ++device) {
      cudaDeviceProp properties{};
      if (const cudaError_t why = cudaGetDeviceProperties(&properties, device); why != cudaSuccess) {
        refuse({say::gpuRefused, device, cudaGetErrorString(why)});
        continue;
      }
      if (properties.major < kOldestMajor || (properties.major == kOldestMajor && properties.minor < kOldestMinor)) {
        refuse({say::gpuTooOld, device, properties.name,
                std::to_string(properties.major) + "." + std::to_string(properties.minor)});
        continue;
      }
      GpuInfo info;
      info.name = properties.name;
      info.major = properties.major;
      info.minor = properties.minor;
      info.multiprocessors = properties.multiProcessorCount;
      int clockKhz = 0;
      if (cudaDeviceGetAttribute(&clockKhz, cudaDevAttrClockRate, device) == cudaSuccess)
        info.fp32Gflops =
            2e-6 * clockKhz * lanesOf(properties.major, properties.minor) * properties.multiProcessorCount;
      info.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
      info.isMig = info.name.find(" MIG ") != std::string::npos;
      char address[32] = "";
      if (cudaDeviceGetPCIBusId(address, sizeof address, device) == cudaSuccess) info.address = address;
      gpus_.push_back(info);
      devices_.push_back(device);
    }
    if (gpus_.empty()) throw UserError(say::verbatim, refused);
    prepared_.assign(gpus_.size(), false);
    overlaps_.assign(gpus_.size(), false);
  }

  ~CudaLayer() override {
    if (!lost_.empty()) return;  // see lose(): the rest of the contexts ends with the program
    for (const OwnedGraph& graph : graphs_)
      if (graph.handle != nullptr) (void)cudaGraphExecDestroy(graph.handle);
    nccl_.close();  // while its streams still exist and the graphs that contain it do not
    for (const OwnedEvent& event : events_) (void)cudaEventDestroy(event.handle);
    for (const OwnedStream& stream : streams_) (void)cudaStreamDestroy(stream.handle);
    (void)cudaGetLastError();
  }

  const std::vector<GpuInfo>& gpus() const override { return gpus_; }

  std::string description() const override {
    int driver = 0;
    (void)cudaDriverGetVersion(&driver);
    return "CUDA " + versionText(CUDART_VERSION) + ", driver for CUDA " + versionText(driver) +
           (nccl_.why().empty() ? ", NCCL " + nccl_.versionText() : "; " + format(nccl_.why()));
  }

  std::int64_t freeBytes(int gpu) override {
    use(gpu);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), gpu, "asking for its free memory");
    return static_cast<std::int64_t>(free);
  }

  void* allocate(int gpu, std::int64_t bytes) override {
    use(gpu);
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();  // clears the error, which is not sticky
      throw outOfMemory(nameOf(gpu), bytes, freeBytes(gpu));
    }
    check(error, gpu, "allocating memory");
    return memory;
  }
  void release(int gpu, void* memory) noexcept override {
    if (!lost_.empty()) return;
    (void)cudaSetDevice(devices_[static_cast<std::size_t>(gpu)]);
    (void)cudaFree(memory);
    (void)cudaGetLastError();
  }
  void* allocatePinned(std::int64_t bytes) override {
    const int gpu = anyUsed();
    use(gpu);
    void* memory = nullptr;
    const cudaError_t error =
        cudaHostAlloc(&memory, static_cast<std::size_t>(bytes), cudaHostAllocPortable | cudaHostAllocMapped);
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      throw pinnedMemoryUsedUp(bytes);
    }
    check(error, gpu, "allocating page-locked memory");
    return memory;
  }
  void releasePinned(void* memory) noexcept override {
    if (!lost_.empty()) return;
    (void)cudaFreeHost(memory);
    (void)cudaGetLastError();
  }
  void pin(void* memory, std::int64_t bytes) noexcept override {
    if (!lost_.empty()) return;
    (void)cudaSetDevice(devices_[static_cast<std::size_t>(anyUsed())]);
    const cudaError_t error = cudaHostRegister(memory, static_cast<std::size_t>(bytes), cudaHostRegisterPortable);
    (void)cudaGetLastError();
    static std::atomic<bool> said = false;  // said once per program: copies work without pinning, only slower
    if (error != cudaSuccess && !said.exchange(true))
      std::fprintf(stderr,
                   "strategylab: note: the system does not page-lock the variables in the host's memory (%s), so they "
                   "travel to GPUs and back more slowly. Raise the limit (ulimit -l) where there is one.\n",
                   textOf(error).c_str());
  }
  void unpin(void* memory) noexcept override {
    if (!lost_.empty()) return;
    (void)cudaHostUnregister(memory);
    (void)cudaGetLastError();
  }

  int createStream(int gpu) override {
    use(gpu);
    OwnedStream stream{nullptr, gpu};
    check(cudaStreamCreateWithFlags(&stream.handle, cudaStreamNonBlocking), gpu, "creating a stream");
    streams_.push_back(stream);
    return static_cast<int>(streams_.size()) - 1;
  }
  int createEvent(int gpu, bool timed) override {
    use(gpu);
    OwnedEvent event{nullptr, gpu};
    check(cudaEventCreateWithFlags(&event.handle, timed ? cudaEventDefault : cudaEventDisableTiming), gpu,
          "creating an event");
    events_.push_back(event);
    return static_cast<int>(events_.size()) - 1;
  }

  void submit(std::span<const Command> commands) override {
    checkNotLost();
    enqueue(commands, false);
  }

  // If the driver does not accept overlapping kernels in a graph, goes on without overlap.
  int createGraph(std::span<const Command> commands) override {
    checkNotLost();
    try {
      return capture(commands);
    } catch (const BrokenInvariant&) {
      if (std::ranges::find(overlaps_, true) == overlaps_.end()) throw;
      doNotOverlap(refused_);
      return capture(commands);
    }
  }
  void launchGraph(int graph) override {
    const OwnedGraph& launched = graphs_.at(static_cast<std::size_t>(graph) - 1);
    use(launched.origin.gpu);
    nvtxRangePushA("step");
    const cudaError_t error = cudaGraphLaunch(launched.handle, launched.origin.handle);
    nvtxRangePop();
    check(error, launched.origin.gpu, "launching a step");
  }
  void destroyGraph(int graph) noexcept override {
    OwnedGraph& destroyed = graphs_[static_cast<std::size_t>(graph) - 1];
    if (destroyed.handle != nullptr && lost_.empty()) (void)cudaGraphExecDestroy(destroyed.handle);
    destroyed.handle = nullptr;
    (void)cudaGetLastError();
  }

  void waitForEvent(int event) override {
    const OwnedEvent& waited = events_.at(static_cast<std::size_t>(event));
    waitUntil(
        waited.gpu, "waiting for a step", [&] { return cudaEventSynchronize(waited.handle); },
        [&] { return cudaEventQuery(waited.handle); });
  }
  void waitForStream(int number) override {
    const OwnedStream& waited = stream(number);
    waitUntil(
        waited.gpu, "waiting for it", [&] { return cudaStreamSynchronize(waited.handle); },
        [&] { return cudaStreamQuery(waited.handle); });
  }
  std::int64_t elapsedNs(int from, int to) override {
    checkNotLost();
    const OwnedEvent &first = events_.at(static_cast<std::size_t>(from)),
                     &last = events_.at(static_cast<std::size_t>(to));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, first.handle, last.handle), first.gpu, "reading a time");
    return std::llround(static_cast<double>(milliseconds) * 1e6);
  }

  Message whyNoNccl() override { return nccl_.why(); }
  void createRanks(std::span<const int> gpus) override {
    std::vector<int> devices;
    for (const int gpu : gpus) {
      use(gpu);
      devices.push_back(devices_[static_cast<std::size_t>(gpu)]);
    }
    nccl_.createRanks(devices);
    ncclUsed_ = true;
  }
  NcclId newNcclId() override { return nccl_.newId(); }
  void joinRanks(std::span<const int> gpus, int first, int total, const NcclId& id) override {
    std::vector<int> devices;
    for (const int gpu : gpus) {
      use(gpu);
      devices.push_back(devices_[static_cast<std::size_t>(gpu)]);
    }
    ncclUsed_ = true;
    try {
      nccl_.joinRanks(devices, first, total, id, look_);
    } catch (const UserError& error) {
      lose(error);
    }
  }
  void whileWaiting(std::function<void()> look) override { look_ = std::move(look); }

 private:
  struct OwnedStream {
    cudaStream_t handle = nullptr;
    int gpu = 0;
  };
  struct OwnedEvent {
    cudaEvent_t handle = nullptr;
    int gpu = 0;
  };
  struct OwnedGraph {
    cudaGraphExec_t handle = nullptr;
    OwnedStream origin;
  };

  const OwnedStream& stream(int number) const { return streams_.at(static_cast<std::size_t>(number)); }
  std::string nameOf(int gpu) const {
    return "GPU " + std::to_string(gpu) + " (" + gpus_[static_cast<std::size_t>(gpu)].name + ")";
  }

  // Distinguishes errors that the layer can survive from those that it cannot: an error of a GPU's context stays there,
  // and every later call would fail with this error, or wait for ever.
  void check(cudaError_t error, int gpu, const char* what) {
    if (error == cudaSuccess) return;
    const std::string text = std::string(what) + ": " + textOf(error);
    (void)cudaGetLastError();
    if (error == cudaErrorMemoryAllocation) throw memoryUsedUp(nameOf(gpu), text);
    if (error == cudaErrorDevicesUnavailable) throw gpuIsTaken(nameOf(gpu), text);
    refused_ = text;
    if (isOurMistake(error)) throw BrokenInvariant("internal error, please report it: " + nameOf(gpu) + ", " + text);
    lose(lostGpu(nameOf(gpu), text));
  }
  void checkNotLost() const {
    if (!lost_.empty()) throw UserError(lost_, UserError::Kind::Run);
  }
  // Other GPUs may be in a collective that waits for the lost GPU. NCCL's kernels end when NCCL is aborted, and the
  // abort ends only when no graph holds the communicators.
  [[noreturn]] void lose(const UserError& error) {
    lost_ = error.message();
    nccl_.abandon([graphs = graphs_] {
      for (const OwnedGraph& graph : graphs)
        if (graph.handle != nullptr) (void)cudaGraphExecDestroy(graph.handle);
    });
    throw error;
  }

  // Waiting for a lost GPU, in a stream or a collective, never ends; so if several GPUs are used, all of them are
  // watched.
  template <typename Synchronize, typename Query>
  void waitUntil(int gpu, const char* what, const Synchronize& synchronize, const Query& query) {
    checkNotLost();
    if (std::count(prepared_.begin(), prepared_.end(), true) < 2 && !ncclUsed_ && !look_)
      return check(synchronize(), gpu, what);
    for (std::int64_t round = 1;; ++round) {
      const cudaError_t state = query();
      if (state == cudaSuccess) break;
      if (state != cudaErrorNotReady) check(state, gpu, what);
      if (round % kRoundsBetweenLooks == 0) lookAtGpus();
      if (look_ && round % kRoundsBetweenLooks == 0) lookAtOthers();
      std::this_thread::yield();
    }
    lookAtNccl();
  }
  void lookAtGpus() {
    for (const OwnedStream& each : streams_) {
      const cudaError_t state = cudaStreamQuery(each.handle);
      if (state != cudaSuccess && state != cudaErrorNotReady) check(state, each.gpu, "while others waited for it");
    }
    lookAtNccl();
  }
  void lookAtOthers() {
    try {
      look_();
    } catch (const UserError& error) {
      lose(error);
    }
  }
  void lookAtNccl() {
    const Message why = nccl_.failure();
    if (!why.empty()) lose(UserError(why, UserError::Kind::Run));
  }

  // Returns a GPU for what belongs to no GPU, such as page-locked memory. One that is not used yet would get a context,
  // although another program may have it.
  int anyUsed() const {
    const auto used = std::ranges::find(prepared_, true);
    return used == prepared_.end() ? 0 : static_cast<int>(used - prepared_.begin());
  }

  // Makes a GPU the calling thread's current one; CUDA remembers one per thread. The first use creates its context and
  // loads every kernel, which must not happen while a graph is being captured.
  void use(int gpu) {
    checkNotLost();
    const auto index = static_cast<std::size_t>(gpu);
    const cudaError_t state = cudaSetDevice(devices_.at(index));
    if (!prepared_[index] && state >= cudaErrorMpsConnectionFailed && state <= cudaErrorMpsMaxConnectionsReached)
      throw UserError(UserError::Kind::Run, say::mpsRefuses, nameOf(gpu), textOf(state));
    check(state, gpu, "choosing it");
    if (prepared_[index]) return;
    const char* wanted = std::getenv("STRATEGYLAB_CUDA_OVERLAP");
    bool overlaps = gpus_[index].major >= kOverlapMajor && (wanted == nullptr || std::strcmp(wanted, "0") != 0);
    for (int kernel = 0; kernel < kKernels; ++kernel) {
      cudaFuncAttributes attributes{};
      const cudaError_t error = cudaFuncGetAttributes(&attributes, entryOf(static_cast<KernelId>(kernel)).function);
      const std::string capability = std::to_string(gpus_[index].major) + "." + std::to_string(gpus_[index].minor);
      if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction)
        throw UserError(UserError::Kind::Run, say::noCodeForGpu, nameOf(gpu), capability);
      if (isOfMakingCode(error))
        throw UserError(UserError::Kind::Run, say::codeNotMade, nameOf(gpu), capability, textOf(error));
      check(error, gpu, "loading the kernels");
      if (attributes.ptxVersion < 10 * kOverlapMajor) overlaps = false;  // compiled from code without this wait
    }
    overlaps_[index] = overlaps;
    for (std::size_t other = 0; other < gpus_.size(); ++other)
      if (prepared_[other]) joinMemories(devices_[index], devices_[other]);
    check(cudaSetDevice(devices_[index]), gpu, "choosing it");
    prepared_[index] = true;
  }

  // Copies between two GPUs go directly if the machine can do this, and otherwise through the host's memory. Called
  // only for GPUs that are used, because this creates a context on both.
  static void joinMemories(int a, int b) {
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      int can = 0;
      if (cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess && can != 0 && cudaSetDevice(from) == cudaSuccess)
        (void)cudaDeviceEnablePeerAccess(to, 0);  // may be enabled already
      (void)cudaGetLastError();
    }
  }

  int capture(std::span<const Command> commands) {
    const OwnedStream& origin = stream(commands.front().stream);
    use(origin.gpu);
    check(cudaStreamBeginCapture(origin.handle, cudaStreamCaptureModeThreadLocal), origin.gpu, "beginning a graph");
    cudaGraph_t graph = nullptr;
    try {
      enqueue(commands, true);
    } catch (...) {
      (void)cudaStreamEndCapture(origin.handle, &graph);
      if (graph != nullptr) (void)cudaGraphDestroy(graph);
      (void)cudaGetLastError();
      throw;
    }
    use(origin.gpu);
    check(cudaStreamEndCapture(origin.handle, &graph), origin.gpu, "ending a graph");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&executable, graph, 0);
    (void)cudaGraphDestroy(graph);
    check(error, origin.gpu, "making a graph");
    graphs_.push_back({executable, origin});
    check(cudaGraphUpload(executable, origin.handle), origin.gpu, "uploading a graph");
    return static_cast<int>(graphs_.size());
  }

  void enqueue(std::span<const Command> commands, bool capturing) {
    int chosen = -1;  // an index into the GPUs
    behindKernel_.assign(streams_.size(), false);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const Command& command = commands[i];
      if (command.action == Action::AllReduce) {
        std::size_t end = i;
        while (end < commands.size() && commands[end].action == Action::AllReduce) ++end;
        enqueueCollective(commands.subspan(i, end - i));
        chosen = -1;
        for (const Command& rank : commands.subspan(i, end - i))
          behindKernel_[static_cast<std::size_t>(rank.stream)] = false;
        i = end - 1;
        continue;
      }
      enqueue(command, capturing, chosen);
    }
  }

  // Enqueues one all-reduce, for all ranks.
  void enqueueCollective(std::span<const Command> ranks) {
    for (const Command& command : ranks) use(stream(command.stream).gpu);
    try {
      nccl_.startGroup();
      for (const Command& command : ranks) {
        const auto args = command.get<AllReduceArgs>();
        nccl_.allReduce(static_cast<std::size_t>(args.rank), args.buffer, static_cast<std::size_t>(args.count),
                        stream(command.stream).handle);
      }
      nccl_.endGroup();
    } catch (const UserError& error) {
      nccl_.leaveGroup();  // otherwise this thread's next communicator would belong to the group
      lose(error);
    }
  }

  void enqueue(const Command& command, bool capturing, int& chosen) {
    if (command.action == Action::RangeBegin) {
      nvtxRangePushA(command.get<RangeArgs>().name);
      return;
    }
    if (command.action == Action::RangeEnd) {
      nvtxRangePop();
      return;
    }
    const OwnedStream& on = stream(command.stream);
    if (on.gpu != chosen) use(chosen = on.gpu);
    switch (command.action) {
      case Action::Launch:
        check(launch(command, on, capturing), on.gpu, "launching a kernel");
        break;
      case Action::Copy: {
        const auto args = command.get<CopyArgs>();
        check(cudaMemcpyAsync(args.to, args.from, static_cast<std::size_t>(args.bytes), cudaMemcpyDefault, on.handle),
              on.gpu, "copying");
        break;
      }
      case Action::Clear: {
        const auto args = command.get<CopyArgs>();
        check(cudaMemsetAsync(args.to, 0, static_cast<std::size_t>(args.bytes), on.handle), on.gpu, "clearing memory");
        break;
      }
      case Action::Record:
        check(cudaEventRecord(event(command), on.handle), on.gpu, "recording an event");
        break;
      case Action::Stamp:
        // Inside a graph an event is only a dependency unless it is declared external.
        check(capturing ? cudaEventRecordWithFlags(event(command), on.handle, cudaEventRecordExternal)
                        : cudaEventRecord(event(command), on.handle),
              on.gpu, "recording a time");
        break;
      case Action::Wait:
        check(cudaStreamWaitEvent(on.handle, event(command), 0), on.gpu, "waiting for a stream");
        break;
      case Action::AllReduce:
      case Action::RangeBegin:
      case Action::RangeEnd:
        break;
    }
    if (command.action != Action::Record)
      behindKernel_[static_cast<std::size_t>(command.stream)] = command.action == Action::Launch;
  }

  // Directly after a kernel of the same stream, a kernel may begin before the other one ends (in a graph: a
  // programmatic edge, which exists only between kernels). All other dependencies are waited for completely.
  cudaError_t launch(const Command& command, const OwnedStream& on, bool capturing) {
    const Entry entry = entryOf(command.kernel);
    void* arguments[] = {const_cast<std::uint64_t*>(command.args.data())};
    const dim3 grid(static_cast<unsigned>(command.gridX), static_cast<unsigned>(command.gridY),
                    static_cast<unsigned>(command.gridZ));
    const dim3 block(entry.threads);
    if (overlaps_[static_cast<std::size_t>(on.gpu)] && behindKernel_[static_cast<std::size_t>(command.stream)]) {
      cudaLaunchAttribute overlap{};
      overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      overlap.val.programmaticStreamSerializationAllowed = 1;
      cudaLaunchConfig_t config{};
      config.gridDim = grid;
      config.blockDim = block;
      config.stream = on.handle;
      config.attrs = &overlap;
      config.numAttrs = 1;
      const cudaError_t error = cudaLaunchKernelExC(&config, entry.function, arguments);
      if (capturing || (error != cudaErrorNotSupported && error != cudaErrorInvalidValue)) return error;
      (void)cudaGetLastError();
      doNotOverlap(textOf(error));
    }
    return cudaLaunchKernel(entry.function, grid, block, arguments, 0, on.handle);
  }
  void doNotOverlap(const std::string& why) {
    overlaps_.assign(overlaps_.size(), false);
    std::fprintf(stderr,
                 "strategylab: note: the driver refuses kernels that begin before the one before them ends (%s). They "
                 "run one after the other, only slower.\n",
                 why.c_str());
  }
  cudaEvent_t event(const Command& command) const { return events_.at(static_cast<std::size_t>(command.event)).handle; }

  std::vector<GpuInfo> gpus_;
  std::vector<int> devices_;  // CUDA's numbers of the GPUs in gpus_
  std::vector<bool> prepared_;
  std::vector<bool> overlaps_;      // per GPU: whether a kernel may begin while the previous one still runs
  std::vector<bool> behindKernel_;  // per stream: whether the list's last command was a kernel
  std::vector<OwnedStream> streams_;
  std::vector<OwnedEvent> events_;
  std::vector<OwnedGraph> graphs_;
  Nccl nccl_;
  bool ncclUsed_ = false;
  std::function<void()> look_;
  std::string refused_;  // which call failed last, and why
  Message lost_;         // why every call fails
};

}  // namespace
}  // namespace lab::gpu

extern "C" __attribute__((visibility("default"))) void strategylabOpenCuda(const char* interface,
                                                                           lab::gpu::Layer** layer, lab::Message* why) {
  *layer = nullptr;
  try {
    if (std::strcmp(interface, lab::gpu::kInterface) != 0)
      throw lab::UserError(lab::say::otherCudaModule, lab::gpu::kInterface, interface);
    *layer = new lab::gpu::CudaLayer();
  } catch (const std::exception& error) {
    *why = lab::messageOf(error);
  }
}
