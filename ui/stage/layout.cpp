// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/layout.h"

#include <algorithm>

namespace lab {
namespace {

constexpr double kSmallestText = 9.5, kLargestText = 60;  // pixels
constexpr double kLeastText = 8;                          // where the height has no room for more
constexpr double kWidestColumn = 32;                      // in px, as all below
constexpr double kFrameHeader = 1.9;
constexpr double kFewestAcross = 50;  // the densest layout, in px
constexpr double kFlat = 2.5;         // that layers side by side are lower than above each other

// `tight`: the layers stand side by side, so that the tray keeps room for digits that can be recognised.
void fillColumn(StageColumn& column, double px, bool tight) {
  const double gap = 0.45 * px;
  const QRectF in = column.box.adjusted(gap, gap, -gap, -gap);
  const double stripHeight = std::clamp(0.62 * column.count, 1.7, 5.0) * px;
  // Narrow columns have the badge above the layers.
  const bool wide = in.width() > 10 * px;
  const double layersHeight = wide    ? (tight ? 4.2 - kFlat : 4.2) * px
                              : tight ? 2.4 * px
                                      : std::clamp(0.33 * in.height(), 3.6 * px, 6 * px);
  column.flat = tight;
  const double lossHeight = 1.4 * px, headerHeight = 1.6 * px;
  column.header = QRectF(in.left(), in.top(), in.width(), headerHeight);
  const double stripTop = in.bottom() - stripHeight;
  for (int i = 0; i < column.count; ++i)
    column.strips.emplace_back(in.left(), stripTop + stripHeight * i / column.count, in.width(),
                               stripHeight / column.count - (column.count > 1 && column.count <= 8 ? 1 : 0));
  column.loss = QRectF(in.left(), stripTop - gap - lossHeight, in.width(), lossHeight);
  const double layersTop = column.loss.top() - 0.5 * gap - layersHeight;
  const double badgeWidth = wide ? 4.2 * px : 0;
  if (badgeWidth > 0) {
    column.badge = QRectF(in.left(), layersTop, badgeWidth, layersHeight);
    column.layers = QRectF(in.left() + badgeWidth + gap, layersTop, in.width() - badgeWidth - gap, layersHeight);
  } else {
    column.badge = QRectF(in.left(), layersTop, in.width(), 1.5 * px);
    column.layers = QRectF(in.left(), layersTop + 1.6 * px, in.width(), layersHeight - 1.6 * px);
  }
  column.tray =
      QRectF(in.left(), column.header.bottom() + 0.5 * gap, in.width(), layersTop - gap - column.header.bottom());
}

}  // namespace

StageLayout layoutStage(const RunInfo& info, QSizeF size, double leastText) {
  StageLayout layout;
  layout.size = size;
  const double w = size.width(), h = size.height();
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  const bool asynchronous = !strategy.synchronous;
  const bool travels = info.replicas > 1 || info.parameterDevices > 0;
  const bool served = info.parameterDevices > 0 && (asynchronous || info.replicas > 1);
  // Workers are hosts of their own, without a frame; more hosts than columns share columns, and have none either.
  const int hosts = asynchronous || info.hosts > kMostColumns ? 1 : std::max(1, info.hosts);
  const bool framed = hosts > 1 || strategy.words.contains("frame");
  // The least that all below needs, one above the other, the layers side by side, with nearly four lines of a tray.
  const double lines = 31 + (served ? 5 : 0) + (framed ? 2.5 : 0);
  const double smallest = std::clamp(h / lines, kLeastText, kSmallestText);
  const double loose = std::min(w / 74, h / 40), dense = std::min(w / kFewestAcross, h / (lines - 1));
  const double px = std::clamp(std::max(loose, std::min(leastText, dense)), smallest, kLargestText);
  layout.px = px;
  const double margin = px;
  const bool tight = h < (lines + kFlat) * px;

  layout.top = QRectF(margin, 0.5 * px, w - 2 * margin, 1.8 * px);
  layout.caption = QRectF(0, h - 5.2 * px, w, 5.2 * px);
  layout.batch =
      QRectF(margin, layout.top.bottom() + 0.3 * px, w - 2 * margin, (tight && !asynchronous ? 4.4 : 5.2) * px);

  const double serverHeight = served ? 5.6 * px : 0;
  const double bandHeight = travels ? (serverHeight > 0 ? 3.4 : 4.6) * px : 0;
  const double bottom = layout.caption.top() - 0.4 * px;
  if (serverHeight > 0) {
    const int n = info.parameterDevices;
    const double width = std::min((w - 2 * margin - (n - 1) * px) / n, (n == 1 ? 44 : 34) * px);
    const double left = (w - n * width - (n - 1) * px) / 2;
    for (int i = 0; i < n; ++i)
      layout.servers.emplace_back(left + i * (width + px), bottom - serverHeight, width, serverHeight);
  }
  const double bandBottom = bottom - serverHeight;
  const double columnsBottom = bandBottom - bandHeight;
  layout.band = QRectF(margin, columnsBottom, w - 2 * margin, bandHeight);

  layout.perColumn = (info.replicas + kMostColumns - 1) / kMostColumns;
  // Columns do not straddle hosts.
  const int perHost = info.replicas / hosts;
  if (hosts > 1)
    while (perHost % layout.perColumn != 0) ++layout.perColumn;
  const int n = (info.replicas + layout.perColumn - 1) / layout.perColumn;

  const double columnsTop = layout.batch.bottom() + 0.5 * px + (framed ? kFrameHeader * px : 0);
  const double framePad = framed ? 0.6 * px : 0;
  const int frames = framed ? hosts : 1;
  const double between = n > 8 ? 0.4 * px : 0.9 * px;
  const double frameGap = framed ? 2.2 * px : 0;
  // A frame of one column is as wide as its words.
  const double widest = (framed && n == 1 ? 44 : kWidestColumn) * px;
  const double room = w - 2 * margin - (frames - 1) * frameGap - frames * 2 * framePad;
  // Few columns stand apart, so that what travels between them is seen to travel.
  const double spread = n <= 4 && !framed ? 4 * px : between;
  const double width = std::min((room - (n - frames) * between) / n, widest);
  const double gap = n > 1 ? std::min(spread, (room - n * width) / std::max(1, n - frames)) : 0;
  const double used = n * width + (n - frames) * gap + (frames - 1) * frameGap + frames * 2 * framePad;
  double x = (w - used) / 2;
  const int columnsPerFrame = n / frames;
  for (int f = 0; f < frames; ++f) {
    const double frameLeft = x;
    x += framePad;
    for (int c = 0; c < columnsPerFrame; ++c) {
      StageColumn column;
      column.first = (f * columnsPerFrame + c) * layout.perColumn;
      column.count = std::min(layout.perColumn, info.replicas - column.first);
      column.host = info.legend.parties[static_cast<std::size_t>(column.first)].host;
      column.box = QRectF(x, columnsTop, width, columnsBottom - columnsTop - (framed ? framePad : 0));
      fillColumn(column, px, tight);
      layout.columns.push_back(std::move(column));
      x += width + (c + 1 < columnsPerFrame ? gap : 0);
    }
    x += framePad;
    if (framed)
      layout.frames.emplace_back(frameLeft, columnsTop - kFrameHeader * px, x - frameLeft,
                                 columnsBottom - columnsTop + kFrameHeader * px);
    x += frameGap;
  }
  return layout;
}

}  // namespace lab
