// SPDX-License-Identifier: GPL-3.0-or-later
// A chart's actions: copies, pictures, files, and its options for users who do not see the bar.
#include <QActionGroup>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>

#include <cmath>

#include "core/base/file.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/metric_chart.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_menu.h"

namespace lab {
namespace {

template <typename Act>
QAction* add(QMenu& where, const char* name, const QString& text, QObject* context, Act act) {
  QAction* action = where.addAction(text);
  action->setObjectName(QLatin1String(name));
  QObject::connect(action, &QAction::triggered, context, act);
  return action;
}

// Names the control of the bar that does the same.
void standFor(const char* control, const QList<QAction*>& actions) {
  for (QAction* action : actions) action->setProperty("control", QLatin1String(control));
}

}  // namespace

void ChartPanel::writeCsv(const QString& path, CsvScope scope, const MetricChart& chart) {
  auto runs = csvRuns(library_, scope, selectedRun(), chart);
  background_.run([runs = std::move(runs), path] { writeFileAtomically(path.toStdString(), metricsCsv(runs)); },
                  [this, path](const QString& failure) {
                    Q_EMIT said(failure.isEmpty() ? tr("Saved: %1").arg(path) : failure, !failure.isEmpty());
                  });
}

void ChartPanel::writePicture(const QString& path, MetricChart& chart) {
  try {
    savePicture(chart, path);
    Q_EMIT said(tr("Saved: %1").arg(path), false);
  } catch (const std::exception& error) {
    Q_EMIT said(coreSentence(error), true);
  }
}

void ChartPanel::copy(MetricChart& chart) {
  QGuiApplication::clipboard()->setMimeData(copyOf(chart, library_).release());
  Q_EMIT said(tr("Copied: the picture of “%1”, and its values as text").arg(chart.accessibleName()), false);
}

// Runs no event loop of its own, so that training and the window go on.
void ChartPanel::askForFile(const QString& title, const QString& filter, const QString& name,
                            const std::function<void(const QString&)>& write) {
  auto* dialog = new QFileDialog(this, title, name, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(name.section(QLatin1Char('.'), -1));
  connect(dialog, &QFileDialog::fileSelected, this, write);
  dialog->open();
}

void ChartPanel::fillMenu(QMenu& menu, MetricChart& chart) {
  fillOwn(menu, chart);
  menu.addSeparator();
  fillOptions(menu, chart);
  fillShown(menu);
  if (library_.runs().size() > 1) {
    menu.addSeparator();
    QMenu* runs = menu.addMenu(tr("&Runs"));
    for (auto run = library_.runs().rbegin(); run != library_.runs().rend(); ++run)
      fillRunMenu(*runs->addMenu(library_.nameOf(*run)), library_, run->id);
  }
}

void ChartPanel::fillMenu(QMenu& menu) {
  MetricChart* seen = nullptr;
  for (MetricChart* chart : charts_) {
    if (!chart->isVisible()) continue;
    fillOwn(*menu.addMenu(wordsOf(chart->lines().quantity()).name), *chart);
    seen = chart;
  }
  if (seen != nullptr) fillOptions(menu, *seen);
  fillShown(menu);
}

void ChartPanel::fillShown(QMenu& menu) {
  if (onlyLoss_) return;
  QMenu* which = menu.addMenu(tr("Shown"));
  for (const Quantity quantity : kQuantities)
    add(*which, "showChart", wordsOf(quantity).name, this,
        [this, quantity] { setWanted(quantity, !isWanted(quantity)); });
  standFor("chooseCharts", which->actions());
}

void ChartPanel::fillOwn(QMenu& menu, MetricChart& chart) {
  const QString file = QLatin1String(wordsOf(chart.lines().quantity()).key);
  add(menu, "copyChart", tr("&Copy picture and values"), this, [this, &chart] { copy(chart); });
  add(menu, "chartTableAct", tr("Show as &table"), this, [this, &chart] { showChartTable(chart, library_, this); });
  menu.addSeparator();
  add(menu, "savePng", tr("Save as &PNG…"), this, [this, &chart, file] {
    askForFile(tr("Save the chart"), tr("Pictures (*.png)"), file + QStringLiteral(".png"),
               [this, &chart](const QString& path) { writePicture(path, chart); });
  });
  add(menu, "saveSvg", tr("Save as &SVG…"), this, [this, &chart, file] {
    askForFile(tr("Save the chart"), tr("Pictures (*.svg)"), file + QStringLiteral(".svg"),
               [this, &chart](const QString& path) { writePicture(path, chart); });
  });
  QMenu* csv = menu.addMenu(tr("Save as CS&V"));
  const std::tuple<const char*, QString, CsvScope> scopes[] = {
      {"csvAll", tr("&All runs…"), CsvScope::All},
      {"csvSelected", tr("The &selected run…"), CsvScope::Selected},
      {"csvVisible", tr("The &visible range…"), CsvScope::Visible}};
  for (const auto& [name, text, scope] : scopes)
    add(*csv, name, text, this, [this, &chart, scope = scope] {
      askForFile(tr("Save the values"), tr("Comma-separated values (*.csv)"), QStringLiteral("runs.csv"),
                 [this, &chart, scope](const QString& path) { writeCsv(path, scope, chart); });
    });
}

void ChartPanel::fillOptions(QMenu& menu, MetricChart& chart) {
  QMenu* axes = menu.addMenu(tr("&Over"));
  for (const XAxis axis : kXAxes) {
    QAction* action = add(*axes, "axis", nameOf(axis), this, [this, axis] {
      ChartOptions options = options_;
      options.axis = axis;
      setOptions(options);
    });
    action->setCheckable(true);
    action->setChecked(axis == options_.axis);
  }
  standFor("chartAxis", axes->actions());
  QMenu* smoothing = menu.addMenu(tr("S&moothing"));
  for (const double amount : {0.0, 0.6, 0.9, 0.97}) {
    QAction* action = add(*smoothing, "smooth", amount > 0 ? numberText(amount) : tr("off"), this, [this, amount] {
      ChartOptions options = options_;
      options.smoothing = amount;
      setOptions(options);
    });
    action->setCheckable(true);
    action->setChecked(std::abs(amount - options_.smoothing) < 1e-9);
  }
  standFor("smoothing", smoothing->actions());
  QAction* logarithmic = add(menu, "logAct", tr("&Logarithmic"), this, [this] {
    ChartOptions options = options_;
    options.logarithmic = !options.logarithmic;
    setOptions(options);
  });
  standFor("logarithmic", {logarithmic});
  logarithmic->setCheckable(true);
  logarithmic->setChecked(options_.logarithmic);
  logarithmic->setEnabled(chart.lines().quantity() != Quantity::Accuracy);
  add(menu, "allAct", tr("Show &everything"), this, [this] { showAll(); })->setEnabled(isZoomed());
}

}  // namespace lab
