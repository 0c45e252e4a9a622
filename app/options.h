// SPDX-License-Identifier: GPL-3.0-or-later
// The requests on the window's command line. The training options are those of the configuration's table.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/config/run_settings.h"
#include "core/files/run_file.h"
#include "core/files/value_table.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "ui/files/file_kind.h"
#include "ui/frame/window_layout.h"
#include "ui/lanes/lane_specs.h"
#include "ui/poster/poster.h"
#include "ui/theme/theme_tables.h"

namespace lab {

// A moment of a step's movie: a number of seconds, or a beat and how much of it has passed.
struct PictureMoment {
  double seconds = 0;
  QString beat;  // "aggregate"; empty: `seconds` counts
  double part = 0;
};

struct WindowOptions {
  RunSettings config;           // checked by resolve; without training options, that of Teach, or of `file`
  bool training = false;        // any training option was given
  std::optional<QString> file;  // an experiment, a recording or a table to open
  FileKind fileKind = FileKind::Experiment;
  std::optional<ValueTable> table;  // content of a table's file
  // Content of a recording's file, until the window takes it; null for a large one, which the window reads itself.
  std::shared_ptr<RunRecord> recording;
  // Why the file cannot be opened. The window shows the reason, if there is a window: a person who opens a file by a
  // double click reads no terminal.
  std::optional<UserError> fileTrouble;
  Message fileFault;               // empty if a recording is whole; otherwise what is wrong after its intact lines
  std::optional<QString> picture;  // --render: draw the window into this file, without a display
  bool poster = false;             // draw a step as a poster instead
  PosterPage page = PosterPage::A3;
  std::optional<QSize> size;
  int afterSteps = 1;                // for the picture; the run may be shorter
  PictureMoment moment;              // for the picture
  int zoom = -1;                     // replica that the picture zooms into; -1: none
  std::optional<theme::Kind> theme;  // nothing: the system's for a window, Light for a picture
  // Shown beside the window's run, in Compare; a picture also shows those in the file.
  std::vector<const StrategyInfo*> compared;
  Comparing comparing;
  Lineage lineage;                  // of the file's run
  bool momentAsked = false;         // afterSteps or moment were given
  QString lesson;                   // to begin with: a built-in lesson, or a file
  bool present = false;             // begins in the mode for a projector
  std::optional<QString> language;  // of the window, only this time
  WindowLayout layout = WindowLayout::Teach;
  bool layoutAsked = false;
  bool resetSettings = false;
  bool windowAsked = false;  // size, theme or layout were given and replace those of the last session
  bool help = false;
  bool version = false;
};

// `arguments`: without the program's name. Throws a UserError for anything that cannot be understood.
WindowOptions parseWindowOptions(const QStringList& arguments);

QString windowHelp();

}  // namespace lab
