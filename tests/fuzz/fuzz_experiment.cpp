// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes: an experiment file or a link is refused with a UserError, or what is read is written and read
// again as the same, names no file to write, and resolves or is refused with a sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/training/branches.h"

namespace {

void check(const lab::RunSettings& config) {
  if (lab::hasOutputs(config)) std::abort();
  try {
    (void)lab::resolve(config);
  } catch (const lab::UserError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const lab::ExperimentFile file = lab::parseExperiment(text, "fuzz");
    check(file.config);
    try {
      lab::checkLineage(file.lineage, lab::resolve(file.config));
    } catch (const lab::UserError&) {
    }
    const std::string once = lab::experimentText(file, "1");
    if (lab::experimentText(lab::parseExperiment(once, "again"), "1") != once) std::abort();
  } catch (const lab::UserError&) {
  }
  try {
    lab::ControlLocks locks, again;
    const lab::RunSettings config = lab::parseExperimentLink(text, &locks);
    check(config);
    const std::string once = lab::experimentLink(config, locks);
    const lab::RunSettings config2 = lab::parseExperimentLink(once, &again);
    if (lab::experimentLink(config2, again) != once) std::abort();
  } catch (const lab::UserError&) {
  }
  return 0;
}
