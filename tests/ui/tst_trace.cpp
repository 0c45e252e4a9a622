// SPDX-License-Identifier: GPL-3.0-or-later
// The trace: which moment lies at which pixel, its keys, what dragging measures, one selection with the stage, files
// out and in through their dialogs, and no work while the panel is hidden.
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/prediction/step_timeline.h"
#include "core/strategy/strategy.h"
#include "core/timeline/chrome_trace.h"
#include "core/trace/messages.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/frame/on_demand.h"
#include "ui/i18n/words.h"
#include "ui/setup/fit.h"
#include "ui/trace/breakdown_strip.h"
#include "ui/trace/breakdown_table.h"
#include "ui/trace/counter_tracks.h"
#include "ui/trace/foreign_tracks.h"
#include "ui/trace/trace_panel.h"
#include "ui/trace/trace_rows.h"
#include "ui/trace/trace_view.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

QString rowName(const TraceTracks& tracks, int track) {
  return tracks.rowName(tracks.rows()[tracks.rowOf(track)]);
}

struct Fixture {
  RunController controller;
  MainWindow window{controller};
  Playback& playback = window.playback();
  TracePanel& panel = *qobject_cast<TracePanel*>(&window.panels().tab(QStringLiteral("traceTab"))->content());
  TraceView& view = panel.view();
  CounterTracks& tracks = *view.findChild<CounterTracks*>();

  explicit Fixture(const char* strategy = "mirrored") {
    RunSettings config = test::smallConfig();
    config.steps = 100;
    config.evalEvery = 0;
    window.resize(1280, 800);
    window.show();
    window.activateWindow();
    window.workspaces().choose(WindowLayout::Profile);
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(config);
    window.experiment().set(QStringLiteral("strategy"), QLatin1String(strategy));
    (void)QTest::qWaitFor([this] { return view.timeline() != nullptr; }, kPatienceMs);
    view.setFocus();
  }
  template <typename Widget>
  Widget& part(const char* name) const {
    return *window.findChild<Widget*>(QLatin1String(name));
  }
  void press(Qt::Key key) { QTest::keyClick(&view, key); }
  void click(const QPointF& place) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place.toPoint()); }
  std::int64_t firstBar(SpanKind kind) const {
    for (std::size_t i = 0; i < view.timeline()->spans.size(); ++i)
      if (view.timeline()->spans[i].kind == kind && view.timeline()->spans[i].startNs >= view.timeline()->beginNs)
        return static_cast<std::int64_t>(i);
    return TraceView::kNone;
  }
  QPointF middle(std::int64_t bar) const { return view.tracks().barRect(static_cast<std::size_t>(bar)).center(); }
  // Types a file's name into the dialog that the button opens.
  void answerDialog(const char* button, const QString& path) {
    QTest::mouseClick(&part<QToolButton>(button), Qt::LeftButton);
    QFileDialog* dialog = nullptr;
    QVERIFY(QTest::qWaitFor([&] { return (dialog = panel.findChild<QFileDialog*>()) != nullptr; }, kPatienceMs));
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    name->setText(path);
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(panel.findChild<QFileDialog*>() == nullptr, kPatienceMs);
  }
};

}  // namespace

