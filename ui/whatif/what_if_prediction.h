// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the panel shows for one question, computed by the model in one go: for thousands of devices this
// takes longer than a frame, so it runs on another thread. A pure function of the question.
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
  bool keepsGlobal = false;      // the bold curve keeps the global batch, the other each replica's; if false, vice
                                 // versa
  std::int64_t mostDevices = 1;  // for the curves
};

struct WhatIfPrediction {
  WhatIfQuestion question;
  Message failure;  // why it is impossible; empty if possible, and then all other members are set
  WhatIfAnswer answer;
  std::shared_ptr<const Timeline> timeline;  // null on failure
  StageBreakdown mean{};                     // over the replicas
  int replicas = 1;
  DeviceMemory memory;
  Message extrapolated;
  std::vector<Message> asFloat32;
  BoundBy bound = BoundBy::Compute;
  // If one device's step with the global batch takes too long to count, the bold curve is the other one, and
  // `question.keepsGlobal` is false.
  std::vector<ScalingView::Point> curve, other;
};

// Gives up on the curves if `stop` becomes true, because another question was asked.
WhatIfPrediction predict(WhatIfQuestion question, const std::atomic<bool>* stop = nullptr);

}  // namespace lab
