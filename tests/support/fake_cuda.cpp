// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CUDA's runtime that the module uses (fake_cuda.h). There is one lock. A stream is a queue of work, an
// event counts how often it was recorded and how often it has happened, and a capture draws a graph.
#include "tests/support/fake_cuda.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/fake_cuda/cuda_runtime.h"

// In fake_cuda_module.cpp. Returns a kernel's launch with a copy of its arguments; empty if there is no such kernel.
std::function<void()> fakeKernel(const void* function, dim3 grid, dim3 block, void** arguments);

struct FakeEvent {
  int device = 0;
  bool timed = false;
  long recorded = 0, happened = 0;
  double ms = 0;
  struct FakeCapture* capture = nullptr;  // the capture that last recorded the event
  std::set<int> after;                    // the nodes in the capture that the event stands for
};

// A node of a graph: its work, and the event that it stamps.
struct FakeNode {
  std::function<bool()> ready;  // empty: always
  std::function<void()> work;
  FakeEvent* stamp = nullptr;
  std::set<int> after;
  int device = 0;
  bool kernel = false;
};
struct FakeCapture {
  FakeStream* origin = nullptr;
  std::vector<FakeNode> nodes;
  std::set<FakeStream*> streams;
  cudaError_t broken = cudaSuccess;
};
struct FakeGraph {
  std::vector<FakeNode> nodes;
};
struct FakeGraphExec {
  std::vector<FakeNode> nodes;
};

// What waits in a stream.
struct FakeTask {
  enum class Kind { Work, Record, Wait, Together, Graph } kind = Kind::Work;
  std::function<void()> work;
  FakeEvent* event = nullptr;
  long ticket = 0;  // for a wait: how often its event must have happened; for a collective: its number
  int endpoints = 0;
  FakeGraphExec* graph = nullptr;
  std::function<bool()> ready = {};  // for a collective
  std::vector<bool> done = {};       // for a graph: which nodes are done
};
struct FakeStream {
  int device = 0;
  std::deque<FakeTask> tasks;
  FakeCapture* capture = nullptr;
  std::set<int> after;  // the nodes of the capture that the next one depends on
  bool stuck = false;   // the stream is in a graph that waits for a lost device
};

namespace {

using Kind = FakeTask::Kind;

struct Device {
  std::int64_t taken = 0;
  cudaError_t sticky = cudaSuccess;
  std::set<int> peers;
};
struct Memory {
  std::size_t bytes = 0;
  int device = -1;   // -1: page-locked
  bool ours = true;  // false: the caller's memory, registered
};

struct World {
  int driver = 13000, major = 9, minor = 0, mig = 0, idle = 0, ptx = 90;
  std::int64_t memoryBytes = 2'000'000'000;
  std::uint64_t random = 1;
  std::string failing;
  long failingCall = 0;
  cudaError_t failure = cudaSuccess;
  int losing = -1;
  long loseAfter = 0, carriedOut = 0;

  std::vector<Device> devices{1};
  std::map<std::string, long> calls;
  std::map<const char*, Memory> memories;
  std::set<FakeStream*> streams;
  std::set<FakeEvent*> events;
  std::vector<std::unique_ptr<FakeCapture>> captures;
  FakeCapture* capturing = nullptr;
  std::set<FakeGraphExec*> graphs;
  long together = 0;
  double ms = 0;
};
std::recursive_mutex mutex;
World world;
thread_local int current = 0;
thread_local cudaError_t last = cudaSuccess;

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
  return error;
}

// Begins every call: counts it, and fails if it was told to or if the device is lost.
cudaError_t enter(const char* name, int device = -1) {
  const long call = ++world.calls[name];
  if (world.failing == name && (world.failingCall == call || world.failingCall == 0)) {
    if (world.failure == cudaErrorIllegalAddress || world.failure == cudaErrorUnknown)
      world.devices[static_cast<std::size_t>(std::max(0, device < 0 ? current : device))].sticky = world.failure;
    return remember(world.failure);
  }
  if (device >= static_cast<int>(world.devices.size())) return remember(cudaErrorInvalidDevice);
  if (device >= 0) return remember(world.devices[static_cast<std::size_t>(device)].sticky);
  return cudaSuccess;
}

