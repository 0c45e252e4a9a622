// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the text: a hardware catalogue is refused with a UserError, or every figure in it can be computed with.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/error.h"
#include "core/hardware/catalogue.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto catalogue = lab::Catalogue::parse(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    for (const lab::DeviceModel& device : catalogue.devices())
      if (!(device.fp32Tflops > 0 && std::isfinite(device.memoryGbPerSec) && device.cnnEfficiency > 0)) std::abort();
    for (const lab::LinkModel& link : catalogue.links())
      if (!(link.effectiveGbPerSec > 0 && link.latencyUs >= 0 && std::isfinite(link.latencyUs))) std::abort();
  } catch (const lab::UserError&) {
  }
  return 0;
}
