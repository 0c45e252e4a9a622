// SPDX-License-Identifier: GPL-3.0-or-later
// The playback clock over a run that trains when the test says so; time is advanced by hand. Every act in every mode,
// back and forth, what is waited for, and that nothing resumes by itself.
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "tests/ui/record_double.h"
#include "ui/playback/playback.h"

using namespace lab;
using lab::test::RecordDouble;
using Mode = Playback::Mode;
using Unit = Playback::Unit;

namespace {

constexpr double kFrame = 0.016;
constexpr double kStoryS = 8, kPlayS = 4;  // of shortStory
constexpr Mode kModes[] = {Mode::Story, Mode::Play, Mode::Live, Mode::Fast, Mode::Express};
constexpr Unit kUnits[] = {Unit::Message, Unit::Phase, Unit::Step, Unit::Epoch};

// Paused at the beginning of step 1 unless `steps` says that more have been trained already.
struct Fixture {
  RecordDouble run;
  Playback playback{run, nullptr, test::shortStory};

  explicit Fixture(std::int64_t steps = 1) {
    run.train();
    for (std::int64_t step = 2; step <= steps; ++step) {
      run.live = step;
      run.arrive(step);
    }
    run.trainedFor.clear();
    playback.advance(0);
  }
  // In frames, with the run served after each. True if something was still to come at the end.
  void pass(double seconds, bool serve = true) {
    for (; seconds > 1e-9; seconds -= kFrame) {
      playback.advance(std::min(seconds, kFrame));
      if (serve) run.serve();
    }
  }
  void settle() {
    for (int i = 0; i < 200 && playback.isMoving(); ++i) pass(kFrame);
  }
  // Jumps there, recomputing what is needed.
  void go(std::int64_t step, double seconds) {
    playback.seek(step, seconds);
    run.recompute();
    playback.advance(0);
  }
  bool at(std::int64_t step, double seconds) const {
    if (playback.step() == step && std::abs(playback.seconds() - seconds) < 1e-6) return true;
    qWarning("at step %lld, %g s", static_cast<long long>(playback.step()), playback.seconds());
    return false;
  }
};

}  // namespace

