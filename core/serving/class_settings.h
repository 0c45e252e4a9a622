// SPDX-License-Identifier: GPL-3.0-or-later
// What a class can train, what its settings come to where they differ from a run's, and what a refusal says.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/data/input.h"
#include "core/serving/frames.h"

namespace lab::serving {

// What a class decides by itself, or does not have: names of fields (core/options/config_field.h).
const std::vector<std::string_view>& fieldsNotOfAClass();

// What a class makes of these wishes: those fields are as if nobody had said anything.
ResolvedSettings classSettings(const RunSettings& asked);

// UserError where a class cannot train with these settings and examples.
void checkClass(const ResolvedSettings& config, const Dataset& dataset);

Message sentenceOf(Reason reason);

// Updates in which the workers that were asked for see every example once.
std::int64_t stepsPerEpochOf(const ResolvedSettings& config, std::int64_t examples);

// Weights, then moving statistics, into config.save; nothing where it is empty.
void saveClassWeights(const ResolvedSettings& config, std::span<const float> variables);

// The class's one stream of examples: shuffled as OneDevice's and Mirrored's are.
class ClassExamples {
 public:
  ClassExamples(const Examples& train, std::int64_t shuffleBuffer, std::uint64_t seed);
  // At most so many, the next of this epoch; never none.
  std::vector<std::int64_t> draw(std::int64_t most);
  InputPosition position() const { return input_.position(); }
  void seek(const InputPosition& position) { input_.seek(position); }

 private:
  std::int64_t count_;
  WorkerInput input_;  // one by one
};

}  // namespace lab::serving
