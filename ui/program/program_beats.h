// SPDX-License-Identifier: GPL-3.0-or-later
// Connects a program with the stage: which of its beats run at a moment of a step, at which moment a beat runs, and
// which objects a beat is about. Pure functions; one table serves both directions.
#pragma once

#include <QString>

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "core/strategy/program_lines.h"
#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/story.h"
#include "ui/step/object.h"

namespace lab {

class ProgramBeats {
 public:
  constexpr ProgramBeats() = default;
  constexpr ProgramBeats(std::initializer_list<ProgramBeat> beats) {
    for (const ProgramBeat beat : beats) bits_ |= bitOf(beat);
  }
  explicit ProgramBeats(const ProgramLine& line) {
    for (const ProgramBeat beat : line.beats) bits_ |= bitOf(beat);
  }

  constexpr bool has(ProgramBeat beat) const { return (bits_ & bitOf(beat)) != 0; }
  constexpr bool meets(ProgramBeats other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool none() const { return bits_ == 0; }
  constexpr ProgramBeats& operator|=(ProgramBeats other) {
    bits_ |= other.bits_;
    return *this;
  }
  bool operator==(const ProgramBeats&) const = default;

 private:
  static constexpr std::uint32_t bitOf(ProgramBeat beat) { return 1U << static_cast<unsigned>(beat); }
  std::uint32_t bits_ = 0;
};
inline constexpr int kProgramBeats = static_cast<int>(ProgramBeat::Stop) + 1;

// A line that runs a whole step, or lets others do so: it corresponds to no single beat.
constexpr bool isWholeStep(ProgramBeats beats) {
  return beats.has(ProgramBeat::Forward) && beats.has(ProgramBeat::Backward);
}

ProgramBeats beatsOf(BeatKind kind);  // what a beat of the movie shows
// The beats that run at a moment. For asynchronous workers, those of any worker.
ProgramBeats beatsAt(const RunInfo& info, const StepRecord& record, const Story& story, double seconds);
// The first moment of the step at which one of the beats runs.
std::optional<double> momentOf(ProgramBeats beats, const RunInfo& info, const StepRecord& record, const Story& story);
bool isBeforeSteps(ProgramBeats beats);                        // runs before the first step
bool isOfSteps(ProgramBeats beats);                            // a part of it runs in a step
ProgramBeats doneBy(const RunInfo& info, ProgramBeats beats);  // without beats that no step of this strategy has

ObjectKinds objectsOf(ProgramBeats beats);
// The beats that are about the object; for a message, the beats that send it.
ProgramBeats beatsOf(const Object& object, const StepRecord* record);

QString beatWords(ProgramBeat beat);    // "forward"
QString beatWords(ProgramBeats beats);  // "forward, backward"

}  // namespace lab
