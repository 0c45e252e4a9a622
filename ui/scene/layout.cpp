// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/layout.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/model/neural_network.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

constexpr double kSmallestText = 9.5, kLargestText = 60;  // pixels
constexpr double kLeastText = 8;                          // if the height has no room for more
constexpr double kWidestColumn = 32;                      // in px, like all constants below
constexpr double kWidestOfFew = 42;                       // with one or two columns
constexpr double kFrameHeader = 1.9;
constexpr double kFewestAcross = 50;  // the densest layout, in px
constexpr double kLeastTray = 2.4;    // room for digits that can be recognised
constexpr double kCaption = 5.2, kFarCaption = 6.4;
constexpr double kBatch = 5.2, kLowBatch = 4.4, kHighBatch = 6.2;  // the last: a server's start-up has more lines
constexpr double kBand = 4.6, kLowBand = 3;
// The height kept for the images beside pictures of what a replica holds; images seen from afar are larger.
constexpr double kPicturedTray = 6.5, kFarTray = 8.5;
constexpr double kAge = 1.1;           // "15 stale"
constexpr double kGroupedStrip = 1.6;  // the most extra height for each replica's gradient in a column of several
constexpr std::size_t kUsualLayers = 3;
constexpr double kLayer = 1.4, kLeastLayer = 1.15;  // the height of one of many layers, with a name
constexpr double kHair = 0.01;                      // tolerance, so that an exactly sufficient height counts as
                                                    // sufficient
constexpr double kFlat = 2.5;                       // how much lower layers are side by side than one above the other

// The height of `count` layers stacked with `badge` above them, if the images keep their part of `room`. Returns 0 if
// the layers are better side by side.
double stackedHeight(double usual, std::size_t count, double badge, double room, double px) {
  if (count <= kUsualLayers) return usual;  // the course's
  const auto layers = static_cast<double>(count);
  const double most = std::max(usual, room - std::max(kLeastTray * px, 0.45 * room));
  const double height = std::min(std::max(usual, badge + kLayer * layers * px), most);
  return height - badge < kLeastLayer * layers * px ? 0 : height;
}

// `tight`: the layers stand side by side, so that the tray keeps room for recognisable digits; layers that are too many
// for their names do so too. `ages`: a narrow column keeps room above the badge for how stale its weights are, if the
// tray can spare it. `images`: lines that the images keep beside larger pictures.
void fillColumn(StageColumn& column, double px, bool tight, bool ages, std::size_t layers, double images) {
  const double gap = 0.45 * px;
  const QRectF in = column.box.adjusted(gap, gap, -gap, -gap);
  double stripHeight = std::clamp(0.62 * column.count, 1.7, 5.0) * px;
  // Narrow columns have the badge above the layers.
  const bool wide = in.width() > 10 * px;
  const double lossHeight = 1.4 * px, headerHeight = 1.6 * px;
  const double room = in.height() - headerHeight - lossHeight - stripHeight - 3 * gap;
  double layersHeight =
      wide ? stackedHeight(4.2 * px, layers, 0, room, px)
           : stackedHeight(std::clamp(0.33 * in.height(), 3.6 * px, 6 * px), layers, 1.6 * px, room, px);
  // If several replicas share a column, the gradients are what differs between them, so they get the height.
  column.flat = tight || layersHeight == 0 || column.count > 1;
  if (column.flat) {
    layersHeight = wide ? (4.2 - kFlat) * px : 2.4 * px;
    if (column.count > 1)
      stripHeight += std::clamp(room - layersHeight - images * px, 0.0, kGroupedStrip * column.count * px);
  } else {
    // Pictures of what a replica holds get the height that its images can spare.
    double spare = std::max(0.0, room - layersHeight - images * px);
    if (spare > 1.5 * px) {
      column.names = QRectF(in.left(), in.bottom() - px, in.width(), px);
      spare -= px;
    }
    layersHeight += std::min(0.6 * spare, 4.2 * px);
    stripHeight += std::min(0.2 * spare, 1.5 * px);
  }
  column.header = QRectF(in.left(), in.top(), in.width(), headerHeight);
  const double stripTop = (column.names.isEmpty() ? in.bottom() : column.names.top()) - stripHeight;
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
  if (ages && !wide && column.tray.height() > (kLeastTray + kAge) * px)
    column.tray.setHeight(column.tray.height() - kAge * px);
}

// The properties of a run that decide the layout.
struct Shape {
  bool asynchronous, travels, served, framed;
  int hosts;
  // The least number of lines for everything one above the other, with layers side by side and a tray of nearly four
  // lines.
  double lines() const { return 31 + (served ? 5 : 0) + (framed ? 2.5 : 0); }
};

