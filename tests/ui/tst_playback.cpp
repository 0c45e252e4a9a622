// SPDX-License-Identifier: GPL-3.0-or-later
// The playback clock over a run that trains when the test says so: how it begins and ends, what each mode asks of the
// run and shows, and what it waits for.
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "tests/support/patience.h"
#include "tests/ui/playback_fixture.h"

using namespace lab;
using namespace lab::test;

class TestPlayback : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // In every mode, playing comes to rest at a stop and nothing is trained beyond it; playing again goes on freely.
  void playingStopsWhereItIsAsked() {
    for (const Mode mode : test::kModes) {
      PlaybackFixture fixture;
      Playback& playback = fixture.playback;
      playback.setMode(mode);
      playback.setStop(7);
      const auto play = [&] {
        playback.play();
        for (int i = 0; i < 20'000 && playback.isPlaying(); ++i) {
          fixture.run.run(3);
          fixture.pass(test::kFrame);
        }
        fixture.settle();
        QVERIFY(!playback.isPlaying());
      };
      play();
      QCOMPARE(playback.step(), 7);
      QCOMPARE(fixture.run.live, 7);
      play();
      QCOMPARE(playback.step(), fixture.run.facts.totalSteps);
    }
  }

  // A stop holds only playing: stepping by hand passes it, and a stop that lies behind has no effect.
  void aStopHoldsPlayingAlone() {
    PlaybackFixture fixture;
    fixture.playback.setStop(2);
    for (int i = 0; i < 3; ++i) {
      fixture.playback.stepForward(Unit::Step);
      fixture.settle();
    }
    QCOMPARE(fixture.playback.step(), 4);
    fixture.playback.setMode(Mode::Play);
    fixture.playback.play();
    fixture.pass(3 * test::kPlayS);
    QVERIFY(fixture.playback.isPlaying() && fixture.playback.step() > 5);
  }

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

  void movieWaitsForNothingThatIsAskedForInTime() {
    PlaybackFixture fixture;
    fixture.playback.play();
    QVERIFY(!fixture.run.running);  // training waits for the movie
    fixture.pass(kStoryS - 1.1);
    QVERIFY(fixture.run.trainedFor.empty());
    fixture.pass(0.2);
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2}));  // asked for a second ahead
    fixture.pass(0.9 + 0.5);
    QVERIFY(fixture.at(2, 0.5));
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2}));
    QCOMPARE(fixture.playback.sampledEvery(), 1);
    QVERIFY(fixture.playback.isPlaying());
  }

  void movieStandsStillWhileARecordIsLate() {
    PlaybackFixture fixture;
    fixture.playback.play();
    fixture.pass(kStoryS + 3, false);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(fixture.playback.isPlaying() && fixture.playback.isMoving());
    QVERIFY(!fixture.playback.isRecomputing() && !fixture.playback.isTraining());
    QSignalSpy changed(&fixture.playback, &Playback::changed);
    fixture.pass(1, false);
    QCOMPARE(changed.count(), 0);
    fixture.run.train();
    QVERIFY(fixture.at(2, 0));  // the movie does not make up for the time that it waited
    fixture.pass(0.5);
    QVERIFY(fixture.at(2, 0.5));
  }

  void pauseWhileARecordIsLateStaysThere() {
    PlaybackFixture fixture;
    fixture.playback.play();
    fixture.pass(kStoryS + 1, false);
    fixture.playback.pause();
    fixture.run.arrive(2);  // this record was under way
    fixture.pass(3);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(!fixture.playback.isMoving());
    fixture.playback.play();
    fixture.pass(1);
    QCOMPARE(fixture.playback.step(), 2);

    PlaybackFixture older(5);
    older.run.kept.erase(2);
    older.go(1, kStoryS - 0.5);
    older.playback.play();
    older.pass(1, false);
    QVERIFY(older.playback.isRecomputing());
    older.playback.pause();
    older.run.recompute();
    older.pass(1);
    QVERIFY(older.at(1, kStoryS));
  }

  void movieEndsWithTheRun() {
    for (const Mode mode : {Mode::Story, Mode::Play}) {
      PlaybackFixture fixture;
      fixture.playback.setMode(mode);
      fixture.run.facts.totalSteps = 3;
      fixture.playback.play();
      QSignalSpy acted(&fixture.playback, &Playback::acted);
      fixture.pass(3 * (mode == Mode::Story ? kStoryS : kPlayS) + 1);
      QVERIFY(fixture.at(3, mode == Mode::Story ? kStoryS : kPlayS));
      QVERIFY(!fixture.playback.isPlaying() && !fixture.playback.isMoving());
      QCOMPARE(acted.count(), 1);
      fixture.playback.play();  // no steps are left
      QVERIFY(!fixture.playback.isPlaying());
      fixture.playback.home();
      fixture.playback.play();
      fixture.pass(1);
      QVERIFY(fixture.at(1, 1));
    }
  }

  void runThatEndsEarlyEndsTheMovie() {
    PlaybackFixture fixture;
    fixture.playback.play();
    fixture.pass(kStoryS - 0.5, false);
    fixture.run.over = true;  // failed, or stopped, in the step that was asked for
    Q_EMIT fixture.run.updated();
    fixture.pass(1, false);
    QVERIFY(fixture.at(1, kStoryS));
    QVERIFY(!fixture.playback.isPlaying() && !fixture.playback.isMoving());

    PlaybackFixture late;
    late.playback.play();
    late.pass(kStoryS + 1, false);
    late.run.over = true;
    Q_EMIT late.run.updated();
    QVERIFY(!late.playback.isPlaying() && !late.playback.isMoving());
    QVERIFY(late.at(1, kStoryS));
  }

  void fastPlaySamples() {
    PlaybackFixture fixture;
    fixture.run.facts.totalSteps = 1000;
    fixture.playback.setMode(Mode::Play);
    fixture.playback.setSpeed(12);  // a step takes a third of a second, the limit without sampling
    fixture.playback.play();
    fixture.pass(1.1);
    QCOMPARE(fixture.playback.sampledEvery(), 1);
    QCOMPARE(fixture.run.trainedFor, (std::vector<std::int64_t>{2, 3, 4, 5}));
    fixture.playback.setSpeed(16);
    fixture.pass(3);
    QCOMPARE(fixture.playback.sampledEvery(), 2);
    QVERIFY(fixture.run.live >= 4 + 3 * 4 && fixture.run.live <= 4 + 3 * 4 + 4);  // four steps a second, two shown
    const auto& asked = fixture.run.trainedFor;
    QCOMPARE(asked.back() - asked[asked.size() - 2], 2);
    fixture.playback.setSpeed(1);
    fixture.pass(9);
    QCOMPARE(fixture.playback.sampledEvery(), 1);
  }

  void speedMultipliesAndIsBounded() {
    PlaybackFixture fixture;
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
    PlaybackFixture fixture(10);
    fixture.run.kept.erase(4);
    fixture.go(3, 0);
    fixture.playback.play();
    fixture.pass(3 * kStoryS - 2);
    QCOMPARE(fixture.playback.step(), 5);
    QVERIFY(fixture.run.trainedFor.empty());
    QCOMPARE(fixture.run.live, 10);
  }

  void liveShowsEveryKth() {
    PlaybackFixture fixture;
    fixture.playback.setMode(Mode::Live);
    QVERIFY(!fixture.run.running);
    fixture.playback.play();
    QVERIFY(fixture.run.running);
    // Four movie seconds take two, and the next record is asked for half a second before they are over.
    fixture.pass(1.4);
    QVERIFY(!fixture.run.liveAsked);
    fixture.run.run(6);
    fixture.pass(0.2);
    QVERIFY(fixture.run.liveAsked);
    fixture.run.run(3);  // the first of these steps is recorded: 8
    fixture.pass(0.9);
    QVERIFY(fixture.at(8, 1));
    QCOMPARE(fixture.playback.sampledEvery(), 7);
    QVERIFY(fixture.run.running);
    QVERIFY(fixture.run.trainedFor.empty());

    // Without a new step, the movie stands at the end until there is one.
    fixture.pass(5);
    QVERIFY(fixture.at(8, kPlayS));
    fixture.run.run(1);
    fixture.pass(0.5);
    QVERIFY(fixture.at(11, 1));
    QCOMPARE(fixture.playback.sampledEvery(), 3);

    // Space stops both the run and the movie, and lets both go on.
    fixture.playback.toggle();
    QVERIFY(!fixture.run.running && !fixture.playback.isPlaying());
    const double before = fixture.playback.seconds();
    fixture.pass(3);
    QVERIFY(fixture.at(11, before));
    fixture.playback.toggle();
    QVERIFY(fixture.run.running && fixture.playback.isPlaying());

    // The run ends: its last step is shown, recomputed if necessary, and playing ends.
    fixture.run.run(100);
    fixture.run.kept.erase(20);
    fixture.pass(10);
    QVERIFY(fixture.at(20, kPlayS));
    QVERIFY(!fixture.playback.isPlaying());
  }

  void fastShowsFreshEndsFourTimesASecond() {
    PlaybackFixture fixture;
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
    PlaybackFixture fixture;
    fixture.playback.setMode(Mode::Express);
    QVERIFY(fixture.run.leisurely);
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
    QVERIFY(!fixture.run.leisurely && !fixture.run.running && fixture.playback.isPlaying());
    fixture.playback.setMode(Mode::Express);
    QVERIFY(fixture.run.running);
    // When the run is over, its end is shown.
    fixture.run.run(100);
    QVERIFY(!fixture.playback.isPlaying());
    QCOMPARE(fixture.playback.wantedStep(), 20);
    fixture.playback.play();
    QVERIFY(!fixture.playback.isPlaying());
    fixture.run.recompute();
    fixture.pass(1);
    QVERIFY(fixture.at(20, kPlayS));
    QVERIFY(!fixture.playback.isMoving());
  }

  // Express does not move the stage. Paused or in a slower mode, it shows where training is, not where Express began.
  void leavingExpressShowsWhereTrainingIs() {
    PlaybackFixture fixture;
    const auto trained = [&](std::int64_t steps) {
      fixture.playback.setMode(Mode::Express);
      fixture.playback.play();
      fixture.run.run(steps);
      fixture.pass(0.1);
    };
    trained(5);
    QVERIFY(fixture.at(1, 0));
    fixture.playback.pause();
    QVERIFY(!fixture.run.running && !fixture.playback.isPlaying());
    QCOMPARE(fixture.playback.wantedStep(), 6);
    // Steps that were trained before the run heard of the pause are reported after it.
    fixture.run.live = 8;
    Q_EMIT fixture.run.updated();
    QCOMPARE(fixture.playback.wantedStep(), 8);
    fixture.run.recompute();
    fixture.pass(0.1);
    QVERIFY(fixture.at(8, kPlayS));
    fixture.playback.home();  // a person who has gone elsewhere stays there
    fixture.run.recompute();
    fixture.pass(0.1);
    fixture.run.live = 9;
    Q_EMIT fixture.run.updated();
    QVERIFY(fixture.at(1, 0) && !fixture.playback.isMoving());
    // So does a person who has scrubbed meanwhile.
    trained(2);
    fixture.go(4, 0.5);
    fixture.playback.pause();
    QVERIFY(fixture.at(4, 0.5) && !fixture.playback.isMoving());
    // In a slower mode the movie goes on from there.
    trained(3);
    const std::int64_t live = fixture.run.live;
    fixture.playback.setMode(Mode::Story);
    QVERIFY(fixture.playback.isPlaying());
    QCOMPARE(fixture.playback.wantedStep(), live);
    fixture.run.recompute();
    fixture.playback.advance(0);
    QCOMPARE(fixture.playback.step(), live);
    QVERIFY(fixture.playback.seconds() < 0.1 && fixture.playback.isPlaying());
  }

  void changeOfPaceKeepsThePicture() {
    PlaybackFixture fixture;
    fixture.go(1, 3.5);  // halfway into the motion of the second beat
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

  void pauseAndPlayInEveryMode() {
    for (const Mode mode : kModes) {
      PlaybackFixture fixture;
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

  // If this is asked for, a run is first seen after its start-up, paused or playing; Home leads to the start-up.
  void beginsAtItsFirstBatch() {
    constexpr double kStartUpS = 3;
    const auto storyOf = [](const RunInfo& info, const StepRecord& record, Pace pace) {
      Story story = test::shortStory(info, record, pace);
      if (story.step > 1) return story;
      for (Beat& beat : story.beats)
        for (double* second : {&beat.beginS, &beat.motionS, &beat.endS}) *second += kStartUpS;
      Beat startUp;
      startUp.kind = BeatKind::Startup;
      startUp.endS = startUp.motionS = kStartUpS;
      story.beats.insert(story.beats.begin(), startUp);
      story.seconds += kStartUpS;
      return story;
    };
    RecordDouble run;
    Playback playback(run, nullptr, storyOf);
    playback.setBeginsAtFirstBatch(true);
    run.restart();
    run.train();
    QCOMPARE(playback.seconds(), kStartUpS);
    playback.home();
    QCOMPARE(playback.seconds(), 0.0);
    playback.goTo(1);
    QCOMPARE(playback.seconds(), kStartUpS);
    playback.play();
    run.restart();
    run.train();
    QVERIFY(playback.isPlaying());
    QCOMPARE(playback.seconds(), kStartUpS);
    playback.pause();
    playback.setBeginsAtFirstBatch(false);
    run.restart();
    run.train();
    QCOMPARE(playback.seconds(), 0.0);
  }

  void restartWhilePausedIsPausedAtItsFirstStep() {
    PlaybackFixture fixture(5);
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
      PlaybackFixture fixture(5);
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
    PlaybackFixture fixture(5);
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

  void timerRunsWhileSomethingMovesAndNoLonger() {
    PlaybackFixture fixture;
    const auto* timer = fixture.playback.findChild<QTimer*>();
    QVERIFY(timer && !timer->isActive());
    QSignalSpy changed(&fixture.playback, &Playback::changed);
    fixture.playback.seek(1, 1);
    fixture.playback.seek(1, 2);
    QVERIFY(timer->isActive());
    QCOMPARE(changed.count(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, kPatienceMs);  // both acts in one frame
    QVERIFY(!timer->isActive());
    fixture.playback.stepForward(Unit::Transfer);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.playback.isMoving(), kPatienceMs);
    QVERIFY(fixture.at(1, 4));
    QVERIFY(!timer->isActive());
    fixture.playback.play();
    QVERIFY(timer->isActive());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.seconds() > 4, kPatienceMs);
    fixture.playback.pause();
    QTRY_VERIFY_WITH_TIMEOUT(!timer->isActive(), kPatienceMs);
  }
};

QTEST_GUILESS_MAIN(TestPlayback)
#include "tst_playback.moc"
