// SPDX-License-Identifier: GPL-3.0-or-later
// What was asked of the window on its command line. The training options are those of the configuration's table.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/config/run_settings.h"
#include "core/files/value_table.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "ui/compare/lane_specs.h"
#include "ui/files/file_kind.h"
#include "ui/poster/poster.h"
#include "ui/theme/theme_tables.h"
#include "ui/window/window_layout.h"

namespace lab {

// A moment of a step's movie: so many seconds, or a beat and how much of it has passed.
struct PictureMoment {
  double seconds = 0;
  QString beat;  // "aggregate"; empty: `seconds` counts
  double part = 0;
};

struct WindowOptions {
  RunSettings config;           // checked by resolve; without training options that of Teach, or of `file`
  bool training = false;        // any training option was given
  std::optional<QString> file;  // an experiment, a recording or a table to open
  FileKind fileKind = FileKind::Experiment;
  std::optional<ValueTable> table;  // of that kind: what is in it
  // Why the file cannot be opened. The window says it, where there is one: a person who opens a file by a
  // double click reads no terminal.
  std::optional<UserError> fileTrouble;
  Message fileFault;               // empty where a recording is whole; else what is wrong behind its whole lines
  std::optional<QString> picture;  // --render: draw the window into this file, without a display
  bool poster = false;             // a step as a poster instead
  PosterPage page = PosterPage::A3;
  std::optional<QSize> size;
  int afterSteps = 1;                // of the picture; the run may be shorter
  PictureMoment moment;              // of the picture
  int zoom = -1;                     // replica that the picture looks into; -1: none
  std::optional<theme::Kind> theme;  // of the window: nothing, the system's; of the picture: Light
  // Beside the window's run, in Compare; of a picture also what the file has.
  std::vector<const StrategyInfo*> compared;
  Comparing comparing;
  Lineage lineage;                  // of the file's run
  bool momentAsked = false;         // afterSteps or moment were given
  QString lesson;                   // to begin with: a built-in one, or a file
  bool present = false;             // begins in the mode for a projector
  std::optional<QString> language;  // of the window, for this once
  WindowLayout layout = WindowLayout::Teach;
  bool layoutAsked = false;
  bool resetSettings = false;
  bool windowAsked = false;  // size, theme or layout were given: they are not those of the last session
  bool help = false;
  bool version = false;
};

// `arguments` without the program's name. UserError for what cannot be understood.
WindowOptions parseWindowOptions(const QStringList& arguments);

QString windowHelp();

}  // namespace lab
