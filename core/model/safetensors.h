// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors files (https://github.com/huggingface/safetensors#format): named tensors behind a JSON header. Weights
// are stored with Keras's names and layouts; checkpoints use the same container. A file is validated completely before
// any of it is used, and nothing is allocated from a size it merely claims.
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

// Parses a whole file's content. `name` is what messages call it. Throws UserError on anything that is not a valid
// safetensors file of F32 tensors: short, oversized or overlapping offsets, holes, shape and size at odds, bad UTF-8 …
TensorFile parseSafetensors(std::span<const std::uint8_t> content, const std::string& name);
std::vector<std::uint8_t> serializeSafetensors(const TensorFile& file);

TensorFile readSafetensors(const std::filesystem::path& path);
void writeSafetensors(const std::filesystem::path& path, const TensorFile& file);  // atomically

// Weights between a file and the flat buffer. Loading wants exactly the layout's names and shapes, finite values, and
// says which one is missing, extra, of another shape or not finite.
TensorFile weightsToTensors(const Layout& layout, std::span<const float> weights);
// What is of `beside` may be in the file too.
void tensorsToWeights(const TensorFile& file, const Layout& layout, const std::string& name, std::span<float> weights,
                      const Layout& beside = Layout({}));

}  // namespace lab
