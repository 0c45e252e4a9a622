// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_recording.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/protocol/class_order.h"
#include "core/protocol/messages.h"
#include "core/serving/class_session.h"
#include "core/strategy/strategy.h"

namespace lab::serving {
namespace {

using nlohmann::json;

constexpr int kDepth = 4;
constexpr std::int64_t kMostNs = std::int64_t{1} << 53;

// Checks the times, as a file may have been written by hand.
void check(const ClassTimes& times) {
  const auto isTime = [](std::int64_t ns) { return ns >= 0 && ns <= kMostNs; };
  const bool areTimes = isTime(times.appliedNs) && std::ranges::all_of(times.parts, [&](const ClassTimes::Part& part) {
                          return isTime(part.givenNs) && isTime(part.pushBeganNs) && isTime(part.pushedNs) &&
                                 part.computeNs >= 0 && part.computeNs <= part.pushBeganNs;
                        });
  if (!areTimes) throw UserError(say::classOrderWrong);
}

class LessonReader {
 public:
  LessonReader(ClassRecording& recording, const std::vector<StepMetric>& steps)
      : recording_(recording), steps_(steps) {}

  void take(std::string_view text) {
    const auto isOf = [text](std::string_view key) { return text.starts_with("{\"" + std::string(key) + "\""); };
    if (!isOf("class") && !isOf("applied") && !isOf("joined") && !isOf("left")) return;
    const json line = parseJson(text, say::aClassLine, kDepth);
    if (isOf("applied")) return takeTimes(timesFrom(line));
    flush();
    if (isOf("class"))
      takeParts(partsFrom(line));
    else if (isOf("joined"))
      takeMember(line.at("joined"));
    else
      recording_.history->left(integerOf<int>(line.at("left")));
  }

  // Older files do not say when somebody joined. Their members count as present from the beginning: steps without a
  // part of theirs say only that.
  void meetEverybody(const std::vector<std::string>& lines) {
    const auto isOf = [](const char* key) { return [key](const std::string& line) { return line.starts_with(key); }; };
    if (std::ranges::any_of(lines, isOf(R"({"joined")"))) return;
    for (const std::string& line : lines)
      if (isOf(R"({"class")")(line)) meet(partsFrom(parseJson(line, say::aClassLine, kDepth)));
  }

  // Adds the update whose lines have been read.
  void flush() {
    if (!std::exchange(hasUpdate_, false)) return;
    if (update_.times.parts.empty()) placeInOrder();
    appliedNs_ = update_.times.appliedNs;
    recording_.history->add(std::exchange(update_, {}));
  }

 private:
  static int checked(int worker) {
    if (worker < 0 || worker >= ClassLimits{}.workers) throw UserError(say::classOrderWrong);
    return worker;
  }

  ClassMember& memberOf(int worker) {
    const auto at = static_cast<std::size_t>(checked(worker));
    if (at >= recording_.members.size()) recording_.members.resize(at + 1);
    recording_.members[at].worker = worker;
    return recording_.members[at];
  }

  void meet(const std::vector<ClassOrder::Part>& parts) {
    for (const ClassOrder::Part& part : parts) {
      if (!part.used || recording_.history->hasMember(checked(part.worker))) continue;
      memberOf(part.worker).path = part.path;
      recording_.history->joined(part.worker);
    }
  }

  void takeMember(const json& who) {
    ClassMember& member = memberOf(integerOf<int>(who.at("worker")));
    member.name = who.at("name").get<std::string>();
    member.path = who.at("path").get<std::string>();
    recording_.history->joined(member.worker);
  }

  void takeParts(std::vector<ClassOrder::Part> parts) {
    const auto at = static_cast<std::size_t>(recording_.history->updates());
    if (at >= steps_.size()) return;
    const bool synchronous = strategyInfo(recording_.config.strategy).synchronous;
    // Unless the class is in step, an update is a single push, whose worker is the step's. Nobody has met the worker of
    // a push that did not count: it may have no place among the replicas.
    if (std::ranges::none_of(parts, &ClassOrder::Part::used) || (!synchronous && parts.size() != 1))
      throw UserError(say::classOrderWrong);
    const std::optional<int> pusher = synchronous ? std::nullopt : std::optional(parts.front().worker);
    if (steps_[at].worker != pusher) throw UserError(say::classOrderWrong);
    meet(parts);
    update_ = {steps_[at], std::move(parts), {}};
    hasUpdate_ = true;
  }

  // Older files without times have how long each update and its computing took, but not when anything was sent. A movie
  // needs an order, and viewers are told that these are not real times.
  void placeInOrder() {
    const StepMetric& metric = update_.metric;
    update_.timesKnown = false;
    update_.times.appliedNs = std::min(kMostNs, appliedNs_ + metric.wallNs);
    for (const ClassOrder::Part& part : update_.parts) {
      ClassTimes::Part& times = update_.times.parts.emplace_back();
      if (!part.used) continue;
      times.pushedNs = update_.times.appliedNs;
      times.givenNs = std::max<std::int64_t>(0, times.pushedNs - metric.stepNs);
      const std::int64_t aroundNs = times.pushedNs - times.givenNs;
      times.computeNs = std::min(metric.computeNs, aroundNs);
      times.pushBeganNs = times.pushedNs - (aroundNs - times.computeNs) / 2;
    }
  }

  void takeTimes(ClassTimes times) {
    if (!hasUpdate_) return;
    check(times);
    if (times.parts.size() != update_.parts.size()) throw UserError(say::classOrderWrong);
    update_.times = std::move(times);
  }

  ClassRecording& recording_;
  const std::vector<StepMetric>& steps_;
  ClassUpdate update_;
  bool hasUpdate_ = false;
  std::int64_t appliedNs_ = 0;  // of the previous update
};

}  // namespace

std::shared_ptr<const ClassRecording> readClassRecording(const ResolvedSettings& config, const std::string& dataset,
                                                         const std::vector<StepMetric>& steps, bool hasEnded,
                                                         const std::vector<std::string>& lines) {
  auto recording = std::make_shared<ClassRecording>();
  recording->config = config;
  recording->dataset = dataset;
  recording->hasEnded = hasEnded;
  LessonReader reader(*recording, steps);
  try {
    reader.meetEverybody(lines);
    for (const std::string& line : lines) reader.take(line);
  } catch (const json::exception&) {
    throw UserError(say::classOrderWrong);
  }
  reader.flush();
  if (recording->history->updates() == 0) throw UserError(say::classStepsMissing);
  return recording;
}

std::int64_t mostClosuresOf(const ClassHistory& history) {
  return history.updates() + ClassLimits{}.workers;
}

}  // namespace lab::serving
