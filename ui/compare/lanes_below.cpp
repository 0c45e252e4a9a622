// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lanes_below.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QStyle>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/charts/series_chart.h"
#include "ui/compare/lane_charts.h"
#include "ui/compare/lane_pointing.h"
#include "ui/compare/lane_table.h"
#include "ui/compare/lane_traces.h"
#include "ui/lanes/unequal.h"
#include "ui/theme/fitting.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/icons.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kBelowMs = 200;          // shortest interval, while the movies run
constexpr int kBelowExpressMs = 1000;  // in Express, where refreshing slows down training

}  // namespace

LanesBelow::LanesBelow(Lanes& lanes, QWidget* parent) : QTabWidget(parent), lanes_(lanes) {
  setObjectName(QStringLiteral("lanesBelow"));
  setDocumentMode(true);
  tabBar()->setAccessibleName(tr("Under the lanes"));
  tabBar()->setUsesScrollButtons(true);
  tabBar()->setElideMode(Qt::ElideNone);
  charts_ = new LaneCharts(lanes_);
  traces_ = new LaneTraces(lanes_);
  pointing_ = new LanePointing(lanes_);
  addTab(makeTable(), tr("Table"));
  addTab(makeDistances(), tr("Weights"));
  addTab(charts_, tr("Charts"));
  addTab(traces_, tr("Traces"));
  addTab(pointing_, tr("Pointed at"));
  fold_ = new QToolButton;
  fold_->setObjectName(QStringLiteral("foldLanesBelow"));
  fold_->setAutoRaise(true);
  fold_->setWhatsThis(tr("More room for the lanes. A click on a tab unfolds it again."));
  connect(fold_, &QToolButton::clicked, this, [this] { setFolded(!folded_); });
  setCornerWidget(fold_);
  setFolded(false);
  connect(this, &QTabWidget::tabBarClicked, this, [this] { setFolded(false); });
  connect(this, &QTabWidget::currentChanged, this, &LanesBelow::refresh);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &LanesBelow::refresh);
  const auto schedule = [this] {
    if (folded_ || !isVisible() || timer_.isActive()) return;
    timer_.start(lanes_.at(0).playback().mode() == Playback::Mode::Express ? kBelowExpressMs : kBelowMs);
  };
  connect(&lanes_, &Lanes::moved, this, schedule);
  connect(&lanes_, &Lanes::changed, this, schedule);
  connect(&lanes_, &Lanes::baselineChanged, this, schedule);
}

QWidget* LanesBelow::makeTable() {
  table_ = new LaneTable(lanes_, this);
  auto* page = new QWidget;
  page->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(page);
  column->addWidget(makeLaneTableView(*table_), 1);
  column->setContentsMargins(0, 0, 0, 0);
  return page;
}

QWidget* LanesBelow::makeDistances() {
  distances_ = new SeriesChart(tr("Weight distance, ‖w − b‖ / ‖b‖, b: the baseline's"), SeriesChart::Scale::Distances);
  sentences_ = makeLabel({.name = "distanceSentences", .wraps = true, .plain = true});
  sentences_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  sentences_->setProperty("role", QStringLiteral("panel"));
  theme::follow(sentences_, [this] { sentences_->setMargin(theme::em(0.4)); });
  auto* words = new FittingArea(sentences_, tr("What the weights' distances say"));
  auto* page = new QWidget;
  page->setProperty("role", QStringLiteral("panel"));
  auto* side = new QVBoxLayout;
  side->addWidget(makeSearch());
  side->addWidget(words, 1);
  auto* row = new QHBoxLayout(page);
  row->addWidget(distances_, 3);
  row->addLayout(side, 2);
  row->setContentsMargins(0, 0, 0, 0);
  return page;
}

