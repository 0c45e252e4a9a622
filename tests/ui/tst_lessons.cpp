// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=40
// A robot does all fifteen lessons as a user would: in the real window, by clicks and keys on what is there. It sets up
// each page's moment by hand, with the setup's fields, the list of strategies, the arrow keys and the stage.
#include <QCheckBox>
#include <QComboBox>
#include <QDeadlineTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "core/options/config_field.h"
#include "tests/support/patience.h"
#include "ui/charts/metric_chart.h"
#include "ui/frame/on_demand.h"
#include "ui/guide/curve_pad.h"
#include "ui/guide/lesson_view.h"
#include "ui/guide/question_view.h"
#include "ui/guide/spotlight.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/playback/captions.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/step/object_name.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

class Robot {
 public:
  explicit Robot(const QTemporaryDir& folder)
      : settings_(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    window.resize(1600, 1000);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.playback().setReducedMotion(true);
    window.panels().openTab(QStringLiteral("lessonsTab"));
    lessons = window.findChild<LessonView*>();
    QTest::qWait(0);
  }

  template <typename Part>
  Part* part(const QString& name) {
    for (Part* each : window.findChildren<Part*>(name))
      if (each->isVisible()) return each;
    return nullptr;
  }
  void click(QWidget* widget) {
    if (widget != nullptr) QTest::mouseClick(widget, Qt::LeftButton);
  }
  void press(const char* name) { click(part<QPushButton>(QLatin1String(name))); }

