// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/value_map.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/model/layout.h"

namespace lab {

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
  // A chain of maxima is serial; with 16 at a time the compiler can vectorise.
  std::array<float, 16> largest{};
  const auto keep = [](float& most, float value) {
    const float magnitude = std::abs(value);
    most = magnitude <= std::numeric_limits<float>::max() ? std::max(most, magnitude) : most;
  };
  for (; values.size() >= largest.size(); values = values.subspan(largest.size()))
    for (std::size_t i = 0; i < largest.size(); ++i) keep(largest[i], values[i]);
  for (std::size_t i = 0; i < values.size(); ++i) keep(largest[i], values[i]);
  return static_cast<double>(std::ranges::max(largest));
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

QRectF BufferMap::partOf(const QRectF& picture, const BufferRange& range) const {
  const double left = picture.left() + picture.width() * edge(range.end());
  return {left, picture.top(), picture.left() + picture.width() * edge(range.offset) - left, picture.height()};
}

double BufferMap::edgeInMemory(std::int64_t offset) const {
  for (const Segment& segment : segments_)
    if (offset < segment.end()) return edgeIn(segment, std::max(offset, segment.offset));
  return segments_.empty() ? 0 : 1;
}

namespace {

// Keeps the value of the larger magnitude, or NaN, in each place. Written so that compilers can vectorise it.
void keepLargest(std::span<const float> values, std::span<float> largest) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = values[i], best = largest[i];
    const bool isLarger = std::abs(value) > std::abs(best) || value != value;
    largest[i] = (isLarger && !isNoValue(value)) || isNoValue(best) ? value : best;
  }
}

}  // namespace

Values BufferMap::picture(const BufferRange& range, std::span<const float> values, QSize size, double scale) const {
  const int width = size.width(), height = size.height();
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNoValue);
  const std::int64_t known = range.offset + std::ssize(values);
  const double left = edgeInMemory(range.offset), across = edgeInMemory(range.end()) - left;
  const auto pixelAt = [&](double at) { return static_cast<int>(std::lround((at - left) / across * width)); };
  for (const Segment& segment : segments_) {
    const std::int64_t begin = std::max(range.offset, segment.offset), end = std::min(range.end(), segment.end());
    if (begin >= end) continue;
    // Whole lines, each in one column of pixels; a line cut by the range contributes only its part in the range.
    const int from = pixelAt(edgeIn(segment, begin)), to = pixelAt(edgeIn(segment, end));
    const std::int64_t firstLine = (begin - segment.offset) / segment.units;
    const std::int64_t lines = ceilDivide(end - segment.offset, segment.units) - firstLine;
    std::vector<float> largest(static_cast<std::size_t>(segment.units));  // of a column's lines, by unit
    for (int x = from; x < to; ++x) {
      const std::int64_t first = firstLine + (x - from) * lines / (to - from);
      const std::int64_t last = std::max(first + 1, firstLine + (x + 1 - from) * lines / (to - from));
      std::ranges::fill(largest, kNoValue);
      for (std::int64_t line = first; line < last; ++line) {
        const std::int64_t at = segment.offset + line * segment.units;
        const std::int64_t lineBegin = std::max(at, begin), lineEnd = std::min({at + segment.units, end, known});
        if (lineBegin >= lineEnd) continue;
        keepLargest(values.subspan(static_cast<std::size_t>(lineBegin - range.offset),
                                   static_cast<std::size_t>(lineEnd - lineBegin)),
                    std::span(largest).subspan(static_cast<std::size_t>(lineBegin - at)));
      }
      for (int y = 0; y < height; ++y) {
        const std::int64_t firstUnit = y * segment.units / height;
        const std::int64_t units = std::max<std::int64_t>(1, (y + 1) * segment.units / height - firstUnit);
        float& pixel =
            shown[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
        for (const float value :
             std::span(largest).subspan(static_cast<std::size_t>(firstUnit), static_cast<std::size_t>(units)))
          keepLargest({&value, 1}, {&pixel, 1});
      }
    }
  }
  for (auto row = shown.begin(); row != shown.end(); row += width) std::reverse(row, row + width);
  return sharedValues(width, height, scale, std::move(shown));
}

Values filterTiles(const FilterShape& shape, std::span<const float> kernel, int across, double scale) {
  const int lines = ceilDivide(shape.filters, across);
  const int width = across * (shape.width + 1) - 1, height = lines * (shape.height + 1) - 1;
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNoValue);
  for (int filter = 0; filter < shape.filters; ++filter)
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        float largest = 0;
        for (int channel = 0; channel < shape.channels; ++channel) {
          const int i = ((y * shape.width + x) * shape.channels + channel) * shape.filters + filter;
          const float value = at(kernel, i);
          if (std::abs(value) > std::abs(largest)) largest = value;
        }
        const int row = filter / across * (shape.height + 1) + y, column = filter % across * (shape.width + 1) + x;
        shown[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)] =
            largest;
      }
  return sharedValues(width, height, scale, std::move(shown));
}

}  // namespace lab
