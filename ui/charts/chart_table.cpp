// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/at.h"
#include "ui/charts/metric_chart.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QVariant cell(double value) {
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);  // so that copied numbers can be pasted into tables
  return std::isnan(value) ? QVariant() : QVariant(locale.toString(value, 'g', 9));
}

void copySelection(const QTableView& view) {
  QModelIndexList indexes = view.selectionModel()->selectedIndexes();
  std::sort(indexes.begin(), indexes.end());
  QString text;
  for (qsizetype i = 0; i < indexes.size(); ++i) {
    if (i > 0) text += indexes[i].row() == indexes[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
    text += indexes[i].data().toString();
  }
  QApplication::clipboard()->setText(text);
}

}  // namespace

ChartTable::ChartTable(const MetricChart& chart, const RunLibrary& library, QObject* parent)
    : QAbstractTableModel(parent),
      smooth_(chart.lines().options().smoothing > 0),
      tested_(isTested(chart.lines().quantity())) {
  const QuantityWords words = wordsOf(chart.lines().quantity());
  names_ << tr("Run") << tr("Step") << nameOf(chart.lines().options().axis) << tr("%1, %2").arg(words.name, words.each);
  if (smooth_) names_ << tr("smoothed");
  if (tested_) names_ << tr("test images");
  const Range visible = chart.scale().x;
  for (const KeptRun& run : library.runs()) {
    const Curve* each = chart.lines().curve(run.id, ChartLines::Kind::Each);
    if (!library.isCharted(run) || each == nullptr) continue;
    const Curve* smoothed = chart.lines().curve(run.id, ChartLines::Kind::Smoothed);
    const Curve* test = chart.lines().curve(run.id, ChartLines::Kind::Test);
    const QString name = library.nameOf(run);
    std::map<std::int64_t, double> tests;
    for (std::size_t i = 0; i < test->size(); ++i) tests[run.metrics->evaluations.at(test->tag(i)).step] = test->y(i);
    for (std::size_t i = 0; i < each->size(); ++i) {
      if (each->x(i) < visible.from || each->x(i) > visible.to) continue;
      const std::int64_t step = run.metrics->steps.at(each->tag(i)).step;
      const auto tested = tests.find(step);
      rows_.push_back({name, step, each->x(i), each->y(i), smooth_ ? smoothed->y(i) : kNone,
                       tested == tests.end() ? kNone : tested->second});
    }
  }
}

int ChartTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ChartTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(names_.size());
}

QVariant ChartTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole && index.column() > 0)
    return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const Row& row = at(rows_, index.row());
  switch (index.column()) {
    case 0:
      return row.run;
    case 1:
      return static_cast<qlonglong>(row.step);
    case 2:
      return cell(row.x);
    case 3:
      return cell(row.each);
    case 4:
      return cell(smooth_ ? row.smoothed : row.test);
    default:
      return cell(row.test);
  }
}

QVariant ChartTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return section >= 0 && section < names_.size() ? QVariant(names_[section]) : QVariant();
}

QDialog* showChartTable(const MetricChart& chart, const RunLibrary& library, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("chartTable"));
  dialog->setWindowTitle(ChartTable::tr("%1 as a table").arg(chart.accessibleName()));
  auto* view = new QTableView;
  view->setModel(new ChartTable(chart, library, view));
  view->setAccessibleName(dialog->windowTitle());
  view->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  view->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  view->horizontalHeader()->setMinimumSectionSize(theme::em(5));
  view->setColumnHidden(2, chart.lines().options().axis == XAxis::Steps);  // the steps are there already
  view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view->setWordWrap(false);
  auto* copy = new QAction(view);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, view, [view] { copySelection(*view); });
  view->addAction(copy);
  auto* note =
      new QLabel(ChartTable::tr("Points in the range shown, when this was opened: %1. Select and press Ctrl+C to copy.")
                     .arg(countText(view->model()->rowCount())));
  note->setProperty("role", QStringLiteral("quiet"));
  note->setWordWrap(true);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(note);
  column->addWidget(view, 1);
  fitToScreen(*dialog, {54, 34});
  dialog->show();
  return dialog;
}

}  // namespace lab
