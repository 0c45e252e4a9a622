// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors files (https://github.com/huggingface/safetensors#format): named tensors after a JSON header. Weights are
// stored with Keras's names and layouts; checkpoints use the same container. A file is validated completely before any
// of it is used, and no claimed size is allocated unchecked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/model/layout.h"

namespace lab {

struct TensorFile {
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;  // row-major; dtype F32
  };
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;  // the header's __metadata__
};

// Parses a whole file's content; messages call it `name`. Throws a UserError for anything that is not a valid
// safetensors file of F32 tensors: short, oversized or overlapping offsets, holes, shape and size at odds, bad UTF-8 …
TensorFile parseSafetensors(std::span<const std::uint8_t> content, const std::string& name);
std::vector<std::uint8_t> serializeSafetensors(const TensorFile& file);

TensorFile readSafetensors(const std::filesystem::path& path);
void writeSafetensors(const std::filesystem::path& path, const TensorFile& file);  // atomically

// Converts weights between a file and the flat buffer. Loading requires exactly the layout's names and shapes and
// finite values; its error names the tensor that is missing, extra, of another shape or not finite.
TensorFile weightsToTensors(const Layout& layout, std::span<const float> weights);
// The file may also contain variables of `beside`.
void tensorsToWeights(const TensorFile& file, const Layout& layout, const std::string& name, std::span<float> weights,
                      const Layout& beside = Layout({}));

}  // namespace lab
