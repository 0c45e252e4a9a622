// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=3
// Parallel coordinates of the sweep that comes with the program: lines cross each axis at the cell's own value, mouse
// and keys set ranges that leave runs out, groups have the grid's means, and a choice in one view holds in all.
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "core/data/dataset.h"
#include "core/experiments/halving.h"
#include "tests/support/patience.h"
#include "ui/accessibility/accessible.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/runs/run_library.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_coordinates.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_view.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/theme.h"

using namespace lab;

namespace {

const std::vector<SweepQuantity> kMeasures{SweepQuantity::Accuracy, SweepQuantity::Seconds};

struct Example {
  QTemporaryDir folder;
  SweepRequest request = classroomSweep();
  SweepRun run{folder.path()};
  SweepCoordinates picture{run};

  Example() {
    run.showExample(request.plan);
    picture.resize(900, 500);
    picture.setCells(request, kMeasures, SweepQuantity::Accuracy);
    picture.show();
  }
  const SweepRun::Cell& cell(int index) const { return run.cells()[static_cast<std::size_t>(index)]; }
  std::size_t column(const char* setting) const { return *picture.columns().table.find(setting); }
};

}  // namespace

class TestSweepCoordinates : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    installAccessibles();
  }

  // There is an axis for each setting with several values and each measure that some cell has, with the cells' own
  // values.
  void aColumnForAllThatVaries() {
    Example f;
    const SweepColumns columns =
        sweepColumns(f.request, f.run.cells(),
                     {SweepQuantity::Loss, SweepQuantity::Accuracy, SweepQuantity::Rate, SweepQuantity::Seconds});
    QStringList names;
    for (const CellColumn& column : columns.table.columns()) names << QString::fromStdString(column.name);
    QCOMPARE(names.mid(0, 4), (QStringList{"replicas", "batch-per-replica", kRuleAxis, "seed"}));
    QCOMPARE(names.size(), 7);  // the example has no losses
    QCOMPARE(columns.table.counted(), 180);
    const auto valueIn = [&](std::size_t column, int cell) {
      return columns.table.columns()[column].at[static_cast<std::size_t>(cell)];
    };
    for (int i = 0; i < 180; ++i) {
      const RunSettings& asked = f.cell(i).cell.asked;
      QCOMPARE(columns.text(0, *valueIn(0, i)), countText(*asked.replicas));
      QCOMPARE(columns.text(3, *valueIn(3, i)), countText(asked.seed));
      QCOMPARE(valueIn(4, i), f.cell(i).result->testAccuracy);
      QCOMPARE(valueIn(6, i), f.cell(i).result->secondsToTarget);
    }
    QVERIFY(columns.cellName(0).contains(QStringLiteral("Replicas 1")));
  }

  // A stopped run is drawn with its last values, but its group has no mean.
  void groupsHaveTheMeansOfTheGrid() {
    Example f;
    std::vector<SweepRun::Cell> cells = f.run.cells();
    const auto groupsOf = [&] {
      return sweepColumns(f.request, cells, kMeasures, "replicas").groups("replicas", cells);
    };
    const SweepColumns columns = sweepColumns(f.request, cells, kMeasures, "replicas");
    QCOMPARE(*columns.table.find("replicas"), std::size_t{3});  // the group's axis stands beside the measures
    const auto groups = groupsOf();
    QCOMPARE(groups.size(), std::size_t{4});
    for (const SweepColumns::Group& group : groups) {
      QCOMPARE(group.cells.cells.size(), std::size_t{45});
      const SweepEntry entry = entryOf(cells, group.cells.cells, SweepQuantity::Accuracy);
      QVERIFY(group.spreads[4] && group.spreads[4]->mean == entry.mean());
      QVERIFY(group.spreads[4]->deviation == entry.deviation() && !group.spreads[0]);
    }
    const int first = groups[0].cells.cells.front();
    cells[static_cast<std::size_t>(first)].state = CellState::Stopped;
    const SweepColumns stopped = sweepColumns(f.request, cells, kMeasures, "replicas");
    QVERIFY(stopped.stopped[static_cast<std::size_t>(first)]);
    QCOMPARE(stopped.table.columns()[4].at[static_cast<std::size_t>(first)], f.cell(first).result->testAccuracy);
    QVERIFY(stopped.cellText(first, {}).contains(QStringLiteral("stopped early")));
    QVERIFY(!groupsOf()[0].spreads[4] && groupsOf()[1].spreads[4]);
    QCOMPARE(stopped.groupText("replicas", groupsOf()[0], SweepQuantity::Accuracy),
             QStringLiteral("1: no mean, a value in 44 of 45 runs"));
  }

  void draggingKeepsARange() {
    Example f;
    SweepCoordinates& picture = f.picture;
    const std::size_t replicas = f.column("replicas");
    QVERIFY2(picture.words().startsWith(QStringLiteral("180 of 180 runs")), qPrintable(picture.words()));
    const auto of = [&](std::int64_t count) {  // index of some run with this number of replicas
      return static_cast<int>(
          std::ranges::find_if(f.run.cells(),
                               [&](const SweepRun::Cell& cell) { return *cell.cell.asked.replicas == count; }) -
          f.run.cells().begin());
    };
    const QPoint two = picture.positionOf(of(2), replicas).toPoint(),
                 four = picture.positionOf(of(4), replicas).toPoint();
    QTest::mousePress(&picture, Qt::LeftButton, {}, two + QPoint(0, 4));
    QTest::mouseMove(&picture, four);
    QTest::mouseRelease(&picture, Qt::LeftButton, {}, four);
    QCOMPARE(picture.columns().table.in(), 90);
    QVERIFY2(picture.words().startsWith(QStringLiteral("90 of 180 runs. Replicas: 2 to 4")),
             qPrintable(picture.words()));
    QCOMPARE(picture.accessibleDescription(), picture.words());
    // New results of the cells leave the range as it is, and so does another measure.
    picture.setCells(f.request, {SweepQuantity::Rate}, SweepQuantity::Rate);
    QCOMPARE(picture.columns().table.in(), 90);
    picture.setGroup("replicas");
    QVERIFY2(picture.words().contains(QStringLiteral("by Replicas: 2: ")), qPrintable(picture.words()));
    picture.setGroup({});
    QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.positionOf(of(2), replicas).toPoint());
    QCOMPARE(picture.columns().table.in(), 180);
  }

  // A range that leaves groups out gives their colours to no other group.
  void aGroupKeepsItsColour() {
    Example f;
    f.picture.setGroup("replicas");
    f.picture.setRange(f.column("replicas"), CellRange{2, 2});
    const QImage image = f.picture.grab().toImage();
    const auto has = [&image](int place) {
      const QRgb colour = runColour(place).rgb();
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          if (image.pixel(x, y) == colour) return true;
      return false;
    };
    QVERIFY(has(2) && !has(0));
    // One run has no deviation.
    QVERIFY2(f.picture.words().contains(QStringLiteral("±")), qPrintable(f.picture.words()));
    for (const char* setting : {"batch-per-replica", kRuleAxis, "seed"})
      f.picture.setRange(f.column(setting), CellRange{2, 2});
    const QString words = f.picture.words();
    QVERIFY2(words.contains(QStringLiteral("(1 run")) && !words.contains(QStringLiteral("±")), qPrintable(words));
  }

  void aLineIsChosen() {
    Example f;
    SweepCoordinates& picture = f.picture;
    QSignalSpy chosen(&picture, &SweepCoordinates::cellChosen);
    // Between the last two axes, only the line of this run, or of one as good, is this high.
    const std::size_t accuracy = 4;
    const auto& values = picture.columns().table.columns()[accuracy].at;
    const int best = static_cast<int>(std::ranges::max_element(values) - values.begin());
    const QPointF on = picture.positionOf(best, accuracy), next = picture.positionOf(best, accuracy + 1);
    QTest::mouseClick(&picture, Qt::LeftButton, {}, (on + 0.3 * (next - on)).toPoint());
    QCOMPARE(chosen.count(), 1);
    const int cell = chosen.front().front().toInt();
    QVERIFY(cell == best || values[static_cast<std::size_t>(cell)] == values[static_cast<std::size_t>(best)]);
    // By keys: go right to the axis of the accuracy, then up to the best run.
    picture.setFocus();
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&picture, key, with); };
    for (int i = 0; i < 4; ++i) press(Qt::Key_Right);
    for (int i = 0; i < 180; ++i) press(Qt::Key_Up);
    press(Qt::Key_Return);
    QCOMPARE(chosen.count(), 2);
    QVERIFY(values[static_cast<std::size_t>(chosen.back().front().toInt())] == *std::ranges::max_element(values));
    press(Qt::Key_Up, Qt::ShiftModifier);  // keeps only runs that are as good
    QCOMPARE(picture.columns().table.in(),
             static_cast<int>(std::ranges::count(values, *std::ranges::max_element(values))));
    press(Qt::Key_Delete);
    QCOMPARE(picture.columns().table.in(), 180);
    press(Qt::Key_Down, Qt::ShiftModifier);
    press(Qt::Key_Left);
    press(Qt::Key_Delete);  // on an axis without a range: no effect
    QVERIFY(picture.columns().table.hasRange());
    press(Qt::Key_Delete, Qt::ShiftModifier);
    QVERIFY(!picture.columns().table.hasRange());
  }

  // The picture looks different with a range, and with a chosen run.
  void rangesAreSeen() {
    Example f;
    const QImage whole = f.picture.grab().toImage();
    f.picture.setRange(f.column("seed"), CellRange{0, 0});
    const QImage part = f.picture.grab().toImage();
    QVERIFY(whole != part);
    f.picture.clearRanges();
    QCOMPARE(f.picture.grab().toImage(), whole);
    f.picture.choose(3);
    QVERIFY(f.picture.grab().toImage() != whole);
  }

  // Successive halving ran only one of four runs to its end: its line is solid, and the others' lines are dashed.
  void whatWasStoppedIsDashed() {
    const QTemporaryDir folder;
    SweepRequest request = classroomSweep();
    request.plan.target = {};
    request.plan.base.steps = 6;
    request.plan.replicas = {1, 2};
    request.plan.batches = {4, 8};
    request.plan.rules = {LearningRateScaling::None};
    request.plan.seeds = 1;
    const std::vector<SweepCell> cells = cellsOf(request.plan);
    std::vector<const SweepCell*> all;
    for (const SweepCell& cell : cells) all.push_back(&cell);
    RunQueue queue(1);
    const auto nothing = [](std::size_t, const RunTally&, std::span<const Metric>, bool) {};
    Halving(all, openDataset(cells.front().config),
            {.eta = 4, .folder = folder.path().toStdString(), .threads = {}, .goOn = {}, .ended = nothing})
        .run(queue);
    SweepRun run(folder.path());
    run.setPlan(request.plan, 1);
    QTRY_VERIFY_WITH_TIMEOUT(!run.isReading(), kPatienceMs);
    QCOMPARE(run.count(CellState::Stopped), 3);
    SweepCoordinates picture(run);
    picture.resize(900, 500);
    picture.setCells(request, {SweepQuantity::Loss, SweepQuantity::Accuracy}, SweepQuantity::Loss);
    for (int cell = 0; cell < 4; ++cell) {
      picture.choose(cell);
      const QImage image = picture.grab().toImage();
      const QPointF from = picture.positionOf(cell, 2), to = picture.positionOf(cell, 3);
      int ink = 0;
      for (int i = 100; i < 900; ++i) {
        const QPointF at = (from + i / 1000.0 * (to - from)) * image.devicePixelRatio();
        ink += theme::contrast(image.pixelColor(at.toPoint()), theme::colours().ink) < 1.5 ? 1 : 0;
      }
      const bool stopped = run.cells()[static_cast<std::size_t>(cell)].state == CellState::Stopped;
      QVERIFY2(stopped ? ink > 300 && ink < 780 : ink == 800, qPrintable(countText(ink)));
    }
  }

  // In the workspace the picture replaces the chart; a line chosen there becomes the stage's run and the grid's cell.
  void oneChoiceForAll() {
    QTemporaryDir folder;
    RunController controller;
    Experiment experiment(controller);
    RunLibrary library(controller, experiment);
    SweepView view(experiment, library, nullptr, folder.path());
    view.resize(1200, 700);
    view.show();
    auto& kind = *view.findChild<QComboBox*>(QStringLiteral("sweepChartKind"));
    auto& picture = *view.findChild<SweepCoordinates*>();
    QVERIFY(!picture.isVisible() && view.findChild<SweepChart*>()->isVisible());
    kind.setCurrentIndex(kind.findData(kSweepCharts));
    Q_EMIT kind.activated(kind.currentIndex());
    QVERIFY(picture.isVisible() && !view.findChild<SweepChart*>()->isVisible());
    auto& quantity = *view.findChild<QComboBox*>(QStringLiteral("sweepQuantity"));
    quantity.setCurrentIndex(static_cast<int>(SweepQuantity::Efficiency));
    Q_EMIT quantity.activated(quantity.currentIndex());
    QVERIFY2(picture.accessibleName().contains(QStringLiteral("efficiency")), qPrintable(picture.accessibleName()));
    auto& words = *view.findChild<QLabel*>(QStringLiteral("sweepRangeWords"));
    auto& group = *view.findChild<QComboBox*>(QStringLiteral("sweepGroup"));
    QCOMPARE(group.count(), 5);
    group.setCurrentIndex(group.findData(QStringLiteral("seed")));
    Q_EMIT group.activated(group.currentIndex());
    QVERIFY2(words.text().contains(QStringLiteral("by Seed: ")), qPrintable(words.text()));
    picture.setRange(0, CellRange{0, 0});
    QVERIFY(words.text().startsWith(QStringLiteral("45 of 180 runs")));
    // The grid dims entries without a run in the ranges; its numbers still cover all seeds, and the ranges of a hidden
    // picture do nothing.
    auto& grid = *view.findChild<SweepGrid*>();
    const auto& model = static_cast<const SweepGridModel&>(*grid.model());
    const auto looked = [&](int row) { return model.isLookedAt(model.entryAt(model.index(row, 0))); };
    QVERIFY(looked(0) && !looked(1) && model.entryAt(model.index(1, 0)).hasMean());
    QVERIFY(model.index(1, 0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("no run in the ranges")));
    const int side = kind.currentIndex();
    for (const int other : {0, side}) {
      kind.setCurrentIndex(other);
      Q_EMIT kind.activated(other);
      QCOMPARE(looked(1), other == 0);
    }
    QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("sweepAllRuns")), Qt::LeftButton);
    QVERIFY(words.text().startsWith(QStringLiteral("180 of 180 runs")));
    QSignalSpy wanted(&view, &SweepView::runWanted);
    const int cell = model.entryAt(model.index(1, 2)).cells.back();
    Q_EMIT picture.cellChosen(cell);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(picture.chosen(), cell);
    QVERIFY(grid.currentIndex() == model.index(1, 2));
    QCOMPARE(experiment.resolved().replicas, view.run().cells()[static_cast<std::size_t>(cell)].cell.config.replicas);
  }
};

QTEST_MAIN(TestSweepCoordinates)
#include "tst_sweep_coordinates.moc"
