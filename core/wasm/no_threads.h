// SPDX-License-Identifier: GPL-3.0-or-later
// Included in front of every source of the module: WASI's standard library without threads has no mutex.
#pragma once

namespace std {
struct mutex {
  void lock() {}
  void unlock() {}
};
}  // namespace std
