// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=40
// Runs side by side: each lane trains what it would train alone, all lanes show the moment that corresponds to the
// leader's, and the distance between their weights is reported correctly.
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QXmlStreamReader>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/device/device_clock.h"
#include "core/experiments/comparison.h"
#include "core/experiments/weight_distance.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/timing/error_band.h"
#include "tests/support/patience.h"
#include "tests/support/records.h"
#include "tests/support/training.h"
#include "tests/ui/compare_desk.h"
#include "tests/ui/small_config.h"
#include "tests/ui/stage_fixture.h"
#include "ui/branches/difference_search.h"
#include "ui/charts/quantity.h"
#include "ui/charts/series_chart.h"
#include "ui/compare/breakdown_bar.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_charts.h"
#include "ui/compare/lane_grid.h"
#include "ui/compare/lane_pointing.h"
#include "ui/compare/lane_report.h"
#include "ui/compare/lane_table.h"
#include "ui/compare/lane_view.h"
#include "ui/compare/lanes_below.h"
#include "ui/compare/report_button.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/lanes/counterpart.h"
#include "ui/lanes/lane_figures.h"
#include "ui/lanes/lane_specs.h"
#include "ui/lanes/story_match.h"
#include "ui/lanes/unequal.h"
#include "ui/playback/position.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"
#include "ui/stage/stage.h"
#include "ui/step/base_step.h"
#include "ui/theme/theme.h"
#include "ui/transport/scrubber.h"

using namespace lab;

namespace {

using Mode = Playback::Mode;
using Unit = Playback::Unit;
using test::difference;
using test::sameBits;

RunSettings leaderConfig() {
  RunSettings config = test::smallConfig();
  config.replicas = 4;
  config.globalBatch = 8;
  config.evalEvery = 0;
  config.devices = DeviceChoice::Simulated;
  config.reducer = Reducer::Ring;
  return config;
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A parameter server on the stage: a step of a worker has 2 images.
RunSettings serverConfig() {
  RunSettings config = leaderConfig();
  config.strategy = StrategyKind::ParameterServer;
  config.globalBatch.reset();
  config.batchPerReplica = 2;
  config.reducer = Reducer::Auto;
  return config;
}

// Whether the lane's bytes on the busiest link are seen: all words fit in the column, or the bytes come first.
bool saysTheBytes(const QTableView& table, int row) {
  struct Open : QStyledItemDelegate {
    using QStyledItemDelegate::initStyleOption;
  };
  const QModelIndex cell = table.model()->index(row, 1 + static_cast<int>(LaneFigure::BusiestLink));
  const QVariant value = cell.data(LaneTable::kSortRole);
  if (!value.isValid()) return true;  // has no such link
  QStyleOptionViewItem option;
  (qobject_cast<const QStyledItemDelegate*>(table.itemDelegate())->*(&Open::initStyleOption))(&option, cell);
  const QString bytes = textOf(LaneFigure::BusiestLink, value.toDouble());
  const bool whole =
      static_cast<const QAbstractItemView&>(table).sizeHintForColumn(cell.column()) <= table.columnWidth(cell.column());
  return whole ? option.text.contains(bytes) : option.text.startsWith(bytes);
}

LaneSpec under(StrategyKind kind) {
  return {&strategyInfo(kind), std::nullopt, {}};
}

// The window's own run and the lanes beside it; nothing plays unless a test asks for it.
struct Fixture {
  RunController controller;
  Playback playback{controller};
  Selection selection;
  Lanes lanes{controller, playback, selection};

  explicit Fixture(std::vector<LaneSpec> wishes, RunSettings config = leaderConfig()) {
    lanes.lockstep().setActive(true);
    controller.start(config, true);
    for (LaneSpec& wish : wishes) lanes.add(std::move(wish));
  }
  Lane& lane(std::size_t i) { return lanes.at(i); }
  bool settle() {
    return QTest::qWaitFor([this] { return lanes.lockstep().isSettled(); }, kPatienceMs);
  }
  bool goTo(std::int64_t step) {
    if (!settle()) return false;
    playback.goTo(step);
    return settle();
  }
};

// Trains the same run by itself, with a record of each step.
struct Alone {
  Telemetry telemetry;
  Trainer trainer;
  std::vector<std::shared_ptr<const StepRecord>> records;

  explicit Alone(const ResolvedSettings& config, int steps) : trainer(config, openDataset(config), telemetry) {
    for (int i = 0; i < steps; ++i) {
      telemetry.requestRecord();
      trainer.step();
      records.push_back(telemetry.takeRecord());
    }
  }
};

// Returns a story whose beats take a second each, without holds.
Story storyOf(std::initializer_list<BeatKind> kinds) {
  Story story;
  for (const BeatKind kind : kinds) {
    Beat beat;
    beat.kind = kind;
    beat.beginS = beat.motionS = story.seconds;
    beat.endS = story.seconds += 1;
    story.beats.push_back(std::move(beat));
  }
  return story;
}

constexpr StrategyKind kFollowers[] = {
    StrategyKind::Default, StrategyKind::OneDevice,      StrategyKind::MultiWorkerMirrored,
    StrategyKind::Tpu,     StrategyKind::CentralStorage, StrategyKind::ParameterServer};

// Each look at this clock advances time by 0.1 ms. So steps take equally long on any machine, and while both lanes
// train at once, a step takes no longer than both lanes' steps one after the other.
class CountingClock {
 public:
  CountingClock() {
    replaceSteadyClock([]() -> std::int64_t {
      static std::atomic<std::int64_t> now{0};
      return now += 100'000;
    });
  }
  ~CountingClock() { replaceSteadyClock(nullptr); }
  CountingClock(const CountingClock&) = delete;
  CountingClock& operator=(const CountingClock&) = delete;
};

}  // namespace

class TestCompare : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lanesAreTheSingleRuns_data() {
    QTest::addColumn<int>("kind");
    for (const StrategyInfo& info : strategies()) QTest::newRow(info.key.c_str()) << static_cast<int>(info.kind);
  }
  void lanesAreTheSingleRuns() {
    QFETCH(int, kind);
    Fixture f({under(static_cast<StrategyKind>(kind)), under(StrategyKind::Mirrored)});
    f.lanes.setBy(InStepBy::Steps);
    const int steps = 4;
    std::vector<std::vector<std::shared_ptr<const StepRecord>>> shown(f.lanes.count());
    for (int step = 1; step <= steps; ++step) {
      QVERIFY(f.goTo(step));
      for (std::size_t i = 0; i < f.lanes.count(); ++i) {
        QCOMPARE(f.lane(i).playback().step(), step);
        shown[i].push_back(f.lane(i).playback().record());
      }
    }
    for (std::size_t i = 0; i < f.lanes.count(); ++i) {
      const Alone alone(f.lane(i).resolved(), steps);
      for (int step = 0; step < steps; ++step)
        QCOMPARE(difference(*shown[i][static_cast<std::size_t>(step)], *alone.records[static_cast<std::size_t>(step)]),
                 QString());
    }
  }

  // A lane has the settings that the command line's comparison would train.
  void lanesAreFittedAsTheCommandLineDoes() {
    for (const StrategyKind kind : kFollowers) {
      Fixture f({under(kind)});
      QVERIFY(f.settle());
      const Comparison comparison = planComparison(givenOf(leaderConfig()), {StrategyKind::Mirrored, kind});
      QCOMPARE(configToJson(f.lane(1).resolved()).dump(), configToJson(comparison.runs[1]).dump());
      QCOMPARE(configToJson(comparison.runs[0]).dump(), configToJson(resolve(leaderConfig())).dump());
    }
  }