  // Begins a lesson of this text, which has no faults.
  void beginText(const std::string& text) {
    std::vector<LineProblem> problems;
    lessons->begin(readLesson(text, problems));
    QVERIFY(problems.empty());
  }
  void open(int number) {
    if (auto* all = part<QPushButton>(QStringLiteral("lessonAll"))) click(all);
    auto* list = part<QListWidget>(QStringLiteral("lessonList"));
    QListWidgetItem* item = list->item(number);
    list->scrollToItem(item);
    const auto before = window.playback().record();
    const auto asked =
        configToJson(window.experiment().asked());  // a lesson with the present settings begins no other run
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item).center());
    // Waits for the lesson's first moment.
    const bool came = QTest::qWaitFor(
        [&] {
          return window.playback().record() != nullptr &&
                 (window.playback().record() != before || configToJson(window.experiment().asked()) == asked) &&
                 window.playback().isSettled() && window.playback().step() == 1 &&
                 window.playback().wantedStep() == 1 && window.playback().seconds() == 0;
        },
        kPatienceMs);
    if (!came) tell();
    QVERIFY(came);
    QCoreApplication::processEvents();
  }

  bool doPage() {
    const LessonPage page = lessons->lesson()->pages[static_cast<std::size_t>(lessons->page())];
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
    answer(page);
    if (page.moment.settings) setAll(*page.moment.settings);
    if (page.moment.view.layout == "profile") QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
    if (!page.moment.tab.empty()) openTab(QString::fromStdString(page.moment.tab));
    for (const RunFault& fault : page.moment.faults) strike(fault);
    if (page.moment.view.step > 0) go(page.moment.view.step, page.moment.view.beat);
    if (const auto object = objectNamed(page.moment.object)) {
      const QRectF place = window.stage().objects().placeOf(*object);
      QTest::mouseClick(&window.stage(), Qt::LeftButton, {}, place.center().toPoint());
    }
    return QTest::qWaitFor([this] { return lessons->isDone(lessons->page()); }, kPatienceMs);
  }

  void tell() {
    const LessonPage& page = lessons->lesson()->pages[static_cast<std::size_t>(lessons->page())];
    qWarning(
        "%s/%s is not ticked: at %s %.3f of step %d, selected %s, %s", lessons->lesson()->name.c_str(),
        page.name.c_str(),
        qPrintable(
            window.playback().story().beats.empty()
                ? QString()
                : window.playback().story().beats[window.playback().story().beatAt(window.playback().seconds())].name),
        window.playback().seconds(), static_cast<int>(window.playback().step()),
        lab::objectName(window.selection().pinned()).c_str(), configToJson(window.experiment().asked()).dump().c_str());
  }

  RunController controller;
  MainWindow window{controller};
  LessonView* lessons = nullptr;

 private:
  void answer(const LessonPage& page) {
    const LessonQuestion& question = page.question;
    if (question.kind == LessonQuestion::Kind::None) return;
    for (std::size_t i = 0; i < question.answers.size(); ++i)
      if (question.answers[i].right) click(part<QRadioButton>(QStringLiteral("answer%1").arg(i)));
    if (auto* slider = part<QSlider>(QStringLiteral("answerNumber"))) {
      slider->setFocus();
      QTest::keyClick(slider, Qt::Key_Home);
      const double most = question.value.value_or(question.low) - question.low;
      for (int i = 0; i < static_cast<int>(most); ++i) QTest::keyClick(slider, Qt::Key_Right);
    }
    if (auto* pad = part<CurvePad>(QStringLiteral("curvePad"))) {
      pad->setFocus();
      for (int i = 0; i < 5; ++i) QTest::keyClick(pad, Qt::Key_Down);
    }
    press("commitAnswer");
  }

  void setAll(const RunSettings& wanted) {
    window.panels().openTab(QStringLiteral("setupTab"));
    const auto differs = [&](const ConfigField& field) {
      return field.get(window.experiment().asked()) != field.get(wanted);
    };
    const auto before = window.playback().record();
    const bool any = std::ranges::any_of(configFields(), differs);
    // Sets the strategy first, because it limits the other values; clears one batch size before it sets the other.
    for (const int turn : {0, 1, 2})
      for (const ConfigField& field : configFields()) {
        const bool empty = field.get(wanted).empty();
        if (!differs(field) || turn != (field.name == "strategy" ? 0 : empty ? 1 : 2)) continue;
        set(field, field.get(wanted));
      }
    for (const ConfigField& field : configFields())
      if (differs(field))
        qWarning("%s is '%s' and should be '%s'", field.name.c_str(), field.get(window.experiment().asked()).c_str(),
                 field.get(wanted).c_str());
    if (any)
      (void)QTest::qWaitFor(
          [&] {
            return window.playback().record() != nullptr && window.playback().record() != before &&
                   window.playback().isSettled() && window.playback().step() == 1;
          },
          kPatienceMs);
  }

  void set(const ConfigField& field, const std::string& value) {
    auto* editor = part<QWidget>(QStringLiteral("setting-") + QString::fromStdString(field.name));
    if (editor == nullptr) return qWarning("no field %s", field.name.c_str());
    if (auto* line = qobject_cast<QLineEdit*>(editor)) {
      line->setFocus();
      line->selectAll();
      QTest::keyClick(line, Qt::Key_Delete);
      QTest::keyClicks(line, settingText(field, value));
      QTest::keyClick(line, Qt::Key_Return);
      return;
    }
    auto* list = qobject_cast<QComboBox*>(editor);
    if (list->isEditable() && list->findData(QString::fromStdString(value)) < 0) {
      list->setFocus();
      list->lineEdit()->selectAll();
      QTest::keyClicks(list->lineEdit(), QString::fromStdString(value));
      QTest::keyClick(list->lineEdit(), Qt::Key_Return);
      return;
    }
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Home);
    const int row = list->findData(QString::fromStdString(value));
    // In an editable list, Home moves the text cursor instead: goes up or down from the present entry.
    for (int i = 0; i < list->count() && list->currentIndex() != row; ++i)
      QTest::keyClick(list, list->currentIndex() < row ? Qt::Key_Down : Qt::Key_Up);
  }

  void openTab(const QString& name) {
    // A panel without room for all its tabs has a list of them.
    for (auto* list : window.findChildren<QComboBox*>(QStringLiteral("panelTabs")))
      if (const int row = list->findText(window.findChild<QAction*>(name + QStringLiteral("Act"))->text());
          list->isVisible() && row >= 0) {
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Home);
        while (list->currentIndex() != row) QTest::keyClick(list, Qt::Key_Down);
        return;
      }
    for (auto* bar : window.findChildren<QTabBar*>())
      for (int i = 0; i < bar->count() && bar->isVisible(); ++i)
        if (const OnDemand* tab = window.panels().tab(name);
            bar->isTabVisible(i) &&
            window.findChild<QAction*>(name + QStringLiteral("Act"))->text() == bar->tabText(i) && tab != nullptr)
          QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
  }

  void go(std::int64_t step, const std::string& beat) {
    Playback& playback = window.playback();
    (void)QTest::qWaitFor([&] { return playback.record() != nullptr && !playback.isMoving(); }, kPatienceMs);
    window.stage().setFocus();
    const auto now = [&] {
      return std::string(beatKey(playback.story().beats[playback.story().beatAt(playback.seconds())].kind));
    };
    // A run that has just begun is at rest, but has no record yet.
    const auto settle = [&] {
      (void)QTest::qWaitFor([&] { return playback.record() != nullptr && playback.isSettled(); }, kPatienceMs);
    };
    const auto arrow = [&](Playback::Unit unit) {
      playback.setUnit(unit);
      QTest::keyClick(&window.stage(), Qt::Key_Right);
      // A run that is over may still have to report its last steps: without this, the key would be pressed forever.
      QCoreApplication::processEvents();
    };
    QTest::keyClick(&window.stage(), Qt::Key_Home);
    QTest::qWait(0);
    settle();
    const QDeadlineTimer patience(kPatienceMs);
    window.setUpdatesEnabled(false);  // the steps on the way are not looked at
    while (playback.step() < step && controller.state() != RunState::Failed && !patience.hasExpired()) {
      arrow(Playback::Unit::Step);
      (void)QTest::qWaitFor([&] { return playback.record() != nullptr && !playback.isMoving(); }, kPatienceMs);
    }
    window.setUpdatesEnabled(true);
    settle();
    for (int i = 0; i < 20 && !beat.empty() && now() != beat; ++i) {
      arrow(Playback::Unit::Phase);
      settle();
    }
    if (!beat.empty()) {  // goes into the beat
      playback.setUnit(Playback::Unit::Transfer);
      QTest::keyClick(&window.stage(), Qt::Key_Right);
      (void)QTest::qWaitFor([&] { return !playback.isMoving(); }, kPatienceMs);
    }
  }

  // Uses the context menu of a box of the task, unless the fault has already happened in this run.
  void strike(const RunFault& fault) {
    for (const RunBranch& branch : window.experiment().lineage())
      if (branch.fault && branch.fault->what == fault.what && branch.fault->task == fault.task &&
          branch.fault->index == fault.index)
        return;
    go(fault.step, {});
    const RunInfo& info = *controller.info();
    const int each = info.hosts > 1 && info.parameterDevices == 0 ? info.replicas / info.hosts : 1;
    const bool server = fault.task == RunFault::Task::Server;
    const Object box{server ? Object::Kind::VariableShard : Object::Kind::Device,
                     server ? info.replicas + fault.index : fault.index * each};
    const QPoint at = window.stage().objects().placeOf(box).center().toPoint();
    QTest::mouseClick(window.windowHandle(), Qt::RightButton, {}, window.stage().mapTo(&window, at));
    QMenu* menu = nullptr;
    (void)QTest::qWaitFor([&] { return (menu = part<QMenu>(QStringLiteral("faults"))) != nullptr; }, kPatienceMs);
    if (menu == nullptr) return qWarning("no menu");
    const QString wanted = fault.what == RunFault::What::Revive ? QStringLiteral("revive") : QStringLiteral("kill");
    const std::size_t before = window.experiment().lineage().size();
    for (QAction* action : menu->actions())
      if (action->objectName().startsWith(wanted) && action->isEnabled()) {
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        break;
      }
    (void)QTest::qWaitFor(
        [&] {
          return window.experiment().lineage().size() > before && window.playback().record() != nullptr &&
                 window.playback().isSettled();
        },
        kPatienceMs);
  }

  QSettings settings_;
  Workbench bench_{window, settings_};
};

}  // namespace

