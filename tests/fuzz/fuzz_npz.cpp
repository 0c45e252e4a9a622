// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of mnist.npz. Whatever the bytes are: a UserError, or two sets with as many labels, of 0 to 9, as images.
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "core/data/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const lab::TrainAndTest both = lab::parseNpz({data, size}, "input");
    for (const lab::Examples* part : {&both.train, &both.test}) {
      const auto count = static_cast<std::size_t>(part->count);
      if (count == 0 || part->labels.size() != count || part->pixels.size() != count * 784) __builtin_trap();
      for (const std::uint8_t label : part->labels)
        if (label > 9) __builtin_trap();
    }
  } catch (const lab::UserError&) {
  }
  return 0;
}