class TestPlayback : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // ---- the clock of a story

  void storyTime() {
    StepRecord record;
    record.metric.step = 3;
    record.beginNs = 5000;
    const Story story = test::shortStory({}, record, Pace::Story);
    QCOMPARE(story.clockAt(-1), 5000);
    QCOMPARE(story.clockAt(0), 5000);
    QCOMPARE(story.clockAt(1), 5000);     // held
    QCOMPARE(story.clockAt(1.25), 5025);  // moves
    QCOMPARE(story.clockAt(2), 5100);
    QCOMPARE(story.clockAt(2.5), 5100);  // held
    QCOMPARE(story.clockAt(7.5), 5350);
    QCOMPARE(story.clockAt(8), 5400);
    QCOMPARE(story.clockAt(99), 5400);
    QCOMPARE(story.beatAt(-1), std::size_t{0});
    QCOMPARE(story.beatAt(1.999), std::size_t{0});
    QCOMPARE(story.beatAt(2), std::size_t{1});
    QCOMPARE(story.beatAt(8), std::size_t{3});
    QCOMPARE(story.secondsAt(0), 0.0);
    QCOMPARE(story.secondsAt(5000), 0.0);
    QCOMPARE(story.secondsAt(5025), 1.25);
    QCOMPARE(story.secondsAt(5100), 2.0);  // the first moment that shows it
    QCOMPARE(story.secondsAt(5350), 7.5);
    QCOMPARE(story.secondsAt(5400), 8.0);
    QCOMPARE(story.secondsAt(9999), 8.0);
    for (std::int64_t ns = 5000; ns <= 5400; ++ns) QCOMPARE(story.clockAt(story.secondsAt(ns)), ns);
    QCOMPARE(Story().clockAt(1), 0);
    QCOMPARE(Story().secondsAt(1), 0.0);
  }

  // ---- beginning

  void beginsPausedWithItsFirstStep() {
    RecordDouble run;
    run.known = false;
    Playback playback(run, nullptr, test::shortStory);
    QVERIFY(!playback.record());
    QVERIFY(playback.story().beats.empty());
    QCOMPARE(run.target, 0);
    run.known = true;
    Q_EMIT run.updated();
    QCOMPARE(run.target, 1);
    QSignalSpy changed(&playback, &Playback::changed);
    run.train();
    playback.advance(kFrame);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(playback.step(), 1);
    QCOMPARE(playback.seconds(), 0.0);
    QVERIFY(!playback.isMoving() && !playback.isPlaying() && !run.running);
    playback.advance(10);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(run.live, 1);
  }

  void resumedRunBeginsWithItsFirstStep() {
    RecordDouble run;
    run.facts.firstStep = 8;
    run.live = 7;
    const Playback playback(run, nullptr, test::shortStory);
    QCOMPARE(run.target, 8);
    run.train();
    QCOMPARE(playback.step(), 8);
  }

  // ---- Story and Play

  void movieWaitsForNothingThatIsAskedForInTime() {
    Fixture fixture;
    fixture.playback.play();
    QVERIFY(!fixture.run.running);  // training waits for the movie
    fixture.pass(kStoryS - 1.1);
    QVERIFY(fixture.run.trainedFor.empty());
    fixture.pass(0.2);
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2}));  // a second ahead
    fixture.pass(0.9 + 0.5);
    QVERIFY(fixture.at(2, 0.5));
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2}));
    QCOMPARE(fixture.playback.sampledEvery(), 1);
    QVERIFY(fixture.playback.isPlaying());
  }

  void movieStandsStillWhileARecordIsLate() {
    Fixture fixture;
    fixture.playback.play();
    fixture.pass(kStoryS + 3, false);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(fixture.playback.isPlaying() && fixture.playback.isMoving());
    QVERIFY(!fixture.playback.isRecomputing() && !fixture.playback.isTraining());
    QSignalSpy changed(&fixture.playback, &Playback::changed);
    fixture.pass(1, false);
    QCOMPARE(changed.count(), 0);
    fixture.run.train();
    QVERIFY(fixture.at(2, 0));  // and the time that was waited is not made up for
    fixture.pass(0.5);
    QVERIFY(fixture.at(2, 0.5));
  }

  void pauseWhileARecordIsLateStaysThere() {
    Fixture fixture;
    fixture.playback.play();
    fixture.pass(kStoryS + 1, false);
    fixture.playback.pause();
    fixture.run.arrive(2);  // it was under way
    fixture.pass(3);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(!fixture.playback.isMoving());
    fixture.playback.play();
    fixture.pass(1);
    QCOMPARE(fixture.playback.step(), 2);
  }

  void movieEndsWithTheRun() {
    for (const Mode mode : {Mode::Story, Mode::Play}) {
      Fixture fixture;
      fixture.playback.setMode(mode);
      fixture.run.facts.totalSteps = 3;
      fixture.playback.play();
      QSignalSpy acted(&fixture.playback, &Playback::acted);
      fixture.pass(3 * (mode == Mode::Story ? kStoryS : kPlayS) + 1);
      QVERIFY(fixture.at(3, mode == Mode::Story ? kStoryS : kPlayS));
      QVERIFY(!fixture.playback.isPlaying() && !fixture.playback.isMoving());
      QCOMPARE(acted.count(), 1);
      fixture.playback.play();  // there is nothing more
      QVERIFY(!fixture.playback.isPlaying());
      fixture.playback.home();
      fixture.playback.play();
      fixture.pass(1);
      QVERIFY(fixture.at(1, 1));
    }
  }

  void runThatEndsEarlyEndsTheMovie() {
    Fixture fixture;
    fixture.playback.play();
    fixture.pass(kStoryS - 0.5, false);
    fixture.run.over = true;  // failed, or stopped, in the step that was asked for
    Q_EMIT fixture.run.updated();
    fixture.pass(1, false);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(!fixture.playback.isPlaying() && !fixture.playback.isMoving());

    Fixture late;
    late.playback.play();
    late.pass(kStoryS + 1, false);
    late.run.over = true;
    Q_EMIT late.run.updated();
    QVERIFY(!late.playback.isPlaying() && !late.playback.isMoving());
    QVERIFY(late.at(1, kStoryS));
  }

  void fastPlaySamples() {
    Fixture fixture;
    fixture.run.facts.totalSteps = 1000;
    fixture.playback.setMode(Mode::Play);
    fixture.playback.setSpeed(12);  // a third of a second a step: the limit
    fixture.playback.play();
    fixture.pass(1.1);
    QCOMPARE(fixture.playback.sampledEvery(), 1);
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2, 3, 4, 5}));
    fixture.playback.setSpeed(16);
    fixture.pass(3);
    QCOMPARE(fixture.playback.sampledEvery(), 2);
    QVERIFY(fixture.run.live >= 4 + 3 * 4 && fixture.run.live <= 4 + 3 * 4 + 4);  // four a second, two of them shown
    const auto& asked = fixture.run.trainedFor;
    QCOMPARE(asked.back() - asked[asked.size() - 2], 2);
    fixture.playback.setSpeed(1);
    fixture.pass(9);
    QCOMPARE(fixture.playback.sampledEvery(), 1);
  }

  void speedMultipliesAndIsBounded() {
    Fixture fixture;
    QSignalSpy acted(&fixture.playback, &Playback::acted);
    fixture.playback.setSpeed(0.25);
    fixture.playback.setSpeed(0.25);
    QCOMPARE(acted.count(), 1);
    fixture.playback.play();
    fixture.pass(2);
    QVERIFY(fixture.at(1, 0.5));
    fixture.playback.setSpeed(1000);
    QCOMPARE(fixture.playback.speed(), 16.0);
    fixture.playback.setSpeed(0);
    QCOMPARE(fixture.playback.speed(), 0.05);
  }

  void movieGoesThroughOldStepsWithoutTraining() {
    Fixture fixture(10);
    fixture.run.kept.erase(4);
    fixture.go(3, 0);
    fixture.playback.play();
    fixture.pass(3 * kStoryS - 2);
    QCOMPARE(fixture.playback.step(), 5);
    QVERIFY(fixture.run.trainedFor.empty());
    QCOMPARE(fixture.run.live, 10);
  }

  // ---- Live, Fast, Express

  void liveShowsEveryKth() {
    Fixture fixture;
    fixture.playback.setMode(Mode::Live);
    QVERIFY(!fixture.run.running);
    fixture.playback.play();
    QVERIFY(fixture.run.running);
    // Four movie seconds in two, and the next record is asked for half a second before they are over.
    fixture.pass(1.4);
    QVERIFY(!fixture.run.liveAsked);
    fixture.run.run(6);
    fixture.pass(0.2);
    QVERIFY(fixture.run.liveAsked);
    fixture.run.run(3);  // the first of these is recorded: 8
    fixture.pass(0.9);
    QVERIFY(fixture.at(8, 1));
    QCOMPARE(fixture.playback.sampledEvery(), 7);
    QVERIFY(fixture.run.running);
    QVERIFY(fixture.run.trainedFor.empty());

    // Nothing new: the movie stands at the end until there is.
    fixture.pass(5);
    QVERIFY(fixture.at(8, kPlayS));
    fixture.run.run(1);
    fixture.pass(0.5);
    QVERIFY(fixture.at(11, 1));
    QCOMPARE(fixture.playback.sampledEvery(), 3);

    // Space stops both, and lets both go on.
    fixture.playback.toggle();
    QVERIFY(!fixture.run.running && !fixture.playback.isPlaying());
    const double before = fixture.playback.seconds();
    fixture.pass(3);
    QVERIFY(fixture.at(11, before));
    fixture.playback.toggle();
    QVERIFY(fixture.run.running && fixture.playback.isPlaying());

    // The run ends: its last step is shown, recomputed if need be, and that is the end.
    fixture.run.run(100);
    fixture.run.kept.erase(20);
    fixture.pass(10);
    QVERIFY(fixture.at(20, kPlayS));
    QVERIFY(!fixture.playback.isPlaying());
  }

  void fastShowsFreshEndsFourTimesASecond() {
    Fixture fixture;
    fixture.run.facts.totalSteps = 100'000;
    fixture.playback.setMode(Mode::Fast);
    fixture.playback.play();
    QSignalSpy changed(&fixture.playback, &Playback::changed);
    for (int frame = 0; frame < 125; ++frame) {  // two seconds
      fixture.run.run(5);
      fixture.pass(kFrame);
      if (fixture.playback.step() > 1) QCOMPARE(fixture.playback.seconds(), kPlayS);
    }
    QVERIFY2(changed.count() >= 6 && changed.count() <= 9, qPrintable(QString::number(changed.count())));
    QVERIFY(fixture.playback.step() > fixture.run.live - 5 * 40);
    QCOMPARE(fixture.playback.sampledEvery(), 1);
    fixture.run.facts.totalSteps = fixture.run.live + 3;
    fixture.run.run(5);
    fixture.pass(1);
    QVERIFY(fixture.at(fixture.run.live, kPlayS));
    QVERIFY(!fixture.playback.isPlaying());
  }

  void expressLeavesTheStageAlone() {
    Fixture fixture;
    fixture.playback.setMode(Mode::Express);
    QVERIFY(!fixture.run.spans);
    fixture.playback.advance(0);
    fixture.playback.play();
    QVERIFY(fixture.run.running);
    QSignalSpy changed(&fixture.playback, &Playback::changed);
    fixture.run.run(10);
    fixture.pass(2);
    QVERIFY(fixture.at(1, 0));
    QCOMPARE(changed.count(), 0);
    QVERIFY(!fixture.run.liveAsked);
    fixture.playback.setMode(Mode::Story);
    QVERIFY(fixture.run.spans && !fixture.run.running && fixture.playback.isPlaying());
    fixture.playback.setMode(Mode::Express);
    QVERIFY(fixture.run.running);
    fixture.run.run(100);
    QVERIFY(!fixture.playback.isPlaying());
    fixture.playback.play();
    QVERIFY(!fixture.playback.isPlaying());
  }

  void changeOfPaceKeepsThePicture() {
    Fixture fixture;
    fixture.go(1, 3.5);  // half into the motion of the second beat
    const std::int64_t clock = fixture.playback.story().clockAt(fixture.playback.seconds());
    fixture.playback.setMode(Mode::Play);
    QVERIFY(fixture.at(1, 1.5));
    QCOMPARE(fixture.playback.story().clockAt(fixture.playback.seconds()), clock);
    fixture.playback.setMode(Mode::Live);
    QVERIFY(fixture.at(1, 1.5));
    fixture.playback.setMode(Mode::Story);
    QVERIFY(fixture.at(1, 3.5));
    fixture.go(1, 2.5);  // in the hold before that motion
    fixture.playback.setMode(Mode::Fast);
    QVERIFY(fixture.at(1, 1));
  }

  // ---- single steps

  void phasesAndMessages() {
    Fixture fixture;
    const auto forward = [&](Unit unit) {
      fixture.playback.stepForward(unit);
      fixture.settle();
    };
    for (const double expected : {2.0, 4.0, 6.0}) {
      forward(Unit::Phase);
      QVERIFY(fixture.at(1, expected));
    }
    QCOMPARE(fixture.run.live, 1);
    forward(Unit::Phase);
    QVERIFY(fixture.at(2, 0));
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2}));
    for (const double expected : {2.0, 4.0, 5.25, 5.5, 6.0}) {  // the last message arrives where the beat ends
      forward(Unit::Message);
      QVERIFY(fixture.at(2, expected));
    }
    forward(Unit::Message);
    QVERIFY(fixture.at(3, 0));
    fixture.go(3, 5);
    forward(Unit::Step);
    QVERIFY(fixture.at(4, 0));
    forward(Unit::Epoch);
    QVERIFY(fixture.at(9, 0));
    QCOMPARE(fixture.run.trainedFor.back(), 9);
    QVERIFY(!fixture.playback.isPlaying() && !fixture.run.running);
  }

  void forwardAndBackIsWhereItWas() {
    for (const Mode mode : kModes) {
      for (const Unit unit : kUnits) {
        Fixture fixture(8);
        fixture.playback.setMode(mode);
        fixture.go(unit == Unit::Epoch ? 6 : 7, 0);
        std::vector<std::pair<std::int64_t, double>> passed;
        const std::size_t times = unit == Unit::Message ? 14 : unit == Unit::Phase ? 9 : 2;
        for (std::size_t i = 0; i < times; ++i) {
          passed.emplace_back(fixture.playback.step(), fixture.playback.seconds());
          fixture.playback.stepForward(unit);
          fixture.settle();
        }
        QVERIFY(fixture.playback.step() > 7);
        while (!passed.empty()) {
          fixture.run.kept.clear();  // all of it recomputed
          fixture.playback.stepBack(unit);
          fixture.settle();
          QVERIFY(fixture.at(passed.back().first, passed.back().second));
          passed.pop_back();
        }
      }
    }
  }

  void stepsAreAnimatedWithinASecond() {
    Fixture fixture(3);
    fixture.go(2, 0);
    // Time-compressed: two movie seconds in one.
    fixture.playback.stepForward(Unit::Phase);
    QVERIFY(fixture.at(2, 0));
    QVERIFY(fixture.playback.isMoving() && !fixture.playback.isPlaying());
    fixture.pass(0.5);
    QVERIFY(fixture.at(2, 1));
    fixture.pass(0.52);
    QVERIFY(fixture.at(2, 2));
    QVERIFY(!fixture.playback.isMoving());
    // Backwards, over the step's beginning: from the end of the step before.
    fixture.go(2, 0);
    fixture.playback.stepBack(Unit::Phase);
    QVERIFY(fixture.at(1, kStoryS));
    fixture.pass(0.5);
    QVERIFY(fixture.at(1, 7));
    fixture.settle();
    QVERIFY(fixture.at(1, 6));
    // A short way takes its own time.
    fixture.go(2, 5.25);
    fixture.playback.stepForward(Unit::Message);
    fixture.pass(0.26);
    QVERIFY(!fixture.playback.isMoving());
    QVERIFY(fixture.at(2, 5.5));
  }

  void reducedMotionStepsAtOnce() {
    Fixture fixture(3);
    fixture.playback.setReducedMotion(true);
    fixture.playback.stepForward(Unit::Phase);
    QVERIFY(fixture.at(1, 2));
    fixture.playback.stepForward(Unit::Step);
    QVERIFY(fixture.at(2, 0));
    fixture.playback.stepBack(Unit::Phase);
    QVERIFY(fixture.at(1, 6));
    QVERIFY(!fixture.playback.isMoving());
  }

  void nextActCompletesTheAnimation() {
    Fixture fixture(3);
    fixture.playback.stepForward(Unit::Phase);
    fixture.pass(0.1);
    fixture.playback.stepForward(Unit::Phase);
    QVERIFY(fixture.at(1, 2));
    fixture.settle();
    QVERIFY(fixture.at(1, 4));
    fixture.playback.stepForward(Unit::Step);
    fixture.pass(0.1);
    fixture.playback.stepBack(Unit::Phase);  // from the beginning of 2
    QVERIFY(fixture.at(1, kStoryS));
    fixture.settle();
    QVERIFY(fixture.at(1, 6));
    fixture.playback.stepForward(Unit::Phase);
    fixture.pass(0.1);
    fixture.playback.play();
    QVERIFY(fixture.at(2, 0));
    fixture.pass(1);
    QVERIFY(fixture.at(2, 1));
  }

  void stepsWaitForTraining() {
    Fixture fixture;
    fixture.playback.stepForward(Unit::Step);
    fixture.playback.stepForward(Unit::Step);  // the record of step 2 is not there: it waits
    fixture.playback.stepForward(Unit::Step);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(fixture.playback.isTraining());
    QCOMPARE(fixture.run.target, 2);
    fixture.settle();
    QVERIFY(fixture.at(4, 0));
    QCOMPARE(fixture.run.live, 4);
    // A key that is held does not pile up.
    for (int i = 0; i < 50; ++i) fixture.playback.stepForward(Unit::Step);
    fixture.settle();
    QVERIFY(fixture.playback.step() <= 9);
  }

  void waitingForTrainingCanBeGivenUp() {
    Fixture fixture;
    fixture.playback.stepForward(Unit::Epoch);
    fixture.pass(2, false);
    QVERIFY(fixture.playback.isTraining());
    QVERIFY(fixture.at(1, kStoryS));
    fixture.playback.toggle();
    QVERIFY(!fixture.playback.isMoving() && !fixture.playback.isPlaying());
    QCOMPARE(fixture.run.target, 0);
    fixture.playback.stepForward(Unit::Epoch);
    fixture.playback.seek(1, 2);
    QCOMPARE(fixture.run.target, 0);
    QVERIFY(fixture.at(1, 2));
  }

  void lastAndFirstStep() {
    Fixture fixture(20);
    fixture.run.over = true;
    for (const Unit unit : kUnits) {
      fixture.go(20, 6.5);
      fixture.playback.stepForward(unit);
      fixture.settle();
      QVERIFY(fixture.at(20, kStoryS));
      fixture.playback.stepForward(unit);
      fixture.settle();
      QVERIFY(fixture.at(20, kStoryS));
      fixture.go(1, 1.5);
      fixture.playback.stepBack(unit);
      fixture.settle();
      QVERIFY(fixture.at(1, 0));
      fixture.playback.stepBack(unit);
      fixture.settle();
      QVERIFY(fixture.at(1, 0));
    }
    fixture.go(17, 0);
    fixture.playback.stepForward(Unit::Epoch);
    fixture.settle();
    QVERIFY(fixture.at(20, kStoryS));
    QVERIFY(fixture.run.trainedFor.empty());
  }

  // ---- nothing resumes by itself

  void actingWhilePausedNeverResumes() {
    for (const Mode mode : kModes) {
      Fixture fixture(8);
      fixture.playback.setMode(mode);
      const auto quiet = [&] {
        fixture.settle();
        const auto step = fixture.playback.step();
        const double seconds = fixture.playback.seconds();
        const auto live = fixture.run.live;
        fixture.pass(2);
        return !fixture.playback.isPlaying() && !fixture.playback.isMoving() && !fixture.run.running &&
               fixture.run.live == live && fixture.at(step, seconds);
      };
      for (const Unit unit : kUnits) {
        fixture.playback.stepForward(unit);
        QVERIFY(quiet());
        fixture.playback.stepBack(unit);
        QVERIFY(quiet());
      }
      fixture.playback.seek(3, 1);
      QVERIFY(quiet());
      fixture.playback.end();
      QVERIFY(quiet());
      fixture.playback.home();
      QVERIFY(quiet());
      fixture.playback.setSpeed(4);
      QVERIFY(quiet());
      fixture.playback.setUnit(Unit::Step);
      QVERIFY(quiet());
      for (const Mode other : kModes) {
        fixture.playback.setMode(other);
        QVERIFY(quiet());
      }
      fixture.playback.pause();
      QVERIFY(quiet());
    }
  }

  void aSingleStepWhilePlayingPauses() {
    for (const Mode mode : kModes) {
      Fixture fixture(3);
      fixture.playback.setMode(mode);
      fixture.go(2, 0);
      fixture.playback.play();
      fixture.pass(0.1);
      fixture.playback.stepForward(Unit::Phase);
      QVERIFY(!fixture.playback.isPlaying() && !fixture.run.running);
      fixture.settle();
      QVERIFY(!fixture.playback.isMoving());
    }
  }

  void pauseAndPlayInEveryMode() {
    for (const Mode mode : kModes) {
      Fixture fixture;
      fixture.playback.setMode(mode);
      QSignalSpy acted(&fixture.playback, &Playback::acted);
      const bool free = mode == Mode::Live || mode == Mode::Fast || mode == Mode::Express;
      fixture.playback.play();
      QCOMPARE(fixture.run.running, free);
      fixture.pass(0.5);
      fixture.playback.pause();
      QVERIFY(!fixture.run.running && !fixture.playback.isPlaying() && !fixture.playback.isMoving());
      QCOMPARE(acted.count(), 2);
      fixture.playback.pause();
      QCOMPARE(acted.count(), 2);
      fixture.playback.toggle();
      QVERIFY(fixture.playback.isPlaying());
      QCOMPARE(fixture.run.running, free);
    }
  }

  // ---- scrubbing

  void scrubbingIsAtOnceAndOnlyTheLatestCounts() {
    Fixture fixture(9);
    fixture.playback.seek(8, 3);
    QVERIFY(fixture.at(8, 3));
    fixture.playback.seek(8, -5);
    QVERIFY(fixture.at(8, 0));
    fixture.playback.seek(8, 500);
    QVERIFY(fixture.at(8, kStoryS));
    fixture.playback.seek(500, 1);
    QVERIFY(fixture.at(9, 1));
    fixture.run.kept.erase(2);
    fixture.run.kept.erase(3);
    fixture.playback.seek(2, 1);
    QVERIFY(fixture.playback.isRecomputing());
    QVERIFY(fixture.at(9, 1));  // the picture stays
    fixture.playback.seek(3, 2);
    QCOMPARE(*fixture.run.recomputed, 3);
    fixture.run.arrive(2);  // too late to be of interest
    QVERIFY(fixture.at(9, 1));
    QVERIFY(fixture.playback.isRecomputing());
    fixture.run.recompute();
    QVERIFY(fixture.at(3, 2));
    QVERIFY(!fixture.playback.isRecomputing() && !fixture.playback.isMoving());
    fixture.run.kept.erase(2);
    fixture.playback.seek(2, 1);
    fixture.playback.seek(5, 1);
    fixture.run.recompute();
    QVERIFY(fixture.at(5, 1));
    fixture.playback.home();
    QVERIFY(fixture.at(1, 0));
    fixture.playback.end();
    QVERIFY(fixture.at(9, kStoryS));
    QVERIFY(fixture.run.trainedFor.empty());
  }

  void endInLiveIsTheNewestRecord() {
    Fixture fixture(5);
    fixture.playback.setMode(Mode::Live);
    fixture.playback.play();
    fixture.run.run(7);
    fixture.playback.end();
    QVERIFY(fixture.at(5, kPlayS));
    fixture.playback.pause();
    fixture.playback.end();
    QVERIFY(fixture.playback.isRecomputing());
    fixture.run.recompute();
    QVERIFY(fixture.at(12, kPlayS));
  }

  void failedRecomputingIsGivenUp() {
    Fixture fixture(9);
    fixture.run.kept.erase(2);
    fixture.go(9, 1);
    fixture.playback.seek(2, 1);
    fixture.run.failRecompute();
    QVERIFY(!fixture.playback.isMoving() && !fixture.playback.isRecomputing());
    QVERIFY(fixture.at(9, 1));
    fixture.go(1, 7);
    fixture.playback.play();
    fixture.pass(1.5, false);
    QVERIFY(fixture.playback.isRecomputing());
    fixture.run.failRecompute();
    QVERIFY(!fixture.playback.isPlaying());
    QVERIFY(fixture.at(1, kStoryS));
  }

  // ---- another run

  void restartWhilePausedIsPausedAtItsFirstStep() {
    Fixture fixture(5);
    fixture.playback.stepForward(Unit::Phase);
    fixture.run.restart();
    QVERIFY(!fixture.playback.record() && fixture.playback.story().beats.empty());
    QCOMPARE(fixture.run.target, 1);
    fixture.pass(3);
    QVERIFY(fixture.at(1, 0));
    QVERIFY(!fixture.playback.isMoving());
  }

  void restartWhilePlayingPlaysOn() {
    for (const Mode mode : kModes) {
      Fixture fixture(5);
      fixture.playback.setMode(mode);
      fixture.playback.play();
      fixture.pass(0.3);
      fixture.run.restart();
      QVERIFY(fixture.playback.isPlaying());
      QVERIFY(!fixture.playback.record());
      fixture.run.run(3);
      fixture.pass(0.5);
      QVERIFY(fixture.playback.isPlaying());
      QCOMPARE(fixture.playback.step(), 1);
      if (mode != Mode::Fast && mode != Mode::Express) QVERIFY(fixture.playback.seconds() > 0.4);
    }
  }

  void restartThatFailsStopsPlaying() {
    Fixture fixture(5);
    fixture.playback.play();
    fixture.run.known = false;
    fixture.run.restart();
    fixture.run.over = true;
    Q_EMIT fixture.run.updated();
    QVERIFY(!fixture.playback.isPlaying() && !fixture.playback.isMoving());
    for (const Unit unit : kUnits) {
      fixture.playback.stepForward(unit);
      fixture.playback.stepBack(unit);
    }
    fixture.playback.home();
    fixture.playback.end();
    fixture.playback.play();
    fixture.pass(1);
    QVERIFY(!fixture.playback.isPlaying() && !fixture.playback.isMoving());
  }

  // ---- its own timer

  void timerRunsWhileSomethingMovesAndNoLonger() {
    Fixture fixture;
    const auto* timer = fixture.playback.findChild<QTimer*>();
    QVERIFY(timer && !timer->isActive());
    QSignalSpy changed(&fixture.playback, &Playback::changed);
    fixture.playback.seek(1, 1);
    fixture.playback.seek(1, 2);
    QVERIFY(timer->isActive());
    QCOMPARE(changed.count(), 0);
    QTRY_COMPARE(changed.count(), 1);  // both acts in one frame
    QVERIFY(!timer->isActive());
    fixture.playback.stepForward(Unit::Message);
    QTRY_VERIFY(!fixture.playback.isMoving());
    QVERIFY(fixture.at(1, 4));
    QVERIFY(!timer->isActive());
    fixture.playback.play();
    QVERIFY(timer->isActive());
    QTRY_VERIFY(fixture.playback.seconds() > 4);
    fixture.playback.pause();
    QTRY_VERIFY(!timer->isActive());
  }
};

QTEST_GUILESS_MAIN(TestPlayback)
#include "tst_playback.moc"
