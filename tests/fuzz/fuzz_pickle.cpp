// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of CIFAR-10's Python batches. Whatever the bytes are: a UserError, or as many labels, of 0 to 9, as
// images.
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "core/data/pickle_batch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const lab::PickledBatch batch = lab::parsePickledBatch({data, size}, "input");
    if (batch.labels.empty() || batch.data.size() != batch.labels.size() * 3072) __builtin_trap();
    for (const std::uint8_t label : batch.labels)
      if (label > 9) __builtin_trap();
  } catch (const lab::UserError&) {
  }
  return 0;
}
