// SPDX-License-Identifier: GPL-3.0-or-later
// The what-if panel, through its own sliders and fields: the recorded step above the modelled one, which follows at
// once; breakdowns that add up; the curve that explains why small batches get slower with more GPUs; errors beside
// their field; no work while the panel is hidden.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

#include <memory>

#include "core/keras/keras_json.h"
#include "core/model/known_networks.h"
#include "core/options/config_field.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/frame/on_demand.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/setup/catalogue_picker.h"
#include "ui/setup/fit.h"
#include "ui/theme/theme.h"
#include "ui/trace/breakdown_table.h"
#include "ui/trace/trace_view.h"
#include "ui/whatif/cluster_picture.h"
#include "ui/whatif/factor_slider.h"
#include "ui/whatif/network_choice.h"
#include "ui/whatif/scaling_view.h"
#include "ui/whatif/what_if_panel.h"
#include "ui/whatif/what_if_prediction.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

struct Fixture {
  RunController controller;
  MainWindow window{controller};
  WhatIfPanel& panel = static_cast<WhatIfPanel&>(window.panels().tab(QStringLiteral("whatIfTab"))->content());

  explicit Fixture(const char* strategy = "mirrored", bool seen = true) {
    RunSettings config = test::smallConfig();
    config.steps = 100;
    config.evalEvery = 0;
    config.globalBatch.reset();
    config.batchPerReplica = 8;
    config.replicas = 4;
    window.resize(1280, 800);
    window.show();
    window.workspaces().choose(WindowLayout::Profile);
    if (seen) window.panels().openTab(QStringLiteral("whatIfTab"));
    configField("strategy").set(config, strategy);
    if (config.strategy == StrategyKind::OneDevice) config.replicas.reset();
    window.experiment().begin(config);
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
    if (seen) (void)QTest::qWaitFor([this] { return modelled().timeline() != nullptr; }, kPatienceMs);
  }
  template <typename Widget>
  Widget& part(const char* name) const {
    return *window.findChild<Widget*>(QLatin1String(name));
  }
  const TraceView& modelled() const { return part<TraceView>("modelledTrace"); }
  const TraceView& recorded() const { return part<TraceView>("recordedTrace"); }
  const ScalingView& scaling() const { return part<ScalingView>("scaling"); }
  std::int64_t modelledNs() const { return modelled().timeline()->endNs; }
  std::int64_t recordedNs() const { return recorded().timeline()->endNs - recorded().timeline()->beginNs; }
  // Presses an arrow key `steps` times (left if negative), as a person without a mouse does.
  void press(const char* slider, int steps) {
    const TraceView& view = modelled();
    const Timeline* before = view.timeline();
    for (int i = 0; i < std::abs(steps); ++i)
      QTest::keyClick(&part<QSlider>(slider), steps > 0 ? Qt::Key_Right : Qt::Key_Left);
    (void)QTest::qWaitFor([&] { return view.timeline() != before; }, kPatienceMs);
  }
};

}  // namespace

class TestWhatIfPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Larger letters widen a slider's name, and smaller ones give the slider its room back.
  void slidersGetTheirRoomBack() {
    const int usual = theme::textSize();
    const std::unique_ptr<FactorSlider> factor(
        FactorSlider::ofFactor("factor", QStringLiteral("Host link speed"), QString()));
    const auto* title = factor->findChild<QLabel*>();
    const auto widthAt = [&](int pixels) {
      theme::setTextSize(pixels);
      QFont letters = factor->font();
      letters.setPixelSize(pixels);
      factor->setFont(letters);
      theme::tellFollowers();
      return title->minimumWidth();
    };
    const int before = widthAt(13), larger = widthAt(39), after = widthAt(13);
    theme::setTextSize(usual);
    QVERIFY(larger > before);
    QCOMPARE(after, before);
  }

  // On the smallest screen the panel scrolls down, but never sideways.
  void nothingIsScrolledToSideways_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("layout");
    for (const QSize size : {QSize(1280, 700), QSize(1366, 768), QSize(1920, 1080)})
      for (const WindowLayout layout : {WindowLayout::Teach, WindowLayout::Profile})
        QTest::addRow("%dx%d, layout %d", size.width(), size.height(), static_cast<int>(layout))
            << size << static_cast<int>(layout);
  }
  void nothingIsScrolledToSideways() {
    QFETCH(QSize, size);
    QFETCH(int, layout);
    Fixture fixture;
    fixture.window.resize(size);
    fixture.window.workspaces().choose(static_cast<WindowLayout>(layout));
    fixture.window.panels().openTab(QStringLiteral("whatIfTab"));
    QTest::qWait(0);
    const auto* area = qobject_cast<QScrollArea*>(
        fixture.window.panels().tab(QStringLiteral("whatIfTab"))->parentWidget()->parentWidget());
    QVERIFY(area != nullptr);
    QVERIFY2(area->horizontalScrollBar()->maximum() == 0,
             qPrintable(QString::number(area->horizontalScrollBar()->maximum())));
  }

  // Trace, title, picture and notes follow another strategy; the first strategy brings the recorded step back.
  void anotherStrategyIsAskedBesideTheCluster() {
    Fixture fixture;
    auto& strategy = fixture.part<QComboBox>("whatIfStrategy");
    auto& reducer = fixture.part<QComboBox>("whatIfReducer");
    const auto& notes = fixture.part<QLabel>("whatIfStrategyNotes");
    QCOMPARE(strategy.currentData().toInt(), static_cast<int>(StrategyKind::Mirrored));
    QVERIFY(notes.isHidden() && reducer.isEnabled());
    QVERIFY(fixture.part<ClusterPicture>("clusterPicture").words().contains(QStringLiteral("120 GB/s effective")));
    const std::int64_t recorded = fixture.modelledNs();
    const auto choose = [&](StrategyKind kind) {
      const Timeline* before = fixture.modelled().timeline();
      strategy.setCurrentIndex(strategy.findData(static_cast<int>(kind)));
      QVERIFY(QTest::qWaitFor([&] { return fixture.modelled().timeline() != before; }, kPatienceMs));
    };
    choose(StrategyKind::ParameterServer);
    QVERIFY(fixture.modelledNs() != recorded && !reducer.isEnabled());
    QCOMPARE(fixture.panel.asked().cluster.hostCount(), 4);
    QVERIFY(!notes.isHidden() && notes.text().contains(QStringLiteral("ParameterServerStrategy")));
    QVERIFY(fixture.part<QLabel>("whatIfModelled").text().contains(QStringLiteral("ParameterServer")));
    QVERIFY(fixture.part<ClusterPicture>("clusterPicture").words().contains(QStringLiteral("parameter server")));
    choose(StrategyKind::OneDevice);
    QCOMPARE(fixture.panel.asked().examplesPerDevice, 32);
    QVERIFY(notes.text().contains(QStringLiteral("32")));
    choose(StrategyKind::Tpu);
    QCOMPARE(fixture.panel.asked().cluster.hosts.front().devices.front(), std::string("tpu_v3_core"));
    choose(StrategyKind::Mirrored);
    QCOMPARE(fixture.modelledNs(), recorded);
    QVERIFY(notes.isHidden());
    reducer.setCurrentIndex(reducer.findData(static_cast<int>(Reducer::OneDevice)));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelledNs() > recorded, kPatienceMs);
    fixture.part<QToolButton>("whatIfReset").click();
    QTRY_COMPARE_WITH_TIMEOUT(fixture.modelledNs(), recorded, kPatienceMs);
    QCOMPARE(reducer.currentData().toInt(), static_cast<int>(Reducer::Auto));
  }

  // No heading and no slider's name is cut on a usual screen, even in German.
  void headingsAreWhole() {
    language::use(QStringLiteral("de"));
    {
      Fixture fixture;
      fixture.window.resize(1366, 768);
      QTest::qWait(0);
      int seen = 0;
      for (const QLabel* label : fixture.panel.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty()) continue;
        ++seen;
        const bool whole = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                             : label->width() >= label->sizeHint().width();
        QVERIFY2(whole, qPrintable(label->text()));
      }
      QVERIFY(seen > 15);
    }
    language::use(QStringLiteral("en"));
  }

  void theRecordedStepStandsAboveTheModelledOne_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const char* key :
         {"one-device", "mirrored", "multi-worker-mirrored", "tpu", "central-storage", "parameter-server"})
      QTest::newRow(key) << QByteArray(key);
  }
  void theRecordedStepStandsAboveTheModelledOne() {
    QFETCH(QByteArray, strategy);
    Fixture fixture(strategy.constData());
    QVERIFY(fixture.recorded().mapTo(&fixture.panel, QPoint()).y() <
            fixture.modelled().mapTo(&fixture.panel, QPoint()).y());
    QVERIFY(fixture.part<QLabel>("whatIfRecorded").text().startsWith(QStringLiteral("Recorded: step 1, modelled")));
    QVERIFY(fixture.part<QLabel>("whatIfModelled").text().startsWith(QStringLiteral("What if: modelled")));
    // With nothing moved, the model gives the record, because the run's own clock asked the same model. A worker's
    // first cycle is not yet the mean cycle, so the panel shows how far it is off.
    const QString modelled = fixture.part<QLabel>("whatIfModelled").text();
    QVERIFY2(modelled.contains(QStringLiteral("(×1.00)")), qPrintable(modelled));
    // The band shows how far the model was off for published steps.
    const QString band = fixture.part<QLabel>("whatIfBand").text();
    QVERIFY2(band.contains(QStringLiteral("9 in 10 published steps")) && band.endsWith(QStringLiteral(" %")),
             qPrintable(modelled));
    const std::int64_t step = fixture.window.playback().record()->metric.stepNs;
    const bool differs = fixture.part<QLabel>("whatIfRecorded").text().contains(QStringLiteral("× the model's"));
    QCOMPARE(differs, step != fixture.modelledNs());
    if (strategy != "parameter-server") QCOMPARE(fixture.modelledNs(), step);
    // Both breakdowns add up.
    const auto& breakdown = fixture.part<BreakdownTable>("whatIfBreakdown");
    QCOMPARE(breakdown.columns().size(), std::size_t{2});
    if (strategy != "parameter-server") QCOMPARE(sumOf(breakdown.columns()[0].breakdown), fixture.recordedNs());
    QCOMPARE(sumOf(breakdown.columns()[0].breakdown), step);
    QCOMPARE(sumOf(breakdown.columns()[1].breakdown), fixture.modelledNs());
    QCOMPARE(breakdown.verticalHeaderItem(static_cast<int>(StepStage::Idle))->text(),
             strategy == "parameter-server" ? QStringLiteral("idle, or next cycle") : QStringLiteral("idle"));
  }

  void slidersRedrawAtOnce() {
    Fixture fixture("multi-worker-mirrored");
    const std::int64_t base = fixture.modelledNs();
    const auto& picture = fixture.part<ClusterPicture>("clusterPicture");
    QVERIFY2(picture.words().contains(QStringLiteral("1.16 GB/s")), qPrintable(picture.words()));
    fixture.press("whatIfHostLink", -10);  // half the bandwidth, as the picture shows
    QVERIFY2(picture.words().contains(QStringLiteral("0.58 GB/s")), qPrintable(picture.words()));
    const std::int64_t slower = fixture.modelledNs();
    QVERIFY(slower > base);
    fixture.press("whatIfHostLink", 30);
    QVERIFY(fixture.modelledNs() < base);
    QTest::mouseClick(&fixture.part<QToolButton>("whatIfReset"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.modelledNs(), base, kPatienceMs);
    fixture.press("whatIfLatency", 20);
    QVERIFY(fixture.modelledNs() > base);
    fixture.press("whatIfLatency", -20);
    fixture.press("whatIfBatch", 8);
    QVERIFY(fixture.modelledNs() > base);
    fixture.press("whatIfSpeed", 20);
    fixture.press("whatIfPack", 1);
    QCOMPARE(fixture.panel.asked().bytesPerPack, std::int64_t{32 << 10});
    const auto& title = fixture.part<QLabel>("whatIfModelled");
    QVERIFY2(!title.text().contains(QStringLiteral("one draw")), qPrintable(title.text()));
    fixture.press("whatIfJitter", 5);
    QVERIFY2(title.text().contains(QStringLiteral("one draw of the stragglers")), qPrintable(title.text()));
    // Each point of the curve is a draw, too.
    const QString curve = fixture.scaling().accessibleDescription();
    QVERIFY2(curve.contains(QStringLiteral("on each device · one draw of the stragglers. ")) ||
                 curve.contains(QStringLiteral("over all devices · one draw of the stragglers. ")),
             qPrintable(curve));
    const auto& breakdown = fixture.part<BreakdownTable>("whatIfBreakdown").columns()[1].breakdown;
    QVERIFY(breakdown[static_cast<std::size_t>(StepStage::Straggler)] > 0);
    QCOMPARE(sumOf(breakdown), fixture.modelledNs());
    QCOMPARE(fixture.window.playback().step(), std::int64_t{1});  // no step was trained for this
  }

  // One device's step, the exposed communication that is added, and the rest make up the step of many devices.
  void theReasonAddsUp() {
    Fixture fixture;
    fixture.window.experiment().keepBatch(BatchKept::PerReplica);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.scaling().points().empty(), kPatienceMs);
    auto& slider = fixture.part<QSlider>("whatIfBatch");
    slider.setValue(7);
    fixture.press("whatIfBatch", -1);  // 64 per device
    const auto points = fixture.scaling().points();
    const auto& one = points.front();
    const auto many = std::ranges::find(points, std::int64_t{4}, &ScalingView::Point::devices);
    QVERIFY(many != points.end());
    const auto exposed = static_cast<std::size_t>(StepStage::Exposed);
    const std::int64_t added = many->breakdown[exposed] - one.breakdown[exposed],
                       rest = many->stepNs - one.stepNs - added;
    QVERIFY(rest > one.stepNs / 100);  // else the test would show nothing
    const QString why = fixture.scaling().why();
    for (const std::int64_t ns : {one.stepNs, added, rest}) QVERIFY2(why.contains(durationText(ns)), qPrintable(why));
    QVERIFY2(!why.contains(QStringLiteral("works as long as one")), qPrintable(why));
  }

  void theCurveSaysWhySmallBatchesGetSlower() {
    Fixture fixture;
    fixture.window.experiment().keepBatch(BatchKept::Global);
    const auto atOneToEight = [&](int batch) {
      auto& slider = fixture.part<QSlider>("whatIfBatch");
      slider.setValue(batch + 1);
      fixture.press("whatIfBatch", -1);
      return fixture.scaling().points();
    };
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.scaling().points().empty(), kPatienceMs);
    const auto small = atOneToEight(3);  // 8 images on each of 4 devices
    const QString why = fixture.scaling().why();
    QVERIFY2(why.startsWith(QStringLiteral("4 devices: 0.")), qPrintable(why));
    QVERIFY2(why.contains(QStringLiteral("exposed comm. adds")), qPrintable(why));
    const auto large = atOneToEight(13);  // 8,192 per device
    QVERIFY(!fixture.scaling().why().startsWith(QStringLiteral("4 devices: 0.")));
    QVERIFY(small.size() >= 4 && large.size() == 11);
    QCOMPARE(large.back().devices, std::int64_t{1024});
    for (const std::size_t i : {1, 2, 3}) {
      QVERIFY(small[i].imagesPerSecond < small[0].imagesPerSecond);
      QVERIFY(large[i].imagesPerSecond > large[i - 1].imagesPerSecond);
    }
    const auto of = [](const ScalingView::Point& point, StepStage stage) {
      return point.breakdown[static_cast<std::size_t>(stage)];
    };
    const std::int64_t saved = of(small[0], StepStage::Compute) - of(small[3], StepStage::Compute);
    QVERIFY(of(small[3], StepStage::Exposed) > saved);
    for (const auto& points : {small, large})
      for (const ScalingView::Point& point : points) QCOMPARE(sumOf(point.breakdown), point.stepNs);
  }

  // Four devices share 10 images as 3, 3, 3 and 1. The curve gives the run at four devices, and all ten images at one.
  void theCurveSharesAnUnevenBatchAsTheRunDoes() {
    Fixture fixture;
    fixture.window.experiment().keepBatch(BatchKept::Global);
    fixture.window.experiment().set(QStringLiteral("global-batch"), QStringLiteral("10"));
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture.window.playback().record() && fixture.window.playback().record()->metric.examples == 10, kPatienceMs);
    const StepMetric metric = fixture.window.playback().record()->metric;
    QTRY_COMPARE_WITH_TIMEOUT(fixture.scaling().points().size(), std::size_t{4}, kPatienceMs);  // 1, 2, 4, 8 devices
    const auto& points = fixture.scaling().points();
    QCOMPARE(points[2].stepNs, metric.stepNs);
    QCOMPARE(points[2].imagesPerSecond, metric.imagesPerSecond);
    QCOMPARE(points[0].examplesPerDevice, std::int64_t{10});
    QCOMPARE(points[3].examplesPerDevice, std::int64_t{2});
    for (const ScalingView::Point& point : points)
      QVERIFY(std::abs(point.imagesPerSecond * static_cast<double>(point.stepNs) - 10e9) < 1);
  }

  // Eight devices share 100 images as seven times 13 and 9, which is not 13 each.
  void anUnevenShareIsNotSaidToBeEachDevices() {
    Fixture fixture;
    fixture.window.experiment().keepBatch(BatchKept::Global);
    fixture.window.experiment().set(QStringLiteral("train-examples"), QStringLiteral("200"));
    fixture.window.experiment().set(QStringLiteral("global-batch"), QStringLiteral("100"));
    ScalingView& view = fixture.part<ScalingView>("scaling");
    QTRY_VERIFY_WITH_TIMEOUT(view.points().size() >= 4 && view.points()[0].examplesPerDevice == 100, kPatienceMs);
    QCOMPARE(view.points()[3].devices, std::int64_t{8});
    QCOMPARE(view.points()[3].examplesPerDevice, std::int64_t{13});
    for (std::size_t i = 0; i < 4; ++i) QCOMPARE(view.points()[i].sharesAlike, i < 3);
    QStringList said;
    for (int x = 0; x < view.width(); x += 4) {  // as a mouse rests along the curve
      const QPoint at(x, view.height() / 4);
      QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
      QApplication::sendEvent(&view, &help);
      said << QToolTip::text().section(QLatin1Char('\n'), 0, 0);
    }
    const auto isSaid = [&](const char* words) {
      return std::ranges::any_of(said, [&](const QString& each) { return each.startsWith(QLatin1String(words)); });
    };
    QVERIFY2(isSaid("4 devices, 25 examples each:"), qPrintable(said.join(QLatin1Char('\n'))));
    QVERIFY2(isSaid("8 devices, up to 13 examples each:"), qPrintable(said.join(QLatin1Char('\n'))));
    QToolTip::hideText();
    // The modelled step shares the batch as the curve does: no example is added.
    fixture.press("whatIfDevices", 1);
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{8});
    QCOMPARE(fixture.panel.asked().examplesPerDevice, std::int64_t{13});
    QCOMPARE(fixture.panel.asked().shards, (std::vector<std::int64_t>{13, 13, 13, 13, 13, 13, 13, 9}));
    // A parameter server's workers have batches of their own, of whole shares: 100 / 8, then 96 / 64.
    auto& strategy = fixture.part<QComboBox>("whatIfStrategy");
    const Timeline* before = fixture.modelled().timeline();
    strategy.setCurrentIndex(strategy.findData(static_cast<int>(StrategyKind::ParameterServer)));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelled().timeline() != before, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().examplesPerDevice, std::int64_t{12}, kPatienceMs);
    fixture.press("whatIfDevices", 3);
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{64});
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().examplesPerDevice, std::int64_t{1}, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(view.points().size(), std::size_t{7}, kPatienceMs);
    QCOMPARE(view.points()[6].examplesPerDevice, std::int64_t{1});
    // What is trained is said: 64 of 96.
    const QString kept = fixture.part<QLabel>("whatIfKept").text();
    QVERIFY2(kept.contains(QStringLiteral("96 examples")) && kept.contains(QStringLiteral("so 64 are trained")),
             qPrintable(kept));
    const QString heading = view.accessibleDescription();
    QVERIFY2(heading.startsWith(QStringLiteral("Modelled: up to 96 examples over all devices")), qPrintable(heading));
  }

  // The panel keeps the batch that the toolbar keeps; the second curve shows the other convention.
  void theBatchIsKeptAsInTheToolbar() {
    Fixture fixture;  // 8 images on each of 4 devices
    auto& kept = *fixture.part<QWidget>("batchKept").findChild<QComboBox*>();
    const auto keep = [&](int row) {
      kept.setCurrentIndex(row);
      Q_EMIT kept.activated(row);
    };
    const auto words = [&] { return fixture.part<QLabel>("whatIfKept").text(); };
    QCOMPARE(kept.currentIndex(), 1);
    fixture.press("whatIfDevices", 1);
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{8});
    QCOMPARE(fixture.panel.asked().examplesPerDevice, std::int64_t{8});
    QVERIFY2(words().contains(QStringLiteral("batch per replica fixed, 8 examples")), qPrintable(words()));
    QCOMPARE(fixture.scaling().points()[4].examplesPerDevice, std::int64_t{8});
    QCOMPARE(fixture.scaling().other()[4].examplesPerDevice, std::int64_t{4});
    keep(0);
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("global batch fixed, 64 examples")), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.scaling().points()[4].examplesPerDevice, std::int64_t{4}, kPatienceMs);
    QCOMPARE(fixture.scaling().other()[4].examplesPerDevice, std::int64_t{8});
    fixture.press("whatIfDevices", 1);
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{16});
    QCOMPARE(fixture.panel.asked().examplesPerDevice, std::int64_t{4});
    // The toolbar does the same with the run itself: 32 images over more replicas.
    fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("8"));
    QCOMPARE(fixture.window.experiment().resolved().batchPerReplica, std::int64_t{4});
  }

  // The eye compares the traces, so a moment lies at the same place in both, however long the tracks' names are.
  void bothTracesHaveOneAxis() {
    Fixture fixture("multi-worker-mirrored");
    const auto compare = [&] {
      QCOMPARE(fixture.recorded().axis().scale().leftPx, fixture.modelled().axis().scale().leftPx);
      QCOMPARE(fixture.recorded().axis().scale().widthPx, fixture.modelled().axis().scale().widthPx);
      QCOMPARE(fixture.recorded().axis().scale().endNs - fixture.recorded().axis().scale().beginNs,
               fixture.modelled().axis().scale().endNs - fixture.modelled().axis().scale().beginNs);
    };
    compare();
    fixture.window.resize(1366, 768);
    QTest::qWait(0);
    compare();
    fixture.press("whatIfDevices", 3);
    compare();
  }

  // If there are very many devices, only some are drawn, and the panel says so.
  void howManyAreDrawnIsSaid() {
    Fixture fixture;
    const auto& drawn = fixture.part<QLabel>("whatIfDrawn");
    QCOMPARE(drawn.text(), QStringLiteral("What if"));
    fixture.part<QSpinBox>("clusterPerHost").setValue(999);
    QTRY_COMPARE_WITH_TIMEOUT(drawn.text(), QStringLiteral("What if: 64 of 999 devices drawn"), kPatienceMs);
  }

  // Eight hosts decode a million examples each in 12 days. One host would take too long for all of them, but nobody has
  // asked for its step.
  void aStepIsShownWhereItsStrongCurveIsNot() {
    WhatIfQuestion question{.model =
                                std::make_shared<const WhatIfModel>(Catalogue::builtIn(), TimingConstants::builtIn())};
    question.asked.config.strategy = StrategyKind::MultiWorkerMirrored;
    question.asked.cluster = uniformCluster(8, 8, "v100", "nvlink2", "eth_10g");
    question.asked.examplesPerDevice = 1'000'000;
    question.asked.decodeUs = 1e6;
    question.asked.inputThreads = 1;
    question.globalBatch = 8'000'000;
    question.keepsGlobal = true;
    question.mostDevices = 8;
    const WhatIfPrediction prediction = predict(question);
    QVERIFY2(prediction.failure.empty(), format(prediction.failure).c_str());
    QVERIFY(prediction.timeline != nullptr && prediction.answer.stepNs >= 1'000'000'000'000'000);
    QCOMPARE(prediction.curve.size(), std::size_t{4});
    for (const ScalingView::Point& point : prediction.curve) QCOMPARE(point.examplesPerDevice, std::int64_t{1'000'000});
    QVERIFY(prediction.other.empty() && !prediction.question.keepsGlobal);
  }

  // A parameter server's single worker reaches a twentieth of one device alone, and a tenth more with every other one.
  void theIdealLineBeginsInThePlot() {
    ScalingView view;
    std::vector<ScalingView::Point> points;
    for (const std::int64_t devices : {1, 2, 4}) {
      const double rate = 100 * (1 + 0.1 * static_cast<double>(devices - 1));
      points.push_back({.devices = devices,
                        .stepNs = 1000,
                        .imagesPerSecond = rate,
                        .efficiency = rate / (2000 * static_cast<double>(devices))});
    }
    view.setPoints(points, 1, QStringLiteral("Modelled"));
    QVERIFY2(view.rates().to > 2000, qPrintable(QString::number(view.rates().to)));
    QVERIFY(view.rates().from < 100);
    // A curve near its ideal line has room for the whole line.
    for (ScalingView::Point& point : points) {
      point.imagesPerSecond = 1900 * static_cast<double>(point.devices);
      point.efficiency = 0.95;
    }
    view.setPoints(points, 1, QStringLiteral("Modelled"));
    QVERIFY(view.rates().to > 8000);
  }

  // If more devices add nothing to a step, nothing is said to add 0 ns.
  void equalStepsAreSaid() {
    ScalingView view;
    std::vector<ScalingView::Point> points;
    for (const std::int64_t devices : {1, 2})
      points.push_back(
          {.devices = devices, .stepNs = 524'000'000, .imagesPerSecond = 244 * static_cast<double>(devices)});
    view.setPoints(points, 2, QStringLiteral("Modelled"));
    QCOMPARE(view.why(), QStringLiteral("2 devices: 2.00× the images a second of one. A step takes as long: %1.")
                             .arg(durationText(524'000'000)));
  }

  // Rates of many devices have a unit of their own, so that the label beside the curve is never cut off.
  void ratesHaveThreeDigits() {
    ScalingView view;
    for (const auto& [rate, words] : {std::pair{244.0, "244 /s"},
                                      {999.7, "1 k/s"},
                                      {391'437.0, "391 k/s"},
                                      {999'700.0, "1 M/s"},
                                      {1.413e9, "1.41 G/s"},
                                      {2.5e12, "2.5 T/s"}}) {
      view.setPoints({{.devices = 1, .stepNs = 1000, .imagesPerSecond = rate}}, 1, QStringLiteral("Modelled"));
      const QString said = view.accessibleDescription();
      QVERIFY2(said.contains(QLatin1String(": ") + QLatin1String(words)), qPrintable(said));
    }
  }

  // Each device needs one example at least, so with more devices the model no longer keeps the global batch.
  void moreDevicesThanExamplesAreSaid() {
    Fixture fixture;
    fixture.window.experiment().keepBatch(BatchKept::Global);
    fixture.press("whatIfDevices", 4);  // 32 examples on 64 devices
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{64});
    QCOMPARE(fixture.panel.asked().examplesPerDevice, std::int64_t{1});
    const QString words = fixture.part<QLabel>("whatIfKept").text();
    QVERIFY2(words.contains(QStringLiteral("(global batch fixed) ends at 32 devices")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("64 in all")), qPrintable(words));
    // The bold curve shows what is modelled, so that the present number of devices lies on it.
    QCOMPARE(fixture.scaling().points()[6].devices, std::int64_t{64});
    QCOMPARE(fixture.scaling().points()[6].examplesPerDevice, std::int64_t{1});
    QVERIFY2(fixture.scaling().why().startsWith(QStringLiteral("64 devices")), qPrintable(fixture.scaling().why()));
    QCOMPARE(fixture.scaling().other().back().devices, std::int64_t{32});
  }

  // In a narrow view the sentence wraps and does not reach the edges.
  void theEmptyTraceIsReadWhole() {
    TraceView view;
    view.resize(220, 160);
    view.show();
    const QImage image = view.viewport()->grab().toImage();
    int lines = 0;
    bool inLine = false;
    for (int y = 0; y < image.height(); ++y) {
      bool ink = false;
      for (int x = 0; x < image.width(); ++x) {
        const bool here = image.pixel(x, y) != image.pixel(0, 0);
        QVERIFY2(!here || (x >= 4 && x < image.width() - 4), qPrintable(QString::number(x)));
        ink = ink || here;
      }
      lines += ink && !inLine ? 1 : 0;
      inLine = ink;
    }
    QVERIFY2(lines > 1, qPrintable(QString::number(lines)));
  }

  void theGroupOfHostsIsRead() {
    Fixture fixture;
    fixture.window.resize(1366, 768);
    QTest::qWait(0);
    const auto& group = fixture.part<QComboBox>("clusterGroup");
    const int words = group.fontMetrics().horizontalAdvance(group.currentText());
    QVERIFY2(group.width() >= words, qPrintable(QString::number(group.width())));
  }

  void aClusterIsComposed() {
    Fixture fixture("multi-worker-mirrored");
    const auto set = [&](const char* name, int value) {
      auto& box = fixture.part<QSpinBox>(name);
      box.setFocus();
      box.selectAll();
      QTest::keyClicks(&box, QString::number(value));
      QTest::keyClick(&box, Qt::Key_Return);
    };
    set("clusterHosts", 3);
    set("clusterPerHost", 2);
    set("clusterOthers", 1);
    set("clusterNics", 2);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().cluster.devices(), std::int64_t{9}, kPatienceMs);
    const HostGroup& group = fixture.panel.asked().cluster.hosts.front();
    QCOMPARE(group.devices.back(), std::string("t4"));
    QCOMPARE(group.nics, std::int64_t{2});
    QVERIFY(
        fixture.part<ClusterPicture>("clusterPicture").words().startsWith(QStringLiteral("3 hosts with 3 devices")));
    QTRY_COMPARE_WITH_TIMEOUT(fixture.modelled().timeline()->legend.endpoints.size(), std::size_t{9}, kPatienceMs);
    // The slower kind of device holds the others up.
    const auto& breakdown = fixture.part<BreakdownTable>("whatIfBreakdown").columns()[1].breakdown;
    QVERIFY(breakdown[static_cast<std::size_t>(StepStage::Straggler)] > 0);
    auto& link = fixture.part<CataloguePicker>("clusterHostLink");
    QVERIFY(link.toolTip().contains(QStringLiteral("Sources")));
    const std::int64_t before = fixture.modelledNs();
    link.setFocus();
    link.setCurrentIndex(link.findData(QStringLiteral("ib_hdr")));
    Q_EMIT link.activated(link.currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelledNs() < before, kPatienceMs);
  }

  // Hosts may form groups that differ: the question, the model and the picture include all of them.
  void groupsOfHostsAreComposed() {
    Fixture fixture("multi-worker-mirrored");
    const auto set = [&](const char* name, int value) { fixture.part<QSpinBox>(name).setValue(value); };
    set("clusterHosts", 2);
    set("clusterPerHost", 2);
    auto& add = fixture.part<QToolButton>("clusterAddGroup");
    auto& remove = fixture.part<QToolButton>("clusterRemoveGroup");
    auto& group = fixture.part<QComboBox>("clusterGroup");
    QVERIFY(!remove.isEnabled());
    QTest::mouseClick(&add, Qt::LeftButton);
    QCOMPARE(group.currentIndex(), 1);
    auto& device = fixture.part<CataloguePicker>("clusterDevice");
    device.setCurrentIndex(device.findData(QStringLiteral("k80")));
    Q_EMIT device.activated(device.currentIndex());
    set("clusterPerHost", 4);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().cluster.devices(), std::int64_t{8}, kPatienceMs);
    QCOMPARE(fixture.panel.asked().cluster.hosts.size(), std::size_t{2});
    QCOMPARE(fixture.panel.asked().cluster.hosts.back().devices.front(), std::string("k80"));
    QTRY_COMPARE_WITH_TIMEOUT(fixture.modelled().timeline()->legend.endpoints.size(), std::size_t{8}, kPatienceMs);
    const QString words = fixture.part<ClusterPicture>("clusterPicture").words();
    QVERIFY(words.contains(QStringLiteral("2 hosts with 2 devices")) &&
            words.contains(QStringLiteral("with 4 devices")));
    // No slider multiplies devices that differ; the faster devices wait.
    QVERIFY(!fixture.part<QSlider>("whatIfDevices").isEnabled());
    const auto& breakdown = fixture.part<BreakdownTable>("whatIfBreakdown").columns()[1].breakdown;
    QVERIFY(breakdown[static_cast<std::size_t>(StepStage::Straggler)] > 0);
    // The fields show the chosen group.
    group.setCurrentIndex(0);
    QCOMPARE(fixture.part<QSpinBox>("clusterPerHost").value(), 2);
    QCOMPARE(device.id(), QStringLiteral("v100"));
    group.setCurrentIndex(1);
    QTest::mouseClick(&remove, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().cluster.devices(), std::int64_t{4}, kPatienceMs);
    QVERIFY(fixture.part<QSlider>("whatIfDevices").isEnabled());
    for (int i = 0; i < 12; ++i) add.click();
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().cluster.hosts.size(), std::size_t{8}, kPatienceMs);
    QVERIFY(!add.isEnabled());
  }

  // The controls can be moved before anything was recorded.
  void nothingIsRecordedYet() {
    RunController controller;
    MainWindow window(controller);
    window.resize(1280, 800);
    window.show();
    window.workspaces().choose(WindowLayout::Profile);
    window.panels().openTab(QStringLiteral("whatIfTab"));
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QToolButton*>(QStringLiteral("clusterAddGroup")) != nullptr, kPatienceMs);
    window.findChild<QToolButton*>(QStringLiteral("clusterAddGroup"))->click();
    window.findChild<QToolButton*>(QStringLiteral("clusterRemoveGroup"))->click();
    for (auto* slider : window.findChildren<QSlider*>(QRegularExpression(QStringLiteral("^whatIf"))))
      slider->setValue(slider->maximum());
    window.findChild<QCheckBox*>(QStringLiteral("whatIfPrefetch"))->click();
    window.findChild<QSpinBox*>(QStringLiteral("clusterHosts"))->setValue(3);
    QVERIFY(window.findChild<TraceView*>(QStringLiteral("modelledTrace"))->timeline() == nullptr);
  }

  // All strategies wait for slow input; prefetch hides the part that fits under the step.
  void inputIsWaitedFor_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const char* key : {"mirrored", "parameter-server"}) QTest::newRow(key) << QByteArray(key);
  }
  void inputIsWaitedFor() {
    QFETCH(QByteArray, strategy);
    Fixture fixture(strategy.constData());
    const auto waited = [&] {
      return fixture.part<BreakdownTable>("whatIfBreakdown")
          .columns()[1]
          .breakdown[static_cast<std::size_t>(StepStage::Input)];
    };
    const std::int64_t free = fixture.modelledNs();
    QCOMPARE(waited(), std::int64_t{0});
    QVERIFY(!fixture.part<QSlider>("whatIfThreads").isEnabled() &&
            !fixture.part<QCheckBox>("whatIfPrefetch").isEnabled());
    fixture.press("whatIfDecode", 1);  // 1 us on 8 threads: input is in time
    QCOMPARE(waited(), std::int64_t{0});
    fixture.press("whatIfDecode", 14);
    const std::int64_t bound = fixture.modelledNs();
    QVERIFY(bound > 2 * free && waited() > bound / 2);
    QCOMPARE(sumOf(fixture.part<BreakdownTable>("whatIfBreakdown").columns()[1].breakdown), bound);
    fixture.press("whatIfThreads", 1);
    QVERIFY(fixture.modelledNs() < bound);
    const std::int64_t faster = fixture.modelledNs();
    fixture.part<QCheckBox>("whatIfPrefetch").click();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelledNs() > faster, kPatienceMs);
    fixture.part<QToolButton>("whatIfReset").click();
    QTRY_COMPARE_WITH_TIMEOUT(fixture.modelledNs(), free, kPatienceMs);
  }

  void whatCannotBeIsSaidBelowTheField() {
    Fixture fixture;
    auto& hosts = fixture.part<QSpinBox>("clusterHosts");
    QTest::keyClick(&hosts, Qt::Key_Up);
    auto& complaint = fixture.part<QLabel>("clusterComplaint");
    QTRY_VERIFY_WITH_TIMEOUT(complaint.isVisible(), kPatienceMs);
    QVERIFY(complaint.text().contains(QStringLiteral("MirroredStrategy runs on one host")));
    QTRY_VERIFY_WITH_TIMEOUT(complaint.y() > hosts.y() && complaint.y() < fixture.part<QSpinBox>("clusterPerHost").y(),
                             kPatienceMs);
    QVERIFY(complaint.height() >= complaint.heightForWidth(complaint.width()));
    QVERIFY(fixture.modelled().timeline() == nullptr);
    QTest::keyClick(&hosts, Qt::Key_Down);
    QTRY_VERIFY_WITH_TIMEOUT(!complaint.isVisible(), kPatienceMs);
    QVERIFY(fixture.modelled().timeline() != nullptr);
  }

  // Results for impossible hardware are called extrapolated, have no band, and are open and dashed on the curve.
  void whatCannotBeIsExtrapolated() {
    Fixture fixture;
    fixture.window.experiment().keepBatch(BatchKept::PerReplica);
    auto& band = fixture.part<QLabel>("whatIfBand");
    auto& title = fixture.part<QLabel>("whatIfModelled");
    QTRY_VERIFY_WITH_TIMEOUT(band.text().contains(QStringLiteral("9 in 10 published steps")), kPatienceMs);
    QVERIFY(!title.text().contains(QStringLiteral("extrapolated")));
    QTRY_COMPARE_WITH_TIMEOUT(fixture.scaling().points().size(), std::size_t{11}, kPatienceMs);
    QCOMPARE(fixture.scaling().points().back().hosts, std::int64_t{64});
    QVERIFY2(fixture.scaling().hardware().contains(QStringLiteral("over hosts of 16")),
             qPrintable(fixture.scaling().hardware()));
    auto& perHost = fixture.part<QSpinBox>("clusterPerHost");
    perHost.setValue(1024);
    QTRY_VERIFY_WITH_TIMEOUT(title.text().contains(QStringLiteral("extrapolated")), kPatienceMs);
    QVERIFY2(band.text().startsWith(QStringLiteral("1,024 devices on one host")), qPrintable(band.text()));
    QVERIFY(!band.text().contains(QLatin1Char('%')));
    QVERIFY(fixture.scaling().points().back().extrapolated && !fixture.scaling().points()[4].extrapolated);
    QVERIFY(fixture.scaling().hardware().contains(QStringLiteral("extrapolated")));
  }

  // A link of another generation than the device's is refused here as on the command line: the list does not offer it,
  // and its entry says why.
  void linksOfOthersCannotBeChosen() {
    Fixture fixture;
    auto& device = fixture.part<CataloguePicker>("clusterDevice");
    auto& link = fixture.part<CataloguePicker>("clusterLink");
    const auto isOffered = [&](const char* id) {
      const int row = link.findData(QLatin1String(id));
      return (link.model()->flags(link.model()->index(row, 0)) & Qt::ItemIsEnabled) != 0;
    };
    QVERIFY(isOffered("nvlink2") && isOffered("pcie4_x16") && !isOffered("nvlink4"));
    QCOMPARE(link.id(), QStringLiteral("nvlink2"));
    const QString why = link.itemData(link.findData(QStringLiteral("nvlink4")), Qt::ToolTipRole).toString();
    QVERIFY2(why.contains(QStringLiteral("NVIDIA V100 SXM2 has no ports for it")), qPrintable(why));
    QVERIFY(why.contains(QStringLiteral("NVLink 2")));
    device.setId(QStringLiteral("h100"));
    Q_EMIT device.chosen();
    QCOMPARE(link.id(), QStringLiteral("nvlink4"));  // the device's fastest
    QVERIFY(!isOffered("nvlink2") && isOffered("nvlink4") && isOffered("pcie5_x16"));
    QTRY_COMPARE_WITH_TIMEOUT(fixture.panel.asked().cluster.hosts.front().link, std::string("nvlink4"), kPatienceMs);
    QVERIFY(!fixture.part<QLabel>("whatIfModelled").text().contains(QStringLiteral("extrapolated")));
    // Beside a device that lacks its links, the list offers only links that both devices have.
    fixture.part<QSpinBox>("clusterOthers").setValue(1);
    QVERIFY2(!isOffered("nvlink4") && isOffered("pcie3_x16") && !link.id().startsWith(QStringLiteral("nvlink")),
             qPrintable(link.id()));
  }

  void otherNetworksAreNotAnchored() {
    Fixture fixture;
    auto& network = fixture.part<QComboBox>("whatIfNetwork");
    network.setCurrentIndex(network.findData(QStringLiteral("resnet50")));
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture.part<QLabel>("whatIfModelled").text().contains(QStringLiteral("only from the catalogue")), kPatienceMs);
    QVERIFY(fixture.modelledNs() > 1'000'000);
  }

  // With as many devices as the model knows, a slow prediction is computed beside the window, the old result is marked
  // as such until then, and the newest question wins.
  void moreDevicesThanAFrameCanModel() {
    Fixture fixture("parameter-server");
    const Timeline* before = fixture.modelled().timeline();
    auto& devices = fixture.part<QSlider>("whatIfDevices");
    const auto& title = fixture.part<QLabel>("whatIfModelled");
    QTest::keyClick(&devices, Qt::Key_End);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.panel.isPredicting(), kPatienceMs);
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{65'536});
    QCOMPARE(fixture.modelled().timeline(), before);  // the window does not wait
    QTRY_VERIFY_WITH_TIMEOUT(title.text().contains(QStringLiteral("computing")), kPatienceMs);
    QVERIFY(fixture.scaling().graphicsEffect() != nullptr);
    QTest::keyClick(&devices, Qt::Key_Left);
    QTest::keyClick(&devices, Qt::Key_Left);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.panel.isPredicting(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelled().timeline() != before, kPatienceMs);
    QCOMPARE(fixture.panel.asked().cluster.devices(), std::int64_t{16'384});
    QCOMPARE(fixture.scaling().points().back().devices, std::int64_t{16'384});
    QVERIFY(fixture.scaling().graphicsEffect() == nullptr);
    QVERIFY2(title.text().startsWith(QStringLiteral("What if: modelled")), qPrintable(title.text()));
    QVERIFY(fixture.part<QLabel>("whatIfDrawn").text().contains(QStringLiteral("of 16,384 devices drawn")));
    // After refresh() the curve shows the present question.
    QTest::keyClick(&devices, Qt::Key_Right);
    fixture.panel.refresh();
    QCOMPARE(fixture.scaling().points().back().devices, std::int64_t{32'768});
  }

  // A one-host strategy spreads over hosts if no host can hold all devices; one copy in a host's memory cannot.
  void oneHostHasNoMoreDevices() {
    Fixture fixture;
    auto& devices = fixture.part<QSlider>("whatIfDevices");
    QTest::keyClick(&devices, Qt::Key_End);
    fixture.panel.refresh();
    QCOMPARE(fixture.panel.asked().cluster.hostCount(), std::int64_t{64});
    QCOMPARE(fixture.scaling().points().back().devices, std::int64_t{65'536});
    QVERIFY(fixture.part<QLabel>("whatIfModelled").text().startsWith(QStringLiteral("What if: modelled")));
    auto& strategy = fixture.part<QComboBox>("whatIfStrategy");
    strategy.setCurrentIndex(strategy.findData(static_cast<int>(StrategyKind::CentralStorage)));
    fixture.panel.refresh();
    QTest::keyClick(&devices, Qt::Key_End);
    fixture.panel.refresh();
    QVERIFY(fixture.part<QLabel>("whatIfModelled").text().contains(QStringLiteral("impossible")));
    QCOMPARE(fixture.modelled().placeholder(),
             QStringLiteral("Such a step is impossible: the cluster's fields say why."));
  }

  // The user's own network belongs to the run: the modelled step is the recorded one, under the file's name, also with
  // other hardware. The next run's list no longer has it.
  void ownNetworksAreTheRuns() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mine.json"));
    QFile written(file);
    QVERIFY(written.open(QIODevice::WriteOnly));
    const NeuralNetwork mine("mine", {28, 28, 1},
                             {{.kind = NetworkLayer::Kind::Flatten, .name = "flatten"},
                              {.kind = NetworkLayer::Kind::Dense, .name = "dense", .units = 10}});
    written.write(QByteArray::fromStdString(kerasJson(mine)));
    written.close();
    Fixture fixture;
    auto& network = fixture.part<QComboBox>("whatIfNetwork");
    const int presets = network.count();
    const std::int64_t courseNs = fixture.modelledNs();
    const auto train = [&](const QString& name) {
      RunSettings config = fixture.window.experiment().asked();
      config.network = name.toStdString();
      fixture.window.experiment().begin(config);
      return QTest::qWaitFor([&] { return fixture.panel.asked().model == name.toStdString(); }, kPatienceMs);
    };
    QVERIFY(train(file));
    QCOMPARE(network.currentText(), QStringLiteral("mine.json"));
    QCOMPARE(network.count(), presets + 1);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelledNs() < courseNs, kPatienceMs);
    QCOMPARE(fixture.modelledNs(), fixture.recordedNs());
    QFile::remove(file);  // the run holds its content
    fixture.press("whatIfDevices", 2);
    QVERIFY(fixture.modelledNs() > fixture.recordedNs());
    QVERIFY(!fixture.part<QLabel>("whatIfModelled").text().contains(QStringLiteral("impossible")));
    RunSettings config = fixture.window.experiment().asked();
    config.network = "mlp";
    fixture.window.experiment().begin(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.panel.asked().model != file.toStdString(), kPatienceMs);
    QCOMPARE(network.findData(file), -1);
  }

  // A network that is too large to be trained here is timed all the same: ResNet-50 from a file is the preset. A file
  // that cannot be read is refused under the list, and the choice stays.
  void filesAreTimed() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("large.json")), broken = folder.filePath("broken.json");
    const auto write = [](const QString& path, const std::string& text) {
      QFile written(path);
      return written.open(QIODevice::WriteOnly) && written.write(QByteArray::fromStdString(text)) > 0;
    };
    const auto resnet50 = std::ranges::find(timedNetworks(), "resnet50", &KnownNetwork::key);
    QVERIFY(write(file, kerasJson(resnet50->make())) && write(broken, "{}"));
    Fixture fixture;
    auto& network = fixture.part<NetworkChoice>("whatIfNetwork");
    const auto& complaint = fixture.part<QLabel>("whatIfNetworkComplaint");
    const int presets = network.count();
    network.setCurrentIndex(network.findData(QStringLiteral("resnet50")));
    fixture.panel.refresh();
    const std::int64_t presetNs = fixture.modelledNs();
    network.open(file);
    QCOMPARE(network.currentText(), QStringLiteral("large.json"));
    QCOMPARE(network.count(), presets + 1);
    fixture.panel.refresh();
    QCOMPARE(fixture.modelledNs(), presetNs);
    QFile::remove(file);  // it has been read
    fixture.press("whatIfDevices", 2);
    QVERIFY(fixture.modelledNs() > presetNs);
    // Another file beside it: both can be chosen.
    const QString small = folder.filePath(QStringLiteral("small.json"));
    QVERIFY(write(small, kerasJson(mlpNetwork())));
    network.open(small);
    fixture.panel.refresh();
    QVERIFY(fixture.modelledNs() < presetNs);
    network.setCurrentIndex(network.findData(file));
    fixture.panel.refresh();
    QVERIFY(fixture.modelledNs() > presetNs);
    network.open(broken);
    QVERIFY2(complaint.isVisible() && complaint.text().contains(QStringLiteral("broken.json")),
             qPrintable(complaint.text()));
    QTRY_VERIFY_WITH_TIMEOUT(!complaint.visibleRegion().isEmpty(), kPatienceMs);  // scrolled to
    QCOMPARE(network.currentText(), QStringLiteral("large.json"));
    network.setCurrentIndex(network.findData(QStringLiteral("vgg16")));
    QVERIFY(!complaint.isVisible());
    // "Open a file…" asks, and chooses nothing.
    network.setCurrentIndex(network.count() - 1);
    QCOMPARE(network.currentData().toString(), QStringLiteral("vgg16"));
    auto* dialog = network.findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    dialog->reject();
  }

  void hiddenItDoesNothing() {
    Fixture fixture("mirrored", false);
    QVERIFY(!fixture.panel.isSeen());
    QVERIFY(fixture.modelled().timeline() == nullptr && fixture.recorded().timeline() == nullptr);
    fixture.window.panels().openTab(QStringLiteral("whatIfTab"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.modelled().timeline() != nullptr, kPatienceMs);
  }
};

QTEST_MAIN(TestWhatIfPanel)
#include "tst_what_if_panel.moc"
