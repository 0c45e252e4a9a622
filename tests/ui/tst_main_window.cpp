// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=22
// The window on real training runs, small ones on the embedded digits: it starts in Teach with a complete picture,
// obeys its keys, shows what the run reports, answers a failure with its sentence, and closes while training goes on.
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolBar>
#include <QToolButton>

#include <cmath>
#include <functional>
#include <utility>

#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/more_controls.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_traces.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/panel.h"
#include "ui/frame/stage_strip.h"
#include "ui/help/notice.h"
#include "ui/inspect/inspector.h"
#include "ui/runview/run_summary.h"
#include "ui/serving/serve_dialog.h"
#include "ui/setup/fit.h"
#include "ui/stage/narration.h"
#include "ui/stage/stage.h"
#include "ui/step/selection.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_view.h"
#include "ui/transport/run_bar.h"
#include "ui/transport/scrubber.h"
#include "ui/transport/transport_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

using namespace lab;

namespace {

constexpr std::int64_t kEndless = 1'000'000;

RunSettings smallRun(std::int64_t steps = kEndless) {
  RunSettings config = test::smallConfig();
  config.steps = steps;
  config.evalEvery = steps == kEndless ? 0 : steps;
  return config;
}

QList<QPointF> shownOf(const MetricChart& chart, int run) {
  return chart.shownPoints(run, ChartLines::Kind::Each);
}

// Returns the widget on the bar that contains a button with these words.
QWidget* placeOf(const QToolBar& bar, const char* words) {
  for (QAction* action : bar.actions()) {
    QWidget* place = bar.widgetForAction(action);
    for (const auto* button : place->findChildren<QToolButton*>())
      if (button->text() == QString::fromUtf8(words)) return place;
  }
  return nullptr;
}

struct Fixture {
  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();

  explicit Fixture(const RunSettings& config = smallRun()) {
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(config);
    (void)QTest::qWaitFor([this] { return playback.record() != nullptr || controller.isOver(); }, kPatienceMs);
  }
  bool is(RunState state) const { return controller.state() == state; }
  template <typename Widget>
  Widget& part(const char* name) const {
    return *window.findChild<Widget*>(QLatin1String(name));
  }
  QString text(const char* label) const { return part<QLabel>(label).text(); }
  bool isShown(const char* name) const { return part<QWidget>(name).isVisible(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window, key, modifiers); }
  StrategyKind strategy() { return window.experiment().resolved().strategy; }
  std::int64_t replicas() { return window.experiment().resolved().replicas; }
};

}  // namespace

namespace {

class ShowWatch final : public QObject {
 public:
  int shows = 0;
  bool framed = true;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Show) return false;
    ++shows;
    framed = framed && !static_cast<QWidget*>(watched)->windowFlags().testFlag(Qt::FramelessWindowHint);
    return false;
  }
};

}  // namespace

class TestMainWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // No dock, shown or hidden, asks for more room than its place beside the stage.
  void teachGivesTheStageTheRoom() {
    RunController controller;
    MainWindow window(controller);
    window.resize(1280, 720);
    window.show();
    window.experiment().begin(smallRun());
    QTRY_VERIFY_WITH_TIMEOUT(window.playback().record() != nullptr, kPatienceMs);
    window.refreshAll();
    QTest::qWait(0);
    QVERIFY2(10 * window.stage().width() >= 7 * window.width(), qPrintable(QString::number(window.stage().width())));
  }

  // In every layout the stage is visible and whole, in Profile once it is opened, and nothing lies over it.
  void stageIsWholeInEveryLayout_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void stageIsWholeInEveryLayout() {
    QFETCH(QSize, size);
    Fixture fixture;
    fixture.window.resize(size);
    for (const WindowLayout layout : {WindowLayout::Explore, WindowLayout::Profile, WindowLayout::Teach}) {
      fixture.window.workspaces().choose(layout);
      if (layout == WindowLayout::Profile) fixture.window.panels().setStageOpen(true);
      QTest::qWait(0);
      const Stage& stage = fixture.window.stage();
      QVERIFY(stage.isVisible());
      QVERIFY(stage.height() >= stage.minimumHeight());
      for (const QWidget* other : stage.parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (other != &stage && other->isVisible()) QVERIFY(!other->geometry().intersects(stage.geometry()));
      for (const QDockWidget* dock : fixture.window.findChildren<QDockWidget*>())
        if (dock->isVisible()) QVERIFY2(dock->width() > 40 && dock->height() > 40, qPrintable(dock->objectName()));
    }
  }

  // Tabs are chosen by click, by their own key, and by the arrows if the row of tabs has the keyboard.
  void tabsChooseTheCentre() {
    Fixture fixture;
    auto& tabs = fixture.part<QTabBar>("workspaces");
    QVERIFY(tabs.isVisible() && !tabs.accessibleName().isEmpty() && (tabs.focusPolicy() & Qt::TabFocus) != 0);
    QCOMPARE(tabs.count(), static_cast<int>(kLayouts.size()));
    const auto shows = [&](WindowLayout workspace) {
      const auto number = static_cast<int>(workspace);
      const bool onStage = workspace == WindowLayout::Teach || workspace == WindowLayout::Explore;
      return fixture.window.workspaces().current() == workspace && tabs.currentIndex() == number &&
             fixture.window.stage().isVisible() == onStage && fixture.part<QAction>(keyOf(workspace)).isChecked();
    };
    QVERIFY(shows(WindowLayout::Teach));
    for (int i = tabs.count() - 1; i >= 0; --i) {
      QVERIFY(!tabs.tabToolTip(i).isEmpty() && !tabs.tabToolTip(i).startsWith(tabs.tabText(i)));
      QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(i).center());
      QVERIFY2(shows(static_cast<WindowLayout>(i)), kLayouts[static_cast<std::size_t>(i)].key);
    }
    for (int i = 0; i < tabs.count(); ++i) {
      fixture.press(static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
      QVERIFY2(shows(static_cast<WindowLayout>(i)), kLayouts[static_cast<std::size_t>(i)].key);
    }
    const std::int64_t step = fixture.playback.step();
    const double seconds = fixture.playback.seconds();
    tabs.setFocus();
    QTest::keyClick(&tabs, Qt::Key_Left);
    QVERIFY(shows(WindowLayout::Sweep));
    QTest::keyClick(&tabs, Qt::Key_Right);
    QVERIFY(shows(WindowLayout::Profile));
    QCOMPARE(fixture.playback.step(), step);
    QCOMPARE(fixture.playback.seconds(), seconds);
  }

  void startsInTeachWithACompletePicture() {
    Fixture fixture;
    QVERIFY(fixture.playback.record() != nullptr);
    QCOMPARE(fixture.playback.step(), std::int64_t{1});
    QVERIFY(!fixture.playback.isPlaying());
    QCOMPARE(fixture.strategy(), StrategyKind::Mirrored);
    QCOMPARE(fixture.replicas(), std::int64_t{2});
    QCOMPARE(fixture.playback.record()->metric.examples, std::int64_t{8});
    for (const char* panel : {"evidencePanel", "guidePanel", "detailPanel"}) QVERIFY2(!fixture.isShown(panel), panel);
    fixture.press(Qt::Key_F9);
    QVERIFY(fixture.isShown("chartsTab") && !fixture.part<MetricChart>("accuracy").isVisible());
    QVERIFY(!fixture.window.stage().scene().items.empty() || fixture.window.grab().width() > 0);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.text("state"), QStringLiteral("Paused"), kPatienceMs);
  }

  // Tabs that nobody looks at must not delay the first picture.
  void hiddenTabsAreFilledWhenTheyAreFirstShown() {
    Fixture fixture;
    for (const char* name : {"inspectorTab", "setupTab", "traceTab", "runsTab", "whatIfTab", "tryTab"}) {
      const OnDemand* place = fixture.window.panels().tab(QLatin1String(name));
      QVERIFY2(!place->isMade(), name);
      fixture.window.panels().openTab(QLatin1String(name));
      QVERIFY2(place->isMade(), name);
    }
  }

  void layoutsShowWhatTheyAreFor() {
    Fixture fixture;
    fixture.window.workspaces().choose(WindowLayout::Explore);
    for (const char* dock : {"setupTab", "chartsTab"})
      QTRY_VERIFY2_WITH_TIMEOUT(fixture.isShown(dock), dock, kPatienceMs);
    QVERIFY(fixture.part<MetricChart>("modelledThroughput").isVisible());
    fixture.window.workspaces().choose(WindowLayout::Profile);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isShown("traceTab") && !fixture.isShown("setupTab"), kPatienceMs);
    fixture.window.workspaces().choose(WindowLayout::Teach);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.isShown("traceTab"), kPatienceMs);
    for (const auto* dock : fixture.window.findChildren<QDockWidget*>()) QVERIFY(!dock->objectName().isEmpty());
    for (const auto* bar : fixture.window.findChildren<QToolBar*>()) QVERIFY(!bar->objectName().isEmpty());
  }

  // What a person has opened, collapsed or chosen stays so with letters of another size, in another workspace and in
  // the next session.
  void panelsStayAsTheirUserHasThem() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.resize(1366, 768);
    window.workspaces().choose(WindowLayout::Profile);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isShown("traceTab"), kPatienceMs);
    QVERIFY(!fixture.isShown("detailPanel"));
    fixture.press(Qt::Key_F8);
    auto& tabs = *fixture.part<Panel>("evidencePanel").titleBarWidget()->findChild<QTabBar*>();
    QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(4).center());
    const auto asLeft = [&] { return fixture.isShown("whatIfTab") && fixture.isShown("detailPanel"); };
    QVERIFY(asLeft());
    for (const QSize size : {QSize(1920, 1440), QSize(1366, 768)}) {
      const int text = theme::textSize();
      window.resize(size);
      QTRY_VERIFY_WITH_TIMEOUT(theme::textSize() != text, kPatienceMs);
      QVERIFY(asLeft());
    }
    window.workspaces().choose(WindowLayout::Teach);
    QVERIFY(!fixture.isShown("detailPanel") && !fixture.isShown("evidencePanel"));
    fixture.press(Qt::Key_F9);
    QVERIFY(fixture.isShown("chartsTab"));
    window.workspaces().choose(WindowLayout::Profile);
    QVERIFY(asLeft());
    const QByteArray left = window.panels().save();
    window.panels().reset();
    QVERIFY(!fixture.isShown("detailPanel") && fixture.isShown("traceTab"));
    window.panels().restore(left);
    QVERIFY(asLeft());
    window.panels().restore(QByteArray("of another version"));
    QVERIFY(asLeft());
    window.workspaces().choose(WindowLayout::Teach);
    QVERIFY(fixture.isShown("chartsTab"));
  }

  // At 1280 x 720 at most one side is open, and the centre has 60 % of the area that it shares with the panels.
  void theCentreKeepsItsShare() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.resize(1280, 720);
    window.panels().setStageOpen(true);
    const auto areaOf = [](const QWidget* widget) { return widget->width() * double(widget->height()); };
    for (const LayoutRow& row : kLayouts) {
      fixture.part<QAction>(row.key).trigger();
      for (const QString& tab : window.panels().tabNames()) {
        window.panels().openTab(tab);
        if (!fixture.isShown("evidencePanel")) fixture.press(Qt::Key_F9);
        QTest::qWait(0);
        QVERIFY(window.panels().tab(tab)->isVisible());
        QCOMPARE(window.size(), QSize(1280, 720));
        QVERIFY(!fixture.isShown("guidePanel") || !fixture.isShown("detailPanel"));
        double panels = 0;
        for (const Panel* panel : window.findChildren<Panel*>())
          if (panel->isVisible()) panels += areaOf(panel);
        const double centre = areaOf(window.centralWidget());
        // A program's lines are whole from 480 pixels on: the program's tab takes these, and the centre the rest.
        const bool code = tab == QStringLiteral("programTab");
        const double least =
            window.workspaces().current() == WindowLayout::Profile ? 0.5 : 0.6;  // Profile: the trace matters
        if (code) QVERIFY(window.centralWidget()->width() >= 0.6 * window.width());
        QVERIFY2(
            code || centre >= least * (centre + panels),
            qPrintable(QStringLiteral("%1, %2: %3").arg(QLatin1String(row.key), tab).arg(centre / (centre + panels))));
      }
    }
  }

  // Profile is for the trace, which has the window; the stage is a strip that a click or a key opens to its usual
  // height and closes again. This state is kept, also for the next session; in other workspaces and on a projector the
  // stage is as it was.
  void theTraceHasTheWindowInProfile_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1366, 768), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void theTraceHasTheWindowInProfile() {
    QFETCH(QSize, size);
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.resize(size);
    const Stage& stage = window.stage();
    auto& evidence = fixture.part<Panel>("evidencePanel");
    auto& act = fixture.part<QAction>("profileStage");
    auto* button = window.findChild<StageStrip*>()->findChild<QToolButton*>();
    const auto part = [&] {
      return evidence.height() / static_cast<double>(evidence.height() + window.centralWidget()->height());
    };
    for (const LayoutRow& row : kLayouts) {
      fixture.part<QAction>(row.key).trigger();
      const bool profile = window.workspaces().current() == WindowLayout::Profile;
      QCOMPARE(act.isEnabled(), profile);
      QCOMPARE(button->isVisible(), profile);
    }
    const auto isStrip = [&] { return !stage.isVisible() && evidence.isVisible() && part() >= 2.0 / 3; };
    QTRY_VERIFY2_WITH_TIMEOUT(isStrip(), qPrintable(QString::number(part())), kPatienceMs);
    QVERIFY(fixture.isShown("traceTab") && window.findChild<TransportBar*>()->findChild<Scrubber*>()->isVisible());
    const auto& words = fixture.part<QLabel>("stripWords");
    QVERIFY2(words.accessibleName().contains(fixture.playback.story().captionAt(fixture.playback.seconds())),
             qPrintable(words.accessibleName()));
    const auto isOpen = [&] { return stage.isVisible() && stage.height() >= stage.minimumHeight() && part() < 0.5; };
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(isOpen() && words.text().isEmpty(), qPrintable(QString::number(part())), kPatienceMs);
    fixture.press(Qt::Key_B);
    QTRY_VERIFY2_WITH_TIMEOUT(isStrip(), qPrintable(QString::number(part())), kPatienceMs);
    fixture.press(Qt::Key_B);
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
    // The open stage is kept here and for the next session, and resetting the panels closes it again.
    window.workspaces().choose(WindowLayout::Explore);
    window.workspaces().choose(WindowLayout::Profile);
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
    const QByteArray left = window.panels().save();
    window.panels().reset();
    QTRY_VERIFY_WITH_TIMEOUT(isStrip(), kPatienceMs);
    window.panels().restore(left);
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
    window.panels().restore(left.chopped(1));  // a session that was saved before Profile had a strip
    QTRY_VERIFY2_WITH_TIMEOUT(isStrip(), qPrintable(QString::number(part())), kPatienceMs);
    // If the trace is hidden, or on a projector, the stage takes its room.
    fixture.press(Qt::Key_F9);
    QTRY_VERIFY_WITH_TIMEOUT(stage.isVisible() && !button->isVisible() && !act.isEnabled(), kPatienceMs);
    fixture.press(Qt::Key_F9);
    QTRY_VERIFY_WITH_TIMEOUT(isStrip(), kPatienceMs);
    window.looks().setTheme(theme::Kind::Projector);
    QTRY_VERIFY_WITH_TIMEOUT(stage.isVisible() && !button->isVisible(), kPatienceMs);
    window.looks().setTheme(theme::Kind::Light);
    QTRY_VERIFY_WITH_TIMEOUT(isStrip(), kPatienceMs);
    fixture.press(Qt::Key_Z);  // the stage opens when a person looks into a replica
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
  }

  // Evidence makes room for a side and gets its height back when the side is closed; a height set by hand stays.
  void evidenceHasItsHeightAgain() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.resize(1366, 744);
    window.workspaces().choose(WindowLayout::Profile);
    window.panels().setStageOpen(true);
    auto& evidence = fixture.part<QDockWidget>("evidencePanel");
    QTRY_VERIFY_WITH_TIMEOUT(evidence.isVisible(), kPatienceMs);
    QTest::qWait(0);
    const int whole = evidence.height();
    fixture.press(Qt::Key_F7);
    QTRY_VERIFY_WITH_TIMEOUT(evidence.height() < whole, kPatienceMs);
    fixture.press(Qt::Key_F9);
    fixture.press(Qt::Key_F9);
    fixture.press(Qt::Key_F7);
    QTRY_COMPARE_WITH_TIMEOUT(evidence.height(), whole, kPatienceMs);
    const int byHand = whole * 2 / 3;  // this leaves room for a side
    window.resizeDocks({&evidence}, {byHand}, Qt::Vertical);
    QTRY_COMPARE_WITH_TIMEOUT(evidence.height(), byHand, kPatienceMs);
    fixture.press(Qt::Key_F7);
    fixture.press(Qt::Key_F7);
    QTest::qWait(0);
    QCOMPARE(evidence.height(), byHand);
  }

  // In a low window, the inspector of a clicked object takes the trace's place while the object is selected.
  void whatMadeWayForTheInspectorIsBack() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.resize(900, 500);
    window.workspaces().choose(WindowLayout::Profile);
    window.panels().setStageOpen(true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isShown("evidencePanel") && fixture.playback.record() != nullptr, kPatienceMs);
    Selection& selection = window.selection();
    selection.pin({Object::Kind::Device, 0, -1});
    Q_EMIT window.stage().inspectionWanted();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isShown("inspectorTab"), kPatienceMs);
    QVERIFY(!fixture.isShown("evidencePanel"));
    selection.pin({});
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.isShown("detailPanel"), kPatienceMs);
    QVERIFY(fixture.isShown("evidencePanel"));
  }

  // In an open panel, the inspector covers the tab in front while the object is selected. What the user does to the
  // panels afterwards stays, as does a tab that the user turns to.
  void whatTheInspectorCoveredIsBack() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.workspaces().choose(WindowLayout::Explore);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.isShown("setupTab") && fixture.playback.record() != nullptr, kPatienceMs);
    Selection& selection = window.selection();
    const auto inspect = [&](int device) {
      selection.pin({Object::Kind::Device, device, -1});
      Q_EMIT window.stage().inspectionWanted();
    };
    inspect(0);
    inspect(1);
    QVERIFY(fixture.isShown("inspectorTab"));
    selection.pin({});
    QVERIFY(fixture.isShown("setupTab"));

    window.panels().openTab(QStringLiteral("networkTab"));
    inspect(0);
    selection.pin({});
    QVERIFY(fixture.isShown("networkTab"));
    window.workspaces().choose(WindowLayout::Teach);
    window.workspaces().choose(WindowLayout::Explore);
    QVERIFY(fixture.isShown("networkTab"));

    inspect(0);
    window.panels().openTab(QStringLiteral("setupTab"));
    selection.pin({});
    QVERIFY(fixture.isShown("setupTab"));
  }

  // Each panel has a named button that shows whether the panel is open.
  void panelsHaveButtons() {
    Fixture fixture;
    test::openMore(fixture.window);
    for (const char* name : {"guidePanel", "detailPanel", "evidencePanel"}) {
      const auto& row = fixture.part<QToolBar>(name == QByteArray("guidePanel") ? "workspaceRow" : "moreBar");
      auto* button = qobject_cast<QToolButton*>(row.widgetForAction(fixture.part<Panel>(name).toggleViewAction()));
      QVERIFY2(button != nullptr && button->isVisible() && !button->text().isEmpty(), name);
      const bool before = fixture.isShown(name);
      QCOMPARE(button->isChecked(), before);
      for (const bool open : {!before, before}) {
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(fixture.isShown(name), open);
        QCOMPARE(button->isChecked(), open);
      }
    }
  }

  void controlsFitAndHaveNames_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160)})
      QTest::addRow("%d", size.width()) << size;
  }
  void controlsFitAndHaveNames() {
    QFETCH(QSize, size);
    theme::setTextSize(theme::textSizeFor(size.height()));
    theme::apply(*qApp);
    {
      Fixture fixture;
      fixture.window.resize(size);
      fixture.window.workspaces().choose(WindowLayout::Teach);
      for (int i = 0; i < 2; ++i) {
        for (const StrategyInfo& info : strategies()) {
          fixture.window.experiment().set(QStringLiteral("strategy"), QString::fromStdString(info.key));
          QCoreApplication::processEvents();
          for (const auto* more : fixture.window.findChildren<QToolButton*>(QStringLiteral("qt_toolbar_ext_button")))
            QVERIFY2(!more->isVisible() || more->parentWidget()->childAt(more->geometry().center()) != more,
                     qPrintable(more->parentWidget()->objectName()));
        }
        test::openMore(fixture.window);
      }
      for (const char* bar : {"controls", "moreBar"})
        for (const auto* button : fixture.part<QToolBar>(bar).findChildren<QToolButton*>())
          if (button->objectName() != QStringLiteral("qt_toolbar_ext_button"))
            QVERIFY(!button->accessibleName().isEmpty() || !button->text().isEmpty());
      QVERIFY(fixture.window.stage().width() > size.width() / 2);
      QVERIFY(20 * fixture.window.stage().height() > 9 * size.height());
    }
    theme::setTextSize(13);
    theme::apply(*qApp);
  }

  // In the first window on a small screen, the pointer reaches all that the first minute needs, including the speed. In
  // a narrower window, the least needed controls go, but none that would have had room.
  void speedsAreInTheToolbar() {
    {
      RunController controller;
      MainWindow window(controller);
      theme::setTextSize(theme::textSizeFor(720));
      theme::apply(*qApp);
      window.show();
      QVERIFY(QTest::qWaitForWindowExposed(&window, kPatienceMs));
      test::openMore(window);
      const auto& bar = *window.findChild<QToolBar*>(QStringLiteral("moreBar"));
      const QWidget* speeds = bar.findChild<QComboBox*>(QStringLiteral("speed"))->parentWidget();
      const QWidget* buttons = placeOf(bar, "1×");
      for (int width = 1300; width >= 700; width -= 3) {
        window.resize(width, 700);
        QCoreApplication::processEvents();
        const int used = bar.sizeHint().width(), spare = bar.width() - used;
        const QByteArray sizes = QStringLiteral("%1 of %2").arg(used).arg(bar.width()).toUtf8();
        QVERIFY2(spare >= 0, sizes);
        const bool told = speeds->isVisible() || buttons->isVisible();
        QVERIFY2(told || width < 1278, sizes);
        const auto* modes = placeOf(bar, "Story");
        if (!told && modes->isVisible()) QVERIFY2(spare < speeds->sizeHint().width() + theme::em(1.5), sizes);
      }
    }
    theme::setTextSize(13);
    theme::apply(*qApp);
  }

  // Settings that have no room in the toolbar are one button away.
  void everySettingIsInReach_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1366, 768), QSize(1280, 720), QSize(900, 700)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void everySettingIsInReach() {
    QFETCH(QSize, size);
    Fixture fixture;
    fixture.window.resize(size);
    test::openMore(fixture.window);
    auto& more = *fixture.part<QToolBar>("moreBar").findChild<QToolButton*>(QStringLiteral("moreSettings"));
    if (!fixture.part<QToolButton>("rate").isVisible()) {
      QVERIFY(more.isVisible() && more.accessibleName().contains(QStringLiteral("Learning rate")));
      more.click();
      auto* popup = fixture.window.findChild<QFrame*>(QStringLiteral("moreSettingsPopup"));
      QVERIFY(popup != nullptr && popup->isVisible());
      auto* rate = popup->findChild<QToolButton*>(QStringLiteral("rate"));
      QVERIFY(rate != nullptr && rate->isVisible());
      QVERIFY(popup->screen()->availableGeometry().contains(popup->geometry()));
      popup->close();
    }
    fixture.window.resize(2200, 768);
    QCoreApplication::processEvents();
    QVERIFY(fixture.part<QToolButton>("rate").isVisible() && !more.isVisible());
  }

  // A floating panel of the last session is shown after the window that it belongs to: else it lay behind it.
  void aFloatingPanelIsShownAfterTheWindow() {
    RunController controller;
    MainWindow window(controller);
    Panel& panel = window.panels().at(PanelPlace::Evidence);
    panel.setFloating(true);
    panel.show();
    QVERIFY(!window.isVisible() && panel.isVisible());
    ShowWatch watch;
    panel.installEventFilter(&watch);
    window.show();
    QTRY_COMPARE_WITH_TIMEOUT(watch.shows, 1, kPatienceMs);
    QVERIFY(watch.framed && panel.isVisible() && panel.isFloating());
    panel.removeEventFilter(&watch);
  }

  // Where a panel is dropped on a side that has none, it is as wide as a side is, and not as narrow as it may be.
  void aDroppedPanelHasTheWidthOfASide() {
    Fixture fixture;
    auto& panel = fixture.part<QDockWidget>("detailPanel");
    fixture.press(Qt::Key_F8);
    QVERIFY(panel.isVisible());
    const int usual = panel.width();
    panel.setFloating(true);
    QCoreApplication::processEvents();
    fixture.window.addDockWidget(Qt::LeftDockWidgetArea, &panel);
    panel.setFloating(false);
    QTRY_VERIFY_WITH_TIMEOUT(panel.x() == 0 && panel.width() >= usual, kPatienceMs);
  }

  void aPanelOfItsOwnIsAWindowBesideThis() {
    Fixture fixture;
    auto& panel = fixture.part<QDockWidget>("evidencePanel");
    fixture.press(Qt::Key_F9);
    QVERIFY(panel.isVisible());
    // The panel is shown once, with its frame: a window that changes its kind while it is shown may get lost.
    ShowWatch watch;
    panel.installEventFilter(&watch);
    panel.findChild<QToolButton*>(QStringLiteral("floatPanel"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(panel.isVisible() && !panel.windowFlags().testFlag(Qt::FramelessWindowHint), kPatienceMs);
    QTest::qWait(0);
    QCOMPARE(watch.shows, 1);
    QVERIFY(watch.framed);
    panel.removeEventFilter(&watch);
    QVERIFY(panel.isWindow() && panel.isFloating());
    panel.findChild<QToolButton*>(QStringLiteral("floatPanel"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isFloating() && panel.isVisible(), kPatienceMs);
    QVERIFY(!panel.isWindow());
    const QRect screen(0, 0, 1920, 1080);
    for (const QRect& window : {QRect(0, 0, 1200, 900), QRect(700, 100, 1200, 900), QRect(0, 0, 1900, 600)}) {
      const QRect place = placeBeside(window, screen, {1200, 240});
      QVERIFY(screen.contains(place) && !place.intersects(window));
      QVERIFY(place.width() >= 600 && place.height() >= 240);
    }
    // If the window fills the screen, the panel goes to a corner of the screen.
    const QRect corner = placeBeside(screen, screen, {1920, 300});
    QVERIFY(screen.contains(corner));
    QVERIFY(corner.width() * corner.height() <= 1920 * 1080 / 4);
  }

  // The rate is shown if there is room. A small window shows it only while a scaling rule is at work; the reducer then
  // makes way for it, but not the modes.
  void theRateIsInTheToolbar() {
    Fixture fixture;
    auto& window = fixture.window;
    const auto& rate = fixture.part<QToolButton>("rate");
    test::openMore(window);
    const QWidget& modes = *placeOf(fixture.part<QToolBar>("moreBar"), "Story");
    window.resize(1920, 720);
    QCoreApplication::processEvents();
    QVERIFY(rate.isVisible() && modes.isVisible());
    int narrow = 1920;
    while (narrow > 700 && rate.isVisible()) {
      window.resize(narrow -= 10, 720);
      QCoreApplication::processEvents();
    }
    QVERIFY(!rate.isVisible() && modes.isVisible());
    window.experiment().set(QStringLiteral("lr-scaling"), QStringLiteral("linear"));
    QVERIFY(rate.isVisible() && modes.isVisible());
    QVERIFY(rate.text().contains(QStringLiteral("→")));
    const auto& bar = fixture.part<QToolBar>("moreBar");
    for (int width = narrow; width >= 700; width -= 25) {
      window.resize(width, 720);
      QCoreApplication::processEvents();
      QVERIFY(bar.sizeHint().width() <= bar.width());
    }
    window.resize(narrow, 720);
    window.experiment().set(QStringLiteral("lr-scaling"), QStringLiteral("none"));
    QCoreApplication::processEvents();
    QVERIFY(!rate.isVisible());
  }

  void keysDoWhatTheSheetSays() {
    Fixture fixture;
    fixture.press(Qt::Key_Space);
    QVERIFY(fixture.playback.isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.seconds() > 0, kPatienceMs);
    fixture.press(Qt::Key_Space);
    QVERIFY(!fixture.playback.isPlaying());

    fixture.press(Qt::Key_Home);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.seconds(), 0.0, kPatienceMs);
    fixture.press(Qt::Key_Right);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.playback.isMoving() && fixture.playback.seconds() > 0, kPatienceMs);
    QVERIFY(!fixture.playback.isPlaying());
    const double phase = fixture.playback.seconds();
    fixture.press(Qt::Key_Period);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.playback.isMoving() && fixture.playback.seconds() != phase, kPatienceMs);
    fixture.press(Qt::Key_Right, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{2}, kPatienceMs);

    fixture.press(Qt::Key_Plus);
    QCOMPARE(fixture.replicas(), std::int64_t{3});
    fixture.press(Qt::Key_Minus);
    QCOMPARE(fixture.replicas(), std::int64_t{2});
    for (int number = 0; number < 7; ++number) {
      fixture.press(static_cast<Qt::Key>(Qt::Key_1 + number));
      QCOMPARE(fixture.strategy(), strategies()[static_cast<std::size_t>(number)].kind);
    }
    fixture.press(Qt::Key_3);
    QVERIFY(!fixture.playback.isPlaying());  // acting while paused does not resume

    fixture.press(Qt::Key_L);
    QVERIFY(fixture.playback.isPlaying() && fixture.playback.mode() == Playback::Mode::Live);
    fixture.window.selection().pin({Object::Kind::Device, 0, -1});
    fixture.press(Qt::Key_Escape);
    QVERIFY(!fixture.window.selection().pinned());
    fixture.press(Qt::Key_Question);
    QVERIFY(fixture.window.findChild<QDialog*>(QStringLiteral("shortcuts")) != nullptr);
  }

  void typingANumberIsNotAKey() {
    Fixture fixture;
    auto* replicas = fixture.part<QWidget>("replicas").findChild<QSpinBox*>();
    replicas->setFocus();
    replicas->selectAll();
    QTest::keyClick(replicas, Qt::Key_4);
    QCOMPARE(fixture.strategy(), StrategyKind::Mirrored);
    QTest::keyClick(replicas, Qt::Key_Return);
    QCOMPARE(fixture.replicas(), std::int64_t{4});
    QCOMPARE(fixture.window.experiment().resolved().globalBatch, std::int64_t{8});
    // Space plays even while a field has the keyboard.
    replicas->setFocus();
    QTest::keyClick(replicas, Qt::Key_Space);
    QVERIFY(fixture.playback.isPlaying());
  }

  // A person writes a number with a click into the field, a digit and Enter.
  void aClickGivesAFieldItsKeys() {
    Fixture fixture;
    auto* replicas = fixture.part<QWidget>("replicas").findChild<QSpinBox*>();
    const auto type = [&](Qt::Key key) {
      QWidget* focus = QApplication::focusWidget();
      QTest::keyClick(focus != nullptr ? focus : &fixture.window, key);
    };
    QTest::mouseClick(replicas->findChild<QLineEdit*>(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), replicas, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(replicas->findChild<QLineEdit*>()->selectedText(), QStringLiteral("2"), kPatienceMs);
    type(Qt::Key_4);
    QCOMPARE(fixture.strategy(), StrategyKind::Mirrored);
    QCOMPARE(fixture.replicas(), std::int64_t{2});
    type(Qt::Key_Return);
    QCOMPARE(fixture.replicas(), std::int64_t{4});
    type(Qt::Key_4);
    QCOMPARE(fixture.strategy(), StrategyKind::MultiWorkerMirrored);
    // Esc takes back what was typed but not entered.
    QTest::mouseClick(replicas->findChild<QLineEdit*>(), Qt::LeftButton);
    type(Qt::Key_7);
    type(Qt::Key_Escape);
    QCOMPARE(fixture.replicas(), std::int64_t{4});
    QCOMPARE(replicas->text(), QStringLiteral("4"));
    type(Qt::Key_3);
    QCOMPARE(fixture.strategy(), StrategyKind::Mirrored);
    // Tab goes on from the field that Enter has left.
    replicas->setFocus();
    type(Qt::Key_Tab);
    const QWidget* next = QApplication::focusWidget();
    QVERIFY(next != nullptr && next != replicas);
    replicas->setFocus();
    type(Qt::Key_Return);
    QVERIFY(QApplication::focusWidget() == nullptr);
    type(Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), next);
    // A press elsewhere also gives the keys back, but what was typed counts.
    QTest::mouseClick(replicas->findChild<QLineEdit*>(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(replicas->findChild<QLineEdit*>()->selectedText(), QStringLiteral("4"), kPatienceMs);
    type(Qt::Key_3);
    QTest::mouseClick(&fixture.part<QToolBar>("workspaceRow"), Qt::LeftButton);
    QCOMPARE(fixture.replicas(), std::int64_t{3});
    QVERIFY(QApplication::focusWidget() != replicas);
  }

  // A press on a trace of Compare ends the typing of a number, which starts the runs anew while the trace is being
  // pressed: the trace must still be there, and shows the new run afterwards.
  void aPressOnATraceTakesTheNumberThatWasTyped() {
    Fixture fixture;
    fixture.window.resize(1900, 1000);
    fixture.window.workspaces().choose(WindowLayout::Compare);
    fixture.window.centre().comparison()->compareWith(strategyInfo(StrategyKind::CentralStorage));
    QTabBar* tabs = fixture.part<QTabWidget>("lanesBelow").tabBar();
    QCoreApplication::processEvents();  // lays out the tabs
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(3).center());
    const auto* traces = fixture.window.findChild<LaneTraces*>();
    QVERIFY(traces->isVisible());
    auto* replicas = fixture.part<QWidget>("replicas").findChild<QSpinBox*>();
    auto* digits = replicas->findChild<QLineEdit*>();
    const std::pair<std::size_t, std::int64_t> presses[] = {{0, 4}, {1, 3}};
    for (const auto& [lane, number] : presses) {
      fixture.window.activateWindow();
      QTRY_VERIFY_WITH_TIMEOUT(fixture.window.isActiveWindow(), kPatienceMs);
      const QPointer<TraceView> pressed = &traces->view(lane);
      QTRY_VERIFY_WITH_TIMEOUT(pressed->timeline() != nullptr, kPatienceMs);
      QTest::mouseClick(digits, Qt::LeftButton);
      QTRY_COMPARE_WITH_TIMEOUT(digits->selectedText(), replicas->text(), kPatienceMs);
      QTest::keyClick(replicas, static_cast<Qt::Key>(Qt::Key_0 + number));
      QVERIFY(fixture.replicas() != number);
      QTest::mousePress(pressed->viewport(), Qt::LeftButton);
      QVERIFY(pressed);
      QTest::mouseRelease(pressed->viewport(), Qt::LeftButton);
      QCOMPARE(fixture.replicas(), number);
      QVERIFY(pressed->hasFocus());
    }
    QTRY_VERIFY_WITH_TIMEOUT(traces->view(0).timeline() != nullptr && traces->view(1).timeline() != nullptr,
                             kPatienceMs);
  }

  // Tries every field with every key that is one letter or digit.
  void everyFieldHasItsKeysAndGivesThemBack() {
    Fixture fixture;
    fixture.window.resize(1900, 1000);
    fixture.window.selection().pin({Object::Kind::Device, 0, -1});  // shows the inspector's field
    int fields = 0;
    QSignalSpy started(&fixture.window.experiment(), &Experiment::started);
    for (const WindowLayout layout : {WindowLayout::Explore, WindowLayout::Profile}) {
      fixture.window.workspaces().choose(layout);
      if (layout == WindowLayout::Profile) fixture.window.panels().openTab(QStringLiteral("whatIfTab"));
      QTest::qWait(0);
      for (auto* field : fixture.window.findChildren<QWidget*>()) {
        auto* number = qobject_cast<QAbstractSpinBox*>(field);
        auto* line = qobject_cast<QLineEdit*>(field);
        auto* list = qobject_cast<QComboBox*>(field);
        if (line != nullptr && qobject_cast<QAbstractSpinBox*>(line->parentWidget()) != nullptr) continue;
        if ((number == nullptr && line == nullptr && list == nullptr) || !field->isVisible() || !field->isEnabled())
          continue;
        ++fields;
        const QByteArray name = (field->objectName() + field->parentWidget()->objectName()).toUtf8();
        const QString before = number != nullptr ? number->text() : line != nullptr ? line->text() : QString();
        QVERIFY2(list != nullptr || field->focusPolicy() & Qt::ClickFocus, name);
        field->setFocus(Qt::TabFocusReason);
        for (int key = Qt::Key_1; key <= Qt::Key_7; ++key) QTest::keyClick(field, static_cast<Qt::Key>(key));
        if (line != nullptr) {  // number fields ignore letters, and lists search by them
          QTest::keyClick(field, Qt::Key_L);
          QTest::keyClick(field, Qt::Key_M);
        }
        QVERIFY2(fixture.strategy() == StrategyKind::Mirrored, name);
        QVERIFY2(fixture.playback.mode() == Playback::Mode::Story, name);
        QVERIFY2(started.isEmpty() || list != nullptr, name);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY2(!field->hasFocus(), name);
        if (number != nullptr) QVERIFY2(number->text() == before, name);
        if (line != nullptr) QVERIFY2(line->text() == before, name);
        started.clear();
      }
    }
    QVERIFY2(fields > 30, qPrintable(QString::number(fields)));
    fixture.press(Qt::Key_4);
    QCOMPARE(fixture.strategy(), StrategyKind::MultiWorkerMirrored);
  }

  // A person whose text was refused corrects it in the same field.
  void aRefusedFieldKeepsTheKeys() {
    RunSettings config = smallRun();
    config.strategy = StrategyKind::MultiWorkerMirrored;  // which has the field
    Fixture fixture(config);
    fixture.window.resize(1900, 1000);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    auto* hosts = fixture.window.findChild<QLineEdit*>(QStringLiteral("setting-hosts"));
    QTRY_VERIFY_WITH_TIMEOUT(hosts != nullptr && hosts->isVisible(), kPatienceMs);
    hosts->setFocus(Qt::TabFocusReason);
    hosts->selectAll();
    QTest::keyClick(hosts, Qt::Key_4);
    QTest::keyClick(hosts, Qt::Key_Return);
    QCOMPARE(fixture.window.experiment().complaintAbout(), QStringLiteral("hosts"));
    QVERIFY(hosts->hasFocus());
    hosts->selectAll();
    QTest::keyClick(hosts, Qt::Key_1);
    QTest::keyClick(hosts, Qt::Key_Return);
    QVERIFY(fixture.window.experiment().complaint().isEmpty());
    QVERIFY(!hosts->hasFocus());
    QCOMPARE(fixture.strategy(), StrategyKind::MultiWorkerMirrored);
  }

  // Esc closes an open list and nothing else.
  void escClosesAListAlone() {
    Fixture fixture;
    fixture.window.resize(1900, 1000);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    fixture.window.selection().pin({Object::Kind::Device, 0, -1});
    QComboBox* list = nullptr;
    for (auto* each : fixture.window.findChildren<QComboBox*>())
      if (each->isVisible() && each->isEnabled() && each->count() > 1) list = each;
    QVERIFY(list != nullptr);
    list->showPopup();
    QTest::keyClick(list->view(), Qt::Key_Escape);
    QCOMPARE(fixture.window.selection().pinned().kind, Object::Kind::Device);
    list->hidePopup();
  }

  // Esc in a list that can be typed into restores its text, opens nothing and gives the keys back.
  void escPutsBackWhatIsTypedIntoAList() {
    Fixture fixture;
    fixture.window.resize(1900, 1000);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    auto* device = fixture.window.findChild<QComboBox*>(QStringLiteral("setting-device-model"));
    QTRY_VERIFY_WITH_TIMEOUT(device != nullptr && device->isVisible(), kPatienceMs);
    const QString before = device->currentText();
    QTest::mouseClick(device->lineEdit(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(device->lineEdit()->selectedText(), before, kPatienceMs);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("zzz"));
    QCOMPARE(device->currentText(), QStringLiteral("zzz"));
    QTest::keyClick(device, Qt::Key_Escape);
    QCOMPARE(device->currentText(), before);
    QVERIFY(!device->completer()->popup()->isVisible());
    QVERIFY(!device->hasFocus());
    QVERIFY(fixture.window.experiment().complaint().isEmpty());
    fixture.press(Qt::Key_4);
    QCOMPARE(fixture.strategy(), StrategyKind::MultiWorkerMirrored);
  }

  // Enter chooses in an open list, as the mouse does; F4 closes the list and chooses nothing.
  void enterChoosesInAListThatIsOpen() {
    Fixture fixture;
    fixture.window.resize(1900, 1000);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    auto* list = fixture.window.findChild<QComboBox*>(QStringLiteral("setting-optimizer"));
    QTRY_VERIFY_WITH_TIMEOUT(list != nullptr && list->isVisible() && list->count() == 2, kPatienceMs);
    const int first = list->currentIndex();
    for (const Qt::Key key : {Qt::Key_F4, Qt::Key_Return}) {
      list->showPopup();
      QVERIFY(list->view()->isVisible());
      list->view()->setCurrentIndex(list->model()->index(1 - first, list->modelColumn()));
      QTest::keyClick(list->view(), key);
      QVERIFY(!list->view()->isVisible());
      QCOMPARE(list->currentIndex(), key == Qt::Key_Return ? 1 - first : first);
    }
  }

  // A device that holds variables stays selected under its new number; a replica that is gone does not stay.
  void theSelectedStaysItselfInAnotherRun() {
    RunSettings config = smallRun();
    config.strategy = StrategyKind::CentralStorage;
    config.replicas = 4;
    Fixture fixture(config);
    Selection& selection = fixture.window.selection();
    const auto train = [&](int replicas) {
      config.replicas = replicas;
      fixture.window.experiment().begin(config);
      return QTest::qWaitFor(
          [&] {
            return fixture.controller.info() != nullptr && fixture.controller.info()->replicas == replicas &&
                   fixture.playback.record() != nullptr;
          },
          kPatienceMs);
    };
    selection.pin({Object::Kind::Device, 4, -1});
    QVERIFY(train(8));
    QTRY_COMPARE_WITH_TIMEOUT(selection.pinned(), (Object{Object::Kind::Device, 8, -1}), kPatienceMs);
    selection.pin({Object::Kind::Device, 5, -1});
    QVERIFY(train(2));
    QTRY_COMPARE_WITH_TIMEOUT(selection.pinned(), Object{}, kPatienceMs);
  }

  // Esc during a drag of the speed handle takes the drag back; letting go then does nothing.
  void escTakesTheSpeedHandleBack() {
    Fixture fixture;
    Stage& stage = fixture.window.stage();
    QSignalSpy wanted(&stage, &Stage::slowdownWanted);
    const Object device{Object::Kind::Device, 1, -1};
    QPoint handle;
    for (int x = stage.width() * 5 / 8; x < stage.width() && handle.isNull(); x += stage.width() / 8) {
      for (int y = 0; y < stage.height() && handle.isNull(); y += 5) {
        fixture.window.selection().pin(device);
        stage.grab();
        QTest::mousePress(&stage, Qt::LeftButton, {}, QPoint(x, y));
        QTest::mouseRelease(&stage, Qt::LeftButton, {}, QPoint(x, y));
        if (!wanted.isEmpty()) handle = QPoint(x, y);
      }
    }
    QVERIFY(!handle.isNull());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
    const auto slow = fixture.window.experiment().asked().slow;
    wanted.clear();
    fixture.window.selection().pin(device);
    stage.grab();
    QTest::mousePress(&stage, Qt::LeftButton, {}, handle);
    QTest::mouseMove(&stage, handle + QPoint(30, 0));
    fixture.press(Qt::Key_Escape);
    QTest::mouseRelease(&stage, Qt::LeftButton, {}, handle + QPoint(30, 0));
    QCOMPARE(wanted.size(), 0);
    QCOMPARE(fixture.window.experiment().asked().slow, slow);
    QVERIFY(fixture.window.experiment().complaint().isEmpty());
  }

  // A second refusal shows the notice again after it was closed; nothing else brings the notice back.
  void whatIsRefusedAgainIsSaidAgain() {
    Fixture fixture;
    auto& notice = *fixture.window.findChild<Notice*>();
    const auto close = [&notice] {
      for (QToolButton* button : notice.findChildren<QToolButton*>())
        if (button->accessibleName() == QStringLiteral("Close this message")) button->click();
    };
    for (int time = 0; time < 2; ++time) {
      fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("0"));
      QVERIFY(!fixture.window.experiment().complaint().isEmpty());
      QVERIFY2(notice.isVisible(), qPrintable(QString::number(time)));
      close();
      QVERIFY(!notice.isVisible());
      Q_EMIT fixture.controller.updated();
      QVERIFY(!notice.isVisible());
    }
  }

  // Detail opens for a clicked square even if it was collapsed, and collapses again when the selection ends.
  void aClickOpensTheInspectorForTheTimeBeing() {
    Fixture fixture;
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.window.stage().objects().all().empty(), kPatienceMs);
    const QWidget& detail = *fixture.window.findChild<QWidget*>(QStringLiteral("detailPanel"));
    const QByteArray panels = fixture.window.panels().save();
    QVERIFY(!detail.isVisible());
    Stage& stage = fixture.window.stage();
    const Object device{Object::Kind::Device, 0, -1};
    QTest::mouseClick(&stage, Qt::LeftButton, {}, stage.objects().placeOf(device).center().toPoint());
    QVERIFY(fixture.window.selection().pinned());
    QVERIFY(detail.isVisible());
    QVERIFY(fixture.window.findChild<Inspector*>()->isVisible());
    QTest::keyClick(&stage, Qt::Key_Escape);
    QVERIFY(!fixture.window.selection().pinned());
    QVERIFY(!detail.isVisible());
    QCOMPARE(fixture.window.panels().save(), panels);
    // A panel that a person has opened stays open.
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    QTest::mouseClick(&stage, Qt::LeftButton, {}, stage.objects().placeOf(device).center().toPoint());
    QTest::keyClick(&stage, Qt::Key_Escape);
    QVERIFY(detail.isVisible());
  }

  void detailBelongsToTheLaneWithTheFocus() {
    Fixture fixture;
    fixture.window.workspaces().choose(WindowLayout::Compare);
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    CompareView& compare = *fixture.window.centre().comparison();
    compare.compareWith(strategyInfo(StrategyKind::CentralStorage));
    const auto visible = [&] {
      std::vector<const Inspector*> all;
      for (const Inspector* inspector : fixture.window.findChildren<Inspector*>())
        if (inspector->isVisible()) all.push_back(inspector);
      return all.size() == 1 ? all.front() : nullptr;
    };
    const Inspector* own = visible();
    QVERIFY(own != nullptr);
    compare.lanes().setFocus(1);
    QVERIFY(visible() != nullptr && visible() != own);
    QTRY_COMPARE_WITH_TIMEOUT(visible()->shown().subtitle.left(14), QStringLiteral("CentralStorage"), kPatienceMs);
    compare.lanes().remove(1);
    QCOMPARE(visible(), own);
    compare.compareWith(strategyInfo(StrategyKind::CentralStorage));
    compare.lanes().setFocus(1);
    fixture.window.workspaces().choose(WindowLayout::Teach);
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    QCOMPARE(visible(), own);
  }

  // In Fast, the stage changes four times a second: the inspector describes the same moment each time.
  void theInspectorTellsOfTheMomentOnTheStage() {
    Fixture fixture;
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    const auto& inspector = *fixture.window.findChild<Inspector*>();
    int moments = 0;
    QStringList others;
    connect(&fixture.playback, &Playback::changed, &fixture.window, [&] {
      ++moments;
      const QString step = QString::number(fixture.playback.step()) + QStringLiteral(" of ");
      for (const Description::Row& row : inspector.shown().rows) {
        if (row.name != QStringLiteral("Step")) continue;
        const QString told = QString(row.value).remove(QLatin1Char(','));
        if (!told.startsWith(step)) others << told + QStringLiteral(" instead of ") + step;
        break;
      }
    });
    fixture.playback.setMode(Playback::Mode::Fast);
    fixture.playback.play();
    QTRY_VERIFY_WITH_TIMEOUT(moments >= 6, kPatienceMs);
    fixture.playback.pause();
    QVERIFY2(others.isEmpty(), qPrintable(others.join(QStringLiteral("; "))));
  }

  // The stage's words about itself are whole and cover nothing: "Paused at step 12 · live is 3 ahead" does not lie on
  // the coordinator's words, and a small projector does not shorten its words to "Live · …".
  void theStagesWordsAreWhole_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("projector");
    for (const char* strategy : {"mirrored", "parameter-server", "central-storage"})
      for (const auto& [size, projector] :
           {std::pair{QSize(1280, 720), false}, {QSize(640, 480), true}, {QSize(1280, 720), true}})
        QTest::addRow("%s %d %d", strategy, size.width(), projector)
            << QString::fromLatin1(strategy) << size << projector;
  }
  void theStagesWordsAreWhole() {
    QFETCH(QString, strategy);
    QFETCH(QSize, size);
    QFETCH(bool, projector);
    Fixture fixture;
    fixture.window.experiment().set(QStringLiteral("strategy"), strategy);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
    const auto look = [&] {
      fixture.window.resize(size);
      QCoreApplication::processEvents();
      const Stage& stage = fixture.window.stage();
      fixture.window.grab();
      QVERIFY2(!stage.message().shown().isEmpty() && !stage.message().shown().contains(QStringLiteral("…")),
               qPrintable(stage.message().shown()));
      for (const Item& item : stage.scene().items)
        if ((item.shape == Item::Shape::Text && !item.text.isEmpty() && !item.quiet) ||
            (item.shape == Item::Shape::Panel && item.object.kind == Object::Kind::Queue))
          QVERIFY2(!item.box.intersects(stage.message().place()), qPrintable(stage.message().shown() + item.text));
    };
    if (projector) fixture.window.looks().setProjectorMode(true);
    fixture.window.showNormal();
    fixture.playback.setMode(Playback::Mode::Live);
    fixture.playback.setSpeed(16);  // faster, until training is past step 12
    fixture.playback.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.step() > 12 && fixture.playback.sampledEvery() > 1, kPatienceMs);
    fixture.playback.setSpeed(1);
    if (projector) look();
    fixture.playback.pause();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.window.stage().message().words().isEmpty(), kPatienceMs);
    look();
    // The words do not lie on the texts before the first batch either.
    fixture.playback.seek(1, 0);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{1}, kPatienceMs);
    for (const BeatKind kind : {BeatKind::Startup, BeatKind::Input}) {
      const Beat* beat = fixture.playback.story().find(kind);
      QVERIFY(beat != nullptr);
      fixture.playback.seek(1, (beat->beginS + beat->endS) / 2);
      look();
    }
    if (projector) fixture.window.looks().setProjectorMode(false);
  }

  // The words are placed among what is painted at the present size, not among what was painted at an earlier size.
  void theStagesWordsFollowItsSizeAtOnce() {
    Fixture fixture;
    fixture.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr && !fixture.playback.isMoving(), kPatienceMs);
    fixture.window.looks().setProjectorMode(true);
    fixture.window.showNormal();
    const Stage& stage = fixture.window.stage();
    for (const QSize size : {QSize(1280, 720), QSize(640, 480), QSize(800, 600)}) {
      fixture.window.resize(size);
      fixture.window.grab();
      QVERIFY(!stage.message().shown().isEmpty());
      const QRectF place = stage.message().place();
      fixture.window.grab();
      for (const Item& item : stage.scene().items)
        if (item.shape == Item::Shape::Text && item.bold && !item.text.isEmpty())
          QVERIFY2(!item.box.intersects(place), qPrintable(item.text));
    }
    fixture.window.looks().setProjectorMode(false);
  }

  // Evidence stood below when the window was closed. It stands at the side of the maximized window of a lower screen,
  // where it is put before that window is shown.
  void aMaximizedWindowOfALowerScreenTakesStoredPanels() {
    QByteArray left;
    {
      Fixture fixture;
      fixture.window.resize(1600, 1200);
      fixture.window.workspaces().choose(WindowLayout::Compare);
      fixture.window.panels().openTab(QStringLiteral("chartsTab"));
      auto& evidence = fixture.part<QDockWidget>("evidencePanel");
      QTRY_COMPARE_WITH_TIMEOUT(fixture.window.dockWidgetArea(&evidence), Qt::BottomDockWidgetArea, kPatienceMs);
      left = fixture.window.panels().save();
    }
    RunController controller;
    MainWindow window(controller);
    window.resize(900, 420);
    window.workspaces().choose(WindowLayout::Compare);
    window.setWindowState(Qt::WindowMaximized);
    window.panels().restore(left);
    QVERIFY(window.windowState().testFlag(Qt::WindowMaximized));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    auto* evidence = window.findChild<QDockWidget*>(QStringLiteral("evidencePanel"));
    QTRY_VERIFY_WITH_TIMEOUT(evidence->isVisible() && !evidence->visibleRegion().isEmpty(), kPatienceMs);
  }

  // For a class, projector mode hides the toolbar, keeps the mode in sight, obeys every key and trains nothing unseen.
  void projectorModeAsksNothingOfTheToolbar() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    auto& bar = fixture.part<QToolBar>("controls");
    fixture.playback.setMode(Playback::Mode::Express);
    fixture.press(Qt::Key_F11);
    QVERIFY(window.looks().isProjectorMode());
    QVERIFY(!window.menuBar()->isVisible() && !bar.isVisible());
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
      QVERIFY(!dock->isVisible() || dock->titleBarWidget()->height() < 4);
    QVERIFY(fixture.playback.mode() != Playback::Mode::Express);
    QVERIFY2(window.stage().message().words().startsWith(QStringLiteral("Story")),
             qPrintable(window.stage().message().words()));
    const std::int64_t live = fixture.playback.liveStep();
    fixture.press(Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.seconds() > 0, kPatienceMs);
    QVERIFY(fixture.playback.liveStep() <= live + 1);
    fixture.press(Qt::Key_Space);
    fixture.press(Qt::Key_L);
    QVERIFY(window.stage().message().words().startsWith(QStringLiteral("Live")));
    fixture.press(Qt::Key_Space);
    for (const char* mode : {"Fast", "Story", "Play", "Live"}) {
      fixture.press(Qt::Key_M);
      QVERIFY2(window.stage().message().words().startsWith(QLatin1String(mode)),
               qPrintable(window.stage().message().words()));
    }
    fixture.press(Qt::Key_6);
    QCOMPARE(fixture.strategy(), strategies()[5].kind);
    fixture.press(Qt::Key_Plus);
    QCOMPARE(fixture.replicas(), std::int64_t{3});
    QSignalSpy again(&window.experiment(), &Experiment::started);
    fixture.press(Qt::Key_R, Qt::ControlModifier);  // a key of a menu
    QCOMPARE(again.size(), 1);
    const QByteArray left = window.panels().save();
    fixture.press(Qt::Key_Escape);
    QVERIFY(!window.looks().isProjectorMode());
    QVERIFY(window.menuBar()->isVisible() && bar.isVisible());
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
      QVERIFY(!dock->isVisible() || dock->titleBarWidget()->isVisible());
    QVERIFY(!window.stage().message().words().startsWith(QStringLiteral("Live")));
    window.panels().restore(left);  // the bar was hidden in projector mode when this was saved
    QVERIFY(bar.isVisible());
  }

  // A learning rate by a slip of the finger: the window says so, offers a remedy, and the other runs stay readable.
  void divergenceIsSaidWithARemedy() {
    Fixture fixture(smallRun(40));
    fixture.controller.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    RunSettings config = smallRun(40);
    config.optimizer = OptimizerKind::Sgd;
    config.learningRate = 100;
    fixture.window.experiment().begin(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
    fixture.controller.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(fixture.text("banner").startsWith(QStringLiteral("Diverged at step 2")),
                              qPrintable(fixture.text("banner")), kPatienceMs);
    fixture.window.panels().openTab(QStringLiteral("chartsTab"));
    auto& chart = fixture.part<MetricChart>("loss");
    chart.redraw();
    chart.grab();
    QVERIFY2(chart.scale().y.to < 10, qPrintable(QString::number(chart.scale().y.to)));
    fixture.window.panels().openTab(QStringLiteral("runsTab"));
    auto* runs = fixture.part<QTableView>("runsView").model();
    bool told = false;
    for (int row = 0; row < runs->rowCount(); ++row)
      for (int column = 0; column < runs->columnCount(); ++column)
        told = told || runs->index(row, column).data().toString().contains(QStringLiteral("diverged at step 2"));
    QVERIFY(told);
    fixture.part<QToolButton>("remedy").click();
    QCOMPARE(fixture.window.experiment().resolved().learningRate, 10.0);
  }

  // A setting that a strategy cannot use is named above the stage.
  void whatIsNotUsedIsSaid() {
    Fixture fixture;
    fixture.press(Qt::Key_7);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("banner").isVisible(), kPatienceMs);
    QVERIFY2(fixture.text("banner").contains(QStringLiteral("global batch 8")), qPrintable(fixture.text("banner")));
    fixture.press(Qt::Key_3);
    QVERIFY(!fixture.part<QLabel>("banner").isVisible());
  }

  // Settings that are only tried out leave no runs of one step.
  void settingsThatAreTouchedLeaveNoRuns() {
    Fixture fixture;
    for (const Qt::Key key : {Qt::Key_4, Qt::Key_5, Qt::Key_Plus, Qt::Key_Plus, Qt::Key_3}) {
      fixture.press(key);
      QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
    }
    QCOMPARE(fixture.window.library().runs().size(), std::size_t{1});
    fixture.controller.requestStep(2);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.liveStep(), std::int64_t{2}, kPatienceMs);
    fixture.press(Qt::Key_4);
    QCOMPARE(fixture.window.library().runs().size(), std::size_t{2});
  }

  void scrubberGoesWhereItIsDragged() {
    Fixture fixture;
    auto& scrubber = fixture.part<Scrubber>("scrubber");
    const double whole = fixture.playback.story().seconds;
    const auto place = [&](double part) { return QPoint(qRound(scrubber.xAt(part * whole)), scrubber.height() / 2); };
    QTest::mousePress(&scrubber, Qt::LeftButton, {}, place(0.25));
    QVERIFY(std::abs(fixture.playback.seconds() - 0.25 * whole) < 0.01 * whole);
    QTest::mouseMove(&scrubber, place(0.75));
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(fixture.playback.seconds() - 0.75 * whole) < 0.01 * whole, kPatienceMs);
    QTest::mouseRelease(&scrubber, Qt::LeftButton, {}, place(0.75));
    QVERIFY(!fixture.playback.isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(scrubber.accessibleDescription().startsWith(QStringLiteral("step 1, ")), kPatienceMs);
  }

  void runBarGoesToAnyStep() {
    Fixture fixture;
    fixture.controller.requestStep(12);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.liveStep(), std::int64_t{12}, kPatienceMs);
    auto& bar = fixture.part<RunBar>("runBar");
    QCOMPARE(bar.stepAt(bar.xAt(7)), std::int64_t{7});
    const auto click = [&](std::int64_t step) {
      QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(qRound(bar.xAt(step)), bar.height() / 2));
    };
    click(12);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{12}, kPatienceMs);
    click(7);
    QCOMPARE(bar.words(), QStringLiteral("recomputing step 7 …"));
    click(12);  // back before step 7 has come
    QCOMPARE(bar.words(), QStringLiteral("step 12"));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.isRecomputing(), kPatienceMs);
    QCOMPARE(fixture.playback.step(), std::int64_t{12});
    click(5);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{5}, kPatienceMs);
    QCOMPARE(bar.words(), QStringLiteral("step 5 · live 12"));
  }

  // A finished run stands at the end of its bar, even if it had only one step.
  void aFinishedBarEndsAtItsEnd() {
    for (const int steps : {1, 3}) {
      Fixture fixture(smallRun(steps));
      auto& bar = fixture.part<RunBar>("runBar");
      fixture.controller.play();
      QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
      QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.liveStep(), std::int64_t{steps}, kPatienceMs);
      QVERIFY(bar.xAt(steps) > bar.width() / 4.0);
      QCOMPARE(bar.stepAt(bar.xAt(steps)), std::int64_t{steps});
      // Nothing is live any more.
      fixture.playback.seek(1, 0);
      QTRY_COMPARE_WITH_TIMEOUT(bar.words(), steps == 1 ? QStringLiteral("step 1") : QStringLiteral("step 1 of 3"),
                                kPatienceMs);
    }
  }

  void showsWhatTheRunTold() {
    Fixture fixture(smallRun(6));
    fixture.window.workspaces().choose(WindowLayout::Explore);
    fixture.controller.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    const auto& steps = fixture.controller.steps();
    QCOMPARE(steps.size(), std::size_t{6});
    const auto& loss = fixture.part<MetricChart>("loss");
    using Kind = ChartLines::Kind;
    const int run = fixture.window.library().presentId();
    const auto shown = [&](const char* chart, Kind kind) {
      return fixture.part<MetricChart>(chart).shownPoints(run, kind);
    };
    QTRY_COMPARE_WITH_TIMEOUT(shown("loss", Kind::Each).size(), 6, kPatienceMs);
    QCOMPARE(shown("loss", Kind::Each).last(), QPointF(6, steps.back().loss));
    QTRY_COMPARE_WITH_TIMEOUT(shown("loss", Kind::Test).size(), 1, kPatienceMs);
    QCOMPARE(shown("loss", Kind::Test).last(), QPointF(6, fixture.controller.metrics()->evaluations.back().testLoss));
    QTRY_COMPARE_WITH_TIMEOUT(shown("accuracy", Kind::Each).size(), 6, kPatienceMs);
    QCOMPARE(shown("accuracy", Kind::Each).last(), QPointF(6, 100 * steps.back().accuracy));
    QTRY_COMPARE_WITH_TIMEOUT(shown("modelledThroughput", Kind::Each).size(), 6, kPatienceMs);
    QCOMPARE(shown("modelledThroughput", Kind::Each).last(), QPointF(6, steps.back().imagesPerSecond));
    // A click on a point takes the stage there.
    const QPointF third(3, steps[2].loss);
    QTest::mouseClick(&const_cast<MetricChart&>(loss), Qt::LeftButton, {}, loss.positionOf(third).toPoint());
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{3}, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.text("state"), QStringLiteral("Finished"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.text("steps").startsWith(QStringLiteral("step 6 of 6")), kPatienceMs);
    // The words on the stage agree with those below it, and the inspector describes both steps.
    QCOMPARE(fixture.window.stage().message().words(), QStringLiteral("Step 3 of 6 of a finished run"));
    QStringList told;
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    auto* inspector = fixture.window.findChild<Inspector*>();
    inspector->refresh();
    for (const auto& row : inspector->shown().rows) told << row.name + QLatin1Char(' ') + row.value;
    const auto stage = told.indexOf(QStringLiteral("On the stage ")), latest = told.indexOf(QStringLiteral("Latest "));
    QVERIFY(stage >= 0 && latest > stage);
    QVERIFY(told.indexOf(QStringLiteral("Step 3 of 6")) > stage &&
            told.indexOf(QStringLiteral("Step 3 of 6")) < latest);
    QVERIFY(told.indexOf(QStringLiteral("Step 6 of 6")) > latest);
    QVERIFY(told.contains(QStringLiteral("Loss of its batch not computed yet")));
    QVERIFY2(told.indexOf(QRegularExpression(QStringLiteral("^Modelled times 9 in 10 published steps .* %$"))) > latest,
             qPrintable(told.join(QLatin1Char('\n'))));
    QVERIFY(told.indexOf(QRegularExpression(QStringLiteral("^  communication \\d.*"))) > latest);
    QVERIFY(told.contains(QStringLiteral("Copies of the variables compared when the step ends")));
    // The inspector has the result from the moment on at which the caption says that the copies were compared.
    const Beat* check = fixture.playback.story().find(BeatKind::Check);
    QVERIFY(fixture.playback.story().captionAt(check->verdictS()).contains(QStringLiteral("identical")));
    QVERIFY(!fixture.playback.story().captionAt(check->verdictS() - 0.01).contains(QStringLiteral("identical")));
    fixture.playback.seek(3, check->verdictS());
    inspector->refresh();
    const auto& rows = inspector->shown().rows;
    const auto copies = std::ranges::find(rows, QStringLiteral("Copies of the variables"), &Description::Row::name);
    QVERIFY(copies != rows.end());  // the first of two such rows, about the step on the stage
    QCOMPARE(copies->value, QStringLiteral("identical"));
    // An object that does not occur in a step has no times.
    fixture.window.selection().pin({Object::Kind::Transfer, -1, 1'000'000});
    inspector->refresh();
    QCOMPARE(inspector->shown().title, QStringLiteral("Not in this step"));
    QVERIFY(inspector->shown().rows.empty());
    fixture.window.selection().pin({});
    fixture.playback.end();
    QTRY_COMPARE_WITH_TIMEOUT(fixture.window.stage().message().words(), QStringLiteral("Finished at step 6"),
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.text("rate").endsWith(QStringLiteral("images/s modelled, steady")), kPatienceMs);
    // Another run begins: table and charts have both runs, and the table says in what they differ.
    fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("4"));
    const int second = fixture.window.library().presentId();
    QVERIFY(second != run);
    QTRY_COMPARE_WITH_TIMEOUT(shownOf(loss, second).size(), 1, kPatienceMs);
    QCOMPARE(shownOf(loss, run).size(), 6);
    fixture.window.panels().openTab(QStringLiteral("runsTab"));
    auto* runs = fixture.part<QTableView>("runsView").model();
    QCOMPARE(runs->rowCount(), 2);
    QCOMPARE(runs->headerData(1, Qt::Horizontal).toString(), QStringLiteral("replicas"));
    QCOMPARE(runs->index(0, 1).data().toString(), QStringLiteral("4"));  // the present run comes first
    QCOMPARE(runs->index(1, 1).data().toString(), QStringLiteral("2"));
  }

  // Figures about the window itself are for people who measure it, so only Profile shows them. A message hides the
  // other labels, even if it comes before the window is shown; and no label is cut off.
  void theStatusLineSpeaksToAClass() {
    Fixture fixture;
    MainWindow& window = fixture.window;
    window.resize(1280, 720);
    const auto isSeen = [&](const char* label) { return fixture.part<QLabel>(label).isVisible(); };
    for (const WindowLayout layout : {WindowLayout::Teach, WindowLayout::Explore}) {
      window.workspaces().choose(layout);
      QTRY_VERIFY_WITH_TIMEOUT(isSeen("state") && isSeen("steps") && isSeen("rate") && isSeen("clock"), kPatienceMs);
      QVERIFY(!isSeen("dropped") && !isSeen("frames"));
    }
    window.workspaces().choose(WindowLayout::Profile);
    QVERIFY(isSeen("dropped") && isSeen("frames"));
    window.workspaces().choose(WindowLayout::Teach);
    for (const int width : {1280, 900, 700, 640, 580}) {
      window.resize(width, 600);
      QTest::qWait(0);
      for (const char* name : {"state", "steps", "rate", "clock", "dropped", "frames"}) {
        const QLabel& label = fixture.part<QLabel>(name);
        if (label.isVisible()) QVERIFY2(label.width() >= label.sizeHint().width(), name);
      }
    }
    RunController controller;
    MainWindow other(controller);
    other.statusBar()->showMessage(QStringLiteral("It is so"));
    other.show();
    auto* state = other.findChild<QLabel*>(QStringLiteral("state"));
    QVERIFY(!state->isVisible());
    other.statusBar()->clearMessage();
    QVERIFY(state->isVisible());
  }

  // A message without enough room ends in "…", which has ink only at the foot of the line, and the tool tip has the
  // rest.
  void aLongMessageSaysThatItIsCut() {
    RunController controller;
    MainWindow window(controller);
    window.resize(1280, 720);
    window.show();
    QStatusBar& bar = *window.statusBar();
    const QString words(400, QLatin1Char('M'));
    bar.showMessage(words);
    QVERIFY(bar.toolTip().contains(words) && bar.currentMessage() == words);
    QCoreApplication::processEvents();
    const QImage image = bar.grab().toImage();
    const int gap = 6, wide = bar.fontMetrics().horizontalAdvance(QChar(0x2026));
    const int end = bar.width() - gap;
    for (int x = end - wide; x < end; ++x)
      for (int y = 2; y < bar.height() / 2; ++y) QCOMPARE(image.pixelColor(x, y), image.pixelColor(bar.width() - 2, y));
    bar.clearMessage();
    QVERIFY(bar.toolTip().isEmpty());
  }

  // On the smallest supported screen, names and values are whole, and no number is broken.
  void smallWindowsCutNoValue() {
    RunSettings config = smallRun();
    config.replicas = 8;
    config.batchPerReplica = 64;
    config.globalBatch.reset();
    config.trainExamples = 600;  // gives millions of images a second
    Fixture fixture(config);
    fixture.window.resize(640, 480);
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    auto* inspector = fixture.window.findChild<Inspector*>();
    QTRY_VERIFY_WITH_TIMEOUT(inspector->isVisible(), kPatienceMs);
    // Larger letters leave no room for a value beside its name.
    for (const int points : {0, 16}) {
      fixture.window.looks().setTextPoints(points);
      fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
      QTRY_VERIFY_WITH_TIMEOUT(inspector->isVisible(), kPatienceMs);
      QTest::qWait(0);
      fixture.window.refreshAll();
      QTest::qWait(0);
      int seen = 0;
      for (const char* name : {"rowName", "rowValue"})
        for (const QLabel* label : inspector->findChildren<QLabel*>(QLatin1String(name))) {
          if (!label->isVisible()) continue;
          ++seen;
          QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
          for (const QString& word : label->text().split(QLatin1Char(' ')))
            QVERIFY2(label->fontMetrics().horizontalAdvance(word) <= label->width(), qPrintable(word));
          QVERIFY(label->mapTo(inspector, QPoint(label->width(), 0)).x() <= inspector->width());
        }
      QVERIFY(seen >= 12);
    }
    fixture.window.looks().setTextPoints(0);
  }

  // Rows that appear change the layout, and so perhaps what the pointer is over: the selection may change while the
  // rows are being filled.
  void theSelectionMayChangeWhileItsRowsAppear() {
    Fixture fixture;
    Selection& selection = fixture.window.selection();
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    auto* inspector = fixture.window.findChild<Inspector*>();
    QTRY_VERIFY_WITH_TIMEOUT(inspector->isVisible(), kPatienceMs);
    Object few{}, many{Object::Kind::Device, 0, -1};
    const auto rowsOf = [&](const Object& object) {
      selection.pin(object);
      inspector->refresh();
      return inspector->shown().rows.size();
    };
    if (rowsOf(few) > rowsOf(many)) std::swap(few, many);
    QVERIFY(rowsOf(many) > rowsOf(few));
    class Changer final : public QObject {
     public:
      std::function<void()> change;
      bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Show && change) std::exchange(change, {})();
        return false;
      }
    } changer;
    changer.change = [&] { selection.pin(few); };
    for (QLabel* label : inspector->findChildren<QLabel*>(QStringLiteral("rowName")))
      label->installEventFilter(&changer);
    const std::size_t wanted = inspector->shown().rows.size();
    selection.pin(many);
    inspector->refresh();
    QVERIFY(!changer.change);  // the selection did change
    QTRY_COMPARE_WITH_TIMEOUT(inspector->shown().rows.size(), wanted, kPatienceMs);
  }

  // Thousands are separated the same way everywhere.
  void numbersHaveOneForm() {
    RunSettings config = smallRun();
    config.shuffleBuffer = 20'000;
    config.batchPerReplica = 3000;
    config.globalBatch.reset();
    config.trainExamples.reset();
    Fixture fixture(config);
    fixture.window.resize(1920, 1080);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    QVERIFY(fixture.isShown("narrationTab") && fixture.isShown("setupTab"));
    fixture.window.refreshAll();
    QTest::qWait(0);
    QStringList texts;
    for (const QLabel* label : fixture.window.findChildren<QLabel*>())
      if (label->isVisible()) texts << label->text();
    for (const QLineEdit* line : fixture.window.findChildren<QLineEdit*>())
      texts << line->text() << line->placeholderText();
    texts << fixture.part<QPlainTextEdit>("narrationText").toPlainText();
    QVERIFY(texts.contains(QStringLiteral("20,000")) && texts.contains(QStringLiteral("6,000")));
    static const QRegularExpression bare(QStringLiteral("(?<![\\w.,])\\d{4,}(?![\\w])"));
    for (const QString& text : texts) QVERIFY2(!bare.match(text).hasMatch(), qPrintable(text));
  }

  // However many charts there are, each can be read: those without room are scrolled to.
  void chartsOfExploreCanBeRead() {
    RunSettings config = smallRun();
    config.strategy = StrategyKind::ParameterServer;
    config.batchPerReplica = 4;
    config.globalBatch.reset();
    Fixture fixture(config);
    for (const QSize size : {QSize(1280, 720), QSize(1024, 768), QSize(1366, 768)}) {
      fixture.window.resize(size);
      fixture.window.workspaces().choose(WindowLayout::Explore);
      for (const bool all : {false, true}) {
        for (const Quantity quantity : kQuantities)
          if (all) fixture.window.views().charts().setWanted(quantity, true);
        if (all) fixture.window.experiment().set(QStringLiteral("seed"), QStringLiteral("7"));  // adds a legend
        QTest::qWait(0);
        for (const MetricChart* chart : fixture.window.findChildren<MetricChart*>())
          if (chart->isVisible())
            QVERIFY2(
                chart->height() >= theme::em(7.5) && chart->width() >= theme::em(14),
                qPrintable(
                    QStringLiteral("%1: %2 × %3").arg(chart->objectName()).arg(chart->width()).arg(chart->height())));
      }
    }
  }

  // In a wide window, the lists of the setup show the chosen entry whole.
  void wideWindowsShowWholeSettings() {
    Fixture fixture;
    fixture.window.resize(1850, 950);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    fixture.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("central-storage"));
    QTest::qWait(0);
    int seen = 0;
    for (const QComboBox* list : fixture.window.panels().tab(QStringLiteral("setupTab"))->findChildren<QComboBox*>()) {
      if (!list->isVisible()) continue;
      ++seen;
      QStyleOptionComboBox option;
      option.initFrom(list);
      const int room =
          list->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, list).width();
      QVERIFY2(list->fontMetrics().horizontalAdvance(list->currentText()) <= room,
               qPrintable(QStringLiteral("%1 in %2 pixels").arg(list->currentText()).arg(room)));
    }
    QVERIFY(seen >= 3);
  }

  void narrationFollowsTheBeats() {
    Fixture fixture;
    fixture.window.workspaces().choose(WindowLayout::Explore);
    const std::size_t beats = fixture.playback.story().beats.size();
    for (std::size_t i = 0; i < beats; ++i) {
      const Beat& beat = fixture.playback.story().beats[i];
      fixture.playback.seek(1, beat.motionS);
      QTRY_VERIFY2_WITH_TIMEOUT(
          fixture.part<QPlainTextEdit>("narrationText").toPlainText().contains(beat.captionAt(beat.motionS)),
          qPrintable(beat.captionAt(beat.motionS)), kPatienceMs);
    }
    const Beat last = fixture.playback.story().beats.back();
    fixture.playback.seek(1, last.endS);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture.part<QPlainTextEdit>("narrationText").toPlainText().contains(last.sayings.back().text), kPatienceMs);
    const QString text = fixture.part<QPlainTextEdit>("narrationText").toPlainText();
    // For a picture, the step that is shown is narrated anew, up to the moment that is shown.
    const Beat& third = fixture.playback.story().beats[2];
    fixture.playback.seek(1, third.motionS);
    auto* narration = fixture.window.findChild<Narration*>();
    narration->narrateShownStep();
    QCOMPARE(narration->document()->blockCount(), 1 + 3);
    QVERIFY(narration->document()->lastBlock().text().startsWith(QStringLiteral("step 1 · ") + third.name));
    for (const Beat& beat : fixture.playback.story().beats)
      QVERIFY2(text.contains(beat.sayings.back().text), qPrintable(beat.sayings.back().text));
    QVERIFY(text.startsWith(QStringLiteral("MirroredStrategy, 2 replicas")));
    QVERIFY(text.contains(QStringLiteral("modelled")));
  }

  // Express shows the first step and the last one: the text beside the stage describes the same step.
  void narrationTellsTheStepThatExpressEndsWith() {
    Fixture fixture(smallRun(12));
    fixture.window.workspaces().choose(WindowLayout::Explore);
    const auto& notes = fixture.part<QPlainTextEdit>("narrationText");
    QTRY_VERIFY_WITH_TIMEOUT(notes.toPlainText().contains(QStringLiteral("step 1 · ")), kPatienceMs);
    fixture.playback.setMode(Playback::Mode::Express);
    fixture.playback.play();
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{12}, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(notes.document()->lastBlock().text().startsWith(QStringLiteral("step 12 · ")),
                             kPatienceMs);
    for (const Beat& beat : fixture.playback.story().beats)
      QVERIFY2(notes.toPlainText().contains(QStringLiteral("step 12 · ") + beat.name), qPrintable(beat.name));
  }

  void inspectorFollowsSelectionAndTime() {
    Fixture fixture;
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    auto* inspector = fixture.window.findChild<Inspector*>();
    QCOMPARE(inspector->shown().title, QStringLiteral("This run"));
    fixture.window.selection().pin({Object::Kind::Digit, 1, 2});
    QVERIFY(inspector->shown().title.startsWith(QStringLiteral("Training image")));
    const auto prediction = [&] { return inspector->shown().rows[1].value; };
    QCOMPARE(prediction(), QStringLiteral("not computed yet"));
    fixture.playback.seek(1, fixture.playback.story().seconds);
    QTRY_VERIFY_WITH_TIMEOUT(prediction() != QStringLiteral("not computed yet"), kPatienceMs);
    fixture.window.selection().hover({Object::Kind::Device, 0, -1});
    QCOMPARE(inspector->shown().title, QStringLiteral("R0"));
    fixture.window.selection().hover({});
    QVERIFY(inspector->shown().title.startsWith(QStringLiteral("Training image")));
    // This field does what the speed handle does, for people who do not drag.
    fixture.window.selection().pin({Object::Kind::Device, 1, -1});
    fixture.part<QDoubleSpinBox>("slowdown").setValue(3);
    QCOMPARE(fixture.window.experiment().asked().slow, (std::vector<std::pair<int, double>>{{1, 3.0}}));
  }

  // A number is for the device that it was typed for, wherever the pointer is meanwhile.
  void theSlowdownIsTheDevicesItWasTypedFor() {
    Fixture fixture;
    fixture.window.panels().openTab(QStringLiteral("inspectorTab"));
    Selection& selection = fixture.window.selection();
    const Experiment& experiment = fixture.window.experiment();
    const auto& inspector = *fixture.window.findChild<Inspector*>();
    auto& slowdown = fixture.part<QDoubleSpinBox>("slowdown");
    const auto type = [&](const char* number) {
      slowdown.setFocus();
      slowdown.selectAll();
      QTest::keyClicks(&slowdown, QLatin1String(number));
    };
    selection.pin({Object::Kind::Device, 1, -1});
    type("4");
    selection.hover({Object::Kind::Digit, 1, 2});  // has no speed: the field is hidden, and the number dropped
    QVERIFY(!slowdown.isVisible());
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    QVERIFY(experiment.asked().slow.empty());
    selection.hover({});
    QVERIFY(slowdown.isVisible());
    QCOMPARE(slowdown.value(), 1.0);
    type("3");
    selection.hover({Object::Kind::Device, 0, -1});
    QCOMPARE(inspector.shown().replica, 0);
    QTest::keyClick(&slowdown, Qt::Key_Return);
    QCOMPARE(experiment.asked().slow, (std::vector<std::pair<int, double>>{{1, 3.0}}));
  }

  // A stage behind another workspace still has the step of the previous run, which has no story any more.
  void aDeviceIsClickedWhileAnotherRunBegins() {
    Fixture fixture;
    fixture.window.selection().pin({Object::Kind::Device, 0, -1});
    fixture.window.stage().hide();
    fixture.controller.start(smallRun(), true);
    QVERIFY(fixture.playback.story().beats.empty());
    QTest::mouseClick(&fixture.window.stage(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
  }

  void darkAndLightWhileItRuns() {
    Fixture fixture;
    const QImage light = fixture.window.grab().toImage();
    fixture.window.looks().setTheme(theme::Kind::Dark);
    QCoreApplication::processEvents();
    const QImage dark = fixture.window.grab().toImage();
    fixture.window.looks().setTheme(theme::Kind::Light);
    const auto brightness = [](const QImage& image) {
      return qGray(image.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixel(0, 0));
    };
    QVERIFY(brightness(light) > 180);
    QVERIFY(brightness(dark) < 90);
  }

  void closesDuringTraining() {
    const QTemporaryDir folder;
    RunSettings config = smallRun();
    config.metrics = folder.filePath(QStringLiteral("metrics.jsonl")).toStdString();
    std::size_t steps = 0;
    {
      Fixture fixture(config);
      fixture.press(Qt::Key_L);
      QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.steps().size() > 3, kPatienceMs);
      QVERIFY(fixture.window.close());
      steps = fixture.controller.steps().size();
    }
    // The requested file exists under its own name, with every step that was shown.
    QFile metrics(folder.filePath(QStringLiteral("metrics.jsonl")));
    QVERIFY(metrics.open(QIODevice::ReadOnly));
    const QByteArray text = metrics.readAll();
    QVERIFY(text.count('\n') >= static_cast<qsizetype>(steps));
    QVERIFY(text.endsWith("}\n"));
  }

  void closesWhilePreparingAndWhilePaused() {
    {
      RunController controller;
      MainWindow window(controller);
      window.show();
      window.experiment().begin(smallRun());
      QVERIFY(window.close());
      QCOMPARE(controller.state(), RunState::Preparing);
    }
    Fixture fixture;
    QTRY_COMPARE_WITH_TIMEOUT(fixture.controller.state(), RunState::Paused, kPatienceMs);
    QVERIFY(fixture.window.close());
    QVERIFY(!fixture.window.isVisible());
  }

  // While a run is being prepared, the stage says what is being done and shows how much of it is done. A machine that
  // prepares before the window looks gets more to prepare.
  void preparingIsSeenOnTheStage() {
    qsizetype ofTheBar = 0;  // pixels of the progress bar
    for (int replicas = 128; ofTheBar == 0 && replicas <= 2048; replicas *= 2) {
      RunController controller;
      MainWindow window(controller);
      window.show();
      RunSettings config = smallRun();
      config.replicas = replicas;
      config.trainExamples = replicas * 2;
      window.experiment().begin(config);
      QVERIFY(!window.stage().message().words().isEmpty());
      QCOMPARE(window.stage().message().words(), preparationWords(controller.reports().preparation()));
      connect(&controller, &RunController::updated, &window, [&] {
        const Preparation& now = controller.reports().preparation();
        if (ofTheBar > 0 || window.playback().record() != nullptr || now.total < 2 || now.done * 4 < now.total) return;
        const QImage picture = window.stage().grab().toImage();
        QRect middle(0, 0, theme::em(20), theme::em(8));
        middle.moveCenter(picture.rect().center());
        for (int y = middle.top(); y <= middle.bottom(); ++y)
          for (int x = middle.left(); x <= middle.right(); ++x)
            ofTheBar += picture.pixelColor(x, y) == theme::colours().accent ? 1 : 0;
      });
      QTRY_VERIFY_WITH_TIMEOUT(ofTheBar > 0 || window.playback().record() != nullptr, kPatienceMs);
    }
    QVERIFY(ofTheBar > 0);
  }

  void missingDataAreSaidWithARemedy() {
    const QTemporaryDir empty;
    RunSettings config = smallRun();
    config.dataset = "mnist";
    config.dataDir = empty.path().toStdString();
    Fixture fixture(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(!fixture.controller.failure().isEmpty());
    QCOMPARE(fixture.text("banner"), fixture.controller.failure());
    QVERIFY(fixture.part<QLabel>("banner").isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(fixture.text("state"), QStringLiteral("Failed"), kPatienceMs);
    QVERIFY(!fixture.part<QAction>("play").isEnabled());

    fixture.part<QToolButton>("remedy").click();
    QTRY_VERIFY2_WITH_TIMEOUT(fixture.playback.record() != nullptr, qPrintable(fixture.controller.failure()),
                              kPatienceMs);
    QVERIFY(!fixture.part<QLabel>("banner").isVisible());
    QVERIFY(fixture.part<QAction>("play").isEnabled());
  }

  // Qt warns if a panel would get no size at all.
  void panelsHaveASizeInTheSmallestWindows() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("resizeDocks")));
    Fixture fixture;
    for (const QSize& size : {QSize(500, 350), QSize(650, 800), QSize(800, 350)}) {
      fixture.window.resize(size);
      for (int layout = 0; layout < static_cast<int>(kLayouts.size()); ++layout) {
        fixture.window.workspaces().choose(static_cast<WindowLayout>(layout));
        for (const QString& name : fixture.window.panels().tabNames()) {
          fixture.window.panels().openTab(QStringLiteral("classTab"));
          fixture.window.panels().openTab(name);
        }
      }
    }
  }

  void aRefusedChangeIsSaidAndTheRunGoesOn() {
    Fixture fixture;
    fixture.window.experiment().set(QStringLiteral("partitioner"), QStringLiteral("fixed:2"));
    QVERIFY(fixture.part<QLabel>("banner").isVisible());
    QVERIFY(fixture.text("banner").contains(QStringLiteral("“Partitioner”")));
    QVERIFY(fixture.playback.record() != nullptr);
    fixture.press(Qt::Key_Space);
    QVERIFY(fixture.playback.isPlaying());
    fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("3"));
    QVERIFY(!fixture.part<QLabel>("banner").isVisible());
  }

  // A memory stick with the catalogue or the pictures is pulled out: nothing can start, and the run stays.
  void aFileThatHasGoneIsSaid() {
    const QTemporaryDir folder;
    QFile own(folder.filePath(QStringLiteral("own.csv")));
    const auto write = [&own] {
      if (!own.open(QIODevice::WriteOnly)) return false;
      own.write(
          "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,"
          "mem_gb_per_s,mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,"
          "link_gb_per_s_per_dir,link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,latency_source,"
          "notes,family\ndevice,mine,My own GPU,10,s,,,,16,500,s,5,s,0.5,s,,,,,,,,volta\n");
      own.close();
      return true;
    };
    QVERIFY(write());
    RunSettings config = smallRun();
    config.catalogue = own.fileName().toStdString();
    Fixture fixture(config);
    QVERIFY(fixture.playback.record() != nullptr);
    QVERIFY(own.remove());
    const auto record = fixture.playback.record();
    for (const char* act : {"again", "serveClass"}) {
      fixture.window.experiment().refusalChanged();
      QVERIFY(!fixture.part<QLabel>("banner").isVisible());
      fixture.part<QAction>(act).trigger();
      QVERIFY2(fixture.isShown("banner") && fixture.text("banner").contains(QStringLiteral("own.csv")), act);
      QVERIFY(fixture.playback.record() == record);
    }
    QVERIFY(fixture.window.findChild<ServeDialog*>() == nullptr);
    fixture.window.experiment().again();
    QVERIFY(fixture.isShown("banner"));
    QVERIFY(write());
    fixture.press(Qt::Key_R, Qt::ControlModifier);
    QVERIFY(fixture.window.experiment().complaint().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr && fixture.playback.record() != record, kPatienceMs);
  }

  void fileThatCannotBeWrittenIsAFailure() {
    const QTemporaryDir folder;
    RunSettings config = smallRun();
    config.metrics = folder.filePath(QStringLiteral("no-such-folder/metrics.jsonl")).toStdString();
    Fixture fixture(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(fixture.text("banner").contains(QStringLiteral("no-such-folder")));
    // Starting again leaves out the file that could not be written.
    fixture.part<QToolButton>("remedy").click();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr, kPatienceMs);
  }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
