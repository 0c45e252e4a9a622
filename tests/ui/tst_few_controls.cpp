// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=16
// A new window has few controls, and all others are behind More; one button plays; the charts open once, when they have
// a line to show, but not if the user has closed them.
#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMenuBar>
#include <QSet>
#include <QSettings>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <tuple>

#include "tests/support/patience.h"
#include "tests/ui/more_controls.h"
#include "tests/ui/small_config.h"
#include "ui/classroom/class_locks.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/tool_bars.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/runview/run_controller.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/transport/play_button.h"
#include "ui/transport/run_bar.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

constexpr int kMostControls = 12;

struct Desk {
  QSettings settings;
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
  Playback& playback = window.playback();

  explicit Desk(const QTemporaryDir& folder, QSize size = {1280, 720})
      : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    theme::setTextSize(theme::textSizeFor(size.height()));
    theme::apply(*qApp);
    window.resize(size);
    bench.session().restoreWindow();
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(test::smallConfig());
    (void)QTest::qWaitFor([this] { return playback.record() != nullptr; }, kPatienceMs);
    QCoreApplication::processEvents();
  }
  ~Desk() { bench.session().rememberWindow(); }

  QWidget& part(const char* name) const { return *window.findChild<QWidget*>(QLatin1String(name)); }
  bool hasEvidence() const { return part("evidencePanel").isVisible(); }
  // Goes on by one step, as the end of the step's movie does.
  bool goOn() {
    const std::int64_t next = playback.step() + 1;
    playback.stepForward(Playback::Unit::Step);
    return QTest::qWaitFor([&] { return playback.step() == next && !playback.isMoving(); }, kPatienceMs);
  }
};

QString nameOf(const QWidget& widget) {
  if (const auto* button = qobject_cast<const QToolButton*>(&widget);
      button != nullptr && button->defaultAction() != nullptr)
    return button->defaultAction()->objectName();
  for (const QWidget* up = &widget; up != nullptr; up = up->parentWidget())
    if (!up->objectName().isEmpty() && !up->objectName().startsWith(QStringLiteral("qt_"))) return up->objectName();
  return QLatin1String(widget.metaObject()->className());
}

// Returns the controls that a pointer or the Tab key can operate, without the menus and without the stage, which is the
// picture.
QStringList controlsIn(MainWindow& window) {
  QStringList names;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != &window || widget->visibleRegion().isEmpty()) continue;
    if (widget == &window.stage() || window.menuBar()->isAncestorOf(widget) || widget == window.menuBar()) continue;
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i)
        if (tabs->isTabVisible(i)) names << tabs->tabText(i);
      continue;
    }
    if (qobject_cast<const QLineEdit*>(widget) != nullptr &&
        qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr)
      continue;
    const bool works = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                       qobject_cast<const QComboBox*>(widget) != nullptr ||
                       qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
    if ((works && widget->isEnabled()) || (widget->focusPolicy() & Qt::TabFocus) != 0) names << nameOf(*widget);
  }
  return names;
}

}  // namespace

