// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_panel.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QListView>
#include <QMenu>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/file.h"
#include "ui/charts/chart_bar.h"
#include "ui/charts/chart_table.h"
#include "ui/charts/metric_chart.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_menu.h"
#include "ui/runs/run_table.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kWide = 1.5;                          // a chart's usual shape
constexpr double kLeastWide = 14, kLeastHigh = 11;     // least size of a readable chart, in text sizes
constexpr double kWithLegend = 36, kWithBar = 14;      // least width and height of the panel, in text sizes
constexpr int kIntervalMs = 250, kLeisurelyMs = 1000;  // the time between the turns of two charts

// Names that are too long for the legend end in "…"; those of branches have it in the middle.
class NarrowItems final : public QStyledItemDelegate {
 public:
  NarrowItems(const RunTable& runs, const RunLibrary& library, QObject* parent)
      : QStyledItemDelegate(parent), runs_(runs), library_(library) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return {0, QStyledItemDelegate::sizeHint(option, index).height()};
  }

 protected:
  // A branch has its parent's name, and differs only in what comes after: "… from step 16 (fault)".
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const KeptRun* run = library_.find(runs_.idAt(index.row()));
    if (run != nullptr && !lineageOf(*run).empty()) option->textElideMode = Qt::ElideMiddle;
  }

 private:
  const RunTable& runs_;
  const RunLibrary& library_;
};

// As wide as the names need, because they differ at their ends; but most of the room belongs to the charts.
int legendWidth(const QWidget& legend, const RunLibrary& runs, int room) {
  QFont bold = legend.font();  // the present run's
  bold.setBold(true);
  const QFontMetrics metrics(bold);
  int widest = 0;
  for (const KeptRun& run : runs.runs()) widest = std::max(widest, metrics.horizontalAdvance(runs.nameOf(run)));
  const int least = theme::em(14.5);
  return std::clamp(widest + theme::em(5.5), least, std::max(least, room / 4));
}

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

ChartPanel::ChartPanel(RunController& controller, RunLibrary& library, RunTable& runs, QWidget* parent)
    : QWidget(parent), controller_(controller), library_(library), intervalMs_(kIntervalMs) {
  setProperty("role", QStringLiteral("panel"));
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &ChartPanel::refreshNext);
  for (const Quantity quantity : kQuantities) addChart(quantity);
  chosen_.assign(wanted_.size(), false);
  bar_ = new ChartBar(*this);
  legend_ = makeLegend(runs);

  auto* all = new QWidget;
  all->setProperty("role", QStringLiteral("panel"));
  grid_ = new QGridLayout(all);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(0);
  for (MetricChart* chart : charts_) {
    chart->setParent(all);
    chart->hide();
  }
  // If there are more charts than fit, the area scrolls.
  area_ = new QScrollArea;
  area_->setWidgetResizable(true);
  area_->setFocusPolicy(Qt::NoFocus);  // the charts take the focus
  area_->setAccessibleName(tr("Charts"));
  area_->setWidget(all);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  row->addWidget(area_, 1);
  row->addWidget(legend_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  column->addLayout(row, 1);
  connect(&controller_, &RunController::updated, this, &ChartPanel::schedule);
  for (auto signal : {&RunLibrary::added, &RunLibrary::removed, &RunLibrary::changed})
    connect(&library_, signal, this, [this] {
      fitChoice();
      for (MetricChart* chart : charts_)
        if (chart->isVisible()) chart->redraw();
    });
  connect(&library_, &RunLibrary::charted, this, [this] {
    arrange();
    refresh();
  });
  fitChoice();
  theme::follow(this, [this] { setOnlyLoss(onlyLoss_); });
}

void ChartPanel::addChart(Quantity quantity) {
  auto* chart = new MetricChart(quantity, library_, this);
  charts_.push_back(chart);
  wanted_.push_back(quantity == Quantity::Loss || quantity == Quantity::Accuracy);
  connect(chart, &MetricChart::pointClicked, this, &ChartPanel::pointClicked);
  connect(chart, &MetricChart::dragWanted, this, [this, chart] { Q_EMIT dragWanted(chart); });
  connect(&chart->ranges(), &ChartRanges::zoomed, this, [this] {
    bar_->refresh();
    Q_EMIT changed();
  });
  connect(chart, &MetricChart::menuWanted, this, [this, chart](const QPoint& at) {
    auto* menu = new QMenu(chart);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu, *chart);
    menu->popup(at);
  });
}

