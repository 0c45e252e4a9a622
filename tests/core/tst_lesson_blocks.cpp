// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of blocks and the moments in them: reading gives back the same, and each mistake is named with its line.
#include <QTest>

#include <string>
#include <vector>

#include "core/lesson/blocks.h"
#include "core/lesson/messages.h"
#include "core/lesson/moment.h"

using namespace lab;

class TestLessonBlocks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void entriesKeepLanguagesAndLines();
  void mistakesAreNamed_data();
  void mistakesAreNamed();
  void momentsAreReadBack();
};

void TestLessonBlocks::entriesKeepLanguagesAndLines() {
  std::vector<LineProblem> problems;
  std::vector<Block> blocks = parseBlocks(
      "# a comment\n"
      "[page slices]\r\n"
      "title: Slices\n"
      "title[de]: Teile\n"
      "text: one\n"
      "  two\n"
      "\n"
      "  three\n"
      "[end]\n",
      problems);
  QVERIFY(problems.empty());
  QCOMPARE(blocks.size(), std::size_t{2});
  QCOMPARE(blocks[0].kind, std::string("page"));
  QCOMPARE(blocks[0].name, std::string("slices"));
  QCOMPARE(blocks[0].line, 2);
  const LessonText title = blocks[0].text("title");
  QCOMPARE(title.in("en"), std::string("Slices"));
  QCOMPARE(title.in("de_AT"), std::string("Teile"));
  QCOMPARE(blocks[0].text("text").english, std::string("one\ntwo\nthree"));
  blocks[0].unread(problems);
  QVERIFY(problems.empty());
}

void TestLessonBlocks::mistakesAreNamed_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("line");
  QTest::addColumn<QByteArray>("id");
  QTest::newRow("no head") << QByteArray("title: x\n") << 1 << QByteArray("lessonNoHead");
  QTest::newRow("bad head") << QByteArray("[a]\n[page !]\n") << 2 << QByteArray("lessonBadHead");
  QTest::newRow("head not closed") << QByteArray("[page\n") << 1 << QByteArray("lessonBadHead");
  QTest::newRow("no key") << QByteArray("[a]\nhello\n") << 2 << QByteArray("lessonNoKey");
  QTest::newRow("nothing to go on") << QByteArray("[a]\n  more\n") << 2 << QByteArray("lessonNoKey");
  QTest::newRow("not UTF-8") << QByteArray("[a]\nk: \xff\n") << 1 << QByteArray("lessonNotText");
  QTest::newRow("unknown") << QByteArray("[a]\nstep: 1\ncolour: red\n") << 3 << QByteArray("lessonUnknownKey");
  QTest::newRow("twice") << QByteArray("[a]\nstep: 1\nstep: 2\n") << 3 << QByteArray("lessonTwice");
  QTest::newRow("other language") << QByteArray("[a]\nstep[de]: 2\n") << 2 << QByteArray("lessonUnknownKey");
  QTest::newRow("step") << QByteArray("[a]\nstep: -1\n") << 2 << QByteArray("lessonNumber");
  QTest::newRow("part") << QByteArray("[a]\npart: nan\n") << 2 << QByteArray("lessonNumber");
  QTest::newRow("beat") << QByteArray("[a]\nbeat: a b\n") << 2 << QByteArray("lessonName");
  QTest::newRow("settings") << QByteArray("[a]\nsettings: strategy=none\n") << 2 << QByteArray("lessonBadSettings");
  QTest::newRow("too large") << "[a]\n" + QByteArray(kMaxLessonBytes, '#') << 1 << QByteArray("lessonTooLarge");
}

void TestLessonBlocks::mistakesAreNamed() {
  QFETCH(QByteArray, text);
  QFETCH(int, line);
  QFETCH(QByteArray, id);
  std::vector<LineProblem> problems;
  for (Block& block : parseBlocks({text.data(), static_cast<std::size_t>(text.size())}, problems)) {
    readMoment(block, problems);
    block.unread(problems);
  }
  QCOMPARE(problems.size(), std::size_t{1});
  QCOMPARE(problems[0].line, line);
  QCOMPARE(QByteArray(problems[0].what.text()->id), id);
}

void TestLessonBlocks::momentsAreReadBack() {
  const std::string text =
      "settings: replicas=4&strategy=mirrored\nstep: 3\nbeat: aggregate\npart: 0.5\nobject: gradient 1\n"
      "workspace: profile\ntheme: dark\nmode: play\ntab: traceTab\n";
  std::vector<LineProblem> problems;
  std::vector<Block> blocks = parseBlocks("[moment]\n" + text, problems);
  const Moment moment = readMoment(blocks.at(0), problems);
  QVERIFY(problems.empty());
  QCOMPARE(moment.view.step, std::int64_t{3});
  QCOMPARE(moment.object, std::string("gradient 1"));
  const std::string again = momentText(moment);
  std::vector<Block> second = parseBlocks("[moment]\n" + again, problems);
  QCOMPARE(momentText(readMoment(second.at(0), problems)), again);
  QCOMPARE(again.substr(again.find('\n')), text.substr(text.find('\n')));
  QVERIFY(Moment().empty());
  QVERIFY(!moment.empty());
}

QTEST_APPLESS_MAIN(TestLessonBlocks)
#include "tst_lesson_blocks.moc"
