// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of .keras files: the zip, and the network that its config describes. Whatever the bytes are: a UserError,
// or a network that is written and read the same. A separate program reads the weights; fuzz_safetensors tests its
// answer.
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "core/keras/keras_file.h"
#include "core/keras/keras_json.h"

namespace {

void readNetwork(const std::string& config) {
  const lab::NeuralNetwork network = lab::parseKerasJson(config, "fuzz", "fuzz");
  if (!(lab::parseKerasJson(lab::kerasJson(network), "again", "again") == network)) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    readNetwork({reinterpret_cast<const char*>(data), size});  // as from model.to_json()
  } catch (const lab::UserError&) {
  }
  try {
    readNetwork(lab::kerasPartsOf({data, size}, "fuzz").config);
  } catch (const lab::UserError&) {
  }
  return 0;
}
