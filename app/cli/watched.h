// SPDX-License-Identifier: GPL-3.0-or-later
// One process of a run that a window watches (core/launching/process_run): it takes steps when the first process is
// told to, and writes everything to be shown on standard output.
#pragma once

#include <memory>
#include <string>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"

namespace lab::cli {

// `folder`: where it leaves records for the window; `tells`: whether this is the first process.
int trainWatched(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, const std::string& folder,
                 bool tells);

// With a window watching, this process's failure is a line on standard error, which the window puts into words.
void beginWatched();
bool isWatched();
void sayFailure(const Message& message);

}  // namespace lab::cli
