// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selftest/operation_cases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/base/at.h"
#include "core/selftest/operation_case_parts.h"

namespace lab {
namespace {

using namespace case_parts;

OperationCase convForward(std::int64_t n, Kind kind) {
  return productCase(withCount("convReluPool", n), kind, 10, [n, kind](Source& source, Backend& backend) {
    const Floats images = source.images(n), kernel = source.floats(9 * kFilters), bias = source.floats(kFilters);
    Guarded<float> pooled(n * kPooledSize);
    Guarded<std::uint8_t> argmax(n * kPooledSize);
    backend.convReluPool(n, images.data(), kernel.data(), bias.data(), pooled.data(), argmax.data());
    if (kind == Kind::Exact) {
      Guarded<float>* const floats[]{&pooled};
      Guarded<std::uint8_t>* const bytes[]{&argmax};
      return collect(floats, bytes);
    }
    // Rounding decides which of two nearly equal outputs wins, so only the exact case compares the winners.
    OperationOutputs outputs = collectFloats(pooled);
    outputs.guardsIntact &= argmax.intact();
    return outputs;
  });
}

OperationCase convBackward(std::int64_t n, Kind kind) {
  return productCase(withCount("convReluPoolBackward", n), kind, n * kPooledSide * kPooledSide,
                     [n](Source& source, Backend& backend) {
                       const Floats images = source.images(n), forKernel = source.floats(n * kPooledSize),
                                    forBias = source.floats(n * kPooledSize);
                       const ByteList argmax = source.below(n * kPooledSize, 5);
                       Guarded<float> dKernel(9 * kFilters), dBias(kFilters);
                       backend.convReluPoolBackward(n, images.data(), argmax.data(), forKernel.data(), forBias.data(),
                                                    dKernel.data(), dBias.data());
                       return collectFloats(dKernel, dBias);
                     });
}

OperationCase dense(std::int64_t n, std::int64_t in, std::int64_t out, bool relu, Kind kind) {
  return productCase(withShape(relu ? "dense relu" : "dense", in, out, n), kind, in,
                     [=](Source& source, Backend& backend) {
                       const Floats x = source.floats(n * in), w = source.floats(in * out), bias = source.floats(out);
                       Guarded<float> y(n * out);
                       backend.dense(n, in, out, x.data(), w.data(), bias.data(), relu, y.data());
                       return collectFloats(y);
                     });
}

OperationCase weightGradient(std::int64_t n, std::int64_t in, std::int64_t out, Kind kind) {
  return productCase(withShape("denseWeightGradient", in, out, n), kind, n, [=](Source& source, Backend& backend) {
    const Floats x = source.floats(n * in), dy = source.floats(n * out);
    Guarded<float> dw(in * out);
    backend.denseWeightGradient(n, in, out, x.data(), dy.data(), dw.data());
    return collectFloats(dw);
  });
}

OperationCase biasGradient(std::int64_t n, std::int64_t out, Kind kind) {
  return productCase(withCount("denseBiasGradient " + std::to_string(out), n), kind, n,
                     [=](Source& source, Backend& backend) {
                       const Floats dy = source.floats(n * out);
                       Guarded<float> db(out);
                       backend.denseBiasGradient(n, out, dy.data(), db.data());
                       return collectFloats(db);
                     });
}

OperationCase inputGradient(std::int64_t n, std::int64_t in, std::int64_t out, Kind kind) {
  return productCase(withShape("denseInputGradient", in, out, n), kind, out, [=](Source& source, Backend& backend) {
    const Floats dy = source.floats(n * out), w = source.floats(in * out);
    Guarded<float> dx(n * in);
    backend.denseInputGradient(n, in, out, dy.data(), w.data(), dx.data());
    return collectFloats(dx);
  });
}

// Both gradients; the gradient by x overwrites x.
OperationCase bothGradients(std::int64_t n, std::int64_t in, std::int64_t out, Kind kind) {
  return productCase(withShape("denseGradients", in, out, n), kind, std::max(n, out),
                     [=](Source& source, Backend& backend) {
                       Guarded<float> x(source.floats(n * in)), dw(in * out);
                       const Floats w = source.floats(in * out), dy = source.floats(n * out);
                       backend.denseGradients(n, in, out, x.data(), dy.data(), w.data(), dw.data(), x.data());
                       return collectFloats(dw, x);
                     });
}

OperationCase reluBackward(std::int64_t size) {
  return productCase(withCount("reluBackward", size), Kind::Exact, 1, [size](Source& source, Backend& backend) {
    const Floats y = source.floats(size);
    Guarded<float> dy(source.floats(size));
    backend.reluBackward(size, y.data(), dy.data());
    return collectFloats(dy);
  });
}

// With or without gradient; logits up to `spread` apart. Exponentials round, so nothing here is exact.
OperationCase softmax(std::int64_t n, float spread, bool gradient) {
  OperationCase result =
      productCase(withCount("softmaxCrossEntropy" + std::string(gradient ? "" : " without gradient") +
                                (spread > 10 ? " of wide logits" : ""),
                            n),
                  Kind::Exact, 1, [=](Source& source, Backend& backend) {
                    Floats logits = source.floats(n * kClasses);  // in eighths, so equal maxima do occur
                    for (float& logit : logits) logit *= spread;
                    const ByteList labels = source.below(n, kClasses);
                    Guarded<float> losses(n), dLogits(n * kClasses);
                    Guarded<std::uint8_t> predictions(n);
                    backend.softmaxCrossEntropy(n, logits.data(), labels.data(), 0.25F, losses.data(),
                                                predictions.data(), gradient ? dLogits.data() : nullptr);
                    Guarded<float>* const floats[]{&losses, &dLogits};
                    Guarded<std::uint8_t>* const bytes[]{&predictions};
                    return collect(floats, bytes);
                  });
  result.bound = 8 * kEpsilon * std::max(1.0F, spread);  // for a loss, which may be twice the spread
  return result;
}

OperationCase adam(std::int64_t size, std::int64_t steps) {
  const AdamStep step{0.01F, 0.9F, 0.999F, 1e-7F};
  OperationCase result = productCase(withCount("adam, " + std::to_string(steps) + " steps", size), Kind::Real, 1,
                                     [=](Source& source, Backend& backend) {
                                       Guarded<float> m(Floats(static_cast<std::size_t>(size), 0.0F)), v(m.values());
                                       Guarded<float> weights(source.floats(size));
                                       for (std::int64_t i = 0; i < steps; ++i) {
                                         Floats gradient = source.floats(size);
                                         if (size > 0)
                                           gradient[0] = 0;  // a weight that never sees a gradient must stay as it is
                                         backend.adam(size, step, gradient.data(), m.data(), v.data(), weights.data());
                                       }
                                       return collectFloats(m, v, weights);
                                     });
  result.bound = 8 * static_cast<double>(steps) * kEpsilon;
  result.scale = [run = result.run](Backend& reference) {
    OperationOutputs scale = run(reference);
    std::ranges::fill(scale.floats[0], 0.1F);  // m: a tenth of the gradients, which cancel in it. v does not cancel
    std::ranges::fill(scale.floats[2], 1.0F);
    return scale;
  };
  return result;
}

OperationCase sgd(std::int64_t size, bool momentum) {
  OperationCase result = productCase(
      withCount(momentum ? "sgd with momentum" : "sgd", size), Kind::Real, 2, [=](Source& source, Backend& backend) {
        Guarded<float> velocity(source.floats(size)), weights(source.floats(size));
        const Floats gradient = source.floats(size);
        backend.sgd(size, 0.1F, 0.9F, gradient.data(), momentum ? velocity.data() : nullptr, weights.data());
        return collectFloats(velocity, weights);
      });
  result.bound = 4 * kEpsilon;  // for values around 1
  result.scale = {};
  return result;
}

OperationCase toBfloat16(std::int64_t size, bool inPlace) {
  return productCase(withCount(inPlace ? "roundToBfloat16 in place" : "roundToBfloat16", size), Kind::Exact, 1,
                     [=](Source& source, Backend& backend) {
                       // All kinds of bit patterns except NaN, which cannot be compared.
                       const ByteList bits = source.below(4 * size, 256);
                       Floats in(static_cast<std::size_t>(size));
                       for (std::size_t i = 0; i < in.size(); ++i) {
                         std::uint32_t pattern = 0;
                         for (std::size_t b = 0; b < 4; ++b) pattern = pattern << 8 | bits[4 * i + b];
                         if (i % 3 == 0) pattern = (pattern & 0xffff0000U) | 0x8000U;  // a tie
                         in[i] = std::bit_cast<float>(pattern);
                         if (std::isnan(in[i])) in[i] = std::numeric_limits<float>::infinity();
                       }
                       Guarded<float> out(in);
                       backend.roundToBfloat16(size, inPlace ? out.data() : in.data(), out.data());
                       return collectFloats(out);
                     });
}

OperationCase addition(std::int64_t size) {
  return productCase(withCount("add", size), Kind::Exact, 1, [size](Source& source, Backend& backend) {
    const Floats from = source.floats(size);
    Guarded<float> to(source.floats(size));
    backend.add(size, from.data(), to.data());
    return collectFloats(to);
  });
}

OperationCase copying(std::int64_t size) {
  return productCase(withCount("copy", size), Kind::Exact, 1, [size](Source& source, Backend& backend) {
    const Floats from = source.floats(size);
    Guarded<float> to(size);
    backend.copy(size, from.data(), to.data());
    return collectFloats(to);
  });
}

// Compares: equal arrays; one different bit in the first, middle and last element; -0 with 0.
OperationCase identity(std::int64_t size) {
  return productCase(withCount("identical", size), Kind::Exact, 1, [size](Source& source, Backend& backend) {
    const Floats a = source.floats(size);
    Floats answers{backend.identical(size, a.data(), a.data()) ? 1.0F : 0.0F};
    for (const std::int64_t at : {std::int64_t{0}, size / 2, size - 1}) {
      if (size == 0) break;
      Floats b = a;
      float& element = lab::at(b, at);
      element = element == 0 ? -element : std::bit_cast<float>(std::bit_cast<std::uint32_t>(element) ^ 1U);
      answers.push_back(backend.identical(size, a.data(), b.data()) ? 1.0F : 0.0F);
    }
    Guarded<float> out(answers);
    return collectFloats(out);
  });
}

std::vector<OperationCase> makeCases() {
  std::vector<OperationCase> cases;
  for (const std::int64_t n : {0, 1, 2, 3, 7, 64, 65, 257}) {
    for (const Kind kind : {Kind::Exact, Kind::Real}) {
      cases.push_back(convForward(n, kind));
      cases.push_back(convBackward(n, kind));
      // The network's two layers, and two shapes that match no tile, panel or block.
      for (const auto& [in, out] : {std::pair{kPooledSize, kHidden}, {kHidden, kClasses}, {37, 19}, {301, 133}}) {
        cases.push_back(dense(n, in, out, false, kind));
        cases.push_back(dense(n, in, out, true, kind));
        cases.push_back(weightGradient(n, in, out, kind));
        cases.push_back(inputGradient(n, in, out, kind));
        cases.push_back(bothGradients(n, in, out, kind));
      }
      cases.push_back(biasGradient(n, kHidden, kind));
      cases.push_back(biasGradient(n, kClasses, kind));
    }
    for (const float spread : {4.0F, 60.0F}) cases.push_back(softmax(n, spread, true));
    cases.push_back(softmax(n, 4.0F, false));
  }
  for (const std::int64_t size : {0, 1, 2, 3, 7, 64, 65, 257, 40'003}) {
    cases.push_back(reluBackward(size));
    for (const std::int64_t steps : {1, 3}) cases.push_back(adam(size, steps));
    for (const bool momentum : {false, true}) cases.push_back(sgd(size, momentum));
    for (const bool inPlace : {false, true}) cases.push_back(toBfloat16(size, inPlace));
    cases.push_back(addition(size));
    cases.push_back(copying(size));
    cases.push_back(identity(size));
  }
  cases.push_back(convBackward(800, Kind::Real));  // so many that a GPU's block has several images
  for (std::vector<OperationCase> more : {layerCases(), normCases(), graphCases()})
    std::ranges::move(more, std::back_inserter(cases));
  return cases;
}

}  // namespace

const std::vector<OperationCase>& operationCases() {
  static const std::vector<OperationCase> cases = makeCases();
  return cases;
}

CaseOutcome runCase(const OperationCase& operation, Backend& backend, Backend& reference) {
  const OperationOutputs actual = operation.run(backend), expected = operation.run(reference);
  const OperationOutputs scale = operation.scale ? operation.scale(reference) : OperationOutputs{};
  CaseOutcome outcome;
  outcome.bound = operation.bound;
  for (std::size_t array = 0; array < expected.floats.size(); ++array) {
    for (std::size_t i = 0; i < expected.floats[array].size(); ++i) {
      const double a = actual.floats[array][i], e = expected.floats[array][i];
      const double magnitude = scale.floats.empty() ? 1 : std::max<double>(scale.floats[array][i], 1e-30);
      if (a == e) continue;
      const double error = std::abs(a - e) / magnitude;
      if (error <= outcome.worstError) continue;
      outcome.worstError = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
      outcome.failure = "output " + std::to_string(array) + "[" + std::to_string(i) + "] is " + std::to_string(a) +
                        " instead of " + std::to_string(e);
    }
  }
  outcome.passed = outcome.worstError <= outcome.bound;
  if (actual.bytes != expected.bytes) {
    outcome.passed = false;
    outcome.failure = "winners, predictions or digests differ";
  }
  if (!actual.guardsIntact) {
    outcome.passed = false;
    outcome.failure = "wrote outside an output";
  }
  if (outcome.passed) outcome.failure.clear();
  return outcome;
}

}  // namespace lab
