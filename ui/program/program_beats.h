// SPDX-License-Identifier: GPL-3.0-or-later
// What joins a program to the stage: which of its beats are being done at a moment of a step, at which moment a beat
// is done, and which objects a beat is about. Pure functions; one table serves both directions.
#pragma once

#include <QString>

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "core/strategy/program_lines.h"
#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/story.h"
#include "ui/scene/object.h"

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

// A line that does a whole step, or has others do it: it says nothing of a single beat.
constexpr bool isWholeStep(ProgramBeats beats) {
  return beats.has(ProgramBeat::Forward) && beats.has(ProgramBeat::Backward);
}

ProgramBeats beatsOf(BeatKind kind);  // what a beat of the movie shows
// What is being done at a moment. Of asynchronous workers, what any of them does.
ProgramBeats beatsAt(const RunInfo& info, const StepRecord& record, const Story& story, double seconds);
// The first moment of the step that does one of them.
std::optional<double> momentOf(ProgramBeats beats, const RunInfo& info, const StepRecord& record, const Story& story);
bool isBeforeSteps(ProgramBeats beats);                        // it is done before the first step
bool isOfSteps(ProgramBeats beats);                            // some of it is done in a step
ProgramBeats doneBy(const RunInfo& info, ProgramBeats beats);  // without those that no step of this strategy has

ObjectKinds objectsOf(ProgramBeats beats);
// The beats that are about the object; of a message, those that send it.
ProgramBeats beatsOf(const Object& object, const StepRecord* record);

QString beatWords(ProgramBeat beat);    // "forward"
QString beatWords(ProgramBeats beats);  // "forward, backward"

}  // namespace lab
