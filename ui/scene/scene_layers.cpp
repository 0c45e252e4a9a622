// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_layers.h"

#include <algorithm>
#include <cmath>

#include "core/base/ceil_divide.h"
#include "core/replicas/labels.h"
#include "ui/step/base_step.h"
#include "ui/step/layer_words.h"

namespace lab {

SceneLayers::SceneLayers(const ScenePart& part)
    : ScenePart(part),
      base_(at_.input.base != nullptr && at_.input.base->hasNetworkOf(at_.info) ? at_.input.base : nullptr) {}

const QRectF* SceneLayers::boxOf(const StageColumn& column, int operation) const {
  const auto found = boxes_.find({column.first, operation});
  return found == boxes_.end() ? nullptr : &found->second;
}

namespace {

struct LayerRow {
  const NetworkLayer* layer;
  LayerWords words;
};
using LayerWord = QString LayerWords::*;

// A narrow column gives each layer the room that its word takes. If the short name is too long for one layer, all
// layers show only their numbers of filters and units, or nothing.
double roomOf(const LayerRow& row, LayerWord word, bool even) {
  return even ? 1.0 : static_cast<double>((row.words.*word).size()) + 1.5;
}

double roomOfAll(const std::vector<LayerRow>& rows, LayerWord word, bool even) {
  double all = 0;
  for (const LayerRow& row : rows) all += roomOf(row, word, even);
  return all;
}

bool haveRoom(const std::vector<LayerRow>& rows, LayerWord word, bool even, double width, double px) {
  const double each = width / roomOfAll(rows, word, even);
  return std::ranges::all_of(rows, [&](const LayerRow& row) {
    return widthOf(row.words.*word, 0.9 * px) <= each * roomOf(row, word, even) - 0.7 * px;
  });
}

}  // namespace

// The width of the layer's name, at the left of the picture of what the layer holds; -1: there is room for only one of
// them.
double SceneLayers::widthOfLabel(const StageColumn& column, const QRectF& box) const {
  if (column.count > 1) return 0;
  if (!column.flat) return std::min(7.2 * px_, 0.42 * box.width());
  const double label = std::min(7.2 * px_, 0.5 * box.width());
  return box.width() - label < 2.5 * px_ ? -1 : label;
}

void SceneLayers::add(const StageColumn& column) {
  const int last = column.first + column.count - 1;
  std::vector<LayerRow> rows;
  for (const NetworkLayer& layer : at_.info.network->layers())
    if (layer.forward >= 0) rows.push_back({&layer, layerWords(*at_.info.network, layer)});
  // A line of filters is higher, so that their tiles are as wide as the others' pictures.
  constexpr double kLeastRow = 1.25;  // px: with a name
  const double lines = column.layers.height() / (kLeastRow * px_) - static_cast<double>(rows.size() - 1);
  const auto heightOf = [&](const LayerRow& row) {
    const bool tiled = row.layer->kind == NetworkLayer::Kind::Conv2D && row.layer == rows.front().layer;
    return tiled && column.count == 1 ? std::clamp(lines, 1.0, 1.9) : 1.0;
  };
  double heights = 0, top = column.layers.top();
  for (const LayerRow& row : rows) heights += heightOf(row);
  const double width = column.layers.width();
  const bool even = width > 12 * px_;
  LayerWord word = &LayerWords::brief;
  const bool named = !column.flat || haveRoom(rows, word, even, width, px_);
  if (!named) word = &LayerWords::units;
  const bool numbered = !named && haveRoom(rows, word, even, width, px_);
  const double room = roomOfAll(rows, word, even);
  const std::int64_t known = at_.wholeVersionOf(column.first);
  double left = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [layer, words] = rows[i];
    const double share = roomOf(rows[i], word, even) / room;
    const double height = column.layers.height() * heightOf(rows[i]) / heights;
    const QRectF box = column.flat
                           ? QRectF(column.layers.left() + width * left, column.layers.top(),
                                    width * share - (i + 1 < rows.size() ? 0.3 * px_ : 0), column.layers.height())
                           : QRectF(column.layers.left(), top, width, height - 0.2 * px_);
    top += height;
    Item& item = canvas_.add(Item::Shape::Layer, box, {Object::Kind::Layer, column.first, layer->forward});
    left += share;
    if (at_.info.network->exchangesStatistics())
      for (const int operation : {layer->forward, layer->backward}) boxes_[{column.first, operation}] = box;
    item.owner = column.first;
    item.fontPx = 0.9 * px_;
    const double labelWidth = known >= 0 ? widthOfLabel(column, box) : 0;
    const std::int64_t version = labelWidth < 0 ? -1 : known;
    if (box.height() > 0.95 * px_) {
      const QStringList forms = labelWidth > 0 ? QStringList{words.middle, words.brief, words.units}
                                               : QStringList{words.name, words.middle, words.brief, {}};
      const double forWords = labelWidth > 0 ? labelWidth : box.width();
      item.text = named      ? longestThatFits(forms, forWords - 0.4 * px_, item.fontPx)
                  : numbered ? words.units
                             : QString();
    }
    if (version >= 0) addValues(item, *layer, version, labelWidth, outputRoom(column, box, labelWidth).width());
    if (item.apart != nullptr) item.text += QStringLiteral(" ≠");
    for (int r = column.first; r <= last; ++r) light(item, *layer, r);
    if (version >= 0) addOutput(column, *layer, outputRoom(column, box, labelWidth));  // this invalidates `item`
  }
}

QRectF SceneLayers::outputRoom(const StageColumn& column, const QRectF& box, double labelWidth) const {
  constexpr double kLeast = 7, kShare = 0.45, kGap = 0.4;  // px; of the room for pictures
  const double room = box.width() - labelWidth;
  if (column.count > 1 || column.flat || room < kLeast * px_) return {};
  const double width = kShare * room - kGap * px_;
  return {box.right() - width - 3, box.top() + 2, width, box.height() - 4};
}

