// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes: a safetensors file is either refused with a UserError, or it is written again and reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/error.h"
#include "core/model/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lab::TensorFile file;
  try {
    file = lab::parseSafetensors({data, size}, "fuzz");
  } catch (const lab::UserError&) {
    return 0;
  }
  const lab::TensorFile again = lab::parseSafetensors(lab::serializeSafetensors(file), "again");
  if (again.metadata != file.metadata || again.tensors.size() != file.tensors.size()) std::abort();
  for (const auto& [name, tensor] : file.tensors) {
    const auto& other = again.tensors.at(name);
    if (other.shape != tensor.shape || other.values.size() != tensor.values.size()) std::abort();
    if (!other.values.empty() &&
        std::memcmp(other.values.data(), tensor.values.data(), other.values.size() * sizeof(float)) != 0)
      std::abort();
  }
  return 0;
}
