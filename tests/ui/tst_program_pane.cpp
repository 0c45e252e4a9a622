// SPDX-License-Identifier: GPL-3.0-or-later
// The program pane: every beat of every strategy's story marks a line, every line that does part of a step is marked
// during a run, a click goes to a line's moment, changed lines are marked, and the program itself is copied and saved.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

#include "core/codegen/notebook.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "tests/ui/stage_fixture.h"
#include "ui/program/program_pane.h"
#include "ui/program/program_text.h"
#include "ui/program/python_words.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

struct Desk {
  RunController controller;
  MainWindow window{controller};
  ProgramPane* pane = nullptr;

  explicit Desk(const char* strategy = "mirrored") {
    window.resize(1280, 800);
    window.show();
    window.panels().openTab(QStringLiteral("programTab"));
    pane = window.findChild<ProgramPane*>();
    begin(strategy);
  }
  void begin(const char* strategy) {
    window.experiment().begin(runOf(strategy));
    (void)QTest::qWaitFor(
        [this] {
          return window.playback().record() != nullptr && !pane->text().listing().empty() &&
                 controller.info()->config.strategy == window.experiment().resolved().strategy;
        },
        kPatienceMs);
  }
  int rowOf(const char* text) const {
    const Listing& listing = pane->text().listing();
    const auto found =
        std::ranges::find_if(listing, [&](const ListingRow& row) { return row.text.contains(QLatin1String(text)); });
    return found == listing.end() ? -1 : static_cast<int>(found - listing.begin());
  }
  BeatKind beat() const {
    const Story& story = window_().playback().story();
    return story.beats[story.beatAt(window_().playback().seconds())].kind;
  }
  MainWindow& window_() const { return const_cast<MainWindow&>(window); }
};

void addStrategies() {
  QTest::addColumn<QByteArray>("strategy");
  QTest::addColumn<bool>("loop");
  for (const StrategyInfo& info : strategies())
    for (const bool loop : {false, true})
      QTest::addRow("%s %s", info.key.c_str(), loop ? "loop" : "fit") << QByteArray::fromStdString(info.key) << loop;
}

QString configText(const QByteArray& strategy) {
  return QStringLiteral("devices=simulated batch-per-replica=4 strategy=") + QString::fromLatin1(strategy);
}

}  // namespace

