// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a .keras file, by way of strategylab-hdf5 (core/keras/hdf5): a hostile file can make HDF5's library
// crash or take all memory, which must only happen in that program. Its failure becomes a message; its output is read
// as any safetensors file is, and may be wrong.
#include <array>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/keras/keras_file.h"
#include "core/model/messages.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "strategylab-hdf5";
constexpr int kSeconds = 60;

LimitedRun runHdf5(const char* verb, std::span<const std::uint8_t> input) {
  const fs::path program = modulePath(kProgram, "STRATEGYLAB_HDF5");
  std::error_code ignored;
  if (!fs::is_regular_file(program, ignored)) throw UserError(UserError::Kind::Run, say::noHdf5Program, File{program});
  const auto size = static_cast<std::int64_t>(input.size());
  constexpr std::int64_t kAtLeast = std::int64_t{512} << 20, kMostOutput = std::int64_t{2} << 30;
  return runLimited({program.string(), verb}, input,
                    {.memoryBytes = kAtLeast + 4 * size, .outputBytes = kMostOutput, .seconds = kSeconds});
}

// Translates its exit codes (weights_hdf5.cpp).
Message whyNotRead(const LimitedRun& run) {
  if (run.end == LimitedRun::End::TooLong) return {say::weightsTooLong, kSeconds};
  if (run.end == LimitedRun::End::Crashed) return {say::weightsCrashed, run.code};
  switch (run.code) {
    case 3:
      return say::weightsNoHdf5;
    case 4:
      return say::weightsNoLayers;
    case 5:
      return say::weightsTooMuch;
    case 6:
      return say::weightsForeign;
    default:
      return say::weightsUnreadable;
  }
}

}  // namespace

TensorFile tensorsOfHdf5(std::span<const std::uint8_t> content, const std::string& name) {
  const LimitedRun run = runHdf5("read", content);
  if (run.end != LimitedRun::End::Exited || run.code != 0)
    throw UserError(say::notKerasFile, File{name}, whyNotRead(run));
  return parseSafetensors(run.output, name);
}

std::vector<std::uint8_t> hdf5OfTensors(TensorFile tensors, const std::vector<std::string>& layers) {
  tensors.metadata["layers"] = nlohmann::json(layers).dump();
  LimitedRun run = runHdf5("write", serializeSafetensors(tensors));
  if (run.end != LimitedRun::End::Exited || run.code != 0)
    throw UserError(UserError::Kind::Run, say::weightsNotWritten, run.code);
  return std::move(run.output);
}

}  // namespace lab
