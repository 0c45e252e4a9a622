// SPDX-License-Identifier: GPL-3.0-or-later
// The stage keeps its picture and repaints only what has changed; the result must equal a complete repaint.
#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QSvgGenerator>
#include <QTest>
#include <QXmlStreamReader>

#include <random>

#include "core/options/config_field.h"
#include "tests/support/patience.h"
#include "ui/painting/word_layouts.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/step/selection.h"
#include "ui/theme/wrapped_words.h"

using namespace lab;

class TestStageCanvas : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Words that do not fit their lines end in an ellipsis, and never within a word.
  void linesEndInAnEllipsis() {
    const QFontMetricsF metrics{QFont()};
    const QString words =
        QStringLiteral("Each worker pulls the weights, computes with them and pushes its gradient, without waiting.");
    const double line = metrics.lineSpacing();
    QCOMPARE(wrappedWords(metrics, words, {4000, line + 1}), words);
    for (const double width : {120.0, 200.0, 320.0})
      for (const int lines : {1, 2, 3}) {
        const QSizeF room(width, lines * line + 1);
        const QString shown = wrappedWords(metrics, words, room);
        const QRectF taken = metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, shown);
        QVERIFY2(taken.height() <= room.height() && taken.width() <= room.width(), qPrintable(shown));
        if (shown == words) continue;
        QVERIFY2(shown.endsWith(QChar(0x2026)), qPrintable(shown));
        QVERIFY2(words.startsWith(shown.chopped(1) + QLatin1Char(' ')), qPrintable(shown));
      }
  }

  // Fewer but whole sentences are better than one that breaks off.
  void linesEndWithAWholeSentence() {
    const QFontMetricsF metrics{QFont()};
    const QString first = QStringLiteral("The weights, z. B. of R0, are pulled."), second = QStringLiteral(" Then it");
    const double line = metrics.lineSpacing(), width = metrics.horizontalAdvance(first + second);
    const auto shown = [&](const QString& words) { return wrappedWords(metrics, words, {width, line + 1}); };
    QCOMPARE(shown(first + QStringLiteral(" Then it computes, and waits for nobody.")), first);
    QCOMPARE(shown(QStringLiteral("R0 computes; R1 waits for it, and all others wait as well.")),
             QStringLiteral("R0 computes."));
    QVERIFY(shown(QStringLiteral("The weights, z. B. of R0, are pulled by every worker before it computes."))
                .endsWith(QChar(0x2026)));
  }

  // A number stays with its unit: painted words are broken before it or behind the unit.
  void noLineEndsBeforeAUnit() {
    const auto marked = [](const char* words) {
      return withWholeQuantities(QString::fromUtf8(words)).replace(QChar::Nbsp, QLatin1Char('_'));
    };
    QCOMPARE(marked("each sends 173 kB, in 2.31 µs, 5 s or 1,39 MB: 93.1 %"),
             QString::fromUtf8("each sends 173_kB, in 2.31_µs, 5_s or 1,39_MB: 93.1_%"));
    QCOMPARE(marked("at 150 GB/s"), QStringLiteral("at 150_GB/s"));
    QCOMPARE(marked("R0 sends 4 slices, 8 MBs, 3 Bytes; a B"),
             QStringLiteral("R0 sends 4 slices, 8 MBs, 3 Bytes; a B"));
  }

  // A caption in a small projector picture shrinks and takes two lines before it is cut; in a small lane it takes
  // three.
  void aCaptionIsNotCut_data() {
    QTest::addColumn<QString>("caption");
    QTest::addColumn<QSizeF>("room");
    QTest::addColumn<double>("fontPx");
    QTest::newRow("two lines") << QStringLiteral(
                                      "Nobody waits for another's gradient, but all share the server's link.")
                               << QSizeF(348, 29.5) << 14.25;
    for (const double height : {58.0, 64.0, 72.0})
      QTest::addRow("lane, %g", height)
          << QStringLiteral("Each replica gets a different part of the batch: 4 of the 8 images each.")
          << QSizeF(280, height) << 15.0;
  }
  void aCaptionIsNotCut() {
    QFETCH(QString, caption);
    QFETCH(QSizeF, room);
    QFETCH(double, fontPx);
    QByteArray svg;
    QBuffer buffer(&svg);
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({447, 100});
    QPainter painter(&generator);
    WordLayouts words;
    words.setFont(QFont(), 20);  // the least size of a projector's letters
    words.draw(painter, QRectF(QPointF(), room), {caption, fontPx, true, Qt::AlignCenter});
    painter.end();
    QXmlStreamReader xml(svg);
    QString written;
    while (!xml.atEnd())
      if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("text"))
        written += xml.readElementText().simplified() + QLatin1Char(' ');
    QCOMPARE(written.simplified(), caption);
  }

  void wordsInAStripHaveAPixel() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("setPixelSize")));
    QImage image(40, 4, QImage::Format_RGB32);
    QPainter painter(&image);
    for (const double smallest : {9.0, 20.0}) {  // as in a window and on a projector
      WordLayouts words;
      words.setFont(QFont(), smallest);
      for (const double height : {0.0, 0.5, 4.0})
        words.draw(painter, QRectF(0, 0, 40, height), {QStringLiteral("Conv2D, 32 filters"), 0.2});
    }
  }

  void looksAsIfPaintedWhole_data() {
    QTest::addColumn<QString>("strategy");
    for (const std::string& key : configField("strategy").choices)
      QTest::newRow(key.c_str()) << QString::fromStdString(key);
  }

  void looksAsIfPaintedWhole() {
    QFETCH(QString, strategy);
    RunSettings config = withSetting(teachingConfig(), "strategy", strategy.toStdString());
    config.dataset = "digits";
    config.trainExamples = 64;
    config.testExamples = 32;
    config.steps = 3;
    config = fitted(config, "strategy");
    RunController controller;
    Playback playback(controller);
    Selection selection;
    Stage kept(controller, playback, selection);
    kept.resize(1100, 700);
    controller.start(config, true);
    QTRY_VERIFY_WITH_TIMEOUT(playback.record() != nullptr, kPatienceMs);

    std::mt19937 random(1);
    kept.show();
    QVERIFY(QTest::qWaitForWindowExposed(&kept, kPatienceMs));
    // Compares the screen, because the stage paints only where it has asked to, with a stage painted from scratch.
    const auto looksTheSame = [&] {
      Stage whole(controller, playback, selection);
      whole.resize(kept.size());
      const QImage wanted = whole.grab().toImage().convertToFormat(QImage::Format_RGB32);
      return QTest::qWaitFor(
          [&] {
            return kept.screen()->grabWindow(kept.winId()).toImage().convertToFormat(QImage::Format_RGB32) == wanted;
          },
          kPatienceMs);
    };
    for (int i = 0; i < 30; ++i) {
      // Most times one frame further, now and then anywhere in the story.
      const double length = playback.story().seconds;
      const double anywhere = std::uniform_real_distribution<double>(0, length)(random);
      playback.seek(playback.step(), i % 3 == 0 ? anywhere : std::min(playback.seconds() + 0.016, length));
      if (i % 20 == 5 && !kept.scene().items.empty())
        selection.pin(kept.scene().items[random() % kept.scene().items.size()].object);
      QVERIFY2(looksTheSame(), qPrintable(QStringLiteral("at %1 s").arg(playback.seconds())));
    }
  }
};

QTEST_MAIN(TestStageCanvas)
#include "tst_stage_canvas.moc"
