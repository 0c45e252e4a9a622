// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/gpu_commands.h"

#include <algorithm>
#include <limits>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/device/cuda/small_gradients_kernel.h"

namespace lab::gpu {
namespace {

// Segments of the forward product that every kernel adds to each other first.
constexpr std::int64_t kForwardGroup = 8;
// Up to this batch every segment gets a block of its own, beyond it a group does. Both give enough blocks for 132
// multiprocessors.
constexpr std::int64_t kSmallBatch = 1024;
// Number of partial weight gradients that are added at the end. Their order of addition may depend on n.
constexpr std::int64_t kMaxGradientSplits = 8;
// Limits for the partial sums of columns.
constexpr std::int64_t kMaxPartialRows = kMaxSumParts, kRowsPerSum = 256;
constexpr std::int64_t kMultiprocessors = 132;  // an H100's; changes no bit of a row, so a guess for other GPUs is safe
// Blocks of the convolution's gradient: as many as can run at once.
constexpr std::int64_t kMaxConvBlocks = kConvBlocksTogether * kMultiprocessors;

// A launch's limits.
constexpr std::int64_t kMostX = std::numeric_limits<std::int32_t>::max(), kMostYz = 65535;

struct Splits {
  std::int64_t count = 1, segmentsPerBlock = 1, perGroup = 1;
};

std::int64_t segmentsOf(std::int64_t depth) {
  return std::max<std::int64_t>(1, ceilDivide(depth, kSegmentDepth));
}

// For the forward product and the product for its input's gradient: a row's bits must not depend on the other rows.
Splits rowSplits(std::int64_t rows, std::int64_t depth) {
  const std::int64_t segments = segmentsOf(depth);
  if (segments <= kForwardGroup) return {1, kForwardGroup, 1};
  if (rows <= kSmallBatch && segments <= kMostYz) return {segments, 1, kForwardGroup};
  const std::int64_t perBlock = std::max(kForwardGroup, ceilDivide(segments, kMostYz));
  return {ceilDivide(segments, perBlock), perBlock, 1};
}

Splits gradientSplits(std::int64_t depth) {
  const std::int64_t segments = segmentsOf(depth), perBlock = ceilDivide(segments, kMaxGradientSplits);
  return {ceilDivide(segments, perBlock), perBlock, 1};
}

std::int64_t rowsPerSum(std::int64_t rows) {
  return std::max(kRowsPerSum, ceilDivide(rows, kMaxPartialRows));
}

// Tiles of 64 columns, and the cost of a tile of depth 16: the instructions that a warp executes (sm_90, cuobjdump).
struct Tile {
  std::int64_t rows, instructions;
  KernelId forward, inputGradient;
};
constexpr Tile kTiles[] = {{kTile, 642, KernelId::ProductForward, KernelId::ProductInputGradient},
                           {32, 350, KernelId::ProductForward32, KernelId::ProductInputGradient32},
                           {16, 229, KernelId::ProductForward16, KernelId::ProductInputGradient16}};
constexpr std::int64_t kFewRows = 256;  // with more rows there are enough blocks

// Returns the tile size that gives the busiest multiprocessor the least work.
Tile tileFor(KernelId kernel, std::int64_t rows, std::int64_t columns, std::int64_t splits) {
  if (kernel == KernelId::ProductWeightGradient || rows > kFewRows) return kTiles[0];
  return *std::ranges::min_element(kTiles, {}, [&](const Tile& tile) {
    const std::int64_t blocks = ceilDivide(columns, kTile) * ceilDivide(rows, tile.rows) * splits;
    return ceilDivide(blocks, kMultiprocessors) * tile.instructions;
  });
}

void launchTiles(CommandList& list, int stream, KernelId kernel, std::int64_t splits, const ProductArgs& args) {
  const Tile tile = tileFor(kernel, args.rows, args.columns, splits);
  const KernelId chosen = kernel == KernelId::ProductForward         ? tile.forward
                          : kernel == KernelId::ProductInputGradient ? tile.inputGradient
                                                                     : kernel;
  const std::int64_t across = ceilDivide(args.columns, kTile), down = ceilDivide(args.rows, tile.rows);
  const bool rowsOnX = kernel == KernelId::ProductWeightGradient;  // as its operands say
  list.launch(stream, chosen, args, rowsOnX ? down : across, rowsOnX ? across : down, splits);
}

void launchProduct(CommandList& list, int stream, float* scratch, KernelId kernel, const Splits& splits,
                   ProductArgs args) {
  float* out = args.out;
  args.segmentsPerBlock = splits.segmentsPerBlock;
  if (splits.count > 1) args.out = scratch;
  launchTiles(list, stream, kernel, splits.count, args);
  if (splits.count == 1) return;
  const std::int64_t size = args.rows * args.columns;
  list.launch(
      stream, KernelId::SumSplits,
      SumSplitsArgs{scratch, out, args.bias, args.mask, size, args.columns, splits.count, splits.perGroup, args.relu},
      ceilDivide(size, kElementThreads));
}

// In one pass, or in two passes with at most kMaxPartialRows rows in `partial`.
void columnSums(CommandList& list, int stream, std::int64_t rows, std::int64_t columns, const float* in, float* partial,
                float* out) {
  const std::int64_t across = ceilDivide(columns, kSumColumns);
  if (rows <= kRowsPerSum) {
    list.launch(stream, KernelId::ColumnSums, ColumnSumsArgs{in, out, nullptr, 0, rows, columns, kRowsPerSum}, across);
    return;
  }
  const std::int64_t perBlock = rowsPerSum(rows);
  const std::int64_t blocks = ceilDivide(rows, perBlock);
  list.launch(stream, KernelId::ColumnSums, ColumnSumsArgs{in, partial, nullptr, 0, rows, columns, perBlock}, across,
              blocks);
  list.launch(stream, KernelId::ColumnSums, ColumnSumsArgs{partial, out, nullptr, 0, blocks, columns, blocks}, across);
}

class CommandBackend final : public Backend {
 public:
  CommandBackend(CommandList& list, int stream, float* scratch, StepNumbers& numbers)
      : list_(list), stream_(stream), scratch_(scratch), numbers_(numbers) {}

