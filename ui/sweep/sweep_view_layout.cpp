// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the sweep's widgets, and the menu of files.
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/i18n/words.h"
#include "ui/sweep/coordinates_panel.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_form.h"
#include "ui/sweep/sweep_legend.h"
#include "ui/sweep/sweep_view.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/fitting.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kFormWide = 20, kNarrow = 60;  // in text sizes; in a narrower window the chart lies under the grid

QToolButton* makeButton(const char* name, const QString& text) {
  auto* button = new QToolButton;
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QComboBox* makeChoice(const char* name, const QString& accessible) {
  auto* list = new QComboBox;
  list->setObjectName(QLatin1String(name));
  list->setAccessibleName(accessible);
  list->setFocusPolicy(Qt::TabFocus);
  list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  theme::follow(list, [list] { list->setMinimumWidth(theme::em(9)); });  // can be narrower if letters are large
  return list;
}

}  // namespace

void SweepView::build() {
  form_ = new SweepForm;
  formArea_ = new FittingArea(form_);
  formArea_->setObjectName(QStringLiteral("sweepFormArea"));
  pictures_ = new QSplitter(Qt::Horizontal);
  pictures_->setChildrenCollapsible(false);
  pictures_->addWidget(makeGridSide());
  pictures_->addWidget(makeChartSide());
  parts_ = new QSplitter(Qt::Horizontal);
  parts_->setChildrenCollapsible(false);
  parts_->addWidget(formArea_);
  parts_->addWidget(pictures_);
  parts_->setStretchFactor(1, 1);
  message_ = makeLabel({.name = "sweepMessage", .wraps = true});
  message_->hide();
  example_ = makeLabel({.text = tr("<b>An example</b>, trained in advance: what a sweep looks like when it is done."),
                        .name = "sweepExample",
                        .wraps = true});
  inShort_ = makeLabel({.name = "sweepInShort", .role = "caption", .wraps = true});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(theme::em(0.4), theme::em(0.3), theme::em(0.4), theme::em(0.3));
  column->setSpacing(theme::em(0.3));
  column->addWidget(makeBar());
  column->addWidget(message_);
  column->addWidget(example_);
  column->addWidget(inShort_);
  column->addWidget(parts_, 1);
  formArea_->hide();
  connect(parts_, &QSplitter::splitterMoved, this, [this] { formMoved_ = true; });
  theme::follow(this, [this] { fitForm(); });
}

// As wide as its words need, if more than half of the width remains for the results.
void SweepView::fitForm() {
  const int wanted = form_->sizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + theme::em(0.4);
  const int wide = std::min(std::max(theme::em(kFormWide), wanted), width() * 2 / 5);
  parts_->setSizes({wide, std::max(1, width() - wide)});
  arrange();
}

void SweepView::arrange() {
  const int room = width() - (formArea_->isHidden() ? 0 : theme::em(kFormWide));
  const Qt::Orientation way = room < theme::em(kNarrow) ? Qt::Vertical : Qt::Horizontal;
  if (pictures_->orientation() == way) return;
  pictures_->setOrientation(way);
  pictures_->setSizes({1, 1});
}