class TestTrace : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void momentsAndPixels_data() {
    QTest::addColumn<double>("begin");
    QTest::addColumn<double>("length");
    for (const double begin : {0.0, 1e3, 5e12})
      for (const double length : {10.0, 12345.0, 3e9}) QTest::addRow("%g+%g", begin, length) << begin << length;
  }
  void momentsAndPixels() {
    QFETCH(double, begin);
    QFETCH(double, length);
    const TimeScale scale{begin, begin + length, 100, 800};
    for (const double x : {100.0, 333.0, 900.0}) QVERIFY(std::abs(scale.xAt(scale.nsAt(x)) - x) < 0.2);
    // Zooming keeps the moment under the pointer in its place.
    const TimeScale closer = scale.zoomed(2, 300, 1e12);
    QVERIFY(std::abs(closer.nsAt(300) - scale.nsAt(300)) <= 1e-3 * length);
    QVERIFY(closer.endNs - closer.beginNs <= std::max(10.0, length / 2) + 1e-3 * length);
    // The view never shows less than 10 ns and never more than everything.
    QVERIFY(scale.zoomed(1e30, 300, 1e12).endNs - scale.zoomed(1e30, 300, 1e12).beginNs >= 9.9);
    QVERIFY(scale.zoomed(1e-30, 300, 5e9).endNs - scale.zoomed(1e-30, 300, 5e9).beginNs <= 5e9 * 1.001);
    // However far the user pans, something stays in sight.
    TimeScale away = scale;
    for (int i = 0; i < 100; ++i) away = away.panned(0.5, begin, begin + length);
    QVERIFY(away.beginNs < begin + length);
    const TimeTicks ticks = ticksOf(scale, begin, 80);
    QVERIFY(ticks.ns.size() >= 1 && ticks.ns.size() <= 11);
    for (std::size_t i = 1; i < ticks.ns.size(); ++i)
      QVERIFY(scale.xAt(ticks.ns[i]) - scale.xAt(ticks.ns[i - 1]) >= 79.9);
  }

  // A worker's cycle is not the stretch that is drawn: the trace names the cycle time that all other views give.
  void theCycleOfAWorkerIsNamed() {
    Fixture fixture("parameter-server");
    const StepMetric& metric = fixture.playback.record()->metric;
    const QString cycle =
        QStringLiteral("the cycle of worker %1 took %2").arg(*metric.worker).arg(durationText(metric.stepNs));
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(fixture.panel.findChildren<QLabel*>(),
                                                 [&](const QLabel* label) { return label->text().contains(cycle); }),
                             kPatienceMs);
  }

  // In a narrow panel the head keeps one line: it drops the cycle time, which the status line shows, too.
  void theHeadKeepsOneLine() {
    Fixture fixture("parameter-server");
    auto& totals = fixture.part<QLabel>("traceTotals");
    const auto linesOf = [&] {
      std::set<int> middles;
      for (const QToolButton* button : fixture.panel.findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
        if (button->isVisible()) middles.insert(button->geometry().center().y());
      return middles.size();
    };
    const auto says = [&] { return totals.text().contains(QStringLiteral("the cycle of worker")); };
    QTRY_VERIFY_WITH_TIMEOUT(totals.toolTip().contains(QStringLiteral("the cycle of worker")), kPatienceMs);
    bool whole = false, shorter = false;
    for (const int width : {1700, 1400, 1280, 1100, 1000, 900, 800, 700}) {
      fixture.window.resize(width, 800);
      QCoreApplication::processEvents();
      whole |= says();
      shorter |= !says();
      QVERIFY2(!says() || linesOf() == 1, qPrintable(QString::number(width)));
    }
    QVERIFY(whole && shorter);
  }

  // Bars end before their numbers, and no column is visible only in part.
  void breakdownIsWhole() {
    BreakdownTable breakdown;
    std::vector<BreakdownTable::Column> columns;
    for (int device = 0; device < 12; ++device) {
      BreakdownTable::Column column{QStringLiteral("R%1").arg(device), device, {}};
      column.breakdown[0] = 123'456'789;
      columns.push_back(column);
    }
    breakdown.setColumns(columns);
    breakdown.show();
    for (int width = breakdown.leastWidth(); width < breakdown.wholeWidth() + 60; width += 17) {
      breakdown.resize(width, 420);
      QCoreApplication::processEvents();
      for (int left = 0; left < 3; ++left) {
        breakdown.horizontalScrollBar()->setValue(left);
        for (int c = 0; c < breakdown.columnCount(); ++c) {
          const int from = breakdown.columnViewportPosition(c), to = from + breakdown.columnWidth(c);
          const bool whole = from >= 0 && to <= breakdown.viewport()->width() + 1;
          // The column of shares may be cut so far that its bars are hidden, but not its numbers.
          const bool numbers = c == 0 && to > breakdown.fontMetrics().horizontalAdvance(QStringLiteral("100.0 %"));
          QVERIFY2(whole || numbers || to <= 0 || from >= breakdown.viewport()->width(),
                   qPrintable(QStringLiteral("%1 wide: column %2 from %3 to %4 of %5")
                                  .arg(width)
                                  .arg(c)
                                  .arg(from)
                                  .arg(to)
                                  .arg(breakdown.viewport()->width())));
          for (int row = 0; row < breakdown.rowCount(); ++row)
            QVERIFY(breakdown.fontMetrics().horizontalAdvance(breakdown.item(row, c)->text()) <
                    breakdown.columnWidth(c));
        }
      }
    }
    breakdown.horizontalScrollBar()->setValue(0);
    // The first row's share is the whole.
    QCOMPARE(breakdown.item(0, 0)->text(), QStringLiteral("100.0 %"));
    const QRect cell = breakdown.visualItemRect(breakdown.item(0, 0));
    const QImage picture = breakdown.viewport()->grab(cell).toImage();
    const int words = breakdown.fontMetrics().horizontalAdvance(breakdown.item(0, 0)->text());
    const QRgb ground = picture.pixel(cell.width() - 1, 1), bar = picture.pixel(cell.width() / 8, cell.height() / 2);
    QVERIFY(bar != ground);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = picture.width() - words - 3; x < picture.width(); ++x) QVERIFY(picture.pixel(x, y) != bar);
  }

  void breakdownAddsUpToTheStepForEveryStrategy_data() {
    QTest::addColumn<QByteArray>("strategy");
    for (const StrategyInfo& info : strategies()) QTest::newRow(info.key.c_str()) << QByteArray(info.key.c_str());
  }
  void breakdownAddsUpToTheStepForEveryStrategy() {
    QFETCH(QByteArray, strategy);
    const Fixture fixture(strategy.constData());
    const auto& breakdown = fixture.part<BreakdownTable>("breakdown");
    QTRY_VERIFY_WITH_TIMEOUT(!breakdown.columns().empty(), kPatienceMs);
    const StepRecord& record = *fixture.playback.record();
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(breakdown.columns().size()),
                              fixture.controller.info()->replicas + fixture.controller.info()->parameterDevices,
                              kPatienceMs);
    for (const BreakdownTable::Column& column : breakdown.columns())
      QCOMPARE(sumOf(column.breakdown), record.endNs - record.beginNs);
    QCOMPARE(breakdown.item(static_cast<int>(kStages), 0)->text(), QStringLiteral("100.0 %"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("traceTitle").text().contains(QStringLiteral("modelled")),
                             kPatienceMs);
  }

  // Only asynchronous workers are in a next cycle while another's step lasts.
  void idleIsANextCycleOfWorkersOnly_data() {
    QTest::addColumn<QByteArray>("strategy");
    QTest::addColumn<QString>("words");
    QTest::newRow("synchronous") << QByteArray("mirrored") << QStringLiteral("idle");
    QTest::newRow("asynchronous") << QByteArray("parameter-server") << QStringLiteral("idle, or next cycle");
  }
  void idleIsANextCycleOfWorkersOnly() {
    QFETCH(QByteArray, strategy);
    QFETCH(QString, words);
    const Fixture fixture(strategy.constData());
    const auto& breakdown = fixture.part<BreakdownTable>("breakdown");
    QTRY_COMPARE_WITH_TIMEOUT(breakdown.verticalHeaderItem(static_cast<int>(StepStage::Idle))->text(), words,
                              kPatienceMs);
  }

  void keysZoomPanFitAndWalk() {
    Fixture fixture;
    TraceView& view = fixture.view;
    const TimeScale fitted = view.axis().scale();
    const auto length = [&] { return view.axis().scale().endNs - view.axis().scale().beginNs; };
    const double whole = length();
    fixture.press(Qt::Key_W);
    QVERIFY(length() < whole);
    const double begin = view.axis().scale().beginNs;
    fixture.press(Qt::Key_D);
    QVERIFY(view.axis().scale().beginNs > begin);
    fixture.press(Qt::Key_A);
    QCOMPARE(std::round(view.axis().scale().beginNs), std::round(begin));
    fixture.press(Qt::Key_S);
    QCOMPARE(std::round(length()), std::round(whole));
    fixture.press(Qt::Key_F);
    QCOMPARE(view.axis().scale().beginNs, fitted.beginNs);
    QCOMPARE(view.axis().scale().endNs, fitted.endNs);
    // The keys . and , belong to the trace here, and walk along a track.
    const double moment = fixture.playback.seconds();
    fixture.press(Qt::Key_Period);
    QCOMPARE(view.current(), std::int64_t{0});
    fixture.press(Qt::Key_Period);
    QCOMPARE(view.current(), std::int64_t{1});
    fixture.press(Qt::Key_Comma);
    fixture.press(Qt::Key_Comma);  // stays on the track's first bar
    QCOMPARE(view.current(), std::int64_t{0});
    QCOMPARE(fixture.playback.seconds(), moment);
    QVERIFY(!fixture.playback.isMoving());
    // F makes the current bar fill the view.
    fixture.press(Qt::Key_F);
    const Span& bar = view.timeline()->spans[0];
    QVERIFY(view.tracks().barRect(0).width() > view.axis().scale().widthPx * 0.8);
    fixture.press(Qt::Key_F);  // F once more shows everything
    QVERIFY(length() >= whole * 0.999);
    fixture.press(Qt::Key_R);
    QVERIFY((view.axis().range() == TraceAxis::Range{bar.startNs, bar.startNs + bar.durationNs}));
    fixture.press(Qt::Key_Escape);
    QVERIFY(!view.axis().range());
  }

  // The button was released where the trace was not told of it, as over a dialog.
  void aMoveWithoutAButtonMeasuresNothing() {
    Fixture fixture;
    TraceView& view = fixture.view;
    const QPointF from(view.axis().scale().xAt(static_cast<double>(view.timeline()->beginNs)) + 20,
                       view.tracks().trackRect(0).center().y());
    const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton button, Qt::MouseButtons held) {
      QMouseEvent event(type, at, view.viewport()->mapToGlobal(at), button, held, {});
      QCoreApplication::sendEvent(view.viewport(), &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, from + QPointF(60, 0), Qt::NoButton, Qt::NoButton);
    QVERIFY(!view.axis().range());
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, from + QPointF(60, 0), Qt::NoButton, Qt::LeftButton);
    QVERIFY(view.axis().range());
    send(QEvent::MouseButtonRelease, from + QPointF(60, 0), Qt::LeftButton, Qt::NoButton);
  }

  void draggingMeasures() {
    Fixture fixture;
    TraceView& view = fixture.view;
    const auto& totals = fixture.part<QLabel>("traceTotals");
    const Traffic traffic = trafficOf(*view.timeline(), view.timeline()->beginNs, view.timeline()->endNs);
    QVERIFY(traffic.mostLinks > 1 && traffic.mostBytes > 0);
    QTRY_VERIFY_WITH_TIMEOUT(
        totals.toolTip().contains(
            QStringLiteral("at most %1 at once, on %2 links").arg(bytesText(traffic.mostBytes)).arg(traffic.mostLinks)),
        kPatienceMs);
    const double left = view.axis().scale().xAt(static_cast<double>(view.timeline()->beginNs));
    const double right = view.axis().scale().xAt(static_cast<double>(view.timeline()->endNs));
    const double y = view.tracks().trackRect(0).center().y();
    const QPoint from(qRound(left + (right - left) * 0.2), qRound(y)),
        to(qRound(left + (right - left) * 0.9), qRound(y));
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(view.viewport(), (from + to) / 2);
    QTest::mouseMove(view.viewport(), to);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to);
    QVERIFY(view.axis().range());
    const auto [begin, end] = *view.axis().range();
    QVERIFY(std::abs(view.axis().scale().xAt(static_cast<double>(begin)) - from.x()) < 1.5);
    QVERIFY(std::abs(view.axis().scale().xAt(static_cast<double>(end)) - to.x()) < 1.5);
    const auto& breakdown = fixture.part<BreakdownTable>("breakdown");
    QTRY_VERIFY_WITH_TIMEOUT(
        !breakdown.columns().empty() && sumOf(breakdown.columns().front().breakdown) == end - begin, kPatienceMs);
    QCOMPARE(breakdown.columns().front().breakdown, view.timeline()->breakdown(0, begin, end));
    QTRY_VERIFY_WITH_TIMEOUT(totals.text().startsWith(QStringLiteral("Marked:")), kPatienceMs);
    fixture.click({right + 1, y});
    QVERIFY(!view.axis().range());
  }

  // The tracks are a count over the spans, and the highest values are those that the totals say.
  void countersAreTheSpansCounted() {
    const Fixture fixture;
    const Timeline& timeline = *fixture.view.timeline();
    const auto& tracks = fixture.tracks.tracks();
    QCOMPARE(tracks.size(), std::size_t{3});
    const MemoryTimeline& memory = fixture.playback.record()->memoryOverStep.front();
    for (int i = 0; i < 500; ++i) {
      const std::int64_t ns = timeline.beginNs + (timeline.endNs - timeline.beginNs) * i / 500;
      std::int64_t bytes = 0, links = 0;
      for (const Span& span : timeline.spans) {
        if (span.kind != SpanKind::Transfer || !timeline.legend.tracks[static_cast<std::size_t>(span.track)].isLink)
          continue;
        if (ns < span.startNs || ns >= span.startNs + span.durationNs) continue;
        bytes += span.bytes;
        ++links;
      }
      QCOMPARE(tracks[0].counter.at(ns).value, bytes);
      QCOMPARE(tracks[1].counter.at(ns).value, links);
      QCOMPARE(tracks[2].counter.at(ns).value, sumOf(memory.at(ns)));
    }
    QCOMPARE(tracks[2].highest, sumOf(memory.peak().bytes));
    const QString most =
        QStringLiteral("at most %1 at once, on %2 links").arg(bytesText(tracks[0].highest)).arg(tracks[1].highest);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("traceTotals").toolTip().contains(most), kPatienceMs);
    // The areas lie on the trace's axis, from the step's beginning to its end, and lose no peak.
    for (std::size_t track = 0; track < tracks.size(); ++track) {
      const std::vector<CounterTracks::Column> columns = fixture.tracks.columns(track);
      const TimeScale& scale = fixture.view.axis().scale();
      QCOMPARE(columns.front().left, scale.xAt(static_cast<double>(timeline.beginNs)));
      QCOMPARE(columns.back().right, scale.xAt(static_cast<double>(timeline.endNs)));
      for (std::size_t i = 1; i < columns.size(); ++i) QCOMPARE(columns[i].left, columns[i - 1].right);
      QCOMPARE(std::ranges::max(columns, {}, &CounterTracks::Column::value).value, tracks[track].highest);
    }
    QCOMPARE(fixture.tracks.x(), fixture.view.viewport()->x());
    QCOMPARE(fixture.tracks.width(), fixture.view.viewport()->width());
  }

  // Unasked, the counters take no room that the tracks need: none scrolls, and none is folded because of them.
  void countersAreShownWhereTracksHaveRoom_data() {
    QTest::addColumn<QString>("replicas");
    for (const char* replicas : {"2", "8"}) QTest::newRow(replicas) << QString::fromLatin1(replicas);
  }
  void countersAreShownWhereTracksHaveRoom() {
    QFETCH(QString, replicas);
    Fixture fixture;
    for (const auto& [name, value] : {std::pair{"replicas", replicas}, {"reducer", QStringLiteral("ring")}})
      fixture.window.experiment().set(QLatin1String(name), value);
    QTRY_VERIFY_WITH_TIMEOUT(
        fixture.playback.record() != nullptr && fixture.playback.record()->replicas.size() == replicas.toULongLong() &&
            fixture.view.timeline() != nullptr && fixture.view.timeline()->legend.tracks.size() > 2,
        kPatienceMs);
    auto& button = fixture.part<QToolButton>("traceCounters");
    const std::vector<QSize> sizes{{1366, 768}, {1920, 1080}, {1280, 720}, {900, 500}};
    std::vector<bool> folded;
    const auto at = [&](const QSize& size) {
      fixture.window.resize(size);
      QTest::qWait(0);
      fixture.panel.refresh();
      QTest::qWait(0);
    };
    for (const QSize& size : sizes) {
      at(size);
      folded.push_back(fixture.view.tracks().isFolded());
      QCOMPARE(button.isChecked(), fixture.tracks.isVisible());
      QVERIFY(button.isVisible());
      if (!fixture.tracks.isVisible()) continue;
      QCOMPARE(fixture.view.verticalScrollBar()->maximum(), 0);
      QVERIFY(fixture.view.viewport()->height() + fixture.tracks.height() <= fixture.view.height());
      QVERIFY(fixture.tracks.trackRect(2).bottom() <= fixture.tracks.height());
    }
    at(sizes.front());
    if (replicas == QStringLiteral("2")) {
      QVERIFY(fixture.tracks.isVisible());
      const int tracks = fixture.view.viewport()->height();
      QTest::mouseClick(&button, Qt::LeftButton);
      QVERIFY(!fixture.tracks.isVisible() && !button.isChecked());
      QVERIFY(fixture.view.viewport()->height() > tracks);
    }
    fixture.tracks.setShown(false);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      at(sizes[i]);
      QVERIFY(!fixture.tracks.isVisible());
      QCOMPARE(fixture.view.tracks().isFolded(), bool(folded[i]));
    }
    // On request they are there in any room, and leave some to the tracks.
    QTest::mouseClick(&button, Qt::LeftButton);
    QVERIFY(fixture.tracks.isVisible() && button.isChecked());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.view.viewport()->height() > 0, kPatienceMs);
  }

  // Pointer, keys and drags on the tracks; the memory is that of the chosen device, which a click does not change.
  void countersAreReadAndMeasured() {
    Fixture fixture;
    TraceView& view = fixture.view;
    CounterTracks& tracks = fixture.tracks;
    QTRY_VERIFY_WITH_TIMEOUT(tracks.isVisible(), kPatienceMs);
    fixture.window.selection().pin({Object::Kind::Device, 1, -1});
    QCOMPARE(tracks.tracks().back().names.front(), QStringLiteral("memory of replica 1"));
    const Counter bytes = tracks.tracks().front().counter;
    std::size_t most = 0;
    while (bytes.steps[most].value < bytes.highest()) ++most;
    const Counter::Stretch peak = bytes.stretch(most);
    const auto since = [&](std::int64_t ns) { return durationText(ns - bytes.beginNs); };
    const double x = view.axis().scale().xAt(static_cast<double>((peak.beginNs + peak.endNs) / 2));
    const double y = tracks.trackRect(0).center().y();
    QCOMPARE(tracks.tipAt({x, y}), QStringLiteral("bytes in flight: %1, modelled\nfrom %2 to %3")
                                       .arg(bytesText(peak.value), since(peak.beginNs), since(peak.endNs)));
    // The same words come by key: from the step's beginning, change by change.
    tracks.setFocus();
    QTest::keyClick(&tracks, Qt::Key_Home);
    for (std::size_t i = 0; i < most; ++i) QTest::keyClick(&tracks, Qt::Key_Right);
    const QString read = QStringLiteral("bytes in flight: %1 from %2 to %3 of the step")
                             .arg(bytesText(peak.value), since(peak.beginNs), since(peak.endNs));
    QVERIFY2(tracks.accessibleDescription().startsWith(read), qPrintable(tracks.accessibleDescription()));
    QTest::keyClick(&tracks, Qt::Key_Left);
    QVERIFY(!tracks.accessibleDescription().startsWith(read));
    QTest::keyClick(&tracks, Qt::Key_Down);
    QVERIFY(tracks.accessibleDescription().startsWith(QStringLiteral("links in use: ")));
    const double length = view.axis().scale().endNs - view.axis().scale().beginNs;
    QTest::keyClick(&tracks, Qt::Key_W);
    QVERIFY(view.axis().scale().endNs - view.axis().scale().beginNs < length);
    QTest::keyClick(&tracks, Qt::Key_S);
    const QPoint from(qRound(view.axis().scale().leftPx + 100), qRound(y)), to = from + QPoint(200, 0);
    QTest::mousePress(&tracks, Qt::LeftButton, {}, from);
    QTest::mouseMove(&tracks, (from + to) / 2);
    QTest::mouseMove(&tracks, to);
    QTest::mouseRelease(&tracks, Qt::LeftButton, {}, to);
    QVERIFY(view.axis().range());
    QVERIFY(std::abs(view.axis().scale().xAt(static_cast<double>(view.axis().range()->first)) - from.x()) < 1.5);
    QVERIFY(std::abs(view.axis().scale().xAt(static_cast<double>(view.axis().range()->second)) - to.x()) < 1.5);
    QTest::mouseClick(&tracks, Qt::LeftButton, {}, to);
    QVERIFY(!view.axis().range());
    QVERIFY((fixture.window.selection().pinned() == Object{Object::Kind::Device, 1, -1}));
  }

  // Every track's name is whole and unique, also in a narrow view: "R0 → R1".
  void tracksHaveWholeNames_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"mirrored", "central-storage", "parameter-server", "multi-worker-mirrored"})
      QTest::newRow(strategy) << QString::fromLatin1(strategy);
  }
  void tracksHaveWholeNames() {
    QFETCH(QString, strategy);
    Fixture fixture;
    for (const auto& [name, value] :
         {std::pair{"strategy", strategy}, {"replicas", QStringLiteral("4")}, {"reducer", QStringLiteral("ring")}})
      fixture.window.experiment().set(QLatin1String(name), value);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr && fixture.playback.record()->replicas.size() == 4,
                             kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.view.timeline() != nullptr && fixture.view.timeline()->tracks() > 5, kPatienceMs);
    for (const int width : {220, 300, 420, 640, 1280}) {
      TraceView view;
      view.resize(width, 400);
      view.show();
      view.setTimeline({std::shared_ptr<const Timeline>(), fixture.view.timeline()});
      QStringList names;
      for (int track = 0; track < fixture.view.timeline()->tracks(); ++track)
        if (!view.tracks().trackRect(track).isNull()) names << rowName(view.tracks(), track);
      QVERIFY(names.size() > 3);
      QVERIFY2(names.filter(QStringLiteral("…")).isEmpty(), qPrintable(names.join(QStringLiteral(", "))));
      // A marked row is bold and still keeps its whole name.
      view.setMarks([](std::size_t) { return false; }, [](int) { return true; });
      QStringList marked;
      for (int track = 0; track < fixture.view.timeline()->tracks(); ++track)
        if (!view.tracks().trackRect(track).isNull()) marked << rowName(view.tracks(), track);
      QCOMPARE(marked, names);
      QCOMPARE(names.removeDuplicates(), 0);
    }
  }

  // F fits the step, F again fits everything; after the table was shown or hidden, F fits the step again.
  void fitIsTheStepInAnyRoom() {
    Fixture fixture;
    TraceView& view = fixture.view;
    const double step = static_cast<double>(view.timeline()->endNs - view.timeline()->beginNs);
    fixture.press(Qt::Key_W);
    fixture.press(Qt::Key_F);
    const double fitted = view.axis().scale().endNs - view.axis().scale().beginNs;
    QVERIFY(fitted >= step && fitted < 1.3 * step);
    auto& table = fixture.part<QToolButton>("traceTable");
    table.setChecked(!table.isChecked());
    const int before = view.width();
    view.resize(view.width() - 100, view.height());
    QVERIFY(view.width() != before);
    fixture.press(Qt::Key_F);
    QCOMPARE(view.axis().scale().endNs - view.axis().scale().beginNs, fitted);
    fixture.press(Qt::Key_F);
    QVERIFY(view.axis().scale().endNs - view.axis().scale().beginNs > fitted);
  }

  // If not all tracks have room, tracks that did the same share a row instead of scrolling; tracks that differ never
  // do.
  void tracksThatAreAlikeShareARow() {
    Fixture fixture;
    for (const auto& [name, value] : {std::pair{"replicas", "8"}, {"reducer", "ring"}})
      fixture.window.experiment().set(QLatin1String(name), QLatin1String(value));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr && fixture.playback.record()->replicas.size() == 8,
                             kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.view.timeline() != nullptr && fixture.view.timeline()->tracks() > 8, kPatienceMs);
    const std::shared_ptr<const Timeline> timeline(std::shared_ptr<const Timeline>(), fixture.view.timeline());
    TraceView view;
    view.show();
    view.resize(640, 1600);
    view.setTimeline(timeline);
    QVERIFY(view.tracks().canFold() && !view.tracks().isFolded());  // all tracks have room
    for (int track = 0; track < 8; ++track) QVERIFY(!view.tracks().trackRect(track).isNull());
    view.resize(640, 160);
    QCoreApplication::processEvents();
    QVERIFY(view.tracks().isFolded());
    QCOMPARE(rowName(view.tracks(), 0), QStringLiteral("8 replicas, alike"));
    QVERIFY(!view.tracks().trackRect(0).isNull() && view.tracks().trackRect(1).isNull());
    QVERIFY(view.tracks().trackRect(0).bottom() <= view.viewport()->height());
    // A click on the name shows all tracks.
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(5, int(view.tracks().trackRect(0).center().y())));
    QVERIFY(!view.tracks().isFolded() && !view.tracks().trackRect(7).isNull());
    // A track that differs has its own row.
    Timeline other = *timeline;
    for (Span& span : other.spans)
      if (span.track == 3 && span.kind == SpanKind::Compute) span.durationNs += 1;
    const std::vector<TraceRow> rows = traceRows(other, true);
    QCOMPARE(rows[0].tracks.size(), std::size_t{7});
    QCOMPARE(rows[1].tracks, std::vector<int>{3});
    // Tracks without work in the step come last: the input pipeline had its batch ready.
    const auto works = [&](const TraceRow& row) {
      return std::ranges::any_of(timeline->track(row.tracks.front()),
                                 [&](const Span& span) { return isWithinStep(*timeline, span); });
    };
    const std::vector<TraceRow> all = traceRows(*timeline, false);
    QVERIFY(std::ranges::is_partitioned(all, works) && !works(all.back()));
  }

  // Links that carry only the first weights share a row, because their own rows would be empty.
  void linksOfStartUpShareARow() {
    Timeline timeline;
    timeline.legend.endpoints = {{Message(say::replicaEndpoint, 0), 0}, {Message(say::replicaEndpoint, 1), 0}};
    for (int track = 0; track < 4; ++track)
      timeline.legend.tracks.push_back({Message(say::replicaEndpoint, track), 0, track > 0, track > 0 ? -1 : 0});
    timeline.legend.labels = {Message(say::replicaEndpoint, 0)};
    timeline.beginNs = 1000;
    timeline.endNs = 2000;
    const auto span = [](int track, std::int64_t startNs, SpanKind kind) {
      Span made;
      made.track = track;
      made.kind = kind;
      made.startNs = startNs;
      made.durationNs = 100;
      return made;
    };
    timeline.spans = {span(0, 1100, SpanKind::Compute), span(1, 100, SpanKind::Startup),
                      span(2, 300, SpanKind::Startup), span(3, 1500, SpanKind::Startup)};
    timeline.arrange();
    const std::vector<TraceRow> rows = traceRows(timeline, false);
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rows[1].tracks, std::vector<int>{3});  // used in the step too
    QCOMPARE(rows[2].tracks, (std::vector<int>{1, 2}));
    QCOMPARE(namesOf(timeline, rows[2]).front(), QStringLiteral("2 links, at start-up only"));
  }

  // If the table would need scrolling, one bar shows the parts' names and times; a button brings the table.
  void littleRoomHasOneBar() {
    Fixture fixture;
    for (const auto& [name, value] : {std::pair{"replicas", "8"}, {"reducer", "ring"}})
      fixture.window.experiment().set(QLatin1String(name), QLatin1String(value));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr && fixture.playback.record()->replicas.size() == 8,
                             kPatienceMs);
    fixture.window.resize(1280, 720);
    fixture.window.panels().setStageOpen(true);
    fixture.panel.refresh();
    const auto& table = fixture.part<BreakdownTable>("breakdown");
    const auto& strip = fixture.part<BreakdownStrip>("breakdownStrip");
    QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible() && !table.isVisible(), kPatienceMs);
    QVERIFY2(strip.words().startsWith(QStringLiteral("8 devices alike, ")), qPrintable(strip.words()));
    QCOMPARE(sumOf(strip.mean()), fixture.playback.record()->metric.stepNs);
    for (std::size_t s = 0; s < kStages; ++s)
      if (strip.mean()[s] > 0)
        QVERIFY2(strip.words().contains(durationText(strip.mean()[s])), qPrintable(strip.words()));
    fixture.part<QToolButton>("traceTable").click();
    QVERIFY(table.isVisible() && !strip.isVisible());
    fixture.part<QToolButton>("traceTable").click();
    QVERIFY(strip.isVisible());
  }

  // A table beside the bars that nobody asked for is there because all its columns fit.
  void aTableThatFitsDoesNotScroll() {
    Fixture fixture;
    fixture.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("4"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.record() != nullptr && fixture.playback.record()->replicas.size() == 4,
                             kPatienceMs);
    const auto& table = fixture.part<BreakdownTable>("breakdown");
    bool seen = false;
    for (const int width : {1280, 1366, 1470, 1600, 1920}) {
      fixture.window.resize(width, 1000);
      QCoreApplication::processEvents();
      fixture.panel.refresh();
      QTRY_COMPARE_WITH_TIMEOUT(table.columns().size(), std::size_t{4}, kPatienceMs);
      QTRY_VERIFY2_WITH_TIMEOUT(!table.isVisible() || table.horizontalScrollBar()->maximum() == 0,
                                qPrintable(QString::number(width)), kPatienceMs);
      seen |= table.isVisible();
    }
    QVERIFY(seen);
  }

  // The parts of a mean add up to the step, in spite of rounding.
  void theMeanAddsUpToTheStep() {
    StageBreakdown one{}, other{};
    one[0] = other[1] = 1;
    one[1] = other[0] = 2;
    BreakdownStrip strip;
    strip.setColumns({{QStringLiteral("GPU:0"), 0, one}, {QStringLiteral("GPU:1"), 1, other}});
    QCOMPARE(sumOf(strip.mean()), 3);
  }

  void oneSelectionInAllViews() {
    Fixture fixture;
    Selection& selection = fixture.window.selection();
    const std::int64_t transfer = fixture.firstBar(SpanKind::Transfer);
    fixture.click(fixture.middle(transfer));
    QCOMPARE(selection.pinned().kind, Object::Kind::Transfer);
    const auto& span = fixture.playback.record()->spans[static_cast<std::size_t>(selection.pinned().index)];
    QCOMPARE(span.startNs, fixture.view.timeline()->spans[static_cast<std::size_t>(transfer)].startNs);
    fixture.click(fixture.middle(fixture.firstBar(SpanKind::Compute)));
    QCOMPARE(selection.pinned().kind, Object::Kind::Layer);
    fixture.click({5, fixture.view.tracks().trackRect(1).center().y()});  // a track's name
    QVERIFY((selection.pinned() == Object{Object::Kind::Device, 1, -1}));
    // An object that is pinned in another view is marked here.
    const QImage before = fixture.view.grab().toImage();
    selection.pin({Object::Kind::Layer, 0, 0});
    QVERIFY(fixture.view.grab().toImage() != before);
    // A double click takes the stage to the bar's time.
    const std::int64_t update = fixture.firstBar(SpanKind::Update);
    QTest::mouseDClick(fixture.view.viewport(), Qt::LeftButton, {}, fixture.middle(update).toPoint());
    const Span& bar = fixture.view.timeline()->spans[static_cast<std::size_t>(update)];
    QTRY_VERIFY_WITH_TIMEOUT(fixture.playback.story().clockAt(fixture.playback.seconds()) >= bar.startNs - 1000,
                             kPatienceMs);
  }

  void tracesAreExportedAndOpenedThroughTheDialogs() {
    Fixture fixture;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("step.json"));
    const Timeline ours = *fixture.view.timeline();
    fixture.answerDialog("exportTrace", path);
    QVERIFY(QFile::exists(path));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.part<BreakdownStrip>("breakdownStrip").words().isEmpty(), kPatienceMs);
    const QString words = fixture.part<BreakdownStrip>("breakdownStrip").words();
    fixture.view.setFocus();
    for (int times = 0; times < 6; ++times) QTest::keyClick(&fixture.view, Qt::Key_W);
    for (int times = 0; times < 9; ++times) QTest::keyClick(&fixture.view, Qt::Key_D);
    fixture.answerDialog("openTrace", path);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.panel.isFileShown(), kPatienceMs);
    const Timeline& opened = *fixture.view.timeline();
    QCOMPARE(opened.spans.size(), ours.spans.size());
    // The same step gives the same numbers, and the view shows all of it, whatever the zoom was before.
    QVERIFY(opened.beginNs == ours.beginNs && opened.endNs == ours.endNs);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.part<BreakdownStrip>("breakdownStrip").words(), words, kPatienceMs);
    QVERIFY(fixture.view.axis().scale().beginNs <= double(ours.beginNs) &&
            fixture.view.axis().scale().endNs >= double(ours.endNs));
    for (int r = 0; r < 2; ++r)
      QCOMPARE(opened.breakdown(r, ours.beginNs, ours.endNs), ours.breakdown(r, ours.beginNs, ours.endNs));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("traceTitle").text().startsWith(QStringLiteral("step.json")),
                             kPatienceMs);
    // The opened file is exported under its own name, not as a step of the run.
    QTest::mouseClick(&fixture.part<QToolButton>("exportTrace"), Qt::LeftButton);
    QFileDialog* dialog = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((dialog = fixture.panel.findChild<QFileDialog*>()) != nullptr, kPatienceMs);
    QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text(), QStringLiteral("step.json"));
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.panel.findChild<QFileDialog*>() == nullptr, kPatienceMs);
    // The run goes on behind the file, and comes back when the file is closed.
    fixture.press(Qt::Key_W);
    QTest::mouseClick(&fixture.part<QToolButton>("closeTrace"), Qt::LeftButton);
    QVERIFY(!fixture.panel.isFileShown());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("traceTitle").text().startsWith(QStringLiteral("Step 1")),
                             kPatienceMs);

    QFile broken(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"traceEvents\":[");
    broken.close();
    fixture.answerDialog("openTrace", broken.fileName());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("traceComplaint").isVisible(), kPatienceMs);
    QVERIFY(fixture.part<QLabel>("traceComplaint").text().contains(QStringLiteral("broken.json")));
    QVERIFY(!fixture.panel.isFileShown());
    fixture.answerDialog("exportTrace", folder.filePath(QStringLiteral("none/step.json")));
    QVERIFY(fixture.view.timeline() != nullptr);
  }

  // Enter goes from bar to bar by time and starts again at the end; bars that share a row are found once.
  void searchGoesFromBarToBar() {
    Fixture fixture;
    auto& line = fixture.part<QLineEdit>("traceSearch");
    auto& found = fixture.part<QLabel>("traceFound");
    QTest::keyClicks(&line, QStringLiteral("Conv2D"));
    const std::vector<std::int64_t> bars = fixture.view.tracks().find(QStringLiteral("conv2d"));
    QVERIFY(bars.size() >= 4);  // forward and backward of two replicas
    QVERIFY(found.text().contains(QString::number(bars.size())));
    for (std::size_t i = 0; i <= bars.size(); ++i) {
      QTest::keyClick(&line, Qt::Key_Return);
      QCOMPARE(fixture.view.current(), bars[i % bars.size()]);
    }
    QCOMPARE(found.text(), QStringLiteral("1 of %1").arg(bars.size()));
    QTest::keyClick(&line, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(fixture.view.current(), bars.back());
    QVERIFY(fixture.window.selection().pinned().kind == Object::Kind::Layer);
    fixture.view.setFolded(true);
    QVERIFY(!fixture.view.tracks().canFold() ||
            fixture.view.tracks().find(QStringLiteral("conv2d")).size() < bars.size());
    QVERIFY(!fixture.view.tracks().find(QStringLiteral("transfer")).empty());  // a kind of span
    QTest::keyClick(&line, Qt::Key_Escape);
    QVERIFY(line.text().isEmpty() && !found.isVisible());
    QTest::keyClicks(&line, QStringLiteral("nothing is called that"));
    QCOMPARE(found.text(), QStringLiteral("none"));
  }

  // An arrow leads from one row to another, from the end of a bar to a bar that begins then or later.
  void arrowsLeadFromSenderToReceiver() {
    Fixture fixture;
    const std::vector<TraceArrows::Arrow> arrows = fixture.view.arrows().inSight();
    QVERIFY(!arrows.empty());
    for (const TraceArrows::Arrow& arrow : arrows) {
      QVERIFY(arrow.from.y() != arrow.to.y() && arrow.to.x() >= arrow.from.x() - 1);
      QVERIFY(!arrow.chosen);
    }
    // Arrows of the chosen transfer: one comes from a device, one goes to a device.
    const std::int64_t transfer = fixture.firstBar(SpanKind::Transfer);
    fixture.view.setCurrent(transfer, false);
    const QRectF bar = fixture.view.tracks().barRect(static_cast<std::size_t>(transfer));
    bool comes = false, goes = false;
    for (const TraceArrows::Arrow& arrow : fixture.view.arrows().inSight()) {
      if (!arrow.chosen) continue;
      comes |= std::abs(arrow.to.y() - bar.center().y()) < 1 && std::abs(arrow.to.x() - bar.left()) < 1;
      goes |= std::abs(arrow.from.y() - bar.center().y()) < 1 && std::abs(arrow.from.x() - bar.right()) <= 1;
    }
    QVERIFY(comes && goes);
    QTest::mouseClick(&fixture.part<QToolButton>("traceArrows"), Qt::LeftButton);
    QVERIFY(fixture.view.arrows().inSight().empty());
  }

  // Another program's trace appears as tracks below ours with its own time, and changes nothing in ours.
  void tracesOfOthersAreTracksBelow() {
    Fixture fixture;
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("theirs.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"name\":\"aten::linear\",\"pid\":1,\"tid\":2,\"ts\":1e9,"
        "\"dur\":50},{\"ph\":\"X\",\"name\":\"sgemm\",\"pid\":0,\"tid\":7,\"ts\":1000000020.5,\"dur\":10}]}");
    file.close();
    fixture.panel.refresh();
    const auto columnsOf = [&] { return fixture.part<BreakdownTable>("breakdown").columns(); };
    const std::size_t devices = columnsOf().size();
    const StageBreakdown first = columnsOf().front().breakdown;
    const QString totals = fixture.part<QLabel>("traceTotals").text();
    fixture.answerDialog("openTrace", file.fileName());
    auto& tracks = fixture.part<QWidget>("foreignTracks");
    QTRY_VERIFY_WITH_TIMEOUT(tracks.isVisible() && tracks.height() >= 100, kPatienceMs);
    QVERIFY(fixture.view.height() >= 70);  // both views have room
    QVERIFY(!fixture.panel.isFileShown());
    QCOMPARE(fixture.part<QLabel>("foreignFile").text(), QStringLiteral("theirs.json"));
    QVERIFY(fixture.part<QLabel>("foreignAbout").text().contains(QStringLiteral("PyTorch's profiler · 2 slices")));
    const TraceView& theirs = fixture.panel.foreign().view();
    QCOMPARE(theirs.timeline()->spans.size(), std::size_t{2});
    QVERIFY(theirs.timeline()->beginNs == 0 && theirs.timeline()->endNs == 50'000);
    fixture.panel.refresh();
    QVERIFY(columnsOf().size() == devices && columnsOf().front().breakdown == first);
    QCOMPARE(fixture.part<QLabel>("traceTotals").text(), totals);
    // The search finds its bars, too.
    QTest::keyClicks(&fixture.part<QLineEdit>("traceSearch"), QStringLiteral("sgemm"));
    QTest::keyClick(&fixture.part<QLineEdit>("traceSearch"), Qt::Key_Return);
    QVERIFY(theirs.current() != TraceView::kNone);
    QTest::mouseClick(&fixture.part<QToolButton>("closeForeign"), Qt::LeftButton);
    QVERIFY(!tracks.isVisible() && theirs.timeline() == nullptr);
  }

  void hiddenItDoesNothing() {
    Fixture fixture;
    fixture.window.panels().openTab(QStringLiteral("chartsTab"));  // covers the trace's tab
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.panel.isSeen(), kPatienceMs);
    const Timeline* before = fixture.view.timeline();
    fixture.playback.stepForward(Playback::Unit::Step);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.playback.step(), std::int64_t{2}, kPatienceMs);
    QCoreApplication::processEvents();
    QCOMPARE(fixture.view.timeline(), before);
    fixture.window.panels().openTab(QStringLiteral("traceTab"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.view.timeline() != before, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.part<QLabel>("traceTitle").text().startsWith(QStringLiteral("Step 2")),
                             kPatienceMs);
  }
};

QTEST_MAIN(TestTrace)
#include "tst_trace.moc"