// For calls that break a capture.
cudaError_t notWhileCapturing() {
  if (world.capturing == nullptr) return cudaSuccess;
  world.capturing->broken = cudaErrorStreamCaptureInvalidated;
  return remember(cudaErrorStreamCaptureUnsupported);
}

#define ENTER(device)                \
  const std::lock_guard lock(mutex); \
  if (const cudaError_t entered = enter(__func__, device); entered != cudaSuccess) return entered
#define UNCAPTURED() \
  if (const cudaError_t unsafe = notWhileCapturing(); unsafe != cudaSuccess) return unsafe

std::uint64_t below(std::uint64_t n) {
  world.random = world.random * 6364136223846793005U + 1442695040888963407U;
  return (world.random >> 33) % n;
}

// Counts the work carried out, and loses the device when its time has come.
void carriedOut(int device) {
  world.ms += 0.001;
  if (world.losing == device && ++world.carriedOut > world.loseAfter)
    world.devices[static_cast<std::size_t>(device)].sticky = cudaErrorIllegalAddress;
}

std::vector<std::size_t> readyNodes(const FakeTask& task) {
  const std::vector<FakeNode>& nodes = task.graph->nodes;
  const auto isDone = [&](int node) { return bool{task.done[static_cast<std::size_t>(node)]}; };
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!task.done[i] && std::ranges::all_of(nodes[i].after, isDone) && (!nodes[i].ready || nodes[i].ready()))
      ready.push_back(i);
  return ready;
}

bool canRun(const FakeStream& stream) {
  if (stream.stuck || stream.tasks.empty() ||
      world.devices[static_cast<std::size_t>(stream.device)].sticky != cudaSuccess)
    return false;
  const FakeTask& task = stream.tasks.front();
  if (task.kind == Kind::Wait) return task.event->happened >= task.ticket;
  if (task.kind == Kind::Graph) return task.graph->nodes.empty() || !readyNodes(task).empty();
  if (task.kind != Kind::Together) return true;
  const bool allAreHere = task.endpoints == std::ranges::count_if(world.streams, [&](const FakeStream* each) {
                            return !each->tasks.empty() && each->tasks.front().kind == Kind::Together &&
                                   each->tasks.front().ticket == task.ticket &&
                                   world.devices[static_cast<std::size_t>(each->device)].sticky == cudaSuccess;
                          });
  return allAreHere && task.ready();
}

// Runs a graph's nodes, in a drawn order that their dependencies allow, until none is left or the rest wait for other
// ranks. Returns false if a node waits for a lost device.
bool runGraph(FakeTask& task) {
  const std::vector<FakeNode>& nodes = task.graph->nodes;
  std::vector<bool>& done = task.done;
  for (std::vector<std::size_t> ready; !(ready = readyNodes(task)).empty();) {
    const std::size_t chosen = ready[below(ready.size())];
    carriedOut(nodes[chosen].device);
    if (world.devices[static_cast<std::size_t>(nodes[chosen].device)].sticky != cudaSuccess) return false;
    if (nodes[chosen].work) nodes[chosen].work();
    if (FakeEvent* stamp = nodes[chosen].stamp; stamp != nullptr) {
      ++stamp->happened;
      stamp->ms = world.ms;
    }
    done[chosen] = true;
  }
  return true;
}

