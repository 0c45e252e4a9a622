// SPDX-License-Identifier: GPL-3.0-or-later
// The few functions of NCCL that we call, loaded at run time, so that a machine without NCCL, or a build without its
// headers, works too. Signatures and constants are those of nccl.h, unchanged since NCCL 2.0
// (https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html). Only the CUDA module includes this file.
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/device/cuda/gpu_layer.h"
#include "core/device/messages.h"

namespace lab::gpu {

class Nccl {
 public:
  // Opens the library: $STRATEGYLAB_NCCL, or else the one that the system finds.
  Nccl() {
    const char* named = std::getenv("STRATEGYLAB_NCCL");
    library_ = dlopen(named != nullptr ? named : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      const char* error = dlerror();
      why_ = {say::ncclMissing, error != nullptr ? error : "libnccl.so.2 not found"};
      return;
    }
    if (!find(getVersion_, "ncclGetVersion") || !find(initAll_, "ncclCommInitAll") ||
        !find(newId_, "ncclGetUniqueId") || !find(initRank_, "ncclCommInitRank") ||
        !find(allReduce_, "ncclAllReduce") || !find(groupStart_, "ncclGroupStart") ||
        !find(groupEnd_, "ncclGroupEnd") || !find(abort_, "ncclCommAbort") ||
        !find(asyncError_, "ncclCommGetAsyncError") || !find(errorString_, "ncclGetErrorString"))
      return;
    if (getVersion_(&version_) != kSuccess || version_ < kOldest) why_ = {say::ncclTooOld, versionText()};
  }
  ~Nccl() { close(); }
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  const Message& why() const { return why_; }
  std::string versionText() const {  // 22803 is 2.28.3, and before 2.9 2804 was 2.8.4
    const int major = version_ < 10000 ? 1000 : 10000;
    return std::to_string(version_ / major) + "." + std::to_string(version_ % major / 100) + "." +
           std::to_string(version_ % 100);
  }

  // Creates one communicator per rank; all ranks are in this process.
  void createRanks(std::span<const int> devices) {
    close();
    communicators_.resize(devices.size());
    const int result = initAll_(communicators_.data(), static_cast<int>(devices.size()), devices.data());
    if (result != kSuccess) communicators_.clear();  // half made: NCCL must not be asked about them
    check(result, "ncclCommInitAll");
  }
  NcclId newId() const {
    UniqueId id{};
    check(newId_(&id), "ncclGetUniqueId");
    NcclId result;
    std::copy(std::begin(id.internal), std::end(id.internal), result.bytes.begin());
    return result;
  }
  // Creates one communicator per local rank; other ranks are in other processes. Each is created on a thread of its
  // own, because the call returns only when all ranks have come, which may never happen.
  void joinRanks(std::span<const int> devices, int first, int total, const NcclId& id,
                 const std::function<void()>& look) {
    struct Joining {
      std::vector<Communicator*> communicators;
      std::vector<int> results;
      std::atomic<std::size_t> left;
    };
    close();
    UniqueId of{};
    std::copy(id.bytes.begin(), id.bytes.end(), std::begin(of.internal));
    const auto joining = std::make_shared<Joining>();
    joining->communicators.resize(devices.size());
    joining->results.resize(devices.size(), kSuccess);
    joining->left = devices.size();
    for (std::size_t i = 0; i < devices.size(); ++i)
      std::thread([joining, i, device = devices[i], rank = first + static_cast<int>(i), total, of, init = initRank_] {
        joining->results[i] = cudaSetDevice(device) == cudaSuccess ? init(&joining->communicators[i], total, of, rank)
                                                                   : kUnhandledCudaError;
        --joining->left;
      }).detach();
    while (joining->left > 0) {
      if (look) look();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    communicators_ = joining->communicators;
    for (const int result : joining->results) check(result, "ncclCommInitRank");
  }
  void startGroup() { check(groupStart_(), "ncclGroupStart"); }
  void endGroup() { check(groupEnd_(), "ncclGroupEnd"); }
  void leaveGroup() noexcept { (void)groupEnd_(); }  // after a failure inside the group
  void allReduce(std::size_t rank, float* buffer, std::size_t count, cudaStream_t stream) {
    check(allReduce_(buffer, buffer, count, kFloat32, kSum, communicators_.at(rank), stream), "ncclAllReduce");
  }
  // Returns what went wrong in the meantime, or nothing: when a peer is gone, a collective does not return by itself.
  Message failure() const {
    for (Communicator* communicator : communicators_) {
      int state = kSuccess;
      if (const int result = asyncError_(communicator, &state); result != kSuccess)
        return failureOf(result, "ncclCommGetAsyncError");
      if (state != kSuccess && state != kInProgress) return failureOf(state, "a collective");
    }
    return {};
  }
  // Frees everything. Nothing may be under way, and no graph may hold a communicator, because NCCL waits until such
  // graphs are gone.
  void close() noexcept {
    for (Communicator* communicator : communicators_)
      if (communicator != nullptr) (void)abort_(communicator);
    communicators_.clear();
  }
  // Frees everything when a rank is lost and others wait for it: their kernels end when their own communicator is
  // aborted. An abort may wait for ever, for a graph or for the lost GPU; so each runs on a thread of its own, and
  // nobody waits for it.
  void abandon(std::function<void()> destroyGraphs) noexcept {
    if (communicators_.empty()) return;
    try {
      std::thread([destroy = std::move(destroyGraphs), all = std::exchange(communicators_, {}), abort = abort_] {
        destroy();
        for (Communicator* communicator : all)
          if (communicator != nullptr) std::thread(abort, communicator).detach();
      }).detach();
    } catch (const std::system_error&) {  // no thread available: the kernels end with the program
    }
  }

 private:
  struct Communicator;
  struct UniqueId {
    char internal[128];
  };
  static constexpr int kSuccess = 0, kUnhandledCudaError = 1, kInProgress = 7, kFloat32 = 7, kSum = 0, kOldest = 21800;

  template <typename Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) why_ = {say::ncclLacks, name};
    return function != nullptr;
  }
  Message failureOf(int result, const char* what) const { return {say::ncclFailed, what, errorString_(result)}; }
  void check(int result, const char* what) const {
    if (result != kSuccess) throw UserError(failureOf(result, what), UserError::Kind::Run);
  }

  void* library_ = nullptr;  // stays open
  Message why_;
  int version_ = 0;
  std::vector<Communicator*> communicators_;
  int (*getVersion_)(int*) = nullptr;
  int (*initAll_)(Communicator**, int, const int*) = nullptr;
  int (*newId_)(UniqueId*) = nullptr;
  int (*initRank_)(Communicator**, int, UniqueId, int) = nullptr;
  int (*allReduce_)(const void*, void*, std::size_t, int, int, Communicator*, cudaStream_t) = nullptr;
  int (*groupStart_)() = nullptr;
  int (*groupEnd_)() = nullptr;
  int (*abort_)(Communicator*) = nullptr;
  int (*asyncError_)(Communicator*, int*) = nullptr;
  const char* (*errorString_)(int) = nullptr;
};

}  // namespace lab::gpu
