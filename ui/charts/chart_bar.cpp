// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <cmath>

#include "core/base/at.h"
#include "ui/charts/chart_panel.h"
#include "ui/i18n/words.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kMostSmoothing = 99;

QToolButton* makeButton(const char* name, const QString& text, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(QLatin1String(name));
  made->setText(text);
  made->setToolTip(tip);
  made->setWhatsThis(tip);
  made->setFocusPolicy(Qt::TabFocus);
  made->setProperty("framed", true);
  return made;
}

}  // namespace

ChartBar::ChartBar(ChartPanel& panel) : panel_(panel) {
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  auto* row = new FlowLayout(this);
  row->setContentsMargins(theme::em(0.6), theme::em(0.15), theme::em(0.6), 0);
  row->setSpacing(theme::em(0.5));
  addChoice(*row);
  addAxis(*row);
  addSmoothing(*row);
  logarithmic_ = new QCheckBox(tr("Log"));
  logarithmic_->setObjectName(QStringLiteral("logarithmic"));
  logarithmic_->setFocusPolicy(Qt::TabFocus);
  logarithmic_->setToolTip(tr("Logarithmic y axes, except for accuracy. Values of 0 are marked at the bottom"));
  logarithmic_->setWhatsThis(logarithmic_->toolTip());
  connect(logarithmic_, &QCheckBox::clicked, this, [this](bool on) {
    ChartOptions options = panel_.options();
    options.logarithmic = on;
    panel_.setOptions(options);
  });
  row->addWidget(logarithmic_);

  all_ = makeButton("showAll", tr("Show all"), tr("Show the whole range again (double-click a chart)"));
  connect(all_, &QToolButton::clicked, this, [this] { panel_.showAll(); });
  row->addWidget(all_);
}

void ChartBar::addChoice(QLayout& row) {
  charts_ = makeButton("chooseCharts", tr("Charts ▾"), tr("Which charts are shown"));
  menu_ = new QMenu(charts_);
  for (const Quantity quantity : kQuantities) {
    QAction* action = menu_->addAction(wordsOf(quantity).name);
    action->setObjectName(QStringLiteral("show-") + QLatin1String(wordsOf(quantity).key));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, quantity](bool on) { panel_.setWanted(quantity, on); });
  }
  // Not setMenu(), because Qt would open that menu with an event loop of its own.
  connect(charts_, &QToolButton::clicked, menu_,
          [this] { menu_->popup(charts_->mapToGlobal(QPoint(0, charts_->height()))); });
  row.addWidget(charts_);
}

void ChartBar::addAxis(QLayout& row) {
  axis_ = new QComboBox;
  axis_->setObjectName(QStringLiteral("chartAxis"));
  axis_->setFocusPolicy(Qt::TabFocus);
  axis_->setMinimumWidth(theme::em(6));  // for a narrow dock
  axis_->setAccessibleName(tr("The x axis of the charts"));
  axis_->setToolTip(
      tr("The x axis of the charts. Seconds of this computer and of simulated devices are two axes: they are never "
         "mixed"));
  axis_->setWhatsThis(axis_->toolTip());
  for (const XAxis axis : kXAxes) axis_->addItem(nameOf(axis));
  connect(axis_, &QComboBox::activated, this, [this](int index) {
    ChartOptions options = panel_.options();
    options.axis = at(kXAxes, index);
    panel_.setOptions(options);
  });
  row.addWidget(axis_);
}

void ChartBar::addSmoothing(QLayout& row) {
  auto* label = new QLabel(tr("Smoothing"));
  smoothing_ = new QSlider(Qt::Horizontal);
  smoothing_->setObjectName(QStringLiteral("smoothing"));
  smoothing_->setRange(0, kMostSmoothing);
  smoothing_->setFocusPolicy(Qt::TabFocus);
  theme::follow(smoothing_, [this] { smoothing_->setFixedWidth(theme::em(7)); });
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(
      tr("A running mean in which each earlier point counts less by this factor; the values themselves stay in the "
         "background"));
  smoothing_->setWhatsThis(smoothing_->toolTip());
  label->setBuddy(smoothing_);
  label->setToolTip(smoothing_->toolTip());
  amount_ = new QLabel;
  amount_->setProperty("role", QStringLiteral("quiet"));
  amount_->setMinimumWidth(theme::em(2));
  connect(smoothing_, &QSlider::valueChanged, this, [this](int value) {
    ChartOptions options = panel_.options();
    options.smoothing = value / 100.0;
    panel_.setOptions(options);
  });
  auto* smooth = new QWidget;  // keeps the slider and its label together
  auto* together = new QHBoxLayout(smooth);
  together->setContentsMargins(0, 0, 0, 0);
  together->setSpacing(theme::em(0.5));
  for (QWidget* part :
       {static_cast<QWidget*>(label), static_cast<QWidget*>(smoothing_), static_cast<QWidget*>(amount_)})
    together->addWidget(part);
  row.addWidget(smooth);
}

void ChartBar::refresh() {
  const ChartOptions& options = panel_.options();
  const auto actions = menu_->actions();
  for (qsizetype i = 0; i < actions.size(); ++i) actions[i]->setChecked(panel_.isWanted(at(kQuantities, i)));
  const QSignalBlocker quiet(smoothing_);
  axis_->setCurrentIndex(static_cast<int>(options.axis));
  smoothing_->setValue(static_cast<int>(std::lround(100 * options.smoothing)));
  amount_->setText(options.smoothing > 0 ? numberText(options.smoothing, 'f', 2) : tr("off"));
  logarithmic_->setChecked(options.logarithmic);
  all_->setEnabled(panel_.isZoomed());
}

}  // namespace lab