QWidget* LanesBelow::makeSearch() {
  difference_ = new DifferenceSearch(lanes_, this);
  using Which = DifferenceSearch::Which;
  auto* search = new QWidget;
  auto* buttons = new FlowLayout;
  theme::follow(search, [buttons] { buttons->setSpacing(theme::em(0.4)); });
  const auto add = [&](const char* name, const QString& text, const QString& tip, Which which) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty("framed", true);
    connect(button, &QToolButton::clicked, this, [this, which] { difference_->search(which); });
    buttons->addWidget(button);
  };
  add("firstDifference", tr("First difference"),
      tr("Goes to the first step after which the weights of the lane with the focus differ in any bit (D)"),
      Which::First);
  add("previousDifference", tr("Previous"),
      tr("Goes back to where the weights of a lane begin to differ, and shows the cause (Shift+N)"), Which::Previous);
  add("nextDifference", tr("Next"),
      tr("Goes on to where the weights of a lane begin to differ, and shows the cause (N)"), Which::Next);
  found_ = makeLabel({.name = "differenceFound", .wraps = true, .plain = true});
  found_->hide();  // an empty line would take room from the sentences
  connect(difference_, &DifferenceSearch::changed, this, [this] {
    found_->setText(difference_->words());
    found_->setVisible(!difference_->words().isEmpty());
  });
  auto* column = new QVBoxLayout(search);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(buttons);
  column->addWidget(found_);
  return search;
}

void LanesBelow::setFolded(bool folded) {
  const bool other = folded != folded_;
  folded_ = folded;
  fold_->setIcon(icon(folded ? Icon::Right : Icon::Down));
  fold_->setToolTip(folded ? tr("Unfold what is under the lanes") : tr("Fold away what is under the lanes"));
  fold_->setAccessibleName(fold_->toolTip());
  setMaximumHeight(folded ? tabBar()->sizeHint().height() : QWIDGETSIZE_MAX);
  updateGeometry();
  if (!other) return;
  if (!folded) refresh();
  Q_EMIT foldedChanged(folded);
}

int LanesBelow::wantedHeight() const {
  constexpr double kEms[] = {8, 14, 22, 22, 12};  // of the tabs
  if (folded_) return tabBar()->sizeHint().height();
  const int wanted = theme::em(kEms[std::max(0, currentIndex())]);
  return currentIndex() > 0 ? wanted : std::max(wanted, tableHeight());
}

int LanesBelow::tableHeight() const {
  const auto* table = findChild<const QTableView*>(QStringLiteral("laneTable"));
  // Includes the scroll bar that appears when a time gets one more digit: lanes do not change their height for that.
  const int row = table->verticalHeader()->defaultSectionSize(),
            bar = table->horizontalScrollBar()->sizeHint().height();
  const int rows = std::max(3 * row, static_cast<int>(lanes_.count()) * row + bar);
  return tabBar()->sizeHint().height() + table->horizontalHeader()->sizeHint().height() + rows + theme::em(0.3);
}

// At 1280×720 there is room for the table, the weights and the object pointed at below lanes with their stages. A table
// that left lanes out would be mistaken for a complete one.
int LanesBelow::leastHeight() const {
  constexpr double kEms[] = {6.5, 9.5, 13.5, 13.5, 6.5};  // of the tabs
  const int least = theme::em(kEms[std::max(0, currentIndex())]);
  return folded_ ? wantedHeight() : currentIndex() > 0 ? least : std::max(least, tableHeight());
}

QSize LanesBelow::minimumSizeHint() const {
  return {theme::em(12), folded_ ? tabBar()->sizeHint().height() : theme::em(5)};
}

void LanesBelow::refreshDistances() {
  const std::size_t base = lanes_.baseline();
  std::vector<SeriesChart::Series> series;
  QStringList words;
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    if (i == base) continue;
    const Lane& lane = lanes_.at(i);
    SeriesChart::Series line{lane.name(), laneColour(lane), Qt::SolidLine, {}};
    for (const DistanceCurve::Point& point : lane.distance.points())
      line.curve.append(static_cast<double>(point.step), point.distance, 0);
    series.push_back(std::move(line));
    words << tr("%1: %2", "lane, sentence").arg(lane.name(), distanceWords(lane, lanes_.at(base)));
  }
  if (words.isEmpty()) words << tr("There is one lane. Compare it with another.");
  distances_->setSeries(std::move(series), tr("step"));
  sentences_->setText(words.join(QStringLiteral("\n\n")));
}

void LanesBelow::refresh() {
  timer_.stop();
  if (folded_) return;
  switch (currentIndex()) {
    case 0:
      table_->refresh();
      Q_EMIT wantedChanged();  // its head may have a second line now
      return;
    case 1:
      return refreshDistances();
    case 2:
      return charts_->refresh();
    case 3:
      return traces_->refresh();
    default:
      return pointing_->refresh();
  }
}

}  // namespace lab
