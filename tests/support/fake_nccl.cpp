// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for NCCL, for the module on the stand-in for CUDA (fake_cuda.h): one communicator per rank, in one process
// or, with an id, in several of one computer; all-reduce of floats within a group, added in the order of ranks. As in
// NCCL, an abort waits until no graph holds the communicator, and no rank is told when another is gone.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/fake_cuda.h"

namespace {

constexpr int kMostRanks = 16;
constexpr std::size_t kMostFloats = std::size_t{1} << 19;  // in one collective

// The memory that several processes share: the values of each rank for two collectives in turn. A rank that posts its
// next collective but one has seen all ranks post the next one, so all have read the values that it overwrites.
struct Shared {
  std::atomic<int> joined, connected;
  std::atomic<long> posted[kMostRanks];
  float values[kMostRanks][2][kMostFloats];
};

// A communicator across several processes, as one of them sees it. The ranks in this process act together.
class World {
 public:
  World(const std::string& id, int ranks) : ranks_(ranks) {
    const int file = open(id.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) std::abort();
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) std::abort();
    shared_ = static_cast<Shared*>(memory);
  }
  ~World() { munmap(shared_, sizeof(Shared)); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Returns when all processes have joined; never, if one of them is gone.
  void join() {
    ++here;
    ++shared_->joined;
    while (shared_->joined < ranks_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // Returns true once all processes have called connect().
  bool connect() {
    if (!connects_) shared_->connected += here;
    connects_ = true;
    return shared_->connected >= ranks_;
  }
  bool hasPosted() const { return posted_ > done_; }
  void post(int rank, const float* from, std::size_t count) {
    std::copy_n(from, count, place(rank));
    shared_->posted[rank] = done_ + 1;
  }
  void setPosted() { posted_ = done_ + 1; }
  bool allHavePosted() const {
    return std::all_of(shared_->posted, shared_->posted + ranks_, [&](const auto& each) { return each > done_; });
  }
  float sum(std::size_t element) const {
    float sum = 0;
    for (int r = 0; r < ranks_; ++r) sum += place(r)[element];
    return sum;
  }
  void setDone() { ++done_; }

  std::atomic<int> here = 0;  // ranks
  std::atomic<bool> aborted = false;

 private:
  float* place(int rank) const { return shared_->values[rank][done_ % 2]; }

  int ranks_;
  Shared* shared_ = nullptr;
  long done_ = 0, posted_ = 0;
  bool connects_ = false;
};

using Graphs = std::atomic<int>;
struct Communicator {
  int rank = 0, ranks = 0;
  std::shared_ptr<World> world;                                  // null: all ranks are in this process
  std::shared_ptr<Graphs> graphs = std::make_shared<Graphs>(0);  // that captured its collectives
};
// Held by such a graph while it lives.
class Captured {
 public:
  explicit Captured(std::vector<std::shared_ptr<Graphs>> ofRanks) : ofRanks_(std::move(ofRanks)) {
    for (const auto& graphs : ofRanks_) ++*graphs;
  }
  ~Captured() {
    for (const auto& graphs : ofRanks_) {
      --*graphs;
      graphs->notify_all();
    }
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

 private:
  std::vector<std::shared_ptr<Graphs>> ofRanks_;
};
struct Call {
  Communicator* communicator;
  const float* from;
  float* to;
  std::size_t count;
  void* stream;
};

FakeCudaTogether together = nullptr;
std::mutex joining;
std::map<std::string, std::weak_ptr<World>> worlds;  // by id
int depth = 0;
std::vector<Call> calls;
std::atomic<long> aborts = 0;
int groups = 0;  // groups that have ended

// A number of the settings' words, "version=21000 error=5".
int setting(const char* key, int otherwise) {
  const char* words = std::getenv("STRATEGYLAB_FAKE_NCCL");
  const char* found = words != nullptr ? std::strstr(words, key) : nullptr;
  return found != nullptr ? std::atoi(found + std::strlen(key)) : otherwise;
}

constexpr int kSystemError = 2, kInvalidArgument = 4, kInvalidUsage = 5;

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void fakeNcclUse(FakeCudaTogether use) {
  together = use;
}
EXPORTED long fakeNcclAborts() {
  return aborts;
}

EXPORTED int ncclGetVersion(int* version) {
  *version = setting("version=", 22803);
  return 0;
}
EXPORTED int ncclCommInitAll(Communicator** communicators, int ranks, const int* devices) {
  for (int i = 0; i < ranks; ++i)
    for (int j = 0; j < i; ++j)
      if (devices[i] == devices[j]) return kInvalidUsage;
  if (const int result = setting("initall=", 0); result != 0) return result;
  for (int i = 0; i < ranks; ++i) communicators[i] = new Communicator{.rank = i, .ranks = ranks, .world = nullptr};
  return 0;
}
struct UniqueId {
  char internal[128];
};
// The id is the path of memory that ends with this process. A name of its own would outlast a run that is killed, and
// would be met again by the next process with the same number.
EXPORTED int ncclGetUniqueId(UniqueId* id) {
  const int file = memfd_create("strategylab-nccl", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, sizeof(Shared)) != 0) return kSystemError;
  std::snprintf(id->internal, sizeof id->internal, "/proc/%d/fd/%d", static_cast<int>(getpid()), file);
  return 0;
}
EXPORTED int ncclCommInitRank(Communicator** communicator, int ranks, UniqueId id, int rank) {
  if (ranks > kMostRanks || rank < 0 || rank >= ranks || id.internal[0] != '/') return kInvalidUsage;
  if (setting("duplicate=", 0) != 0) return kInvalidUsage;
  while (setting("after=", 0) < 0 && setting("hang=", -1) == rank) std::this_thread::sleep_for(std::chrono::seconds(1));
  std::shared_ptr<World> world;
  {
    const std::lock_guard lock(joining);
    std::weak_ptr<World>& known = worlds[id.internal];
    world = known.lock();
    if (!world) known = world = std::make_shared<World>(id.internal, ranks);
  }
  world->join();
  *communicator = new Communicator{.rank = rank, .ranks = ranks, .world = world};
  return 0;
}
EXPORTED int ncclCommAbort(Communicator* communicator) {
  for (int graphs = *communicator->graphs; graphs > 0; graphs = *communicator->graphs)
    communicator->graphs->wait(graphs);
  if (communicator->world) communicator->world->aborted = true;
  delete communicator;
  ++aborts;
  return 0;
}
EXPORTED int ncclCommGetAsyncError(Communicator* communicator, int* state) {
  if (communicator == nullptr) return kInvalidArgument;
  *state = setting("error=", 0);
  return 0;
}
EXPORTED const char* ncclGetErrorString(int result) {
  return result == 6 ? "remote process exited or there was a network error" : "invalid usage";
}
EXPORTED int ncclGroupStart() {
  ++depth;
  return 0;
}
EXPORTED int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation,
                           Communicator* communicator, void* stream) {
  if (type != 7 || operation != 0 || depth == 0) return kInvalidUsage;  // float32, sum
  calls.push_back({communicator, static_cast<const float*>(from), static_cast<float*>(to), count, stream});
  return 0;
}
EXPORTED int ncclGroupEnd() {
  if (--depth > 0) return 0;
  const std::vector<Call> all = std::move(calls);
  calls.clear();
  if (all.empty()) return 0;
  const std::shared_ptr<World> world = all[0].communicator->world;
  const int first = all[0].communicator->rank, here = world ? world->here.load() : all[0].communicator->ranks;
  std::vector<void*> streams;
  std::vector<std::shared_ptr<Graphs>> ofRanks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(all.size()) != here || all[i].communicator->rank != first + static_cast<int>(i) ||
        all[i].count != all[0].count || (world && all[0].count > kMostFloats))
      return kInvalidUsage;
    streams.push_back(all[i].stream);
    ofRanks.push_back(all[i].communicator->graphs);
  }
  // Behaves as a rank that hangs in a call, or as NCCL, which connects the ranks in the first call of each and so needs
  // all of them there.
  const bool hangs = setting("hang=", -1) == all[0].communicator->rank;
  if (world && setting("after=", 0) == groups++ && (hangs || setting("connect=", 0) != 0))
    while (hangs || !world->connect()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto ready = [all, world] {
    if (!world || world->aborted) return true;
    if (!world->hasPosted())
      for (const Call& call : all) world->post(call.communicator->rank, call.from, call.count);
    world->setPosted();
    return world->allHavePosted();
  };
  const auto work = [all, world] {
    if (world && world->aborted) return;
    for (std::size_t e = 0; e < all[0].count; ++e) {
      float sum = 0;
      if (world)
        sum = world->sum(e);
      else
        for (const Call& call : all) sum += call.from[e];
      for (const Call& call : all) call.to[e] = sum;
    }
    if (world) world->setDone();
  };
  return together(streams.data(), static_cast<int>(streams.size()), ready, work, std::make_shared<Captured>(ofRanks));
}
