// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_paint.h"

#include <QPainter>

#include <utility>
#include "core/trace/messages.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/theme/theme.h"

namespace lab {
Look lookOf(StepStage stage) {
  const theme::Colours& c = theme::colours();
  switch (stage) {
    case StepStage::Compute:
      return {c.accent, c.accent, Qt::NoBrush};
    case StepStage::Overlapped:
      return {c.accent, c.second, Qt::Dense6Pattern};
    case StepStage::Exposed:
      return {c.second, c.second, Qt::NoBrush};
    case StepStage::Straggler:
      return {c.panel, c.edge, Qt::BDiagPattern};
    case StepStage::Input:
      return {c.panel, c.ink, Qt::Dense5Pattern};
    case StepStage::Launch:
      return {theme::mix(c.accent, c.panel, 0.30), c.accent, Qt::VerPattern};
    case StepStage::Queue:
      return {c.panel, c.second, Qt::HorPattern};
    case StepStage::Fault:
      return {c.panel, c.accent, Qt::DiagCrossPattern};
    case StepStage::Idle:
      return {c.window, c.line, Qt::NoBrush};
  }
  return {};
}

Look lookOf(SpanKind kind) {
  switch (kind) {
    case SpanKind::Compute:
      return lookOf(StepStage::Compute);
    case SpanKind::Update:
      return {theme::mix(theme::colours().accent, theme::colours().panel, 0.6), theme::colours().accent, Qt::NoBrush};
    case SpanKind::Transfer:
      return lookOf(StepStage::Exposed);
    case SpanKind::Reduce:
      return {theme::mix(theme::colours().second, theme::colours().panel, 0.25), theme::colours().second, Qt::NoBrush};
    case SpanKind::Wait:
      return lookOf(StepStage::Straggler);
    case SpanKind::Input:
      return lookOf(StepStage::Input);
    case SpanKind::Startup:
      return {theme::colours().panel, theme::colours().quietInk, Qt::FDiagPattern};
  }
  return {};
}

QString nameOf(StepStage stage, bool isOfWorkers) {
  switch (stage) {
    case StepStage::Compute:
      return tr("compute");
    case StepStage::Overlapped:
      return tr("overlapped comm.");
    case StepStage::Exposed:
      return tr("exposed comm.");
    case StepStage::Straggler:
      return tr("straggler wait");
    case StepStage::Input:
      return tr("input");
    case StepStage::Launch:
      return tr("launch");
    case StepStage::Queue:
      return tr("queue at a server");
    case StepStage::Fault:
      return tr("dead, or waiting for a dead task");
    case StepStage::Idle:
      return isOfWorkers ? tr("idle, or next cycle") : tr("idle");
  }
  return {};
}

QString nameOf(SpanKind kind) {
  switch (kind) {
    case SpanKind::Compute:
      return tr("compute");
    case SpanKind::Update:
      return tr("update");
    case SpanKind::Transfer:
      return tr("transfer");
    case SpanKind::Reduce:
      return tr("taking part");
    case SpanKind::Wait:
      return tr("wait");
    case SpanKind::Input:
      return tr("input");
    case SpanKind::Startup:
      return tr("start-up");
  }
  return {};
}

QString briefly(const Message& endpoint) {
  for (const auto& [kind, shape] :
       {std::pair(&say::replicaEndpoint, "R%1"), {&say::workerEndpoint, "W%1"}, {&say::serverEndpoint, "PS %1"}})
    if (endpoint.is(*kind)) return QString::fromLatin1(shape).arg(std::get<std::int64_t>(endpoint.values().front()));
  return endpoint.is(say::parameterDevice) ? QStringLiteral("CPU:0") : coreText(endpoint);
}

void paintBar(QPainter& painter, const QRectF& whole, const Look& look) {
  const QRectF bar = whole.width() < 4 ? whole : whole.adjusted(0, 0, -1, 0);  // so that neighbours stay apart
  painter.fillRect(bar, look.ground);
  if (look.pattern != Qt::NoBrush) painter.fillRect(bar, QBrush(look.ink, look.pattern));
  if (bar.width() < 3 || look.ground == look.ink) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.ink, 1));
  painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

QPixmap swatchOf(StepStage stage) {
  const int side = theme::em(0.9);
  QPixmap picture(side, side);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  paintBar(painter, QRectF(0, 0, side, side), lookOf(stage));
  return picture;
}

}  // namespace lab
