// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_sketch.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lane.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrapped_words.h"

namespace lab {
namespace {

constexpr int kMostBoxes = 16;  // in a row

LaneSketch::Doing doingOf(const StepIndex& index, int replica, const Story& story, double seconds) {
  using Doing = LaneSketch::Doing;
  const std::int64_t ns = story.clockAt(seconds);
  if (index.asynchronous()) {
    switch (index.doing(replica, ns)) {
      case StepIndex::Doing::Computes:
        return Doing::Computes;
      case StepIndex::Doing::Pulls:
      case StepIndex::Doing::Pushes:
        return Doing::Sends;
      default:
        return Doing::Waits;
    }
  }
  if (!story.isUnderWay(seconds)) return Doing::Nothing;
  if (const Span* now = index.activity(replica, story, seconds))
    return now->kind == SpanKind::Wait || now->kind == SpanKind::Input ? Doing::Waits : Doing::Computes;
  const std::vector<Span>& spans = index.record().spans;
  const bool sends = std::ranges::any_of(index.transfers(), [&](std::size_t i) {
    const Span& span = spans[i];
    return (span.from == replica || span.to == replica) && span.startNs <= ns && ns < span.startNs + span.durationNs;
  });
  if (sends) return Doing::Sends;
  return seconds >= story.seconds ? Doing::Nothing : Doing::Waits;
}

}  // namespace

LaneSketch::LaneSketch(Lane& lane, QWidget* parent) : QWidget(parent), lane_(lane) {
  setObjectName(QStringLiteral("laneSketch"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("The lane in short"));
  connect(&lane_.playback(), &Playback::changed, this, [this] {
    if (!isVisible()) return;
    setAccessibleDescription(caption());
    setToolTip(caption());
    update();
  });
}

QSize LaneSketch::minimumSizeHint() const {
  return {theme::em(12), theme::em(6)};
}

void LaneSketch::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  update();
}

void LaneSketch::takeRecord() {
  const auto& record = lane_.playback().record();
  const auto info = lane_.controller().sharedInfo();
  if (!record || !info)
    index_.reset();
  else if (!index_ || &index_->record() != record.get() || &index_->info() != info.get())
    index_ = std::make_unique<StepIndex>(info, record);
}

std::vector<LaneSketch::Doing> LaneSketch::doing() {
  takeRecord();
  std::vector<Doing> all;
  if (!index_) return all;
  for (int replica = 0; replica < index_->info().replicas; ++replica)
    all.push_back(doingOf(*index_, replica, lane_.playback().story(), lane_.playback().seconds()));
  return all;
}

QString LaneSketch::caption() const {
  return lane_.playback().story().captionAt(lane_.playback().seconds());
}

void LaneSketch::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  const theme::Colours& c = theme::colours();
  painter.fillRect(rect(), c.stage);
  const double margin = theme::em(0.6);
  QRectF area = QRectF(rect()).adjusted(margin, margin / 2, -margin, -margin / 2);
  const auto& record = lane_.playback().record();
  painter.setPen(c.ink);
  if (!record) {
    painter.setPen(c.quietInk);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, tr("Nothing to show yet"));
    return;
  }
  QFont bold = font();
  bold.setBold(true);
  const QFontMetricsF metrics(bold);
  const QString loss = tr("loss %1").arg(lossText(record->metric.loss));
  const double line = metrics.height();
  const double boxes = std::min(std::clamp(area.height() * 0.3, 1.2 * theme::textSize(), 3.0 * theme::textSize()),
                                std::max(area.height(), 1.0));
  // If there is no line below the boxes, the loss stands beside them.
  const bool beside = area.height() < boxes + margin / 2 + line;
  const double wide = beside ? metrics.horizontalAdvance(loss) + margin : 0;
  paintBoxes(painter, QRectF(area.left(), area.top(), std::max(area.width() - wide, 1.0), boxes));
  painter.setPen(c.ink);
  painter.setFont(bold);
  if (beside)
    return painter.drawText(QRectF(area.right() - wide, area.top(), wide, boxes), Qt::AlignRight | Qt::AlignVCenter,
                            loss);
  area.setTop(area.top() + boxes + margin / 2);
  painter.drawText(QRectF(area.left(), area.bottom() - line, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                   loss);
  area.setBottom(area.bottom() - line);
  painter.setFont(font());
  if (area.height() < line) return;
  const QString words = wrappedWords(QFontMetricsF(font()), withWholeQuantities(caption()), area.size());
  painter.drawText(area, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, words);
}

void LaneSketch::paintBoxes(QPainter& painter, const QRectF& area) {
  const std::vector<Doing> all = doing();
  if (all.empty()) return;
  const int shown = std::min(static_cast<int>(all.size()), kMostBoxes);
  const double gap = theme::em(0.3), wide = std::min((area.width() + gap) / shown - gap, 4.0 * theme::textSize());
  const theme::Colours& c = theme::colours();
  for (int replica = 0; replica < shown; ++replica) {
    const QRectF box(area.left() + replica * (wide + gap), area.top(), wide, area.height());
    const QColor hue = theme::replicaColour(replica);
    const Doing now = at(all, replica);
    painter.setPen(QPen(hue, now == Doing::Sends ? 3 : 1.2));
    painter.setBrush(now == Doing::Computes ? theme::tint(hue, 0.45) : c.panel);
    painter.drawRoundedRect(box, 3, 3);
    if (now == Doing::Waits) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(QBrush(c.edge, Qt::BDiagPattern));
      painter.drawRoundedRect(box, 3, 3);
    }
    painter.setPen(theme::replicaInk(replica));
    const QString name = QString::number(replica);
    if (painter.fontMetrics().horizontalAdvance(name) < box.width()) painter.drawText(box, Qt::AlignCenter, name);
  }
}

}  // namespace lab
