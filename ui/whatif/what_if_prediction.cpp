// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/what_if_prediction.h"

#include <utility>

#include "core/base/error.h"
#include "core/prediction/modelled_timeline.h"
#include "core/prediction/run_bound.h"
#include "ui/trace/breakdown_table.h"

namespace lab {
namespace {

void predictStep(const WhatIfQuestion& question, const Calibration& scales, WhatIfPrediction& prediction) {
  const WhatIf& asked = question.asked;
  WhatIfAnswer& answer = prediction.answer;
  answer = question.model->answer(asked, question.anchor, true);
  const TimingRun run = question.model->runOf(asked, scales);
  prediction.timeline = std::make_shared<const Timeline>(timelineOf(run, answer.timing));
  std::vector<StageBreakdown> breakdowns;
  for (const StageNs& stages : answer.timing.stages) breakdowns.push_back(breakdownOf(stages));
  prediction.mean = meanBreakdown(breakdowns);
  prediction.replicas = run.replicas();
  prediction.memory = run.memory(asked.examplesPerDevice);
  prediction.extrapolated = run.extrapolated();
  prediction.asFloat32 = run.asFloat32();
  prediction.bound = boundBy(answer.timing, run.request().method,
                             crossesHosts(asked.config, run.replicas(), run.network().hosts(), asked.step));
  answer.timing = {};  // it takes megabytes for many devices, and all that is shown has been copied
}

}  // namespace

WhatIfPrediction predict(WhatIfQuestion asked, const std::atomic<bool>* stop) {
  WhatIfPrediction prediction{.question = std::move(asked)};
  const WhatIfQuestion& question = prediction.question;
  const Calibration scales = scalesFor(question.asked, question.anchor.base, question.anchor.scales);
  try {
    predictStep(question, scales, prediction);
    for (const bool fixesGlobal : {question.keepsGlobal, !question.keepsGlobal}) {
      auto& curve = fixesGlobal == question.keepsGlobal ? prediction.curve : prediction.other;
      for (const ScalingPoint& point :
           scalingCurve(*question.model, question.asked, scales, question.mostDevices,
                        fixesGlobal ? std::optional(question.globalBatch) : std::nullopt, stop))
        curve.push_back(viewOf(point));
    }
    if (prediction.curve.empty() && question.keepsGlobal) {
      prediction.question.keepsGlobal = false;
      prediction.curve.swap(prediction.other);
    }
  } catch (const UserError& error) {
    prediction.timeline = nullptr;
    prediction.failure = error.message();
  }
  return prediction;
}

}  // namespace lab
