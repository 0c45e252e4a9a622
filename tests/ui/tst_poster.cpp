// SPDX-License-Identifier: GPL-3.0-or-later
// A step as a poster: which six moments it shows for each strategy, that its figures are the record's, that nothing
// lies outside its panel, and what is written to the file.
#include <QDir>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "tests/ui/stage_fixture.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/poster/poster.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

using namespace lab;
using namespace lab::test;

namespace {

MovieStep stepOf(const QString& settings, int steps = 3) {
  const Recorded recorded = recordSteps(stageConfig(settings), steps);
  MovieStep step{recorded.info, recorded.steps.back(), {}, {}};
  step.story = makeStory(*step.info, *step.record, Pace::Story);
  return step;
}

std::vector<PosterMoment> momentsOf(const MovieStep& step, Story* story = nullptr) {
  const Story told = makeStory(*step.info, *step.record, Pace::Play);
  if (story != nullptr) *story = told;
  return posterMoments(StepIndex(step.info, step.record), told);
}

QByteArray written(const MovieStep& step, PosterPage page, const char* name) {
  const QTemporaryDir folder;
  QFile file(folder.filePath(QLatin1String(name)));
  writePoster(step, page, QFont(), file.fileName());
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString textsOf(const QByteArray& svg, int* images = nullptr) {
  QString texts;
  QXmlStreamReader reader(svg);
  while (!reader.atEnd()) {
    if (reader.readNext() != QXmlStreamReader::StartElement) continue;
    if (reader.name() == QLatin1String("image") && images != nullptr) ++*images;
    if (reader.name() == QLatin1String("text"))
      texts += reader.readElementText(QXmlStreamReader::IncludeChildElements).simplified() + QLatin1Char('\n');
  }
  return reader.hasError() ? reader.errorString() : texts;
}

}  // namespace

class TestPoster : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Each strategy's step has its own beats.
  void sixMoments_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("beats");
    const QString copies = QStringLiteral("distribution forward backward aggregate aggregate check");
    QTest::newRow("two") << "strategy=mirrored replicas=2 batch-per-replica=4" << copies;
    QTest::newRow("eight, a tree") << "strategy=mirrored replicas=8 batch-per-replica=4 reducer=tree" << copies;
    QTest::newRow("on one device") << "strategy=mirrored replicas=4 batch-per-replica=4 reducer=one-device" << copies;
    QTest::newRow("tpu") << "strategy=tpu replicas=4 batch-per-replica=4" << copies;
    QTest::newRow("hosts") << "strategy=multi-worker-mirrored replicas=4 hosts=2 batch-per-replica=4" << copies;
    QTest::newRow("one copy") << "strategy=central-storage replicas=2 batch-per-replica=4"
                              << "distribution pull forward backward aggregate update";
    QTest::newRow("one device") << "strategy=one-device batch-per-replica=8"
                                << "batch distribution forward backward update check";
  }
  void sixMoments() {
    QFETCH(QString, settings);
    QFETCH(QString, beats);
    const MovieStep step = stepOf(settings);
    Story story;
    const std::vector<PosterMoment> moments = momentsOf(step, &story);
    QStringList kinds, captions;
    for (const PosterMoment& moment : moments) {
      const QString key = QLatin1String(beatKey(moment.kind));
      kinds << (moment.kind == BeatKind::Distribute ? QStringLiteral("distribution") : key);
      QCOMPARE(story.beats[story.beatAt(moment.seconds)].kind, moment.kind);
      captions << moment.caption;
      QCOMPARE(firstSentence(moment.caption), moment.caption);
      QVERIFY2(moment.caption.endsWith(QLatin1Char('.')), qPrintable(moment.caption));
    }
    QCOMPARE(kinds.join(QLatin1Char(' ')), beats);
    QCOMPARE(captions.removeDuplicates(), 0);
    // The last moment counts all bytes that the step sends.
    const StepMetric& metric = step.record->metric;
    QVERIFY(moments[3].figures.contains(tr("loss %1").arg(numberText(metric.loss, 'f', 3))));
    if (metric.bytesSent > 0) QVERIFY2(moments.back().figures.contains(bytesText(metric.bytesSent)), "bytes");
  }

  // The comparison of the copies fades before an evaluation; the poster shows it before the layers come through.
  void theComparisonIsWhole() {
    constexpr double kFadeS = 0.1;
    RunSettings config = stageConfig(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4"));
    config.evalEvery = 2;
    const Recorded recorded = recordSteps(config, 2);
    for (const Pace pace : {Pace::Story, Pace::Play}) {
      const Story story = makeStory(*recorded.info, *recorded.steps.back(), pace);
      QVERIFY(story.find(BeatKind::Evaluate) != nullptr);
      const PosterMoment last = posterMoments(StepIndex(recorded.info, recorded.steps.back()), story).back();
      QCOMPARE(last.kind, BeatKind::Check);
      const Beat* check = story.find(BeatKind::Check);
      QVERIFY(last.seconds >= check->verdictS() && last.seconds < check->endS - kFadeS);
    }
  }

  // A class's workers have names of their own, with numbers from 1, on the poster as on the stage.
  void aClassesWorkersHaveTheirNames() {
    MovieStep step = stepOf(QStringLiteral("strategy=parameter-server replicas=3 batch-per-replica=4"), 12);
    auto info = std::make_shared<RunInfo>(*step.info);
    for (int r = 0; r < 3; ++r)
      info->legend.endpoints[static_cast<std::size_t>(r)].name =
          Message(say::verbatim, "Otter " + std::to_string(r + 1));
    step.info = info;
    bool isNamed = false;
    for (const PosterMoment& moment : momentsOf(step)) {
      QVERIFY2(
          !moment.caption.contains(QStringLiteral("orker 0")) && !moment.caption.contains(QStringLiteral("Worker")),
          qPrintable(moment.caption));
      isNamed = isNamed || moment.caption.contains(QStringLiteral("Otter "));
    }
    QVERIFY(isNamed);
    QVERIFY(workerName(*info, 0) == QStringLiteral("Otter 1") && endpointName(*info, 2) == QStringLiteral("Otter 3"));
  }

  // In the first moment of the aggregation, pieces are added; in the second, the sum is passed on.
  void theAggregationGoesThereAndBack() {
    const MovieStep step = stepOf(QStringLiteral("strategy=mirrored replicas=4 batch-per-replica=4 reducer=ring"));
    Story story;
    const std::vector<PosterMoment> moments = momentsOf(step, &story);
    for (const std::size_t at : {std::size_t{3}, std::size_t{4}}) {
      const std::int64_t ns = story.clockAt(moments[at].seconds);
      const auto isOnItsWay = [ns](const Span& span) {
        return span.kind == SpanKind::Transfer && span.startNs < ns && ns < span.startNs + span.durationNs;
      };
      const auto found = std::ranges::find_if(step.record->spans, isOnItsWay);
      QVERIFY(found != step.record->spans.end());
      QCOMPARE(found->add, at == 3);
    }
  }

  // At a moment's time, the worker does what the moment's heading says.
  void workersDoWhatIsSaid() {
    const MovieStep step =
        stepOf(QStringLiteral("strategy=parameter-server replicas=4 parameter-servers=2 batch-per-replica=4"), 9);
    const StepIndex index(step.info, step.record);
    Story story;
    const std::vector<PosterMoment> moments = momentsOf(step, &story);
    QCOMPARE(moments.size(), kPosterMoments);
    QCOMPARE(moments.back().kind, BeatKind::Apply);
    QSet<QString> headings;
    const auto doing = [&](const PosterMoment& moment) {
      const int worker = moment.caption.section(QLatin1Char(' '), 1, 1).toInt();
      return index.doing(worker, story.clockAt(moment.seconds));
    };
    for (const PosterMoment& moment : moments) {
      headings << moment.heading;
      if (moment.heading == tr("Push")) QCOMPARE(doing(moment), StepIndex::Doing::Pushes);
      if (moment.heading == tr("Pull")) QCOMPARE(doing(moment), StepIndex::Doing::Pulls);
      if (moment.heading == tr("Queue")) {
        QCOMPARE(doing(moment), StepIndex::Doing::Queues);
        const QString own = strategyWords(step.info->config.strategy, "worker.queued");
        QVERIFY2(moment.caption.endsWith(own.section(QStringLiteral("%1"), 1)), qPrintable(moment.caption));
      }
      if (moment.heading == tr("Forward")) QCOMPARE(doing(moment), StepIndex::Doing::Computes);
      if (moment.heading == tr("Backward")) {
        const QString own = strategyWords(step.info->config.strategy, "worker.backward");
        QVERIFY(own.contains(QStringLiteral("nobody waits")));
        QVERIFY2(moment.caption.startsWith(QStringLiteral("Worker ")), qPrintable(moment.caption));
        QVERIFY2(moment.caption.endsWith(own.section(QStringLiteral("%1"), 1)), qPrintable(moment.caption));
      }
    }
    for (const char* heading : {"Pull", "Push", "Forward", "Backward", "Queue", "Apply"})
      QVERIFY2(headings.contains(tr(heading)), heading);
  }

  // Whoever pushes or pulls does not queue, although its wait's span holds the transfer; and no panel says again what
  // another says of the update.
  void whoQueuesSendsNothing_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("step");
    QTest::newRow("four, step 2") << "strategy=parameter-server replicas=4 batch-per-replica=4" << 2;
    QTest::newRow("two, step 4") << "strategy=parameter-server replicas=2 batch-per-replica=8" << 4;
    QTest::newRow("two, step 5") << "strategy=parameter-server replicas=2 batch-per-replica=8" << 5;
  }
  void whoQueuesSendsNothing() {
    QFETCH(QString, settings);
    QFETCH(int, step);
    const MovieStep shown = stepOf(settings, step);
    const StepIndex index(shown.info, shown.record);
    Story story;
    QStringList applied;
    for (const PosterMoment& moment : momentsOf(shown, &story)) {
      if (moment.kind == BeatKind::Apply) applied << moment.caption;
      if (moment.heading != tr("Queue")) continue;
      const int worker = moment.caption.section(QLatin1Char(' '), 1, 1).toInt();
      QCOMPARE(index.doing(worker, story.clockAt(moment.seconds)), StepIndex::Doing::Queues);
    }
    QVERIFY(!applied.isEmpty());
    QCOMPARE(applied.removeDuplicates(), 0);
  }

  // Panels do not overlap, and every item of a panel lies within the panel's picture.
  void nothingLiesBesideItsPanel_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("wide");
    for (const bool wide : {false, true})
      for (const char* settings :
           {"strategy=mirrored replicas=2 batch-per-replica=4", "strategy=mirrored replicas=8 batch-per-replica=4",
            "strategy=parameter-server replicas=4 parameter-servers=2 batch-per-replica=4",
            "strategy=central-storage replicas=2 batch-per-replica=4",
            "strategy=multi-worker-mirrored replicas=4 hosts=2 batch-per-replica=4"})
        QTest::addRow("%s%s", settings, wide ? ", wide" : "") << settings << wide;
  }
  void nothingLiesBesideItsPanel() {
    QFETCH(QString, settings);
    QFETCH(bool, wide);
    const PosterPage page = wide ? PosterPage::Wide : PosterPage::A3;
    const Poster poster(stepOf(settings), page, QFont());
    const QRectF whole({}, posterSize(page));
    std::vector<QRectF> boxes;
    for (std::size_t i = 0; i < poster.moments().size(); ++i) {
      const Poster::Panel panel = poster.panel(i);
      for (const QRectF& other : boxes) QVERIFY(!other.intersects(panel.box));
      boxes.push_back(panel.box);
      QVERIFY(whole.contains(panel.box) && panel.box.contains(panel.picture));
      const QRectF room = QRectF({}, panel.scene.size).adjusted(-1, -1, 1, 1);
      QVERIFY(panel.scene.items.size() > 20);
      for (const Item& item : panel.scene.items)
        if (item.shape != Item::Shape::Link) QVERIFY2(room.contains(item.box), qPrintable(item.text));
      // Letters can be read from two metres; a slide's may be smaller, as it is projected as large as the wall.
      QVERIFY2(panel.scale * panel.scene.px >= (wide ? 6 : 8.9), qPrintable(QString::number(panel.scene.px)));
    }
  }

  void thePdfIsOnePage_data() {
    QTest::addColumn<bool>("wide");
    QTest::addColumn<QByteArray>("box");
    QTest::newRow("A3") << false << QByteArray("/MediaBox [0 0 1191.000000 842.000000]");
    QTest::newRow("16:9") << true << QByteArray("/MediaBox [0 0 1191.000000 670.000000]");
  }
  void thePdfIsOnePage() {
    QFETCH(bool, wide);
    QFETCH(QByteArray, box);
    const MovieStep step = stepOf(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4"));
    const QByteArray pdf = written(step, wide ? PosterPage::Wide : PosterPage::A3, "poster.PDF");
    QVERIFY(pdf.startsWith("%PDF-1.") && pdf.size() > 50'000);
    QVERIFY(pdf.contains("/Count 1\n"));
    QVERIFY2(pdf.contains(box), pdf.mid(pdf.indexOf("/MediaBox"), 60).constData());
    QVERIFY(!pdf.contains("/DCTDecode"));  // no JPEG, because each pixel's colour stands for a value
  }

  // Hatching is about as coarse as on the stage: 8 points, not 8 of the file's 1,200 dots an inch.
  void thePdfsHatchingCanBeSeen() {
    const QByteArray pdf = written(stepOf(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4")),
                                   PosterPage::A3, "poster.pdf");
    int patterns = 0;
    for (qsizetype at = pdf.indexOf("/PatternType 1"); at >= 0; at = pdf.indexOf("/PatternType 1", at + 1)) {
      const QByteArray matrix = pdf.mid(pdf.indexOf("/Matrix [", at) + 9, 12);
      QVERIFY2(matrix.split(' ').front().toDouble() > 0.5, matrix.constData());
      ++patterns;
    }
    QVERIFY(patterns > 0);
  }

  // Words are text and boxes are shapes: only digits and values are pictures.
  void theSvgHasTheWords() {
    const MovieStep step = stepOf(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4"));
    const QByteArray svg = written(step, PosterPage::A3, "poster.svg");
    int images = 0;
    const QString texts = textsOf(svg, &images);
    const Poster poster(step, PosterPage::A3, QFont());
    QVERIFY2(texts.contains(poster.title()), qPrintable(texts));
    QCOMPARE(poster.title(), QStringLiteral("MirroredStrategy: one step on 2 replicas"));
    QVERIFY(texts.contains(poster.facts().simplified()));
    QVERIFY(poster.facts().contains(QStringLiteral("modelled")));
    QString flat = texts;
    flat.replace(QLatin1Char('\n'), QLatin1Char(' '));
    for (const PosterMoment& moment : poster.moments()) {
      QVERIFY2(flat.contains(moment.caption), qPrintable(moment.caption));
      QVERIFY2(flat.contains(moment.figures), qPrintable(moment.figures));
    }
    QVERIFY2(flat.contains(poster.command()), qPrintable(flat));
    std::size_t pictures = 2;  // the two colour scales
    for (std::size_t i = 0; i < kPosterMoments; ++i)
      for (const Item& item : poster.panel(i).scene.items)
        pictures += item.shape == Item::Shape::Digit ||
                    (item.values != nullptr && item.shape != Item::Shape::Answer && item.opacity > 0);
    QCOMPARE(images, static_cast<int>(pictures));
    QVERIFY(svg.count("<rect") + svg.count("<path") > 200);
    // Browsers do not know Qt's own names of fonts.
    QVERIFY(svg.contains("font-family="));
    QCOMPARE(svg.count(", sans-serif\""), svg.count("font-family="));
  }

  // The command on the poster has the same settings, and names no more of them than it must.
  void theCommandBeginsTheSame() {
    for (const char* settings : {"strategy=mirrored replicas=2 global-batch=8",
                                 "strategy=parameter-server replicas=4 parameter-servers=2 seed=7 optimizer=adam",
                                 "strategy=one-device", "strategy=tpu replicas=8 learning-rate=0.05"}) {
      const MovieStep step = stepOf(QLatin1String(settings), 2);
      const QString command = Poster(step, PosterPage::A3, QFont()).command();
      QStringList words = command.split(QLatin1Char(' '));
      QCOMPARE(words.mid(0, 5).join(QLatin1Char(' ')),
               QStringLiteral("strategylab --render poster.pdf --after-steps 2"));
      words = words.mid(5);
      QVERIFY2(words.size() <= 2 * (QString(QLatin1String(settings)).count(QLatin1Char('=')) + 2), qPrintable(command));
      RunSettings again;
      for (qsizetype i = 0; i + 1 < words.size(); i += 2)
        configField(words[i].mid(2).toStdString()).set(again, words[i + 1].toStdString());
      again.threads = step.info->config.asked().threads;  // the results do not depend on these two
      again.evalEvery = step.info->config.asked().evalEvery;
      QCOMPARE(QString::fromStdString(configToJson(resolve(again)).dump()),
               QString::fromStdString(configToJson(step.info->config).dump()));
    }
  }

  void theWindowKeepsItsTheme() {
    theme::setKind(theme::Kind::Dark);
    theme::setProjected(true);
    const QByteArray dark =
        written(stepOf(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4")), PosterPage::A3, "a.svg");
    QCOMPARE(theme::kind(), theme::Kind::Dark);
    QVERIFY(theme::isProjected());
    theme::setProjected(false);
    theme::setKind(theme::Kind::Light);
    const QByteArray light =
        written(stepOf(QStringLiteral("strategy=mirrored replicas=2 batch-per-replica=4")), PosterPage::A3, "a.svg");
    QVERIFY(dark == light);
  }

  void refusals() {
    const MovieStep step = stepOf(QStringLiteral("strategy=one-device batch-per-replica=8"));
    const QTemporaryDir folder;
    const auto refusal = [&](const MovieStep& shown, const QString& name) {
      try {
        writePoster(shown, PosterPage::A3, QFont(), folder.filePath(name));
      } catch (const UserError& error) {
        return QString::fromStdString(error.what());
      }
      return QString();
    };
    QVERIFY(refusal({}, "a.pdf").contains(QStringLiteral("no step on the stage")));
    QVERIFY(refusal(step, "a.png").contains(QStringLiteral(".pdf or .svg")));
    QVERIFY(refusal(step, "none/a.pdf").contains(QStringLiteral("none/a.pdf")));
    QVERIFY(QDir(folder.path()).isEmpty());
    QCOMPARE(refusal(step, "a.svg"), QString());
  }
};

QTEST_MAIN(TestPoster)
#include "tst_poster.moc"
