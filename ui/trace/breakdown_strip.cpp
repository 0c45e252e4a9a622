// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/breakdown_strip.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/theme/flow_legend.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

namespace lab {

class BreakdownStrip::Bar final : public QWidget {
 public:
  explicit Bar(const StageBreakdown& shown) : shown_(shown) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    theme::follow(this, [this] { setFixedHeight(theme::em(1.1)); });
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    keepLeftToRight(painter);
    const double perNs = width() / static_cast<double>(std::max<std::int64_t>(1, sumOf(shown_)));
    double x = 0;
    for (std::size_t s = 0; s < kStages; ++s) {
      const double wide = static_cast<double>(shown_[s]) * perNs;
      if (wide > 0.3) paintBar(painter, QRectF(x, 0, wide, height()), lookOf(static_cast<StepStage>(s)));
      x += wide;
    }
  }

 private:
  const StageBreakdown& shown_;
};

BreakdownStrip::BreakdownStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("breakdownStrip"));
  setAccessibleName(tr("Where the time went"));
  setWhatsThis(
      tr("Where the time of a device went. Every instant belongs to exactly one part, so the parts add up to the step. "
         "The table lists each device separately."));
  bar_ = new Bar(mean_);
  legend_ = new FlowLegend;
  auto* column = new QVBoxLayout(this);
  column->addWidget(bar_);
  column->addWidget(legend_);
  theme::follow(this, [column] {
    column->setContentsMargins(theme::em(0.8), 0, theme::em(0.8), theme::em(0.2));
    column->setSpacing(theme::em(0.2));
  });
}

void BreakdownStrip::setColumns(const std::vector<BreakdownTable::Column>& columns, bool areWorkers) {
  areWorkers_ = areWorkers;
  std::vector<StageBreakdown> breakdowns;
  for (const BreakdownTable::Column& column : columns) breakdowns.push_back(column.breakdown);
  mean_ = meanBreakdown(breakdowns);
  const bool alike = std::ranges::all_of(
      columns, [&](const BreakdownTable::Column& column) { return column.breakdown == columns.front().breakdown; });
  const QString whole = durationText(sumOf(mean_));
  head_ = columns.empty()       ? QString()
          : columns.size() == 1 ? tr("%1: %2", "device, time").arg(columns.front().device, whole)
          : alike               ? tr("%Ln devices alike, %1 each", nullptr, plural(std::ssize(columns))).arg(whole)
                                : tr("Mean of %Ln devices: %1", nullptr, plural(std::ssize(columns))).arg(whole);
  fill();
}

QString BreakdownStrip::words() const {
  return parts_.isEmpty() ? head_
                          : tr("%1: %2", "time of a step, its parts").arg(head_, parts_.join(QStringLiteral(", ")));
}

void BreakdownStrip::fill() {
  parts_.clear();
  std::vector<FlowLegend::Entry> entries{{{}, head_}};
  for (std::size_t s = 0; s < kStages; ++s) {
    if (mean_[s] == 0) continue;
    const auto stage = static_cast<StepStage>(s);
    parts_ << QStringLiteral("%1 %2").arg(nameOf(stage, areWorkers_), durationText(mean_[s]));
    entries.push_back({swatchOf(stage), parts_.last()});
  }
  legend_->setEntries(entries);
  setAccessibleDescription(words());
  bar_->update();
}

void BreakdownStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fill();
}

}  // namespace lab
