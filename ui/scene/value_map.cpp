// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/value_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/model/layout.h"

namespace lab {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

}  // namespace

Values sharedValues(int width, int height, double scale, std::vector<float> values, ValueMap::Colours colours) {
  static std::atomic<std::uint64_t> next{0};
  return std::make_shared<const ValueMap>(ValueMap{width, height, scale, std::move(values), ++next, colours});
}

const Values& rampValues() {
  static const Values ramp = [] {
    constexpr int kSteps = 101;
    std::vector<float> values;
    for (int i = 0; i < kSteps; ++i) values.push_back(2.0F * static_cast<float>(i) / (kSteps - 1) - 1);
    return sharedValues(kSteps, 1, 1, std::move(values));
  }();
  return ramp;
}

double largestMagnitude(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return static_cast<double>(largest);
}

BufferMap::BufferMap(const Layout& layout) {
  for (const Variable& variable : layout.variables()) {
    const std::int64_t units = variable.shape.empty() ? 1 : variable.shape.back();
    segments_.push_back({variable.offset, units > 0 ? variable.size / units : 0, units});
  }
  std::erase_if(segments_, [](const Segment& segment) { return segment.end() == segment.offset; });
  std::ranges::sort(segments_, {}, &Segment::offset);
  double sum = 0;
  for (Segment& segment : segments_) {
    segment.left = sum;
    segment.right = sum += std::cbrt(static_cast<double>(segment.end() - segment.offset));
  }
  for (Segment& segment : segments_) {
    segment.left /= sum;
    segment.right /= sum;
  }
}

double BufferMap::edgeIn(const Segment& segment, std::int64_t offset) {
  return segment.left + (segment.right - segment.left) * static_cast<double>(offset - segment.offset) /
                            static_cast<double>(segment.end() - segment.offset);
}

double BufferMap::edge(std::int64_t offset) const {
  return 1 - edgeInMemory(offset);
}

double BufferMap::edgeInMemory(std::int64_t offset) const {
  for (const Segment& segment : segments_)
    if (offset < segment.end()) return edgeIn(segment, std::max(offset, segment.offset));
  return segments_.empty() ? 0 : 1;
}

Values BufferMap::picture(const BufferRange& range, std::span<const float> values, QSize size, double scale) const {
  const int width = size.width(), height = size.height();
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNone);
  const double left = edgeInMemory(range.offset), across = edgeInMemory(range.end()) - left;
  const auto pixelAt = [&](double at) { return static_cast<int>(std::lround((at - left) / across * width)); };
  for (const Segment& segment : segments_) {
    const std::int64_t begin = std::max(range.offset, segment.offset), end = std::min(range.end(), segment.end());
    if (begin >= end) continue;
    // Whole lines, each in one column of pixels; a line that the range cuts has what is in the range.
    const int from = pixelAt(edgeIn(segment, begin)), to = pixelAt(edgeIn(segment, end));
    const std::int64_t firstLine = (begin - segment.offset) / segment.units;
    const std::int64_t lines = ceilDivide(end - segment.offset, segment.units) - firstLine;
    for (int x = from; x < to; ++x) {
      const std::int64_t first = firstLine + (x - from) * lines / (to - from);
      const std::int64_t last = std::max(first + 1, firstLine + (x + 1 - from) * lines / (to - from));
      for (int y = 0; y < height; ++y) {
        const std::int64_t firstUnit = y * segment.units / height;
        const std::int64_t lastUnit = std::max(firstUnit + 1, (y + 1) * segment.units / height);
        float largest = kNone;
        for (std::int64_t line = first; line < last; ++line) {
          const std::int64_t at = segment.offset + line * segment.units;
          for (std::int64_t i = std::max(at + firstUnit, begin); i < std::min(at + lastUnit, end); ++i) {
            const float value = values[static_cast<std::size_t>(i - range.offset)];
            if (std::isnan(largest) || std::abs(value) > std::abs(largest)) largest = value;
          }
        }
        shown[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] = largest;
      }
    }
  }
  for (auto row = shown.begin(); row != shown.end(); row += width) std::reverse(row, row + width);
  return sharedValues(width, height, scale, std::move(shown));
}

Values filterTiles(const FilterShape& shape, std::span<const float> kernel, int across, double scale) {
  const int lines = ceilDivide(shape.filters, across);
  const int width = across * (shape.width + 1) - 1, height = lines * (shape.height + 1) - 1;
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNone);
  for (int filter = 0; filter < shape.filters; ++filter)
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        float largest = 0;
        for (int channel = 0; channel < shape.channels; ++channel) {
          const int i = ((y * shape.width + x) * shape.channels + channel) * shape.filters + filter;
          const float value = kernel[static_cast<std::size_t>(i)];
          if (std::abs(value) > std::abs(largest)) largest = value;
        }
        const int row = filter / across * (shape.height + 1) + y, column = filter % across * (shape.width + 1) + x;
        shown[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)] =
            largest;
      }
  return sharedValues(width, height, scale, std::move(shown));
}

}  // namespace lab
