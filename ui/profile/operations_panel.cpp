// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/operations_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/prediction/step_timeline.h"
#include "core/prediction/what_if.h"
#include "core/replicas/labels.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/profile/first_changes.h"
#include "ui/profile/operation_model.h"
#include "ui/profile/roofline_chart.h"
#include "ui/runview/run_controller.h"
#include "ui/step/selection.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kRefreshMs = 150;
constexpr double kLeastTable = 6;  // in text sizes: its head and two rows
constexpr double kBesideEm = 70;   // from this width on, table and roofline stand side by side

class RoomyCells final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(theme::em(0.6), 0);
  }
};

QToolButton* headButton(const char* name, const QString& text, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(QLatin1String(name));
  made->setText(text);
  made->setToolTip(tip);
  made->setAccessibleName(text);
  made->setProperty("framed", true);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

// A part of a splitter, which gives it the room of its words as they wrap.
class WrappingPart final : public QWidget {
 public:
  QSize minimumSizeHint() const override {
    const int least = layout()->totalMinimumSize().width();
    return {least, layout()->totalMinimumHeightForWidth(std::max(least, width()))};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    if (event->size().width() != event->oldSize().width()) updateGeometry();
  }
};

// Takes any height from the least of its parts on, as the table and the panel scroll. (A panel that has wrapping words
// is given its preferred height.)
class LowSplitter final : public QSplitter {
 public:
  using QSplitter::QSplitter;
  QSize sizeHint() const override { return minimumSizeHint(); }
};

// The step does not wait for replicas that it leaves out.
std::vector<StageBreakdown> devicesThatCount(const RunInfo& info, const StepRecord& record, const Timeline& timeline) {
  const std::vector<StageBreakdown> all = anchorOf(info, record, timeline).breakdowns;
  std::vector<StageBreakdown> counted;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (!record.metric.leavesOut(static_cast<int>(r))) counted.push_back(all[r]);
  return counted;
}

}  // namespace

OperationsPanel::OperationsPanel(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback), selection_(selection) {
  setProperty("role", QStringLiteral("panel"));
  model_ = new OperationModel(this);
  makeTable();
  chart_ = new RooflineChart;
  roofWords_ = makeLabel({.name = "roofWords", .role = "caption", .wraps = true});
  words_ = makeLabel({.name = "boundWords", .wraps = true, .selectable = true});
  complaint_ = makeLabel({.name = "operationsComplaint", .role = "error", .wraps = true});
  complaint_->hide();
  auto* beside = new WrappingPart;
  auto* about = new QVBoxLayout(beside);
  theme::follow(beside, [about] {
    about->setContentsMargins(0, 0, theme::em(0.3), theme::em(0.3));
    about->setSpacing(theme::em(0.3));
  });
  about->addWidget(chart_, 1);
  about->addWidget(roofWords_);
  about->addWidget(words_);
  split_ = new LowSplitter(Qt::Horizontal);
  split_->addWidget(table_);
  split_->addWidget(beside);
  split_->setStretchFactor(0, 2);
  split_->setStretchFactor(1, 1);
  split_->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHead());
  column->addWidget(complaint_);
  column->addWidget(split_, 1);
  first_ = makeLabel({.name = "firstChanges", .wraps = true, .selectable = true});
  theme::follow(first_,
                [this] { first_->setContentsMargins(theme::em(0.8), theme::em(0.2), theme::em(0.8), theme::em(0.2)); });
  column->addWidget(first_);
  followAll();
}

