// SPDX-License-Identifier: GPL-3.0-or-later
// What a class can train, which settings it uses where they differ from a run's, and what its refusals say.
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
#include "core/protocol/frames.h"

namespace lab::serving {

// Returns the settings that a class decides itself, or does not have: names of fields (core/options/config_field.h).
const std::vector<std::string_view>& fieldsNotOfAClass();

// Returns the class's settings for these wishes; the fields above are treated as if not given.
ResolvedSettings classSettings(const RunSettings& asked);

// Throws a UserError if a class cannot train with these settings and examples.
void checkClass(const ResolvedSettings& config, const Dataset& dataset);

Message sentenceOf(Reason reason);

// Returns the number of updates in which the requested number of workers sees every example once.
std::int64_t stepsPerEpochOf(const ResolvedSettings& config, std::int64_t examples);

// Writes weights, then moving statistics, to config.save; does nothing if it is empty.
void saveClassWeights(const ResolvedSettings& config, std::span<const float> variables);

// The class's single stream of examples, shuffled as OneDevice's and Mirrored's are.
class ClassExamples {
 public:
  ClassExamples(const Examples& train, std::int64_t shuffleBuffer, std::uint64_t seed);
  // Returns the next examples of this epoch, at most `most` but at least one.
  std::vector<std::int64_t> draw(std::int64_t most);
  InputPosition position() const { return input_.position(); }
  void seek(const InputPosition& position) { input_.seek(position); }

 private:
  std::int64_t count_;
  WorkerInput input_;  // draws single examples
};

}  // namespace lab::serving
