// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons as texts: the built-in ones are whole and in both languages, conditions mean what they say, and every mistake
// is named with its line.
#include <QTest>

#include <algorithm>
#include <set>

#include "core/lesson/lesson.h"

using namespace lab;

namespace {

struct Facts : FactSource {
  Fact fact(const FactCall& call) const override {
    const std::string name = call.name->name;
    if (name == "replicas") return 4.0;
    if (name == "strategy") return std::string("mirrored");
    if (name == "seen") return call.argument == "aggregate";
    if (name == "setting") return std::string("0.01");
    return {};
  }
};

const std::vector<std::string> kLines{
    "[lesson mine]",    "title: Mine",      "title[de]: Meine", "[page one]",          "title: One",
    "title[de]: Eins",  "text: {replicas}", "text[de]: Text",   "until: replicas = 4", "settings: replicas=4",
    "object: device 0", "[page two]",       "title: Two",       "title[de]: Zwei",     "text: Text",
    "text[de]: Text",   "ask: Why?",        "ask[de]: Warum?",  "right: So",           "right[de]: So",
    "wrong: No",        "wrong[de]: Nein"};

std::vector<LineProblem> problemsOf(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  std::vector<LineProblem> problems;
  (void)readLesson(text, problems);
  return problems;
}

}  // namespace

class TestLesson : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void twelveAreBuiltIn() {
    QCOMPARE(builtInLessons().size(), std::size_t{12});
    std::set<std::string> names;
    for (const Lesson& lesson : builtInLessons()) {
      QVERIFY(names.insert(lesson.name).second);
      QVERIFY2(lesson.pages.size() >= 4 && lesson.pages.size() <= 8, lesson.name.c_str());
      QVERIFY(lesson.title.others.contains("de"));
      QVERIFY(lesson.moment.settings.has_value());
      for (const LessonPage& page : lesson.pages) {
        QVERIFY2(!page.hints.empty(), page.name.c_str());
        QVERIFY2(!page.moment.empty() || page.until.empty(), page.name.c_str());
      }
    }
  }

  void conditions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("holds");
    const auto row = [](const char* text, bool holds) { QTest::newRow(text) << QString(text) << holds; };
    row("replicas = 4", true);
    row("replicas>=5", false);
    row("not replicas > 4 and strategy = mirrored", true);
    row("strategy != mirrored or seen(aggregate)", true);
    row("strategy = tpu and (seen(aggregate) or replicas = 4)", false);
    row("(not (seen(batch)))", true);
    row("setting(learning-rate) = 1e-2", true);
    row("loss < 100", false);  // not known
    row("not loss < 100", true);
  }
  void conditions() {
    QFETCH(QString, text);
    QFETCH(bool, holds);
    Message why;
    const Condition condition = Condition::parse(text.toStdString(), why);
    QVERIFY2(why.empty(), worded(why).c_str());
    QCOMPARE(condition.holds(Facts()), holds);
  }

  void badConditions() {
    for (const char* text :
         {"", "replica = 4", "replicas", "replicas = four", "seen", "seen(agregate)", "seen(aggregate) = 1",
          "strategy < tpu", "strategy = mirored", "replicas = 4 or", "(replicas = 4", "replicas = 4)", "step(1) = 2",
          "replicas = 4 step = 1", "setting(reducer) = wring", "setting(colour) = red", "shard(x) = 1", "and", "not"}) {
      Message why;
      const Condition condition = Condition::parse(text, why);
      QVERIFY2(!why.empty() && condition.empty(), text);
    }
    Message why;
    (void)Condition::parse(std::string(5000, '('), why);
    QVERIFY(!why.empty());
  }

  // A mistake on each line in turn: that line is named.
  void everyMistakeIsNamed() {
    QVERIFY(problemsOf(kLines).empty());
    for (std::size_t i = 0; i < kLines.size(); ++i) {
      std::vector<std::string> lines = kLines;
      lines[i] = lines[i].front() == '[' ? "[" + lines[i] : "x" + lines[i];
      const auto problems = problemsOf(lines);
      const auto named = [&](const LineProblem& problem) { return problem.line == static_cast<int>(i) + 1; };
      QVERIFY2(std::ranges::any_of(problems, named), lines[i].c_str());
    }
    const std::pair<int, const char*> values[]{{7, "text: {replica}"},     {7, "text:"},
                                               {9, "until: replicas = x"}, {10, "settings: replicas=none"},
                                               {11, "object: ?"},          {9, "until: answered(one)"},
                                               {19, "wrong: So"}};
    for (const auto& [line, text] : values) {
      std::vector<std::string> lines = kLines;
      lines[static_cast<std::size_t>(line) - 1] = text;
      const auto problems = problemsOf(lines);
      QVERIFY2(!problems.empty(), text);
      const int named = std::string(text).find("answered") != std::string::npos ? 4 : line == 19 ? 17 : line;
      QVERIFY2(std::ranges::any_of(problems, [&](const LineProblem& p) { return p.line == named; }), text);
    }
  }
};

QTEST_APPLESS_MAIN(TestLesson)
#include "tst_lesson.moc"