Shape shapeOf(const RunInfo& info) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  Shape shape{};
  shape.asynchronous = !strategy.synchronous;
  shape.travels = info.replicas > 1 || info.parameterDevices > 0;
  shape.served = info.parameterDevices > 0 && (shape.asynchronous || info.replicas > 1);
  // Asynchronous workers are hosts of their own, without a frame. Hosts that outnumber the columns share columns, and
  // have no frame either.
  shape.hosts = shape.asynchronous || info.hosts > kMostColumns ? 1 : std::max(1, info.hosts);
  shape.framed = shape.hosts > 1 || strategy.words.contains("frame");
  return shape;
}

double textPx(const Shape& shape, QSizeF size, double leastText) {
  const double w = size.width(), h = size.height();
  const double smallest = std::clamp(h / shape.lines(), kLeastText, kSmallestText);
  const double loose = std::min(w / 74, h / 40), dense = std::min(w / kFewestAcross, h / (shape.lines() - 1));
  return std::clamp(std::max(loose, std::min(leastText, dense)), smallest, kLargestText);
}

void placeServers(StageLayout& layout, int count, double height, double bottom) {
  const double px = layout.px, w = layout.size.width();
  const double width = std::min((w - 2 * px - (count - 1) * px) / count, (count == 1 ? 44 : 34) * px);
  const double left = (w - count * width - (count - 1) * px) / 2;
  for (int i = 0; i < count; ++i) layout.servers.emplace_back(left + i * (width + px), bottom - height, width, height);
}

void placeColumns(StageLayout& layout, const RunInfo& info, const Shape& shape, double columnsBottom, bool tight,
                  double images) {
  const double px = layout.px, margin = px, w = layout.size.width();
  layout.perColumn = ceilDivide(info.replicas, kMostColumns);
  // A column never spans two hosts.
  const int perHost = info.replicas / shape.hosts;
  if (shape.hosts > 1)
    while (perHost % layout.perColumn != 0) ++layout.perColumn;
  const int n = ceilDivide(info.replicas, layout.perColumn);

  std::size_t layers = kUsualLayers;
  if (info.network != nullptr)
    layers = static_cast<std::size_t>(
        std::ranges::count_if(info.network->layers(), [](const NetworkLayer& layer) { return layer.forward >= 0; }));

  const double columnsTop = layout.batch.bottom() + 0.5 * px + (shape.framed ? kFrameHeader * px : 0);
  const double framePad = shape.framed ? 0.6 * px : 0;
  const int frames = shape.framed ? shape.hosts : 1;
  const double between = n > 8 ? 0.4 * px : 0.9 * px;
  const double frameGap = shape.framed ? 2.2 * px : 0;
  // The frame of a single column is as wide as its words.
  const double widest = (shape.framed && n == 1 ? 44 : n <= 2 ? kWidestOfFew : kWidestColumn) * px;
  const double room = w - 2 * margin - (frames - 1) * frameGap - frames * 2 * framePad;
  // A few columns stand apart, so that transfers between them are visible.
  const double spread = n <= 4 && !shape.framed ? 4 * px : between;
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
      column.host = at(info.legend.endpoints, column.first).host;
      column.box = QRectF(x, columnsTop, width, columnsBottom - columnsTop - (shape.framed ? framePad : 0));
      fillColumn(column, px, tight, shape.asynchronous, layers, images);
      layout.columns.push_back(std::move(column));
      x += width + (c + 1 < columnsPerFrame ? gap : 0);
    }
    x += framePad;
    if (shape.framed)
      layout.frames.emplace_back(frameLeft, columnsTop - kFrameHeader * px, x - frameLeft,
                                 columnsBottom - columnsTop + kFrameHeader * px);
    x += frameGap;
  }
}

// Lays out the zoomed replica: at its left the image, its other images and its weights; at its right the network, with
// the gradient buffer below.
void fillZoomed(StageLayout& layout, StageColumn& column) {
  const double px = layout.px, gap = 0.6 * px;
  const QRectF in = column.box.adjusted(gap, gap, -gap, -gap);
  const double line = 1.7 * px, side = std::clamp(0.19 * in.width(), 9 * px, 20 * px), strip = 2.2 * px;
  layout.back = QRectF(in.left(), in.top(), 9.5 * px, line);
  const double lossWidth = std::min(16 * px, 0.3 * in.width());
  column.header =
      QRectF(layout.back.right() + gap, in.top(), in.width() - layout.back.width() - lossWidth - 2 * gap, line);
  column.loss = QRectF(in.right() - lossWidth, in.top(), lossWidth, line);
  const double top = in.top() + line + 0.5 * gap;
  const double image = std::min(side, 0.45 * (in.bottom() - top));
  layout.image = QRectF(in.left() + (side - image) / 2, top, image, image);
  column.badge = QRectF(in.left(), in.bottom() - 3 * px, side, 3 * px);
  const double trayTop = layout.image.bottom() + 1.5 * px;  // below the image's words
  column.tray = QRectF(in.left(), trayTop, side, column.badge.top() - gap - trayTop);
  const double left = in.left() + side + gap;
  column.names = QRectF(left, in.bottom() - px, in.right() - left, px);
  column.strips = {QRectF(left, column.names.top() - strip, in.right() - left, strip)};
  column.layers = QRectF(left, top, in.right() - left, column.strips.front().top() - gap - top);
}

