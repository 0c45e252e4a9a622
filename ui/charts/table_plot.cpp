// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/table_plot.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kChoiceWide = 14;  // in text sizes

// The points that have both values, from left to right.
Curve curveOf(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::uint32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::uint32_t i) { return std::isnan(x[i]) || std::isnan(y[i]); });
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return x[i]; });
  Curve curve;
  for (const std::uint32_t i : order) curve.append(x[i], y[i], i);
  return curve;
}

}  // namespace

TablePlot::TablePlot(ValueTable table, QWidget* parent) : QWidget(parent), table_(std::move(table)) {
  x_ = new QComboBox;
  x_->setObjectName(QStringLiteral("tableX"));
  x_->setAccessibleName(tr("Column along x"));
  x_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  x_->addItem(tr("Row"));
  y_ = new QListWidget;
  y_->setObjectName(QStringLiteral("tableY"));
  y_->setAccessibleName(tr("Columns along y"));
  const TableAxes usual = usualAxes(table_);
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    const QString name = QString::fromStdString(table_.columns[i].name);
    x_->addItem(name);
    auto* item = new QListWidgetItem(name, y_);
    item->setCheckState(i == usual.y ? Qt::Checked : Qt::Unchecked);
  }
  x_->setCurrentIndex(usual.x == TableAxes::kRowNumber ? 0 : static_cast<int>(usual.x) + 1);
  note_ = makeLabel({.name = "tableNote", .role = "quiet", .wraps = true});
  curves_ = new SeriesChart({}, SeriesChart::Scale::Linear);
  curves_->setObjectName(QStringLiteral("valueCurves"));
  curves_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);

  auto* choice = new QVBoxLayout;
  auto* along = new QLabel(tr("Along &x"));
  along->setBuddy(x_);
  auto* up = new QLabel(tr("Along &y"));
  up->setBuddy(y_);
  for (QWidget* part : std::initializer_list<QWidget*>{along, x_, up, y_, note_}) {
    part->setMaximumWidth(theme::em(kChoiceWide));
    choice->addWidget(part);
  }
  auto* row = new QHBoxLayout(this);
  row->addWidget(curves_, 1);
  row->addLayout(choice);
  connect(x_, &QComboBox::currentIndexChanged, this, &TablePlot::choose);
  connect(y_, &QListWidget::itemChanged, this, &TablePlot::choose);
  choose();
}

void TablePlot::choose() {
  std::vector<double> numbers(table_.rows);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  const int chosen = x_->currentIndex() - 1;
  const std::vector<double>& x = chosen < 0 ? numbers : at(table_.columns, chosen).values;
  std::vector<SeriesChart::Series> lines;
  QStringList names;
  std::int64_t points = 0, rows = 0;
  const QSignalBlocker quiet(y_);  // changing an icon would emit a change of its item
  for (int i = 0; i < y_->count(); ++i) {
    QListWidgetItem* item = y_->item(i);
    const bool shown = item->checkState() == Qt::Checked;
    item->setIcon(shown ? QIcon(runSwatch(i)) : QIcon());
    if (!shown) continue;
    Curve curve = curveOf(x, at(table_.columns, i).values);
    points += static_cast<std::int64_t>(curve.size());
    rows += static_cast<std::int64_t>(table_.rows);
    lines.push_back({item->text(), runColour(i), runStyle(i), std::move(curve)});
    names << item->text();
  }
  const QString gaps = rows == points ? QString()
                                      : QLatin1Char(' ') + tr("%Ln cells hold no number and are left out.", nullptr,
                                                              plural(rows - points));
  note_->setText(lines.empty() ? tr("Tick a column to see it.") : tr("%Ln points.", nullptr, plural(points)) + gaps);
  curves_->setAccessibleName(tr("%1 over %2").arg(names.join(QStringLiteral(", ")), x_->currentText()));
  curves_->setSeries(std::move(lines), x_->currentText(), false);
}

QDialog* showTablePlot(ValueTable table, const QString& name, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("tablePlot"));
  dialog->setWindowTitle(TablePlot::tr("%1, plotted").arg(name));
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(new TablePlot(std::move(table)), 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  column->addWidget(buttons);
  fitToScreen(*dialog, {56, 32});
  dialog->show();
  return dialog;
}

}  // namespace lab
