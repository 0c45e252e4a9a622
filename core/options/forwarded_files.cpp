// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/forwarded_files.h"

#include <utility>

namespace lab {
namespace {

// Set once, before anything is resolved.
ForwardedInputs& ofThisProcess() {
  static ForwardedInputs files;
  return files;
}

}  // namespace

void setForwarded(ForwardedInputs files) {
  ofThisProcess() = std::move(files);
}

void takeForwarded(SettingsBase& config) {
  if (const std::string* layers = forwarded("network")) config.networkFile = {config.network, *layers};
}

const std::string* forwarded(std::string_view setting) {
  const ForwardedInputs& files = ofThisProcess();
  const auto found = files.find(setting);
  return found == files.end() ? nullptr : &found->second;
}

}  // namespace lab
