// SPDX-License-Identifier: GPL-3.0-or-later
// Checks conversions between movie time and the step's clock, both ways, and what a caption says about losses.
#include <QTest>

#include "tests/ui/record_double.h"
#include "ui/playback/captions.h"

using namespace lab;

class TestStoryTime : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bothWays() {
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
    QCOMPARE(story.secondsAt(5100), 2.0);  // the first moment that shows this time
    QCOMPARE(story.secondsAt(5350), 7.5);
    QCOMPARE(story.secondsAt(5400), 8.0);
    QCOMPARE(story.secondsAt(9999), 8.0);
    for (std::int64_t ns = 5000; ns <= 5400; ++ns) QCOMPARE(story.clockAt(story.secondsAt(ns)), ns);
    QCOMPARE(Story().clockAt(1), 0);
    QCOMPARE(Story().secondsAt(1), 0.0);
    for (const Story::Knot& knot : story.clock) {  // where the clock is held, until it goes on
      QVERIFY(story.leavesAt(knot.ns) >= knot.seconds);
      QCOMPARE(story.clockAt(story.leavesAt(knot.ns)), knot.ns);
    }
    QCOMPARE(Story().leavesAt(1), 0.0);
  }

  // Late in training losses are small; where replicas have the same images they do not differ at all.
  void lossesThatAreSaidToDifferDo() {
    RunInfo info;
    info.replicas = 2;
    StepRecord record;
    record.replicas.resize(2);
    const auto caption = [&](float first, float second) {
      record.replicas[0].losses = {first};
      record.replicas[1].losses = {second};
      StepMilestones course;
      course.lossNs = course.gradientNs = {10, 10};
      course.losses = {static_cast<double>(first), static_cast<double>(second)};
      return beatCaption(BeatKind::Backward, {.info = info, .record = record, .course = course, .ns = 10});
    };
    QVERIFY(caption(2.318F, 2.302F).contains(QStringLiteral("differ (2.318, 2.302)")));
    QVERIFY(caption(0.00021F, 0.00034F).contains(QStringLiteral("differ (0.00021, 0.00034)")));
    QVERIFY(caption(0.00055F, 0.00016F).contains(QStringLiteral("differ (0.00055, 0.00016)")));  // not 0.001 and 0.000
    QVERIFY(!caption(0.5F, 0.5F).contains(QStringLiteral("differ")));
  }
};

QTEST_GUILESS_MAIN(TestStoryTime)
#include "tst_story_time.moc"