// Carries out one task of any stream that can go on. Returns false if there is none.
bool advance() {
  std::vector<FakeStream*> ready;
  for (FakeStream* stream : world.streams)
    if (canRun(*stream)) ready.push_back(stream);
  if (ready.empty()) return false;
  FakeStream& chosen = *ready[below(ready.size())];
  FakeTask task = chosen.tasks.front();
  if (task.kind == Kind::Together) {
    for (FakeStream* each : world.streams)
      if (!each->tasks.empty() && each->tasks.front().kind == Kind::Together &&
          each->tasks.front().ticket == task.ticket)
        each->tasks.pop_front();
  } else {
    chosen.tasks.pop_front();
  }
  if (task.kind != Kind::Wait) carriedOut(chosen.device);
  if (world.devices[static_cast<std::size_t>(chosen.device)].sticky != cudaSuccess) return true;
  if (task.kind == Kind::Graph) {
    chosen.stuck = !runGraph(task);
    if (std::ranges::find(task.done, false) != task.done.end()) chosen.tasks.push_front(std::move(task));
    return true;
  }
  if (task.work) task.work();
  if (task.kind == Kind::Record) {
    ++task.event->happened;
    task.event->ms = world.ms;
  }
  return true;
}

void drain() {
  while (advance()) {
  }
}

// Appends work to a stream: to its queue, or as a node of the graph that is being captured.
cudaError_t put(FakeStream* stream, std::function<void()> work, FakeEvent* stamp = nullptr) {
  if (stream->capture == nullptr) {
    stream->tasks.push_back({stamp != nullptr ? Kind::Record : Kind::Work, std::move(work), stamp});
    return cudaSuccess;
  }
  FakeCapture& capture = *stream->capture;
  capture.nodes.push_back({{}, std::move(work), stamp, stream->after, stream->device});
  stream->after = {static_cast<int>(capture.nodes.size()) - 1};
  return cudaSuccess;
}

// The device that owns [address, address + bytes): -2 if no memory of ours, -3 if beyond an allocation.
int ownerOf(const void* address, std::size_t bytes) {
  const auto* first = static_cast<const char*>(address);
  auto after = world.memories.upper_bound(first);
  if (after != world.memories.end() && first + bytes > after->first) return -3;
  if (after == world.memories.begin()) return -2;
  const auto& [begin, memory] = *--after;
  if (first >= begin + memory.bytes) return -2;
  return first + bytes > begin + memory.bytes ? -3 : memory.device;
}

// Frees what is left when the program ends, also what a lost GPU had. For tests of leaks, see "alive".
void endProgram() {
  for (const auto& [begin, memory] : world.memories)
    if (memory.ours) std::free(const_cast<char*>(begin));
  for (FakeStream* stream : world.streams) delete stream;
  for (FakeEvent* event : world.events) delete event;
  for (FakeGraphExec* graph : world.graphs) delete graph;
}

void setWords(const std::string& words) {
  endProgram();
  world = World();
  fakeKernelsForgetToWait = false;
  current = 0;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    const std::string key = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
    std::istringstream parts(value);
    std::vector<std::string> fields;
    for (std::string field; std::getline(parts, field, ':');) fields.push_back(field);
    const auto number = [&](std::size_t i) { return std::atol(fields.at(i).c_str()); };
    if (key == "gpus") world.devices.assign(static_cast<std::size_t>(number(0)), {});
    if (key == "driver") world.driver = static_cast<int>(number(0));
    if (key == "major") world.major = static_cast<int>(number(0));
    if (key == "minor") world.minor = static_cast<int>(number(0));
    if (key == "memory") world.memoryBytes = number(0);
    if (key == "seed") world.random = static_cast<std::uint64_t>(number(0));
    if (key == "mig") world.mig = static_cast<int>(number(0));
    if (key == "ptx") world.ptx = static_cast<int>(number(0));
    if (key == "forget") fakeKernelsForgetToWait = number(0) != 0;
    if (key == "idle") world.idle = static_cast<int>(number(0));
    if (key == "fail") {
      world.failing = fields.at(0);
      world.failingCall = number(1);
      world.failure = static_cast<cudaError_t>(number(2));
    }
    if (key == "lose") {
      world.losing = static_cast<int>(number(0));
      world.loseAfter = number(1);
    }
  }
}