QListView* ChartPanel::makeLegend(RunTable& runs) {
  auto* legend = new QListView;
  legend->setObjectName(QStringLiteral("chartLegend"));
  legend->setAccessibleName(tr("Runs in the charts"));
  legend->setToolTip(
      tr("The check mark shows or hides a run; F2 renames it, Delete removes it, the right mouse button offers more"));
  legend->setFrameShape(QFrame::NoFrame);
  legend->setTextElideMode(Qt::ElideRight);
  legend->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  legend->setItemDelegate(new NarrowItems(runs, library_, legend));
  makeRunView(*legend, runs, library_);
  return legend;
}

ChartPanel::~ChartPanel() = default;

void ChartPanel::setOnlyLoss(bool only) {
  // beside the stage, which gets all spare room; 0: what the layout wants
  setMinimumWidth(only ? theme::em(13) : 0);
  onlyLoss_ = only;
  area_->setMinimumSize(theme::em(13), theme::em(only ? 6 : 8));
  arrange();
}

// Charts that the user has not chosen follow the runs: the clock of their times, and staleness and gradient noise if
// there are any.
void ChartPanel::fitChoice() {
  bool modelled = false, measured = false, stale = false, noise = false;
  for (const KeptRun& run : library_.runs()) {
    if (!library_.isCharted(run) || !run.header) continue;
    modelled = modelled || run.header->clock == TimeSource::Modelled;
    measured = measured || run.header->clock == TimeSource::Measured;
    stale = stale || !strategyInfo(run.resolved.strategy).synchronous;
    noise = noise || run.resolved.noiseScale;
  }
  const std::pair<Quantity, bool> usual[] = {{Quantity::MeasuredThroughput, measured || !modelled},
                                             {Quantity::ModelledThroughput, modelled},
                                             {Quantity::Staleness, stale},
                                             {Quantity::NoiseScale, noise}};
  for (const auto& [quantity, wanted] : usual) {
    const auto i = static_cast<std::size_t>(quantity);
    if (!chosen_[i]) wanted_[i] = wanted;
  }
  arrange();
}

void ChartPanel::arrange() {
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    const bool shown = onlyLoss_ ? kQuantities[i] == Quantity::Loss : wanted_[i];
    if (charts_[i]->isHidden() == shown) charts_[i]->setVisible(shown);
  }
  placeCharts();
  bar_->setVisible(!onlyLoss_ && height() >= theme::em(kWithBar));  // each chart's own menu has the same actions
  // If the legend would take too much room, each chart has its own.
  const auto* table = static_cast<const RunTable*>(legend_->model());
  int listed = 0;
  for (int row = 0; row < table->rowCount(); ++row) {
    const KeptRun* run = library_.find(table->idAt(row));
    const bool is =
        run != nullptr && (!run->shown || library_.isCharted(*run));  // a hidden run can be shown by its mark
    legend_->setRowHidden(row, !is);
    listed += is ? 1 : 0;
  }
  const bool several = !onlyLoss_ && listed > 1 && width() >= theme::em(kWithLegend);
  if (several) legend_->setFixedWidth(legendWidth(*legend_, library_, width()));
  legend_->setVisible(several);
  for (MetricChart* chart : charts_) {
    chart->setLegendBeside(several);
    chart->setBesideStage(onlyLoss_);
  }
  bar_->refresh();
}

// Chooses the number of columns that makes each chart's smaller side largest, for the shape of the room. If charts
// would be too small to read, uses as many columns as the width allows, and scrolls.
void ChartPanel::placeCharts() {
  std::vector<MetricChart*> shown;
  for (MetricChart* chart : charts_)
    if (!chart->isHidden()) shown.push_back(chart);
  const auto count = static_cast<int>(shown.size());
  const int most = std::max(1, area_->width() / theme::em(kLeastWide));
  int across = std::clamp(count, 1, most);
  double best = 0;
  for (int n = 1; n <= std::min(count, most); ++n) {
    const int rows = ceilDivide(count, n), high = area_->height() / rows;
    if (rows > 1 && high < theme::em(kLeastHigh)) continue;
    const double side = std::min(area_->width() / (kWide * n), static_cast<double>(high));
    if (side > best) std::tie(best, across) = std::pair(side, n);
  }
  const int rows = ceilDivide(count, across);
  for (int row = 0; row < std::max(rows, grid_->rowCount()); ++row)
    grid_->setRowMinimumHeight(row, rows > 1 && row < rows ? theme::em(kLeastHigh) : 0);
  if (shown == placed_ && across == across_) return;
  for (MetricChart* chart : charts_) grid_->removeWidget(chart);
  for (int i = 0; i < count; ++i) grid_->addWidget(at(shown, i), i / across, i % across);
  placed_ = std::move(shown);
  across_ = across;
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const auto crossed = [](int before, int now, double edge) {
    return (before >= theme::em(edge)) != (now >= theme::em(edge));
  };
  if (crossed(event->oldSize().width(), width(), kWithLegend) || crossed(event->oldSize().height(), height(), kWithBar))
    return arrange();
  placeCharts();
}

