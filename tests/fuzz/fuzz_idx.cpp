// SPDX-License-Identifier: GPL-3.0-or-later
// The IDX reader, plain and gzip. Whatever the bytes are: a UserError, or content of the right size and nothing else.
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "core/data/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const lab::IdxKind kind : {lab::IdxKind::Images, lab::IdxKind::Labels}) {
    try {
      const auto content = lab::parseIdx({data, size}, kind, "input");
      if (content.empty() || (kind == lab::IdxKind::Images && content.size() % 784 != 0)) __builtin_trap();
      for (const std::uint8_t value : content)
        if (kind == lab::IdxKind::Labels && value > 9) __builtin_trap();
    } catch (const lab::UserError&) {
    }
  }
  return 0;
}