  void weightsOfTheSameRunAreTheSame_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 4}) QTest::addRow("%d", threads) << threads;
  }
  void weightsOfTheSameRunAreTheSame() {
    QFETCH(int, threads);
    RunSettings other = leaderConfig();
    other.threads = threads;
    Fixture f({under(StrategyKind::Mirrored), {nullptr, other, QStringLiteral("again")}});
    for (const int step : {1, 3, 7}) QVERIFY(f.goTo(step));
    for (const std::size_t i : {1U, 2U}) {
      const DistanceCurve& curve = f.lane(i).distance;
      QCOMPARE(curve.points().size(), 3U);
      for (const auto& point : curve.points()) QCOMPARE(point.distance, 0.0);
      QCOMPARE(curve.apart(), Apart::Same);
      QCOMPARE(whyApart(f.lane(0).resolved(), f.lane(i).resolved()), ApartBecause::Nothing);
    }
  }

  void synchronousStrategiesDifferByRoundingAndServersGrow() {
    RunSettings config = leaderConfig();
    config.optimizer = OptimizerKind::Sgd;
    config.learningRate = 0.01;
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::ParameterServer)}, config);
    f.lanes.setBy(InStepBy::Steps);
    for (const int step : {1, 4, 16}) QVERIFY(f.goTo(step));
    const DistanceCurve& central = f.lane(1).distance;
    QVERIFY(central.points().size() == 3);
    for (const auto& point : central.points())
      QVERIFY2(point.distance <= kRoundingDistance, qPrintable(QString::number(point.distance)));
    QVERIFY(central.apart() == Apart::Rounding || central.apart() == Apart::Same);
    const DistanceCurve& server = f.lane(2).distance;
    QCOMPARE(server.apart(), Apart::Growing);
    QCOMPARE(server.points().size(), 3U);
    QVERIFY(server.points().back().distance > server.points().front().distance);
    QCOMPARE(whyApart(f.lane(0).resolved(), f.lane(2).resolved()), ApartBecause::StaleWeights);
    // By images, the server's workers have done four steps for each step of the other lanes.
    f.lanes.setBy(InStepBy::Images);
    QVERIFY(f.goTo(6));
    f.playback.end();
    QVERIFY(f.settle());
    f.playback.seek(6, f.playback.story().seconds);
    QVERIFY(f.settle());
    QCOMPARE(f.lane(2).playback().seconds(), f.lane(2).playback().story().seconds);
    QCOMPARE(f.lane(2).playback().step(), 24);
    QVERIFY(f.lane(2).distance.has(6));
    for (const auto& point : f.lane(2).distance.points()) QVERIFY(point.distance > kRoundingDistance);
  }

  // Only what adds the same gradients in another order differs by rounding alone.
  void whatIsMoreThanAnotherOrderIsSaid() {
    const ResolvedSettings mirrored = resolve(leaderConfig());
    const auto why = [&](const char* strategy, const GivenFields& also = {}) {
      GivenFields given = givenOf(leaderConfig());
      given.insert(given.end(), also.begin(), also.end());
      const StrategyInfo& info = *std::ranges::find(strategies(), std::string(strategy), &StrategyInfo::key);
      return whyApart(mirrored, comparedRun(info, given).config);
    };
    for (const char* strategy : {"local-sgd", "gossip", "backup-workers"})
      QVERIFY2(why(strategy) == ApartBecause::OtherMethod, strategy);
    for (const char* strategy : {"default", "central-storage", "sharded"})
      QVERIFY2(why(strategy) == ApartBecause::OrderOfSums, strategy);
    QCOMPARE(why("backup-workers", {{&configField("backups"), "0"}}), ApartBecause::OrderOfSums);
    const auto said = [](Apart apart) {
      DistanceCurve curve;
      const std::vector<float> first{1, 2}, same = first, other{1, 3};
      curve.add(1, apart == Apart::Same ? same : other, first);
      return distanceWords(curve, ApartBecause::OtherMethod, QStringLiteral("base"));
    };
    QVERIFY2(!said(Apart::Growing).contains(QStringLiteral("order")), qPrintable(said(Apart::Growing)));
    QVERIFY2(said(Apart::Same).contains(QStringLiteral("the same weights")), qPrintable(said(Apart::Same)));
  }

  // Shares that differ count in Keras's fit, and in a batch normalisation of each replica's own images.
  void otherSharesAreMoreThanAnotherOrder() {
    RunSettings three = leaderConfig(), one = leaderConfig();
    three.replicas = 3;  // 8 images: 3, 3 and 2
    one.replicas = 1;
    const auto why = [](const RunSettings& a, const RunSettings& b) { return whyApart(resolve(a), resolve(b)); };
    QCOMPARE(why(three, one), ApartBecause::OtherMethod);
    three.lossReduction = one.lossReduction = LossReduction::Loop;
    QCOMPARE(why(three, one), ApartBecause::OrderOfSums);
    RunSettings four = leaderConfig();
    one.lossReduction = LossReduction::Fit;
    QCOMPARE(why(four, one), ApartBecause::OrderOfSums);
    four.dataset = one.dataset = "cifar10";
    four.network = one.network = "resnet20";
    QCOMPARE(why(four, one), ApartBecause::OtherMethod);
    QCOMPARE(why(one, one), ApartBecause::Nothing);
  }

  // Hosts that read files of their own see other images in each step than hosts that share one stream.
  void hostsWithTheirOwnFilesSeeOtherImages() {
    RunSettings shared = leaderConfig();
    shared.strategy = StrategyKind::MultiWorkerMirrored;
    shared.hosts = 2;
    RunSettings files = shared;
    files.split = SplitSource::File;
    files.files = 2;
    const auto why = [](const RunSettings& a, const RunSettings& b) { return whyApart(resolve(a), resolve(b)); };
    QCOMPARE(why(leaderConfig(), shared), ApartBecause::OrderOfSums);
    QCOMPARE(why(leaderConfig(), files), ApartBecause::OtherExamples);
    files.autoShard = AutoShard::Off;
    QCOMPARE(why(shared, files), ApartBecause::OtherExamples);
  }

  // Hosts are the reason for other images only where each reads files of its own.
  void otherImagesHaveTheirOwnReason() {
    RunSettings seed = leaderConfig();
    seed.seed = 2;
    Fixture f({{nullptr, seed, QStringLiteral("seed 2")}});
    QVERIFY(f.goTo(2));
    const QString words = unequalWords(f.lane(1), f.lane(0)).join(QLatin1Char(' '));
    QVERIFY2(words.contains(QStringLiteral("Not the same images in each step.")), qPrintable(words));
    QVERIFY2(!words.contains(QStringLiteral("host")), qPrintable(words));
    RunSettings shared = leaderConfig();
    shared.strategy = StrategyKind::MultiWorkerMirrored;
    shared.hosts = 2;
    RunSettings files = shared, off = shared;
    files.split = off.split = SplitSource::File;
    files.files = off.files = 2;
    off.autoShard = AutoShard::Off;
    Fixture hosts({{nullptr, files, QStringLiteral("files")}, {nullptr, off, QStringLiteral("off")}}, shared);
    QVERIFY(hosts.goTo(2));
    const QString ofFiles = unequalWords(hosts.lane(1), hosts.lane(0)).join(QLatin1Char(' ')),
                  ofAll = unequalWords(hosts.lane(2), hosts.lane(0)).join(QLatin1Char(' '));
    QVERIFY2(ofFiles.contains(QStringLiteral("every host shuffles its own")), qPrintable(ofFiles));
    QVERIFY2(!ofAll.contains(QStringLiteral("every host")), qPrintable(ofAll));
  }

  // A report calls its runs one experiment only if nothing but the strategies differs, and names the data of each.
  void aReportOfOtherDataIsNoSingleExperiment() {
    Report report;
    for (const StrategyKind kind : {StrategyKind::Mirrored, StrategyKind::Tpu, StrategyKind::ParameterServer}) {
      ReportRun run;
      run.name = strategyKey(kind);
      run.config = comparedRun(strategyInfo(kind), givenOf(leaderConfig())).config;
      run.dataset = "digits";
      report.runs.push_back(run);
    }
    const std::string same = report.html();
    QVERIFY(same.find("The same experiment under 3 strategies") != std::string::npos);
    QVERIFY(same.find("data: digits.") != std::string::npos);
    report.runs[1].config.dataset = "mnist";
    report.runs[1].dataset = "mnist";
    const std::string other = report.html();
    QVERIFY(other.find("3 runs side by side") != std::string::npos);
    QVERIFY(other.find("data: digits (mirrored), mnist (tpu), digits (parameter-server).") != std::string::npos);
    report.runs[1] = report.runs[0];
    report.runs[1].config.strategy = StrategyKind::MultiWorkerMirrored;
    report.runs[1].config.seed = 2;
    QVERIFY(report.html().find("3 runs side by side") != std::string::npos);
  }

  // Lanes on real processors and on simulated devices stand side by side without ratios of their times.
  void timesOfTwoClocksAreNotCompared() {
    RunSettings real = leaderConfig();
    real.devices = DeviceChoice::Cpu;
    Fixture f({{nullptr, real, QStringLiteral("measured")}, under(StrategyKind::CentralStorage)});
    QVERIFY(f.goTo(3));
    QCOMPARE(f.lane(1).playback().record()->metric.clock, TimeSource::Measured);
    LaneTable table(f.lanes);
    table.refresh();
    const auto rate = [&](int lane) {
      return table.index(lane, 1 + static_cast<int>(LaneFigure::Rate)).data().toString();
    };
    QVERIFY2(rate(2).contains(QStringLiteral("×")), qPrintable(rate(2)));
    QVERIFY2(rate(1) != QStringLiteral("–") && !rate(1).contains(QStringLiteral("×")), qPrintable(rate(1)));
    // In the report, the measured lane has no time less the baseline's, and the modelled one has.
    const QString html = QString::fromStdString(reportOf(f.lanes, table).html());
    const QString steps =
        html.section(QStringLiteral("<tr><th>step</th>"), 1, 1).section(QStringLiteral("</tr>"), 0, 0);
    const QStringList cells = steps.split(QStringLiteral("<td>"), Qt::SkipEmptyParts);
    QCOMPARE(cells.size(), 5);
    QCOMPARE(cells[2], QStringLiteral("–</td>"));
    QVERIFY2(cells[4] != QStringLiteral("–</td>"), qPrintable(steps));
  }

  // A worker's step has a share of the images: no ratio of it and a step of all says anything about the strategies.
  void aWorkersStepIsNotComparedWithAStepOfAll() {
    RunSettings config = leaderConfig();
    config.evalEvery = 3;  // the server's lane: 12, for as many images
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::ParameterServer)}, config);
    f.lanes.setBy(InStepBy::Steps);
    QVERIFY(f.goTo(13));
    LaneTable table(f.lanes);
    table.setTarget(0);
    const auto cell = [&](int lane, LaneFigure figure) {
      return table.index(lane, 1 + static_cast<int>(figure)).data().toString();
    };
    for (const LaneFigure figure : {LaneFigure::ModelledStep, LaneFigure::Bytes, LaneFigure::BusiestLink,
                                    LaneFigure::StepsToTarget, LaneFigure::TestAccuracy}) {
      const QString sign = figure == LaneFigure::TestAccuracy ? QStringLiteral("points") : QStringLiteral("×");
      QVERIFY2(cell(1, figure).contains(sign), qPrintable(nameOf(figure) + u' ' + cell(1, figure)));
      QVERIFY2(cell(2, figure) != QStringLiteral("–") && !cell(2, figure).contains(sign),
               qPrintable(nameOf(figure) + u' ' + cell(2, figure)));
    }
  }

  // Curves go by images where lanes do, unless a person chooses another axis.
  void chartsFollowTheWayInStep() {
    Fixture f({under(StrategyKind::CentralStorage)});
    LaneCharts charts(f.lanes);
    auto* axis = charts.findChild<QComboBox*>(QStringLiteral("laneChartAxis"));
    QCOMPARE(axis->currentText(), nameOf(XAxis::Steps));
    f.lanes.add(under(StrategyKind::ParameterServer));
    QCOMPARE(axis->currentText(), nameOf(XAxis::Images));
    axis->setCurrentIndex(axis->findText(nameOf(XAxis::Steps)));
    f.lanes.add(under(StrategyKind::Tpu));
    QCOMPARE(axis->currentText(), nameOf(XAxis::Steps));
    f.lanes.setBy(InStepBy::Steps);
    f.lanes.setBy(InStepBy::Images);
    QCOMPARE(axis->currentText(), nameOf(XAxis::Images));
  }

  // A lane that has diverged leaves the axis of the losses, so that the others can be told apart.
  void aDivergedLaneLeavesTheAxis() {
    RunSettings config = leaderConfig();
    config.optimizer = OptimizerKind::Sgd;
    config.learningRate = 0.01;
    RunSettings wild = config;
    wild.learningRate = 1000;
    Fixture f({{nullptr, wild, QStringLiteral("wild")}}, config);
    QVERIFY(f.goTo(16));
    LaneCharts charts(f.lanes);
    charts.refresh();
    const auto leaves = [&](Quantity quantity, bool difference, std::size_t line) {
      return std::isfinite(charts.chart(quantity, difference).series().at(line).leavesAt);
    };
    QVERIFY(leaves(Quantity::Loss, false, 0) && leaves(Quantity::Loss, true, 0));
    QVERIFY(!leaves(Quantity::Loss, false, 1));  // the baseline, above the others
    QVERIFY(!leaves(Quantity::Accuracy, false, 0));
  }

  // No text says that a lane which has ended is in step, whatever it is aligned by.
  void aLaneThatHasEndedIsNotAligned_data() {
    QTest::addColumn<InStepBy>("by");
    QTest::newRow("by step") << InStepBy::Steps;
    QTest::newRow("by images") << InStepBy::Images;
    QTest::newRow("by modelled time") << InStepBy::ModelledTime;
  }
  void aLaneThatHasEndedIsNotAligned() {
    QFETCH(InStepBy, by);
    test::CompareDesk desk;
    auto& [controller, playback, selection, experiment, library, view] = desk;
    experiment.begin(leaderConfig());
    view.resize(1280, 560);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, kPatienceMs));
    QVERIFY(QTest::qWaitFor([&] { return playback.record() != nullptr; }, kPatienceMs));
    RunSettings brief = leaderConfig();
    brief.steps = 3;
    view.lanes().add({nullptr, brief, QStringLiteral("brief")});
    view.lanes().setBy(by);
    const auto* state = view.findChild<QLabel*>(QStringLiteral("compareState"));
    for (const auto& [step, words] : {std::pair(2, "Aligned."), std::pair(5, "Not all."), std::pair(2, "Aligned.")}) {
      playback.goTo(step);
      QTRY_VERIFY_WITH_TIMEOUT(playback.step() == step && state->text() == QLatin1String(words), kPatienceMs);
      QCOMPARE(state->toolTip().contains(QStringLiteral("brief has ended after step 3")), step == 5);
    }
  }

  // The four charts stand beside each other if two rows of them would be too low to show a curve.
  void lowChartsStandInOneRow() {
    Fixture f({under(StrategyKind::CentralStorage)});
    LaneCharts charts(f.lanes);
    charts.show();
    const auto rows = [&](int wide, int high) {
      charts.resize(theme::em(wide), theme::em(high));
      QCoreApplication::processEvents();  // they are laid out again
      std::vector<int> tops;
      for (const auto* chart : charts.findChildren<SeriesChart*>())
        if (std::ranges::find(tops, chart->y()) == tops.end()) tops.push_back(chart->y());
      return tops.size();
    };
    QCOMPARE(rows(96, 24), std::size_t{2});
    QCOMPARE(rows(96, 16), std::size_t{1});
    QCOMPARE(rows(60, 16), std::size_t{2});  // no width for four
    QCOMPARE(rows(96, 16), std::size_t{1});
    QCOMPARE(rows(96, 24), std::size_t{2});
    const int left = charts.chart(Quantity::Accuracy, false).x();
    QCOMPARE(charts.chart(Quantity::Accuracy, true).x(), left);  // below its chart
    QVERIFY(left > charts.chart(Quantity::Loss, true).geometry().right());
  }

  // The difference of two lanes goes on where their steps end at different numbers of images.
  void differencesHaveNoGaps() {
    Curve workers, base;
    for (const double images : {128.0, 256.0, 384.0, 464.0, 592.0, 720.0})
      workers.append(images, images, static_cast<std::uint32_t>(workers.size()));
    for (const double images : {256.0, 464.0, 656.0}) base.append(images, images / 2, 0);
    const Curve difference = differenceOf(workers, base);
    QCOMPARE(difference.size(), std::size_t{4});  // from the baseline's first point to its last
    for (std::size_t i = 0; i < difference.size(); ++i) {
      QCOMPARE(difference.x(i), workers.x(i + 1));
      QCOMPARE(difference.y(i), workers.x(i + 1) / 2);
      QCOMPARE(difference.tag(i), static_cast<std::uint32_t>(i + 1));
    }
    QVERIFY(differenceOf(workers, Curve()).empty());
  }

  // A worker's step is not a step of all, so lanes with a server go by images unless a person chooses steps.
  void lanesAreFairUnlessOneChooses() {
    Fixture f({under(StrategyKind::CentralStorage)});
    QCOMPARE(f.lanes.by(), InStepBy::Steps);
    f.lanes.add(under(StrategyKind::ParameterServer));
    QCOMPARE(f.lanes.by(), InStepBy::Images);
    QVERIFY(f.goTo(2));
    f.playback.end();
    QVERIFY(f.settle());
    f.playback.seek(2, f.playback.story().seconds);
    QVERIFY(f.settle());
    QCOMPARE(f.lane(2).playback().step(), std::int64_t{8});  // each step has a quarter of the images
    // A person's choice stays when lanes come and go, and in the file.
    QVERIFY(!comparisonToJson(f.lanes).contains("by"));
    f.lanes.setBy(InStepBy::Steps);
    f.lanes.remove(1);
    QCOMPARE(f.lanes.by(), InStepBy::Steps);
    const nlohmann::json kept = comparisonToJson(f.lanes);
    QCOMPARE(kept.at("by").get<std::string>(), std::string("step"));
    f.lanes.setBy(std::nullopt);
    QCOMPARE(f.lanes.by(), InStepBy::Images);
    setComparison(f.lanes, comparingFromJson(kept));
    QCOMPARE(f.lanes.by(), InStepBy::Steps);
    // Without the server, no lane is at a disadvantage, and lanes go by steps again.
    f.lanes.setBy(std::nullopt);
    f.lanes.remove(1);
    QCOMPARE(f.lanes.by(), InStepBy::Steps);
    // If the window's own run takes a server's strategy, the lanes are of two kinds again.
    f.lanes.add(under(StrategyKind::Tpu));
    f.controller.start(serverConfig(), true);
    QTRY_COMPARE_WITH_TIMEOUT(f.lanes.by(), InStepBy::Images, kPatienceMs);
  }

  void aLaneByStepsSaysHowManyImages_data() {
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("others");
    for (const auto& [replicas, server, others] : {std::tuple{2, "Half as many images.", "Twice as many images."},
                                                   {4, "A quarter as many images.", "4 times as many images."},
                                                   {8, "1/8 as many images.", "8 times as many images."}})
      QTest::addRow("%d", replicas) << replicas << QString::fromLatin1(server) << QString::fromLatin1(others);
  }
  void aLaneByStepsSaysHowManyImages() {
    QFETCH(int, replicas);
    QFETCH(QString, server);
    QFETCH(QString, others);
    RunSettings config = leaderConfig();
    config.replicas = replicas;
    Fixture f({under(StrategyKind::ParameterServer)}, config);
    QVERIFY(f.settle());
    QCOMPARE(unequalWords(f.lane(1), f.lane(0), InStepBy::Steps).front(), server);
    QCOMPARE(unequalWords(f.lane(0), f.lane(1), InStepBy::Steps).front(), others);
    QVERIFY(!unequalWords(f.lane(1), f.lane(0), InStepBy::Images).join(u' ').contains(server));
    // The note is whole even in the narrowest lane of a small window.
    LaneView view(f.lane(1), f.lane(0));
    view.resize(320, 240);
    view.show();
    for (const bool small : {false, true}) {
      view.setSmall(small);
      view.refresh(0, 0, InStepBy::Steps);
      QCoreApplication::processEvents();
      const QString note = view.findChild<QLabel*>(QStringLiteral("laneNote"))->text();
      QVERIFY2(note.startsWith(server), qPrintable(note));
    }
  }

  // In the narrow lanes of a small window, notes have whole sentences, and fewer or shorter ones if two lines are too
  // little.
  void notesOfNarrowLanesAreWhole() {
    for (const char* name : {"en", "de"}) {
      language::use(QLatin1String(name));
      Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::ParameterServer), under(StrategyKind::Tpu)});
      QVERIFY(f.settle());
      for (std::size_t i = 0; i < 4; ++i)
        for (const int width : {330, 470}) {
          LaneView view(f.lane(i), f.lane(0));
          view.resize(width, 320);
          view.show();
          for (const bool small : {false, true}) {
            view.setSmall(small);
            view.refresh(0, 0, InStepBy::Images);
            QCoreApplication::processEvents();
            const auto& note = *view.findChild<QLabel*>(QStringLiteral("laneNote"));
            QVERIFY(!note.text().isEmpty() && !note.toolTip().isEmpty());
            QVERIFY2(note.text().endsWith(QLatin1Char('.')) && !note.text().contains(QChar(0x2026)),
                     qPrintable(note.text()));
            QVERIFY2(note.heightForWidth(note.width()) <= (small ? 1 : 2) * note.fontMetrics().lineSpacing() + 2,
                     qPrintable(note.text()));
          }
        }
    }
    language::use(QStringLiteral("en"));
    const QFontMetrics metrics{QFont()};
    const std::vector<LaneNote> notes{{QStringLiteral("One thing is so."), QStringLiteral("One.")},
                                      {QStringLiteral("Another is not so."), QStringLiteral("Two.")}};
    const auto wide = [&](const char* words) { return metrics.horizontalAdvance(QLatin1String(words)) + 4; };
    QCOMPARE(wordsThatFit(notes, metrics, wide("One thing is so. Another is not so."), 1),
             QStringLiteral("One thing is so. Another is not so."));
    QCOMPARE(wordsThatFit(notes, metrics, wide("One thing is so. Two."), 1), QStringLiteral("One thing is so. Two."));
    QCOMPARE(wordsThatFit(notes, metrics, wide("One. Two."), 1), QStringLiteral("One. Two."));
    QCOMPARE(wordsThatFit(notes, metrics, wide("One."), 1), QStringLiteral("One."));
    QCOMPARE(wordsThatFit(notes, metrics, 1, 1), QStringLiteral("One."));
    // What two notes say in the same few words is said once.
    const QString many = QStringLiteral("Not all.");
    const std::vector<LaneNote> alike{{QStringLiteral("One thing is left out."), many},
                                      {QStringLiteral("Another is left out too."), many}};
    QCOMPARE(wordsThatFit(alike, metrics, wide("Not all. Not all."), 1), many);
  }

  // Four lanes in German: no column is out of sight, and no figure is cut.
  void theTablesColumnsAreInView() {
    language::use(QStringLiteral("de"));
    test::CompareDesk desk;
    auto& [controller, playback, selection, experiment, library, view] = desk;
    experiment.begin(leaderConfig());
    for (const int width : {1366, 1920}) {
      view.resize(width, 620);
      view.show();
      QMenu menu;
      view.fillChooser(menu);
      if (width == 1366)
        for (const char* name : {"central-storage", "parameter-server", "tpu"})
          menu.findChild<QAction*>(QStringLiteral("compareWith-") + QLatin1String(name))->trigger();
      QCOMPARE(view.lanes().count(), 4U);
      QVERIFY(QTest::qWaitFor([&] { return view.lanes().lockstep().isSettled(); }, kPatienceMs));
      view.refreshAll();
      QCoreApplication::processEvents();
      const auto& table = *view.findChild<QTableView*>(QStringLiteral("laneTable"));
      QVERIFY(!table.isColumnHidden(1 + static_cast<int>(LaneFigure::Staleness)));
      QCOMPARE(table.horizontalScrollBar()->maximum(), 0);
      for (const int height : {620, 560, 500}) {
        view.resize(width, height);
        QTRY_COMPARE_WITH_TIMEOUT(table.verticalScrollBar()->maximum(), 0, kPatienceMs);
      }
      for (int column = 1; column < table.model()->columnCount(); ++column) {
        if (table.isColumnHidden(column) || column == 1 + static_cast<int>(LaneFigure::BusiestLink)) continue;
        QVERIFY2(static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column) <= table.columnWidth(column),
                 qPrintable(QString::number(column)));
      }
      for (int row = 0; row < table.model()->rowCount(); ++row) QVERIFY(saysTheBytes(table, row));
    }
    // In a narrower view, as beside the guide, a horizontal scroll bar appears, and all lanes are still in view.
    const auto& table = *view.findChild<QTableView*>(QStringLiteral("laneTable"));
    view.resize(1000, 620);
    QTRY_VERIFY_WITH_TIMEOUT(table.horizontalScrollBar()->maximum() > 0, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(table.verticalScrollBar()->maximum(), 0, kPatienceMs);
    const int link = 1 + static_cast<int>(LaneFigure::BusiestLink);
    QVERIFY(table.columnWidth(link) >= table.horizontalHeader()->sectionSizeHint(link));  // the head is not cut
    language::use(QStringLiteral("en"));
  }

  // A single lane has room for all that its table says, including the busiest link's name and bytes.
  void aLaneAloneIsSaidWhole() {
    test::CompareDesk desk;
    desk.experiment.begin(leaderConfig());
    desk.view.resize(1280, 620);
    desk.view.show();
    QVERIFY(QTest::qWaitFor([&] { return desk.view.lanes().lockstep().isSettled(); }, kPatienceMs));
    desk.view.refreshAll();
    QCoreApplication::processEvents();
    const auto& table = *desk.view.findChild<QTableView*>(QStringLiteral("laneTable"));
    const int link = 1 + static_cast<int>(LaneFigure::BusiestLink);
    QVERIFY(!table.isColumnHidden(link) && table.model()->index(0, link).data().toString().size() > 20);
    for (int column = 0; column < table.model()->columnCount(); ++column)
      QVERIFY2(table.isColumnHidden(column) ||
                   static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column) <= table.columnWidth(column),
               qPrintable(QString::number(column)));
    // In less room the name is cut, not the bytes.
    for (int width = 1240; width >= 800; width -= 40) {
      desk.view.resize(width, 620);
      QCoreApplication::processEvents();
      QVERIFY2(saysTheBytes(table, 0), qPrintable(QString::number(width)));
    }
  }

  // The last step of an epoch says in full that it has fewer images, which is why it takes less time.
  void aSmallerStepIsSaidWhole() {
    test::CompareDesk desk;
    RunSettings config = leaderConfig();
    config.trainExamples = 1900;
    config.globalBatch = 1000;
    config.steps = 4;
    desk.experiment.begin(config);
    desk.view.resize(1280, 620);
    desk.view.show();
    QVERIFY(QTest::qWaitFor([&] { return desk.playback.record() != nullptr; }, kPatienceMs));
    desk.playback.goTo(2);
    QVERIFY(QTest::qWaitFor([&] { return desk.playback.step() == 2 && desk.playback.isSettled(); }, kPatienceMs));
    desk.view.refreshAll();
    QCoreApplication::processEvents();
    const auto& table = *desk.view.findChild<QTableView*>(QStringLiteral("laneTable"));
    const int column = 1 + static_cast<int>(LaneFigure::ModelledStep);
    const QString words = table.model()->index(0, column).data().toString();
    QVERIFY2(words.contains(QStringLiteral("900 of 1,000 images")), qPrintable(words));
    QVERIFY(static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column) <= table.columnWidth(column));
  }

  // A distance is a plain number unless that would be long.
  void distancesArePlainNumbers() {
    QCOMPARE(textOf(LaneFigure::Distance, 0), QStringLiteral("0"));
    QCOMPARE(textOf(LaneFigure::Distance, 1.7234), QStringLiteral("1.72"));
    QCOMPARE(textOf(LaneFigure::Distance, 0.1006), QStringLiteral("0.101"));
    QCOMPARE(textOf(LaneFigure::Distance, 1.234e-7), QStringLiteral("1.23E-07"));
  }

  // After a choice with the mouse, keys still go to the window: the choice does not take them.
  void choicesLeaveKeysToTheWindow() {
    test::CompareDesk desk;
    desk.experiment.begin(leaderConfig());
    desk.view.show();
    for (const char* name : {"inStepBy", "compareBaseline"})
      QCOMPARE(desk.view.findChild<QComboBox*>(QLatin1String(name))->focusPolicy(), Qt::TabFocus);
  }

  // A search that takes longer than an instant says how far it has come and, at its end, what it has found.
  void aSearchSaysThatItSearches() {
    test::CompareDesk desk;
    auto& [controller, playback, selection, experiment, library, view] = desk;
    RunSettings config = leaderConfig();
    config.replicas = 2;  // a sum of two is the same in either order
    config.steps = 1'000'000;
    experiment.begin(config);
    view.resize(1366, 620);
    view.show();
    for (const std::int64_t step : {30, 1}) {  // the other lane has yet to train these steps
      QVERIFY(QTest::qWaitFor([&] { return playback.record() != nullptr; }, kPatienceMs));
      playback.goTo(step);
      QVERIFY(QTest::qWaitFor([&] { return playback.step() == step && playback.isSettled(); }, kPatienceMs));
    }
    view.compareWith(strategyInfo(StrategyKind::CentralStorage));
    QVERIFY(QTest::qWaitFor([&] { return view.lanes().lockstep().isSettled(); }, kPatienceMs));
    QSignalSpy said(&view, &CompareView::said);
    view.findChild<QTimer*>(QStringLiteral("searching"))->setInterval(0);  // every search takes longer than 0 ms
    view.findDifference(DifferenceSearch::Which::First);
    const auto last = [&] { return said.isEmpty() ? QString() : said.last().first().toString(); };
    QVERIFY(QTest::qWaitFor([&] { return last().contains(QStringLiteral("up to step 30")); }, kPatienceMs));
    const QString first = said.first().first().toString();
    QVERIFY2(first.startsWith(QStringLiteral("Searching")) && first.contains(QStringLiteral("step 30")),
             qPrintable(first));
  }

  void storiesAreMatchedBeatByBeat() {
    using K = BeatKind;
    const Story mine = storyOf({K::Batch, K::Distribute, K::Forward, K::Update});
    QCOMPARE(matchedSeconds(mine, 2.25, mine), 2.25);
    // An additional beat in the other story belongs to the beat before it.
    const Story pulls = storyOf({K::Batch, K::Distribute, K::Pull, K::Forward, K::Update});
    QCOMPARE(matchedSeconds(mine, 0.5, pulls), 0.5);
    QCOMPARE(matchedSeconds(mine, 1.5, pulls), 2.0);
    QCOMPARE(matchedSeconds(mine, 2.25, pulls), 3.25);
    QCOMPARE(matchedSeconds(pulls, 2.0, mine), 2.0);  // `mine` waits at the beginning of Forward
    QCOMPARE(matchedSeconds(pulls, 3.25, mine), 2.25);
    // A start-up before the first common beat is shown with it.
    const Story starts = storyOf({K::Startup, K::Batch, K::Distribute, K::Forward, K::Update});
    QCOMPARE(matchedSeconds(mine, 0.5, starts), 1.0);
    QCOMPARE(matchedSeconds(starts, 0.5, mine), 0.0);
    // The ends meet; stories with nothing in common are matched by their shares.
    const Story server = storyOf({K::Flow, K::Apply});
    QCOMPARE(matchedSeconds(mine, 4, server), 2.0);
    QCOMPARE(matchedSeconds(mine, 1, server), 0.5);
    // The same holds after the last common beat: a worker does not compute while the others still read their input.
    const Story first = storyOf({K::Startup, K::Input, K::Batch, K::Forward, K::Update}),
                worker = storyOf({K::Startup, K::Input, K::Flow, K::Apply});
    QCOMPARE(matchedSeconds(first, 1.5, worker), 1.5);
    QCOMPARE(matchedSeconds(first, 2.0, worker), 2.0);
    QCOMPARE(matchedSeconds(first, 3.5, worker), 3.0);
    QCOMPARE(matchedSeconds(worker, 3.0, first), 3.5);
    QCOMPARE(matchedSeconds(first, 5.0, worker), 4.0);
    for (double s = 0; s < 4; s += 0.125) {
      QVERIFY(matchedSeconds(first, s, worker) <= matchedSeconds(first, s + 0.125, worker));
      QVERIFY(matchedSeconds(mine, s, pulls) <= matchedSeconds(mine, s + 0.125, pulls));
      QVERIFY(matchedSeconds(pulls, s, mine) <= matchedSeconds(pulls, s + 0.125, mine));
    }
  }

  void placesAreFoundAgain() {
    RunMetrics run;
    for (int step = 1; step <= 5; ++step) {
      StepMetric metric;
      metric.step = step;
      metric.examples = step == 5 ? 2 : 8;
      metric.stepNs = 1'000'000 * step;
      run.steps.push_back(metric);
    }
    LanePlaces images, time;
    images.begin(InStepBy::Images);
    time.begin(InStepBy::ModelledTime);
    images.follow(run);
    time.follow(run);
    QCOMPARE(images.at({2, 0.5}), 12.0);
    QCOMPARE(images.at({5, 1}), 34.0);
    QCOMPARE(images.momentAt(16, 1, 8, false).step, 3);
    QCOMPARE(images.momentAt(16, 1, 8, true).step, 2);
    QCOMPARE(images.momentAt(16, 1, 8, true).share, 1.0);
    QCOMPARE(images.momentAt(33, 1, 8, false).share, 0.5);
    QCOMPARE(images.momentAt(60, 1, 8, false).step, 8);  // 26 images more, 6.8 a step
    for (const double share : {0.1, 0.6})
      for (int step = 1; step <= 5; ++step) {
        const LaneMoment again = time.momentAt(time.at({step, share}), 1, 8, false);
        QCOMPARE(again.step, step);
        QVERIFY(std::abs(again.share - share) < 1e-9);
      }
    LanePlaces nothing;
    nothing.begin(InStepBy::Images);
    QCOMPARE(nothing.momentAt(17, 1, 8, false).step, 3);
  }

  void byImagesAServersWorkersGoAhead() {
    Fixture f({under(StrategyKind::ParameterServer)});
    f.lanes.setBy(InStepBy::Images);
    QVERIFY(f.goTo(3));
    const double whole = f.playback.story().seconds;
    for (const double share : {0.0, 0.3, 0.6, 0.9, 0.2}) {
      f.playback.seek(3, share * whole);
      QVERIFY(f.settle());
      const double images = 16 + 8 * share, workers = images / 2;
      QCOMPARE(f.lane(1).playback().step(), static_cast<std::int64_t>(workers) + 1);
      QVERIFY(std::abs(f.lane(1).playback().seconds() / f.lane(1).playback().story().seconds -
                       (workers - std::floor(workers))) < 1e-6);
    }
    QVERIFY(!unequalWords(f.lane(1), f.lane(0)).isEmpty());
  }

  // A worker's step 40 stands beside step 10 of all: the distance is that of the weights shown, not of worker's
  // step 10.
  void byImagesTheDistanceIsOfTheWeightsShown() {
    Fixture f({under(StrategyKind::Mirrored)}, serverConfig());
    QCOMPARE(f.lanes.by(), InStepBy::Images);
    LaneTable table(f.lanes);
    for (const std::int64_t step : {8, 40, 8}) {
      QVERIFY(f.goTo(step));
      QCOMPARE(f.lane(1).playback().step(), step / 4);
      table.refresh();
      QCOMPARE(table.figures(1).of(LaneFigure::Distance),
               std::optional(weightDistance(f.lane(1).playback().record()->weightsAfter,
                                            f.lane(0).playback().record()->weightsAfter)));
    }
  }

  // An epoch of 23 images ends with a step of 7, and a worker's 12th batch of 2 goes on in the next epoch.
  void distancesGoOnAfterAnEpochThatNoBatchDivides() {
    RunSettings config = leaderConfig();
    config.trainExamples = 23;
    Fixture f({under(StrategyKind::ParameterServer)}, config);
    for (const std::int64_t step : {2, 4}) {
      QVERIFY(f.goTo(step));
      f.playback.seek(step, f.playback.story().seconds);
      QVERIFY(f.settle());
      QVERIFY2(f.lane(1).distance.has(step), qPrintable(QString::number(f.lane(1).playback().step())));
    }
  }

  // By images too, lanes whose steps have the same images show the same beat, also beside a server's workers.
  void stepsOfTheSameImagesShowTheSameBeat() {
    Fixture f({under(StrategyKind::ParameterServer), under(StrategyKind::CentralStorage)});
    QCOMPARE(f.lanes.by(), InStepBy::Images);
    QVERIFY(f.goTo(3));
    const auto beatOf = [](const Playback& playback) {
      return playback.story().beats[playback.story().beatAt(playback.seconds())].kind;
    };
    for (const BeatKind kind : {BeatKind::Forward, BeatKind::Backward, BeatKind::Aggregate, BeatKind::Update}) {
      const Beat& beat = *f.playback.story().find(kind);
      f.playback.seek(3, (beat.beginS + beat.endS) / 2);
      QVERIFY(f.settle());
      QCOMPARE(beatOf(f.lane(2).playback()), kind);
    }
    // Moving that lane moves all lanes.
    const Story& story = f.lane(2).playback().story();
    f.lane(2).playback().seek(3, (story.find(BeatKind::Forward)->beginS + story.find(BeatKind::Forward)->endS) / 2);
    QVERIFY(f.settle());
    QCOMPARE(beatOf(f.playback), BeatKind::Forward);
  }

  // In the pictures themselves, values that differ from the baseline's by a colour are marked; rounding is not.
  void differencesAreMarkedInThePictures() {
    test::CompareDesk desk;
    Lanes& lanes = desk.view.lanes();
    desk.view.resize(1800, 900);
    desk.view.show();
    RunSettings config = leaderConfig(), faster = leaderConfig();
    config.learningRate = 0.05;
    faster.learningRate = 0.2;
    desk.controller.start(config, true);
    lanes.add(under(StrategyKind::CentralStorage));
    lanes.add({nullptr, faster, QStringLiteral("faster")});
    const auto settle = [&] { return QTest::qWaitFor([&] { return lanes.lockstep().isSettled(); }, kPatienceMs); };
    QVERIFY(settle());
    desk.playback.goTo(3);
    QVERIFY(settle());
    desk.playback.seek(3, desk.playback.story().find(BeatKind::Forward)->endS - 1e-3);
    QVERIFY(settle());
    const auto marked = [&](std::size_t lane) {
      desk.view.refreshAll();
      desk.view.grab();
      std::vector<Item> items;
      for (const Item& item : desk.view.laneView(lane).stage().scene().items)
        if (item.apart != nullptr) items.push_back(item);
      return items;
    };
    QVERIFY(marked(0).empty());
    QVERIFY(marked(1).empty());
    QVERIFY(lanes.at(1).playback().record()->weightsBefore != desk.playback.record()->weightsBefore);  // by rounding
    QVERIFY(!marked(2).empty());
    for (const Item& item : marked(2)) {
      QVERIFY(item.text.endsWith(QStringLiteral("≠")));
      const auto marks = std::ranges::count_if(item.apart->values, [](float mark) { return mark == 1; });
      QVERIFY(marks > 0 && marks <= std::ssize(item.values->values));
    }
    // Another baseline gives other marks.
    lanes.setBaseline(2);
    QVERIFY(!marked(0).empty());
    QVERIFY(!marked(1).empty());
    QVERIFY(marked(2).empty());
  }

  // Differences are marked pixel by pixel.
  void whatIsMarkedIsApart() {
    const test::Recorded one = test::recordSteps(leaderConfig(), 1);
    const auto mine = sharedValues(4, 1, 1, {0.5F, 0.5F, kNoValue, std::nanf("")});
    const auto its = sharedValues(4, 1, 1, {0.5F + 0.5F / 255, 0.5F - 1.5F / 255, 0.5F, 0.5F});
    const BaseStep base(one.info, one.steps[0]);
    const Values apart = base.apart(mine, its);
    QVERIFY(std::isnan(apart->values[0]) && apart->values[1] == 1 && std::isnan(apart->values[2]) &&
            apart->values[3] == 1);
    QCOMPARE(base.apart(mine, its), apart);
    QVERIFY(base.apart(mine, mine) == nullptr);
    const ReplicaStep& replica = one.steps[0]->replicas[0];
    QCOMPARE(base.prediction(replica.shard[0]), std::optional(replica.predictions[0]));
    QVERIFY(!base.prediction(-1));
  }

  // A baseline that has ended keeps its last step while the other lanes go on, and each of their steps has new
  // pictures. The marks of the latest ones are kept, those of earlier ones are not.
  void marksOfEarlierStepsAreNotKept() {
    const test::Recorded one = test::recordSteps(leaderConfig(), 1);
    const BaseStep base(one.info, one.steps[0]);
    constexpr int kSide = 512;
    constexpr qsizetype kBytes = qsizetype{kSide} * kSide * static_cast<qsizetype>(sizeof(float));
    const auto pictureOf = [](float value) {
      return sharedValues(kSide, kSide, 1, std::vector<float>(std::size_t{kSide} * kSide, value));
    };
    const Values its = pictureOf(0), shown = pictureOf(1);
    const std::weak_ptr<const ValueMap> first = base.apart(pictureOf(1), its), stays = base.apart(shown, its);
    QVERIFY(!first.expired());
    for (qsizetype bytes = 0; bytes <= BaseStep::kMostBytes; bytes += kBytes) {
      QVERIFY(base.apart(pictureOf(1), its) != nullptr);
      QVERIFY(!stays.expired());
      QCOMPARE(base.apart(shown, its), stays.lock());  // what is drawn in each frame is not made again
    }
    QVERIFY(first.expired());
  }

  // Whichever of the two is the window's own run, one worker's update is not a step of all.
  void aServerHasNoGlobalBatchFromEitherSide() {
    RunSettings config = leaderConfig();
    config.strategy = StrategyKind::ParameterServer;
    config.globalBatch.reset();
    config.batchPerReplica = 2;
    config.reducer = Reducer::Auto;
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::ParameterServer)}, config);
    const QString words = unequalWords(f.lane(1), f.lane(0)).join(QLatin1Char(' '));
    QVERIFY2(words.contains(QStringLiteral("8 images in total; a step of ParameterServer is one worker's, with 2.")),
             qPrintable(words));
    QVERIFY(unequalWords(f.lane(2), f.lane(0)).isEmpty());
  }

  // Workers' steps are counted against the others' steps only if both come to the same images.
  void aServersStepsAreCountedOnlyIfTheyFit() {
    RunSettings server = leaderConfig();
    server.strategy = StrategyKind::ParameterServer;
    server.globalBatch.reset();
    server.reducer = Reducer::Auto;
    RunSettings larger = server;
    server.batchPerReplica = 2;  // by 4 workers: the leader's global batch of 8
    larger.batchPerReplica = 8;
    Fixture f({{nullptr, server, QStringLiteral("fits")}, {nullptr, larger, QStringLiteral("larger")}});
    const QString counted = QStringLiteral("4 steps see as many images as one step of the others.");
    const QString fits = unequalWords(f.lane(1), f.lane(0)).join(QLatin1Char(' ')),
                  more = unequalWords(f.lane(2), f.lane(0)).join(QLatin1Char(' '));
    QVERIFY2(fits.contains(counted), qPrintable(fits));
    QVERIFY2(!more.contains(QStringLiteral("as many images as one step")) &&
                 more.contains(QStringLiteral("a step belongs to one worker and has 8 images.")),
             qPrintable(more));
  }

  // Even in the narrowest lane of a small window, the head names the link by both its ends, with its bytes.
  void aNarrowHeadNamesTheBusiestLink() {
    Fixture f({under(StrategyKind::ParameterServer)});
    QVERIFY(f.goTo(2));
    LaneView view(f.lane(1), f.lane(0));
    const auto& link = *view.findChild<QLabel*>(QStringLiteral("laneLink"));
    for (const int width : {900, 540}) {
      view.resize(width, 440);
      view.show();
      view.refresh(0, 0);
      QCoreApplication::processEvents();  // lays out the head
      QVERIFY(link.isVisible());
      const QString text = link.text(), whole = link.accessibleName();
      QVERIFY2(text.contains(whole.section(u' ', 2, 4)) && text.contains(QStringLiteral("r 0: ")), qPrintable(text));
      QCOMPARE(text.section(QStringLiteral(": "), -1), whole.section(QStringLiteral(": "), -1));  // the link's bytes
      QVERIFY2(link.fontMetrics().horizontalAdvance(text) <= link.width(), qPrintable(text));
      QCOMPARE(text.contains(QStringLiteral("…")), width == 540);
    }
  }

  void byTimeTheFastOneIsAhead_data() {
    QTest::addColumn<int>("kind");
    for (const StrategyKind kind : {StrategyKind::CentralStorage, StrategyKind::Tpu, StrategyKind::ParameterServer})
      QTest::newRow(std::string(strategyKey(kind)).c_str()) << static_cast<int>(kind);
  }
  void byTimeTheFastOneIsAhead() {
    QFETCH(int, kind);
    Fixture f({under(static_cast<StrategyKind>(kind))});
    f.lanes.setBy(InStepBy::ModelledTime);
    QVERIFY(f.lanes.lockstep().canBe(InStepBy::ModelledTime));
    const auto placeOf = [](const Lane& lane, LaneMoment moment) {
      LanePlaces places;
      places.begin(InStepBy::ModelledTime);
      places.follow(*lane.controller().metrics());
      return places.at(moment);
    };
    QVERIFY(f.goTo(6));
    for (const double share : {0.0, 0.5, 0.8}) {
      f.playback.seek(6, share * f.playback.story().seconds);
      QVERIFY(f.settle());
      const Playback& other = f.lane(1).playback();
      const double leader = placeOf(f.lane(0), f.lanes.lockstep().leaderMoment());
      // The leader's moment lies within the step that the other lane shows.
      QVERIFY(placeOf(f.lane(1), {other.step(), 0}) <= leader + 1e-9);
      QVERIFY(placeOf(f.lane(1), {other.step(), 1}) >= leader - 1e-9);
    }
    const double perStep = placeOf(f.lane(1), {1, 1}), mine = placeOf(f.lane(0), {1, 1});
    if (perStep > 2 * mine) QVERIFY(f.lane(1).playback().step() < 6);
    if (mine > 2 * perStep) QVERIFY(f.lane(1).playback().step() > 6);
  }

  // Lanes that go end their runs when the object that holds them together is already gone: nobody may hear of it.
  void nobodyHearsOfLanesThatGo() {
    QObject listener;
    bool going = false;
    int heard = 0;
    {
      Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::Tpu)});
      QVERIFY(f.settle());
      QObject::connect(&f.lanes, &Lanes::moved, &listener, [&] { heard += going ? 1 : 0; });
      going = true;
    }
    QCOMPARE(heard, 0);
  }

  // A lane keeps its colour when the lane before it is closed; a new lane takes a free colour.
  void aLaneKeepsItsColour() {
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::Tpu)});
    QVERIFY(f.settle());
    const QColor first = laneColour(f.lane(1)), second = laneColour(f.lane(2));
    QVERIFY(first != second);
    f.lanes.remove(1);
    QCOMPARE(laneColour(f.lane(1)), second);
    f.lanes.add(under(StrategyKind::Default));
    QCOMPARE(laneColour(f.lane(2)), first);
    QVERIFY(f.settle());
  }

  // In every mode, lanes that are in step show the same while playing, and pausing leaves them so.
  void allGoTogether_data() {
    QTest::addColumn<int>("mode");
    for (const Mode mode : {Mode::Story, Mode::Play, Mode::Live, Mode::Fast, Mode::Express})
      QTest::addRow("%d", static_cast<int>(mode)) << static_cast<int>(mode);
  }
  void allGoTogether() {
    QFETCH(int, mode);
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::Tpu)});
    // Plays ten times as fast as by the timer alone.
    const auto waitFor = [&](const std::function<bool()>& condition) {
      const auto later = [&] {
        f.playback.advance(0.1);
        return condition();
      };
      return QTest::qWaitFor(later, kPatienceMs);
    };
    const auto settle = [&] { return waitFor([&] { return f.lanes.lockstep().isSettled(); }); };
    QVERIFY(settle());
    f.playback.setMode(static_cast<Mode>(mode));
    f.playback.setSpeed(16);
    f.playback.play();
    std::int64_t apart = 0;
    QObject::connect(&f.lanes, &Lanes::moved, &f.lanes, [&] {
      if (!f.lanes.lockstep().isInStep()) return;
      for (std::size_t i = 1; i < f.lanes.count(); ++i)
        apart = std::max(apart, std::abs(f.lane(i).playback().step() - f.playback.step()));
    });
    QVERIFY(waitFor([&] { return f.playback.step() >= 5; }));
    QVERIFY(f.lane(1).playback().isMoving());
    f.playback.pause();
    QVERIFY(settle());
    QCOMPARE(apart, 0);
    QVERIFY(!f.lane(1).playback().isMoving());
    const std::int64_t live = f.controller.liveStep();
    for (std::size_t i = 0; i < f.lanes.count(); ++i) QCOMPARE(f.lane(i).playback().step(), f.playback.step());
    // Goes back by a step twice and by a phase once; then seeks elsewhere.
    for (const Unit unit : {Unit::Step, Unit::Step, Unit::Phase}) {
      f.playback.stepBack(unit);
      QVERIFY(settle());
      for (std::size_t i = 1; i < f.lanes.count(); ++i) {
        QCOMPARE(f.lane(i).playback().step(), f.playback.step());
        const double should = matchedSeconds(f.playback.story(), f.playback.seconds(), f.lane(i).playback().story());
        QVERIFY(sameMoment(f.lane(i).playback().seconds(), should));
      }
    }
    QVERIFY(f.controller.liveStep() <= live + 1);  // going back trains nothing; a step may have been under way
    f.playback.seek(1, 0.4 * f.playback.story().seconds);
    QVERIFY(settle());
    for (std::size_t i = 1; i < f.lanes.count(); ++i) QCOMPARE(f.lane(i).playback().step(), 1);
  }

  // Only the runs decide how long a stride takes: a window that paints slowly must not shorten strides to one step.
  void slowPaintingDoesNotShortenStrides() {
    RunSettings config = leaderConfig();
    config.steps = 1'000'000;
    Fixture f({under(StrategyKind::CentralStorage)}, config);
    QVERIFY(f.settle());
    f.playback.setMode(Mode::Fast);
    int pictures = 0;
    QObject::connect(&f.playback, &Playback::changed, &f.lanes, [&] {
      constexpr int kLongerThanAStride = 300;
      QElapsedTimer busy;
      for (busy.start(); busy.elapsed() < kLongerThanAStride;) {
      }
      ++pictures;
    });
    f.playback.play();
    QVERIFY(QTest::qWaitFor([&] { return pictures >= 8; }, kPatienceMs));
    QVERIFY(f.lanes.lockstep().stride() > 1);
  }

  // The first stride is at most a quarter of what fits, so strides must grow. In Express, which shows strides as soon
  // as they are trained, only the first stride was once measured.
  void stridesGrowInExpress() {
    const CountingClock clock;
    RunSettings config = leaderConfig();
    config.steps = 1'000'000;
    Fixture f({under(StrategyKind::CentralStorage)}, config);
    QVERIFY(f.settle());
    std::int64_t first = 0, latest = 0, shown = f.playback.step();
    int strides = 0;
    QObject::connect(&f.playback, &Playback::changed, &f.lanes, [&] {
      const std::int64_t stride = f.playback.step() - std::exchange(shown, f.playback.step());
      if (stride > 0 && first == 0) first = stride;
      latest = std::max(latest, stride);
      strides += stride > 0 ? 1 : 0;
    });
    f.playback.setMode(Mode::Express);
    f.playback.play();
    QVERIFY(QTest::qWaitFor([&] { return strides >= 4; }, kPatienceMs));
    QVERIFY(first > 1);  // strides grow 4 times, but for rounding
    QVERIFY2(latest >= 3 * first, qPrintable(QStringLiteral("%1 and %2").arg(first).arg(latest)));
  }

  // Two, three and four lanes of every pair of strategies, also of each strategy with itself: lanes of one strategy are
  // the same to the bit, also if it is not the window's own.
  void everyPairOfStrategies_data() {
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    for (const StrategyInfo& a : strategies())
      for (const StrategyInfo& b : strategies())
        if (a.kind <= b.kind)
          QTest::addRow("%s, %s", a.key.c_str(), b.key.c_str()) << static_cast<int>(a.kind) << static_cast<int>(b.kind);
  }
  void everyPairOfStrategies() {
    QFETCH(int, first);
    QFETCH(int, second);
    const auto a = static_cast<StrategyKind>(first), b = static_cast<StrategyKind>(second);
    Fixture f({under(b)}, comparedRun(strategyInfo(a), givenOf(leaderConfig())).config.asked());
    for (const StrategyKind next : {a, b, a}) {
      QVERIFY(f.goTo(2));
      for (std::size_t i = 0; i < f.lanes.count(); ++i) {
        QVERIFY2(f.lane(i).refusal().isEmpty(), qPrintable(f.lane(i).refusal()));
        const StepRecord& same = *f.lane(i % 2).playback().record();
        QCOMPARE(difference(*f.lane(i).playback().record(), same), QString());
      }
      if (f.lanes.canAdd()) f.lanes.add(under(next));
    }
    QCOMPARE(f.lanes.count(), Lanes::kMost);
    QCOMPARE(f.lane(2).distance.apart(), Apart::Same);
  }

  void lanesAreSettledWhereNothingIsPending() {
    Fixture f({under(StrategyKind::CentralStorage)});
    const Lockstep& lockstep = f.lanes.lockstep();
    QVERIFY(!lockstep.isSettled());  // the runs are being made ready
    QVERIFY(f.settle());
    f.playback.goTo(3);
    QVERIFY(!lockstep.isSettled());
    QVERIFY(f.settle());
    QCOMPARE(f.lane(1).playback().step(), 3);
    f.playback.seek(3, f.playback.story().seconds / 2);  // the same step: there at once, reported within a frame
    QVERIFY(lockstep.isInStep() && !lockstep.isSettled());
    QVERIFY(f.settle());
    QVERIFY(f.lane(1).playback().seconds() > 0);
    f.playback.play();
    QVERIFY(!lockstep.isSettled());
    f.playback.pause();
    QVERIFY(f.settle());
    f.lanes.add(under(StrategyKind::Tpu));
    QVERIFY(!lockstep.isSettled());
    QVERIFY(f.settle());
    QCOMPARE(f.lane(2).playback().step(), f.playback.step());
  }

  // A follower's own scrubber moves all lanes.
  void movingOneMovesAll() {
    Fixture f({under(StrategyKind::Mirrored), under(StrategyKind::CentralStorage)});
    QVERIFY(f.goTo(2));
    Playback& other = f.lane(1).playback();
    other.seek(2, 0.5 * other.story().seconds);
    QVERIFY(f.settle());
    QVERIFY(sameMoment(f.playback.seconds(), 0.5 * f.playback.story().seconds));
    QVERIFY(sameMoment(f.lane(2).playback().seconds(),
                       matchedSeconds(f.playback.story(), f.playback.seconds(), f.lane(2).playback().story())));
  }

  // Another setting in the window makes another experiment in all lanes.
  void lanesFollowTheExperiment() {
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::ParameterServer)});
    QVERIFY(f.goTo(2));
    RunSettings other = leaderConfig();
    other.seed = 7;
    other.globalBatch = 16;
    f.controller.start(other, true);
    QVERIFY(f.settle());
    QCOMPARE(f.lane(1).resolved().seed, 7);
    QCOMPARE(f.lane(1).resolved().globalBatch, 16);
    QCOMPARE(f.lane(2).resolved().batchPerReplica, 4);
    QCOMPARE(f.lane(1).playback().step(), f.playback.step());
    // A lane that cannot run says so, and the others go on.
    other.globalBatch = 10;  // four workers cannot share it
    f.controller.start(other, true);
    QVERIFY(f.settle());
    QVERIFY(!f.lane(2).refusal().isEmpty());
    QVERIFY(!f.lane(2).playback().record() && f.lane(2).controller().steps().empty());  // nothing of the run before
    QVERIFY(f.goTo(3));
    QCOMPARE(f.lane(1).playback().step(), 3);
  }

  void lanesRestWhileNobodySeesThem() {
    Fixture f({under(StrategyKind::CentralStorage)});
    QVERIFY(f.goTo(2));
    f.lanes.lockstep().setActive(false);
    f.playback.setMode(Mode::Live);
    f.playback.play();
    QVERIFY(QTest::qWaitFor([&] { return f.controller.liveStep() > 20; }, kPatienceMs));
    QCOMPARE(f.lane(1).controller().liveStep(), 2);
    f.playback.pause();
    f.lanes.lockstep().setActive(true);
    QVERIFY(f.settle());
    QCOMPARE(f.lane(1).playback().step(), f.playback.step());
  }

  void theFirstDifferenceIsFound() {
    RunSettings config = leaderConfig();
    config.warmupEpochs = 0;
    Fixture f({under(StrategyKind::Mirrored), under(StrategyKind::CentralStorage)}, config);
    DifferenceSearch search(f.lanes);
    QVERIFY(f.goTo(40));
    search.search();  // searches the first other lane, which has the same run
    QVERIFY(QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs));
    QCOMPARE(f.lane(1).distance.firstDifference(), 0);
    f.lanes.setFocus(2);
    search.search();
    QVERIFY(QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs));
    QVERIFY(f.settle());
    const std::int64_t found = f.lane(2).distance.firstDifference();
    // Two trainers by themselves find the same step.
    const Alone one(f.lane(0).resolved(), 40), other(f.lane(2).resolved(), 40);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < 40 && first == 0; ++i)
      if (!sameBits(one.records[i]->weightsAfter, other.records[i]->weightsAfter)) first = one.records[i]->metric.step;
    QCOMPARE(found, first);
    if (first > 0) QCOMPARE(f.playback.step(), first);
  }

  void theSameObjectIsFoundInAllLanes() {
    Fixture f({under(StrategyKind::OneDevice), under(StrategyKind::Tpu)});
    QVERIFY(f.goTo(2));
    const StepOf here{*f.controller.info(), *f.playback.record()};
    const StepOf there{*f.lane(1).controller().info(), *f.lane(1).playback().record()};
    for (int replica = 0; replica < 4; ++replica)
      for (int i = 0; i < 2; ++i) {
        const Object digit{Object::Kind::Digit, replica, i}, same = counterpartOf(digit, here, there);
        QCOMPARE(same.endpoint, 0);
        QCOMPARE(there.record.replicas[0].shard[static_cast<std::size_t>(same.index)],
                 here.record.replicas[static_cast<std::size_t>(replica)].shard[static_cast<std::size_t>(i)]);
        QCOMPARE(counterpartOf(same, there, here), digit);
        // The figures are the image's replica, its recognised class and its own loss.
        QCOMPARE(pointedFigures(digit, here).size(), 3U);
      }
    const Object layer{Object::Kind::Layer, 3, 0};
    QCOMPARE(counterpartOf(layer, here, there), (Object{Object::Kind::Layer, 0, 0}));
    QVERIFY(!counterpartOf({Object::Kind::Transfer, -1, 0}, here, there));
  }

  // Copies that differ have figures of their own; a worker's copy is measured from the servers'.
  void aCopysFiguresAreItsOwn() {
    RunSettings config = leaderConfig();
    config.strategy = std::ranges::find(strategies(), std::string("gossip"), &StrategyInfo::key)->kind;
    config.reducer = Reducer::Auto;
    Fixture f({under(StrategyKind::ParameterServer)}, config);
    QVERIFY(f.goTo(2));
    const auto figuresOf = [&](std::size_t lane, int replica) {
      const Lane& one = f.lane(lane);
      return pointedFigures({Object::Kind::Weights, replica, -1}, {*one.controller().info(), *one.playback().record()});
    };
    const auto first = figuresOf(0, 0), third = figuresOf(0, 2), worker = figuresOf(1, 2);
    const std::vector<float>& copy = f.playback.record()->replicas[2].weightsAfter;
    QVERIFY(!copy.empty());
    double length = 0;
    for (const float weight : copy) length += static_cast<double>(weight) * weight;
    QCOMPARE(third[0].value, std::sqrt(length));
    QVERIFY(third[0].value != first[0].value);
    QCOMPARE(third[2].name, QStringLiteral("distance of this copy to the first"));
    QVERIFY(third[2].value > 0);
    QCOMPARE(worker[2].name, QStringLiteral("distance of this copy to the servers'"));
  }

  // If other lanes have no counterpart of a pinned object, pointing in them does not unpin it.
  void pointingElsewhereUnpinsNothing() {
    Fixture f({under(StrategyKind::ParameterServer)});
    LanePointing pointing(f.lanes);
    QVERIFY(f.goTo(2));
    const int other = f.lane(1).controller().info()->replicas;  // the leader has no such endpoint
    const Object server{Object::Kind::VariableShard, other, 0}, layer{Object::Kind::Layer, 0, 1};
    f.lane(1).selection().pin(server);
    QCOMPARE(f.selection.pinned(), Object{});
    f.selection.hover(layer);
    QCOMPARE(f.lane(1).selection().hovered(), layer);
    QCOMPARE(f.lane(1).selection().pinned(), server);
    f.selection.hover({});
    f.selection.pin(layer);
    QCOMPARE(f.lane(1).selection().pinned(), layer);
    QCOMPARE(f.lane(1).selection().hovered(), Object{});
  }

  void lanesArePlacedWhereTheyHaveRoom() {
    for (const QSize room : {QSize(2000, 1000), QSize(50, 400), QSize(2000, 20), QSize(0, 0)}) {
      QVERIFY(placeLanes(0, 0, room, {500, 300}, 8).empty());
      const std::vector<LanePlace> one = placeLanes(1, 0, room, {500, 300}, 8);
      QCOMPARE(one.size(), std::size_t{1});
      QCOMPARE(one.front().box, QRect({0, 0}, room));
      QCOMPARE(one.front().small, room.height() < 300);
    }
    const QSize least(400, 400);
    const auto whole = [](const std::vector<LanePlace>& places) {
      return std::ranges::none_of(places, &LanePlace::small);
    };
    QVERIFY(whole(placeLanes(2, 0, {1280, 480}, least, 4)));
    QVERIFY(whole(placeLanes(4, 0, {1920, 850}, least, 4)));
    QVERIFY(whole(placeLanes(3, 0, {1280, 480}, least, 4)));
    // If much surrounds each stage, lanes stand side by side: two rows would have lower stages with smaller letters.
    const auto rows = placeLanes(4, 0, {3840, 1300}, {380, 540}, 8),
               beside = placeLanes(4, 0, {3840, 1300}, {380, 540}, 8, 230);
    QVERIFY(rows.back().box.top() > 0 && beside.back().box.top() == 0 && !beside.back().small);
    const auto four = placeLanes(4, 2, {1280, 480}, least, 4);
    QVERIFY(!four[2].small && four[0].small && four[3].small);
    for (const std::size_t count : {1U, 2U, 3U, 4U})
      for (const QSize room : {QSize(560, 200), QSize(700, 500), QSize(1280, 480), QSize(1920, 900), QSize(3840, 1900)})
        for (std::size_t focus = 0; focus < count; ++focus) {
          const auto places = placeLanes(count, focus, room, least, 4);
          QCOMPARE(places.size(), count);
          for (std::size_t i = 0; i < count; ++i) {
            QVERIFY(QRect(QPoint(0, 0), room).contains(places[i].box));
            for (std::size_t j = 0; j < i; ++j) QVERIFY(!places[i].box.intersects(places[j].box));
          }
        }
  }

  // Lanes on a large screen are narrow and high: their letters are those of a dense layout, not a third of the size of
  // the window's letters.
  void lettersOfLanesFollowALargeWindow() {
    RunController controller;
    Playback playback{controller};
    Selection selection;
    Experiment experiment{controller};
    RunLibrary library{controller, experiment};
    const auto letters = [&](int textSize) {
      theme::setTextSize(textSize);
      CompareView view(controller, playback, selection, experiment, library);
      view.resize(3840, 1500);  // room for four lanes side by side
      for (const StrategyKind kind :
           {StrategyKind::MultiWorkerMirrored, StrategyKind::ParameterServer, StrategyKind::Tpu})
        view.compareWith(strategyInfo(kind));
      view.show();
      (void)QTest::qWaitFor([&] { return !view.laneView(3).stage().scene().items.empty(); }, kPatienceMs);
      const Stage& stage = view.laneView(3).stage();
      return stage.layout().px / stage.width();
    };
    experiment.begin(leaderConfig());
    const double small = letters(19), large = letters(29);
    theme::setTextSize(13);
    QVERIFY2(small > 0 && large > 1.3 * small,
             qPrintable(QStringLiteral("%1 and %2 of the width").arg(small).arg(large)));
  }

  // The bars of all lanes have one scale, wherever the lanes stand, also after the window's size has changed.
  void barsHaveOneScale() {
    test::CompareDesk desk;
    auto& [controller, playback, selection, experiment, library, view] = desk;
    experiment.begin(leaderConfig());
    view.resize(1280, 560);
    view.show();
    for (const StrategyKind kind : {StrategyKind::ParameterServer, StrategyKind::Tpu, StrategyKind::CentralStorage})
      view.compareWith(strategyInfo(kind));
    for (int lane = 0; lane < 4; ++lane)
      QVERIFY(QTest::qWaitFor([&] { return view.lanes().at(lane).playback().record() != nullptr; }, kPatienceMs));
    view.refreshAll();
    const QList<BreakdownBar*> bars = view.findChildren<BreakdownBar*>();
    QCOMPARE(bars.size(), 4);
    bool differ = false;  // whether the lanes' bars have different room at one of the sizes
    for (const int width : {1900, 1600, 1280, 1366, 1100, 1280}) {
      view.resize(width, 560);
      QCoreApplication::processEvents();
      QVERIFY(bars[0]->pixelsPerNs() > 0);
      for (const BreakdownBar* bar : bars) {
        differ = differ || bar->room() != bars[0]->room();
        QCOMPARE(bar->pixelsPerNs(), bars[0]->pixelsPerNs());
      }
    }
    QVERIFY(differ);
  }

  // Closing a lane that has the keyboard leaves the lane with the focus as it is, and the keyboard goes there. Once it
  // went to the next small lane, which was then chosen by its index of the time before: past the last lane.
  void aClosedLaneGivesTheKeyboardToTheLaneWithTheFocus() {
    test::CompareDesk desk;
    CompareView& view = desk.view;
    desk.experiment.begin(leaderConfig());
    view.resize(1280, 560);
    view.show();
    view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&view, kPatienceMs));
    const auto addThree = [&] {
      for (const StrategyKind kind : {StrategyKind::CentralStorage, StrategyKind::ParameterServer, StrategyKind::Tpu})
        view.compareWith(strategyInfo(kind));
      QCoreApplication::processEvents();
      return view.lanes().count() == 4 && !view.laneView(0).isSmall() && view.laneView(1).isSmall();
    };
    QVERIFY(addThree());
    for (std::size_t left = 3; left > 0; --left) {
      view.activateWindow();
      QTRY_VERIFY_WITH_TIMEOUT(view.isActiveWindow(), kPatienceMs);
      QTest::mouseClick(view.laneView(1).findChild<QToolButton*>(QStringLiteral("closeLane")), Qt::LeftButton);
      QCOMPARE(view.lanes().count(), left);
      QCOMPARE(view.lanes().focus(), 0U);
      QTRY_VERIFY_WITH_TIMEOUT(view.laneView(0).stage().hasFocus(), kPatienceMs);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    // The same when another file is opened, without lanes, while the keyboard is in a lane of this one.
    QVERIFY(addThree());
    view.activateWindow();
    QTRY_VERIFY_WITH_TIMEOUT(view.isActiveWindow(), kPatienceMs);
    QTest::keyClick(&view, Qt::Key_F6);
    QCOMPARE(view.lanes().focus(), 1U);
    QVERIFY(view.laneView(1).stage().hasFocus());
    view.take({});
    QCOMPARE(view.lanes().count(), 1U);
    QTRY_VERIFY_WITH_TIMEOUT(view.laneView(0).stage().hasFocus(), kPatienceMs);
  }

  void theViewAddsAndClosesLanes() {
    RunController controller;
    Playback playback{controller};
    Selection selection;
    Experiment experiment{controller};
    RunLibrary library{controller, experiment};
    auto view = std::make_unique<CompareView>(controller, playback, selection, experiment, library);
    RunSettings config = leaderConfig();
    config.steps = 1'000'000;  // strides grow: the run must not be over when the lanes go
    experiment.begin(config);
    view->resize(1280, 560);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get(), kPatienceMs));
    QVERIFY(view->laneView(0).findChild<Scrubber*>()->isHidden());  // alone, a lane uses the window's scrubber below
    QMenu menu;
    view->fillChooser(menu);
    QString section;
    for (const QAction* action : menu.actions()) {
      if (action->isSeparator()) section = action->text();
      for (const StrategyInfo& info : strategies())
        if (action->objectName() == QStringLiteral("compareWith-") + QString::fromStdString(info.key))
          QCOMPARE(section == QStringLiteral("Beyond tf.distribute"), info.beyondTensorFlow);
    }
    menu.findChild<QAction*>(QStringLiteral("compareWith-central-storage"))->trigger();
    menu.findChild<QAction*>(QStringLiteral("compareWith-parameter-server"))->trigger();
    menu.findChild<QAction*>(QStringLiteral("compareWith-tpu"))->trigger();
    QCOMPARE(view->lanes().count(), 4U);
    QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("compareWith"))->isEnabled());
    // A second lane of the strategy would be the same run; the words are those of the command line.
    QVERIFY(!view->twiceWords(strategyInfo(StrategyKind::Mirrored)).isEmpty());
    QVERIFY(view->twiceWords(strategyInfo(StrategyKind::Tpu)).contains(QStringLiteral("same settings")));
    QVERIFY(view->twiceWords(strategyInfo(StrategyKind::Default)).isEmpty());
    QVERIFY(QTest::qWaitFor([&] { return view->lanes().at(3).playback().record() != nullptr; }, kPatienceMs));
    // There is no room for four stages, so only the lane with the focus has one.
    QVERIFY(!view->laneView(0).isSmall() && view->laneView(1).isSmall());
    int focus = 0;
    connect(view.get(), &CompareView::focusChanged, view.get(), [&] { ++focus; });
    view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view.get(), kPatienceMs));
    QTest::keyClick(view.get(), Qt::Key_F6);
    QCOMPARE(view->lanes().focus(), 1U);
    QTest::mouseClick(&view->laneView(2), Qt::LeftButton, {}, {10, 5});
    QCOMPARE(view->lanes().focus(), 2U);
    QVERIFY(view->laneView(0).isSmall() && !view->laneView(2).isSmall());
    QCOMPARE(focus, 2);
    QVERIFY(view->laneView(2).stage().hasFocus());
    // Beside curves, which need height, the stage stays, and the lane drops its scrubber and all notes but one line.
    auto* below = view->findChild<LanesBelow*>(QStringLiteral("lanesBelow"));
    below->setCurrentIndex(2);
    QVERIFY(!view->laneView(2).isSmall() && view->laneView(2).isTight());
    QVERIFY(view->laneView(2).findChild<Scrubber*>()->isHidden());
    // If a stage gives way, the keyboard focus stays with its lane: the next widget in turn is a button that closes a
    // lane.
    view->resize(1280, 460);
    QVERIFY(view->laneView(2).isSmall() && view->laneView(2).hasFocus());
    below->setCurrentIndex(0);
    view->resize(1280, 620);
    QVERIFY(!view->laneView(2).isTight());
    view->resize(1280, 560);
    QVERIFY(!view->laneView(2).isSmall() && view->laneView(2).stage().hasFocus());
    // The button stays under the pointer while it is pressed, because its lane does not become the large one.
    auto* close = view->laneView(1).findChild<QToolButton*>(QStringLiteral("closeLane"));
    QTest::mousePress(close, Qt::LeftButton);
    QCOMPARE(view->lanes().focus(), 2U);
    QVERIFY(!view->laneView(2).isSmall());
    QTest::mouseRelease(close, Qt::LeftButton);
    QCOMPARE(view->lanes().count(), 3U);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    auto* table = view->findChild<QTableView*>(QStringLiteral("laneTable"));
    QCOMPARE(table->model()->rowCount(), 3);
    for (int lane = 0; lane < 3; ++lane)
      QVERIFY(QTest::qWaitFor([&] { return view->lanes().at(lane).playback().record() != nullptr; }, kPatienceMs));
    // The report has the table's content, to the same figures; if it cannot be written, a sentence says so.
    const QTemporaryDir folder;
    QSignalSpy said(view.get(), &CompareView::said);
    view->report().write(folder.filePath("lanes.html"));
    const QByteArray html = contentOf(folder.filePath("lanes.html"));
    QXmlStreamReader xml(html);
    QStringList cells;
    int curves = 0;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("th") || xml.name() == QLatin1String("td"))
        cells << xml.readElementText(QXmlStreamReader::IncludeChildElements);
      else if (xml.attributes().value("class") == QLatin1String("curve"))
        ++curves;
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(html.count("import tensorflow as tf"), 3);
    QVERIFY(curves >= 2 * 3);
    // The report shows each lane's step as a trace, all on one scale, and as numbers with the difference to the
    // baseline and the band.
    QCOMPARE(html.count("<svg class=\"trace\""), 3);
    QCOMPARE(html.count("<circle") - html.count("<circle class=\"curve\""),
             2);  // the ends of modelled steps, in their bands; a server worker's update is no step
    const QRegularExpression tick(QStringLiteral("text-anchor=\"middle\">([^<]*s)</text>"));
    QStringList ticks;
    for (const QString& trace : QString::fromUtf8(html).split(QStringLiteral("<svg class=\"trace\"")).mid(1)) {
      QStringList one;
      for (auto at = tick.globalMatch(trace.left(trace.indexOf(QStringLiteral("</svg>")))); at.hasNext();)
        one << at.next().captured(1);
      ticks << one.join(QLatin1Char(' '));
    }
    QVERIFY2(!ticks[0].isEmpty() && ticks[0] == ticks[1] && ticks[1] == ticks[2], qPrintable(ticks.join('|')));
    const StepMetric &first = view->lanes().at(0).playback().record()->metric,
                     &second = view->lanes().at(1).playback().record()->metric;
    const QString more = QStringLiteral("+") + durationText(second.communicationNs - first.communicationNs);
    QVERIFY2(cells.contains(more), qPrintable(more));
    QVERIFY(cells.contains(QStringLiteral("9 in 10 published steps like it")));
    const ErrorBand& band = publishedBand(BoundBy::OneHost);
    const auto edge = [&](double part) {
      return durationText(std::llround(static_cast<double>(first.stepNs) * (1 + part)));
    };
    QVERIFY2(cells.contains(edge(band.low) + QStringLiteral(" – ") + edge(band.high)), qPrintable(cells.join('|')));
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < table->model()->columnCount(); ++column)
        QVERIFY(cells.contains(table->model()->index(row, column).data().toString()));
    view->report().write(folder.filePath("lanes.pdf"));
    const QByteArray pdf = contentOf(folder.filePath("lanes.pdf"));
    QVERIFY(pdf.startsWith("%PDF-") && pdf.count("/Subtype /Image") >= 3);
    QCOMPARE(said.count(), 2);
    view->report().write(QStringLiteral("/dev/null/lanes.html"));
    QVERIFY(said.last().first().toString().contains(QStringLiteral("/dev/null/lanes.html")));
    QVERIFY(!said.last().first().toString().startsWith(QStringLiteral("Written")));
    // The link that carried most is named beside its bytes.
    const int link = 1 + static_cast<int>(LaneFigure::BusiestLink);
    QVERIFY(table->model()->index(0, link).data().toString().contains(QStringLiteral("→")));
    playback.setMode(Mode::Live);
    playback.play();
    QVERIFY(QTest::qWaitFor([&] { return playback.step() > 3; }, kPatienceMs));
    view.reset();  // while all train
    QVERIFY(QTest::qWaitFor([&, was = controller.liveStep()] { return controller.liveStep() > was; }, kPatienceMs));
  }
};

QTEST_MAIN(TestCompare)
#include "tst_compare.moc"
