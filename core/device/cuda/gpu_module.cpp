// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/gpu_module.h"

#include <filesystem>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/device/messages.h"

namespace lab {
namespace {

constexpr const char* kModuleFile = "strategylab_cuda.so";
constexpr const char* kModuleVariable = "STRATEGYLAB_CUDA_MODULE";

// What is known about this machine's GPUs.
struct Found {
  Message why, whyNccl;
  std::string description;
  std::vector<gpu::GpuInfo> infos;
};

std::mutex mutex;  // guards the variables below
std::function<std::shared_ptr<gpu::Layer>()> replacedGpus;
std::shared_ptr<const Found> found;

std::shared_ptr<gpu::Layer> openModule() {
  const std::filesystem::path path = modulePath(kModuleFile, kModuleVariable);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw UserError(say::noCudaModule, path);
  std::string error;
  void* library = openLibrary(path, error);  // stays open
  if (library == nullptr) throw UserError(say::cudaModuleNotOpened, path, error);
  const auto open = reinterpret_cast<gpu::OpenLayer>(librarySymbol(library, gpu::kOpenLayerSymbol));
  if (open == nullptr) throw UserError(say::notCudaModule, path);
  gpu::Layer* layer = nullptr;
  Message why;
  open(gpu::kInterface, &layer, &why);
  if (layer == nullptr) throw UserError(why);
  return std::shared_ptr<gpu::Layer>(layer);
}

// Call with the lock held.
std::shared_ptr<gpu::Layer> open() {
  return replacedGpus ? replacedGpus() : openModule();
}

std::shared_ptr<const Found> whatIsHere() {
  const std::lock_guard lock(mutex);
  if (found) return found;
  auto result = std::make_shared<Found>();
  try {
    const std::shared_ptr<gpu::Layer> layer = open();
    result->infos = layer->gpus();
    result->description = layer->description();
    result->whyNccl = layer->whyNoNccl();
  } catch (const std::exception& error) {
    result->why = messageOf(error);
  }
  found = result;
  return found;
}

}  // namespace

Message whyNoGpu() {
  return whatIsHere()->why;
}
const std::vector<gpu::GpuInfo>& gpuInfos() {
  static thread_local std::shared_ptr<const Found> kept;  // keeps the returned references valid
  kept = whatIsHere();
  return kept->infos;
}
std::string gpuList() {
  const std::shared_ptr<const Found> here = whatIsHere();
  std::string list;
  for (const gpu::GpuInfo& info : here->infos) list += info.name + ", ";
  return list + here->description;
}
std::string gpuDescription() {
  return whatIsHere()->description;
}
Message whyNoNccl() {
  const std::shared_ptr<const Found> here = whatIsHere();
  return here->why.empty() ? here->whyNccl : here->why;
}

std::shared_ptr<gpu::Layer> openGpus() {
  const std::lock_guard lock(mutex);
  try {
    return open();
  } catch (const UserError& error) {
    throw UserError(say::gpusNotUsable, error.message());
  }
}

void replaceGpus(std::function<std::shared_ptr<gpu::Layer>()> open) {
  const std::lock_guard lock(mutex);
  replacedGpus = std::move(open);
  found.reset();
}

}  // namespace lab