  std::string_view name() const override { return "cuda"; }

  void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                    std::uint8_t* argmax) override {
    launchConv(list_, stream_, n, {images, nullptr, nullptr}, nullptr, kernel, bias, pooled, argmax, nullptr);
  }

  void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                            const float* dPooledForKernel, const float* dPooled, float* dKernel,
                            float* dBias) override {
    launchConvBackward(list_, stream_, scratch_, n, {images, nullptr, nullptr}, argmax, dPooledForKernel, dPooled,
                       dKernel, dBias);
  }

  void dense(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* w, const float* bias,
             bool relu, float* y) override {
    product(KernelId::ProductForward, rowSplits(n, in), {x, w, y, bias, nullptr, n, out, in, 0, relu ? 1 : 0});
  }

  void denseWeightGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                           float* dw) override {
    product(KernelId::ProductWeightGradient, gradientSplits(n), {x, dy, dw, nullptr, nullptr, in, out, n, 0, 0});
  }

  void denseBiasGradient(std::int64_t n, std::int64_t out, const float* dy, float* db) override {
    columnSums(list_, stream_, n, out, dy, scratch_, db);
  }

  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          float* dx) override {
    launchDenseInputGradient(list_, stream_, scratch_, n, in, out, dy, w, nullptr, dx);
  }

  void reluBackward(std::int64_t size, const float* y, float* dy) override {
    elements(KernelId::ReluBackward, size, ReluBackwardArgs{y, dy, size});
  }

  void softmaxCrossEntropy(std::int64_t n, const float* logits, const std::uint8_t* labels, float scale, float* losses,
                           std::uint8_t* predictions, float* dLogits) override {
    list_.launch(stream_, KernelId::Softmax, SoftmaxArgs{logits, labels, losses, predictions, dLogits, n, scale, 0},
                 ceilDivide(n, kSoftmaxThreads));
  }

  void adam(std::int64_t size, const AdamStep& step, const float* gradient, float* m, float* v,
            float* weights) override {
    elements(KernelId::Adam, size,
             AdamArgs{gradient, m, v, weights, numbers_.put(step.learningRate), size, 1 - step.beta1, 1 - step.beta2,
                      step.epsilon, 0});
  }

  void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
           float* weights) override {
    elements(KernelId::Sgd, size, SgdArgs{gradient, velocity, weights, numbers_.put(learningRate), size, momentum, 0});
  }

  void roundToBfloat16(std::int64_t size, const float* in, float* out) override {
    elements(KernelId::RoundToBfloat16, size,
             RoundArgs{reinterpret_cast<const std::uint32_t*>(in), reinterpret_cast<std::uint32_t*>(out), size});
  }

  void add(std::int64_t size, const float* source, float* destination) override {
    elements(KernelId::Add, size, AddArgs{source, destination, size});
  }

  void copy(std::int64_t size, const float* source, float* destination) override {
    list_.copy(stream_, destination, source, size * 4);
  }

  bool identical(std::int64_t, const float*, const float*) override {
    throwBrokenInvariant("a list of commands has no results", __FILE__, __LINE__);
  }

 private:
  template <typename Args>
  void elements(KernelId kernel, std::int64_t size, const Args& args) {
    list_.launch(stream_, kernel, args, ceilDivide(size, kElementThreads));
  }

  void product(KernelId kernel, const Splits& splits, const ProductArgs& args) {
    launchProduct(list_, stream_, scratch_, kernel, splits, args);
  }

  CommandList& list_;
  int stream_;
  float* scratch_;
  StepNumbers& numbers_;
};

}  // namespace

void CommandList::setGrid(Command& command, std::int64_t x, std::int64_t y, std::int64_t z) {
  LAB_CHECK(x <= kMostX && y <= kMostYz && z <= kMostYz);
  command.gridX = static_cast<std::int32_t>(x);
  command.gridY = static_cast<std::int32_t>(y);
  command.gridZ = static_cast<std::int32_t>(z);
}

