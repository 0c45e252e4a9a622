// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/colour.h"

#include <array>
#include <utility>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr std::int64_t kSide = 32, kGreySide = 28, kEdge = (kSide - kGreySide) / 2;

// splitmix64 (Steele, Lea and Flood 2014): returns number `i` of the sequence that starts with 0.
std::uint64_t splitmix(std::int64_t i) {
  std::uint64_t z = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

struct Colours {
  std::array<int, 3> paper{}, ink{};
};

Colours coloursOf(std::int64_t number) {
  const std::uint64_t bits = splitmix(number);
  const auto byte = [bits](std::size_t i) { return static_cast<int>((bits >> (8 * i)) & 0xff); };
  Colours colours;
  for (std::size_t c = 0; c < 3; ++c) {
    colours.paper[c] = byte(c) / 2;
    colours.ink[c] = 128 + byte(3 + c) / 2;
  }
  if (byte(6) % 2 == 1) std::swap(colours.paper, colours.ink);
  return colours;
}

}  // namespace

Examples inColour(const Examples& grey, std::int64_t firstNumber) {
  LAB_CHECK(grey.imageSize() == kGreySide * kGreySide);
  Examples colour;
  colour.shape = {kSide, kSide, 3};
  colour.count = grey.count;
  colour.labels = grey.labels;
  colour.pixels.reserve(static_cast<std::size_t>(colour.count * colour.imageSize()));
  for (std::int64_t i = 0; i < grey.count; ++i) {
    const Colours colours = coloursOf(firstNumber + i);
    for (std::int64_t y = 0; y < kSide; ++y)
      for (std::int64_t x = 0; x < kSide; ++x) {
        const std::int64_t row = y - kEdge, column = x - kEdge;
        const bool inside = row >= 0 && row < kGreySide && column >= 0 && column < kGreySide;
        const int value = inside ? grey.image(i)[row * kGreySide + column] : 0;
        for (std::size_t c = 0; c < 3; ++c)
          colour.pixels.push_back(
              static_cast<std::uint8_t>((colours.paper[c] * (255 - value) + colours.ink[c] * value + 127) / 255));
      }
  }
  return colour;
}

std::shared_ptr<const Dataset> colourDigits() {
  static const std::shared_ptr<const Dataset> made = [] {
    const std::shared_ptr<const Dataset> digits = embeddedDigits();
    return std::make_shared<const Dataset>(
        Dataset{"colour", digits->source, inColour(digits->train, 0), inColour(digits->test, digits->train.count)});
  }();
  return made;
}

}  // namespace lab