class TestProgramPane : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyBeatMarksALineAndEveryLineIsMarked_data() { addStrategies(); }
  void everyBeatMarksALineAndEveryLineIsMarked() {
    QFETCH(QByteArray, strategy);
    QFETCH(bool, loop);
    const Recorded recorded = recordSteps(stageConfig(configText(strategy)), 6);
    const Program program = makeProgram(recorded.info->config, {.loop = loop});
    QSet<int> hit;
    bool evaluated = false;  // some step is followed by an evaluation
    for (const auto& record : recorded.steps) {
      const Story story = makeStory(*recorded.info, *record, Pace::Story);
      evaluated = evaluated || story.find(BeatKind::Evaluate) != nullptr;
      const Listing listing = listingOf(program, &story, 0);
      for (const Beat& beat : story.beats) {
        for (int i = 0; i <= 40; ++i) {
          const double at = beat.beginS + (beat.endS - beat.beginS) * i / 40.001;
          const ProgramBeats now = beatsAt(*recorded.info, *record, story, at);
          bool lines = false;
          for (const ListingRow& row : listing) {
            if (!row.beats.meets(now)) continue;
            lines = true;
            if (row.isLine()) hit << row.number;
          }
          QVERIFY2(lines, qPrintable(beat.name));
        }
      }
    }
    for (std::size_t i = 0; i < program.lines.size(); ++i) {
      const ProgramBeats beats(program.lines[i]);
      if (!isOfSteps(beats)) continue;
      if (!evaluated && beats == ProgramBeats{ProgramBeat::Evaluate}) continue;
      QVERIFY2(hit.contains(static_cast<int>(i) + 1), program.lines[i].text.c_str());
    }
  }

  // A run that chose the built-in digits itself has a program that names them, as one with them in its settings has.
  void digitsThatNobodyChoseAreTold() {
    Desk desk;
    RunSettings config = runOf("mirrored");
    config.dataset = "auto";
    desk.window.experiment().begin(config);
    QTRY_VERIFY_WITH_TIMEOUT(desk.controller.info() != nullptr && desk.controller.info()->config.dataset == "auto",
                             kPatienceMs);
    QCOMPARE(desk.rowOf("The data set digits is StrategyLab's own") >= 0, desk.controller.info()->dataset == "digits");
  }

  // Each row that can be clicked leads to a moment at which the stage does what the row says.
  void everyLineLeadsToItsMoment_data() { addStrategies(); }
  void everyLineLeadsToItsMoment() {
    QFETCH(QByteArray, strategy);
    QFETCH(bool, loop);
    const Recorded recorded = recordSteps(stageConfig(configText(strategy)), 6);
    const Program program = makeProgram(recorded.info->config, {.loop = loop});
    const StepRecord& record = *recorded.steps.back();
    const Story story = makeStory(*recorded.info, record, Pace::Story);
    int led = 0;
    for (const ListingRow& row : listingOf(program, &story, 0)) {
      const auto at = momentOf(row.beats, *recorded.info, record, story);
      if (row.does) QVERIFY2(at.has_value(), qPrintable(row.text));
      if (!at) continue;
      ++led;
      QVERIFY(beatsAt(*recorded.info, record, story, *at).meets(row.beats));
      if (row.does) QCOMPARE(story.beats[story.beatAt(*at)].kind, *row.does);
    }
    QVERIFY(led > 5);
  }

  // One table serves both ways: an object that a beat's line lights on the stage also lights that line.
  void objectsAndLinesAreLinkedBothWays() {
    for (int i = 0; i < kProgramBeats; ++i) {
      const ProgramBeats beat{static_cast<ProgramBeat>(i)};
      for (int kind = 1; kind <= static_cast<int>(Object::Kind::Host); ++kind) {
        const Object object{static_cast<Object::Kind>(kind), 0, 0};
        QCOMPARE(objectsOf(beat).has(object.kind), beatsOf(object, nullptr).meets(beat));
      }
      QCOMPARE(objectsOf(beat).none(), !isOfSteps(beat) && !isBeforeSteps(beat));
      QVERIFY(!beatWords(static_cast<ProgramBeat>(i)).isEmpty());
    }
  }

  void fitKeepsItsLineAboveWhatItDoes() {
    Desk desk;
    const int fit = desk.rowOf("model.fit(");
    QVERIFY(fit >= 0);
    const Story& story = desk.window.playback().story();
    QTRY_VERIFY_WITH_TIMEOUT(desk.pane->text().listing()[static_cast<std::size_t>(fit) + 1].does.has_value(),
                             kPatienceMs);
    int row = fit;
    for (const Beat& beat : story.beats) {
      desk.window.playback().seek(story.step, beat.beginS);
      QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), beat.kind, kPatienceMs);
      if (beat.kind == BeatKind::Startup) continue;
      if (beat.kind == BeatKind::Evaluate) {  // model.evaluate does this beat
        QTRY_COMPARE_WITH_TIMEOUT(desk.pane->text().marks()[static_cast<std::size_t>(fit)].now, ProgramText::Now::Rests,
                                  kPatienceMs);
        continue;
      }
      ++row;
      QTRY_COMPARE_WITH_TIMEOUT(desk.pane->text().marks()[static_cast<std::size_t>(row)].now, ProgramText::Now::IsDone,
                                kPatienceMs);
      QCOMPARE(desk.pane->text().marks()[static_cast<std::size_t>(fit)].now, ProgramText::Now::IsCalling);
      const Listing& now = desk.pane->text().listing();
      QCOMPARE(*now[static_cast<std::size_t>(row)].does, beat.kind);
      QVERIFY2(now[static_cast<std::size_t>(row)].text.contains(beat.captionAt(beat.beginS)),
               qPrintable(now[static_cast<std::size_t>(row)].text + " / " + beat.captionAt(beat.beginS)));
      if (beat.kind != BeatKind::Check)  // later rows say nothing yet
        QVERIFY(!now[static_cast<std::size_t>(row) + 1].text.contains(QStringLiteral(" · ")));
    }
  }

  void aClickAndEnterGoToTheMoment() {
    Desk desk;
    desk.window.findChild<QToolButton*>(QStringLiteral("programLoop"))->click();
    ProgramText& text = desk.pane->text();
    const auto click = [&](const char* line) {
      const int row = desk.rowOf(line);
      QVERIFY(row >= 0);
      QTextCursor cursor(text.document()->findBlockByNumber(row));
      text.setTextCursor(cursor);
      text.centerCursor();
      QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, text.cursorRect(cursor).center() + QPoint(4, 0));
    };
    click("tape.gradient(");
    QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), BeatKind::Backward, kPatienceMs);
    click("optimizer.apply_gradients(");
    QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), BeatKind::Aggregate, kPatienceMs);
    click("logits = model(images, training=True)");
    QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), BeatKind::Forward, kPatienceMs);
    click("with strategy.scope()");
    QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), BeatKind::Startup, kPatienceMs);
    text.setTextCursor(QTextCursor(text.document()->findBlockByNumber(desk.rowOf("tape.gradient("))));
    text.setFocus();
    QTest::keyClick(&text, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), BeatKind::Backward, kPatienceMs);
    QTest::keyClick(&text, Qt::Key_Down);
    QVERIFY(text.accessibleDescription().contains(QStringLiteral("aggregate")));
    // The first step may or may not end an epoch: the pane says which, and goes to the evaluation or stays.
    const int test = desk.rowOf("print(f\"test accuracy");
    const bool evaluates = desk.window.playback().story().find(BeatKind::Evaluate) != nullptr;
    QVERIFY(desk.pane->wordsOf(test).contains(evaluates ? QStringLiteral("to that moment")
                                                        : QStringLiteral("no such moment")));
    QCOMPARE(desk.pane->goTo(test), evaluates);
    QTRY_COMPARE_WITH_TIMEOUT(desk.beat(), evaluates ? BeatKind::Evaluate : BeatKind::Backward, kPatienceMs);
  }

  // A line that all strategies share names only the beats that the present strategy has.
  void aLineTellsNoBeatOfAnotherStrategy() {
    Desk desk;
    desk.pane->setLoop(true);
    const auto words = [&desk] { return desk.pane->wordsOf(desk.rowOf("optimizer.apply_gradients(")); };
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("aggregate, update, check.")), kPatienceMs);
    desk.begin("parameter-server");
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("Does: apply.")), kPatienceMs);
  }

  void pointingLightsTheStageAndTheOtherWayRound() {
    Desk desk;
    desk.pane->setLoop(true);
    Q_EMIT desk.pane->text().pointedAt(desk.rowOf("optimizer.apply_gradients("));
    QVERIFY(desk.window.selection().lit().has(Object::Kind::Gradient));
    QVERIFY(desk.window.selection().lit().has(Object::Kind::Link));
    QVERIFY(!desk.window.selection().lit().has(Object::Kind::Layer));
    Q_EMIT desk.pane->text().pointedAt(-1);
    QVERIFY(desk.window.selection().lit().none());
    desk.window.selection().hover({Object::Kind::Layer, 0, 0});
    const auto isPointedAt = [&](const char* line) {
      return desk.pane->text().marks()[static_cast<std::size_t>(desk.rowOf(line))].isPointedAt;
    };
    QVERIFY(isPointedAt("logits = model(images, training=True)") && isPointedAt("tape.gradient("));
    QVERIFY(!isPointedAt("with strategy.scope()") && !isPointedAt("losses = strategy.run(train_step"));
  }

  void changedLinesAreMarkedAndCounted() {
    const auto programOf = [](const char* text) {
      return makeProgram(resolve(stageConfig(QStringLiteral("devices=simulated ") + QLatin1String(text))),
                         {.loop = true});
    };
    const Program one = programOf("strategy=one-device"), two = programOf("strategy=mirrored");
    const ProgramChange change = changeOf(one, two);
    QVERIFY2(change.lines >= 2 && change.lines <= 4, qPrintable(QString::number(change.lines)));
    for (std::size_t i = 0; i < two.lines.size(); ++i) {
      const bool known = std::ranges::find(one.lines, two.lines[i].text, &ProgramLine::text) != one.lines.end();
      QCOMPARE(bool(change.changed[i]), !known);
    }
    QVERIFY(changeOf(two, two).none());
    const ProgramChange rate = changeOf(two, programOf("strategy=mirrored learning-rate=0.5"));
    QCOMPARE(rate.lines, 1);
    QCOMPARE(rate.asides, 0);
    QCOMPARE(std::ranges::count(rate.changed, true), 1);
    const ProgramChange less = changeOf(two, one);
    QVERIFY(std::ranges::count(less.lessAbove, true) >= 1);
  }

  void theChangeIsSaidUntilTheNext() {
    Desk desk("one-device");
    auto* words = desk.pane->findChild<QLabel*>(QStringLiteral("programChanges"));
    const QString title = QString::fromStdString(desk.pane->program().title);
    desk.begin("mirrored");
    QTRY_VERIFY_WITH_TIMEOUT(QString::fromStdString(desk.pane->program().title) != title, kPatienceMs);
    QVERIFY2(words->isVisible() && words->text().contains(QStringLiteral("OneDevice → Mirrored")),
             qPrintable(words->text()));
    QVERIFY(words->text().contains(QStringLiteral("lines changed")));
    // One changed line is in view wherever the pane was scrolled to, even after the new run's first picture has come.
    const auto sees = [&] {
      ProgramText& text = desk.pane->text();
      const int first = text.cursorForPosition(QPoint(1, 1)).blockNumber();
      const int last = text.cursorForPosition(QPoint(1, text.viewport()->height() - 1)).blockNumber();
      for (int row = first; row <= last; ++row)
        if (const ListingRow& each = text.listing()[static_cast<std::size_t>(row)]; each.changed && !each.aside)
          return true;
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(
        desk.controller.info() && desk.controller.info()->replicas == 2 && desk.window.playback().record() != nullptr,
        kPatienceMs);
    QCoreApplication::processEvents();
    QVERIFY(sees());
    desk.window.experiment().set(QStringLiteral("learning-rate"), QStringLiteral("0.5"));
    QTRY_COMPARE_WITH_TIMEOUT(words->text(), QStringLiteral("1 lines changed"), kPatienceMs);
  }

  // Without Keras's fit, a strategy's program has a loop, and the button says so, whatever was asked for.
  void theButtonSaysWhatTheTextIs() {
    Desk desk("parameter-server");
    for (const char* strategy : {"parameter-server", "mirrored", "central-storage"}) {
      desk.begin(strategy);
      QTRY_COMPARE_WITH_TIMEOUT(
          QString::fromStdString(std::string(strategyKey(desk.window.experiment().resolved().strategy))),
          QString::fromLatin1(strategy), kPatienceMs);
      auto* fit = desk.pane->findChild<QToolButton*>(QStringLiteral("programFit"));
      auto* loop = desk.pane->findChild<QToolButton*>(QStringLiteral("programLoop"));
      QTRY_COMPARE_WITH_TIMEOUT(loop->isChecked(), desk.pane->program().loop, kPatienceMs);
      fit->click();
      QCOMPARE(loop->isChecked(), desk.pane->program().loop);
      QCOMPARE(fit->isChecked(), !desk.pane->program().loop);
    }
  }

  void whatIsCopiedIsTheProgram() {
    Desk desk;
    desk.pane->copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(desk.pane->program().text()));
    ProgramText& text = desk.pane->text();
    QTextCursor cursor(text.document()->findBlockByNumber(desk.rowOf("model.fit(")));
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    text.setTextCursor(cursor);
    QVERIFY(text.copied().startsWith(QStringLiteral("model.fit(")));
    QVERIFY(text.copied().endsWith(QStringLiteral("\nmodel.evaluate(test)")));
    QVERIFY(!text.copied().contains(QStringLiteral("▸")));
  }

  void filesAreWrittenOrItIsSaidWhyNot() {
    Desk desk;
    const QTemporaryDir folder;
    QSignalSpy said(desk.pane, &ProgramPane::said);
    desk.pane->write(folder.filePath(QStringLiteral("a.py")));
    QFile file(folder.filePath(QStringLiteral("a.py")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray::fromStdString(desk.pane->program().text()));
    QCOMPARE(said.takeFirst().at(1).toBool(), false);
    desk.pane->write(folder.filePath(QStringLiteral("none/a.ipynb")));
    QCOMPARE(said.first().at(1).toBool(), true);
    QVERIFY(said.first().at(0).toString().endsWith(QLatin1Char('.')));
  }

  // A notebook has the keys that nbformat 4.5 requires; its joined code cells are the program, which Python parses.
  void notebooksAreValid_data() { addStrategies(); }
  void notebooksAreValid() {
    QFETCH(QByteArray, strategy);
    QFETCH(bool, loop);
    const Program program = makeProgram(resolve(stageConfig(configText(strategy))), {.loop = loop});
    QJsonParseError error{};
    const QJsonObject notebook =
        QJsonDocument::fromJson(QByteArray::fromStdString(notebookOf(program, "it's.py")), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(notebook[QStringLiteral("nbformat")].toInt(), 4);
    QCOMPARE(notebook[QStringLiteral("nbformat_minor")].toInt(), 5);
    QVERIFY(notebook[QStringLiteral("metadata")].isObject());
    QSet<QString> ids;
    QStringList code;
    static const QRegularExpression kId(QStringLiteral("^[a-zA-Z0-9-_]{1,64}$"));
    for (const QJsonValue& value : notebook[QStringLiteral("cells")].toArray()) {
      const QJsonObject cell = value.toObject();
      const QString id = cell[QStringLiteral("id")].toString(), type = cell[QStringLiteral("cell_type")].toString();
      QVERIFY(kId.match(id).hasMatch() && !ids.contains(id));
      ids << id;
      QVERIFY(cell[QStringLiteral("metadata")].isObject() && cell[QStringLiteral("source")].isArray());
      QCOMPARE(cell.contains(QStringLiteral("outputs")), type == QStringLiteral("code"));
      QCOMPARE(cell.contains(QStringLiteral("execution_count")), type == QStringLiteral("code"));
      if (type != QStringLiteral("code")) continue;
      QString text;
      for (const QJsonValue& line : cell[QStringLiteral("source")].toArray()) text += line.toString();
      QCOMPARE(text.startsWith(QLatin1Char('%')) || text.startsWith(QLatin1Char('!')), program.severalTasks);
      for (const QString& line : text.split(QLatin1Char('\n')))
        if (!line.isEmpty() && !line.startsWith(QLatin1Char('%')) && !line.startsWith(QLatin1Char('!'))) code << line;
    }
    QVERIFY(ids.size() >= 12);
    QCOMPARE(code, QString::fromStdString(program.text()).split(QLatin1Char('\n'), Qt::SkipEmptyParts));
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (python.isEmpty()) QSKIP("python3 is missing: the cells were not parsed");
    QProcess process;
    process.start(python, {QStringLiteral("-c"), QStringLiteral("import ast, sys; ast.parse(sys.stdin.read())")});
    process.write(code.join(QLatin1Char('\n')).toUtf8());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(kPatienceMs));
    QCOMPARE(process.readAllStandardError(), QByteArray());
  }

  // Above the program of another strategy, the pane says that it is another's.
  void aStrategyThatTensorFlowLacksHasTheNearestsProgram() {
    for (const auto& [strategy, own] : {std::pair{"mirrored", true}, {"sharded", false}, {"gossip", false}}) {
      Desk desk(strategy);
      const auto* note = desk.window.findChild<QLabel*>(QStringLiteral("programNote"));
      QVERIFY(note != nullptr);
      QCOMPARE(note->text().contains(QStringLiteral("the program of the nearest one")), !own);
      QCOMPARE(note->isHidden(), own);
    }
  }

  void colouredWordsAreThoseOfPython() {
    using Kind = PythonWord::Kind;
    const QString line = QStringLiteral("    for x in [f\"a'{i}\", 0.001, 1e-05, None]:  # \"no\" text");
    const std::vector<PythonWord> words = pythonWords(line);
    QStringList texts;
    for (const PythonWord& word : words) texts << line.mid(word.begin, word.count);
    QCOMPARE(texts, (QStringList{QStringLiteral("for"), QStringLiteral("in"), QStringLiteral("f\"a'{i}\""),
                                 QStringLiteral("0.001"), QStringLiteral("1e-05"), QStringLiteral("None"),
                                 QStringLiteral("# \"no\" text")}));
    QCOMPARE(words[2].kind, Kind::Text);
    QCOMPARE(words.back().kind, Kind::Comment);
    QCOMPARE(pythonWords(u"a = \"not closed\\\"").back().count, qsizetype{13});
  }

  void everyColourCanBeReadOnEveryGround() {
    for (const theme::Kind kind : theme::kKinds) {
      const CodeColours code = codeColoursOf(kind);
      const double least = kind == theme::Kind::HighContrast ? 7 : theme::kLeastText;
      for (const QColor& ground : {theme::coloursOf(kind).panel, code.lit, code.pointed})
        for (const QColor& ink : {theme::coloursOf(kind).ink, code.keyword, code.text, code.number, code.comment})
          QVERIFY2(theme::contrast(ink, ground) >= least, theme::keyOf(kind));
    }
  }
};

QTEST_MAIN(TestProgramPane)
#include "tst_program_pane.moc"