// Lays out another replica beside it: name and weights above the gradient; with many replicas, the name before the
// gradient.
void fillBrief(StageColumn& column, double px) {
  column.brief = true;
  const double gap = std::min(0.3 * px, 0.1 * column.box.height());
  const QRectF in = column.box.adjusted(gap, gap, -gap, -gap);
  column.flat = in.height() < 3 * px;
  const double line = column.flat ? in.height() : 1.5 * px, name = column.flat ? 2.8 * px : 0.5 * in.width();
  if (in.height() > 1.2 * px) column.header = QRectF(in.left(), in.top(), name, line);
  column.badge = column.flat ? in : QRectF(in.left() + name, in.top(), in.width() - name, line);
  column.layers = in;  // for transfers that show only for a moment
  const double left = column.flat ? column.header.width() : 0;
  const double strip = column.flat ? in.height() : std::min(in.height() - line, 2.2 * px);
  column.strips = {QRectF(in.left() + left, in.bottom() - strip, in.width() - left, strip)};
}

void placeZoomed(StageLayout& layout, const RunInfo& info, double columnsBottom) {
  const double px = layout.px, top = layout.batch.bottom() + 0.5 * px, height = columnsBottom - top;
  const QRectF room(px, top, layout.size.width() - 2 * px, height);
  const double beside = info.replicas > 1 ? std::clamp(0.16 * room.width(), 8 * px, 16 * px) : 0;
  const double gap = info.replicas > 1 ? 2.4 * px : 0;
  layout.gapX = room.right() - beside - gap / 2;
  const int others = std::max(1, info.replicas - 1);
  const double each = std::min(height / others, 7 * px);
  const double between = std::min(0.5 * px, 0.12 * each);
  int number = 0;
  for (int r = 0; r < info.replicas; ++r) {
    StageColumn column;
    column.first = r;
    column.host = at(info.legend.endpoints, r).host;
    if (r == layout.zoomed) {
      column.box = QRectF(room.left(), top, room.width() - beside - gap, height);
      fillZoomed(layout, column);
    } else {
      column.box = QRectF(room.right() - beside, top + each * number++, beside, each - between);
      fillBrief(column, px);
    }
    layout.columns.push_back(std::move(column));
  }
}

}  // namespace

StageLayout layoutStage(const RunInfo& info, QSizeF size, double leastText, int zoomed) {
  StageLayout layout;
  layout.size = size;
  const double w = size.width(), h = size.height();
  const Shape shape = shapeOf(info);
  const double px = layout.px = textPx(shape, size, leastText);
  const double margin = px;
  layout.top = QRectF(margin, 0.5 * px, w - 2 * margin, 1.8 * px);
  // On a projector the caption must be readable from the last row, if there is room: pictures come first.
  const bool far = leastText > 0;
  const double spare = far ? h / px - shape.lines() - kFlat - kHair : 0;
  const double captionHeight = std::clamp(kCaption + spare, kCaption, kFarCaption) * px;
  layout.farCaption = captionHeight > (kCaption + 1) * px;
  layout.caption = QRectF(0, h - captionHeight, w, captionHeight);
  const bool tight = layout.caption.top() < (shape.lines() - kCaption + kFlat) * px;
  const bool low = tight && !shape.asynchronous;
  const double batch = low ? kLowBatch : far && !tight && shape.asynchronous ? kHighBatch : kBatch;
  layout.batch = QRectF(margin, layout.top.bottom() + 0.3 * px, w - 2 * margin, batch * px);

  const double serverHeight = shape.served ? 5.6 * px : 0;
  layout.zoomed = zoomed < info.replicas ? zoomed : -1;
  // Beside a zoomed replica gradients travel sideways; only transfers to servers go down.
  const double forReplicas = (layout.zoomed >= 0 ? 0.4 : far ? kLowBand : kBand) * px;
  const double bandHeight = shape.travels ? (serverHeight > 0 ? 3.4 * px : forReplicas) : 0;
  const double bottom = layout.caption.top() - 0.4 * px;
  if (serverHeight > 0) placeServers(layout, info.parameterDevices, serverHeight, bottom);
  const double bandBottom = bottom - serverHeight;
  const double columnsBottom = bandBottom - bandHeight;
  layout.band = QRectF(margin, columnsBottom, w - 2 * margin, bandHeight);
  if (layout.zoomed >= 0)
    placeZoomed(layout, info, columnsBottom);
  else
    placeColumns(layout, info, shape, columnsBottom, tight, far ? kFarTray : kPicturedTray);
  return layout;
}

}  // namespace lab
