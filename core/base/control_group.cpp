// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/control_group.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "core/base/ceil_divide.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// Returns 0 if the file is not there or does not begin with a number ("max").
std::int64_t numberIn(const fs::path& file) {
  std::int64_t number = 0;
  std::ifstream(file) >> number;
  return number;
}

// 0 and -1, version 1's word for it, are no limit.
template <typename T>
void lower(T& limit, std::int64_t value) {
  if (value > 0 && (limit == 0 || value < limit))
    limit = static_cast<T>(std::min<std::int64_t>(value, std::numeric_limits<T>::max()));
}

void lowerProcessors(GroupLimits& limits, std::int64_t quota, std::int64_t period) {
  if (quota > 0 && period > 0) lower(limits.processors, ceilDivide(quota, period));
}

void takeLimits(const fs::path& group, GroupLimits& limits) {
  lower(limits.memoryBytes, numberIn(group / "memory.max"));
  lower(limits.memoryBytes, numberIn(group / "memory.limit_in_bytes"));
  std::int64_t quota = 0, period = 0;
  if (std::ifstream(group / "cpu.max") >> quota >> period) lowerProcessors(limits, quota, period);
  lowerProcessors(limits, numberIn(group / "cpu.cfs_quota_us"), numberIn(group / "cpu.cfs_period_us"));
}

}  // namespace

GroupLimits groupLimits(const fs::path& root) {
  GroupLimits limits;
  std::ifstream groups(root / "proc/self/cgroup");
  // Lines such as "0::/user.slice" (version 2) and "4:memory:/docker/1f" (version 1).
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    // A limit of a group above holds too. A container may see its own group as the top one, but under the host's name:
    // then only the top folder is there.
    for (const char* controller : {"", "memory", "cpu"}) {
      if (controllers.find("," + std::string(controller) + ",") == std::string::npos) continue;
      for (fs::path group = fs::path(line.substr(second + 1)).relative_path();; group = group.parent_path()) {
        takeLimits(root / "sys/fs/cgroup" / controller / group, limits);
        if (group.empty()) break;
      }
    }
  }
  return limits;
}

}  // namespace lab
