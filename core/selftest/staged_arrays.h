// SPDX-License-Identifier: GPL-3.0-or-later
// One operation's arrays on their way to a GPU and back, each in separate memory with a margin on both sides that must
// not be written. Only included by staged_*.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/gpu_memory.h"
#include "core/device/cuda/layer_commands.h"
#include "core/device/messages.h"

namespace lab::gpu {

class StagedArrays {
 public:
  StagedArrays(Layer& layer, int gpu, int stream, CommandList& list)
      : layer_(layer), gpu_(gpu), stream_(stream), list_(list) {
    list_.erase();
  }

  template <typename T>
  const T* in(const T* host, std::int64_t count) {
    if (host == nullptr) return nullptr;
    return static_cast<const T*>(place(const_cast<T*>(host), count * std::int64_t{sizeof(T)}, false));
  }
  template <typename T>
  T* out(T* host, std::int64_t count) {
    if (host == nullptr) return nullptr;
    return static_cast<T*>(place(host, count * std::int64_t{sizeof(T)}, true));
  }

  // body(scratch) enqueues the operation, which may use `scratch` floats of memory.
  template <typename Body>
  void run(std::int64_t scratch, const Body& body) {
    const DeviceMemory scratchMemory(layer_, gpu_, std::max<std::int64_t>(4, scratch * 4));
    for (Array& array : arrays_)
      list_.copy(stream_, array.memory->data(), array.staged.data(), std::ssize(array.staged));
    body(scratchMemory.as<float>());
    for (Array& array : arrays_)
      if (array.result) list_.copy(stream_, array.staged.data(), array.memory->data(), std::ssize(array.staged));
    layer_.submit(list_.commands());
    layer_.waitForStream(stream_);
    for (const Array& array : arrays_) {
      if (!array.result) continue;
      const auto untouched = [](unsigned char byte) { return byte == kUntouched; };
      if (!std::all_of(array.staged.begin(), array.staged.begin() + kMargin, untouched) ||
          !std::all_of(array.staged.end() - kMargin, array.staged.end(), untouched))
        throw UserError(UserError::Kind::Run, say::kernelWroteOutside);
      std::copy(array.staged.begin() + kMargin, array.staged.end() - kMargin, array.host);
    }
  }

  // The same for operations on layers.
  template <typename Body>
  void runLayers(std::int64_t scratch, const Body& body) {
    run(scratch, [&](float* memory) {
      LayerCommands commands(list_, stream_, memory);
      body(commands);
    });
  }

 private:
  static constexpr std::int64_t kMargin = 256;  // bytes around every array, and the alignment of each
  static constexpr unsigned char kUntouched = 0x71;

  struct Array {
    unsigned char* host = nullptr;
    bool result = false;
    std::vector<unsigned char> staged;  // with margins
    std::unique_ptr<DeviceMemory> memory;
  };

  void* place(void* host, std::int64_t bytes, bool result) {
    Array array{static_cast<unsigned char*>(host), result, {}, nullptr};
    array.staged.assign(static_cast<std::size_t>(bytes + 2 * kMargin), kUntouched);
    std::copy(array.host, array.host + bytes, array.staged.begin() + kMargin);
    array.memory = std::make_unique<DeviceMemory>(layer_, gpu_, bytes + 2 * kMargin);
    arrays_.push_back(std::move(array));
    return arrays_.back().memory->as<unsigned char>() + kMargin;
  }

  Layer& layer_;
  int gpu_, stream_;
  CommandList& list_;
  std::vector<Array> arrays_;
};

}  // namespace lab::gpu
