// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_pointing.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

#include "ui/compare/lane_table.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

std::optional<StepOf> stepOf(const Lane& lane) {
  const auto& record = lane.playback().record();
  const RunInfo* info = lane.controller().info();
  if (!record || info == nullptr) return std::nullopt;
  return StepOf{*info, *record};
}

// Measured and modelled times are never compared.
bool haveOneClock(const Lane& a, const Lane& b) {
  const auto &one = a.playback().record(), &other = b.playback().record();
  return one && other && one->metric.clock == other->metric.clock;
}

QString titleOf(const Lane& lane) {
  const StepIndex index(lane.controller().sharedInfo(), lane.playback().record());
  return describe(lane.selection().shown(), index, lane.playback().story(), lane.playback().seconds()).title;
}

}  // namespace

LanePointing::LanePointing(Lanes& lanes, QWidget* parent) : QWidget(parent), lanes_(lanes) {
  setProperty("role", QStringLiteral("panel"));
  title_ = new QLabel;
  title_->setWordWrap(true);
  title_->setProperty("role", QStringLiteral("strong"));
  table_ = new QTableWidget;
  table_->setObjectName(QStringLiteral("lanePointing"));
  table_->setAccessibleName(tr("What is pointed at, in all lanes"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* column = new QVBoxLayout(this);
  column->addWidget(title_);
  column->addWidget(table_, 1);
  theme::follow(this, [column] { column->setContentsMargins(theme::em(0.5), theme::em(0.3), 0, 0); });
  connect(&lanes_, &Lanes::changed, this, &LanePointing::listen);
  listen();
  refresh();
}

void LanePointing::listen() {
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    Lane* const lane = &lanes_.at(i);
    lane->selection().disconnect(this);
    connect(&lane->selection(), &Selection::changed, this, [this, lane] {
      if (mirroring_) return;
      mirror(*lane, &Selection::hovered, &Selection::hover);
      refresh();
    });
    connect(&lane->selection(), &Selection::pinnedChanged, this, [this, lane] {
      mirror(*lane, &Selection::pinned, lane->selection().isChosen() ? &Selection::pin : &Selection::mark);
    });
  }
}

// Mirrors hovered and pinned objects separately: a lane without a counterpart of the pinned object must not unpin it
// when something else is hovered there.
void LanePointing::mirror(const Lane& from, const Object& (Selection::*which)() const,
                          void (Selection::*set)(const Object&)) {
  const auto here = stepOf(from);
  if (mirroring_ || !here) return;
  mirroring_ = true;
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    const Lane& lane = lanes_.at(i);
    const auto there = stepOf(lane);
    if (&lane == &from || !there) continue;
    (lane.selection().*set)(counterpartOf((from.selection().*which)(), *here, *there));
  }
  mirroring_ = false;
}

void LanePointing::refresh() {
  if (!isVisible()) return;
  std::vector<std::vector<PointedFigure>> figures(lanes_.count());
  QString title;
  for (std::size_t i = 0; i < lanes_.count(); ++i) {
    const Lane& lane = lanes_.at(i);
    const auto step = stepOf(lane);
    if (!step || !lane.selection().shown()) continue;
    figures[i] = pointedFigures(lane.selection().shown(), *step);
    if (title.isEmpty()) title = titleOf(lane);
  }
  title_->setText(title.isEmpty()
                      ? tr("Point at an image, a layer, a gradient or a copy of the weights in one lane: the "
                           "same object is marked in the others, and its numbers appear here.")
                      : title);
  fill(figures);
}

void LanePointing::fill(const std::vector<std::vector<PointedFigure>>& figures) {
  const auto longest = std::ranges::max_element(figures, {}, [](const auto& one) { return one.size(); });
  const std::size_t base = lanes_.baseline();
  QStringList heads, names;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    heads << lanes_.at(i).name();
    if (i != base) heads << tr("− %1", "less the baseline").arg(lanes_.at(base).name());
  }
  for (const PointedFigure& figure : *longest) names << figure.name;
  table_->setColumnCount(static_cast<int>(heads.size()));
  table_->setRowCount(static_cast<int>(names.size()));
  table_->setHorizontalHeaderLabels(heads);
  table_->setVerticalHeaderLabels(names);
  const auto find = [](const std::vector<PointedFigure>& all, const QString& name) -> const PointedFigure* {
    const auto found = std::ranges::find(all, name, &PointedFigure::name);
    return found == all.end() ? nullptr : &*found;
  };
  const auto put = [this](int row, int column, const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->setItem(row, column, item);
  };
  int column = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    for (qsizetype row = 0; row < names.size(); ++row) {
      const PointedFigure *one = find(figures[i], names[row]), *other = find(figures[base], names[row]);
      put(static_cast<int>(row), column, one == nullptr ? QStringLiteral("–") : textOf(*one));
      const bool compared =
          one != nullptr && other != nullptr &&
          (one->unit != PointedFigure::Unit::Nanoseconds || haveOneClock(lanes_.at(i), lanes_.at(base)));
      if (i != base)
        put(static_cast<int>(row), column + 1, compared ? differenceText(*one, *other) : QStringLiteral("–"));
    }
    column += i == base ? 1 : 2;
  }
}

}  // namespace lab
