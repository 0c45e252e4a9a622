// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=20
// Gallery, glossary, quiz and moments: the shipped ones are complete in both languages, and every "Show me" leads to a
// moment that proves its claim, read from the scene's items. Driven by clicks and keys, as a user would.
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/config/choices.h"
#include "core/hardware/catalogue.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "tests/support/patience.h"
#include "tests/support/written_numbers.h"
#include "tests/ui/small_config.h"
#include "tests/ui/stage_fixture.h"
#include "ui/compare/compare_view.h"
#include "ui/frame/on_demand.h"
#include "ui/guide/gallery_view.h"
#include "ui/guide/glossary_view.h"
#include "ui/guide/lesson_view.h"
#include "ui/guide/moments.h"
#include "ui/guide/moments_view.h"
#include "ui/guide/order_list.h"
#include "ui/guide/quiz_view.h"
#include "ui/guide/reading_area.h"
#include "ui/guide/spotlight.h"
#include "ui/guide/wrapped.h"
#include "ui/help/class_plans.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/i18n/written_words.h"
#include "ui/playback/captions.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/step/object_name.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_view.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

struct Desk {
  QSettings settings;
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  explicit Desk(const QTemporaryDir& folder)
      : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    window.resize(1280, 720);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(test::smallConfig());
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
  }
  template <typename View>
  View& view(const char* tab) {
    window.panels().openTab(QLatin1String(tab));
    QCoreApplication::processEvents();  // lays the tab out
    return static_cast<View&>(window.panels().tab(QLatin1String(tab))->content());
  }
  template <typename Part>
  Part& part(const char* name) {
    return *window.findChild<Part*>(QLatin1String(name));
  }
  void click(const char* name) { QTest::mouseClick(&part<QPushButton>(name), Qt::LeftButton); }

  const StepRecord& record() { return *window.playback().record(); }
  const Scene& scene() {
    window.stage().grab();
    return window.stage().scene();
  }
  QString caption() { return window.playback().story().captionAt(window.playback().seconds()); }
  QString beat() {
    const Story& story = window.playback().story();
    if (story.beats.empty()) return {};
    return QLatin1String(beatKey(story.beats[story.beatAt(window.playback().seconds())].kind));
  }
  // Returns whether the window arrives where the moment leads, and nowhere else.
  bool arrives(const Moment& moment) {
    const std::int64_t step = moment.view.step == 0 && moment.settings ? 1 : moment.view.step;
    const auto settled = [&] {
      const Playback& playback = window.playback();
      if (!playback.record() || playback.wantedStep() != playback.step()) return false;
      if (moment.settings &&
          configToJson(withoutOutputs(window.experiment().asked())) != configToJson(*moment.settings))
        return false;
      if (step == 0) return true;
      if (playback.step() != step) return false;
      for (const Beat& each : playback.story().beats)
        if (moment.view.beat == beatKey(each.kind))
          return std::abs(playback.seconds() - (each.beginS + moment.view.part * (each.endS - each.beginS))) < 1e-6;
      return moment.view.beat.empty();
    };
    const auto object = objectNamed(moment.object);
    const auto isThere = [&] { return settled() && (!object || window.selection().pinned() == *object); };
    if (QTest::qWaitFor(isThere, kPatienceMs)) return true;
    const Playback& playback = window.playback();
    qWarning() << "at step" << playback.step() << "of wanted" << playback.wantedStep() << "trained"
               << playback.liveStep() << "beat" << beat() << "second" << playback.seconds() << "selected"
               << lab::objectName(window.selection().pinned()).c_str() << "run" << static_cast<int>(controller.state())
               << controller.failure();
    return false;
  }
  // Returns whether the named object is on the stage and can be seen.
  bool shows(const std::string& name) {
    const auto object = objectNamed(name);
    if (!object) return name.empty();
    return std::ranges::any_of(scene().items,
                               [&](const Item& item) {
                                 return item.object == *object && item.opacity > 0.05 && !item.box.isEmpty();
                               }) ||
           (object->kind == Object::Kind::Link && std::ranges::any_of(scene().items, [&](const Item& item) {
              return item.object == *object && !item.path.isEmpty();
            }));
  }
  bool reads(const QString& words) {
    return std::ranges::any_of(scene().items,
                               [&](const Item& item) { return item.opacity > 0.05 && item.text.contains(words); });
  }
  // Returns whether the inspector has a row with this value that can be seen.
  bool inspects(const QString& value) {
    window.refreshAll();
    const auto rows = window.findChildren<QLabel*>(QStringLiteral("rowValue"));
    return std::ranges::any_of(rows, [&](const QLabel* row) { return row->isVisible() && row->text() == value; });
  }
  int count(Item::Shape shape, int owner) {
    return static_cast<int>(std::ranges::count_if(scene().items, [&](const Item& item) {
      return item.shape == shape && item.owner == owner && item.opacity > 0.05;
    }));
  }
  bool shares(const std::vector<std::int64_t>& sizes) {
    if (record().metric.shards != sizes) return false;
    for (std::size_t r = 0; r < sizes.size(); ++r)  // and the stage has the images in the trays
      if (count(Item::Shape::Digit, static_cast<int>(r)) != sizes[r]) return false;
    return true;
  }
};

// Returns the moment on the embedded digits, whatever data sets this machine has.
Moment onDigits(Moment moment) {
  if (moment.settings) moment.settings->dataset = "digits";
  return moment;
}

bool computes(Desk& desk, int replica) {
  return std::ranges::any_of(desk.scene().items, [replica](const Item& item) {
    return item.shape == Item::Shape::Layer && item.owner == replica && item.glow > 0;
  });
}

// Returns whether no two replicas have an image in common.
bool differ(Desk& desk) {
  std::set<std::int64_t> seen;
  for (const Item& item : desk.scene().items)
    if (item.shape == Item::Shape::Digit && !seen.insert(item.example).second) return false;
  return seen.size() == static_cast<std::size_t>(desk.record().metric.examples);
}

bool copiesAgree(Desk& desk, std::size_t copies, const QString& version) {
  std::set<int> found;  // replicas: while copies are compared, a version's name also stands above the equation
  for (const Item& item : desk.scene().items)
    if (item.shape == Item::Shape::Weights && item.object.kind == Object::Kind::Weights && item.text == version)
      found.insert(item.object.endpoint);
  return found.size() == copies && desk.record().metric.mirrorsIdentical == true;
}

// Returns whether the optimizer used the sum of all replicas' gradients.
bool gradientsAreAdded(Desk& desk) {
  const StepRecord& record = desk.record();
  for (std::size_t i = 0; i < record.gradients.size(); i += 997) {
    double sum = 0;
    for (const ReplicaStep& replica : record.replicas) sum += static_cast<double>(replica.gradients[i]);
    if (std::abs(sum - static_cast<double>(record.gradients[i])) > 1e-5) return false;
  }
  return true;
}

// Returns whether weights are sent only after all parts have been updated, as many bytes as sums before; both together
// are as many bytes as a ring's all-reduce of all weights.
bool weightsAreGathered(const StepRecord& record) {
  std::int64_t sums = 0, weights = 0, updatedNs = 0, firstNs = std::numeric_limits<std::int64_t>::max();
  for (const Span& span : record.spans) {
    if (span.kind == SpanKind::Update) updatedNs = std::max(updatedNs, span.startNs + span.durationNs);
    if (span.kind != SpanKind::Transfer || span.step != record.metric.step) continue;
    (span.add ? sums : weights) += span.bytes;
    if (!span.add) firstNs = std::min(firstNs, span.startNs);
  }
  const auto all = 4 * std::ssize(record.weightsAfter);
  return sums == weights && sums + weights == 2 * 3 * all && firstNs >= updatedNs;
}

// Returns whether, with equal shares, every copy is the plain mean of the copies before.
bool weightsAreAveraged(Desk& desk) {
  const StepRecord& record = desk.record();
  if (!record.averagesWeights() || record.metric.mirrorsIdentical != true) return false;
  for (std::size_t i = 0; i < record.weightsAfter.size(); i += 997) {
    double sum = 0;
    for (const ReplicaStep& replica : record.replicas) sum += static_cast<double>(replica.ownWeights[i]);
    const double mean = sum / static_cast<double>(record.replicas.size());
    if (std::abs(mean - static_cast<double>(record.weightsAfter[i])) > 1e-6) return false;
  }
  return true;
}

