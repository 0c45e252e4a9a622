// SPDX-License-Identifier: GPL-3.0-or-later
// A class's lesson as its run file has it: what happened, in the order in which it did, so that each of its steps can
// be looked at when the class has gone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/serving/class_member.h"
#include "core/serving/class_record.h"
#include "core/trace/metric.h"

namespace lab::serving {

struct ClassRecording {
  ResolvedSettings config;           // the class's
  std::string dataset;               // that it trained on, by its name
  std::vector<ClassMember> members;  // by their numbers; of a number that was given again the latest
  bool hasEnded = false;             // with its last update
  // Whoever looks at the recording shares it, with the states that are kept.
  std::shared_ptr<ClassHistory> history = std::make_shared<ClassHistory>();
};

// `lines`: of class_order.h, as the file has them. Of one that was cut off the updates that both know. UserError where
// there is none, and for what cannot have been.
std::shared_ptr<const ClassRecording> readClassRecording(const ResolvedSettings& config, const std::string& dataset,
                                                         const std::vector<StepMetric>& steps, bool hasEnded,
                                                         const std::vector<std::string>& lines);

// A closure's number in such a recording is no higher: each worker may have had one that is in no update.
std::int64_t mostClosuresOf(const ClassHistory& history);

}  // namespace lab::serving