QWidget* SweepView::makeBar() {
  auto* bar = new QWidget;
  auto* row = new FlowLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.5));
  minute_ = new QPushButton(tr("Sweep in a minute"));
  minute_->setObjectName(QStringLiteral("sweepPreset"));
  minute_->setDefault(true);
  theme::follow(minute_, [this] {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    minute_->setFont(strong);
    minute_->setMinimumHeight(theme::em(2.6));
  });
  minute_->setToolTip(
      tr("Trains the classroom's sweep: the built-in digits, 4 counts of replicas, 5 batches, 3 rules and 3 seeds, the "
         "coarse grid first. It ends within a minute; runs for which no time is left are not run."));
  plan_ = makeButton("sweepPlanShown", tr("Plan"));
  plan_->setCheckable(true);
  plan_->setToolTip(tr("Shows or hides the form with the sweep's plan"));
  start_ = makeButton("sweepStart", tr("Start"));
  limit_ = makeLabel({.name = "sweepLimit"});
  limit_->hide();
  retry_ = makeButton("sweepRetry", tr("Retry diverged"));
  pause_ = makeButton("sweepPause", tr("Pause"));
  pause_->setToolTip(tr("Every run waits at its next step"));
  cancel_ = makeButton("sweepCancel", tr("Cancel"));
  cancel_->setToolTip(
      tr("Finished runs are kept; “Go on” trains the rest at any time, also after a restart of the program"));
  progress_ = new QProgressBar;
  progress_->setObjectName(QStringLiteral("sweepProgress"));
  progress_->setToolTip(tr("Finished runs, of all that can be trained"));
  progress_->setAccessibleName(tr("Finished runs of the sweep"));
  theme::follow(progress_, [this] { progress_->setFixedWidth(theme::em(14)); });
  left_ = makeLabel({.name = "sweepLeft"});
  menu_ = makeButton("sweepMenu", tr("Files ▾"));
  menu_->setToolTip(tr("Open and save the sweep, export its cells and its chart"));
  auto* menu = new QMenu(menu_);
  fillMenu(*menu);
  // Not setMenu(), because Qt would open that menu with an event loop of its own.
  connect(menu_, &QToolButton::clicked, menu,
          [this, menu] { menu->popup(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
  for (QWidget* part : std::initializer_list<QWidget*>{minute_, plan_, start_, limit_, retry_, pause_, cancel_,
                                                       progress_, left_, menu_})
    row->addWidget(part);
  connect(plan_, &QToolButton::toggled, this, [this](bool shown) {
    formArea_->setVisible(shown);
    inShort_->setVisible(!shown);
    fitForm();
  });
  connect(minute_, &QPushButton::clicked, this, &SweepView::sweepInAMinute);
  connect(start_, &QToolButton::clicked, this, &SweepView::start);
  connect(retry_, &QToolButton::clicked, this, &SweepView::retryDiverged);
  connect(pause_, &QToolButton::clicked, this, &SweepView::pauseOrGoOn);
  connect(cancel_, &QToolButton::clicked, this, &SweepView::cancel);
  return bar;
}

QWidget* SweepView::makeGridSide() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::em(0.2));
  quantity_ = makeChoice("sweepQuantity", tr("What the cells show"));
  for (int i = 0; i < kSweepQuantities; ++i) quantity_->addItem(quantityName(static_cast<SweepQuantity>(i), true));
  quantity_->setToolTip(tr("Number and colour of the cells. Times of simulated devices are modelled"));
  rule_ = makeChoice("sweepRule", tr("Of which learning-rate rule"));
  rule_->setToolTip(tr("Each cell shows the rule that does best in it, or one rule throughout"));
  auto* choices = new QWidget;
  auto* row = new FlowLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.4));
  row->addWidget(quantity_);
  row->addWidget(rule_);
  axes_ = makeLabel({.role = "caption", .wraps = true});
  grid_ = new SweepGrid(model_);
  grid_->setWhatsThis(
      tr("<p>Rows and columns are the two axes. A number is the mean over the seeds, with the standard "
         "deviation below; the stronger the colour, the better. A frame marks the best of its row. A click, "
         "or Enter, puts that run on the stage.</p>"));
  legend_ = new SweepLegend;
  column->addWidget(choices);
  column->addWidget(axes_);
  column->addWidget(grid_, 1);
  column->addWidget(legend_);
  connect(quantity_, &QComboBox::activated, this, [this](int i) {
    model_.setQuantity(static_cast<SweepQuantity>(i));
    refreshChart();
  });
  connect(rule_, &QComboBox::activated, this,
          [this] { model_.setRule(rule_->currentData().toString().toStdString()); });
  return side;
}

