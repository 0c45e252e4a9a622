// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for NCCL, for the module on the stand-in for CUDA (fake_cuda.h): one process, one communicator a rank,
// all-reduce of floats within a group. As in NCCL an abort waits until no graph holds the communicator.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/fake_cuda.h"

namespace {

using Graphs = std::atomic<int>;
struct Communicator {
  int rank = 0, ranks = 0;
  std::shared_ptr<Graphs> graphs = std::make_shared<Graphs>(0);  // that a collective of it was captured in
};
// What such a graph keeps while it lives.
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
int depth = 0;
std::vector<Call> calls;
std::atomic<long> aborts = 0;

// A number of the settings' words, "version=21000 error=5".
int setting(const char* key, int otherwise) {
  const char* words = std::getenv("STRATEGYLAB_FAKE_NCCL");
  const char* found = words != nullptr ? std::strstr(words, key) : nullptr;
  return found != nullptr ? std::atoi(found + std::strlen(key)) : otherwise;
}

constexpr int kInvalidUsage = 5;

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
  for (int i = 0; i < ranks; ++i) communicators[i] = new Communicator{.rank = i, .ranks = ranks};
  return 0;
}
EXPORTED int ncclCommAbort(Communicator* communicator) {
  for (int graphs = *communicator->graphs; graphs > 0; graphs = *communicator->graphs)
    communicator->graphs->wait(graphs);
  delete communicator;
  ++aborts;
  return 0;
}
EXPORTED int ncclCommGetAsyncError(Communicator*, int* state) {
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
  std::vector<void*> streams;
  std::vector<std::shared_ptr<Graphs>> ofRanks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.size() != static_cast<std::size_t>(all[i].communicator->ranks) ||
        all[i].communicator->rank != static_cast<int>(i) || all[i].count != all[0].count)
      return kInvalidUsage;
    streams.push_back(all[i].stream);
    ofRanks.push_back(all[i].communicator->graphs);
  }
  const auto work = [all] {
    for (std::size_t e = 0; e < all[0].count; ++e) {
      float sum = 0;
      for (const Call& call : all) sum += call.from[e];
      for (const Call& call : all) call.to[e] = sum;
    }
  };
  return together(streams.data(), static_cast<int>(streams.size()), work, std::make_shared<Captured>(ofRanks));
}