// Returns whether, on a ring, a copy becomes a third of itself and of each neighbour, less its own update; so the mean
// of all copies moves by the mean of all updates.
bool neighboursAreAveraged(Desk& desk) {
  const StepRecord& record = desk.record();
  const std::vector<ReplicaStep>& all = record.replicas;
  const std::size_t n = all.size();
  if (!record.averagesWeights() || record.metric.mirrorsIdentical) return false;
  for (const Span& span : record.spans)
    if (span.kind == SpanKind::Transfer && span.step == record.metric.step &&
        (span.to - span.from + static_cast<int>(n)) % static_cast<int>(n) != 1 &&
        (span.from - span.to + static_cast<int>(n)) % static_cast<int>(n) != 1)
      return false;
  for (std::size_t i = 0; i < record.weightsAfter.size(); i += 997) {
    double before = 0, after = 0, update = 0;
    for (std::size_t r = 0; r < n; ++r) {
      const auto had = [&](std::size_t of) { return static_cast<double>(all[of % n].ownWeights[i]); };
      const auto is = static_cast<double>((r == 0 ? record.weightsAfter : all[r].weightsAfter)[i]);
      const double step = record.metric.learningRate * static_cast<double>(all[r].gradients[i]);
      if (std::abs((had(r + n - 1) + had(r) + had(r + 1)) / 3 - step - is) > 1e-6) return false;
      before += had(r), after += is, update += step;
    }
    if (std::abs(before - update - after) > 1e-6) return false;
  }
  return true;
}

bool isSlowerThanOne(Desk& desk) {
  const auto one = test::recordSteps(test::stageConfig(QStringLiteral("strategy=one-device global-batch=64")), 2);
  const StepRecord& alone = *one.steps[1];
  return desk.record().endNs - desk.record().beginNs > alone.endNs - alone.beginNs;
}

bool startsInOrder(Desk& desk) {
  QStringList lines;
  for (const Item& item : desk.scene().items)
    if (item.shape == Item::Shape::Text &&
        (item.text.startsWith(QChar(0x2713)) || item.text.startsWith(QStringLiteral("    "))))
      lines << item.text.mid(1).trimmed();
  const auto at = [&](const char* word) {
    for (int i = 0; i < lines.size(); ++i)
      if (lines[i].contains(QLatin1String(word), Qt::CaseInsensitive)) return i;
    return -1;
  };
  const bool some = desk.reads(QString(QChar(0x2713)));
  if (at("resolve") < 0 || at("connect") <= at("resolve") || at("initialise") <= at("connect"))
    qWarning("%s", qPrintable(lines.join(QStringLiteral(" | "))));
  return some && at("resolve") >= 0 && at("connect") > at("resolve") && at("initialise") > at("connect");
}

// What each question's moment must prove, apart from its beat and its object.
const std::map<std::string, std::function<bool(Desk&)>>& proofs() {
  static const std::map<std::string, std::function<bool(Desk&)>> all{
      {"data-parallelism",
       [](Desk& d) {
         return d.shares({8, 8, 8, 8}) && differ(d);
       }},
      {"modes", [](Desk& d) { return computes(d, 0) && computes(d, 1); }},
      {"mirrored-tpu", [](Desk& d) { return copiesAgree(d, 8, weightsName(1)); }},
      {"convert",
       [](Desk& d) {
         return d.shares({64, 64}) && d.record().metric.examples == 128;
       }},
      {"custom-loop",
       [](Desk& d) {
         return d.shares({4, 4, 2}) && d.inspects(QStringLiteral("1/10"));
       }},
      {"tpu-order", startsInOrder},
      {"per-replica",
       [](Desk& d) {
         return d.shares({24, 24, 24, 24});
       }},
      {"uneven",
       [](Desk& d) {
         return d.shares({4, 4, 2}) && d.reads(QStringLiteral("4, 4, 2"));
       }},
      {"empty",
       [](Desk& d) {
         const auto& gradients = d.record().replicas[3].gradients;
         const bool isSeen = std::ranges::any_of(d.scene().items,
                                                 [](const Item& item) { return item.text == QStringLiteral("zeros"); });
         return isSeen && d.shares({2, 2, 1, 0}) && std::ranges::all_of(gradients, [](float g) { return g == 0; });
       }},
      {"what-is-added",
       [](Desk& d) {
         const auto isToken = [](const Item& item) { return item.shape == Item::Shape::Token && item.bytes > 0; };
         return std::ranges::any_of(d.scene().items, isToken) && gradientsAreAdded(d);
       }},
      {"copies", [](Desk& d) { return copiesAgree(d, 4, weightsName(2)); }},
      {"ring-hops", [](Desk& d) { return d.reads(QStringLiteral("3 hops add, 3 hops pass")); }},
      {"straggler",
       [](Desk& d) {
         for (const int replica : {0, 2, 3})
           if (d.count(Item::Shape::Hatch, replica) != 1) return false;
         return d.count(Item::Shape::Hatch, 1) == 0 && computes(d, 1);
       }},
      {"ps-sync",
       [](Desk& d) {
         return d.record().metric.worker.has_value() && d.caption().contains(QStringLiteral("are applied"));
       }},
      {"staleness", [](Desk& d) { return d.record().metric.staleness == 7 && d.count(Item::Shape::Bar, -1) > 0; }},
      {"server-load", [](Desk& d) { return d.reads(QStringLiteral("99.9")); }},
      {"central",
       [](Desk& d) {
         return d.reads(QStringLiteral("CPU:0")) && d.shows("weights 4") && d.beat() == QStringLiteral("pull");
       }},
      {"slower",
       [](Desk& d) {
         // The trace has room for its tracks where the stage is not.
         return d.record().metric.shards == std::vector<std::int64_t>(8, 8) && isSlowerThanOne(d) &&
                d.window.workspaces().current() == WindowLayout::Profile &&
                d.window.findChild<TraceView*>()->isVisible();
       }},
      {"loss-division",
       [](Desk& d) {
         return d.shares({8, 8}) && d.inspects(QStringLiteral("1/16"));
       }},
      {"linear-rule",
       [](Desk& d) { return d.record().metric.learningRate == 0.2 && d.inspects(QStringLiteral("0.2")); }},
      {"tf-config",
       [](Desk& d) { return d.shows("host 0") && d.shows("host 1") && d.reads(QStringLiteral("TF_CONFIG")); }},
      {"auto-reducer",
       [](Desk& d) { return d.controller.info()->reducer == "ring" && d.reads(QStringLiteral("as a ring")); }},
      {"sharded",
       [](Desk& d) {
         return d.shares({8, 8, 8, 8}) && d.beat() == QStringLiteral("gather") && weightsAreGathered(d.record());
       }},
      {"local-sgd",
       [](Desk& d) {
         return d.shares({8, 8, 8, 8}) && weightsAreAveraged(d);
       }},
      {"gossip",
       [](Desk& d) {
         return d.shares({8, 8, 8, 8, 8, 8, 8, 8}) && neighboursAreAveraged(d);
       }},
  };
  return all;
}

std::vector<Block> blocksOf(const char* file, std::vector<LineProblem>& problems) {
  std::ifstream in(std::string(STRATEGYLAB_SOURCE_DIR) + "/resources/guide/" + file, std::ios::binary);
  return parseBlocks(std::string{std::istreambuf_iterator<char>(in), {}}, problems);
}

// Counts how often an area's content gets another size. An area that never comes to rest would keep the test in Qt's
// queue of events for ever, so after too many times its bar stays.
class Restlessness final : public QObject {
 public:
  static constexpr int kMost = 20;
  Restlessness(QScrollArea& area, QWidget& content) : QObject(&content), area_(area) {
    content.installEventFilter(this);
  }
  bool isTooMuch() const { return times_ > kMost; }
  void startAgain() { times_ = 0; }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Resize && ++times_ == kMost + 1)
      QMetaObject::invokeMethod(
          &area_, [this] { area_.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); }, Qt::QueuedConnection);
    return false;
  }

 private:
  QScrollArea& area_;
  int times_ = 0;
};

}  // namespace