int together(void** streams, int count, std::function<bool()> ready, std::function<void()> work,
             std::shared_ptr<void> ofGraph) {
  const std::lock_guard lock(mutex);
  ++world.together;
  auto* const* each = reinterpret_cast<FakeStream**>(streams);
  FakeCapture* capture = each[0]->capture;
  std::set<int> after;
  for (int i = 0; i < count; ++i) {
    if (each[i]->capture != capture) return 1;  // NCCL wants all or none in one capture
    after.insert(each[i]->after.begin(), each[i]->after.end());
  }
  if (capture != nullptr) {
    capture->nodes.push_back({std::move(ready), [work = std::move(work), kept = std::move(ofGraph)] { work(); },
                              nullptr, after, each[count - 1]->device});
    for (int i = 0; i < count; ++i) each[i]->after = {static_cast<int>(capture->nodes.size()) - 1};
    return 0;
  }
  for (int i = 0; i < count; ++i)
    each[i]->tasks.push_back({Kind::Together, work, nullptr, world.together, count, nullptr, ready});
  return 0;
}

// Reads the words in the environment, and finds the stand-in for NCCL if there is one.
const bool begun = [] {
  if (const char* words = std::getenv("STRATEGYLAB_FAKE_CUDA"); words != nullptr) setWords(words);
  return true;
}();

void joinNccl() {
  const char* named = std::getenv("STRATEGYLAB_NCCL");
  void* library = named != nullptr ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return;
  if (const auto use = reinterpret_cast<FakeNcclUse>(dlsym(library, "fakeNcclUse")); use != nullptr) use(&together);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void fakeCudaSet(const char* words) {
  const std::lock_guard lock(mutex);
  setWords(words);
}
extern "C" __attribute__((visibility("default"))) long fakeCudaCalls(const char* function) {
  const std::lock_guard lock(mutex);
  const std::string name = function;
  if (name == "alive")
    return static_cast<long>(world.memories.size() + world.streams.size() + world.events.size() + world.graphs.size());
  if (name == "collectives") return world.together;
  return world.calls[name];
}

// ---- errors

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorDevicesUnavailable:
      return "CUDA-capable device(s) is/are busy or unavailable";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorInvalidValue:
      return "invalid argument";
    default:
      return "error of the stand-in for CUDA";
  }
}
const char* cudaGetErrorName(cudaError_t error) {
  static thread_local char name[32];
  std::snprintf(name, sizeof name, "cudaError %d", static_cast<int>(error));
  return name;
}
cudaError_t cudaGetLastError() {
  const std::lock_guard lock(mutex);
  return std::exchange(last, cudaSuccess);
}

// ---- devices

