// SPDX-License-Identifier: GPL-3.0-or-later
// What was made of one thing at several sizes in pixels. Only the sizes that were asked for last are kept: a view that
// is resized or zoomed asks for another size in each frame.
#pragma once

#include <QSize>

#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>

namespace lab {

template <typename Made>
class LatestSizes {
 public:
  // Two views may show the same thing, each at some sizes, such as small and as what the view is zoomed to.
  static constexpr std::size_t kMost = 8;

  // What was made at this size, or an empty one to fill in. Valid until the next call.
  Made& of(QSize size) {
    const auto found = std::ranges::find(all_, size, &Sized::first);
    if (found != all_.end()) {
      all_.splice(all_.begin(), all_, found);
    } else {
      if (all_.size() == kMost) all_.pop_back();
      all_.emplace_front(size, Made{});
    }
    return all_.front().second;
  }

 private:
  using Sized = std::pair<QSize, Made>;
  std::list<Sized> all_;  // the latest first
};

}  // namespace lab
