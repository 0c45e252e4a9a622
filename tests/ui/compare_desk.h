// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison without a window around it, and the objects that it needs.
#pragma once

#include "ui/compare/compare_view.h"
#include "ui/playback/playback.h"
#include "ui/runs/run_library.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/step/selection.h"

namespace lab::test {

struct CompareDesk {
  RunController controller{};
  Playback playback{controller};
  Selection selection{};
  Experiment experiment{controller};
  RunLibrary library{controller, experiment};
  CompareView view{controller, playback, selection, experiment, library};
};

}  // namespace lab::test