QWidget* OperationsPanel::makeHead() {
  title_ = makeLabel({.name = "operationsTitle", .role = "strong"});
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("operationsSearch"));
  search_->setPlaceholderText(tr("Search"));
  search_->setAccessibleName(tr("Search the operations"));
  search_->setToolTip(tr("Shows the operations whose name or kind has these letters"));
  search_->setClearButtonEnabled(true);
  theme::follow(search_, [this] { search_->setFixedWidth(theme::em(12)); });
  export_ = headButton("exportOperations", tr("Export…"), tr("All operations as CSV, for a spreadsheet"));
  measure_ = headButton("measurePeak", tr("Measure the roofs"),
                        tr("Measures what this processor and its memory can do at most, in half a second. Other work "
                           "at the same time lowers both, so pause the training first."));
  measure_->hide();
  auto* head = new QWidget;
  auto* row = new FlowLayout(head);
  row->setSpacing(theme::em(0.5));
  row->setContentsMargins(theme::em(0.8), theme::em(0.3), theme::em(0.8), theme::em(0.3));
  for (QWidget* each : {static_cast<QWidget*>(title_), static_cast<QWidget*>(search_), static_cast<QWidget*>(export_),
                        static_cast<QWidget*>(measure_)})
    row->addWidget(each);
  return head;
}

void OperationsPanel::makeTable() {
  table_ = new QTableView;
  order_ = makeOperationOrder(*model_, table_);
  table_->setObjectName(QStringLiteral("operations"));
  table_->setAccessibleName(tr("Operations of the step"));
  table_->setWhatsThis(
      tr("Every operation of the step: how often it ran, how long, and what it computed. Each instant of a device "
         "belongs to one operation, so the shares add up to 100 %, and to the breakdown beside the trace, to the "
         "nanosecond. Click the head of a column to sort."));
  table_->setModel(order_);
  table_->setItemDelegate(new RoomyCells(table_));
  table_->setSortingEnabled(true);
  table_->sortByColumn(static_cast<int>(OperationModel::Column::Share), Qt::DescendingOrder);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setMinimumSectionSize(1);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  theme::follow(table_, [this] {
    table_->verticalHeader()->setDefaultSectionSize(theme::em(1.7));
    table_->setMinimumHeight(theme::em(kLeastTable));
  });
}

void OperationsPanel::followAll() {
  timer_.setSingleShot(true);
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &OperationsPanel::follow);
  connect(&playback_, &Playback::changed, this, &OperationsPanel::schedule);
  connect(&controller_, &RunController::started, this, &OperationsPanel::schedule);
  connect(search_, &QLineEdit::textChanged, order_, &QSortFilterProxyModel::setFilterFixedString);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OperationsPanel::chosen);
  connect(chart_, &RooflineChart::chosen, this, &OperationsPanel::choose);
  connect(export_, &QToolButton::clicked, this, &OperationsPanel::askForFile);
  connect(measure_, &QToolButton::clicked, this, &OperationsPanel::measure);
  theme::follow(this,
                [this] { split_->setOrientation(width() >= theme::em(kBesideEm) ? Qt::Horizontal : Qt::Vertical); });
}

void OperationsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  split_->setOrientation(width() >= theme::em(kBesideEm) ? Qt::Horizontal : Qt::Vertical);
}

void OperationsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
}

void OperationsPanel::schedule() {
  if (isVisible() && !timer_.isActive()) timer_.start();
}

void OperationsPanel::refresh() {
  record_.reset();
  follow();
}

void OperationsPanel::follow() {
  if (!isVisible()) return;
  timer_.stop();
  const auto& record = playback_.record();
  if (record && record == record_.lock()) return;
  record_ = record;
  const auto info = controller_.sharedInfo();
  const bool timed = record && record->timesKnown && info;
  export_->setEnabled(timed);
  if (!timed) {
    model_->setTable({}, std::nullopt);
    title_->setText(record ? tr("Step %1 · times were not recorded").arg(countText(playback_.step())) : QString());
    measure_->hide();
    first_->hide();
    showRoofs(tr("Play a step: this then shows how long each of its operations took."));
    return;
  }
  const Timeline timeline = timelineOf(*info, *record);
  QString lacking;
  const std::optional<DeviceRoofs> roofs = roofsOf(*info, lacking);
  model_->setTable(operationTable(timeline, info.get(), timeline.beginNs, timeline.endNs), roofs);
  title_->setText(
      tr("Step %1 · %2 · %3 of %Ln devices", nullptr, plural(std::ssize(deviceTracks(timeline, info.get()))))
          .arg(countText(playback_.step()), timeline.clock == TimeSource::Modelled ? tr("modelled") : tr("measured"),
               durationText(model_->deviceNs())));
  first_->setText(firstChanges(devicesThatCount(*info, *record, timeline), info->config));
  first_->setVisible(!first_->text().isEmpty());
  showRoofs(lacking);
}