class TestGuide : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { language::use(QStringLiteral("en")); }

  // Each file by itself has no mistake, every text in German, only names known to the window, and only possible
  // settings.
  void whatShipsIsWhole() {
    const QTemporaryDir folder;
    Desk desk(folder);
    std::vector<LineProblem> problems;
    const auto gallery = readGallery(blocksOf("gallery.txt", problems), problems);
    const auto glossary = readGlossary(blocksOf("glossary.txt", problems), problems);
    const auto quiz = readQuiz(blocksOf("quiz.txt", problems), problems);
    for (const LineProblem& problem : problems) qWarning("line %d: %s", problem.line, format(problem.what).c_str());
    QVERIFY(problems.empty());
    QVERIFY(gallery.size() >= 20 && glossary.size() >= 40 && quiz.size() >= 20);
    QCOMPARE(gallery.size(), shippedGallery().size());
    QCOMPARE(glossary.size(), shippedGlossary().size());
    QCOMPARE(quiz.size(), shippedQuiz().size());
    std::set<std::string> names;
    const auto check = [&](const std::string& name, const Moment& moment) {
      QVERIFY2(names.insert(name).second, name.c_str());
      const QString unknown = WindowView::unknownIn(moment, desk.window.panels().tabNames());
      QVERIFY2(unknown.isEmpty(), (name + ": " + unknown.toStdString()).c_str());
      if (!moment.settings) return;
      (void)resolve(onDigits(moment).settings.value());
      // With AUTO a machine's GPUs would be taken, and the texts are about simulated devices.
      QVERIFY2(moment.settings->devices == DeviceChoice::Simulated, name.c_str());
    };
    // Trace and What if alone are the matter there, so their workspace comes with them.
    const auto inProfile = [](const Moment& moment) {
      return (moment.tab != "traceTab" && moment.tab != "whatIfTab") || moment.view.layout == "profile";
    };
    for (const auto& each : gallery) QVERIFY2(inProfile(each.moment), each.name.c_str());
    for (const auto& each : glossary) QVERIFY2(inProfile(each.moment), each.name.c_str());
    for (const auto& each : gallery) check("experiment " + each.name, each.moment);
    for (const auto& each : glossary) check("term " + each.name, each.moment);
    for (const auto& each : quiz) check("question " + each.name, each.moment);
    std::vector<Block> classes = blocksOf("classes.txt", problems), stations = classes;
    std::erase_if(classes, [](const Block& block) { return block.kind != "class"; });
    std::erase_if(stations, [](const Block& block) { return block.kind != "station"; });
    const auto plans = readClassPlans(classes, stations, problems);
    for (const LineProblem& problem : problems) qWarning("line %d: %s", problem.line, format(problem.what).c_str());
    QVERIFY(problems.empty());
    QCOMPARE(plans.size(), std::size_t{3});
    QCOMPARE(shippedClasses().size(), std::size_t{3});
    for (const ClassPlan& plan : plans) {
      QVERIFY2(plan.stations.size() >= 6 && plan.stations.front().minute == 0, plan.name.c_str());
      for (const ClassStation& station : plan.stations) check(plan.name + station.title.english, station.moment);
    }
    for (const char* file : {"gallery.txt", "glossary.txt", "quiz.txt", "classes.txt"}) {
      for (Block& block : blocksOf(file, problems)) {
        for (const char* key : {"title", "shows", "term", "text", "ask", "why", "slide", "look", "right", "wrong",
                                "because", "about", "say", "answer", "seen"})
          for (const Block::Entry* entry : block.all(key)) {
            const bool isNumber = QString::fromStdString(entry->value).toDouble() != 0 || entry->value == "0";
            QVERIFY2(isNumber || block.textFrom(*entry).others.contains("de"),
                     (std::string(file) + ":" + std::to_string(entry->line)).c_str());
          }
      }
    }
  }

  void wordsFollowTheLanguage() {
    const LessonText& title = shippedGallery().front().title;
    QCOMPARE(writtenWords(title), QString::fromStdString(title.english));
    language::use(QStringLiteral("de"));
    QCOMPARE(writtenWords(title), QString::fromStdString(title.in("de")));
    QVERIFY(writtenWords(title) != QString::fromStdString(title.english));
    language::use(QStringLiteral("en"));
  }

  void mistakesAreNamedWithTheirLine() {
    std::vector<LineProblem> problems;
    (void)readQuiz(
        parseBlocks("[question a]\nkind: many\nask: A\nright: b\nwrong: c\nwhy: e\nlook: f\nstep: 1\nodd: 1\n",
                    problems),
        problems);
    QCOMPARE(problems.size(), std::size_t{3});
    QCOMPARE(problems[0].line, 2);  // no such kind
    QCOMPARE(problems[1].line, 1);  // a wrong answer without a 'because'
    QCOMPARE(problems[2].line, 9);
    problems.clear();
    (void)readGallery(parseBlocks("[experiment a]\ntitle: A\n", problems), problems);
    QCOMPARE(problems.size(), std::size_t{2});  // 'shows' and settings are missing
    problems.clear();
    (void)readClassPlans(
        parseBlocks("[class a]\ntitle: A\nabout: B\n", problems),
        parseBlocks("[station b]\nof: a\nminute: 9\ntitle: T\nsay: S\nanswer: A\nseen: E\n[station c]\nof: a\nminute: "
                    "7\ntitle: T\nsay: S\nanswer: A\n[station d]\nof: b\n",
                    problems),
        problems);
    QCOMPARE(problems.size(), std::size_t{3});
    QCOMPARE(problems[0].line, 10);  // earlier than the station above
    QCOMPARE(problems[1].line, 8);   // 'seen' is missing
    QCOMPARE(problems[2].line, 15);  // belongs to no class
  }

  void everyQuestionIsProved_data() {
    QTest::addColumn<int>("number");
    for (std::size_t i = 0; i < shippedQuiz().size(); ++i)
      QTest::newRow(shippedQuiz()[i].name.c_str()) << static_cast<int>(i);
    QCOMPARE(proofs().size(), shippedQuiz().size());
  }
  // Clicks "Tell me", then "Show me".
  void everyQuestionIsProved() {
    QFETCH(int, number);
    const QTemporaryDir folder;
    Desk desk(folder);
    const QuizQuestion& question = shippedQuiz()[static_cast<std::size_t>(number)];
    auto& quiz = desk.view<QuizView>("quizTab");
    quiz.go(static_cast<std::size_t>(number));
    QVERIFY(!desk.part<QPushButton>("quizShow").isEnabled());
    desk.click("quizGiveUp");
    desk.click("quizShow");
    QVERIFY(desk.arrives(question.moment));
    QCOMPARE(desk.beat(), QString::fromStdString(question.moment.view.beat));
    QVERIFY(!question.moment.object.empty() || question.name == "tpu-order");
    QVERIFY2(desk.shows(question.moment.object), question.moment.object.c_str());
    const auto proof = proofs().find(question.name);
    QVERIFY2(proof != proofs().end(), question.name.c_str());
    QVERIFY(proof->second(desk));
    // The handle that slows a device down would cover the images: only a device that a person selects has it.
    const Object& shown = desk.window.selection().pinned();
    Stage& stage = desk.window.stage();
    if (shown.kind != Object::Kind::Device || shown.endpoint >= desk.controller.info()->replicas || !stage.isVisible())
      return;
    QSignalSpy slowed(&stage, &Stage::slowdownWanted);
    const QPointF tray = stage.layout().columnOf(shown.endpoint).tray.topLeft();
    QTest::mouseClick(&stage, Qt::LeftButton, {}, (tray + QPointF(4, 4)).toPoint());
    QVERIFY(slowed.isEmpty());
  }

  void everyExperimentOpens() {
    const QTemporaryDir folder;
    Desk desk(folder);
    WindowView lead(desk.window);
    for (const GalleryEntry& entry : shippedGallery()) {
      const Moment moment = onDigits(entry.moment);
      lead.show(moment);
      QVERIFY2(desk.arrives(moment), entry.name.c_str());
      if (!moment.view.beat.empty()) QCOMPARE(desk.beat(), QString::fromStdString(moment.view.beat));
      QVERIFY2(desk.shows(moment.object), (entry.name + ": " + moment.object).c_str());
      QVERIFY2(desk.controller.info() != nullptr, entry.name.c_str());
      // Full trays wait for nothing.
      if (moment.view.beat == beatKey(BeatKind::Distribute) && moment.view.part > 0.95)
        QVERIFY2(!desk.reads(QStringLiteral("waits for")), entry.name.c_str());
    }
  }

  // Comparing shows more stages with the same selection: a replica that only the new run has stays selected.
  void whatOnlyTheNewRunHasStaysSelected() {
    const QTemporaryDir folder;
    Desk desk(folder);
    WindowView lead(desk.window);
    Moment moment;
    moment.settings = test::smallConfig();
    moment.settings->replicas = 4;
    moment.compare = {StrategyKind::OneDevice};
    lead.show(moment);
    QVERIFY(desk.arrives(moment));
    QVERIFY(
        QTest::qWaitFor([&] { return desk.window.centre().comparison()->lanes().lockstep().isInStep(); }, kPatienceMs));
    for (const int replicas : {2, 4}) {
      moment.settings->replicas = replicas;
      moment.object = "device " + std::to_string(replicas - 1);
      lead.show(moment);
      QVERIFY(desk.arrives(moment));
    }
  }

  // A moment that shows the stage comes back from a workspace to which the moment before had led, and stays in the one
  // that a person has chosen, unless the stage is not there, or not alone.
  void theStageComesBackAfterATrace() {
    const QTemporaryDir folder;
    Desk desk(folder);
    WindowView lead(desk.window);
    const auto leadTo = [&](const char* name) {
      const auto term = std::ranges::find(shippedGlossary(), name, &GlossaryTerm::name);
      const Moment moment = onDigits(term->moment);
      lead.show(moment);
      return desk.arrives(moment);
    };
    for (const WindowLayout chosen : {WindowLayout::Teach, WindowLayout::Explore}) {
      desk.window.workspaces().choose(chosen);
      QVERIFY(leadTo("prefetch"));
      QCOMPARE(desk.window.workspaces().current(), WindowLayout::Profile);
      QVERIFY(leadTo("learning-rate-rule"));
      QCOMPARE(desk.window.workspaces().current(), chosen);
    }
    for (const WindowLayout chosen : {WindowLayout::Compare, WindowLayout::Sweep, WindowLayout::Profile}) {
      desk.window.workspaces().choose(chosen);
      QVERIFY(leadTo("learning-rate-rule"));
      QCOMPARE(desk.window.workspaces().current(), WindowLayout::Teach);
      QCOMPARE(desk.window.workspaces().chosen(), chosen);
    }
  }

  // A class is begun by clicks and gone through with a presenter's keys: each station is where the script says.
  void everyStationOfAClassIsReached_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const ClassPlan& plan : shippedClasses()) QTest::newRow(plan.name.c_str()) << index++;
  }
  void everyStationOfAClassIsReached() {
    QFETCH(int, index);
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    desk.click("momentAdd");
    desk.click("momentClass");
    auto* menu = desk.window.findChild<QMenu*>(QStringLiteral("momentClasses"));
    QVERIFY(menu != nullptr && menu->isVisible());
    QAction* choice = menu->actions()[index];
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(choice).center());
    const auto& stations = shippedClasses()[static_cast<std::size_t>(index)].stations;
    QCOMPARE(desk.part<OrderList>("momentList").count(), static_cast<int>(stations.size()));
    QVERIFY(desk.part<QTextEdit>("momentNote").toPlainText().contains(QString::fromStdString(stations[0].say.english)));
    for (std::size_t i = 0; i < stations.size(); ++i) {
      if (i > 0) {
        desk.part<OrderList>("momentList").setCurrentRow(static_cast<int>(i));
        desk.click("momentShow");
      }
      const Moment& moment = stations[i].moment;
      QVERIFY2(desk.arrives(moment), stations[i].title.english.c_str());
      if (!moment.view.beat.empty()) QCOMPARE(desk.beat(), QString::fromStdString(moment.view.beat));
      QVERIFY2(desk.shows(moment.object), stations[i].title.english.c_str());
      if (!moment.question.empty()) {
        auto& quiz = desk.part<QuizView>("quiz");
        QVERIFY(quiz.isVisible());
        QCOMPARE(shippedQuiz()[quiz.present()].name, moment.question);
      }
      desk.window.panels().openTab(QStringLiteral("momentsTab"));
    }
    // The list is kept with the experiment, including what is said, and the list from before comes back.
    QVERIFY(desk.bench.document().text().contains(QByteArray::fromStdString(stations[1].answer.english)));
    desk.part<OrderList>("momentList").setCurrentRow(0);
    desk.click("momentClass");
    menu = desk.window.findChildren<QMenu*>(QStringLiteral("momentClasses")).last();
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions()[index]).center());
    QAbstractButton* back = nullptr;
    for (auto* button : desk.window.findChildren<QAbstractButton*>(QStringLiteral("remedy")))
      if (button->isVisible()) back = button;
    QVERIFY(back != nullptr);
    back->click();
    QCOMPARE(desk.part<OrderList>("momentList").count(), static_cast<int>(stations.size()));
  }

  // After a click on Next, Space plays, as the page often says; after moving to the button with Tab, Space presses it.
  void spacePlaysAfterAClick() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& lessons = desk.view<LessonView>("lessonsTab");
    QVERIFY(lessons.beginNamed(QString::fromStdString(builtInLessons().front().name)));
    QVERIFY(desk.arrives(builtInLessons().front().moment));
    desk.click("lessonNext");
    QCOMPARE(lessons.page(), 1);
    QWidget* focus = QApplication::focusWidget();
    QCOMPARE(focus->objectName(), QStringLiteral("lessonNext"));
    QTest::keyClick(focus, Qt::Key_Space);
    QCOMPARE(lessons.page(), 1);
    QVERIFY(desk.window.playback().isPlaying());
    QTest::keyClick(focus, Qt::Key_Space);
    QVERIFY(!desk.window.playback().isPlaying());
    QTest::keyClick(focus, Qt::Key_Backtab);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), focus);
    QTest::keyClick(focus, Qt::Key_Space);
    QCOMPARE(lessons.page(), 2);
  }

  // In a window with room for one side, a moment's tab takes the list's place, and the next moment brings the list
  // back.
  void theListComesBackAfterAMomentsTab() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    desk.click("momentClass");
    auto* menu = desk.window.findChild<QMenu*>(QStringLiteral("momentClasses"));
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions()[0]).center());
    const auto& stations = shippedClasses()[0].stations;
    const auto at = static_cast<std::size_t>(
        std::ranges::find_if(stations, [](const ClassStation& each) { return !each.moment.question.empty(); }) -
        stations.begin());
    QVERIFY(at + 1 < stations.size() && stations[at + 1].moment.tab.empty());
    auto& list = desk.part<OrderList>("momentList");
    list.setCurrentRow(static_cast<int>(at));
    desk.click("momentShow");
    QVERIFY(!list.isVisible() && desk.part<QuizView>("quiz").isVisible());
    QStringList words;
    for (auto* label : desk.window.findChildren<QLabel*>())
      if (label->isVisible()) words << label->text();
    const QString ask = QString::fromStdString(stations[at].say.english);
    QVERIFY(std::ranges::any_of(words, [&](const QString& each) { return each.contains(ask); }));
    for (auto* button : desk.window.findChildren<QAbstractButton*>(QStringLiteral("remedy")))
      if (button->isVisible()) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(desk.arrives(stations[at + 1].moment));
    QVERIFY(list.isVisible());
    QCOMPARE(list.currentRow(), static_cast<int>(at + 1));
  }

  void everyTermIsShown() {
    const QTemporaryDir folder;
    Desk desk(folder);
    WindowView lead(desk.window);
    for (const GlossaryTerm& term : shippedGlossary()) {
      const Moment moment = onDigits(term.moment);
      lead.show(moment);
      QVERIFY2(desk.arrives(moment), term.name.c_str());
      if (!moment.view.beat.empty())
        QVERIFY2(desk.beat() == QString::fromStdString(moment.view.beat),
                 (term.name + " " + desk.beat().toStdString()).c_str());
      QVERIFY2(desk.shows(moment.object), (term.name + ": " + moment.object).c_str());
      for (const std::string& name : term.see)
        QVERIFY2(std::ranges::count(shippedGlossary(), name, &GlossaryTerm::name) == 1, name.c_str());
    }
  }

  // An update's equations fade at the end of its beat, into the layers that come back: no moment stands there.
  void noMomentStandsWhereAPictureFades() {
    const auto check = [](const std::string& name, const Moment& moment) {
      if (moment.view.beat == "update") QVERIFY2(moment.view.part <= 0.95, name.c_str());
    };
    for (const QuizQuestion& question : shippedQuiz()) check(question.name, question.moment);
    for (const GlossaryTerm& term : shippedGlossary()) check(term.name, term.moment);
    for (const auto& experiment : shippedGallery()) check(experiment.name, experiment.moment);
    for (const ClassPlan& plan : shippedClasses())
      for (const ClassStation& station : plan.stations) check(plan.name, station.moment);
    for (const Lesson& lesson : builtInLessons())
      for (const LessonPage& page : lesson.pages) check(lesson.name, page.moment);
  }

  // When the page is ticked off, no button moves, so a user who is about to press Next does not press another button.
  void aTickMovesNoButton() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& lessons = desk.view<LessonView>("lessonsTab");
    QVERIFY(lessons.beginNamed(QStringLiteral("all-reduce")));
    QCoreApplication::processEvents();
    const auto& tick = desk.part<QLabel>("lessonTick");
    const auto& next = desk.part<QPushButton>("lessonNext");
    QVERIFY(!tick.isVisible());
    const QPoint before = next.mapTo(&desk.window, QPoint());
    desk.click("lessonDo");
    QTRY_VERIFY_WITH_TIMEOUT(tick.isVisible(), kPatienceMs);
    QCoreApplication::processEvents();
    QCOMPARE(next.mapTo(&desk.window, QPoint()), before);
  }

  // An object covered by the card of the start-up is not pointed at: the light would be on nothing.
  void nothingCoveredIsPointedAt() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& lessons = desk.view<LessonView>("lessonsTab");
    QVERIFY(lessons.beginNamed(QStringLiteral("slices")));
    QVERIFY(QTest::qWaitFor([&] { return !desk.window.stage().scene().items.empty(); }, kPatienceMs));
    desk.click("lessonNext");
    desk.window.playback().seek(1, 0);  // the card of the start-up covers the place of the batch
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window.playback().isMoving(), kPatienceMs);
    QCoreApplication::processEvents();
    desk.click("lessonPrevious");
    QCOMPARE(lessons.page(), 0);  // this page points at a digit
    auto* spotlight = desk.window.findChild<QWidget*>(QStringLiteral("spotlight"));
    QVERIFY(!spotlight->isVisible());
    // A user who asks for the place is told when the digit will be there; then the digit is lit.
    const auto& words = desk.part<QLabel>("lessonPlace");
    QVERIFY(!words.isVisible());
    desk.click("lessonPoint");
    QVERIFY(words.isVisible() && !spotlight->isVisible());
    QVERIFY2(words.text().contains(beatNamed(lessons.lesson()->pages[0].moment.view.beat)), qPrintable(words.text()));
    desk.window.playback().seek(1, desk.window.playback().story().workBeginsS() + 0.01);
    QCoreApplication::processEvents();
    QTRY_VERIFY_WITH_TIMEOUT(spotlight->isVisible(), kPatienceMs);
    QVERIFY(!words.isVisible());
    // A key of the window ends the light, though the page has the focus.
    desk.part<QPushButton>("lessonNext").setFocus();
    QTest::keyClick(&desk.part<QPushButton>("lessonNext"), Qt::Key_4);
    QTRY_VERIFY_WITH_TIMEOUT(!spotlight->isVisible(), kPatienceMs);
  }

  // While the copies are compared, or updated, their equations stand where the gradients were.
  void noEquationIsPointedAtAsAGradient() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.window.resize(1600, 1000);  // room for the equations
    auto& lessons = desk.view<LessonView>("lessonsTab");
    QVERIFY(lessons.beginNamed(QStringLiteral("all-reduce")));
    QVERIFY(desk.arrives(lessons.lesson()->moment));
    desk.click("lessonNext");
    desk.click("lessonNext");
    QCOMPARE(lessons.page(), 2);
    QCOMPARE(QString::fromStdString(lessons.lesson()->pages[2].point), QStringLiteral("object gradient"));
    Playback& playback = desk.window.playback();
    const auto rest = [&] {
      QCoreApplication::processEvents();
      return QTest::qWaitFor([&] { return playback.isSettled(); }, kPatienceMs);
    };
    QVERIFY(rest());
    const Beat check = *playback.story().find(BeatKind::Check);
    playback.seek(1, check.beginS + 0.5 * (check.endS - check.beginS));
    QVERIFY(rest());
    QCOMPARE(playback.seconds(), check.beginS + 0.5 * (check.endS - check.beginS));
    desk.click("lessonPoint");
    auto* spotlight = desk.window.findChild<QWidget*>(QStringLiteral("spotlight"));
    QVERIFY(!spotlight->isVisible());
    playback.seek(1, playback.story().find(BeatKind::Aggregate)->beginS + 0.5);
    QTRY_VERIFY_WITH_TIMEOUT(spotlight->isVisible(), kPatienceMs);
  }

  // A tab is on no stage: it is lit where it is chosen, and a closed panel's tab at the button that opens the panel.
  void aTabIsPointedAt() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& lessons = desk.view<LessonView>("lessonsTab");
    QVERIFY(lessons.beginNamed(QStringLiteral("class-staleness")));
    QCOMPARE(QString::fromStdString(lessons.lesson()->pages[0].point), QStringLiteral("tab classTab"));
    QVERIFY(desk.arrives(lessons.lesson()->moment));
    auto* spotlight = desk.window.findChild<QWidget*>(QStringLiteral("spotlight"));
    for (const char* open : {"", "chartsTab", "classTab"}) {
      if (*open != 0) desk.window.panels().openTab(QLatin1String(open));
      QCoreApplication::processEvents();
      desk.click("lessonPoint");
      QVERIFY2(spotlight->isVisible(), open);
      QVERIFY2(!desk.part<QLabel>("lessonPlace").isVisible(), open);
    }
  }

  void galleryBeginsWithOneClick() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& gallery = desk.view<GalleryView>("galleryTab");
    QCOMPARE(gallery.model()->rowCount(), static_cast<int>(shippedGallery().size()));
    QVERIFY(QTest::qWaitFor([&] { return !gallery.pictureOf(0).isNull(); }, kPatienceMs));
    const QImage picture = gallery.pictureOf(0);
    std::set<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 2)
      for (int x = 0; x < picture.width(); x += 2) colours.insert(picture.pixel(x, y));
    QVERIFY2(colours.size() > 20, "a picture of something");
    const QModelIndex second = gallery.model()->index(1, 0);
    gallery.scrollTo(second);
    QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {}, gallery.visualRect(second).center());
    QVERIFY(desk.arrives(shippedGallery()[1].moment));
    QCOMPARE(desk.window.experiment().resolved().strategy, StrategyKind::OneDevice);
    gallery.setFocus();
    gallery.setCurrentIndex(gallery.model()->index(0, 0));
    QTest::keyClick(&gallery, Qt::Key_Return);
    QVERIFY(desk.arrives(shippedGallery()[0].moment));
    desk.part<QAction>("undo").trigger();  // the user's own experiment comes back
    QCOMPARE(desk.window.experiment().resolved().strategy, StrategyKind::OneDevice);
  }

  // An experiment that leads to another workspace leaves its sentence there, and a way back.
  void theGalleryComesBackAfterATrace() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& gallery = desk.view<GalleryView>("galleryTab");
    const auto& all = shippedGallery();
    const auto found =
        std::ranges::find_if(all, [](const GalleryEntry& each) { return each.moment.view.layout == "profile"; });
    QVERIFY(found != all.end());
    gallery.setCurrentIndex(gallery.model()->index(static_cast<int>(found - all.begin()), 0));
    QTest::keyClick(&gallery, Qt::Key_Return);
    QVERIFY(desk.arrives(found->moment));
    QVERIFY(!gallery.isVisible());
    const auto remedy = [&desk]() -> QAbstractButton* {
      for (auto* button : desk.window.findChildren<QAbstractButton*>(QStringLiteral("remedy")))
        if (button->isVisible()) return button;
      return nullptr;
    };
    QVERIFY(remedy() != nullptr);
    const auto labels = desk.window.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(QString::fromStdString(found->shows.english));
    }));
    remedy()->click();
    QVERIFY(gallery.isVisible() && remedy() == nullptr);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Profile);
  }

  void glossaryIsSearchedAndFollowed() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& glossary = desk.view<GlossaryView>("glossaryTab");
    auto& search = desk.part<QLineEdit>("glossarySearch");
    auto& list = desk.part<QListWidget>("glossaryList");
    search.setFocus();
    QTest::keyClicks(&search, QStringLiteral("stale"));
    QCOMPARE(glossary.shown()->name, std::string("staleness"));
    QTest::keyClick(&search, Qt::Key_Down);
    QVERIFY(list.hasFocus());
    desk.click("see-worker");
    QTRY_COMPARE_WITH_TIMEOUT(glossary.shown()->name, std::string("worker"), kPatienceMs);
    QVERIFY(search.text().isEmpty());
    desk.click("glossaryShow");
    QVERIFY(desk.arrives(glossary.shown()->moment));
    QTest::keyClicks(&search, QStringLiteral("xyzzy"));
    QVERIFY(glossary.shown() == nullptr);
    QVERIFY(!desk.part<QPushButton>("glossaryShow").isEnabled());
    search.setText(QStringLiteral("images per"));  // in words what is written images/s
    QCOMPARE(glossary.shown()->name, std::string("images-per-second"));
    search.setText(QStringLiteral("second trained images"));  // words of an explanation, in any order
    QCOMPARE(glossary.shown()->name, std::string("throughput"));
    search.setText(QStringLiteral("BackupAndRestore"));  // TensorFlow's word
    QCOMPARE(glossary.shown()->name, std::string("checkpoint"));
    // This word's moment marks nothing, so it must also end the mark of the word before.
    QVERIFY(desk.window.selection().pinned() && glossary.shown()->moment.object.empty());
    desk.click("glossaryShow");
    QVERIFY(desk.arrives(glossary.shown()->moment));
    QVERIFY(!desk.window.selection().pinned());
  }

  void wrongAnswersAreExplained() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& quiz = desk.view<QuizView>("quizTab");
    const auto wordsOf = [&](const char* name) { return desk.part<QLabel>(name).text(); };
    QVERIFY(!desk.part<QPushButton>("quizCheck").isEnabled());
    for (const char* choice : {"quizChoice0", "quizChoice1"})
      QTest::mouseClick(desk.window.findChild<QAbstractButton*>(QLatin1String(choice)), Qt::LeftButton);
    desk.click("quizCheck");
    const auto remarks = quiz.findChildren<QLabel*>(QStringLiteral("quizRemark"));
    QCOMPARE(remarks.size(), 4);
    QVERIFY(remarks[0]->isVisible() && remarks[0]->text().startsWith(QChar(0x2713)));
    QVERIFY(remarks[1]->isVisible() && remarks[1]->text().startsWith(QChar(0x2717)));
    QVERIFY(!remarks[2]->isVisible());
    QVERIFY(!desk.part<QLabel>("quizWhy").isVisible());
    for (const char* choice : {"quizChoice1", "quizChoice2"})
      QTest::mouseClick(desk.window.findChild<QAbstractButton*>(QLatin1String(choice)), Qt::LeftButton);
    desk.click("quizCheck");
    QVERIFY(desk.part<QLabel>("quizWhy").isVisible() && desk.part<QLabel>("quizSlide").isVisible());
    QVERIFY2(wordsOf("quizScore").contains(QStringLiteral("0 of 1")), "the first try was wrong");
    desk.click("quizNext");
    QCoreApplication::processEvents();
    QTest::mouseClick(desk.window.findChild<QAbstractButton*>(QStringLiteral("quizChoice2")), Qt::LeftButton);
    desk.click("quizCheck");
    QVERIFY(wordsOf("quizScore").contains(QStringLiteral("1 of 2")));
  }

  // TensorFlow's names are longer than a line of the panel: they break, so that nobody has to scroll sideways.
  void nothingIsWiderThanThePanel() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& quiz = desk.view<QuizView>("quizTab");
    for (std::size_t i = 0; i < shippedQuiz().size(); ++i) {
      quiz.go(i);
      desk.click("quizGiveUp");
      QVERIFY2(quiz.minimumSizeHint().width() <= 290, shippedQuiz()[i].name.c_str());
    }
    auto& glossary = desk.view<GlossaryView>("glossaryTab");
    for (const GlossaryTerm& term : shippedGlossary()) {
      glossary.open(term.name);
      QVERIFY2(glossary.minimumSizeHint().width() <= 290, term.name.c_str());
    }
    QCOMPARE(breakable(QStringLiteral("a short word")), QStringLiteral("a short word"));
    QCOMPARE(breakable(QStringLiteral("tf.distribute.x_y z")).remove(QChar(0x200B)),
             QStringLiteral("tf.distribute.x_y z"));
  }

  // In a low panel the question scrolls above its buttons, and the panel does not scroll as well.
  void onlyTheQuestionScrolls() {
    auto* quiz = new QuizView(shippedQuiz());
    QScrollArea panel;
    panel.setWidgetResizable(true);
    panel.setWidget(quiz);
    panel.resize(250, 250);
    panel.show();
    const auto* page = quiz->findChild<QScrollArea*>(QStringLiteral("quizPage"));
    QVERIFY(page != nullptr);
    for (std::size_t i = 0; i < shippedQuiz().size(); ++i) {
      quiz->go(i);
      quiz->findChild<QPushButton*>(QStringLiteral("quizGiveUp"))->click();
      QTRY_VERIFY_WITH_TIMEOUT(page->verticalScrollBar()->maximum() > 0, kPatienceMs);
      QCOMPARE(panel.verticalScrollBar()->maximum(), 0);
    }
  }

  // At each width about that of a long word, in a page that has room for two lines: without hyphens there are three,
  // with them two. The page comes to rest, with its bar or without.
  void aPageComesToRestAtEveryWidth() {
    const QString words = QStringLiteral("so incomprehensibilities or"), word = words.section(QLatin1Char(' '), 1, 1);
    QWidget room;
    room.resize(800, 400);
    auto* read = new QWidget;
    QScrollArea& area = *readingArea(*read, QStringLiteral("page"), QStringLiteral("Page"));
    area.setParent(&room);
    auto* column = new QVBoxLayout(read);
    column->setContentsMargins(0, 0, 0, 0);
    QLabel* label = wrappedLabel("words", nullptr);
    label->setText(words);
    column->addWidget(label);
    room.show();
    Restlessness restless(area, *read);
    const QFontMetrics metrics = label->fontMetrics();
    const int wide = metrics.horizontalAdvance(word), bar = area.verticalScrollBar()->sizeHint().width();
    const QSize around = area.size() - area.maximumViewportSize();
    const auto heightOf = [&metrics](const QString& text, int width) {
      return metrics.boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, text).height();
    };
    const int high = heightOf(words, wide) - 1;
    int tried = 0;
    for (int width = wide - bar - 2; width < wide + 2 * bar; ++width) {
      restless.startAgain();
      area.resize(QSize(width, high) + around);
      QCoreApplication::processEvents();
      QVERIFY2(!restless.isTooMuch(), qPrintable(QString::number(width)));
      if (heightOf(words, width) > high && heightOf(hyphenated(words, metrics, width - bar), width - bar) <= high)
        ++tried;
    }
    QVERIFY(tried > 0);
    // Words that fit beside a bar have no hyphens.
    area.resize(QSize(wide + 2 * bar, high) + around);
    QCoreApplication::processEvents();
    QCOMPARE(label->text(), words);
  }

  // If "Show me" leaves the quiz in a narrow window, a button leads back.
  void theQuizIsFoundAgain() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& quiz = desk.view<QuizView>("quizTab");
    const auto loop = std::ranges::find(shippedQuiz(), "custom-loop", &QuizQuestion::name);
    quiz.go(static_cast<std::size_t>(loop - shippedQuiz().begin()));
    desk.click("quizGiveUp");
    desk.click("quizShow");
    QVERIFY(desk.arrives(loop->moment));
    QVERIFY(!quiz.isVisible());
    QAbstractButton* back = nullptr;
    for (auto* button : desk.window.findChildren<QAbstractButton*>(QStringLiteral("remedy")))
      if (button->isVisible()) back = button;
    QVERIFY(back != nullptr);
    back->click();
    QVERIFY(quiz.isVisible());
    QCOMPARE(quiz.present(), static_cast<std::size_t>(loop - shippedQuiz().begin()));
  }

  // Detail opens beside or below the quiz, and the quiz's buttons stay where they are, before an answer and after it.
  void theQuizStaysInView() {
    language::use(QStringLiteral("de"));
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& quiz = desk.view<QuizView>("quizTab");
    const auto isWhole = [](const QWidget& widget) {
      return widget.isVisible() && widget.visibleRegion().boundingRect() == widget.rect();
    };
    const char* const kButtons[] = {"quizCheck", "quizShow", "quizGiveUp", "quizPrevious", "quizNext", "quizAgain"};
    for (const QSize size : {QSize(1366, 768), QSize(1280, 720)}) {
      desk.window.resize(size);
      for (std::size_t i = 0; i < shippedQuiz().size(); ++i) {
        quiz.go(i);
        QCoreApplication::processEvents();
        const QPoint next = desk.part<QPushButton>("quizNext").mapTo(&desk.window, QPoint());
        desk.click("quizGiveUp");
        QCoreApplication::processEvents();
        for (const char* name : kButtons) QVERIFY2(isWhole(desk.part<QPushButton>(name)), name);
        QVERIFY(isWhole(desk.part<QLabel>("quizResult")));
        QCOMPARE(desk.part<QPushButton>("quizNext").mapTo(&desk.window, QPoint()), next);
      }
      auto& detail = desk.part<QWidget>("detailPanel");
      QTest::keyClick(&desk.window, Qt::Key_F8);
      QCoreApplication::processEvents();
      QVERIFY(detail.isVisible());
      for (const char* name : kButtons) QVERIFY2(isWhole(desk.part<QPushButton>(name)), name);
      QTest::keyClick(&desk.window, Qt::Key_F8);
      QVERIFY(!detail.isVisible() && quiz.isVisible());
      const QRectF place = desk.window.stage().objects().placeOf({Object::Kind::Device, 1});
      QTest::mouseClick(&desk.window.stage(), Qt::LeftButton, {}, place.center().toPoint());
      QVERIFY(detail.isVisible() && quiz.isVisible());
      QTest::keyClick(&desk.window, Qt::Key_Escape);
    }
    language::use(QStringLiteral("en"));
  }

  // Texts call a value as the window's lists do, not by its key.
  void textsSayTheWordsOfTheLists_data() {
    QTest::addColumn<QString>("language");
    for (const char* each : {"en", "de"}) QTest::newRow(each) << QString::fromLatin1(each);
  }
  void textsSayTheWordsOfTheLists() {
    QFETCH(QString, language);
    language::use(language);
    QSet<QString> keys, shown;
    const auto list = [&](const std::string& key, const QString& words) {
      static const QRegularExpression kOnlyAKey(QStringLiteral("[-_0-9]"));  // "ring" is a word
      shown << words;
      if (QString::fromStdString(key) != words && QString::fromStdString(key).contains(kOnlyAKey))
        keys << QString::fromStdString(key);
    };
    for (const ConfigField& field : configFields())
      for (const std::string& choice : field.choices) list(choice, settingText(field, choice));
    for (const DeviceModel& device : Catalogue::builtIn().devices())
      list(device.id, QString::fromStdString(device.name));
    for (const LinkModel& link : Catalogue::builtIn().links()) list(link.id, QString::fromStdString(link.name));
    keys -= shown;
    QVERIFY(keys.contains(QStringLiteral("pcie3_x16")) && keys.contains(QStringLiteral("h100")));
    int seen = 0;
    for (const test::WrittenText& text : test::readWrittenTexts().texts) {
      if (text.language != language.toStdString()) continue;
      static const QRegularExpression kEnds(QStringLiteral("[^\\w:/-]+"),
                                            QRegularExpression::UseUnicodePropertiesOption);
      for (const QString& word : QString::fromStdString(text.text).split(kEnds, Qt::SkipEmptyParts)) {
        const bool key = keys.contains(word) || word.startsWith(QStringLiteral("/gpu:"));
        QVERIFY2(!key, qPrintable(QString::fromStdString(text.site) + QStringLiteral(": ") + word));
      }
      ++seen;
    }
    QVERIFY(seen > 300);
    language::use(QStringLiteral("en"));
  }

  void numbersAndOrdersAreAnswered() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& quiz = desk.view<QuizView>("quizTab");
    const auto go = [&](const char* name) {
      quiz.go(static_cast<std::size_t>(std::ranges::find(shippedQuiz(), name, &QuizQuestion::name) -
                                       shippedQuiz().begin()));
    };
    go("linear-rule");
    auto& number = desk.part<QLineEdit>("quizNumber");
    number.setFocus();
    QTest::keyClicks(&number, QStringLiteral("0.1"));
    desk.click("quizCheck");
    QVERIFY(desk.part<QLabel>("quizRemark").text().contains(QStringLiteral("square-root")));
    number.clear();
    QTest::keyClicks(&number, QStringLiteral("0.2"));
    desk.click("quizCheck");
    QVERIFY(desk.part<QLabel>("quizWhy").isVisible());
    go("tpu-order");
    auto& order = desk.part<OrderList>("quizOrder");
    QVERIFY(!std::ranges::is_sorted(order.order()));
    desk.click("quizCheck");
    QVERIFY(!desk.part<QLabel>("quizWhy").isVisible());
    order.setFocus();
    for (int pass = 0; pass < 5; ++pass)  // sorts the rows by keys, in several passes
      for (int row = 0; row + 1 < order.count(); ++row) {
        order.setCurrentRow(row);
        if (order.order()[static_cast<std::size_t>(row)] > order.order()[static_cast<std::size_t>(row) + 1])
          QTest::keyClick(&order, Qt::Key_Down, Qt::AltModifier);
      }
    desk.click("quizCheck");
    QVERIFY(desk.part<QLabel>("quizWhy").isVisible());
  }

  void theScoreIsKept() {
    const QTemporaryDir folder;
    {
      Desk desk(folder);
      desk.view<QuizView>("quizTab");
      desk.click("quizGiveUp");
    }
    Desk desk(folder);
    auto& quiz = desk.view<QuizView>("quizTab");
    QCOMPARE(quiz.present(), std::size_t{1});  // goes on at the first question without an answer
    QVERIFY(desk.part<QLabel>("quizScore").text().contains(QStringLiteral("0 of 1")));
    desk.click("quizAgain");
    QVERIFY(quiz.score().isEmpty());
    desk.click("quizAgain");  // brings the score back
    QVERIFY(!quiz.score().isEmpty());
    quiz.setScore(QStringLiteral("nonsense =1 modes=1 gone=1"));
    QCOMPARE(quiz.score(), QStringLiteral("modes=1"));
  }

  void momentsSurviveSaveAndOpen() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("class.slab"));
    Moment kept;
    {
      Desk desk(folder);
      desk.view<MomentsView>("momentsTab");
      desk.window.selection().pin(*objectNamed("gradient 1"));
      const Beat* beat = desk.window.playback().story().find(BeatKind::Aggregate);
      desk.window.playback().seek(1, beat->beginS + 0.5 * (beat->endS - beat->beginS));
      desk.click("momentAdd");
      desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("3"));
      QVERIFY(QTest::qWaitFor([&] { return desk.window.playback().record() && desk.record().replicas.size() == 3; },
                              kPatienceMs));
      desk.click("momentAdd");
      auto& list = desk.part<OrderList>("momentList");
      QCOMPARE(list.count(), 2);
      QVERIFY(desk.bench.document().isModified());
      QVERIFY(desk.bench.document().saveAs(path));
      QVERIFY(!desk.bench.document().isModified());
      list.setCurrentRow(1);
      desk.click("momentRemove");
      QCOMPARE(list.count(), 1);
      QVERIFY(desk.bench.document().isModified());
      desk.click("momentBack");
      QCOMPARE(list.count(), 2);
      QTest::keyClick(&list, Qt::Key_Up, Qt::AltModifier);
      QTRY_VERIFY_WITH_TIMEOUT(list.item(0)->text().contains(QStringLiteral("3")), kPatienceMs);
    }
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    QVERIFY(desk.bench.files().open(path));
    auto& list = desk.part<OrderList>("momentList");
    QCOMPARE(list.count(), 2);
    list.setCurrentRow(0);
    desk.click("momentShow");
    QVERIFY(QTest::qWaitFor([&] { return desk.beat() == QStringLiteral("aggregate"); }, kPatienceMs));
    QCOMPARE(desk.window.selection().pinned(), *objectNamed("gradient 1"));
    QCOMPARE(desk.record().replicas.size(), std::size_t{2});
    list.editItem(list.item(0));
    auto* editor = list.viewport()->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("the sum"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(desk.bench.document().text().contains("the sum"), kPatienceMs);
    // The session keeps the moments as well.
    const QByteArray text = desk.bench.document().text();
    desk.bench.document().begin();
    QCOMPARE(list.count(), 0);
    desk.bench.document().restore(text, QString());
    QCOMPARE(list.count(), 2);
    QCOMPARE(list.item(0)->text(), QStringLiteral("the sum"));
  }

  // The wrong losses of one moment do not stay on for the next, and the list is saved with them.
  void wrongLossesBelongToTheirMoment() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("class.slab"));
    {
      Desk desk(folder);
      desk.view<MomentsView>("momentsTab");
      desk.part<QAction>("dividesWrongly").setChecked(true);
      desk.click("momentAdd");
      desk.part<QAction>("dividesWrongly").setChecked(false);
      desk.click("momentAdd");
      QVERIFY(desk.bench.document().saveAs(path));
    }
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    QVERIFY(desk.bench.files().open(path));
    auto& list = desk.part<OrderList>("momentList");
    QCOMPARE(list.count(), 2);
    for (const bool wrong : {true, false}) {
      list.setCurrentRow(wrong ? 0 : 1);
      desk.click("momentShow");
      QTRY_COMPARE_WITH_TIMEOUT(desk.window.stage().dividesWrongly(), wrong, kPatienceMs);
    }
  }

  // Found by the robot: Qt printed that it cannot edit what is edited.
  void aMomentThatIsRenamedIsNotRenamedTwice() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("editing failed")));
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    desk.click("momentAdd");
    auto& list = desk.part<OrderList>("momentList");
    QVERIFY(!list.isEditing());
    for (int i = 0; i < 2; ++i) {
      desk.part<QPushButton>("momentRename").click();  // a mouse would take the focus from the text
      QVERIFY(list.isEditing());
    }
  }

  void momentsOfOtherVersionsAreKept() {
    Moments moments;
    const auto newer = nlohmann::json::parse(R"({"version": 2, "places": [1, 2]})");
    moments.read(newer);
    QVERIFY(!moments.refusal().isEmpty());
    moments.add(QStringLiteral("x"), {});
    QVERIFY(moments.all().empty());
    QVERIFY(moments.toJson() == newer);
    const auto more = nlohmann::json::parse(
        R"({"version": 1, "extra": true, "list": [{"title": "a", "step": 3, "colour": "red"}, {"title": "b", "settings": "nosuch=1"}, 7]})");
    moments.read(more);
    QCOMPARE(moments.all().size(), std::size_t{3});
    QVERIFY(!moments.all()[1].problem.isEmpty());
    moments.rename(0, QStringLiteral("c"));
    const auto out = moments.toJson();
    QVERIFY(out["extra"] == true && out["list"][0]["colour"] == "red" && out["list"][0]["title"] == "c");
    QVERIFY(out["list"][0]["step"] == 3 && out["list"][1] == more["list"][1]);
    for (const char* odd : {"7", "\"text\"", "[]", "{}", R"({"version": 1})", R"({"version": 1, "list": 3})", "null"}) {
      moments.read(nlohmann::json::parse(odd));
      QVERIFY2(moments.toJson() == nlohmann::json::parse(odd), odd);
    }
  }

  // In lines of text, as in a link, there would be its name alone.
  void aMomentKeepsANetworkThatWasEdited() {
    RunSettings config;
    config.network = kEditedNetwork;
    config.networkFile = {kEditedNetwork, kerasJson(mlpNetwork())};
    Moments moments, again;
    moments.add(QStringLiteral("edited"), {.settings = config});
    moments.add(QStringLiteral("usual"), {.settings = RunSettings()});
    again.read(nlohmann::json::parse(moments.toJson().dump()));
    QCOMPARE(again.all().size(), std::size_t{2});
    QVERIFY2(again.all()[0].problem.isEmpty(), qPrintable(again.all()[0].problem));
    QCOMPARE(layersOfFile(*again.all()[0].moment.settings), config.networkFile.layers);
    QVERIFY(again.all()[1].moment.settings->networkFile.layers.empty());
    QVERIFY(again.toJson() == moments.toJson());
    again.update(0, {.settings = RunSettings()});
    QVERIFY(!again.toJson()["list"][0].contains("network-layers"));
  }

  void presentersKeysInProjectorModeOnly() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    desk.click("momentAdd");
    desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("4"));
    QVERIFY(QTest::qWaitFor([&] { return desk.window.playback().record() && desk.record().replicas.size() == 4; },
                            kPatienceMs));
    desk.click("momentAdd");
    const auto replicas = [&] { return desk.window.experiment().resolved().replicas; };
    desk.window.stage().setFocus();
    QTest::keyClick(&desk.window.stage(), Qt::Key_PageUp);
    QCOMPARE(replicas(), 4);
    desk.window.looks().setProjectorMode(true);
    desk.window.stage().setFocus();
    QTest::keyClick(&desk.window.stage(), Qt::Key_PageUp);
    QCOMPARE(replicas(), 2);
    QVERIFY(desk.window.looks().isProjectorMode());
    QTest::keyClick(&desk.window.stage(), Qt::Key_PageUp);  // already the first moment: nothing changes
    QCOMPARE(replicas(), 2);
    QTest::keyClick(&desk.window.stage(), Qt::Key_PageDown);
    QCOMPARE(replicas(), 4);
    desk.window.looks().setProjectorMode(false);
    desk.window.stage().setFocus();
    QTest::keyClick(&desk.window.stage(), Qt::Key_PageUp);
    QCOMPARE(replicas(), 4);
  }

  // If a user begins a class and then goes to projector mode, the tab that the moment shows stays in view.
  void aMomentsTabGoesToTheWall() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& view = desk.view<MomentsView>("momentsTab");
    Q_EMIT view.classWanted(1);  // its first station is about the program
    QVERIFY(QTest::qWaitFor([&] { return desk.window.playback().record() != nullptr; }, kPatienceMs));
    const auto isSeen = [&] { return desk.window.panels().tab(QStringLiteral("programTab"))->isVisible(); };
    QVERIFY(isSeen());
    desk.window.looks().setProjectorMode(true);
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), kPatienceMs);
    // If the user does something else before, the tab does not appear.
    desk.window.looks().setProjectorMode(false);
    desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("3"));
    desk.window.looks().setProjectorMode(true);
    QCoreApplication::processEvents();
    QVERIFY(!isSeen());
  }

  // Nobody loses a list by pasting a link: a button brings the moments back.
  void momentsLeftBehindAreOffered() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.view<MomentsView>("momentsTab");
    desk.click("momentAdd");
    desk.bench.document().begin();
    QCOMPARE(desk.part<OrderList>("momentList").count(), 0);
    QAbstractButton* take = nullptr;
    for (auto* button : desk.window.findChildren<QAbstractButton*>(QStringLiteral("remedy")))
      if (button->isVisible()) take = button;
    QVERIFY(take != nullptr);
    take->click();
    QCOMPARE(desk.part<OrderList>("momentList").count(), 1);
  }

  // An object may get another place only when it is painted: the light must be there, not where the object was.
  void lightIsWhereItsObjectIsPainted() {
    QWidget window;
    window.resize(400, 200);
    window.show();
    QRect place(20, 20, 60, 40);
    Spotlight spotlight(window);
    QVERIFY(spotlight.point([&place] { return QVector<QRect>{place}; }, nullptr, false));
    const QRect before = std::exchange(place, QRect(250, 120, 60, 40));
    QImage image(window.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    spotlight.render(&image);
    QCOMPARE(image.pixelColor(place.center()), QColor(Qt::white));
    QVERIFY(image.pixelColor(before.center()) != QColor(Qt::white));
    spotlight.setDims(false);
    image.fill(Qt::white);
    spotlight.render(&image, {}, {}, {});
    QCOMPARE(image.pixelColor(before.center()), QColor(Qt::white));
    QVERIFY(image.pixelColor(place.left(), place.center().y()) != QColor(Qt::white));  // the ring
  }
};

QTEST_MAIN(TestGuide)
#include "tst_guide.moc"
