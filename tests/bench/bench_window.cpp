// SPDX-License-Identifier: GPL-3.0-or-later
// The window's figures, one per line: what was measured, its bound, and "ok" or "over". Speed is no test: the exit code
// is 0 unless something could not be measured at all.
#include "window_bench.h"

#include <QCommandLineParser>
#include <QScreen>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>

#include "core/base/platform.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"

namespace {

using namespace lab;
using namespace lab::bench;

int run(QApplication& app) {
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addOptions(
      {{QStringLiteral("data-dir"), QStringLiteral("train on the MNIST files in there"), QStringLiteral("FOLDER")},
       {QStringLiteral("size"), QStringLiteral("of the window"), QStringLiteral("WIDTHxHEIGHT"),
        QStringLiteral("1920x1080")},
       {QStringLiteral("only"), QStringLiteral("this figure, 1 to 12; may be repeated"), QStringLiteral("N")},
       {QStringLiteral("rounds"), QStringLiteral("of the speeds that are compared"), QStringLiteral("N"),
        QStringLiteral("3")},
       {QStringLiteral("longer"), QStringLiteral("watch so many times as long"), QStringLiteral("FACTOR"),
        QStringLiteral("1")},
       {QStringLiteral("paint-once"), QStringLiteral("what figure 1 starts")}});
  parser.process(app);
  Options options;
  options.program = QCoreApplication::applicationFilePath().toStdString();
  options.dataDir = parser.value(QStringLiteral("data-dir")).toStdString();
  options.rounds = std::max(1, parser.value(QStringLiteral("rounds")).toInt());
  options.seconds = std::max(0.1, parser.value(QStringLiteral("longer")).toDouble());
  for (const QString& number : parser.values(QStringLiteral("only"))) options.only.push_back(number.toInt());
  const QStringList sides = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
  options.size = QSize(sides.front().toInt(), sides.back().toInt());
  if (sides.size() != 2 || options.size.width() < 640 || options.size.height() < 360) {
    std::fprintf(stderr, "bench_window: --size: give WIDTHxHEIGHT in pixels, such as 1920x1080\n");
    return 2;
  }

  theme::setTextSize(theme::textSizeFor(options.size.height()));
  if (parser.isSet(QStringLiteral("paint-once"))) return paintOnce(options);
  theme::apply(app);

  remark("The window at " + std::to_string(options.size.width()) + "x" + std::to_string(options.size.height()) +
         " on " + QGuiApplication::platformName().toStdString());
  void (*const figures[])(const Options&) = {measureFirstPaint, measureLive,         measureSlowdown, measureIdle,
                                             measureMemory,     measureSteppingBack, measureSwitches, measureCharts,
                                             measureLanes,      measureLanesBack,    measureMovies,   measureClass};
  bool failed = false;
  for (int i = 0; i < static_cast<int>(std::size(figures)); ++i) {
    if (!options.only.empty() && std::ranges::find(options.only, i + 1) == options.only.end()) continue;
    remark("Load of the machine: " + machineLoad());
    try {
      figures[i](options);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench_window: figure %d: %s\n", i + 1, error.what());
      failed = true;
    }
  }
  return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  returnFreedMemoryToOs();  // as the program does
  QApplication app(argc, argv);
  return run(app);
}