std::optional<DeviceRoofs> OperationsPanel::roofsOf(const RunInfo& info, QString& lacking) {
  const bool here = isOnThisProcessor(info);
  measure_->setVisible(here && !measured_);
  if (here) {
    lacking = tr("The roofs of this processor are not measured yet.");
    return measured_;
  }
  lacking = tr("The peaks of these devices are not known here, so there are no roofs.");
  try {
    return modelledRoofs(info);
  } catch (const UserError& error) {  // the user's own catalogue is gone
    lacking = coreSentence(error);
    return std::nullopt;
  }
}

void OperationsPanel::showRoofs(const QString& lacking) {
  const auto& roofs = model_->roofs();
  chart_->setOperations(model_->rows(), roofs, lacking);
  chart_->setCurrent(chosenRow());
  words_->setText(roofs ? chart_->words() : QString());
  roofWords_->setVisible(roofs.has_value());
  if (!roofs) return;
  const QString peak = flopRateText(roofs->flopPerSecond);
  const QString bandwidth = bytesText(std::llround(roofs->bytesPerSecond)) + QStringLiteral("/s");
  roofWords_->setText(roofs->source == TimeSource::Modelled
                          ? tr("Roofs modelled, by the catalogue: %1 and %2").arg(peak, bandwidth)
                          : tr("Roofs measured here, all threads together: %1 and %2").arg(peak, bandwidth));
}

void OperationsPanel::measure() {
  const auto info = controller_.sharedInfo();
  if (!info || background_.busy()) return;
  measure_->setEnabled(false);
  const auto found = std::make_shared<DeviceRoofs>();
  background_.run([found, threads = static_cast<int>(info->config.threads)] { *found = measuredRoofs(threads); },
                  [this, found](const QString& failure) {
                    measure_->setEnabled(true);
                    complain(failure);
                    if (failure.isEmpty()) measured_ = *found;
                    refresh();
                  });
}

int OperationsPanel::chosenRow() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : order_->mapToSource(rows.front()).row();
}

void OperationsPanel::choose(int row) {
  QModelIndex index = order_->mapFromSource(model_->index(row, 0));
  if (!index.isValid()) {  // the search hides the row
    search_->clear();
    index = order_->mapFromSource(model_->index(row, 0));
  }
  table_->setCurrentIndex(index);
  table_->scrollTo(index);
}

void OperationsPanel::chosen() {
  const int row = chosenRow();
  chart_->setCurrent(row);
  if (model_->roofs()) words_->setText(chart_->words());
  if (row < 0) return;
  const OperationRow& operation = at(model_->rows(), row);
  const int layer = operation.kind == SpanKind::Compute ? operationOf(operation.label) : -1;
  if (layer >= 0) selection_.pin({Object::Kind::Layer, 0, layer});
}

void OperationsPanel::complain(const QString& sentence) {
  complaint_->setText(sentence);
  complaint_->setVisible(!sentence.isEmpty());
}

void OperationsPanel::askForFile() {
  askForPath(this, this,
             {FileQuestion::Kind::Save, tr("Export the operations"), tr("Comma-separated values (*.csv)"),
              QStringLiteral("operations.csv"), "operationsDialog"},
             [this](const QString& path) { exportFile(path); });
}

void OperationsPanel::exportFile(const QString& path) {
  try {
    writeFileAtomically(path.toStdString(), model_->csv());
    complain({});
    Q_EMIT said(tr("Saved: %1").arg(path));
  } catch (const UserError& error) {
    complain(coreSentence(error));
  }
}

}  // namespace lab