// A convolution shows the first image and its maps as they go on to the next layer; any other layer shows a row of
// units.
void SceneLayers::addOutput(const StageColumn& column, const NetworkLayer& layer, const QRectF& room) {
  const int replica = column.first;
  const ReplicaStep* batch = at_.step.batchOf(replica, at_.ns);
  if (room.isEmpty() || batch == nullptr || batch->shard.empty() || at_.step.isPast(replica, at_.ns) ||
      at_.waitsForImages() || !at_.step.isDone(replica, layer.forward, at_.ns) ||
      at_.step.pictures().layerValues(replica, 0).empty())
    return;
  const std::vector<NetworkLayer>& layers = at_.info.network->layers();
  auto last = static_cast<std::size_t>(&layer - layers.data());
  const bool maps = layer.output.size() == 3;
  while (last + 1 < layers.size() && layers[last + 1].forward < 0 &&
         layers[last + 1].inputs == std::vector{static_cast<int>(last)} &&
         (layers[last + 1].output.size() == 3) == maps)
    ++last;
  const std::vector<std::int64_t>& shape = layers[last].output;
  const int channels = static_cast<int>(shape.back());
  QRectF box = room;
  const Object object{Object::Kind::Layer, replica, layer.forward};
  if (maps) {
    const double side = std::min(room.height(), 0.25 * room.width());
    Item& digit = canvas_.add(Item::Shape::Block, QRectF(room.left(), room.center().y() - side / 2, side, side),
                              {Object::Kind::Digit, replica, 0});
    digit.values = at_.step.pictures().digit(replica, 0);
    box.setLeft(room.left() + side + 0.3 * px_);
  }
  // Choose the number of lines that gives the largest maps.
  int across = channels;
  double best = 0;
  for (int lines = 1; maps && lines <= channels; ++lines) {
    const int inLine = ceilDivide(channels, lines);
    const double side = std::min(box.width() / inLine, box.height() / lines);
    if (side > best) {
      best = side;
      across = inLine;
    }
  }
  Item& output = canvas_.add(Item::Shape::Block, box, object);
  output.values = at_.step.pictures().units(replica, 0, last, across);
  if (output.values == nullptr || !maps) return;
  const double side = std::min(box.width() / output.values->width, box.height() / output.values->height);
  const QSizeF size(side * output.values->width, side * output.values->height);
  output.box = QRectF(box.left(), box.center().y() - size.height() / 2, size.width(), size.height());
}

// Lights a layer while it computes.
void SceneLayers::light(Item& item, const NetworkLayer& layer, int replica) const {
  const Span* span = at_.activity(replica);
  if (span == nullptr || span->kind != SpanKind::Compute) return;
  const int op = operationOf(span->label);
  if (op != layer.forward && op != layer.backward) return;
  item.glow = 1;
  item.level = at_.progress(*span);
  item.strong = op == layer.backward;  // filled from the other side
}

void SceneLayers::addValues(Item& item, const NetworkLayer& layer, std::int64_t version, double labelWidth,
                            double outputWidth) const {
  const double right = outputWidth > 0 ? outputWidth + 0.4 * px_ : 0;
  const QRectF room = item.box.adjusted(std::max(labelWidth, 3.0), 2, -3 - right, -2);
  // Only the kernel, which is nearly all of the layer's values; the gradient's picture has the others too.
  const Variable* variable = nullptr;
  for (const Variable& each : at_.info.network->layout().variables())
    if (each.name.starts_with(layer.name + "/") && (variable == nullptr || each.size > variable->size))
      variable = &each;
  if (variable == nullptr || resolutionOf(room).isEmpty() || (labelWidth > 0 && room.width() < 2 * px_)) return;
  item.align = kAtLeft;
  const BufferRange range{variable->offset, variable->size};
  const bool after =
      !at_.asynchronous && version == at_.record.metric.step;  // this step's update: its base has its own
  if (variable->shape.size() != 4 || variable->shape[2] > 3) {
    item.picture = room;
    item.values = at_.step.pictures().weights(version, range, resolutionOf(room), item.owner);
    if (base_ != nullptr) item.apart = base_->apart(item.values, base_->weights(after, range, resolutionOf(room)));
    return;
  }
  const FilterShape shape{static_cast<int>(variable->shape[0]), static_cast<int>(variable->shape[1]),
                          static_cast<int>(variable->shape[2]), static_cast<int>(variable->shape[3])};
  // Choose the number of lines that gives the largest cells, in whole pixels if they are large enough.
  double best = 0;
  int across = shape.filters;
  for (int lines = 1; lines <= shape.filters; ++lines) {
    const int inLine = ceilDivide(shape.filters, lines);
    const double side =
        std::min(room.width() / (inLine * (shape.width + 1) - 1), room.height() / (lines * (shape.height + 1) - 1));
    if (side <= best) continue;
    best = side;
    across = inLine;
  }
  constexpr double kWidest = 1.35;  // times as wide as high, to use the room
  const double side = best >= 1 && std::floor(best) > 0.9 * best ? std::floor(best) : best;
  item.values = at_.step.pictures().filters(version, shape, range, across, item.owner);
  if (item.values == nullptr) return;
  if (base_ != nullptr) item.apart = base_->apart(item.values, base_->filters(after, shape, range, across));
  const QSizeF size(std::min(room.width(), kWidest * side * item.values->width), side * item.values->height);
  item.picture = QRectF(room.left(), room.center().y() - size.height() / 2, size.width(), size.height());
}

}  // namespace lab
