// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/value_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/model/layout.h"

namespace lab {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

}  // namespace

Values sharedValues(int width, int height, double scale, std::vector<float> values) {
  static std::atomic<std::uint64_t> next{0};
  return std::make_shared<const ValueMap>(ValueMap{width, height, scale, std::move(values), ++next});
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

double BufferMap::edge(std::int64_t offset) const {
  for (const Segment& segment : segments_) {
    if (offset >= segment.end()) continue;
    const double within = static_cast<double>(std::max<std::int64_t>(0, offset - segment.offset)) /
                          static_cast<double>(segment.end() - segment.offset);
    return segment.left + (segment.right - segment.left) * within;
  }
  return segments_.empty() ? 0 : 1;
}

// A pixel that several variables share shows the one in its middle.
BufferMap::Column BufferMap::columnAt(double left, double right) const {
  const double middle = (left + right) / 2;
  const auto found = std::ranges::find_if(segments_, [middle](const Segment& each) { return middle < each.right; });
  if (found == segments_.end()) return {};
  const double lines = static_cast<double>(found->lines) / (found->right - found->left);
  const auto lineAt = [&](double x) { return static_cast<std::int64_t>(std::floor((x - found->left) * lines + 1e-9)); };
  const std::int64_t first = std::clamp<std::int64_t>(lineAt(std::max(left, found->left)), 0, found->lines - 1);
  const std::int64_t last = std::clamp<std::int64_t>(lineAt(std::min(right, found->right)), first + 1, found->lines);
  return {&*found, first, last};
}

Values BufferMap::picture(const BufferRange& range, std::span<const float> values, QSize size, double scale) const {
  const int width = size.width(), height = size.height();
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNone);
  const double left = edge(range.offset), across = edge(range.end()) - left;
  for (int x = 0; x < width; ++x) {
    const Column column = columnAt(left + across * x / width, left + across * (x + 1) / width);
    if (column.segment == nullptr) continue;
    const std::int64_t units = column.segment->units;
    for (int y = 0; y < height; ++y) {
      const std::int64_t first = y * units / height, last = std::max(first + 1, (y + 1) * units / height);
      float largest = kNone;
      for (std::int64_t line = column.first; line < column.last; ++line) {
        const std::int64_t begin = column.segment->offset + line * units;
        const std::int64_t end = std::min(begin + last, range.end());
        for (std::int64_t i = std::max(begin + first, range.offset); i < end; ++i) {
          const float value = values[static_cast<std::size_t>(i - range.offset)];
          if (std::isnan(largest) || std::abs(value) > std::abs(largest)) largest = value;
        }
      }
      shown[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] = largest;
    }
  }
  return sharedValues(width, height, scale, std::move(shown));
}

Values filterTiles(const FilterShape& shape, std::span<const float> kernel, int across, double scale) {
  const int lines = (shape.filters + across - 1) / across;
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
