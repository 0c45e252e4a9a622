// SPDX-License-Identifier: GPL-3.0-or-later
// The run on the stage and what belongs to it, which the window's parts share: its clock, what is selected, its
// settings, and the runs kept beside it.
#pragma once

#include "ui/playback/playback.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_table.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/step/selection.h"

namespace lab {

struct StageRun {
  explicit StageRun(RunController& run)
      : controller(run), playback(run), experiment(run), library(run, experiment), table(library) {}

  RunController& controller;
  Playback playback;
  Selection selection;
  Experiment experiment;
  RunLibrary library;
  RunTable table;  // of the library
};

}  // namespace lab
