// SPDX-License-Identifier: GPL-3.0-or-later
// One process of a run that a window watches (core/launching/process_run): it takes steps when the first one is told
// to, and says all there is to show on standard output.
#pragma once

#include <memory>
#include <string>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"

namespace lab::cli {

// `folder`: where records are left for it; `tells`: this is the first process.
int trainWatched(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, const std::string& folder,
                 bool tells);

// Whether a window words what this process fails of, and for it: a line on standard error.
void beginWatched();
bool isWatched();
void sayFailure(const Message& message);

}  // namespace lab::cli
