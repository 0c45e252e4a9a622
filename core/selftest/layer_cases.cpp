// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of layers of any size: listed and random windows, strides and paddings, and every way in which sums are split.
// A GPU's fused operations are compared with the operations that they consist of.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/selftest/fused_layers.h"
#include "core/selftest/operation_case_parts.h"
#include "core/selftest/reference.h"

namespace lab {
namespace {

using namespace case_parts;

constexpr std::int64_t kNarrow = 32;  // up to this many columns, a GPU uses other tiles

struct WindowCase {
  LayerWindow window;
  std::int64_t filters = 0, n = 0;

  std::string text() const {
    const LayerWindow& w = window;
    const auto by = [](std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); };
    return ", " + by(w.inHeight, w.inWidth) + "x" + std::to_string(w.channels) + " to " + std::to_string(filters) +
           ", window " + by(w.height, w.width) + ", strides " + by(w.strideY, w.strideX) + ", padding " +
           by(w.padTop, w.padLeft) + ", n = " + std::to_string(n);
  }
  std::int64_t in() const { return n * window.inSize(); }
  std::int64_t out() const { return n * window.places() * filters; }
  std::int64_t pooled() const { return n * window.places() * window.channels; }
};

// Returns the places along one side, and the padding before the first.
std::pair<std::int64_t, std::int64_t> placesOf(std::int64_t in, std::int64_t window, std::int64_t stride, bool same) {
  if (!same) return {in < window ? 0 : (in - window) / stride + 1, 0};
  const std::int64_t places = ceilDivide(in, stride);
  return {places, std::max<std::int64_t>(0, (places - 1) * stride + window - in) / 2};
}

WindowCase windowCase(LayerWindow w, bool same, std::int64_t filters, std::int64_t n) {
  std::tie(w.outHeight, w.padTop) = placesOf(w.inHeight, w.height, w.strideY, same);
  std::tie(w.outWidth, w.padLeft) = placesOf(w.inWidth, w.width, w.strideX, same);
  return {w, filters, n};
}

// cifar10's convolutions; sums over many places, which are split into few and into many parts; then random ones.
std::vector<WindowCase> windowCases() {
  std::vector<WindowCase> all;
  const auto square = [&](std::int64_t side, std::int64_t channels, std::int64_t filters, std::int64_t n) {
    all.push_back(windowCase({.inHeight = side, .inWidth = side, .channels = channels, .height = 3, .width = 3}, false,
                             filters, n));
  };
  square(32, 3, 32, 1);
  square(15, 32, 64, 2);
  square(6, 64, 64, 2);
  square(12, 4, 5, 4);
  square(12, 4, 5, 42);
  Rng rng(22, 0x6c6179);
  const auto drawn = [&](const std::vector<std::int64_t>& from) { return at(from, rng.below(from.size())); };
  const auto upTo = [&](std::uint64_t most) { return static_cast<std::int64_t>(rng.below(most)) + 1; };
  while (all.size() < 25) {
    LayerWindow w{.inHeight = upTo(13), .inWidth = upTo(13), .channels = drawn({1, 2, 3, 4, 8, 20, 33, 40})};
    w.height = upTo(5);
    w.width = upTo(5);
    w.strideY = upTo(3);
    w.strideX = upTo(3);
    const bool same = rng.below(2) == 0;
    const WindowCase next = windowCase(w, same, drawn({1, 5, 16, 32, 33, 70}), drawn({0, 1, 2, 3, 5}));
    if (next.window.places() > 0) all.push_back(next);
  }
  return all;
}

// ---- Convolutions and dense layers

OperationCase conv2d(const WindowCase& c, bool relu, bool biased, Kind kind) {
  const std::string tiles = c.filters <= kNarrow ? " of few filters" : "";
  return productCase("conv2d" + tiles + c.text() + (relu ? ", relu" : ""), kind, c.window.taps(),
                     [=](Source& source, Backend& backend) {
                       const Floats x = source.floats(c.in()), kernel = source.floats(c.window.taps() * c.filters),
                                    bias = source.floats(c.filters);
                       Guarded<float> y(c.out());
                       backend.layers()->conv2d(c.n, c.window, c.filters, x.data(), kernel.data(),
                                                biased ? bias.data() : nullptr, relu, y.data());
                       return collectFloats(y);
                     });
}

OperationCase kernelGradient(const WindowCase& c, Kind kind) {
  return productCase(
      "conv2dKernelGradient" + c.text(), kind, c.n * c.window.places(), [=](Source& source, Backend& backend) {
        const Floats x = source.floats(c.in()), dy = source.floats(c.out());
        Guarded<float> dKernel(c.window.taps() * c.filters), db(c.filters);
        backend.layers()->conv2dKernelGradient(c.n, c.window, c.filters, x.data(), dy.data(), dKernel.data());
        backend.layers()->biasGradient(c.n * c.window.places(), c.filters, dy.data(), db.data());
        return collectFloats(dKernel, db);
      });
}

OperationCase convInputGradient(const WindowCase& c, bool masked, Kind kind) {
  const std::string tiles = c.window.channels <= kNarrow ? " of few channels" : "";
  return productCase(
      "conv2dInputGradient" + tiles + (masked ? " behind relu" : "") + c.text(), kind,
      c.window.height * c.window.width * c.filters, [=](Source& source, Backend& backend) {
        const Floats dy = source.floats(c.out()), kernel = source.floats(c.window.taps() * c.filters),
                     mask = source.floats(c.in());
        Guarded<float> dx(c.in());
        if (!masked) {
          backend.layers()->conv2dInputGradient(c.n, c.window, c.filters, dy.data(), kernel.data(), dx.data());
          return collectFloats(dx);
        }
        return withFused(backend, [&](FusedLayers& fused) {
          fused.conv2dInputGradient(c.n, c.window, c.filters, dy.data(), kernel.data(), mask.data(), dx.data());
          return collectFloats(dx);
        });
      });
}

OperationCase denseBehindRelu(std::int64_t n, std::int64_t in, std::int64_t out, Kind kind) {
  return productCase("denseInputGradient behind relu, " + withShape("dense", in, out, n), kind, out,
                     [=](Source& source, Backend& backend) {
                       const Floats dy = source.floats(n * out), w = source.floats(in * out),
                                    mask = source.floats(n * in);
                       Guarded<float> dx(n * in);
                       return withFused(backend, [&](FusedLayers& fused) {
                         fused.denseInputGradient(n, in, out, dy.data(), w.data(), mask.data(), dx.data());
                         return collectFloats(dx);
                       });
                     });
}

// ---- Pooling

// The result includes which of several equal values won.
OperationCase maxPool(const WindowCase& c) {
  return productCase("maxPool" + c.text(), Kind::Exact, 1, [=](Source& source, Backend& backend) {
    const Floats x = source.floats(c.in());
    Guarded<float> y(c.pooled());
    Guarded<std::uint16_t> winners(c.pooled());
    backend.layers()->maxPool(c.n, c.window, x.data(), y.data(), winners.data());
    OperationOutputs outputs = collectFloats(y);
    const std::vector<std::uint16_t> won = winners.values();
    outputs.floats.emplace_back(won.begin(), won.end());
    outputs.guardsIntact &= winners.intact();
    return outputs;
  });
}

// `body(source, backend)` to dx, plain or behind relu.
OperationCase maxPoolBackward(const WindowCase& c, bool masked) {
  return productCase("maxPoolBackward" + std::string(masked ? " behind relu" : "") + c.text(), Kind::Exact, 1,
                     [=](Source& source, Backend& backend) {
                       const Floats x = source.floats(c.in()), dy = source.floats(c.pooled());
                       Floats y(dy.size());
                       std::vector<std::uint16_t> winners(dy.size());
                       makeReferenceLayers()->maxPool(c.n, c.window, x.data(), y.data(), winners.data());
                       Guarded<float> dx(c.in());
                       if (!masked) {
                         backend.layers()->maxPoolBackward(c.n, c.window, winners.data(), dy.data(), dx.data());
                         return collectFloats(dx);
                       }
                       return withFused(backend, [&](FusedLayers& fused) {
                         fused.maxPoolBackward(c.n, c.window, winners.data(), dy.data(), x.data(), dx.data());
                         return collectFloats(dx);
                       });
                     });
}

OperationCase averagePool(const WindowCase& c) {
  return productCase("averagePool" + c.text(), Kind::Real, c.window.height * c.window.width,
                     [=](Source& source, Backend& backend) {
                       const Floats x = source.floats(c.in());
                       Guarded<float> y(c.pooled());
                       backend.layers()->averagePool(c.n, c.window, x.data(), y.data());
                       return collectFloats(y);
                     });
}

OperationCase averagePoolBackward(const WindowCase& c, bool masked) {
  return productCase("averagePoolBackward" + std::string(masked ? " behind relu" : "") + c.text(), Kind::Real,
                     c.window.height * c.window.width, [=](Source& source, Backend& backend) {
                       const Floats dy = source.floats(c.pooled()), mask = source.floats(c.in());
                       Guarded<float> dx(c.in());
                       if (!masked) {
                         backend.layers()->averagePoolBackward(c.n, c.window, dy.data(), dx.data());
                         return collectFloats(dx);
                       }
                       return withFused(backend, [&](FusedLayers& fused) {
                         fused.averagePoolBackward(c.n, c.window, dy.data(), mask.data(), dx.data());
                         return collectFloats(dx);
                       });
                     });
}

// ---- Elementwise

OperationCase reluForward(std::int64_t size) {
  return productCase(withCount("relu", size), Kind::Exact, 1, [=](Source& source, Backend& backend) {
    const Floats x = source.floats(size);
    Guarded<float> y(size);
    backend.layers()->relu(size, x.data(), y.data());
    return collectFloats(y);
  });
}

OperationCase dropout(std::int64_t n, std::int64_t size, double rate) {
  return productCase(withCount("dropout, " + std::to_string(rate) + " of " + std::to_string(size), n), Kind::Exact, 1,
                     [=](Source& source, Backend& backend) {
                       const Floats x = source.floats(n * size);
                       Guarded<float> y(n * size);
                       const DropoutMask mask{77, 5 + n, 3, 1'000'000'007, rate};
                       backend.layers()->dropout(n, size, mask, x.data(), y.data());
                       return collectFloats(y);
                     });
}

OperationCase gathering(std::int64_t n, std::int64_t size, bool ofCourse) {
  const std::string name = ofCourse ? "the course's gather" : "gather, images of " + std::to_string(size);
  return productCase(withCount(name, n), Kind::Exact, 1, [=](Source& source, Backend& backend) {
    constexpr std::int64_t kExamples = 9;
    const ByteList pixels = source.below(kExamples * size, 256), labels = source.below(kExamples, 256),
                   drawn = source.below(n, kExamples);
    const std::vector<std::int32_t> indices(drawn.begin(), drawn.end());
    Guarded<float> images(n * size);
    Guarded<std::uint8_t> out(n);
    return withFused(backend, [&](FusedLayers& fused) {
      if (ofCourse)
        fused.courseGather(n, kExamples, pixels.data(), labels.data(), indices.data(), images.data(), out.data());
      else
        fused.gather(n, size, kExamples, pixels.data(), labels.data(), indices.data(), images.data(), out.data());
      Guarded<float>* const floats[]{&images};
      Guarded<std::uint8_t>* const bytes[]{&out};
      return collect(floats, bytes);
    });
  });
}

// Sums up to the logits are exact, so that relu gives the same zeros everywhere.
OperationCase courseHead(std::int64_t n) {
  OperationCase result =
      productCase(withCount("the course's head", n), Kind::Exact, 1, [=](Source& source, Backend& backend) {
        Floats x = source.floats(n * kPooledSize), kernel = source.floats(kPooledSize * kHidden);
        for (Floats* values : {&x, &kernel})
          for (float& value : *values) value /= 8;
        const Floats bias = source.floats(kHidden), logitsKernel = source.floats(kHidden * kClasses),
                     logitsBias = source.floats(kClasses);
        const ByteList labels = source.below(n, kClasses);
        Guarded<float> hidden(n * kHidden), losses(n), dLogits(n * kClasses), dHidden(n * kHidden), dBias(kHidden),
            dLogitsKernel(kHidden * kClasses), dLogitsBias(kClasses);
        Guarded<std::uint8_t> predictions(n);
        CourseHead head{.x = x.data(),
                        .kernel = kernel.data(),
                        .bias = bias.data(),
                        .logitsKernel = logitsKernel.data(),
                        .logitsBias = logitsBias.data(),
                        .labels = labels.data(),
                        .scale = 1.0F / static_cast<float>(n),
                        .hidden = hidden.data(),
                        .losses = losses.data(),
                        .dLogits = dLogits.data(),
                        .dHidden = dHidden.data(),
                        .predictions = predictions.data(),
                        .dBias = dBias.data(),
                        .dLogitsKernel = dLogitsKernel.data(),
                        .dLogitsBias = dLogitsBias.data()};
        return withFused(backend, [&](FusedLayers& fused) {
          fused.courseHead(n, head);
          Guarded<float>* const floats[]{&hidden, &losses, &dLogits, &dHidden, &dBias, &dLogitsKernel, &dLogitsBias};
          Guarded<std::uint8_t>* const bytes[]{&predictions};
          OperationOutputs outputs = collect(floats, bytes);
          outputs.floats.push_back(
              {static_cast<float>(head.lossSum) / static_cast<float>(n), static_cast<float>(head.correct)});
          return outputs;
        });
      });
  result.bound = 64 * kEpsilon;
  return result;
}

OperationCase tally(std::int64_t n) {
  return productCase(withCount("tally", n), Kind::Exact, 1, [=](Source& source, Backend& backend) {
    const Floats losses = source.floats(n);
    const ByteList predictions = source.below(n, 3), labels = source.below(n, 3);
    return withFused(backend, [&](FusedLayers& fused) {
      double sum = 0;
      std::int64_t correct = 0;
      fused.tally(n, losses.data(), predictions.data(), labels.data(), &sum, &correct);
      return OperationOutputs{{{static_cast<float>(sum), static_cast<float>(correct)}}, {}, true};
    });
  });
}

OperationCase digest(std::int64_t size) {
  return productCase(withCount("digest", size), Kind::Real, 1, [=](Source& source, Backend& backend) {
    const Floats values = source.floats(size);
    return withFused(backend, [&](FusedLayers& fused) {
      const std::uint64_t digest = fused.digest(size, values.data());
      OperationOutputs outputs;
      outputs.bytes.emplace_back();
      for (int shift = 0; shift < 64; shift += 8)
        outputs.bytes.back().push_back(static_cast<std::uint8_t>(digest >> shift));
      return outputs;
    });
  });
}

OperationCase loss(std::int64_t n, std::int64_t classes, float spread, bool gradient) {
  OperationCase result =
      productCase(withCount("crossEntropy" + std::string(gradient ? "" : " without gradient") +
                                (spread > 10 ? " of wide logits" : "") + ", " + std::to_string(classes) + " classes",
                            n),
                  Kind::Exact, 1, [=](Source& source, Backend& backend) {
                    Floats logits = source.floats(n * classes);
                    for (float& logit : logits) logit *= spread;
                    const ByteList labels = source.below(n, static_cast<std::uint64_t>(classes));
                    Guarded<float> losses(n), dLogits(n * classes);
                    Guarded<std::uint8_t> predictions(n);
                    backend.layers()->crossEntropy(n, classes, logits.data(), labels.data(), 0.25F, losses.data(),
                                                   predictions.data(), gradient ? dLogits.data() : nullptr);
                    Guarded<float>* const floats[]{&losses, &dLogits};
                    Guarded<std::uint8_t>* const bytes[]{&predictions};
                    return collect(floats, bytes);
                  });
  result.bound = 8 * kEpsilon * std::max(1.0F, spread);
  return result;
}

}  // namespace

std::vector<OperationCase> layerCases() {
  std::vector<OperationCase> cases;
  for (const WindowCase& window : windowCases()) {
    for (const Kind kind : {Kind::Exact, Kind::Real}) {
      cases.push_back(conv2d(window, true, true, kind));
      cases.push_back(kernelGradient(window, kind));
      cases.push_back(convInputGradient(window, false, kind));
    }
    cases.push_back(conv2d(window, false, false, Kind::Exact));
    cases.push_back(convInputGradient(window, true, Kind::Exact));
    cases.push_back(maxPool(window));
    cases.push_back(averagePool(window));
    for (const bool masked : {false, true}) {
      cases.push_back(maxPoolBackward(window, masked));
      cases.push_back(averagePoolBackward(window, masked));
    }
  }
  for (const std::int64_t n : {0, 1, 7, 65})  // 1100: the sum is split, and relu follows
    for (const auto& [in, out] : {std::pair{37, 19}, {301, 133}, {21, 1100}})
      for (const Kind kind : {Kind::Exact, Kind::Real}) cases.push_back(denseBehindRelu(n, in, out, kind));
  for (const std::int64_t size : {0, 1, 255, 256, 257, 40'003}) {
    cases.push_back(reluForward(size));
    cases.push_back(tally(size));
    cases.push_back(digest(size));
  }
  for (const std::int64_t n : {1, 3, 4, 64, 130, 300, 1030}) cases.push_back(courseHead(n));  // sums cut otherwise
  for (const double rate : {0.1, 0.5, 0.99})
    for (const auto& [n, size] : {std::pair{0, 5}, {1, 1}, {3, 401}, {40, 64}}) cases.push_back(dropout(n, size, rate));
  for (const std::int64_t size : {1, 3, 783, 1024, 1025, 3072})
    for (const std::int64_t n : {0, 1, 5}) cases.push_back(gathering(n, size, false));
  for (const std::int64_t n : {0, 1, 5}) cases.push_back(gathering(n, kImageSize, true));
  for (const std::int64_t classes : {2, 3, 9, 11, 31, 32, 33, 100, 255, 256}) {
    for (const std::int64_t n : {0, 1, 3, 4, 65}) cases.push_back(loss(n, classes, 4, true));
    cases.push_back(loss(5, classes, 60, true));
    cases.push_back(loss(5, classes, 4, false));
  }
  return cases;
}

}  // namespace lab
