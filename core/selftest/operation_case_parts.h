// SPDX-License-Identifier: GPL-3.0-or-later
// Building blocks of operation cases: inputs that are the same for every backend, outputs with a margin that must not
// be written, and bounds for rounding. Only included by *_cases.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/selftest/fused_layers.h"
#include "core/selftest/operation_cases.h"

namespace lab::case_parts {

inline constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
using Floats = std::vector<float>;
using ByteList = std::vector<std::uint8_t>;

// An output with a margin on both sides that must not be written.
template <typename T>
class Guarded {
 public:
  explicit Guarded(std::int64_t size) : size_(size), memory_(static_cast<std::size_t>(size + 2 * kMargin), kSentinel) {}
  explicit Guarded(const std::vector<T>& values) : Guarded(static_cast<std::int64_t>(values.size())) {
    std::ranges::copy(values, data());
  }
  T* data() { return memory_.data() + kMargin; }
  std::vector<T> values() { return {data(), data() + size_}; }
  bool intact() const {
    const auto untouched = [](T value) { return value == kSentinel; };
    return std::all_of(memory_.begin(), memory_.begin() + kMargin, untouched) &&
           std::all_of(memory_.end() - kMargin, memory_.end(), untouched);
  }

 private:
  static constexpr T kSentinel = 113;
  static constexpr std::int64_t kMargin = 64;
  std::int64_t size_;
  std::vector<T> memory_;
};

inline OperationOutputs collect(std::span<Guarded<float>* const> floats,
                                std::span<Guarded<std::uint8_t>* const> bytes = {}) {
  OperationOutputs outputs;
  for (Guarded<float>* guarded : floats) {
    outputs.floats.push_back(guarded->values());
    outputs.guardsIntact &= guarded->intact();
  }
  for (Guarded<std::uint8_t>* guarded : bytes) {
    outputs.bytes.push_back(guarded->values());
    outputs.guardsIntact &= guarded->intact();
  }
  return outputs;
}

template <typename... Outputs>
OperationOutputs collectFloats(Outputs&... outputs) {
  Guarded<float>* const all[]{&outputs...};
  return collect(all);
}

enum class Kind {
  Exact,     // multiples of 1/8 in [-1, 1]
  Real,      // uniform in [-1, 1)
  Absolute,  // the absolute values of Real, which give a sum's magnitude
};
inline const char* label(Kind kind) {
  return kind == Kind::Exact ? ", exact" : ", real";
}

// The inputs of a case, in order of request: the same for every backend, and for Real and Absolute.
class Source {
 public:
  Source(std::uint64_t seed, Kind kind) : rng_(seed, 0x6f7073), kind_(kind) {}

  Floats floats(std::int64_t size) {
    Floats result(static_cast<std::size_t>(size));
    for (float& value : result) {
      value = kind_ == Kind::Exact ? static_cast<float>(rng_.below(17)) / 8 - 1
                                   : static_cast<float>(2 * rng_.uniform() - 1);
      if (kind_ == Kind::Absolute) value = std::abs(value);
    }
    return result;
  }
  Floats positiveFloats(std::int64_t size) {
    Floats result = floats(size);
    for (float& value : result) value = std::abs(value);
    return result;
  }
  // Four of five pixels are background, as in a digit.
  Floats images(std::int64_t n) {
    Floats result = positiveFloats(n * kImageSize);
    for (float& pixel : result) pixel = rng_.below(5) == 0 ? pixel : 0;
    return result;
  }
  ByteList below(std::int64_t size, std::uint64_t bound) {
    ByteList result(static_cast<std::size_t>(size));
    for (std::uint8_t& value : result) value = static_cast<std::uint8_t>(rng_.below(bound));
    return result;
  }

 private:
  Rng rng_;
  Kind kind_;
};

// Makes a case from run(source, backend). Errors of Real inputs are relative to the same operation on absolute values,
// and grow with the square root of the number of terms. (One lost term of K is 1/K of that magnitude, far more.)
template <typename Run>
OperationCase productCase(std::string name, Kind kind, std::int64_t terms, const Run& run) {
  OperationCase result;
  result.name = std::move(name) + label(kind);
  result.run = [run, kind](Backend& backend) {
    Source source(1, kind);
    return run(source, backend);
  };
  if (kind == Kind::Exact) return result;
  result.bound = (4 + std::sqrt(static_cast<double>(terms))) * kEpsilon;
  result.scale = [run](Backend& reference) {
    Source source(1, Kind::Absolute);
    return run(source, reference);
  };
  return result;
}

inline std::string withCount(const std::string& operation, std::int64_t n) {
  return operation + ", n = " + std::to_string(n);
}
inline std::string withShape(const char* operation, std::int64_t in, std::int64_t out, std::int64_t n) {
  return withCount(std::string(operation) + " " + std::to_string(in) + " to " + std::to_string(out), n);
}

// Calls body() with the backend's fused operations, or with composed ones.
template <typename Body>
OperationOutputs withFused(Backend& backend, const Body& body) {
  if (auto* with = dynamic_cast<WithFusedLayers*>(backend.layers())) return body(with->fused());
  return body(*composeLayers(backend));
}

}  // namespace lab::case_parts

namespace lab {

// Cases for layers of any size (layer_backend.h, fused_layers.h).
std::vector<OperationCase> layerCases();
std::vector<OperationCase> normCases();   // of batch normalisation
std::vector<OperationCase> graphCases();  // of additional operations in graphs

}  // namespace lab
