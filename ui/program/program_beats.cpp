// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/program_beats.h"

#include <QStringList>

#include <algorithm>

#include "core/base/at.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/step_milestones.h"

namespace lab {
namespace {

using Is = ProgramBeat;
using Kind = Object::Kind;

// The kinds of objects on the stage that a beat is about.
ObjectKinds kindsOf(Is beat) {
  switch (beat) {
    case Is::Startup:
      return {Kind::Device, Kind::Host};
    case Is::Variables:
      return {Kind::Weights, Kind::VariableShard};
    case Is::Input:
      return {Kind::Pipeline};
    case Is::Batch:
      return {Kind::Digit, Kind::Pipeline};
    case Is::Distribute:
      return {Kind::Digit, Kind::Queue};
    case Is::Pull:
      return {Kind::Weights, Kind::Link, Kind::Transfer, Kind::VariableShard};
    case Is::Forward:
      return {Kind::Layer};
    case Is::Backward:
      return {Kind::Layer, Kind::Gradient};
    case Is::Aggregate:
      return {Kind::Gradient, Kind::Link, Kind::Transfer};
    case Is::Update:
    case Is::Check:
      return {Kind::Weights};
    case Is::Flow:
      return {Kind::Queue, Kind::Device, Kind::Link};
    case Is::Apply:
      return {Kind::Gradient, Kind::Transfer, Kind::Weights, Kind::VariableShard};
    case Is::Losses:
      return {Kind::Device, Kind::Loss};
    case Is::Epoch:
      return {Kind::EpochMean};
    case Is::Evaluate:
      return {Kind::Evaluation};
    case Is::Save:
    case Is::Stop:
      return {};
  }
  return {};
}

ProgramBeats sentBy(const Span& transfer) {
  if (transfer.label == labelOf(Label::PullWeights) || transfer.label == labelOf(Label::GatherWeights))
    return {Is::Pull};
  if (transfer.label == labelOf(Label::Broadcast)) return {Is::Variables};
  if (transfer.label == labelOf(Label::ExchangeSums)) return {Is::Forward, Is::Backward};
  return {Is::Aggregate, Is::Apply};
}

// What all workers do at this moment; each has its own pace.
ProgramBeats ofWorkers(const RunInfo& info, const StepRecord& record, std::int64_t ns) {
  ProgramBeats beats{Is::Flow};
  for (const Span& span : record.spans) {
    if (ns < span.startNs || ns >= span.startNs + span.durationNs) continue;
    if (span.kind == SpanKind::Input) beats |= {Is::Batch, Is::Distribute};
    if (span.kind == SpanKind::Update) beats |= {Is::Apply};
    if (span.kind == SpanKind::Compute)
      beats |= operationOf(span.label) > info.network->lossOperation() ? ProgramBeats{Is::Backward}
                                                                       : ProgramBeats{Is::Forward};
    if (span.kind == SpanKind::Transfer)  // a worker takes its next batch when it pulls weights
      beats |= span.label == labelOf(Label::PullWeights) ? ProgramBeats{Is::Pull, Is::Batch, Is::Distribute}
                                                         : ProgramBeats{Is::Apply};
  }
  return beats;
}

}  // namespace

ProgramBeats beatsOf(BeatKind kind) {
  switch (kind) {
    case BeatKind::Startup:
      return {Is::Startup, Is::Variables};
    case BeatKind::Input:
      return {Is::Input};
    case BeatKind::Batch:
      return {Is::Batch};
    case BeatKind::Distribute:
      return {Is::Distribute};
    case BeatKind::Pull:
    case BeatKind::Gather:
      return {Is::Pull};
    case BeatKind::Forward:
      return {Is::Forward};
    case BeatKind::Backward:
      return {Is::Backward};
    case BeatKind::Aggregate:
      return {Is::Aggregate};
    case BeatKind::Update:
      return {Is::Update};
    case BeatKind::Losses:
      return {Is::Losses};
    case BeatKind::Check:
      return {Is::Check};
    case BeatKind::Epoch:
      return {Is::Epoch, Is::Losses};
    case BeatKind::Evaluate:
      return {Is::Evaluate};
    case BeatKind::Flow:
      return {Is::Flow};
    case BeatKind::Apply:
      return {Is::Apply, Is::Aggregate, Is::Update, Is::Losses};
    case BeatKind::Aborted:  // the lines where the error is raised
      return {Is::Aggregate, Is::Flow};
  }
  return {};
}

ProgramBeats beatsAt(const RunInfo& info, const StepRecord& record, const Story& story, double seconds) {
  if (story.beats.empty()) return {};
  const Beat& beat = story.beats[story.beatAt(seconds)];
  // A start-up sequence runs while the step's clock stands still; afterwards the variables are made.
  if (beat.kind == BeatKind::Startup && hasStartupSequence(record))
    return story.clockAt(seconds) <= beat.beginNs ? ProgramBeats{Is::Startup} : ProgramBeats{Is::Variables};
  // A single replica has no beat that adds losses; its loss is known at the step's end.
  if (beat.kind == BeatKind::Check && story.find(BeatKind::Losses) == nullptr) return {Is::Check, Is::Losses};
  if (beat.kind == BeatKind::Flow) return ofWorkers(info, record, story.clockAt(seconds));
  return beatsOf(beat.kind);
}

std::optional<double> momentOf(ProgramBeats beats, const RunInfo& info, const StepRecord& record, const Story& story) {
  for (const Beat& beat : story.beats) {
    if (beatsAt(info, record, story, beat.beginS).meets(beats)) return beat.beginS;
    for (const Story::Knot& knot : story.clock) {
      if (knot.seconds <= beat.beginS || knot.seconds >= beat.endS) continue;
      if (beatsAt(info, record, story, knot.seconds).meets(beats)) return knot.seconds;
    }
  }
  return {};
}

bool isBeforeSteps(ProgramBeats beats) {
  return beats.meets({Is::Startup, Is::Variables});
}

bool isOfSteps(ProgramBeats beats) {
  return beats.meets({Is::Batch, Is::Distribute, Is::Pull, Is::Forward, Is::Backward, Is::Aggregate, Is::Update,
                      Is::Check, Is::Flow, Is::Apply, Is::Losses, Is::Input, Is::Epoch, Is::Evaluate});
}

ProgramBeats doneBy(const RunInfo& info, ProgramBeats beats) {
  const bool synchronous = strategyInfo(info.config.strategy).synchronous;
  ProgramBeats never;
  if (synchronous)
    never |= {Is::Flow, Is::Apply};
  else
    never |= {Is::Aggregate, Is::Update, Is::Check};
  if (info.parameterDevices == 0) never |= {Is::Pull};
  if (info.replicas == 1) never |= {Is::Aggregate, Is::Losses};
  ProgramBeats done;
  for (int i = 0; i < kProgramBeats; ++i)
    if (const auto beat = static_cast<Is>(i); beats.has(beat) && !never.has(beat)) done |= {beat};
  return done;
}

ObjectKinds objectsOf(ProgramBeats beats) {
  ObjectKinds kinds;
  for (int i = 0; i < kProgramBeats; ++i)
    if (beats.has(static_cast<Is>(i))) kinds |= kindsOf(static_cast<Is>(i));
  return kinds;
}

ProgramBeats beatsOf(const Object& object, const StepRecord* record) {
  if (!object) return {};
  if (object.kind == Kind::Transfer && record != nullptr && object.index >= 0 &&
      object.index < std::ssize(record->spans))
    return sentBy(at(record->spans, object.index));
  ProgramBeats beats;
  for (int i = 0; i < kProgramBeats; ++i)
    if (kindsOf(static_cast<Is>(i)).has(object.kind)) beats |= {static_cast<Is>(i)};
  return beats;
}

QString beatWords(ProgramBeat beat) {
  switch (beat) {
    case Is::Startup:
      return beatName(BeatKind::Startup);
    case Is::Variables:
      return tr("variables");
    case Is::Input:
      return beatName(BeatKind::Input);
    case Is::Batch:
      return tr("input pipeline");
    case Is::Distribute:
      return beatName(BeatKind::Distribute);
    case Is::Pull:
      return beatName(BeatKind::Pull);
    case Is::Forward:
      return beatName(BeatKind::Forward);
    case Is::Backward:
      return beatName(BeatKind::Backward);
    case Is::Aggregate:
      return beatName(BeatKind::Aggregate);
    case Is::Update:
      return beatName(BeatKind::Update);
    case Is::Check:
      return beatName(BeatKind::Check);
    case Is::Flow:
      return beatName(BeatKind::Flow);
    case Is::Apply:
      return beatName(BeatKind::Apply);
    case Is::Losses:
      return tr("losses");
    case Is::Epoch:
      return beatName(BeatKind::Epoch);
    case Is::Evaluate:
      return tr("evaluation");
    case Is::Save:
      return tr("saving");
    case Is::Stop:
      return tr("the end");
  }
  return {};
}

QString beatWords(ProgramBeats beats) {
  QStringList words;
  for (int i = 0; i < kProgramBeats; ++i)
    if (beats.has(static_cast<Is>(i))) words << beatWords(static_cast<Is>(i));
  return words.join(QStringLiteral(", "));
}

}  // namespace lab
