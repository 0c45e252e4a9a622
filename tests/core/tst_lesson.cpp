// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons as texts: the built-in ones are complete and in both languages, conditions mean what they say, and every
// mistake is named with its line.
#include <QTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/lesson/facts.h"
#include "core/lesson/lesson.h"
#include "core/lesson/messages.h"
#include "tests/support/training.h"

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

// Facts by name, each of one argument at most.
struct Told : FactSource {
  std::map<std::string, Fact> told;

  explicit Told(std::map<std::string, Fact> facts) : told(std::move(facts)) {}
  Fact fact(const FactCall& call) const override {
    const auto found = told.find(call.name->name);
    return found == told.end() ? Fact() : found->second;
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
  void fifteenAreBuiltIn() {
    QCOMPARE(builtInLessons().size(), std::size_t{15});
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

  // What a page calls the truth is that of its own settings: others do not tick it.
  void pagesAreTickedOnlyWhereTheirTruthHolds() {
    const auto ticks = [](const char* lesson, const char* page, const Told& facts) {
      const Lesson& found = *std::ranges::find(builtInLessons(), std::string(lesson), &Lesson::name);
      return std::ranges::find(found.pages, std::string(page), &LessonPage::name)->until.holds(facts);
    };
    Told barrier({{"replicas", 4.0}, {"seen", true}, {"time.straggler", 0.8}, {"setting", std::string("1:4")}});
    QVERIFY(ticks("stragglers", "one", barrier));
    barrier.told["setting"] = std::string("1:2");  // 1.8 times as long
    QVERIFY(!ticks("stragglers", "one", barrier));
    Told stale({{"replicas", 4.0},
                {"strategy", std::string("parameter-server")},
                {"staleness.highest", 12.0},
                {"setting", std::string("0:8")}});
    QVERIFY(ticks("staleness", "slow", stale));
    stale.told["setting"] = std::string();  // many equal workers
    stale.told["replicas"] = 16.0;
    QVERIFY(!ticks("staleness", "slow", stale));
    Told revived(
        {{"strategy", std::string("multi-worker-mirrored")}, {"revived", true}, {"seen", true}, {"step", 1.0}});
    QVERIFY(ticks("worker-dies", "revive", revived));
    revived.told["step"] = 11.0;  // from a backup of step 10
    QVERIFY(!ticks("worker-dies", "revive", revived));
  }

  // The handbook's example begins as the window does, with few enough digits to read them one by one.
  void theHandbooksSampleHasEightDigits() {
    for (const char* language : {"en", "de"}) {
      std::ifstream in(std::string(STRATEGYLAB_SOURCE_DIR) + "/resources/handbook/" + language + ".md");
      std::string text, line;
      while (std::getline(in, line) && line != "    [lesson mine]") continue;
      for (; line.starts_with("    "); std::getline(in, line)) text += line.substr(4) + "\n";
      std::vector<LineProblem> problems;
      const Lesson lesson = readLesson(text, problems);
      QVERIFY(problems.empty() && lesson.pages.size() == 1);
      for (const Moment* moment : {&lesson.moment, &lesson.pages.front().moment}) {
        RunSettings config = *moment->settings;
        QCOMPARE(config.dataset, std::string("digits"));
        config.steps = 1;
        QCOMPARE(test::train(config, embeddedDigits()).steps.front().examples, 8);
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
    row("loss < 100", false);  // the loss is unknown
    row("not loss < 100", true);
  }
  void conditions() {
    QFETCH(QString, text);
    QFETCH(bool, holds);
    Message why;
    const Condition condition = Condition::parse(text.toStdString(), why);
    QVERIFY2(why.empty(), format(why).c_str());
    QCOMPARE(condition.holds(Facts()), holds);
  }

  void badConditions() {
    for (const char* text : {"",
                             "replica = 4",
                             "replicas",
                             "replicas = four",
                             "seen",
                             "seen(agregate)",
                             "seen(aggregate) = 1",
                             "strategy < tpu",
                             "strategy = mirored",
                             "replicas = 4 or",
                             "(replicas = 4",
                             "replicas = 4)",
                             "step(1) = 2",
                             "replicas = 4 step = 1",
                             "killed",
                             "killed(host)",
                             "aborted = 1",
                             "setting(reducer) = wring",
                             "setting(colour) = red",
                             "shard(x) = 1",
                             "and",
                             "not"}) {
      Message why;
      const Condition condition = Condition::parse(text, why);
      QVERIFY2(!why.empty() && condition.empty(), text);
    }
    Message why;
    (void)Condition::parse(std::string(5000, '('), why);
    QVERIFY(!why.empty());
  }

  // A condition is evaluated by recursion, as deep as it has parts.
  void longConditionsAreRefused() {
    const auto text = [](int terms) {
      std::string all = "over";
      for (int i = 1; i < terms; ++i) all += " or over";
      return all;
    };
    Message why;
    const Condition many = Condition::parse(text(130'000), why);
    QVERIFY(why.is(say::lessonConditionLong));
    QVERIFY(many.empty() && !many.holds(Facts()));
    why = {};
    const Condition few = Condition::parse(text(100), why);
    QVERIFY2(why.empty(), format(why).c_str());
    QVERIFY(!few.empty() && !few.holds(Facts()));
  }

  // Faults of tasks are read, and written as they were read.
  void faultsOnTheWay() {
    const auto read = [](const std::string& value, std::vector<LineProblem>& problems) {
      Block block{.kind = "moment", .name = {}, .line = 1, .entries = {}};
      block.entries.push_back({.key = "faults", .language = {}, .value = value, .line = 7});
      return readMoment(block, problems);
    };
    std::vector<LineProblem> problems;
    const Moment moment =
        read("kill worker 1 in 3,  revive worker 1 in 6, cut worker 0 in 7, kill server 2 in 8, kill coordinator in 9",
             problems);
    QVERIFY(problems.empty());
    QCOMPARE(moment.faults.size(), std::size_t{5});
    QVERIFY((moment.faults[0] == RunFault{3, RunFault::Task::Worker, 1, RunFault::What::Kill}));
    QVERIFY((moment.faults[2] == RunFault{7, RunFault::Task::Worker, 0, RunFault::What::Freeze}));
    QVERIFY((moment.faults[3] == RunFault{8, RunFault::Task::Server, 2, RunFault::What::Kill}));
    QVERIFY((moment.faults[4] == RunFault{9, RunFault::Task::Chief, 0, RunFault::What::Kill}));
    QVERIFY(!moment.empty());
    const std::string text = momentText(moment);
    QVERIFY(text.starts_with("faults: kill worker 1 in 3, revive worker 1 in 6, cut"));
    const Moment again = read(text.substr(8, text.size() - 9), problems);
    QVERIFY(problems.empty());
    QVERIFY(again.faults == moment.faults);
    const Moment often = read("cut worker 1 in 13, revive worker 1 in 13 every 10", problems);
    QVERIFY(problems.empty());
    QCOMPARE(often.faults.back().every, std::int64_t{10});
    QCOMPARE(momentText(often), std::string("faults: cut worker 1 in 13, revive worker 1 in 13 every 10\n"));
    for (const char* bad : {"kill worker 1 in 3 every 10", "revive worker 1 in 3 every", "revive worker 1 in 3 every 0",
                            "revive worker 1 in 3 each 10", "kill", "kill worker in 3", "stop worker 1 in 3",
                            "kill host 1 in 3", "kill worker -1 in 3", "kill worker 1 in 0", "kill worker 1 at 3", ",",
                            "kill worker 1 in 3 4", "kill worker 1 in 99999999999999999999"}) {
      problems.clear();
      (void)read(bad, problems);
      QVERIFY2(!problems.empty() && problems.front().line == 7, bad);
    }
  }

  void wrongLossesAreRead() {
    const auto read = [](const std::string& value, std::vector<LineProblem>& problems) {
      Block block{.kind = "moment", .name = {}, .line = 1, .entries = {}};
      block.entries.push_back({.key = "losses", .language = {}, .value = value, .line = 7});
      return readMoment(block, problems);
    };
    std::vector<LineProblem> problems;
    const Moment moment = read("wrong", problems);
    QVERIFY(problems.empty() && moment.view.wrongLosses && !moment.empty());
    QCOMPARE(momentText(moment), std::string("losses: wrong\n"));
    QVERIFY(!read("right", problems).view.wrongLosses);
    QVERIFY(problems.size() == 1 && problems.front().line == 7);
  }

  // A revision covers what a page asks for, not its words.
  void aPageHasARevision() {
    const auto revision = [](std::size_t line, const char* text) {
      std::vector<std::string> lines = kLines;
      lines[line - 1] = text;
      std::string all;
      for (const std::string& each : lines) all += each + "\n";
      std::vector<LineProblem> problems;
      const Lesson lesson = readLesson(all, problems);
      return std::pair(lesson.pages.at(0).revision, lesson.pages.at(1).revision);
    };
    const auto as = revision(5, "title: One");
    QVERIFY(revision(5, "title: Uno") == as);
    QVERIFY(revision(4, "[page uno]") == as);
    QVERIFY(revision(19, "right: So it is") == as);
    QVERIFY(revision(9, "until: replicas = 8").first != as.first);
    QVERIFY(revision(9, "until: replicas = 8").second == as.second);
  }

  // The argument is neither a name nor a file: the message lists the names, and says how to give a file.
  void anUnknownLessonNamesThoseThatAre() {
    try {
      (void)openLesson("/nowhere/ringg");
      QFAIL("it was opened");
    } catch (const UserError& error) {
      const std::string said = error.what();
      for (const char* part : {"'/nowhere/ringg'", "one-program, slices", "worker-dies", ".lesson"})
        QVERIFY2(said.find(part) != std::string::npos, said.c_str());
    }
  }

  // What is wrong with each text in each language, or with each of very many lines, would take all memory or all day.
  void onlyTheFirstProblemsAreNamed() {
    std::vector<std::string> lines{"[lesson mine]", "title: Mine"};
    for (int i = 0; i < 20'000; ++i) lines.push_back("title[l" + std::to_string(i) + "]: M");
    const std::vector<std::string> page{"[page one]", "title: One", "text: {replicas}", "until: replicas = 4"};
    lines.insert(lines.end(), page.begin(), page.end());
    for (int i = 0; i < 20'000; ++i) lines.push_back("hint: H");
    const auto languages = problemsOf(lines);
    QCOMPARE(languages.size(), std::size_t{1});
    QVERIFY(languages.front().what.is(say::lessonLanguages) && languages.front().line == 1);
    // Few languages, in which all hints are missing.
    lines.erase(lines.begin() + 42, lines.begin() + 20'002);
    const auto missing = problemsOf(lines);
    QVERIFY(missing.size() >= kMostProblems && missing.size() < 2 * kMostProblems);
    QVERIFY(missing.back().what.is(say::lessonLanguage));
    // Keys that are not known, or come twice; and lines and values that mean nothing.
    for (const char* line : {"x: y", "title: y", "nothing", "hint: {x}{y}{z}"}) {
      std::vector<std::string> many = kLines;
      many.insert(many.begin() + 9, 60'000, line);
      const auto problems = problemsOf(many);
      QVERIFY2(problems.size() >= kMostProblems && problems.size() < 2 * kMostProblems, line);
    }
  }

  // Puts a mistake on each line in turn; the message must name that line.
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
