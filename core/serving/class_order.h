// SPDX-License-Identifier: GPL-3.0-or-later
// In which order things happened in a class: of each update, which closures were in it, computed by whom, with which
// version of the variables, and on which processor path. With the settings and the examples that decides every bit, so
// that a lesson can be trained again on one machine that has the paths.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"

namespace lab::serving {

struct ClassOrder {
  struct Part {
    std::uint64_t closure = 0;
    int worker = -1;            // -1: none had it when its step was over
    std::int64_t version = 0;   // that it was computed with
    std::int64_t examples = 0;  // of the closure
    float scale = 0;            // of each example's gradient
    bool used = true;           // false: left out of a synchronous step
    std::string path;
    bool operator==(const Part&) const = default;
  };
  std::vector<std::vector<Part>> updates;
};

// The weights after the last update, then moving statistics. UserError for a path that this machine does not have.
std::vector<float> replayClass(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                               const ClassOrder& order);

}  // namespace lab::serving
