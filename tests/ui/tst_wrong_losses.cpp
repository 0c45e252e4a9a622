// SPDX-License-Identifier: GPL-3.0-or-later
// Losses as they would be if each replica divided by its own batch: one switch for the stages of all lanes, also later
// ones; the experiment's file keeps it and offers it when opened. Also the other switch of all stages, which shows
// differences of copies a thousand times as strong.
#include <QAction>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/frame/messages.h"
#include "ui/runview/run_controller.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

struct Desk {
  explicit Desk(const QTemporaryDir& folder)
      : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    window.resize(1400, 900);
    window.show();
    window.experiment().begin(test::smallConfig());
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
  }
  QAction& wrong() { return *window.findChild<QAction*>(QStringLiteral("dividesWrongly")); }

  QSettings settings;
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
};

}  // namespace

class TestWrongLosses : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void allLanesFollowTheSwitch() {
    const QTemporaryDir folder;
    Desk desk(folder);
    desk.window.workspaces().choose(WindowLayout::Compare);
    CompareView& compare = *desk.window.centre().comparison();
    compare.compareWith(strategyInfo(StrategyKind::Default));
    QTRY_COMPARE_WITH_TIMEOUT(compare.lanes().count(), std::size_t{2}, kPatienceMs);
    desk.wrong().trigger();
    QVERIFY(desk.window.stage().dividesWrongly());
    for (std::size_t i = 0; i < 2; ++i) QVERIFY(compare.laneView(i).stage().dividesWrongly());
    compare.compareWith(strategyInfo(StrategyKind::Tpu));
    QTRY_COMPARE_WITH_TIMEOUT(compare.lanes().count(), std::size_t{3}, kPatienceMs);
    QVERIFY(compare.laneView(2).stage().dividesWrongly());
    desk.wrong().trigger();
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(!compare.laneView(i).stage().dividesWrongly());
  }

  void differencesAreAmplifiedByKey() {
    const QTemporaryDir folder;
    Desk desk(folder);
    QCOMPARE(desk.window.stage().amplified(), 1.0);
    QStringList said;  // wherever the movie stands
    connect(&desk.window.messages(), &Messages::said, this, [&](const QString& text) { said << text; });
    QTest::keyClick(&desk.window.stage(), Qt::Key_A);
    QVERIFY2(said.join(QLatin1Char('|')).contains(QStringLiteral("at check or apply")),
             qPrintable(said.join(QLatin1Char('|'))));
    QCOMPARE(desk.window.stage().amplified(), Stage::kAmplified);
    desk.window.workspaces().choose(WindowLayout::Compare);
    CompareView& compare = *desk.window.centre().comparison();
    compare.compareWith(strategyInfo(StrategyKind::Default));
    QTRY_COMPARE_WITH_TIMEOUT(compare.lanes().count(), std::size_t{2}, kPatienceMs);
    for (std::size_t i = 0; i < 2; ++i) QCOMPARE(compare.laneView(i).stage().amplified(), Stage::kAmplified);
    desk.window.findChild<QAction*>(QStringLiteral("amplify"))->trigger();
    for (std::size_t i = 0; i < 2; ++i) QCOMPARE(compare.laneView(i).stage().amplified(), 1.0);
  }

  void theFileKeepsIt() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("wrong.slab"));
    {
      Desk desk(folder);
      desk.wrong().trigger();
      QVERIFY(desk.bench.document().saveAs(path));
    }
    Desk desk(folder);
    QVERIFY(!desk.window.stage().dividesWrongly());
    QVERIFY(desk.bench.files().open(path));
    QVERIFY(!desk.window.stage().dividesWrongly());  // the view is only offered
    QToolButton* show = nullptr;
    for (auto* button : desk.window.findChildren<QToolButton*>())
      if (button->isVisible() && button->text() == QStringLiteral("Show this view")) show = button;
    QVERIFY(show != nullptr);
    QTest::mouseClick(show, Qt::LeftButton);
    QVERIFY(desk.window.stage().dividesWrongly());
    QVERIFY(desk.wrong().isChecked());
  }
};

QTEST_MAIN(TestWrongLosses)
#include "tst_wrong_losses.moc"
