// SPDX-License-Identifier: GPL-3.0-or-later
// A module with emulated GPUs in the place of CUDA's, for the built programs: STRATEGYLAB_CUDA_MODULE names it. It
// shows that a module is found, opened and used, from `devices` to a whole training; tests/gpu/run.sh can be tried with
// it. STRATEGYLAB_EMULATED_GPUS is how many there are, 1 by default.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/support/emulated_gpus.h"

namespace {

// The layer that the program deletes; what it passes on to is freed with it.
std::shared_ptr<lab::test::EmulatedGpus> makeLayer() {
  const char* gpus = std::getenv("STRATEGYLAB_EMULATED_GPUS");
  return lab::test::makeEmulatedGpus({.gpus = gpus != nullptr ? std::atoi(gpus) : 1});
}

class Passed final : public lab::gpu::Layer {
 public:
  const std::vector<lab::gpu::GpuInfo>& gpus() const override { return to_->gpus(); }
  std::string description() const override { return to_->description(); }
  std::int64_t freeBytes(int gpu) override { return to_->freeBytes(gpu); }
  void* allocate(int gpu, std::int64_t bytes) override { return to_->allocate(gpu, bytes); }
  void release(int gpu, void* memory) noexcept override { to_->release(gpu, memory); }
  void* allocatePinned(std::int64_t bytes) override { return to_->allocatePinned(bytes); }
  void releasePinned(void* memory) noexcept override { to_->releasePinned(memory); }
  void pin(void* memory, std::int64_t bytes) noexcept override { to_->pin(memory, bytes); }
  void unpin(void* memory) noexcept override { to_->unpin(memory); }
  int createStream(int gpu) override { return to_->createStream(gpu); }
  int createEvent(int gpu, bool timed) override { return to_->createEvent(gpu, timed); }
  void submit(std::span<const lab::gpu::Command> commands) override { to_->submit(commands); }
  int createGraph(std::span<const lab::gpu::Command> commands) override { return to_->createGraph(commands); }
  void launchGraph(int graph) override { to_->launchGraph(graph); }
  void destroyGraph(int graph) noexcept override { to_->destroyGraph(graph); }
  void waitForEvent(int event) override { to_->waitForEvent(event); }
  void waitForStream(int stream) override { to_->waitForStream(stream); }
  std::int64_t elapsedNs(int from, int to) override { return to_->elapsedNs(from, to); }
  std::string whyNoNccl() override { return to_->whyNoNccl(); }
  void createRanks(std::span<const int> gpus) override { to_->createRanks(gpus); }

 private:
  std::shared_ptr<lab::test::EmulatedGpus> to_ = makeLayer();
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void strategylabOpenCuda(const char* interface,
                                                                           lab::gpu::Layer** layer, char* why,
                                                                           std::size_t whyBytes) {
  *layer = nullptr;
  if (std::strcmp(interface, lab::gpu::kInterface) != 0)
    std::snprintf(why, whyBytes, "the emulated module is of another build");
  else
    *layer = new Passed;
}
