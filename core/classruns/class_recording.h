// SPDX-License-Identifier: GPL-3.0-or-later
// A class's lesson as recorded in its run file: the events in their order, so that each step can be viewed after the
// class has gone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/protocol/class_history.h"
#include "core/protocol/class_member.h"
#include "core/trace/metric.h"

namespace lab::serving {

struct ClassRecording {
  ResolvedSettings config;           // the class's
  std::string dataset;               // name of the data set that it trained on
  std::vector<ClassMember> members;  // in the order of their numbers; for a reused number, its latest owner
  bool hasEnded = false;             // the end was recorded: of the last update, or earlier by the teacher
  // All viewers of the recording share the history, with the states that it keeps.
  std::shared_ptr<ClassHistory> history = std::make_shared<ClassHistory>();
};

// `lines`: of class_order.h, as in the file. If the file was cut off, only the updates that both `steps` and `lines`
// have count. Throws a UserError if there are none, or if an event is impossible.
std::shared_ptr<const ClassRecording> readClassRecording(const ResolvedSettings& config, const std::string& dataset,
                                                         const std::vector<StepMetric>& steps, bool hasEnded,
                                                         const std::vector<std::string>& lines);

// Returns the highest number of a closure in such a recording: each worker may have had one that is in no update.
std::int64_t mostClosuresOf(const ClassHistory& history);

}  // namespace lab::serving