void ChartPanel::setWanted(Quantity quantity, bool wanted) {
  const auto i = static_cast<std::size_t>(quantity);
  wanted_[i] = wanted;
  chosen_[i] = true;
  arrange();
  Q_EMIT changed();
}

void ChartPanel::setOptions(const ChartOptions& options) {
  options_ = options;
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    ChartOptions own = options;
    if (kQuantities[i] == Quantity::Accuracy) own.logarithmic = false;
    if (kQuantities[i] == Quantity::LearningRate) own.smoothing = 0;  // a mean of rates would be one that no step had
    charts_[i]->setOptions(own);
  }
  bar_->refresh();
  Q_EMIT changed();
}

void ChartPanel::showAll() {
  for (MetricChart* chart : charts_) chart->ranges().showAll();
}

bool ChartPanel::isZoomed() const {
  return std::any_of(charts_.begin(), charts_.end(),
                     [](const MetricChart* chart) { return chart->ranges().isZoomed(); });
}

void ChartPanel::setLeisurely(bool leisurely) {
  intervalMs_ = leisurely ? kLeisurelyMs : kIntervalMs;
}

void ChartPanel::schedule() {
  if (!isVisible() || timer_.isActive()) return;
  const auto shown = std::count_if(charts_.begin(), charts_.end(), [](const MetricChart* c) { return c->isVisible(); });
  if (shown > 0) timer_.start(intervalMs_ / static_cast<int>(shown));
}

// Refreshes one chart per turn. After all have had theirs without another updated(), nothing is scheduled.
void ChartPanel::refreshNext() {
  if (library_.presentId() != 0) {
    const KeptRun* run = library_.find(library_.presentId());
    if (run != nullptr && run->header && run->metrics->steps.size() <= 1) fitChoice();
  }
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    MetricChart* chart = charts_[(next_ + i) % charts_.size()];
    if (!chart->isVisible()) continue;
    next_ = (next_ + i + 1) % charts_.size();
    chart->refresh();
    break;
  }
  // Charts that lag behind need the last metrics too, even if no more will come.
  for (const MetricChart* chart : charts_)
    if (chart->isVisible() && chart->lines().isBehind()) return schedule();
}

void ChartPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  schedule();
}

void ChartPanel::refresh() {
  timer_.stop();
  fitChoice();
  for (MetricChart* chart : charts_)
    if (chart->isVisible()) chart->redraw();
}

int ChartPanel::selectedRun() const {
  const QModelIndex index = legend_->currentIndex();
  const auto* table = static_cast<const RunTable*>(legend_->model());
  const int id = table->idAt(index.row());
  return id != 0 ? id : library_.presentId();
}

void ChartPanel::pointClicked(int run, std::int64_t step) {
  const auto& runs = library_.runs();
  const auto found = std::find_if(runs.begin(), runs.end(), [run](const KeptRun& kept) { return kept.id == run; });
  const auto* table = static_cast<const RunTable*>(legend_->model());
  if (const int row = table->rowOf(run); row >= 0) legend_->setCurrentIndex(table->index(row, 0));
  if (run == library_.presentId()) {
    Q_EMIT stepWanted(step);
  } else if (found != runs.end()) {
    Q_EMIT said(
        (found->settingsKnown
             ? tr("Step %1 of “%2” is stored as numbers only. Repeat the run to see its steps on the stage: the "
                  "same seed gives the same steps.")
             : tr("Step %1 of “%2” is stored as numbers only."))
            .arg(countText(step), library_.nameOf(*found)),
        false);
  }
}

// A chart's actions: copies, pictures, files, and its options for users who do not see the bar.

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

void ChartPanel::askForFile(const QString& title, const QString& filter, const QString& name,
                            const std::function<void(const QString&)>& write) {
  askForPath(this, this, {FileQuestion::Kind::Save, title, filter, name}, write);
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
