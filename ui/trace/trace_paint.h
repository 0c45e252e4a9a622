// SPDX-License-Identifier: GPL-3.0-or-later
// The look of every stage and kind of span, distinguished by pattern as well as by colour: it paints the bars of the
// trace, the breakdown and the legend.
#pragma once

#include <QBrush>
#include <QColor>
#include <QPixmap>
#include <QString>

#include "core/timeline/timeline.h"

class QPainter;

namespace lab {

struct Look {
  QColor ground;  // under the pattern
  QColor ink;     // of the pattern and the frame
  Qt::BrushStyle pattern = Qt::NoBrush;
};

Look lookOf(StepStage stage);
Look lookOf(SpanKind kind);  // launching is StepStage::Launch
// `isOfWorkers`: of asynchronous workers, who in another's step are in their next cycle.
QString nameOf(StepStage stage, bool isOfWorkers = false);
QString nameOf(SpanKind kind);
QString briefly(const Message& endpoint);  // as on the stage: R0, W1, PS 0, CPU:0

QPixmap swatchOf(StepStage stage);
void paintBar(QPainter& painter, const QRectF& bar, const Look& look);

}  // namespace lab
