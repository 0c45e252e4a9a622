// SPDX-License-Identifier: GPL-3.0-or-later
// What a container, a batch system or a service manager leaves of the machine to this program: the limits of its
// control groups, of version 1 and 2 (the kernel's admin-guide/cgroup-v2.rst and cgroup-v1/).
#pragma once

#include <cstdint>
#include <filesystem>

namespace lab {

struct GroupLimits {
  std::int64_t memoryBytes = 0;  // 0: no limit is known
  int processors = 0;            // processor time, rounded up to whole processors; 0: no limit is known
};

GroupLimits groupLimits(const std::filesystem::path& root);  // "/"; tests have made-up ones

}  // namespace lab