cudaError_t cudaDriverGetVersion(int* version) {
  const std::lock_guard lock(mutex);
  *version = world.driver;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  joinNccl();
  ENTER(-1);
  if (world.driver < CUDART_VERSION) return remember(cudaErrorInsufficientDriver);
  *count = static_cast<int>(world.devices.size());
  return world.devices.empty() ? remember(cudaErrorNoDevice) : cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  ENTER(device);
  std::snprintf(properties->name, sizeof properties->name, world.mig != 0 ? "fake GPU MIG 1g.10gb" : "fake GPU");
  properties->major = world.major;
  properties->minor = world.minor;
  properties->multiProcessorCount = 2;
  properties->totalGlobalMem = static_cast<std::size_t>(world.memoryBytes);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device) {
  ENTER(device);
  *value = 1'000'000;  // kHz
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* address, int length, int device) {
  ENTER(device);
  std::snprintf(address, static_cast<std::size_t>(length), "0000:%02x:00.0", device + 1);
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  ENTER(device);
  current = device;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  ENTER(current);
  attributes->ptxVersion = world.ptx;
  UNCAPTURED();  // the call may load the kernel
  return fakeKernel(function, dim3(), dim3(0), nullptr) ? cudaSuccess : remember(cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  ENTER(device);
  *can = device != peer ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  ENTER(current);
  UNCAPTURED();
  if (flags != 0 || peer == current) return remember(cudaErrorInvalidValue);
  const bool added = world.devices[static_cast<std::size_t>(current)].peers.insert(peer).second;
  return added ? cudaSuccess : remember(cudaErrorPeerAccessAlreadyEnabled);
}

// ---- memory

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  ENTER(current);
  UNCAPTURED();
  *total = static_cast<std::size_t>(world.memoryBytes);
  *free = static_cast<std::size_t>(world.memoryBytes - world.devices[static_cast<std::size_t>(current)].taken);
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  ENTER(current);
  UNCAPTURED();
  Device& device = world.devices[static_cast<std::size_t>(current)];
  const auto size = static_cast<std::int64_t>(bytes);
  if (device.taken + size > world.memoryBytes) return remember(cudaErrorMemoryAllocation);
  device.taken += size;
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(*memory, 0xff, bytes);  // every float a NaN
  world.memories[static_cast<char*>(*memory)] = {bytes, current};
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  ENTER(current);
  UNCAPTURED();
  drain();
  const auto found = world.memories.find(static_cast<char*>(memory));
  if (found == world.memories.end() || found->second.device < 0) return remember(cudaErrorInvalidValue);
  world.devices[static_cast<std::size_t>(found->second.device)].taken -= static_cast<std::int64_t>(found->second.bytes);
  world.memories.erase(found);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  ENTER(current);
  UNCAPTURED();
  if (flags != (cudaHostAllocPortable | cudaHostAllocMapped)) return remember(cudaErrorInvalidValue);
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  world.memories[static_cast<char*>(*memory)] = {bytes, -1};
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  ENTER(-1);
  UNCAPTURED();
  drain();
  if (world.memories.erase(static_cast<char*>(memory)) == 0) return remember(cudaErrorInvalidValue);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
  ENTER(current);
  UNCAPTURED();
  if (ownerOf(memory, bytes) != -2) return remember(cudaErrorHostMemoryAlreadyRegistered);
  // A page can be registered only once.
  constexpr std::uintptr_t kPage = 4096;
  const auto first = reinterpret_cast<std::uintptr_t>(memory) / kPage,
             lastPage = (reinterpret_cast<std::uintptr_t>(memory) + bytes - 1) / kPage;
  for (const auto& [begin, other] : world.memories) {
    const auto b = reinterpret_cast<std::uintptr_t>(begin);
    if (other.device < 0 && b / kPage <= lastPage && (b + other.bytes - 1) / kPage >= first)
      return remember(cudaErrorHostMemoryAlreadyRegistered);
  }
  world.memories[static_cast<char*>(memory)] = {bytes, -1, false};
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* memory) {
  ENTER(-1);
  UNCAPTURED();
  drain();
  return world.memories.erase(static_cast<char*>(memory)) == 1 ? cudaSuccess : remember(cudaErrorInvalidValue);
}