class TestLessons : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { language::use(QStringLiteral("en")); }

  void aRobotDoesThemAll_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("backwards");
    QTest::newRow("forwards, English") << QStringLiteral("en") << false;
    QTest::newRow("backwards, German") << QStringLiteral("de") << true;
  }
  void aRobotDoesThemAll() {
    QFETCH(QString, language);
    QFETCH(bool, backwards);
    language::use(language);
    const QTemporaryDir folder;
    Robot robot(folder);
    const int count = static_cast<int>(builtInLessons().size());
    QString missed;
    for (int i = 0; i < count; ++i) {
      robot.open(backwards ? count - 1 - i : i);
      QVERIFY(robot.lessons->lesson() != nullptr);
      const int pages = static_cast<int>(robot.lessons->lesson()->pages.size());
      for (int page = 0; page < pages; ++page) {
        QCOMPARE(robot.lessons->page(), page);
        if (!robot.doPage() && (robot.tell(), true))
          missed += QString::fromStdString(" " + robot.lessons->lesson()->name + "/" +
                                           robot.lessons->lesson()->pages[static_cast<std::size_t>(page)].name);
        robot.press("lessonNext");
      }
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed));
  }

  // "Do it for me" does what a person would do, including kills and revivals on the way.
  void itIsDoneForWhoeverAsks() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(11);
    const std::vector<LessonPage> pages = robot.lessons->lesson()->pages;
    for (const LessonPage& page : pages) {
      robot.press("lessonDo");
      QVERIFY2(QTest::qWaitFor([&] { return robot.lessons->isDone(robot.lessons->page()); }, kPatienceMs),
               page.name.c_str());
      robot.press("lessonNext");
    }
  }

  // Who lets the program answer has given no number and drawn no curve that could be wrong.
  void theProgramsAnswerIsNotJudged() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(0);
    const auto saysOf = [&](const char* question) {
      std::vector<LineProblem> problems;
      robot.lessons->begin(readLesson(
          std::string("[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Text\nask: How?\nwhy: Because.\n") +
              question + "\nuntil: replicas >= 1\nalready: counts\n",
          problems));
      if (!problems.empty()) qWarning("line %d", problems.front().line);
      robot.press("lessonDo");
      const auto* verdict = robot.part<QLabel>(QStringLiteral("verdict"));
      return verdict == nullptr ? QString() : verdict->text();
    };
    // A fact's value is known only when the program has answered; the default strategy has one replica.
    QCOMPARE(saysOf("range: 0 to 10\ntruth: replicas\ntolerance: 0"),
             QStringLiteral("You: 1. The program: 1.\nRight.\nBecause."));
    QCOMPARE(robot.part<QSlider>(QStringLiteral("answerNumber"))->value(), 1);
    QCOMPARE(saysOf("curve: loss\nheight: 0 to 3\nsteps: 20"), QStringLiteral("Because."));
  }

  // A tick stays if a sentence is corrected or a page moved or renamed, and goes if the page asks for something else.
  void progressSurvivesAnEditedLesson() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    const auto lessonOf = [](const char* name, const char* text, const char* until) {
      std::vector<LineProblem> problems;
      const Lesson lesson = readLesson(
          std::string("[lesson mine]\ntitle: Mine\n[page zero]\ntitle: Zero\ntext: Zero\nuntil: steps = 77\n[page ") +
              name + "]\ntitle: One\ntext: " + text + "\nuntil: " + until + "\nalready: counts\n",
          problems);
      if (!problems.empty()) qWarning("line %d", problems.front().line);
      return lesson;
    };
    {
      Robot robot(folder);
      robot.lessons->begin(lessonOf("one", "Text", "replicas >= 1"));
      robot.press("lessonNext");
      QTRY_VERIFY_WITH_TIMEOUT(robot.lessons->isDone(1), kPatienceMs);
    }
    Robot robot(folder);
    robot.lessons->begin(lessonOf("one", "Better text", "replicas >= 1"));
    QVERIFY(robot.lessons->isDone(1));
    robot.lessons->begin(lessonOf("uno", "Text", "replicas >= 1"));
    QVERIFY(robot.lessons->isDone(1));
    robot.lessons->begin(lessonOf("one", "Text", "replicas = 99"));
    robot.press("lessonNext");
    QVERIFY(!robot.lessons->isDone(1));
    QVERIFY(robot.part<QLabel>(QStringLiteral("lessonChanged")) != nullptr);
  }

  // Hands are counted for numbers and curves too; the true answer is marked once it is known.
  void handsAreCountedForNumbersAndCurves() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(0);
    for (const auto& [question, hands, truth] : {std::tuple{"range: 0 to 64\ntruth: 40\ntolerance: 0", 4, 2},
                                                 {"range: 1 to 5\ntruth: 3\ntolerance: 0", 5, 2},
                                                 {"curve: loss\nheight: 0 to 3\nsteps: 20", 3, -1}}) {
      std::vector<LineProblem> problems;
      const Lesson lesson =
          readLesson(std::string("[lesson hands]\ntitle: Hands\n[page one]\ntitle: One\ntext: Text\nask: How?\n") +
                         question + "\nuntil: replicas >= 1\nalready: counts\n",
                     problems);
      QVERIFY(problems.empty());
      robot.lessons->begin(lesson);
      robot.press("lessonAgain");
      auto* asks = robot.part<QCheckBox>(QStringLiteral("countHands"));
      QVERIFY(asks != nullptr);
      asks->setFocus();
      QTest::keyClick(asks, Qt::Key_Space);
      QVERIFY(asks->isChecked());
      int count = 0;
      while (auto* spin = robot.part<QSpinBox>(QStringLiteral("hands%1").arg(count))) {
        spin->setFocus();
        QTest::keyClick(spin, Qt::Key_Up);
        QCOMPARE(spin->value(), 1);
        ++count;
      }
      QCOMPARE(count, hands);
      QCOMPARE(robot.part<QProgressBar>({})->maximum(), hands);
      const auto marked = [&] {
        int at = -1, i = 0;
        for (auto* label : robot.lessons->findChildren<QLabel*>(QRegularExpression(QStringLiteral("^counted\\d")))) {
          if (label->text().startsWith(QStringLiteral("✓"))) at = i;
          ++i;
        }
        return at;
      };
      QCOMPARE(marked(), -1);
      robot.press("lessonDo");
      QTRY_VERIFY_WITH_TIMEOUT(robot.lessons->isDone(0), kPatienceMs);
      if (truth >= 0) QCOMPARE(marked(), truth);
    }
  }

  // A curve stays level where the pointer stops before the right edge; what has been drawn there stays.
  void aDrawnCurveEndsLevel() {
    CurvePad pad(QStringLiteral("Loss"), 0, 3, 20);
    pad.resize(pad.sizeHint());
    pad.show();
    const auto drag = [&](QPoint from, QPoint to) {
      QTest::mousePress(&pad, Qt::LeftButton, {}, from);
      QTest::mouseMove(&pad, to);
      QTest::mouseRelease(&pad, Qt::LeftButton, {}, to);
    };
    const int width = pad.width(), height = pad.height();
    drag({width / 3, height / 4}, {width * 2 / 3, height / 2});
    QVERIFY(pad.isDrawn() && pad.drawn().first() > pad.drawn().last());
    const auto stops = std::ranges::find(pad.drawn(), pad.drawn().last());
    QVERIFY(pad.drawn().end() - stops > 4);
    QVERIFY(std::all_of(stops, pad.drawn().end(), [&](double value) { return value == pad.drawn().last(); }));
    const double last = pad.drawn().last();
    drag({width / 3, height / 4}, {width / 2, height / 4});
    QCOMPARE(pad.drawn().last(), last);
    QVERIFY(pad.drawn()[CurvePad::kPlaces / 2 - 2] > last);
  }

  // A click beside the handle of a short range moves it on by one, and does not lead to an end.
  void aSliderOfFewNumbersGoesByOne() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.beginText(
        "[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Text\nask: How many?\n"
        "range: 1 to 10\ntruth: 1\ntolerance: 0\n");
    auto* slider = robot.part<QSlider>(QStringLiteral("answerNumber"));
    QVERIFY(slider != nullptr);
    const int before = slider->value();
    QTest::mouseClick(slider, Qt::LeftButton, {}, {slider->width() - 3, slider->height() / 2});
    QCOMPARE(slider->value(), before + 1);
  }

  // A click on the stage and F8 open Detail, and the lesson's page stays readable.
  void aLessonStaysBesideDetail_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1366, 768), QSize(1280, 720), QSize(1024, 720)})
      QTest::addRow("%d", size.width()) << size;
  }
  void aLessonStaysBesideDetail() {
    QFETCH(QSize, size);
    language::use(QStringLiteral("de"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(3);
    robot.window.resize(size);
    QTest::keyClick(&robot.window, Qt::Key_F9);
    QCoreApplication::processEvents();
    const auto isRead = [&] {
      QCoreApplication::processEvents();
      auto* text = robot.part<QLabel>(QStringLiteral("lessonText"));
      return text != nullptr &&
             text->visibleRegion().boundingRect().height() >=
                 std::min(text->height(), 4 * text->fontMetrics().height()) &&
             robot.part<QPushButton>(QStringLiteral("lessonNext")) != nullptr && robot.window.size() == size;
    };
    auto& detail = *robot.window.findChild<QWidget*>(QStringLiteral("detailPanel"));
    QVERIFY(isRead());
    QTest::keyClick(&robot.window, Qt::Key_F8);
    QVERIFY(detail.isVisible() && isRead());
    QTest::keyClick(&robot.window, Qt::Key_F8);
    QVERIFY(!detail.isVisible() && isRead());
    const QRectF place = robot.window.stage().objects().placeOf({Object::Kind::Device, 1});
    QTest::mouseClick(&robot.window.stage(), Qt::LeftButton, {}, place.center().toPoint());
    QVERIFY(detail.isVisible() && isRead());
    for (const char* name : {"evidencePanel", "guidePanel"})
      QVERIFY2(robot.window.findChild<QWidget*>(QLatin1String(name))->isVisible(), name);
  }

  // On a small screen, no button needs scrolling and one leads on. The page has the settings that it asks for.
  void buttonsStayInView() {
    language::use(QStringLiteral("de"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.window.resize(1366, 768);
    for (int i = 0; i < static_cast<int>(builtInLessons().size()); ++i) {
      robot.open(i);
      const std::vector<LessonPage> pages = robot.lessons->lesson()->pages;
      const RunSettings* before = &*robot.lessons->lesson()->moment.settings;
      for (const LessonPage& page : pages) {
        for (int hint = 0; hint < 3; ++hint) robot.press("lessonHintButton");
        QCoreApplication::processEvents();
        int primary = 0;
        for (const auto* button : robot.lessons->findChildren<QPushButton*>()) {
          if (button->isHidden() || !button->isVisibleTo(robot.lessons)) continue;
          QVERIFY2(button->visibleRegion().boundingRect() == button->rect(), qPrintable(button->objectName()));
          primary += button->isDefault() ? 1 : 0;
        }
        QCOMPARE(primary, 1);
        if (page.moment.settings) {
          for (const char* name :
               {"reducer", "learning-rate", "slow", "link", "device-model", "partitioner", "split"}) {
            const ConfigField& field = configField(name);
            if (field.get(*page.moment.settings) == field.get(*before)) continue;
            QVERIFY2(robot.lessons->findChild<QWidget*>(QStringLiteral("setting-") + QLatin1String(name)), name);
          }
          before = &*page.moment.settings;
        }
        robot.press("lessonNext");
      }
    }
  }

  // The results of a page are seen without scrolling: its tick, the loss, and What if's answer.
  void whatComesOfAPageIsInView() {
    language::use(QStringLiteral("de"));
    theme::apply(*qApp);  // sizes as in the real window
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.window.resize(1280, 720);
    robot.open(10);
    robot.window.resize(1366, 768);
    QTest::keyClick(&robot.window, Qt::Key_F9);
    QCoreApplication::processEvents();
    const auto isWhole = [](const QWidget* widget) {
      return widget != nullptr && widget->visibleRegion().boundingRect() == widget->rect();
    };
    const int pages = static_cast<int>(robot.lessons->lesson()->pages.size());
    auto* loss = robot.part<MetricChart>(QStringLiteral("loss"));
    QVERIFY(loss != nullptr);
    const QRect seen = loss->visibleRegion().boundingRect();
    QVERIFY2(seen.height() == loss->height(),
             qPrintable(QStringLiteral("%1/%2").arg(seen.height()).arg(loss->height())));
    loss->grab();
    const ChartScale& scale = loss->scale();
    const double high = loss->positionOf({0, scale.y.from}).y() - loss->positionOf({0, scale.y.to}).y();
    QVERIFY2(high >= 65, qPrintable(QString::number(high)));
    for (int page = 0; page < pages; ++page) {
      QVERIFY(robot.doPage());
      QCoreApplication::processEvents();
      QVERIFY2(isWhole(robot.part<QLabel>(QStringLiteral("lessonTick"))), qPrintable(QString::number(page)));
      if (page + 1 < pages) robot.press("lessonNext");
    }
    QTRY_VERIFY_WITH_TIMEOUT(isWhole(robot.part<QLabel>(QStringLiteral("whatIfModelled"))) &&
                                 robot.part<QLabel>(QStringLiteral("whatIfModelled"))->text().contains(QChar(0x00D7)),
                             kPatienceMs);
  }

  // "Start again" begins another run at its first step, and the step that the page trains to lies ahead again.
  void aLessonBeginsAnew() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(4);
    Playback& playback = robot.window.playback();
    const auto trains = [&] {
      playback.setMode(Playback::Mode::Fast);
      playback.play();
      return QTest::qWaitFor([&] { return !playback.isMoving() && robot.lessons->isDone(0); }, kPatienceMs);
    };
    QVERIFY(trains());
    QCOMPARE(robot.controller.liveStep(), 20);
    robot.press("lessonAgain");
    QVERIFY(!robot.lessons->isDone(0) && robot.lessons->page() == 0);
    QTRY_VERIFY_WITH_TIMEOUT(playback.record() != nullptr && playback.isSettled() && playback.step() == 1, kPatienceMs);
    QCOMPARE(robot.controller.liveStep(), 1);
    QCOMPARE(playback.seconds(), 0);
    QVERIFY(!playback.isMoving());
    QVERIFY(trains());
    QCOMPARE(robot.controller.liveStep(), 20);
  }

  // The movie that "Start again" pauses does not finish the page that it leaves.
  void theForgottenPageStaysForgotten() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.beginText(
        "[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Text\nuntil: replicas >= 5\n"
        "[page two]\ntitle: Two\ntext: Text\nuntil: replicas >= 40\n");
    robot.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("5"));
    QTRY_VERIFY_WITH_TIMEOUT(robot.lessons->isDone(0) && robot.window.playback().record() != nullptr, kPatienceMs);
    robot.window.playback().play();
    robot.press("lessonAgain");
    QVERIFY(!robot.lessons->isDone(0));
    QCOMPARE(robot.lessons->page(), 0);
  }

  // A name of the window and a command stand in quotation marks.
  void namesAndCommandsAreQuoted() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.beginText(
        "[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Press *Step*, or type `join LINK` twice.\n"
        "until: replicas >= 40\n");
    QCOMPARE(robot.part<QLabel>(QStringLiteral("lessonText"))->text(),
             QStringLiteral("Press “Step”, or type “join LINK” twice."));
  }

  // Tab goes from the page to its answers and then to the buttons; after the right answer, on to Next.
  void aQuestionIsAnsweredByKeys() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.beginText(
        "[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Text\nask: What?\nright: A\nwrong: B\n"
        "[page two]\ntitle: Two\ntext: Text\nuntil: replicas >= 40\n");
    const auto here = [] { return QApplication::focusWidget()->objectName(); };
    const auto key = [](Qt::Key pressed) { QTest::keyClick(QApplication::focusWidget(), pressed); };
    QCOMPARE(here(), QStringLiteral("lessonPage"));
    key(Qt::Key_Tab);
    QCOMPARE(here(), QStringLiteral("answer0"));
    key(Qt::Key_Space);
    QStringList passed;
    for (int i = 0; i < 4 && here() != QStringLiteral("commitAnswer"); ++i) {
      key(Qt::Key_Tab);
      passed << here();
    }
    QVERIFY2(here() == QStringLiteral("commitAnswer"), qPrintable(passed.join(QLatin1Char(' '))));
    key(Qt::Key_Space);
    QVERIFY(robot.lessons->isDone(0));
    QCOMPARE(here(), QStringLiteral("lessonNext"));
    key(Qt::Key_Space);
    QCOMPARE(robot.lessons->page(), 1);
    QCOMPARE(here(), QStringLiteral("lessonNext"));  // nothing is asked there
  }

  // Lanes, cells and traces give way to the stage, and the lesson stays beside it.
  void aLessonBeginsBesideTheStage() {
    for (const WindowLayout workspace : {WindowLayout::Compare, WindowLayout::Sweep, WindowLayout::Profile}) {
      const QTemporaryDir folder;
      Robot robot(folder);
      robot.window.workspaces().choose(WindowLayout::Teach);
      robot.window.panels().reset();
      robot.window.workspaces().choose(workspace);
      robot.window.panels().openTab(QStringLiteral("lessonsTab"));
      QVERIFY(robot.lessons->beginNamed(QStringLiteral("batch")));
      QCOMPARE(robot.window.workspaces().current(), WindowLayout::Teach);
      QVERIFY(robot.window.stage().isVisible() && robot.lessons->isVisible());
    }
  }

  // A lesson that is opened in the middle has the run of the page before on the stage, with what happened to it.
  void aLessonGoesOnWithItsRun() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    std::vector<LineProblem> problems;
    const std::string usual = "settings: dataset=digits&devices=simulated&eval-every=0&steps=20&replicas=4&";
    const Lesson lesson = readLesson("[lesson mine]\ntitle: Mine\n" + usual +
                                         "strategy=mirrored&batch-per-replica=4\n[page one]\ntitle: One\ntext: One\n"
                                         "until: replicas >= 1\nalready: counts\n" +
                                         usual +
                                         "strategy=multi-worker-mirrored&hosts=2&batch-per-replica=4\nstep: 2\n"
                                         "faults: kill worker 1 in 2\nbeat: aborted\npart: 0.9\n"
                                         "[page two]\ntitle: Two\ntext: Two\nuntil: replicas = 99\n",
                                     problems);
    QVERIFY(problems.empty());
    robot.lessons->begin(lesson);
    QTRY_VERIFY_WITH_TIMEOUT(robot.lessons->isDone(0), kPatienceMs);
    QCOMPARE(robot.window.experiment().asked().strategy, StrategyKind::Mirrored);
    robot.lessons->begin(lesson);
    QCOMPARE(robot.lessons->page(), 1);
    QCOMPARE(robot.window.experiment().asked().strategy, StrategyKind::MultiWorkerMirrored);
    QTRY_VERIFY_WITH_TIMEOUT(robot.window.experiment().lineage().size() == 1, kPatienceMs);
    QVERIFY(!robot.lessons->isDone(1));
  }

  // ✓ and ✗ stand before the answers that are known to be right or wrong.
  void answersAreMarked() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.beginText(
        "[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Text\nask: What?\nwrong: "
        "A\nright: B\nwrong: C\n");
    const auto marks = [&] {
      QString all;
      for (int i = 0; i < 3; ++i) {
        const auto* mark = robot.part<QLabel>(QStringLiteral("mark%1").arg(i));
        all += mark == nullptr ? QStringLiteral("-") : mark->text();
      }
      return all;
    };
    const auto answer = [&](const char* name) {
      robot.click(robot.part<QRadioButton>(QLatin1String(name)));
      robot.press("commitAnswer");
    };
    QCOMPARE(marks(), QStringLiteral("---"));
    answer("answer2");
    QCOMPARE(marks(), QStringLiteral("--✗"));
    QVERIFY(robot.part<QRadioButton>(QStringLiteral("answer2"))->hasFocus());  // to choose another
    answer("answer1");
    QCOMPARE(marks(), QStringLiteral("✗✓✗"));
  }

  // A prediction on a page that was done before is answered as it was the first time.
  void aPageThatIsDoneAnswersAgain() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(0);
    std::vector<LineProblem> problems;
    const Lesson lesson = readLesson(
        "[lesson mine]\ntitle: Mine\n[page one]\ntitle: One\ntext: Text\nask: What?\nwrong: A\nright: B\n"
        "until: replicas >= 1\nalready: counts\n",
        problems);
    QVERIFY(problems.empty());
    const auto answered = [&](const char* name) {
      robot.lessons->begin(lesson);
      robot.click(robot.part<QRadioButton>(QLatin1String(name)));
      robot.press("commitAnswer");
      const auto* verdict = robot.part<QLabel>(QStringLiteral("verdict"));
      return verdict == nullptr ? QString() : verdict->text();
    };
    QCOMPARE(answered("answer1"), QStringLiteral("Right."));
    QVERIFY(robot.lessons->isDone(0));
    QCOMPARE(answered("answer0"), QStringLiteral("Not quite.\nIt is: B"));
  }

  // "Do it for me" on a page that it has just done leads nowhere, and yet the program answers.
  void aPageIsDoneForTheUserTwice() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(2);
    for (int page = 0; page < 2; ++page) robot.press("lessonNext");
    QCOMPARE(robot.lessons->page(), 2);  // asks for the number of hops
    for (int time = 0; time < 2; ++time) {
      robot.press("lessonDo");
      QTRY_VERIFY_WITH_TIMEOUT(robot.lessons->isDone(2) && robot.window.playback().isSettled(), kPatienceMs);
      const auto* verdict = robot.part<QLabel>(QStringLiteral("verdict"));
      QVERIFY(verdict != nullptr);
      QTRY_VERIFY_WITH_TIMEOUT(verdict->text().startsWith(QStringLiteral("You: 6. The program: 6.\nRight.")),
                               kPatienceMs);
      robot.press("lessonPrevious");
      robot.press("lessonNext");
    }
  }

  // A person who had scrolled far down the list comes back to the same place.
  void theListComesBackWhereItWas() {
    language::use(QStringLiteral("de"));
    theme::apply(*qApp);  // sizes as in the real window: others leave nothing to scroll
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.window.resize(1600, 560);
    QCoreApplication::processEvents();
    robot.open(10);
    auto& list = *robot.lessons->findChild<QListWidget*>(QStringLiteral("lessonList"));
    const int scrolled = list.verticalScrollBar()->value();
    QVERIFY(scrolled > 0);
    robot.press("lessonAll");
    QCoreApplication::processEvents();
    QCOMPARE(list.verticalScrollBar()->value(), scrolled);
    QCOMPARE(list.currentRow(), 10);
    // Home and End are the list's while it has the focus; elsewhere they move the movie.
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Home);
    QCOMPARE(list.currentRow(), 0);
    QTest::keyClick(&list, Qt::Key_End);
    QCOMPARE(list.currentRow(), list.count() - 1);
  }

  // After the last hint, Hint has nothing more to say; a key that is pressed again presses no other button.
  void hintIsForMoreHints() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    robot.open(2);
    const auto hints = robot.lessons->lesson()->pages[0].hints.size();
    QVERIFY(hints > 0);
    auto* hint = robot.part<QPushButton>(QStringLiteral("lessonHintButton"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);  // from now on, Space presses buttons
    hint->setFocus();
    for (std::size_t i = 0; i < hints; ++i) {
      QVERIFY(hint->isEnabled() && hint->hasFocus());
      QTest::keyClick(hint, Qt::Key_Space);
    }
    QVERIFY(!hint->isEnabled());
    QVERIFY(qobject_cast<QPushButton*>(QApplication::focusWidget()) == nullptr);
    robot.press("lessonNext");
    QCOMPARE(hint->isEnabled(), !robot.lessons->lesson()->pages[1].hints.empty());
  }

  // The second click of a double click in the list presses nothing on the page that the first has opened.
  void aDoubleClickOpensALessonAlone() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    auto* list = robot.part<QListWidget>(QStringLiteral("lessonList"));
    QVERIFY(list != nullptr);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(2)).center());
    auto* next = robot.part<QPushButton>(QStringLiteral("lessonNext"));
    QVERIFY(next != nullptr);
    const auto isHit = [&] { return robot.window.childAt(next->mapTo(&robot.window, next->rect().center())) == next; };
    QVERIFY(!isHit());
    QTRY_VERIFY_WITH_TIMEOUT(isHit(), kPatienceMs);
  }

  // "Train to step 20": playing comes to rest there in every mode, and the page is done.
  void aGoalIsWhereItStops() {
    language::use(QStringLiteral("en"));
    for (const Playback::Mode mode : {Playback::Mode::Story, Playback::Mode::Play, Playback::Mode::Live,
                                      Playback::Mode::Fast, Playback::Mode::Express}) {
      const QTemporaryDir folder;
      Robot robot(folder);
      robot.open(4);
      Playback& playback = robot.window.playback();
      playback.setMode(mode);
      playback.setSpeed(16);
      playback.play();
      const auto rests = [&] {
        if (mode == Playback::Mode::Story || mode == Playback::Mode::Play) playback.advance(1);
        return !playback.isMoving();
      };
      QVERIFY(QTest::qWaitFor(rests, kPatienceMs));
      QCOMPARE(playback.step(), 20);
      QCOMPARE(robot.controller.liveStep(), 20);
      QTRY_VERIFY_WITH_TIMEOUT(robot.lessons->isDone(0), kPatienceMs);
    }
  }

  // A page that is done on the way leaves no stop at the step that it trains to.
  void aGoalOfAPageThatIsDoneStopsNothing() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    std::vector<LineProblem> problems;
    const std::string settings =
        "settings: dataset=digits&devices=simulated&eval-every=0&steps=20&batch-per-replica=8\n";
    robot.lessons->begin(readLesson("[lesson mine]\ntitle: Mine\n" + settings + "step: 1\n[page one]\ntitle: One\n" +
                                        "text: One\nuntil: step >= 3\n" + settings + "step: 15\n",
                                    problems));
    QVERIFY(problems.empty());
    Playback& playback = robot.window.playback();
    const auto begins = [&] {
      return robot.controller.info() != nullptr && robot.controller.info()->totalSteps == 20 &&
             playback.record() != nullptr && playback.isSettled() && playback.step() == 1;
    };
    QVERIFY(QTest::qWaitFor(begins, kPatienceMs));
    playback.setMode(Playback::Mode::Play);
    playback.setSpeed(16);
    playback.play();
    const auto rests = [&] {
      playback.advance(1);
      return !playback.isMoving();
    };
    QVERIFY(QTest::qWaitFor(rests, kPatienceMs));
    QVERIFY(robot.lessons->isDone(0));
    QCOMPARE(playback.step(), 20);
  }

  // The ring around what a page points at covers no word.
  void theRingLeavesWordsAlone() {
    language::use(QStringLiteral("en"));
    const QTemporaryDir folder;
    Robot robot(folder);
    int seen = 0;
    for (const char* point :
         {"object device", "object weights", "object digit", "object gradient", "control strategy"}) {
      std::vector<LineProblem> problems;
      robot.lessons->begin(
          readLesson(std::string("[lesson mine]\ntitle: Mine\nsettings: dataset=digits&strategy=mirrored&"
                                 "replicas=4&global-batch=32\nstep: 1\nbeat: backward\npart: 0.9\n[page "
                                 "one]\ntitle: One\ntext: Text\nuntil: replicas = 9\npoint: ") +
                         point + "\n",
                     problems));
      QVERIFY(problems.empty());
      auto& spotlight = *robot.window.findChild<Spotlight*>();
      (void)QTest::qWaitFor([&] { return spotlight.isVisible() && !robot.window.stage().scene().items.empty(); }, 3000);
      if (!spotlight.isVisible()) continue;
      QImage ring(robot.window.size(), QImage::Format_ARGB32_Premultiplied);
      ring.fill(Qt::transparent);
      spotlight.render(&ring, {}, {}, {});
      const QColor accent = theme::colours().accent;
      for (const Item& item : robot.window.stage().scene().items) {
        if (item.shape != Item::Shape::Text || item.text.isEmpty() || item.opacity < 0.5) continue;
        QFont font = robot.window.stage().font();
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(item.fontPx))));
        const QRect words = QFontMetricsF(font)
                                .boundingRect(item.box, static_cast<int>(item.align.toInt()), item.text)
                                .intersected(item.box)
                                .toRect()
                                .translated(robot.window.stage().mapTo(&robot.window, QPoint()));
        for (int y = words.top(); y <= words.bottom(); ++y)
          for (int x = words.left(); x <= words.right(); ++x)
            if (ring.rect().contains(x, y)) QVERIFY2(ring.pixelColor(x, y) != accent, qPrintable(item.text));
        ++seen;
      }
    }
    QVERIFY(seen > 20);
  }

  // The dim leaves text legible in every theme.
  void textUnderTheDimIsLegible() {
    for (const theme::Kind kind : theme::kKinds) {
      theme::setKind(kind);
      const theme::Colours& colours = theme::colours();
      QVERIFY(dimShare() > 0.05);
      for (const QColor& ground : {colours.window, colours.panel, colours.stage})
        QVERIFY(theme::contrast(theme::mix(Qt::black, colours.ink, dimShare()),
                                theme::mix(Qt::black, ground, dimShare())) >= theme::kLeastText);
    }
    theme::setKind(theme::Kind::Light);
  }
};

QTEST_MAIN(TestLessons)
#include "tst_lessons.moc"
