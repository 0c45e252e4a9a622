// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of operations: a table that adds up, sorts, searches and exports CSV; the roofline with the same
// operations, by pointer and by keys; one selection for table, roofline and stage.
#include <QAbstractItemModel>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QRegion>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "core/options/resolve.h"
#include "core/prediction/step_timeline.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/frame/on_demand.h"
#include "ui/i18n/words.h"
#include "ui/profile/first_changes.h"
#include "ui/profile/operation_model.h"
#include "ui/profile/operations_panel.h"
#include "ui/profile/roofline_chart.h"
#include "ui/window/main_window.h"

using namespace lab;
using Column = OperationModel::Column;

namespace {

struct Fixture {
  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();
  OperationsPanel& panel =
      *qobject_cast<OperationsPanel*>(&window.panels().tab(QStringLiteral("operationsTab"))->content());
  RooflineChart& chart = panel.chart();
  QTableView& table = *panel.findChild<QTableView*>(QStringLiteral("operations"));

  explicit Fixture(DeviceChoice devices = DeviceChoice::Simulated) {
    RunSettings config = test::smallConfig();
    config.steps = 100;
    config.evalEvery = 0;
    config.devices = devices;
    window.resize(1400, 900);
    window.show();
    window.activateWindow();
    window.workspaces().choose(WindowLayout::Profile);
    window.panels().openTab(QStringLiteral("operationsTab"));
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(config);
    (void)QTest::qWaitFor([this] { return !panel.model().rows().empty(); }, kPatienceMs);
  }
  QString cell(int row, Column column) const {
    return table.model()->index(row, static_cast<int>(column)).data().toString();
  }
  int rowOf(const QString& name) const {
    const auto found =
        std::ranges::find_if(panel.model().rows(), [&](const OperationRow& row) { return operationName(row) == name; });
    return found == panel.model().rows().end() ? -1 : static_cast<int>(found - panel.model().rows().begin());
  }
  QString chosen() const {
    const QModelIndexList rows = table.selectionModel()->selectedRows();
    return rows.isEmpty() ? QString() : rows.front().data().toString();
  }
};

}  // namespace

class TestOperationsPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theTableIsTheSteps() {
    Fixture fixture;
    const auto info = fixture.controller.sharedInfo();
    const Timeline step = timelineOf(*info, *fixture.playback.record());
    std::int64_t devicesNs = 0, rowsNs = 0;
    for (const int track : deviceTracks(step, info.get()))
      devicesNs += sumOf(step.breakdown(track, step.beginNs, step.endNs));
    for (const OperationRow& row : fixture.panel.model().rows()) rowsNs += sumOf(row.own);
    QCOMPARE(rowsNs, devicesNs);
    QCOMPARE(fixture.panel.model().deviceNs(), devicesNs);
    QVERIFY(fixture.rowOf(QStringLiteral("conv2d forward")) >= 0);
    QVERIFY(
        fixture.panel.findChild<QLabel*>(QStringLiteral("operationsTitle"))->text().contains(durationText(devicesNs)));
  }

  // In a low panel it scrolls: nothing lies over another, and no words are cut.
  void aLowPanelHidesNothing_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("beside, low") << QSize(1366, 640);
    QTest::newRow("above, low") << QSize(900, 640);
    QTest::newRow("beside, lowest") << QSize(1366, 480);
  }
  void aLowPanelHidesNothing() {
    QFETCH(QSize, size);
    Fixture fixture;
    fixture.window.resize(size);
    fixture.window.workspaces().choose(WindowLayout::Explore);
    fixture.window.panels().openTab(QStringLiteral("operationsTab"));
    const auto isFine = [&] {
      QRegion taken = QRect(fixture.table.mapTo(&fixture.panel, QPoint()), fixture.table.size());
      for (QWidget* each :
           {static_cast<QWidget*>(&fixture.chart), fixture.panel.findChild<QWidget*>("roofWords"),
            fixture.panel.findChild<QWidget*>("boundWords"), fixture.panel.findChild<QWidget*>("firstChanges")}) {
        const QRect place(each->mapTo(&fixture.panel, QPoint()), each->size());
        if (taken.intersects(place) || each->height() < each->minimumSizeHint().height() ||
            each->height() < each->heightForWidth(each->width()))
          return false;
        taken += place;
      }
      return fixture.panel.rect().contains(taken.boundingRect());
    };
    QTRY_VERIFY_WITH_TIMEOUT(isFine(), kPatienceMs);
  }

  void itSortsAndSearches() {
    Fixture fixture;
    const int all = fixture.table.model()->rowCount();
    const auto largest =
        std::ranges::max(fixture.panel.model().rows(), {}, [](const OperationRow& row) { return sumOf(row.own); });
    QCOMPARE(fixture.cell(0, Column::Name), operationName(largest));  // at first sorted by share
    fixture.table.sortByColumn(static_cast<int>(Column::Rate), Qt::AscendingOrder);
    QVERIFY(fixture.cell(0, Column::Rate) != QStringLiteral("–"));
    QCOMPARE(fixture.cell(all - 1, Column::Rate), QStringLiteral("–"));
    fixture.table.sortByColumn(static_cast<int>(Column::Rate), Qt::DescendingOrder);
    QVERIFY(fixture.cell(0, Column::Rate) != QStringLiteral("–"));
    QCOMPARE(fixture.cell(all - 1, Column::Rate), QStringLiteral("–"));  // unknown rates stay last

    auto* search = fixture.panel.findChild<QLineEdit*>(QStringLiteral("operationsSearch"));
    QTest::keyClicks(search, QStringLiteral("BACKWARD"));
    const int found = fixture.table.model()->rowCount();
    QVERIFY(found > 0 && found < all);
    for (int row = 0; row < found; ++row) QVERIFY(fixture.cell(row, Column::Name).contains(QStringLiteral("backward")));
    // An operation that the search hides can be chosen in the roofline, which ends the search.
    const int forward = fixture.rowOf(QStringLiteral("conv2d forward"));
    QTest::mouseClick(&fixture.chart, Qt::LeftButton, {}, fixture.chart.at(forward)->toPoint());
    QCOMPARE(fixture.chosen(), QStringLiteral("conv2d forward"));
    QVERIFY(search->text().isEmpty());
  }

  void oneSelectionInTableRooflineAndStage() {
    Fixture fixture;
    const int row = fixture.rowOf(QStringLiteral("conv2d forward"));
    QTest::mouseClick(&fixture.chart, Qt::LeftButton, {}, fixture.chart.at(row)->toPoint());
    QCOMPARE(fixture.chosen(), QStringLiteral("conv2d forward"));
    QVERIFY(fixture.window.selection().pinned() == (Object{Object::Kind::Layer, 0, 0}));
    // A choice in the table moves the roofline too, and stays while the step changes.
    const QModelIndex other = fixture.table.model()->index(0, 0);
    QTest::mouseClick(fixture.table.viewport(), Qt::LeftButton, {}, fixture.table.visualRect(other).center());
    const QString name = other.data().toString();
    fixture.playback.goTo(3);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.step() == 3, kPatienceMs);
    fixture.panel.refresh();
    QCOMPARE(fixture.chosen(), name);
    QCOMPARE(fixture.chart.current(), fixture.rowOf(name));
  }

  void keysWalkTheRoofline() {
    Fixture fixture;
    const std::vector<int> points = fixture.chart.points();
    QVERIFY(points.size() > 3);
    fixture.chart.setFocus();
    QTest::keyClick(&fixture.chart, Qt::Key_Right);
    QCOMPARE(fixture.chart.current(), points[0]);
    QTest::keyClick(&fixture.chart, Qt::Key_Right);
    QCOMPARE(fixture.chart.current(), points[1]);
    QTest::keyClick(&fixture.chart, Qt::Key_Left);
    QCOMPARE(fixture.chart.current(), points[0]);
    QTest::keyClick(&fixture.chart, Qt::Key_End);
    QCOMPARE(fixture.chart.current(), points.back());
    const QString name = operationName(fixture.panel.model().rows()[static_cast<std::size_t>(points.back())]);
    QCOMPARE(fixture.chosen(), name);
    QVERIFY(fixture.chart.accessibleDescription().startsWith(name));
    for (std::size_t i = 1; i < points.size(); ++i)  // from left to right, arithmetic per byte grows
      QVERIFY(fixture.chart.at(points[i])->x() >= fixture.chart.at(points[i - 1])->x());
    for (const int point : points) QCOMPARE(fixture.chart.rowAt(*fixture.chart.at(point)) >= 0, true);
  }

  void roofsSayWhereTheyAreFrom() {
    Fixture fixture;
    auto* roofs = fixture.panel.findChild<QLabel*>(QStringLiteral("roofWords"));
    QVERIFY(roofs->text().contains(QStringLiteral("modelled")) &&
            roofs->text().contains(QStringLiteral("15.7 TFLOP/s")));
    QVERIFY(!fixture.panel.findChild<QToolButton*>(QStringLiteral("measurePeak"))->isVisible());
  }

  void thisProcessorsRoofsAreMeasuredOnRequest() {
    Fixture fixture(DeviceChoice::Cpu);
    auto* measure = fixture.panel.findChild<QToolButton*>(QStringLiteral("measurePeak"));
    QTRY_VERIFY_WITH_TIMEOUT(measure->isVisible(), kPatienceMs);
    QVERIFY(fixture.chart.points().empty());
    QVERIFY(fixture.chart.words().contains(QStringLiteral("not measured yet")));
    QTest::mouseClick(measure, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.chart.points().empty(), kPatienceMs);
    QVERIFY(!measure->isVisible());
    QVERIFY(fixture.panel.findChild<QLabel*>(QStringLiteral("roofWords"))
                ->text()
                .contains(QStringLiteral("measured here")));
  }

  // Stages are listed by the most that the step can be shorter without them; stages that save nothing are left out.
  void whatToChangeFirstGoesByGain() {
    StageBreakdown breakdown{};
    const auto set = [&](StepStage stage, std::int64_t ns) { breakdown[static_cast<std::size_t>(stage)] = ns; };
    set(StepStage::Overlapped, 400);
    set(StepStage::Launch, 300);
    set(StepStage::Exposed, 200);
    set(StepStage::Compute, 60);
    set(StepStage::Input, 40);  // too little to be worth a change
    const ResolvedSettings mirrored = resolve(test::runOf("mirrored"));
    const QString words = firstChanges({breakdown}, mirrored);
    const auto launch = words.indexOf(QStringLiteral("launch 30.0 %"));
    const auto exposed = words.indexOf(QStringLiteral("exposed comm. 20.0 %"));
    const auto compute = words.indexOf(QStringLiteral("compute 6.0 %"));
    QVERIFY2(launch >= 0 && exposed > launch && compute > exposed, qPrintable(words));
    QVERIFY(!words.contains(QStringLiteral("40.0 %")) && !words.contains(QStringLiteral("input")));
    QVERIFY(firstChanges({}, mirrored).isEmpty());
    // The first device computes for 90 ns, the second for 20 ns and waits for it. Without any computation the step
    // takes the 10 ns of launches, though computation has only 55 % of both devices' time.
    using Parts = std::vector<std::pair<StepStage, std::int64_t>>;
    const auto device = [](const Parts& parts) {
      StageBreakdown made{};
      for (const auto& [stage, ns] : parts) made[static_cast<std::size_t>(stage)] = ns;
      return made;
    };
    const StageBreakdown slow = device({{StepStage::Compute, 90}, {StepStage::Launch, 10}});
    const StageBreakdown fast = device({{StepStage::Compute, 20}, {StepStage::Launch, 10}, {StepStage::Straggler, 70}});
    const auto inOrder = [](const QString& sentence, const QStringList& parts) {
      qsizetype at = sentence.startsWith(QStringLiteral("What to change first, and how much of the step")) ? 0 : -1;
      for (const QString& part : parts) at = at < 0 ? -1 : sentence.indexOf(part, at);
      return at >= 0;
    };
    const QString uneven = firstChanges({slow, fast}, mirrored);
    QVERIFY2(inOrder(uneven, {QStringLiteral("compute 90.0 %"), QStringLiteral("straggler wait 70.0 %"),
                              QStringLiteral("launch 10.0 %")}),
             qPrintable(uneven));
    // Devices that compute one after the other, as on one processor: together all of the step, and no more of the rest.
    const StageBreakdown inTurn = device({{StepStage::Compute, 48}, {StepStage::Exposed, 2}, {StepStage::Idle, 50}});
    const QString turns = firstChanges({inTurn, inTurn}, mirrored);
    QVERIFY2(inOrder(turns, {QStringLiteral("compute 96.0 %")}) && !turns.contains(QStringLiteral("exposed")),
             qPrintable(turns));
    // A server that is busy with messages of others: without messages nobody queues.
    const StageBreakdown queues = device({{StepStage::Compute, 30}, {StepStage::Exposed, 20}, {StepStage::Queue, 50}});
    const QString queued = firstChanges({queues}, resolve(test::runOf("parameter-server")));
    QVERIFY2(inOrder(queued, {QStringLiteral("exposed comm. 70.0 %"), QStringLiteral("queue at a server 50.0 %"),
                              QStringLiteral("compute 30.0 %")}),
             qPrintable(queued));
    Fixture fixture;
    const auto* shown = fixture.panel.findChild<QLabel*>(QStringLiteral("firstChanges"));
    QVERIFY(shown->isVisible() && shown->text().contains(QStringLiteral("launch")));
  }

  void firstChangesAreTheDevicesAndTheStrategys_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("matmul");
    QTest::addColumn<bool>("bfloat16");
    QTest::addColumn<bool>("reducer");
    QTest::addColumn<bool>("packs");
    QTest::addColumn<bool>("servers");
    const auto row = [](const char* strategy, const char* device, const char* matmul, bool bfloat16, bool reducer,
                        bool packs, bool servers) {
      QTest::newRow(qPrintable(QStringLiteral("%1 %2 %3").arg(strategy, device, matmul)))
          << strategy << device << matmul << bfloat16 << reducer << packs << servers;
    };
    row("mirrored", "v100", "float32", false, true, true, false);  // it has no units for bfloat16
    row("mirrored", "a100", "float32", true, true, true, false);
    row("mirrored", "a100", "bfloat16", false, true, true, false);  // it has that already
    row("tpu", "tpu_v3_core", "bfloat16", false, false, false, false);
    row("tpu", "tpu_v3_core", "float32", true, false, false, false);
    row("central-storage", "v100", "float32", false, false, false, false);
    row("local-sgd", "v100", "float32", false, true, false, false);  // packs cannot go before the update
    row("gossip", "v100", "float32", false, false, true, false);
    row("sharded", "v100", "float32", false, false, true, false);
    row("parameter-server", "v100", "float32", false, false, false, true);
  }
  void firstChangesAreTheDevicesAndTheStrategys() {
    QFETCH(QString, strategy);
    QFETCH(QString, device);
    QFETCH(QString, matmul);
    RunSettings asked = test::runOf(qPrintable(strategy));
    configField("device-model").set(asked, device.toStdString());
    configField("matmul").set(asked, matmul.toStdString());
    StageBreakdown breakdown{};
    for (const StepStage stage : {StepStage::Compute, StepStage::Exposed, StepStage::Queue})
      breakdown[static_cast<std::size_t>(stage)] = 100;
    const QString words = firstChanges({breakdown}, resolve(asked));
    QVERIFY2(words.contains(QStringLiteral("a faster device")), qPrintable(words));
    QTEST(words.contains(QStringLiteral("bfloat16")), "bfloat16");
    QTEST(words.contains(QStringLiteral("another reducer")), "reducer");
    QTEST(words.contains(QStringLiteral("smaller packs")), "packs");
    QTEST(words.contains(QStringLiteral("parameter servers")), "servers");
  }

  void theCsvHasEveryOperation() {
    Fixture fixture;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("operations.csv"));
    fixture.panel.exportFile(path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), static_cast<qsizetype>(fixture.panel.model().rows().size()) + 1);
    const QStringList names = lines.front().split(QLatin1Char(','));
    const qsizetype own = names.indexOf(QStringLiteral("ownNs"));
    std::int64_t sum = 0;
    for (const QString& line : lines.mid(1)) {
      QCOMPARE(line.count(QLatin1Char(',')), lines.front().count(QLatin1Char(',')));
      sum += line.section(QLatin1Char(','), static_cast<int>(own), static_cast<int>(own)).toLongLong();
    }
    QCOMPARE(sum, fixture.panel.model().deviceNs());
  }
};

QTEST_MAIN(TestOperationsPanel)
#include "tst_operations_panel.moc"