// ---- streams and events

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  ENTER(current);
  UNCAPTURED();
  if (flags != cudaStreamNonBlocking) return remember(cudaErrorInvalidValue);  // else it waits for the null stream
  *stream = *world.streams.insert(new FakeStream{current, {}, nullptr, {}, false}).first;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  ENTER(-1);
  drain();
  if (world.streams.erase(stream) == 0) return remember(cudaErrorInvalidResourceHandle);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  ENTER(stream->device);
  UNCAPTURED();
  while (!stream->tasks.empty())
    if (!advance()) {
      const cudaError_t sticky = world.devices[static_cast<std::size_t>(stream->device)].sticky;
      return remember(sticky != cudaSuccess ? sticky : cudaErrorUnknown);  // a real device would wait for ever
    }
  return remember(world.devices[static_cast<std::size_t>(stream->device)].sticky);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  ENTER(stream->device);
  UNCAPTURED();
  (void)advance();
  return stream->tasks.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  ENTER(stream->device);
  if (event->capture != nullptr) {  // from now on the stream takes part in the capture
    if (event->capture != world.capturing) return remember(cudaErrorCapturedEvent);
    if (stream->capture == nullptr) stream->after.clear();
    stream->capture = event->capture;
    stream->capture->streams.insert(stream);
    stream->after.insert(event->after.begin(), event->after.end());
    return cudaSuccess;
  }
  if (stream->capture != nullptr) {
    stream->capture->broken = cudaErrorStreamCaptureIsolation;
    return remember(cudaErrorStreamCaptureIsolation);
  }
  stream->tasks.push_back({Kind::Wait, {}, event, event->recorded});
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  ENTER(current);
  UNCAPTURED();
  *event = *world.events.insert(new FakeEvent{current, flags != cudaEventDisableTiming, 0, 0, 0, nullptr, {}}).first;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  ENTER(-1);
  drain();
  if (world.events.erase(event) == 0) return remember(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  ENTER(stream->device);
  if (event->device != stream->device) return remember(cudaErrorInvalidResourceHandle);
  if (stream->capture != nullptr && flags != cudaEventRecordExternal) {
    event->capture = stream->capture;
    event->after = stream->after;
    return cudaSuccess;
  }
  event->capture = nullptr;
  if (stream->capture == nullptr) ++event->recorded;
  return put(stream, {}, event);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  ENTER(event->device);
  UNCAPTURED();
  if (event->capture != nullptr) return remember(cudaErrorCapturedEvent);
  while (event->happened < event->recorded)
    if (!advance()) {
      const cudaError_t sticky = world.devices[static_cast<std::size_t>(event->device)].sticky;
      return remember(sticky != cudaSuccess ? sticky : cudaErrorUnknown);
    }
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  ENTER(event->device);
  UNCAPTURED();
  (void)advance();
  return event->happened < event->recorded ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  ENTER(from->device);
  if (!from->timed || !to->timed || from->device != to->device || from->happened == 0 || to->happened == 0 ||
      from->capture != nullptr || to->capture != nullptr)
    return remember(cudaErrorInvalidResourceHandle);
  if (from->happened < from->recorded || to->happened < to->recorded) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(to->ms - from->ms);
  return cudaSuccess;
}

// ---- work

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  ENTER(current);
  if (stream->device != current) return remember(cudaErrorInvalidResourceHandle);
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 2147483647U || grid.y > 65535 || grid.z > 65535 ||
      block.x > 1024 || shared != 0)
    return remember(cudaErrorInvalidValue);
  std::function<void()> work = fakeKernel(function, grid, block, arguments);
  if (!work) return remember(cudaErrorInvalidDeviceFunction);
  if (world.idle != 0) work = [] {};
  const cudaError_t error = put(stream, std::move(work));
  if (stream->capture != nullptr) stream->capture->nodes.back().kernel = true;
  return error;
}
// The kernel may begin before the one before it ends. Its code must be prepared: it waits before it touches anything.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  {
    ENTER(current);
    if (config->numAttrs != 1 || config->attrs[0].id != cudaLaunchAttributeProgrammaticStreamSerialization ||
        config->attrs[0].val.programmaticStreamSerializationAllowed != 1)
      return remember(cudaErrorInvalidValue);
    if (world.major < 9) return remember(cudaErrorNotSupported);
    if (world.ptx < 90) return remember(cudaErrorInvalidValue);  // CUDA would not tell: it cannot wait
    const FakeStream& stream = *config->stream;
    const auto isKernel = [&](int node) { return stream.capture->nodes[static_cast<std::size_t>(node)].kernel; };
    if (stream.capture != nullptr && (stream.after.size() != 1 || !isKernel(*stream.after.begin())))
      return remember(cudaErrorInvalidValue);  // only an edge between two kernels is allowed
  }
  const auto overlapping = [](const std::function<void()>& kernel, int device) {
    return [kernel, device] {
      fakeKernelDidNotWait = false;
      kernel();
      if (!fakeKernelDidNotWait) return;
      std::fprintf(stderr, "fake CUDA: a kernel did not wait for the one before it\n");
      world.devices[static_cast<std::size_t>(device)].sticky = cudaErrorIllegalAddress;
    };
  };
  const cudaError_t error = cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments,
                                             config->dynamicSmemBytes, config->stream);
  if (error != cudaSuccess) return error;
  const std::lock_guard lock(mutex);
  FakeStream& stream = *config->stream;
  auto& work = stream.capture != nullptr ? stream.capture->nodes.back().work : stream.tasks.back().work;
  work = overlapping(work, stream.device);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  ENTER(stream->device);
  const int target = ownerOf(to, bytes), source = ownerOf(from, bytes);
  if (target == -3 || source == -3) return remember(cudaErrorInvalidValue);
  if (stream->capture != nullptr && (target == -2 || source == -2)) {
    stream->capture->broken = cudaErrorStreamCaptureInvalidated;
    return remember(cudaErrorStreamCaptureUnsupported);  // pageable memory
  }
  if (source == -2) {  // copied at once, since the source may change
    auto kept =
        std::make_shared<std::vector<char>>(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
    return put(stream, [to, kept] { std::memcpy(to, kept->data(), kept->size()); });
  }
  const cudaError_t state = put(stream, [to, from, bytes] { std::memcpy(to, from, bytes); });
  if (target == -2) return cudaStreamSynchronize(stream);
  return state;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  ENTER(stream->device);
  if (ownerOf(memory, bytes) < 0) return remember(cudaErrorInvalidValue);
  return put(stream, [memory, value, bytes] { std::memset(memory, value, bytes); });
}

