// SPDX-License-Identifier: GPL-3.0-or-later
// Single steps and scrubbing on the playback clock: forward and backward, animated, and without resuming playback.
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/playback_fixture.h"

using namespace lab;
using namespace lab::test;

class TestPlaybackActs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void phasesAndTransfers() {
    PlaybackFixture fixture;
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
      forward(Unit::Transfer);
      QVERIFY(fixture.at(2, expected));
    }
    forward(Unit::Transfer);
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
        PlaybackFixture fixture(8);
        fixture.playback.setMode(mode);
        fixture.go(unit == Unit::Epoch ? 6 : 7, 0);
        std::vector<std::pair<std::int64_t, double>> passed;
        const std::size_t times = unit == Unit::Transfer ? 14 : unit == Unit::Phase ? 9 : 2;
        for (std::size_t i = 0; i < times; ++i) {
          passed.emplace_back(fixture.playback.step(), fixture.playback.seconds());
          fixture.playback.stepForward(unit);
          fixture.settle();
        }
        QVERIFY(fixture.playback.step() > 7);
        while (!passed.empty()) {
          fixture.run.kept.clear();  // every step has to be recomputed
          fixture.playback.stepBack(unit);
          fixture.settle();
          QVERIFY(fixture.at(passed.back().first, passed.back().second));
          passed.pop_back();
        }
      }
    }
  }

  void stepsAreAnimatedWithinASecond() {
    PlaybackFixture fixture(3);
    fixture.go(2, 0);
    // A long way is compressed: two movie seconds take one.
    fixture.playback.stepForward(Unit::Phase);
    QVERIFY(fixture.at(2, 0));
    QVERIFY(fixture.playback.isMoving() && !fixture.playback.isPlaying());
    fixture.pass(0.5);
    QVERIFY(fixture.at(2, 1));
    fixture.pass(0.52);
    QVERIFY(fixture.at(2, 2));
    QVERIFY(!fixture.playback.isMoving());
    // Backward over the step's beginning, the animation starts at the end of the step before.
    fixture.go(2, 0);
    fixture.playback.stepBack(Unit::Phase);
    QVERIFY(fixture.at(1, kStoryS));
    fixture.pass(0.5);
    QVERIFY(fixture.at(1, 7));
    fixture.settle();
    QVERIFY(fixture.at(1, 6));
    // A short way is not compressed.
    fixture.go(2, 5.25);
    fixture.playback.stepForward(Unit::Transfer);
    fixture.pass(0.26);
    QVERIFY(!fixture.playback.isMoving());
    QVERIFY(fixture.at(2, 5.5));
  }

  void reducedMotionStepsAtOnce() {
    PlaybackFixture fixture(3);
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
    PlaybackFixture fixture(3);
    fixture.playback.stepForward(Unit::Phase);
    fixture.pass(0.1);
    fixture.playback.stepForward(Unit::Phase);
    QVERIFY(fixture.at(1, 2));
    fixture.settle();
    QVERIFY(fixture.at(1, 4));
    fixture.playback.stepForward(Unit::Step);
    fixture.pass(0.1);
    fixture.playback.stepBack(Unit::Phase);  // from the beginning of step 2
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
    PlaybackFixture fixture;
    fixture.playback.stepForward(Unit::Step);
    fixture.playback.stepForward(Unit::Step);  // the record of step 2 is missing, so this act waits
    fixture.playback.stepForward(Unit::Step);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(fixture.playback.isTraining());
    QCOMPARE(fixture.run.target, 2);
    fixture.pass(1.2);  // only the last act is animated
    QVERIFY(fixture.at(4, 0));
    QCOMPARE(fixture.run.live, 4);
    // Acts of a key that is held down do not pile up.
    for (int i = 0; i < 50; ++i) fixture.playback.stepForward(Unit::Step);
    fixture.settle();
    QVERIFY(fixture.playback.step() <= 9);
  }

  void waitingForTrainingCanBeGivenUp() {
    PlaybackFixture fixture;
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
    // The acts that waited are given up as well.
    fixture.playback.stepForward(Unit::Step);
    fixture.playback.stepForward(Unit::Step);
    fixture.playback.stepForward(Unit::Step);
    fixture.playback.seek(1, 2);
    fixture.playback.stepForward(Unit::Step);
    fixture.settle();
    QVERIFY(fixture.at(2, 0));
  }

  void lastAndFirstStep() {
    PlaybackFixture fixture(20);
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

  void actingWhilePausedNeverResumes() {
    for (const Mode mode : kModes) {
      PlaybackFixture fixture(8);
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
      PlaybackFixture fixture(3);
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

  void scrubbingIsAtOnceAndOnlyTheLatestCounts() {
    PlaybackFixture fixture(9);
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
    QVERIFY(fixture.at(9, 1));  // the picture stays until the record arrives
    fixture.playback.seek(3, 2);
    QCOMPARE(*fixture.run.recomputed, 3);
    fixture.run.arrive(2);  // too late, because step 3 is wanted now
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
    PlaybackFixture fixture(5);
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
    PlaybackFixture fixture(9);
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
};

QTEST_GUILESS_MAIN(TestPlaybackActs)
#include "tst_playback_acts.moc"