class TestFewControls : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void atFirstThereAreTwelveAtMost_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080), QSize(900, 600)})
      QTest::addRow("%d", size.width()) << size;
  }
  void atFirstThereAreTwelveAtMost() {
    QFETCH(QSize, size);
    const QTemporaryDir folder;
    Desk desk(folder, size);
    const QStringList names = controlsIn(desk.window);
    QVERIFY2(names.size() <= kMostControls, qPrintable(names.join(QStringLiteral(", "))));
    for (const char* name : {"strategy", "replicas", "global-batch", "moreControls", "play", "scrubber",
                             "guidePanelAct", "Teach", "Explore", "Compare", "Sweep", "Profile"})
      QVERIFY2(names.contains(QLatin1String(name)), qPrintable(names.join(QStringLiteral(", "))));
  }

  // In a step that belongs to one worker, the batch is the worker's.
  void theBatchIsTheOneOfTheStep() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto shown = [&](const char* name) { return desk.part(name).isVisible(); };
    QVERIFY(shown("global-batch") && !shown("batch-per-replica"));
    desk.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    QCoreApplication::processEvents();
    QVERIFY(!shown("global-batch") && shown("batch-per-replica"));
    test::openMore(desk.window);
    QVERIFY(shown("global-batch") && shown("batch-per-replica"));
    desk.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    desk.window.toolBars().setShowsMore(false);
    QCoreApplication::processEvents();
    QVERIFY(shown("global-batch") && !shown("batch-per-replica"));
  }

  // Tab goes on to the field that is next now, also while More shows the other field.
  void tabGoesAsTheFieldsStand() {
    const QTemporaryDir folder;
    Desk desk(folder);
    test::openMore(desk.window);
    const auto spin = [&](const char* name) { return desk.part(name).findChild<QAbstractSpinBox*>(); };
    for (const auto& [strategy, batch, other] : {std::tuple{"parameter-server", "batch-per-replica", "global-batch"},
                                                 std::tuple{"mirrored", "global-batch", "batch-per-replica"}}) {
      desk.window.experiment().set(QStringLiteral("strategy"), QLatin1String(strategy));
      QCoreApplication::processEvents();
      spin("replicas")->setFocus();
      QTest::keyClick(spin("replicas"), Qt::Key_Tab);
      QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(spin(batch)));
      QTest::keyClick(spin(batch), Qt::Key_Tab);
      QVERIFY(QApplication::focusWidget() != static_cast<QWidget*>(spin(other)));
    }
  }

  // Qt would search for ever for the successor of a control that is not in the focus chain.
  void allControlsStayOnTheTabKeysWay() {
    const QTemporaryDir folder;
    Desk desk(folder);
    for (const char* strategy : {"parameter-server", "mirrored", "parameter-server", "mirrored"}) {
      desk.window.experiment().set(QStringLiteral("strategy"), QLatin1String(strategy));
      QSet<const QWidget*> way;
      for (QWidget* each = &desk.window; !way.contains(each); each = each->nextInFocusChain()) way << each;
      for (const QWidget* widget : desk.window.findChildren<QWidget*>())
        if (widget->window() == &desk.window)
          QVERIFY2(way.contains(widget), qPrintable(widget->parentWidget()->objectName()));
    }
  }

  void moreIsOneButtonAndRemembered() {
    const QTemporaryDir folder;
    const QStringList behind{QStringLiteral("batch-per-replica"),
                             QStringLiteral("batchKept"),
                             QStringLiteral("reducer"),
                             QStringLiteral("unit"),
                             QStringLiteral("detailPanelAct"),
                             QStringLiteral("evidencePanelAct"),
                             QStringLiteral("home"),
                             QStringLiteral("back"),
                             QStringLiteral("forward"),
                             QStringLiteral("end"),
                             QStringLiteral("runBar")};
    {
      Desk desk(folder, {1366, 768});
      const QRect play = desk.window.findChild<PlayButton*>()->geometry();
      for (const bool open : {true, false, true}) {
        for (auto* button : desk.part("controls").findChildren<QToolButton*>())
          if (button->defaultAction() != nullptr) QTest::mouseClick(button, Qt::LeftButton);
        QCoreApplication::processEvents();
        const QStringList names = controlsIn(desk.window);
        for (const QString& name : behind) QVERIFY2(names.contains(name) == open, qPrintable(name));
        QCOMPARE(desk.part("moreBar").isVisible(), open);
        QCOMPARE(desk.window.findChild<PlayButton*>()->geometry().topLeft(), play.topLeft());
      }
    }
    Desk desk(folder, {1366, 768});
    QVERIFY(desk.part("moreBar").isVisible() && desk.window.toolBars().showsMore());
    QTest::keyClick(&desk.window, Qt::Key_M, Qt::ControlModifier);
    QVERIFY(!desk.part("moreBar").isVisible());
  }

  // A number that is typed but not entered is set when its line closes; the run that begins fits the bars again.
  void whatIsTypedIsSetWhenMoreCloses() {
    const QTemporaryDir folder;
    Desk desk(folder);
    test::openMore(desk.window);
    auto& batch = *desk.part("batch-per-replica").findChild<QSpinBox*>();
    QVERIFY(batch.isVisible());
    batch.setFocus();
    batch.selectAll();
    QTest::keyClicks(&batch, QStringLiteral("16"));
    QTest::keyClick(&batch, Qt::Key_M, Qt::ControlModifier);
    QVERIFY(!desk.part("moreBar").isVisible() && !desk.window.toolBars().showsMore());
    QCOMPARE(desk.window.experiment().resolved().batchPerReplica, std::int64_t{16});
    QVERIFY(desk.part("replicas").isVisible() && desk.part("global-batch").isVisible());
    test::openMore(desk.window);
    QVERIFY(batch.isVisible());
    QCOMPARE(batch.value(), 16);
  }

  // What is behind More is also in a menu, and so in the palette, even if nobody opens More.
  void whatIsBehindMoreIsInTheMenus() {
    const QTemporaryDir folder;
    Desk desk(folder);
    QList<const QAction*> acts;
    for (const NamedAction& named : actionsOf(*desk.window.menuBar())) acts << named.action;
    for (const char* name : {"moreControls", "home", "back", "forward", "end", "detailPanelAct", "evidencePanelAct",
                             "keepGlobalBatch", "keepReplicaBatch"})
      QVERIFY2(acts.contains(desk.window.findChild<QAction*>(QLatin1String(name))), name);
    for (const char* name : {"mode", "speed", "unit"})
      for (const QAction* action : desk.window.findChild<QActionGroup*>(QLatin1String(name))->actions())
        QVERIFY2(acts.contains(action), name);
  }

  void whatIsPointedAtIsInSight() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto shows = [&] { return desk.part("moreBar").isVisible(); };
    for (const char* name : {"strategy", "replicas", "guidePanel", "play", "nowhere"}) {
      desk.window.toolBars().reveal(QLatin1String(name));
      QVERIFY2(!shows(), name);
    }
    for (const char* name : {"reducer", "evidencePanel", "unit", "home"}) {
      desk.window.toolBars().reveal(QLatin1String(name));
      QVERIFY2(shows() && !desk.window.toolBars().showsMore(), name);  // revealed only for the time being
      desk.window.toolBars().setShowsMore(false);
    }
    // A lesson does the same: its page asks for another reducer.
    QVERIFY(desk.bench.files().openLesson(QStringLiteral("ring")));
    auto& lessons = static_cast<LessonView&>(desk.window.panels().tab(QStringLiteral("lessonsTab"))->content());
    const auto& pages = lessons.lesson()->pages;
    const auto page = std::ranges::find(pages, std::string("control reducer"), &LessonPage::point) - pages.begin();
    for (int i = 0; i < page; ++i) desk.window.findChild<QAbstractButton*>(QStringLiteral("lessonNext"))->click();
    QCOMPARE(lessons.page(), static_cast<int>(page));
    QVERIFY(shows() && desk.part("reducer").isVisible() && !desk.window.toolBars().showsMore());
  }

  // The charts open with the panel below the stage and leave the keyboard focus where it is.
  void chartsComeWithTheirLine() {
    const QTemporaryDir folder;
    {
      Desk desk(folder);
      QVERIFY(!desk.hasEvidence());
      desk.window.stage().setFocus();
      QVERIFY(desk.goOn());
      QVERIFY(!desk.hasEvidence());  // there are only two points
      const QSize before = desk.window.size();
      QVERIFY(desk.goOn());
      QVERIFY(desk.hasEvidence() && desk.window.panels().tab(QStringLiteral("chartsTab"))->isVisible());
      QVERIFY(desk.playback.seconds() <= 0);  // between two steps
      QCOMPARE(QApplication::focusWidget(), &desk.window.stage());
      QCOMPARE(desk.window.size(), before);
      // The charts open only once.
      desk.part("evidencePanel").findChild<QToolButton*>(QStringLiteral("collapsePanel"))->click();
      QVERIFY(desk.goOn() && !desk.hasEvidence());
    }
    Desk desk(folder);
    QVERIFY(desk.goOn() && desk.goOn() && desk.goOn());
    QVERIFY(!desk.hasEvidence());
    desk.window.panels().reset();  // the panels are as in a new window
    QVERIFY(!desk.hasEvidence() && desk.goOn() && desk.hasEvidence());
  }

  void chartsStayAsAPersonHasThem() {
    const QTemporaryDir folder;
    Desk desk(folder);
    QTest::keyClick(&desk.window, Qt::Key_F9);
    QVERIFY(desk.hasEvidence());
    QTest::keyClick(&desk.window, Qt::Key_F9);
    QVERIFY(desk.goOn() && desk.goOn() && desk.goOn());
    QVERIFY(!desk.hasEvidence());
    // The charts do not open either if a class's file or a locked layout forbids them.
    const QTemporaryDir other;
    Desk locked(other);
    auto& locks = *locked.window.findChild<ClassLocks*>();
    locks.set({QStringLiteral("evidencePanel")}, ControlState::Locked);
    QVERIFY(locked.goOn() && locked.goOn() && !locked.hasEvidence());
    locks.set({QStringLiteral("evidencePanel")}, ControlState::Shown);
    QVERIFY(locked.goOn() && locked.hasEvidence());
  }

  void oneButtonPlays() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto buttons = [&] {
      int count = 0;
      for (const auto* button : desk.window.findChildren<QToolButton*>())
        count += button->isVisible() && button->defaultAction() != nullptr &&
                 button->defaultAction()->objectName() == QStringLiteral("play");
      return count;
    };
    for (const WindowLayout layout :
         {WindowLayout::Explore, WindowLayout::Compare, WindowLayout::Profile, WindowLayout::Teach}) {
      desk.window.workspaces().choose(layout);
      QCoreApplication::processEvents();
      QCOMPARE(buttons(), 1);
    }
    test::openMore(desk.window);
    QCOMPARE(buttons(), 1);
    const Stage& stage = desk.window.stage();
    for (int x = 4; x < stage.width() / 8; x += 8)  // where another Play button used to be
      QTest::mouseClick(&desk.window.stage(), Qt::LeftButton, {}, QPoint(x, stage.height() - 20));
    QVERIFY(!desk.playback.isPlaying());
    auto& play = *desk.window.findChild<PlayButton*>();
    QVERIFY(play.invites() && play.width() >= 3 * theme::target() / 2);
    QTest::mouseClick(&play, Qt::LeftButton);
    QVERIFY(desk.playback.isPlaying() && !play.invites());
  }

  // What a class's file hides or locks stays so behind More.
  void whatIsHiddenForAClassStaysHidden() {
    const QTemporaryDir folder;
    Desk desk(folder);
    auto& locks = *desk.window.findChild<ClassLocks*>();
    locks.set({QStringLiteral("reducer"), QStringLiteral("home"), QStringLiteral("speed")}, ControlState::Hidden);
    locks.set({QStringLiteral("mode"), QStringLiteral("batch-per-replica")}, ControlState::Locked);
    test::openMore(desk.window);
    const QStringList names = controlsIn(desk.window);
    for (const char* name : {"reducer", "home", "speed"}) QVERIFY2(!names.contains(QLatin1String(name)), name);
    QVERIFY(names.contains(QStringLiteral("back")));
    QVERIFY(desk.part("batch-per-replica").isVisible() && !desk.part("batch-per-replica").isEnabled());
    for (const QAction* action : desk.window.findChild<QActionGroup*>(QStringLiteral("mode"))->actions())
      QVERIFY(!action->isEnabled());
    locks.set({QStringLiteral("reducer"), QStringLiteral("home")}, ControlState::Shown);
    QCoreApplication::processEvents();
    QVERIFY(desk.part("reducer").isVisible());
    QVERIFY(controlsIn(desk.window).contains(QStringLiteral("home")));
  }

  // Nothing moves when the bar of the run's steps appears with the second step.
  void theRunsStepsComeWithTheSecond() {
    const QTemporaryDir folder;
    Desk desk(folder);
    const auto& runs = *desk.window.findChild<RunBar*>();
    const QRect scrubber = desk.part("scrubber").geometry();
    const QSize stage = desk.window.stage().size();
    QVERIFY(!runs.isVisible());
    QVERIFY(desk.goOn());
    QVERIFY(runs.isVisible());
    QCoreApplication::processEvents();
    QCOMPARE(desk.part("scrubber").geometry(), scrubber);
    QCOMPARE(desk.window.stage().size(), stage);
  }
};

QTEST_MAIN(TestFewControls)
#include "tst_few_controls.moc"
