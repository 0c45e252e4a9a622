// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the text: settings are refused with a UserError, or they are resolved, and a resolved configuration written
// and read again resolves to itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const nlohmann::json json = nlohmann::json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return 0;
  try {
    const lab::ResolvedSettings resolved = lab::resolve(lab::configFromJson(json));
    const nlohmann::json written = lab::configToJson(resolved);
    if (lab::configToJson(lab::resolve(lab::configFromJson(written))) != written) std::abort();
  } catch (const lab::UserError&) {
  }
  return 0;
}
