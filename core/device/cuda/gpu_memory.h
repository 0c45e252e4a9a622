// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of a GPU's memory and of page-locked host memory. Their size is fixed.
#pragma once

#include <cstdint>
#include <utility>

#include "core/device/cuda/gpu_layer.h"

namespace lab::gpu {

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(Layer& layer, int gpu, std::int64_t bytes)
      : layer_(&layer), gpu_(gpu), data_(layer.allocate(gpu, bytes)), bytes_(bytes) {}
  ~DeviceMemory() {
    if (data_ != nullptr) layer_->release(gpu_, data_);
  }
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    DeviceMemory taken(std::move(other));
    swap(taken);
    return *this;
  }

  void* data() const { return data_; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  void swap(DeviceMemory& other) noexcept {
    std::swap(layer_, other.layer_);
    std::swap(gpu_, other.gpu_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  Layer* layer_ = nullptr;
  int gpu_ = 0;
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(Layer& layer, std::int64_t bytes) : layer_(&layer), data_(layer.allocatePinned(bytes)) {}
  ~PinnedMemory() {
    if (data_ != nullptr) layer_->releasePinned(data_);
  }
  PinnedMemory(PinnedMemory&& other) noexcept { swap(other); }
  PinnedMemory& operator=(PinnedMemory&& other) noexcept {
    PinnedMemory taken(std::move(other));
    swap(taken);
    return *this;
  }

  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void swap(PinnedMemory& other) noexcept {
    std::swap(layer_, other.layer_);
    std::swap(data_, other.data_);
  }
  Layer* layer_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace lab::gpu
