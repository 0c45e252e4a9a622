// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_traces.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "core/prediction/step_timeline.h"
#include "ui/compare/lane_table.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lane_figures.h"
#include "ui/runview/run_summary.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_view.h"

namespace lab {
namespace {

constexpr double kLaneHeight = 9;  // in text sizes: the height of a trace

QString signedDuration(std::int64_t ns) {
  if (ns == 0) return QStringLiteral("0");
  return (ns < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + durationText(std::abs(ns));
}

}  // namespace

LaneTraces::LaneTraces(Lanes& lanes, QWidget* parent) : QWidget(parent), lanes_(lanes) {
  setProperty("role", QStringLiteral("panel"));
  auto* traces = new QWidget;
  traces->setProperty("role", QStringLiteral("panel"));
  column_ = new QVBoxLayout(traces);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFocusPolicy(Qt::NoFocus);
  area->setAccessibleName(tr("Traces of the lanes"));
  area->setWidget(traces);
  breakdown_ = new QTableWidget;
  breakdown_->setObjectName(QStringLiteral("laneBreakdowns"));
  breakdown_->setAccessibleName(tr("Where the time of each lane's step went"));
  breakdown_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  breakdown_->setTabKeyNavigation(false);
  breakdown_->setShowGrid(false);
  breakdown_->setWordWrap(false);
  breakdown_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(area, 3);
  row->addWidget(breakdown_, 2);
  theme::follow(area, [area] { area->setMinimumWidth(theme::em(16)); });
  connect(&lanes_, &Lanes::changed, this, &LaneTraces::follow);
  follow();
}

// Views stay when the runs start anew: a press on a trace ends the typing of a number elsewhere, which starts the runs
// while the view is being pressed.
void LaneTraces::follow() {
  const auto isGone = [this](const Row& row) {
    for (std::size_t i = 0; i < lanes_.count(); ++i)
      if (&lanes_.at(i) == row.lane) return false;
    return true;
  };
  for (const Row& row : rows_) {
    if (!isGone(row)) continue;
    row.view->clearFocus();  // a hidden widget would pass the keyboard focus on
    for (QWidget* part : std::initializer_list<QWidget*>{row.name, row.view}) {
      part->hide();
      part->deleteLater();
    }
  }
  std::erase_if(rows_, isGone);
  while (rows_.size() < lanes_.count()) addRow(lanes_.at(rows_.size()));
  for (Row& row : rows_) {
    row.name->setText(row.lane->name());
    row.view->setAccessibleName(tr("Trace of %1").arg(row.lane->name()));
    row.view->setTimeline(nullptr);
    row.view->setNow(std::nullopt);
    row.record.reset();
  }
}

void LaneTraces::addRow(const Lane& lane) {
  Row row{&lane, new QLabel, new TraceView, {}};
  row.name->setProperty("role", QStringLiteral("caption"));
  theme::follow(row.view, [view = row.view] { view->setMinimumHeight(theme::em(kLaneHeight)); });
  connect(row.view, &TraceView::scaleChanged, this, [this, view = row.view] {
    if (scaling_) return;
    scaling_ = true;
    for (const Row& other : rows_)
      if (other.view != view) other.view->setScale(view->axis().scale());
    scaling_ = false;
  });
  column_->addWidget(row.name);
  column_->addWidget(row.view, 1);
  rows_.push_back(std::move(row));
}

bool LaneTraces::takeRecords() {
  bool other = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& record = lanes_.at(i).playback().record();
    const RunInfo* info = lanes_.at(i).controller().info();
    if (!record || info == nullptr || rows_[i].record.lock() == record) continue;
    rows_[i].record = record;
    const QString name = lanes_.at(i).name();
    rows_[i].name->setText(record->timesKnown ? name : tr("%1: times were not recorded").arg(name));
    rows_[i].view->setTimeline(record->timesKnown ? std::make_shared<const Timeline>(timelineFromZero(*info, *record))
                                                  : nullptr);
    other = true;
  }
  return other;
}

void LaneTraces::refresh() {
  if (rows_.size() != lanes_.count()) return;
  scaling_ = true;
  const bool other = takeRecords();
  double longest = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Timeline* timeline = rows_[i].view->timeline();
    if (timeline == nullptr) continue;
    longest = std::max(longest, static_cast<double>(timeline->endNs));
    const auto& playback = lanes_.at(i).playback();
    if (playback.record())
      rows_[i].view->setNow(playback.story().clockAt(playback.seconds()) - playback.record()->beginNs);
  }
  if (other && longest > 0)
    for (const Row& row : rows_) row.view->setScale(row.view->axis().scale().fitted(0, longest));
  scaling_ = false;
  if (other) fillBreakdown();
}

void LaneTraces::fillBreakdown() {
  const std::size_t base = lanes_.baseline();
  QStringList heads;
  std::vector<std::pair<std::size_t, bool>> columns;  // lane, and whether the column is its difference
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    if (!lanes_.at(i).playback().record()) continue;
    heads << lanes_.at(i).name();
    columns.emplace_back(i, false);
    if (i == base || !lanes_.at(base).playback().record()) continue;
    heads << tr("− %1", "less the baseline").arg(lanes_.at(base).name());
    columns.emplace_back(i, true);
  }
  breakdown_->setColumnCount(static_cast<int>(columns.size()));
  breakdown_->setRowCount(static_cast<int>(kStepParts) + 1);
  breakdown_->setHorizontalHeaderLabels(heads);
  QStringList names;
  for (const StepPart& part : partsOf({})) names << part.name;
  breakdown_->setVerticalHeaderLabels(names << tr("step"));
  const auto nsOf = [&](std::size_t lane, std::size_t part) {
    const StepMetric& step = lanes_.at(lane).playback().record()->metric;
    return part < kStepParts ? partsOf(step)[part].ns : step.stepNs;
  };
  // Measured and modelled times are never compared.
  const auto clockOf = [&](std::size_t lane) { return lanes_.at(lane).playback().record()->metric.clock; };
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t part = 0; part <= kStepParts; ++part) {
      const auto [lane, difference] = columns[c];
      const std::int64_t ns = nsOf(lane, part);
      QString text = !difference                      ? durationText(ns)
                     : clockOf(lane) == clockOf(base) ? signedDuration(ns - nsOf(base, part))
                                                      : QStringLiteral("–");
      if (!difference && part == kStepParts)
        text = withRemainder(text, *lanes_.at(lane).controller().info(), lanes_.at(lane).playback().record()->metric);
      auto* item = new QTableWidgetItem(text);
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      breakdown_->setItem(static_cast<int>(part), static_cast<int>(c), item);
    }
}

}  // namespace lab
