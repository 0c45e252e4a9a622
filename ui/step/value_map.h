// SPDX-License-Identifier: GPL-3.0-or-later
// The network's variables as a picture: where each element of the flat buffer (model/layout.h) lies in it, and the
// values of a part of the buffer scaled to the available pixels.
// From right to left the picture follows memory, so that a piece of a buffer, which is what a transfer carries, is a
// piece of the picture; the buffer begins with the last layer, so that the first one stands at the left. Each variable
// is as wide as the cube root of its size, so that biases are seen beside a kernel a thousand times as large. A row of
// pixels belongs to an output unit, the variable's last dimension; from right to left come the unit's inputs.
#pragma once

#include <QRectF>
#include <QSize>

#include <bit>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lab {

class Layout;

// Marks a place of a picture that has no value, or an unknown one. Only this bit pattern: any other NaN is a value that
// is not a number, and is drawn.
inline constexpr std::uint32_t kNoValueBits = 0x7FC5A9C3;
inline constexpr float kNoValue = std::bit_cast<float>(kNoValueBits);
inline bool isNoValue(float value) {
  return std::bit_cast<std::uint32_t>(value) == kNoValueBits;
}

// Values in rows. Immutable once made, and shared by all items that show the same values.
struct ValueMap {
  enum class Colours { Signed, Grey };  // Grey: from 0 on, darker for more, as images are drawn
  int width = 0, height = 0;
  double scale = 0;           // the magnitude at which colours end
  std::vector<float> values;  // (height, width); kNoValue: none, or not known
  std::uint64_t id = 0;       // unique, for pictures that are cached
  Colours colours = Colours::Signed;
};
using Values = std::shared_ptr<const ValueMap>;
Values sharedValues(int width, int height, double scale, std::vector<float> values,
                    ValueMap::Colours colours = ValueMap::Colours::Signed);
// One row from the scale's negative end to its positive one, for the legend of the colours. Always the same object.
const Values& rampValues();
double largestMagnitude(std::span<const float> values);  // of the finite values; 0 if there are none

// Elements [offset, offset + count) of the flat buffer.
struct BufferRange {
  std::int64_t offset = 0, count = 0;
  std::int64_t end() const { return offset + count; }
  auto operator<=>(const BufferRange&) const = default;
};

class BufferMap {
 public:
  explicit BufferMap(const Layout& layout);

  // The left end of elements [0, offset), 0 to 1 from the picture's left edge: they lie to the right of it.
  double edge(std::int64_t offset) const;
  QRectF partOf(const QRectF& picture, const BufferRange& range) const;  // where the range lies in a picture of all
  // The picture of a range in `size` pixels, both at least 1. A pixel that stands for several values shows the one of
  // the largest magnitude, NaN before all others, so that none is lost. `values`: the front of the range; kNoValue or a
  // missing value means not known.
  Values picture(const BufferRange& range, std::span<const float> values, QSize size, double scale) const;

 private:
  struct Segment {  // a variable
    std::int64_t offset = 0, lines = 1, units = 1;
    double left = 0, right = 0;
    std::int64_t end() const { return offset + lines * units; }
  };
  double edgeInMemory(std::int64_t offset) const;  // from the right
  static double edgeIn(const Segment& segment, std::int64_t offset);

  std::vector<Segment> segments_;  // in the order of memory
};

// The kernel of a convolution over a picture of one or three colours, as one tile per filter, `across` tiles in a line,
// with a gap of one cell. Each place of the kernel shows the colour whose value is the largest. `kernel`: (height,
// width, channels, filters).
struct FilterShape {
  int height = 0, width = 0, channels = 0, filters = 0;
};
Values filterTiles(const FilterShape& shape, std::span<const float> kernel, int across, double scale);

}  // namespace lab
