// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes: a checkpoint is refused with a UserError, or it is written again and reads the same. The digest
// would stop nearly every mutation, so input that can be read as tensors is also tested with a correct digest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/training/checkpoint.h"

namespace {

void mustReadTheSame(const lab::Checkpoint& checkpoint) {
  const lab::Checkpoint again = lab::parseCheckpoint(lab::serializeCheckpoint(checkpoint), "again");
  if (again.config != checkpoint.config || again.state != checkpoint.state ||
      again.tensors.tensors.size() != checkpoint.tensors.tensors.size())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    mustReadTheSame(lab::parseCheckpoint({data, size}, "fuzz"));
  } catch (const lab::UserError&) {
  }
  try {
    lab::Checkpoint checkpoint;
    checkpoint.tensors = lab::parseSafetensors({data, size}, "fuzz");
    const auto& metadata = checkpoint.tensors.metadata;
    if (const auto found = metadata.find("state"); found != metadata.end())
      checkpoint.state = nlohmann::json::parse(found->second, nullptr, false);
    if (!checkpoint.state.is_discarded()) mustReadTheSame(checkpoint);
  } catch (const lab::UserError&) {
  }
  return 0;
}
