// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes: the comparison of an experiment's file is refused with a UserError, or what is read is written
// and read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.h"
#include "core/experiments/comparison_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = nlohmann::json::parse(std::string_view(reinterpret_cast<const char*>(data), size), nullptr, false);
  if (json.is_discarded()) return 0;
  try {
    const nlohmann::json once = lab::comparisonToJson(lab::comparisonFromJson(json));
    if (lab::comparisonToJson(lab::comparisonFromJson(once)) != once) std::abort();
  } catch (const lab::UserError&) {
  }
  return 0;
}