// ---- graphs

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  ENTER(stream->device);
  UNCAPTURED();
  world.captures.push_back(std::make_unique<FakeCapture>());
  world.capturing = world.captures.back().get();
  world.capturing->origin = stream;
  world.capturing->streams = {stream};
  stream->capture = world.capturing;
  stream->after.clear();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(mutex);
  FakeCapture* capture = stream->capture;
  *graph = nullptr;
  if (capture == nullptr || capture->origin != stream) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) capture->broken = error;  // it still ends
  // The nodes that the origin knows to be done before the graph's end.
  std::set<int> joined;
  std::vector<int> next(stream->after.begin(), stream->after.end());
  while (!next.empty()) {
    const int node = next.back();
    next.pop_back();
    if (joined.insert(node).second)
      for (const int before : capture->nodes[static_cast<std::size_t>(node)].after) next.push_back(before);
  }
  if (capture->broken == cudaSuccess && joined.size() != capture->nodes.size())
    capture->broken = cudaErrorStreamCaptureUnjoined;
  for (FakeStream* each : capture->streams) {
    each->capture = nullptr;
    each->after.clear();
  }
  world.capturing = nullptr;
  if (capture->broken != cudaSuccess) return remember(capture->broken);
  *graph = new FakeGraph{std::move(capture->nodes)};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  ENTER(current);
  UNCAPTURED();
  *executable = new FakeGraphExec{graph->nodes};
  world.graphs.insert(*executable);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t stream) {
  ENTER(stream->device);
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  ENTER(stream->device);
  UNCAPTURED();
  for (const FakeNode& node : executable->nodes)
    if (node.stamp != nullptr) ++node.stamp->recorded;
  stream->tasks.push_back(
      {Kind::Graph, {}, nullptr, 0, 0, executable, {}, std::vector<bool>(executable->nodes.size())});
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  ENTER(-1);
  drain();
  for (FakeStream* stream : world.streams)  // whatever the graph still waits for
    if (!stream->tasks.empty() && stream->tasks.front().graph == executable) {
      stream->stuck = true;
      stream->tasks.pop_front();
    }
  world.graphs.erase(executable);
  delete executable;
  return cudaSuccess;
}

int nvtxRangePushA(const char*) {
  return 0;
}
int nvtxRangePop() {
  return 0;
}
