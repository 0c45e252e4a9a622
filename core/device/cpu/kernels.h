// SPDX-License-Identifier: GPL-3.0-or-later
// The fast kernels of one ISA, as plain functions on the calling thread; cpu_backend.cpp divides the work. kernels.inl
// is their only source, compiled once for each ISA with the compiler flags of this ISA. A source file with special
// flags must not include anything that defines inline functions: the linker keeps only one copy of such a function,
// which might crash older processors.
#pragma once

#include <cstdint>

namespace lab {

// c = a·b (or c += a·b), then + bias and relu if set. Every element is one chain of multiply-adds in the order of
// depth, whatever the tiling, so a row's bits depend only on this row and b.
struct Product {
  std::int64_t rows = 0, depth = 0, columns = 0;
  const float* a = nullptr;  // element (r, d) at a[r·aRow + d·aDepth]
  std::int64_t aRow = 0, aDepth = 0;
  const float* b = nullptr;  // (depth, columns), rows bRow apart
  std::int64_t bRow = 0;
  float* c = nullptr;  // (rows, columns), rows cRow apart
  std::int64_t cRow = 0;
  bool accumulate = false;
  const float* bias = nullptr;  // (columns), may be null
  bool relu = false;
};

// A convolution of a run of images that are padded with all that their windows need, so nothing lies outside an image.
// A row of a window is `width` consecutive floats, channels included. Kernels may read kWindowSlack floats beyond the
// last image.
struct Convolution {
  std::int64_t n = 0;
  const float* images = nullptr;
  std::int64_t imageSize = 0, rowSize = 0;   // floats from one image to the next, from one row to the next
  std::int64_t stepY = 0, stepX = 0;         // floats from one place's window to the next place's
  std::int64_t height = 0, width = 0;        // of the window: rows, and floats in each row
  std::int64_t outHeight = 0, outWidth = 0;  // places
  std::int64_t filters = 0;
  std::int64_t taps() const { return height * width; }
};
inline constexpr std::int64_t kWindowSlack = 16;

// The gradient with respect to a convolution's output: either dense (n, outHeight, outWidth, filters), or only at the
// 2×2 maxima (n, outHeight / 2, outWidth / 2, filters), with `winners`. Zeros in it cost nothing.
struct OutputGradient {
  const float* values = nullptr;
  const std::uint8_t* winners = nullptr;  // as in convolvePool; null: dense
};

// Memory for the nonzero values selected from the gradient of one or more images.
struct SelectionRoom {
  std::int32_t* at = nullptr;      // both: room(of) and kWindowSlack more
  float* values = nullptr;         // at least 4 · rowSize
  std::int32_t* begins = nullptr;  // 4 · places + 1
  static std::int64_t room(const Convolution& of) { return of.outHeight * of.outWidth * of.filters; }
};

struct CpuKernels {
  const char* path;  // "avx512"

  // Backend's operations, on a run of images.
  void (*convReluPool)(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                       std::uint8_t* argmax);
  // sums (10, 32), overwritten: the nine taps of dKernel, then dBias.
  void (*convReluPoolBackward)(std::int64_t n, const float* images, const std::uint8_t* argmax,
                               const float* dPooledForKernel, const float* dPooled, float* sums);

  void (*multiply)(const Product& product);
  // Computes rows [begin, end) of dw = xᵀ·dy; arguments as in Backend::denseWeightGradient.
  void (*weightGradientRows)(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t in, std::int64_t out,
                             const float* x, const float* dy, float* dw);
  // Computes columns [begin, end) of dx = dy·wᵀ, at most kGradientColumns; arguments as in Backend::denseInputGradient.
  void (*inputGradientColumns)(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t in, std::int64_t out,
                               const float* dy, const float* w, float* dx);

  // y (n, outHeight, outWidth, filters) = convolution + bias, then relu if set; bias may be null. Every element is one
  // chain of multiply-adds in the order of the kernel (height, width, filters), then the bias.
  void (*convolve)(const Convolution& of, const float* kernel, const float* bias, bool relu, float* y);
  // The same, followed by 2×2 max pooling: pooled (n, outHeight / 2, outWidth / 2, filters); winners as argmax of
  // Backend::convReluPool. The number of filters is a multiple of kPooledFilters.
  void (*convolvePool)(const Convolution& of, const float* kernel, const float* bias, bool relu, float* pooled,
                       std::uint8_t* winners);
  // addKernelGradient adds the kernel's gradient to `sums`, which have a layout and a size (kernelSumsSize) of their
  // own. kernelFromSums makes one row of dKernel's window from the sums.
  std::int64_t (*kernelSumsSize)(const Convolution& of, bool pooled);
  void (*addKernelGradient)(const Convolution& of, const OutputGradient& dy, const SelectionRoom& room, float* sums);
  void (*kernelFromSums)(const Convolution& of, bool pooled, std::int64_t row, const float* sums, float* dKernel);
  // turnKernel writes the kernel as addInputGradient reads it, by rows of the window. dx has the images' form and is
  // added to.
  std::int64_t (*turnedSize)(const Convolution& of);
  void (*turnKernel)(const Convolution& of, std::int64_t row, const float* kernel, float* turned);
  void (*addInputGradient)(const Convolution& of, const OutputGradient& dy, const float* turned,
                           const SelectionRoom& room, float* dx);
  // Adds the column sums of x (rows, columns) to sums (columns); if `winners` is given, skips elements with
  // kNoGradient.
  void (*addColumnSums)(std::int64_t rows, std::int64_t columns, const float* x, const std::uint8_t* winners,
                        double* sums);

  // For each channel over `rows` rows: adds sums of x and x², or of dy and dy · (x − mean). The next two are as in
  // LayerBackend.
  void (*addMoments)(std::int64_t rows, std::int64_t channels, const float* x, double* sums, double* squares);
  void (*addGradientMoments)(std::int64_t rows, std::int64_t channels, const float* x, const float* dy,
                             const double* mean, double* sums, double* products);
  void (*scaleAndShift)(std::int64_t rows, std::int64_t channels, const float* x, const float* factor,
                        const float* term, float* y);
  void (*combine)(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
                  const float* b, const float* c, float* dx);

  // Element by element.
  void (*reluBackward)(std::int64_t size, const float* y, float* dy);
  // complement1 = 1 − β1, complement2 = 1 − β2
  void (*adam)(std::int64_t size, float learningRate, float complement1, float complement2, float epsilon,
               const float* gradient, float* m, float* v, float* weights);
  void (*sgd)(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
              float* weights);
  void (*roundToBfloat16)(std::int64_t size, const float* in, float* out);
  void (*add)(std::int64_t size, const float* source, float* destination);

  // For machine_peak: runs `rounds` rounds of peakFlop floating point operations in registers; a = b + factor·c.
  float (*multiplyAddRounds)(std::int64_t rounds);
  double peakFlop;
  void (*triad)(std::int64_t size, float factor, const float* b, const float* c, float* a);
};

inline constexpr std::int64_t kGradientColumns = 64;
inline constexpr std::int64_t kPooledFilters = 16;  // a whole vector of each ISA

// These return null if this build has no such path.
const CpuKernels* baselineKernels();  // never null
const CpuKernels* avx2Kernels();
const CpuKernels* avx512Kernels();

}  // namespace lab
