// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/timing_constants.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/hardware/messages.h"
#include "resources/resources.h"

namespace lab {
namespace {

// The model divides by these; a name that ends with a dot stands for all that begin so. The least value keeps every
// time within what 64 bits count.
constexpr std::array<std::string_view, 18> kDivisors{"memory.efficiency",
                                                     "memory.host_gb_per_s",
                                                     "pcie.root_port_factor",
                                                     "nccl.llmax.",
                                                     "nccl.treecap.",
                                                     "nccl.channel.",
                                                     "nccl.nvls.",
                                                     "nccl.reached_share",
                                                     "nccl.ll128_share",
                                                     "nccl.mesh_share",
                                                     "transport.tcp_share",
                                                     "transport.tcp_max_gb_per_s",
                                                     "transport.cpu_tcp_gb_per_s",
                                                     "transport.cpu_line_share",
                                                     "transport.grpc_gb_per_s",
                                                     "tpu.links_per_chip",
                                                     "input.pcie_gb_per_s",
                                                     "calibration.slowest_device"};
constexpr double kLeastDivisor = 1e-6;
// And by these as whole numbers.
constexpr std::array<std::string_view, 3> kCounts{"pcie.devices_per_switch", "pcie.devices_per_switch_small",
                                                  "tpu.cores_per_chip"};

bool isDivisor(std::string_view key) {
  return std::ranges::any_of(kDivisors, [key](std::string_view each) {
    return key == each || (each.ends_with('.') && key.starts_with(each));
  });
}

}  // namespace

TimingConstants TimingConstants::parse(std::string_view csv, const std::string& name) {
  const std::vector<CsvRow> rows = parseCsv(csv, name);
  if (rows.empty() || rows.front().cells != std::vector<std::string>{"key", "value", "unit", "source"})
    throw UserError(say::constantsHeader, name);
  TimingConstants constants;
  for (const CsvRow& row : std::span(rows).subspan(1)) {
    const std::string& cell = row.cells[1];
    const auto fail = [&](const Message& what) {
      throw UserError(say::constantsRow, name, row.line, row.cells[0], what);
    };
    const std::optional<double> value = parseNumber<double>(cell);
    // The comparison is false for NaN too.
    if (!value || !(*value >= 0 && *value <= 1e9)) fail({say::constantNoNumber, cell});
    if (isDivisor(row.cells[0]) && *value < kLeastDivisor) fail({say::constantDivisor, cell, "0.000001"});
    if (std::ranges::find(kCounts, row.cells[0]) != kCounts.end() && *value < 1)
      fail({say::constantDivisor, cell, "1"});
    if (row.cells[3].empty()) fail(say::constantNoSource);
    if (!constants.index_.emplace(row.cells[0], constants.rows_.size()).second) fail(say::constantTwice);
    constants.rows_.push_back({row.cells[0], *value, row.cells[2], row.cells[3]});
  }
  return constants;
}

const TimingConstants& TimingConstants::builtIn() {
  static const TimingConstants constants =
      parse({reinterpret_cast<const char*>(resources::timingConstants), resources::timingConstantsSize},
            "timing-constants.csv");
  return constants;
}

TimingConstants TimingConstants::mergedWith(const TimingConstants& other, const std::string& name) const {
  TimingConstants merged = *this;
  for (const TimingConstant& row : other.rows_) {
    const auto found = merged.index_.find(row.key);
    if (found == merged.index_.end()) {
      std::vector<std::string> keys;
      for (const TimingConstant& known : rows_) keys.push_back(known.key);
      const std::string nearest = nearestName(row.key, keys);
      if (nearest.empty()) throw UserError(say::unknownConstant, File{name}, row.key);
      throw UserError(say::unknownConstantNear, File{name}, row.key, nearest);
    }
    merged.rows_[found->second] = row;
  }
  return merged;
}

double TimingConstants::operator[](std::string_view key) const {
  const auto found = index_.find(key);
  LAB_CHECK(found != index_.end());
  return rows_[found->second].value;
}

}  // namespace lab
