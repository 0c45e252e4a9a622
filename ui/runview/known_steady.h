// SPDX-License-Identifier: GPL-3.0-or-later
// A run's steady step (core/prediction/rates.h), computed once: the model takes longer than a view has within a frame.
#pragma once

#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/config/lineage.h"
#include "core/config/run_info.h"
#include "core/prediction/rates.h"

namespace lab {

class KnownSteady {
 public:
  // Nothing before the run is prepared, if its time is measured, or if a task died or came back: the model knows the
  // settings only, and counts all workers.
  const std::optional<SteadyStep>& of(const std::shared_ptr<const RunInfo>& info) {
    if (info && info == info_.lock()) return step_;
    info_ = info;
    step_.reset();
    try {
      // A class is measured, even if the settings of its strategy name simulated devices.
      const bool isModelled = info && !info->isClass && info->clock == TimeSource::Modelled;
      if (isModelled && !hasFault(info->lineage)) step_ = steadyStep(info->config);
    } catch (const UserError&) {  // the file with its catalogue has vanished
    }
    return step_;
  }

 private:
  std::weak_ptr<const RunInfo> info_;  // weak, because it holds the run's images
  std::optional<SteadyStep> step_;
};

}  // namespace lab
