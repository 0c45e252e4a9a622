// SPDX-License-Identifier: GPL-3.0-or-later
// All that the panel shows of one question, asked of the model at once: for thousands of devices that takes longer than
// a frame, so it is computed on another thread. A pure function of its question.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/prediction/what_if.h"
#include "core/timing/error_band.h"
#include "ui/whatif/scaling_view.h"

namespace lab {

struct WhatIfQuestion {
  std::shared_ptr<const WhatIfModel> model;
  WhatIf asked;
  Anchor anchor;
  std::int64_t globalBatch = 0;
  bool keepsGlobal = false;      // the bold curve's batch, and the other's is each replica's
  std::int64_t mostDevices = 1;  // of the curves
};

struct WhatIfPrediction {
  WhatIfQuestion question;
  Message failure;  // why it cannot be; empty where it can, and then all that follows is there
  WhatIfAnswer answer;
  std::shared_ptr<const Timeline> timeline;  // null where there is a failure
  StageBreakdown mean{};                     // over the replicas
  int replicas = 1;
  DeviceMemory memory;
  Message extrapolated;
  std::vector<Message> asFloat32;
  BoundBy bound = BoundBy::Compute;
  std::vector<ScalingView::Point> curve, other;
};

// Gives up on the curves where `stop` becomes true: somebody asks something else.
WhatIfPrediction predict(WhatIfQuestion question, const std::atomic<bool>* stop = nullptr);

}  // namespace lab
