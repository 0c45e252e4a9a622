// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run's examples are a folder of pictures (core/data/picture_folder.h), which are scaled to any input shape
// of the network.
#pragma once

#include "core/config/run_settings.h"

namespace lab {

inline bool takesOwnPictures(const SettingsBase& config) {
  return config.dataset == "colour" && !config.dataDir.empty();
}

}  // namespace lab
