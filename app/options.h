// SPDX-License-Identifier: GPL-3.0-or-later
// What was asked of the window on its command line. The training options are those of the configuration's table.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

#include "core/run/run_config.h"

namespace lab {

struct WindowOptions {
  RunConfig config;                // checked by resolveConfig
  std::optional<QString> picture;  // --render: draw the window into this file, without a display
  QSize size{1280, 800};
  int afterSteps = 100;  // of the picture; the run may be shorter
  bool help = false;
  bool version = false;
};

// `arguments` without the program's name. UserError for what cannot be understood.
WindowOptions parseWindowOptions(const QStringList& arguments);

QString windowHelp();

}  // namespace lab