void CommandList::copy(int stream, void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  Command command;
  command.action = Action::Copy;
  command.stream = stream;
  command.set(CopyArgs{to, from, bytes});
  commands_.push_back(command);
}

void CommandList::clear(int stream, void* memory, std::int64_t bytes) {
  if (bytes == 0) return;
  Command command;
  command.action = Action::Clear;
  command.stream = stream;
  command.set(CopyArgs{memory, nullptr, bytes});
  commands_.push_back(command);
}

void CommandList::allReduce(int stream, int rank, float* buffer, std::int64_t count) {
  Command command;
  command.action = Action::AllReduce;
  command.stream = stream;
  command.set(AllReduceArgs{buffer, count, rank});
  commands_.push_back(command);
}

void CommandList::beginRange(std::string_view name) {
  Command command;
  command.action = Action::RangeBegin;
  RangeArgs args{};
  name.copy(args.name, sizeof(args.name) - 1);
  command.set(args);
  commands_.push_back(command);
}

void CommandList::endRange() {
  Command command;
  command.action = Action::RangeEnd;
  commands_.push_back(command);
}

void CommandList::mark(Action action, int stream, int event) {
  Command command;
  command.action = action;
  command.stream = stream;
  command.event = event;
  commands_.push_back(command);
}

std::int64_t scratchFloats(std::int64_t n, std::int64_t in, std::int64_t out) {
  // The most that any batch of up to n examples needs, not what a batch of n needs: small batches are split further.
  const auto rows = [n](std::int64_t depth, std::int64_t columns) {
    const std::int64_t segments = segmentsOf(depth);
    if (segments <= kForwardGroup) return std::int64_t{0};
    return columns * std::max(segments * std::min(n, kSmallBatch), ceilDivide(segments, kForwardGroup) * n);
  };
  const std::int64_t gradient = n > kSegmentDepth ? kMaxGradientSplits * in * out : 0;
  const std::int64_t sums = std::max(kMaxPartialRows * out, kMaxConvBlocks * kConvSums);
  return std::max({sums, rows(in, out), rows(out, in), gradient});
}

std::unique_ptr<Backend> makeCommandBackend(CommandList& list, int stream, float* scratch, StepNumbers& numbers) {
  return std::make_unique<CommandBackend>(list, stream, scratch, numbers);
}

void launchConv(CommandList& list, int stream, std::int64_t n, const ImageSource& source, const std::uint8_t* labels,
                const float* kernel, const float* bias, float* pooled, std::uint8_t* argmax, std::uint8_t* outLabels) {
  list.launch(stream, KernelId::ConvForward, ConvForwardArgs{source, kernel, bias, pooled, argmax, labels, outLabels},
              n);
}

void launchConvBackward(CommandList& list, int stream, float* scratch, std::int64_t n, const ImageSource& source,
                        const std::uint8_t* argmax, const float* dPooledForKernel, const float* dPooled, float* dKernel,
                        float* dBias) {
  const std::int64_t perBlock = std::max<std::int64_t>(1, ceilDivide(n, kMaxConvBlocks));
  const std::int64_t blocks = ceilDivide(n, perBlock);
  list.launch(stream, KernelId::ConvBackward,
              ConvBackwardArgs{source, argmax, dPooledForKernel, dPooled, scratch, n, perBlock}, blocks);
  list.launch(stream, KernelId::ColumnSums,
              ColumnSumsArgs{scratch, dKernel, dBias, kConvSums - kFilters, blocks, kConvSums, blocks},
              ceilDivide(kConvSums, kSumColumns));
}

ProductSplits launchDenseSplits(CommandList& list, int stream, float* scratch, std::int64_t n, std::int64_t in,
                                std::int64_t out, const float* x, const float* w) {
  const Splits splits = rowSplits(n, in);
  LAB_CHECK(splits.count > 1);  // otherwise there is nothing left to add up
  launchTiles(list, stream, KernelId::ProductForward, splits.count,
              {x, w, scratch, nullptr, nullptr, n, out, in, splits.segmentsPerBlock, 0});
  return {splits.count, splits.perGroup};
}

void launchDenseInputGradient(CommandList& list, int stream, float* scratch, std::int64_t n, std::int64_t in,
                              std::int64_t out, const float* dy, const float* w, const float* mask, float* dx) {
  launchProduct(list, stream, scratch, KernelId::ProductInputGradient, rowSplits(n, out),
                {dy, w, dx, nullptr, mask, n, in, out, 0, 0});
}

void launchSmallGradients(CommandList& list, int stream, SmallGradientsArgs args) {
  args.rowsPerSum = rowsPerSum(args.n);
  args.segmentsPerSplit = gradientSplits(args.n).segmentsPerBlock;
  list.launch(stream, KernelId::SmallGradients, args, SmallGradientsKernel::kBlocks);
}

}  // namespace lab::gpu
