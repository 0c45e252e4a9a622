// SPDX-License-Identifier: GPL-3.0-or-later
// The byte counts of a lane's links never shrink while the movie plays, and end at the values of the record and the
// table. Over all links, they add up to what the step sent.
#include <QTest>

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/timeline/link_bytes.h"
#include "tests/support/records.h"
#include "tests/support/training.h"
#include "ui/playback/story.h"

using namespace lab;
using namespace lab::test;

class TestLinkBytes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bytesGrowToWhatTheRecordSays_data() { addStrategyRows(); }
  void bytesGrowToWhatTheRecordSays() {
    QFETCH(QString, name);
    const RecordedRun run = recordAll(rowConfig(name), fewDigits(96, 16));
    for (const RecordPointer& record : run.records) {
      const TraceLegend& legend = run.info.legend;
      const std::vector<LinkBytes> whole = linkBytes(legend, *record);
      const auto sum = [](const std::vector<LinkBytes>& links) {
        return std::accumulate(links.begin(), links.end(), std::int64_t{0},
                               [](std::int64_t all, const LinkBytes& link) { return all + link.bytes; });
      };
      const bool worker = record->metric.worker.has_value();  // then messages of other workers arrive too
      if (!worker) QCOMPARE(sum(whole), record->metric.bytesSent);
      const Story story = makeStory(run.info, *record, Pace::Play);
      std::int64_t before = 0;
      constexpr int kMoments = 50;
      for (int i = 0; i <= kMoments; ++i) {
        const std::vector<LinkBytes> now =
            linkBytes(legend, *record, story.clockAt(story.seconds * i / static_cast<double>(kMoments)));
        QCOMPARE(now.size(), whole.size());
        QVERIFY(sum(now) >= before);
        before = sum(now);
      }
      QCOMPARE(before, sum(whole));
      const auto most = busiestLink(legend, *record);
      QCOMPARE(most.has_value(), !whole.empty());
      for (const LinkBytes& link : whole) QVERIFY(link.bytes <= most->bytes);
    }
  }
};

QTEST_GUILESS_MAIN(TestLinkBytes)
#include "tst_link_bytes.moc"