QWidget* SweepView::makeChartSide() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::em(0.2));
  kind_ = makeChoice("sweepChartKind", tr("Chart"));
  for (int i = 0; i < kSweepCharts; ++i) kind_->addItem(chartName(static_cast<SweepChartKind>(i), true), i);
  kind_->addItem(tr("Parallel coordinates"), kSweepCharts);
  logX_ = new QCheckBox(tr("log x"));
  logY_ = new QCheckBox(tr("log y"));
  logX_->setAccessibleName(tr("Logarithmic x axis"));
  logY_->setAccessibleName(tr("Logarithmic y axis"));
  logX_->setToolTip(tr("Equal distances are equal factors: perfect scaling is a straight line"));
  logY_->setToolTip(logX_->toolTip());
  kind_->setToolTip(tr("One chart of the same cells"));
  logX_->setObjectName(QStringLiteral("sweepLogX"));
  logY_->setObjectName(QStringLiteral("sweepLogY"));
  chart_ = new SweepChart;
  coordinates_ = new CoordinatesPanel(run_);
  coordinates_->hide();
  caption_ = makeLabel({.name = "sweepCaption", .role = "caption", .wraps = true, .selectable = true});
  auto* choices = new QWidget;
  auto* row = new FlowLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.4));
  for (QWidget* part : std::initializer_list<QWidget*>{kind_, logX_, logY_}) row->addWidget(part);
  column->addWidget(choices);
  column->addWidget(chart_, 1);
  column->addWidget(caption_);
  column->addWidget(coordinates_, 1);
  for (QCheckBox* box : {logX_, logY_}) {
    box->setChecked(true);
    connect(box, &QCheckBox::toggled, this, [this] { chart_->setLogarithmic(logX_->isChecked(), logY_->isChecked()); });
  }
  connect(kind_, &QComboBox::activated, this, &SweepView::refreshChart);
  return side;
}

void SweepView::fillMenu(QMenu& menu) {
  const auto add = [&](const char* name, const QString& text, auto act) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    connect(action, &QAction::triggered, this, act);
  };
  add("sweepOpen", tr("Open a sweep…"), [this] {
    askForFile(false, tr("Open a sweep"), tr("Experiments (*.slab)"), {}, [this](const QString& path) { open(path); });
  });
  add("sweepSave", tr("Save the sweep…"), [this] {
    askForFile(true, tr("Save the sweep"), tr("Experiments (*.slab)"), tr("sweep.slab"),
               [this](const QString& path) { save(path); });
  });
  menu.addSeparator();
  add("sweepCsv", tr("Cells as CSV…"), [this] {
    askForFile(true, tr("Cells as CSV, one row per evaluation"), tr("CSV (*.csv)"), tr("sweep.csv"),
               [this](const QString& path) { writeCsv(path); });
  });
  add("sweepEvents", tr("Cells for TensorBoard…"), [this] {
    askForFile(true, tr("A folder for TensorBoard"), {}, tr("sweep-events"),
               [this](const QString& path) { writeEvents(path); });
  });
  add("sweepPicture", tr("Chart as picture…"), [this] {
    askForFile(true, tr("Chart as picture"), tr("Pictures (*.png *.svg *.pdf)"), tr("sweep.png"),
               [this](const QString& path) { writePicture(path); });
  });
}

// Runs no event loop of its own, so that the sweep goes on.
void SweepView::askForFile(bool saves, const QString& title, const QString& filter, const QString& name,
                           const std::function<void(const QString&)>& act) {
  auto* dialog = new QFileDialog(this, title, name, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(saves ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
  dialog->setFileMode(saves ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
  if (saves && name.contains(QLatin1Char('.'))) dialog->setDefaultSuffix(name.section(QLatin1Char('.'), -1));
  connect(dialog, &QFileDialog::fileSelected, this, act);
  dialog->open();
}

}  // namespace lab
