// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of long runs: a frame of panning, zooming and reading with the crosshair, and the cost of an update.
#include "window_bench.h"

#include <QMouseEvent>

#include "tests/ui/chart_fixture.h"
#include "ui/charts/metric_chart.h"

namespace lab::bench {
namespace {

using test::ChartFixture;
using test::madeUpMetrics;

constexpr int kFrames = 60;

struct Times {
  std::vector<double> wall, processor;  // ms
};

// The time of `act` and the repaint after it, frame by frame.
template <typename Act>
Times frames(MetricChart& chart, Act act) {
  Times times;
  for (int i = 0; i < kFrames; ++i) {
    QElapsedTimer since;
    since.start();
    const double began = threadSeconds();
    act(i);
    chart.repaint();
    times.processor.push_back(1000 * (threadSeconds() - began));
    times.wall.push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
  }
  return times;
}

void reportFrames(const std::string& what, const Times& times, double bound) {
  report(what + ", processor", quantileOf(times.processor, 0.5), "ms");
  report(what, quantileOf(times.wall, 0.5), "ms", Bound::AtMost, bound);
  report(what + ", 95 of 100", quantileOf(times.wall, 0.95), "ms", Bound::AtMost, bound);
}

}  // namespace

void measureCharts(const Options&) {
  constexpr double kFrameMs = 16, kZoomMs = 33, kUpdateMs = 8;
  for (const QSize size : {QSize(900, 400), QSize(1880, 420)}) {
    const std::string place = " at " + std::to_string(size.width()) + "x" + std::to_string(size.height());
    const auto show = [size](MetricChart& chart) {
      chart.resize(size);
      chart.show();
      waitFor(0.05);
      chart.redraw();
      chart.repaint();
    };
    {
      ChartFixture fixture;
      for (int i = 0; i < 4; ++i) fixture.add(madeUpMetrics(100'000, i));
      MetricChart loss(Quantity::Loss, fixture.library);
      show(loss);
      loss.ranges().zoom(0.5, 0.5, false);
      reportFrames("Pan, 4 series of 100,000 points" + place,
                   frames(loss, [&](int i) { loss.ranges().pan(i % 2 == 0 ? 0.013 : -0.011, 0); }), kFrameMs);
      reportFrames("Zoom, 4 series of 100,000 points" + place,
                   frames(loss, [&](int i) { loss.ranges().zoom(i % 40 < 20 ? 0.8 : 1.25, 0.4, false); }), kFrameMs);
    }
    {
      ChartFixture fixture;
      fixture.add(madeUpMetrics(1'000'000));
      MetricChart loss(Quantity::Loss, fixture.library);
      show(loss);
      reportFrames("Zoom, 1 series of 1,000,000 points" + place,
                   frames(loss, [&](int i) { loss.ranges().zoom(i % 40 < 20 ? 0.8 : 1.25, 0.4, false); }), kZoomMs);
    }
    {
      ChartFixture fixture;
      for (int i = 0; i < 16; ++i) fixture.add(madeUpMetrics(100'000, i));
      MetricChart loss(Quantity::Loss, fixture.library);
      show(loss);
      reportFrames("Crosshair, 16 series of 100,000 points" + place,
                   frames(loss,
                          [&](int i) {
                            const QPointF at(120 + 7 * i, 150);
                            QMouseEvent move(QEvent::MouseMove, at, loss.mapToGlobal(at), Qt::NoButton, {}, {});
                            QCoreApplication::sendEvent(&loss, &move);
                          }),
                   kFrameMs);
    }
  }
  // What the window pays four times a second while a run goes on: three charts that each have a turn.
  ChartFixture fixture;
  auto metrics = madeUpMetrics(20'000);
  fixture.add(metrics);
  double sum = 0;
  for (const Quantity quantity : {Quantity::Loss, Quantity::Accuracy, Quantity::ModelledThroughput}) {
    MetricChart chart(quantity, fixture.library);
    chart.resize(340, 180);
    chart.show();
    waitFor(0.05);
    sum += quantileOf(frames(chart,
                             [&](int) {
                               metrics->steps.push_back(metrics->steps.back());
                               ++metrics->steps.back().step;
                               chart.refresh();
                             })
                          .wall,
                      0.5);
  }
  report("Update of three charts of a run of 20,000 steps", sum, "ms", Bound::AtMost, kUpdateMs);
}

}  // namespace lab::bench
