// SPDX-License-Identifier: GPL-3.0-or-later
// A list of commands under construction, and the backend that writes into it: operations on a GPU's own memory,
// enqueued on a stream. Nothing is executed here.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/device/cuda/gpu_layer.h"

namespace lab::gpu {

class CommandList {
 public:
  template <typename Args>
  void launch(int stream, KernelId kernel, const Args& args, std::int64_t gridX, std::int64_t gridY = 1,
              std::int64_t gridZ = 1) {
    if (gridX == 0 || gridY == 0 || gridZ == 0) return;
    Command command;
    command.action = Action::Launch;
    command.kernel = kernel;
    command.stream = stream;
    setGrid(command, gridX, gridY, gridZ);
    command.set(args);
    commands_.push_back(command);
  }
  void copy(int stream, void* to, const void* from, std::int64_t bytes);
  void clear(int stream, void* memory, std::int64_t bytes);
  void record(int stream, int event) { mark(Action::Record, stream, event); }
  void wait(int stream, int event) { mark(Action::Wait, stream, event); }
  void stamp(int stream, int event) { mark(Action::Stamp, stream, event); }
  void allReduce(int stream, int rank, float* buffer, std::int64_t count);
  void beginRange(std::string_view name);
  void endRange();

  const std::vector<Command>& commands() const { return commands_; }
  void erase() { commands_.clear(); }

 private:
  static void setGrid(Command& command, std::int64_t x, std::int64_t y, std::int64_t z);
  void mark(Action action, int stream, int event);
  std::vector<Command> commands_;
};

// Returns how many scratch elements suffice for any operation on up to n examples of a layer from `in` to `out`.
std::int64_t scratchFloats(std::int64_t n, std::int64_t in, std::int64_t out);

// Stores an operation's numbers that change from step to step. The returned address is on the device and the same in
// every step; the value is copied there with the step's other parameters.
class StepNumbers {
 public:
  virtual ~StepNumbers() = default;
  virtual const float* put(float value) = 0;
};

// `scratch` (scratchFloats() of the largest layer) is on the stream's GPU. All arguments outlive the backend. An
// operation whose result the host needs at once (identical) is refused.
std::unique_ptr<Backend> makeCommandBackend(CommandList& list, int stream, float* scratch, StepNumbers& numbers);

// Backend::convReluPool and its gradient, for images that may be bytes. If `labels` (of the data set) is not null, the
// images' labels are written to `outLabels`.
void launchConv(CommandList& list, int stream, std::int64_t n, const ImageSource& source, const std::uint8_t* labels,
                const float* kernel, const float* bias, float* pooled, std::uint8_t* argmax, std::uint8_t* outLabels);
void launchConvBackward(CommandList& list, int stream, float* scratch, std::int64_t n, const ImageSource& source,
                        const std::uint8_t* argmax, const float* dPooledForKernel, const float* dPooled, float* dKernel,
                        float* dBias);

// The dense layer's product alone, as splits in `scratch` (splits, n, out), which the head kernel adds up.
struct ProductSplits {
  std::int64_t count = 1, perGroup = 1;
};
ProductSplits launchDenseSplits(CommandList& list, int stream, float* scratch, std::int64_t n, std::int64_t in,
                                std::int64_t out, const float* x, const float* w);

// Backend::denseInputGradient, but 0 where `mask` (n, in) is not positive; `mask` may be null.
void launchDenseInputGradient(CommandList& list, int stream, float* scratch, std::int64_t n, std::int64_t in,
                              std::int64_t out, const float* dy, const float* w, const float* mask, float* dx);

// Needs no scratch; this function fills in how the sums are divided.
void launchSmallGradients(CommandList& list, int stream, SmallGradientsArgs args);

}  // namespace lab::gpu
