// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/handed_files.h"

#include <utility>

namespace lab {
namespace {

// Set once, before anything is resolved.
ForwardedInputs& ofThisProcess() {
  static ForwardedInputs files;
  return files;
}

}  // namespace

void setHanded(ForwardedInputs files) {
  ofThisProcess() = std::move(files);
}

void takeHanded(SettingsBase& config) {
  if (const std::string* layers = handed("network")) config.networkFile = {config.network, *layers};
}

const std::string* handed(std::string_view setting) {
  const ForwardedInputs& files = ofThisProcess();
  const auto found = files.find(setting);
  return found == files.end() ? nullptr : &found->second;
}

}  // namespace lab
