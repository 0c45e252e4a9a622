// SPDX-License-Identifier: GPL-3.0-or-later
// A replica: its device, its tray, its layers as they compute, its copy of the weights, its gradient buffer.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/ceil_divide.h"
#include "core/cluster/labels.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/scene/base_step.h"
#include "ui/scene/layer_words.h"
#include "ui/scene/scene_builder.h"
#include "ui/scene/zoomed_replica.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {

namespace {

constexpr double kCellWithWords = 3.2;  // in px: pieces of a gradient at least this wide say how much they contain

}  // namespace

// As much as there is room for: the name, the kind of device, and the device's model.
SceneBuilder::Header SceneBuilder::headerOf(const StageColumn& column) const {
  const QRectF& box = column.header;
  const bool narrow = asynchronous_ && box.width() < 5.4 * px_;
  const int last = column.first + column.count - 1;
  Header header;
  const bool several = column.count > 1, ofClass = several && info_.isClass;  // replicas of a class in a shared column
                                                                              // have names of their own
  const QString first = narrow || ofClass ? endpointNumber(info_, column.first) : endpointName(info_, column.first);
  header.name =
      ofClass || (several && !narrow) ? QStringLiteral("%1–%2").arg(first, endpointNumber(info_, last)) : first;
  const double usual = column.count > 1 ? 5 : asynchronous_ ? 6.6 : 2.2, letter = 0.7;
  const double least = theme::leastLetters();  // in a low lane on a projector, letters are larger than the stage's own
  const double painted = column.count == 1 ? widthOf(header.name, std::max(1.15 * px_, least), true) + 0.3 * px_ : 0;
  const double nameWidth = std::max({usual * px_, letter * static_cast<double>(header.name.size()) * px_, painted}),
               badgeWidth = 7 * px_;
  if (box.width() > nameWidth + badgeWidth + 0.5 * px_)
    header.badge = box.adjusted(box.width() - badgeWidth, 0.1 * px_, 0, -0.1 * px_);
  const DeviceFacts& device = info_.devices[static_cast<std::size_t>(column.first)];
  header.hardware = strategyWords(info_, "device") + QString::fromStdString(device.hardware);
  if (device.slowdown != 1) header.hardware.prepend(tr("%1× slower · ").arg(device.slowdown));
  // Shrink the words rather than cut them short.
  const double room = box.width() - nameWidth - badgeWidth - 0.3 * px_;
  header.hardwarePx = std::min(0.9 * px_, room / widthOf(header.hardware, 1));
  const bool fits = header.hardwarePx >= 0.7 * px_ || (device.slowdown != 1 && room > 7 * px_);
  if (fits && (!theme::isProjected() || widthOf(header.hardware, least) <= room))
    header.hardwareBox = QRectF(box.left() + nameWidth, box.top(), room, box.height());
  return header;
}

void SceneBuilder::addColumn(const StageColumn& column) {
  const int last = column.first + column.count - 1;
  Item& panel = add(Item::Shape::Panel, column.box, {Object::Kind::Device, column.first});
  panel.owner = column.count == 1 ? column.first : -1;

  const DeviceFacts& device = info_.devices[static_cast<std::size_t>(column.first)];
  const Header header = headerOf(column);
  const QString badge = device.simulated             ? tr("SIMULATED")
                        : isGpu(info_, column.first) ? tr("REAL GPU")
                                                     : tr("REAL CPU");
  // Names of several replicas differ in length; all have the size at which the longest fits.
  const auto longest = static_cast<double>(2 * QString::number(info_.replicas - 1).size() + 2);
  const double scale = column.count == 1 ? 1.15 : std::min(1.15, column.header.width() / (0.72 * longest * px_));
  Item& title =
      text(column.header, header.name, scale, header.badge ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
  title.bold = true;
  title.owner = column.count == 1 ? column.first : -1;
  if (header.badge) chip(*header.badge, badge, {Object::Kind::Device, column.first});
  if (header.hardwareBox)
    text(*header.hardwareBox, header.hardware, std::max(0.7, header.hardwarePx / px_), Qt::AlignLeft | Qt::AlignVCenter)
        .quiet = true;

  Item& tray = add(Item::Shape::Tray, column.tray);
  tray.owner = column.count == 1 ? column.first : -1;
  addTrayWords(column);
  if (column.first == layout_.zoomed)
    ZoomedReplica(*this).addNetwork();
  else
    addLayers(column);
  addLoss(column, column.loss);
  addWeights(column);
  for (int r = column.first; r <= last; ++r) addStrip(r);
  if (column.count == 1) {
    // A strip without values shows words in their place.
    if (step_.gradientReady(column.first, ns_) > 0) addEdges(column.strips.front(), {0, info_.parameters}, 1, true);
    nameVariables(column);
  }
  if (column.first != layout_.zoomed) nameStrip(column);

  addIdleness(column);
}

// A replica beside the zoomed one.
void SceneBuilder::addBrief(const StageColumn& column) {
  Item& panel = add(Item::Shape::Panel, column.box, {Object::Kind::Device, column.first});
  panel.owner = column.first;
  if (column.header.height() > 0) {
    Item& title = text(column.header, endpointName(info_, column.first), 1, Qt::AlignLeft | Qt::AlignVCenter);
    title.bold = true;
    title.owner = column.first;
  }
  if (!column.flat) addWeights(column);
  addStrip(column.first);
}

// The number of images and, if shares are unequal, how much each image counts.
void SceneBuilder::addTrayWords(const StageColumn& column) {
  if (column.tray.height() <= 3.4 * px_) return;
  if (!asynchronous_ && progress(BeatKind::Distribute) < 1) return addWaiting(column);
  std::int64_t images = 0, right = 0;
  bool known = false, past = false;
  std::size_t hidden = 0;
  for (int r = column.first; r < column.first + column.count; ++r) {
    const ReplicaStep* batch = step_.batchOf(r, ns_);
    if (batch == nullptr) continue;
    images += std::ssize(batch->shard);
    past = past || step_.isPast(r, ns_);
    if (step_.isPast(r, ns_) || step_.hasLoss(r, ns_)) {
      known = true;
      right += step_.recognised(*batch);
    }
    hidden += batch->shard.size() > 256 ? batch->shard.size() - 256 : 0;
  }
  const double width = column.tray.width();
  QString words = width > 8 * px_ ? tr("%Ln images", nullptr, plural(images)) : countText(images);
  if (asynchronous_ && width > 14 * px_)
    words = images == 0                 ? info_.isClass ? tr("no batch now") : tr("no batch yet")
                            : past && column.count == 1 ? tr("its last batch: %Ln images", nullptr, plural(images))
                                        : tr("its own batch: %Ln images", nullptr, plural(images));
  // An image's weight is never cut, whatever else is left out.
  QStringList forms{words};
  if (images > 0 && column.count == 1 && step_.votesDiffer()) {
    const QString vote = voteText(column.first);
    forms = {words + tr(" · each counts %1").arg(vote), words + tr(" · each %1").arg(vote),
             countText(images) + QStringLiteral(" · ") + vote};
  }
  if (known && images > 0 && width > 16 * px_) forms.prepend(forms.front() + tr(" · %1 recognised").arg(right));
  if (hidden > 0)
    for (QString& form : forms) form += tr(" (%1 not drawn)").arg(hidden);
  text(QRectF(column.tray.left(), column.tray.top() + 0.1 * px_, width, 1.3 * px_),
       longestThatFits(forms, width, 0.85 * px_), 0.85)
      .quiet = true;
}

// What the tray waits for.
void SceneBuilder::addWaiting(const StageColumn& column) {
  std::int64_t images = 0;
  for (int r = column.first; r < column.first + column.count; ++r)
    images += std::ssize(record_.replicas[static_cast<std::size_t>(r)].shard);
  const QRectF& tray = column.tray;
  const QString count = countText(images);
  const QStringList forms =
      images == 0 ? QStringList{tr("gets no image"), tr("none")}
                  : QStringList{tr("waits for %Ln images", nullptr, plural(images)), tr("waits: %1").arg(count), count};
  text(QRectF(tray.left(), tray.top() + 0.1 * px_, tray.width(), 1.3 * px_),
       longestThatFits(forms, tray.width(), 0.85 * px_), 0.85)
      .quiet = true;
}

QString SceneBuilder::voteText(int replica) const {
  const double vote = step_.vote(replica);
  return vote > 0 ? QStringLiteral("1/%1").arg(countText(std::llround(1 / vote))) : QStringLiteral("0");
}

QString SceneBuilder::idleness(int replica) const {
  if (step_.isLeftOut(replica, ns_) && !step_.isUpdated(replica, ns_)) return tr("too late: left out");
  if (!asynchronous_) return waits(replica) ? tr("waits") : QString();
  switch (step_.doing(replica, ns_)) {
    case StepIndex::Doing::Queues:
      return record_.metric.clock == TimeSource::Modelled ? tr("queues") : tr("waits");
    case StepIndex::Doing::Pulls:
      return tr("pulls");
    case StepIndex::Doing::Pushes:
      return tr("pushes");
    case StepIndex::Doing::IsApplied:
      return tr("gradient applied");
    case StepIndex::Doing::Computes:
      break;
  }
  return {};
}

// What the replica does while its layers rest. Hatched: nothing, until others are ready.
void SceneBuilder::addIdleness(const StageColumn& column) {
  if (column.count > 1) return;
  const QString words = idleness(column.first);
  if (words.isEmpty()) return;
  const bool idle = !asynchronous_ || step_.doing(column.first, ns_) == StepIndex::Doing::Queues;
  if (idle) {
    Item& hatch = add(Item::Shape::Hatch, column.layers);
    hatch.owner = column.first;
    hatch.text = words;
    hatch.fontPx = 0.95 * px_;
  } else if (column.layers.width() > 4 * px_) {
    QStringList forms{words};
    if (step_.doing(column.first, ns_) == StepIndex::Doing::IsApplied) forms << tr("∇ applied");
    const double room = column.layers.width();
    const QString shown = longestThatFits(forms, room - 0.6 * px_, 0.85 * px_);
    const double width = std::min(std::max(6 * px_, widthOf(shown, 0.85 * px_) + 0.6 * px_), room);
    const QRectF box = chipPlace(column, width);
    restNamesUnder(box, column.first);
    chip(box, shown).owner = column.first;
  }
}

bool SceneBuilder::waits(int replica) const {
  const Span* own = activity(replica);
  if (own != nullptr && own->kind == SpanKind::Wait) return true;
  // Waiting in the middle of an aggregation: this replica has computed, a straggler has not, and no transfer involves
  // it.
  if (own != nullptr && own->kind != SpanKind::Reduce) return false;
  if (!step_.hasGradients(replica, ns_)) return false;
  for (const std::size_t i : step_.transfers()) {
    const Span& span = record_.spans[i];
    if (isOnItsWay(span) && (span.from == replica || span.to == replica)) return false;
  }
  for (int r = 0; r < info_.replicas; ++r) {
    const Span* other = activity(r);
    if (other != nullptr && other->kind == SpanKind::Compute) return true;
  }
  return false;
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
double SceneBuilder::layerLabel(const StageColumn& column, const QRectF& box) const {
  if (column.count > 1) return 0;
  if (!column.flat) return std::min(7.2 * px_, 0.42 * box.width());
  const double label = std::min(7.2 * px_, 0.5 * box.width());
  return box.width() - label < 2.5 * px_ ? -1 : label;
}

void SceneBuilder::addLayers(const StageColumn& column) {
  const int last = column.first + column.count - 1;
  std::vector<LayerRow> rows;
  for (const NetworkLayer& layer : info_.network->layers())
    if (layer.forward >= 0) rows.push_back({&layer, layerWords(*info_.network, layer)});
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
  const std::int64_t known = wholeVersionOf(column.first);
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
    Item& item = add(Item::Shape::Layer, box, {Object::Kind::Layer, column.first, layer->forward});
    left += share;
    if (info_.network->exchangesStatistics())
      for (const int operation : {layer->forward, layer->backward}) layerBoxes_[{column.first, operation}] = box;
    item.owner = column.first;
    item.fontPx = 0.9 * px_;
    const double labelWidth = known >= 0 ? layerLabel(column, box) : 0;
    const std::int64_t version = labelWidth < 0 ? -1 : known;
    if (box.height() > 0.95 * px_) {
      const QStringList forms = labelWidth > 0 ? QStringList{words.middle, words.brief, words.units}
                                               : QStringList{words.name, words.middle, words.brief, {}};
      const double forWords = labelWidth > 0 ? labelWidth : box.width();
      item.text = named      ? longestThatFits(forms, forWords - 0.4 * px_, item.fontPx)
                  : numbered ? words.units
                             : QString();
    }
    if (version >= 0) addLayerValues(item, *layer, version, labelWidth, outputRoom(column, box, labelWidth).width());
    if (item.apart != nullptr) item.text += QStringLiteral(" ≠");
    for (int r = column.first; r <= last; ++r) lightLayer(item, *layer, r);
    if (version >= 0) addOutput(column, *layer, outputRoom(column, box, labelWidth));  // this invalidates `item`
  }
}

QRectF SceneBuilder::outputRoom(const StageColumn& column, const QRectF& box, double labelWidth) const {
  constexpr double kLeast = 7, kShare = 0.45, kGap = 0.4;  // px; of the room for pictures
  const double room = box.width() - labelWidth;
  if (column.count > 1 || column.flat || room < kLeast * px_) return {};
  const double width = kShare * room - kGap * px_;
  return {box.right() - width - 3, box.top() + 2, width, box.height() - 4};
}

// A convolution shows the first image and its maps as they go on to the next layer; any other layer shows a row of
// units.
void SceneBuilder::addOutput(const StageColumn& column, const NetworkLayer& layer, const QRectF& room) {
  const int replica = column.first;
  const ReplicaStep* batch = step_.batchOf(replica, ns_);
  if (room.isEmpty() || batch == nullptr || batch->shard.empty() || step_.isPast(replica, ns_) ||
      (!asynchronous_ && progress(BeatKind::Distribute) < 1) || !step_.isDone(replica, layer.forward, ns_) ||
      step_.pictures().layerValues(replica, 0).empty())
    return;
  const std::vector<NetworkLayer>& layers = info_.network->layers();
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
    Item& digit = add(Item::Shape::Block, QRectF(room.left(), room.center().y() - side / 2, side, side),
                      {Object::Kind::Digit, replica, 0});
    digit.values = step_.pictures().digit(replica, 0);
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
  Item& output = add(Item::Shape::Block, box, object);
  output.values = step_.pictures().units(replica, 0, last, across);
  if (output.values == nullptr || !maps) return;
  const double side = std::min(box.width() / output.values->width, box.height() / output.values->height);
  const QSizeF size(side * output.values->width, side * output.values->height);
  output.box = QRectF(box.left(), box.center().y() - size.height() / 2, size.width(), size.height());
}

// Lights a layer while it computes.
void SceneBuilder::lightLayer(Item& item, const NetworkLayer& layer, int replica) const {
  const Span* span = activity(replica);
  if (span == nullptr || span->kind != SpanKind::Compute) return;
  const int op = operationOf(span->label);
  if (op != layer.forward && op != layer.backward) return;
  item.glow = 1;
  item.level =
      static_cast<double>(ns_ - span->startNs) / static_cast<double>(std::max<std::int64_t>(1, span->durationNs));
  item.strong = op == layer.backward;  // filled from the other side
}

// What the layer's kernel holds: tiles of filters for a first convolution, otherwise all values.
void SceneBuilder::addLayerValues(Item& item, const NetworkLayer& layer, std::int64_t version, double labelWidth,
                                  double outputWidth) const {
  const double right = outputWidth > 0 ? outputWidth + 0.4 * px_ : 0;
  const QRectF room = item.box.adjusted(std::max(labelWidth, 3.0), 2, -3 - right, -2);
  // Only the kernel, which is nearly all of the layer's values; the gradient's picture has the others too.
  const Variable* variable = nullptr;
  for (const Variable& each : info_.network->layout().variables())
    if (each.name.starts_with(layer.name + "/") && (variable == nullptr || each.size > variable->size))
      variable = &each;
  if (variable == nullptr || resolutionOf(room).isEmpty() || (labelWidth > 0 && room.width() < 2 * px_)) return;
  item.align = Qt::AlignLeft | Qt::AlignVCenter;
  const BufferRange range{variable->offset, variable->size};
  const bool after = !asynchronous_ && version == record_.metric.step;  // this step's update: its base has its own
  if (variable->shape.size() != 4 || variable->shape[2] > 3) {
    item.picture = room;
    item.values = step_.pictures().weights(version, range, resolutionOf(room), item.owner);
    if (weightsBase_ != nullptr)
      item.apart = weightsBase_->apart(item.values, weightsBase_->weights(after, range, resolutionOf(room)));
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
  item.values = step_.pictures().filters(version, shape, range, across, item.owner);
  if (item.values == nullptr) return;
  if (weightsBase_ != nullptr)
    item.apart = weightsBase_->apart(item.values, weightsBase_->filters(after, shape, range, across));
  const QSizeF size(std::min(room.width(), kWidest * side * item.values->width), side * item.values->height);
  item.picture = QRectF(room.left(), room.center().y() - size.height() / 2, size.width(), size.height());
}

void SceneBuilder::addLoss(const StageColumn& column, const QRectF& box, Qt::Alignment align) {
  const int last = column.first + column.count - 1;
  double sum = 0;
  int known = 0;
  bool past = false;
  for (int r = column.first; r <= last; ++r) {
    const ReplicaStep* batch = step_.batchOf(r, ns_);
    const bool before = step_.isPast(r, ns_);
    if (batch == nullptr || batch->losses.empty() || (!before && !step_.hasLoss(r, ns_))) continue;
    sum += StepIndex::loss(*batch);
    past = past || before;
    ++known;
  }
  if (known == 0) return;
  const QString value = lossText(sum / known, box.width() > 6 * px_ ? 3 : 2);
  const bool wide = box.width() > 8 * px_;
  Item& loss =
      text(box, wide ? tr("loss %1").arg(value) + (column.count > 1 ? tr(" (mean)") : QString()) : value, 1.1, align);
  loss.bold = true;
  loss.owner = column.count == 1 ? column.first : -1;
  loss.quiet = past && column.count == 1;
}

Item& SceneBuilder::addBadge(const StageColumn& column, const QRectF& box) {
  const std::int64_t version = versionOf(column.first);
  Item& badge = add(Item::Shape::Weights, box, {Object::Kind::Weights, column.first});
  badge.level = version < 0 ? 0 : 1;
  badge.text = version < 0 ? QStringLiteral("–") : weightsName(version);
  if (column.count > 1 && version >= 0 && box.width() > 6 * px_)  // else the column's name has to say it
    badge.text += QStringLiteral(" ×%1").arg(column.count);
  if (column.count == 1 && version >= 0 && step_.partOfWeights(column.first, ns_) < 1)
    badge.text = tr("1/%1 of %2").arg(countText(info_.replicas), badge.text);
  badge.strong = box.height() > 2 * px_;  // room for a disc
  badge.fontPx = weightsFontPx(badge.text, box.size(), badge.strong, (badge.strong ? 1.25 : 1.0) * px_);
  const double turned = asynchronous_ ? 0 : progress(BeatKind::Update);
  badge.glow = turned > 0 && turned < 1 ? 1 - turned : 0;
  badge.quiet = column.count == 1 && step_.isPast(column.first, ns_);
  return badge;
}

void SceneBuilder::addWeights(const StageColumn& column) {
  const std::int64_t version = versionOf(column.first);
  const bool quiet = addBadge(column, column.badge).quiet;
  // The number of updates that others have made since this worker read its weights; not shown for weights that are
  // about to be replaced.
  if (!asynchronous_ || version < 0 || column.count > 1 || column.brief || quiet) return;
  const Beat* apply = input_.story.find(BeatKind::Apply);
  const std::int64_t stale = step_.staleness(column.first, ns_, apply != nullptr && input_.seconds >= apply->motionS);
  if (stale <= 0) return;
  const bool narrow = column.badge.width() < 12 * px_ && column.badge.height() < 2 * px_;  // it would hide the version
  // In the room between the tray and the badge.
  const QRectF above(column.badge.left(), column.tray.bottom(), column.badge.width(),
                     column.badge.top() - column.tray.bottom());
  if (narrow && above.height() < px_) return;
  const QString words = tr("%1 stale").arg(countText(stale));
  Item& chipItem = chip(
      narrow ? above : QRectF(column.badge.right() - 4.0 * px_, column.badge.top() - 0.2 * px_, 4.4 * px_, 1.3 * px_),
      words, {Object::Kind::Weights, column.first});
  chipItem.fontPx = std::min(chipItem.fontPx, (chipItem.box.width() - 0.6 * px_) / widthOf(words, 1));
  chipItem.strong = true;
}

// Says what the buffer below holds: the replica's own gradient, a partial sum in some parts, or the sum of all.
void SceneBuilder::nameStrip(const StageColumn& column) {
  if (column.count > 1 || column.brief || column.strips.empty() || step_.gradientReady(column.first, ns_) == 0) return;
  if (step_.aggregation().holdsWeights(ns_)) return;
  const double room = (column.loss.width() - 8.5 * px_) / 2;
  const QString words = longestThatFits(stripNames(column.first), room, 0.85 * px_);
  if (words.isEmpty()) return;
  const QRectF& strip = column.strips.front();
  text(QRectF(strip.left(), strip.top() - 1.3 * px_, room, 1.3 * px_), words, 0.85, Qt::AlignLeft | Qt::AlignVCenter)
      .quiet = true;
}

QStringList SceneBuilder::stripNames(int replica) const {
  const std::size_t cells = step_.aggregation().cells().size(), first = static_cast<std::size_t>(replica) * cells;
  std::size_t own = 0, whole = 0;  // cells
  for (std::size_t c = first; c < std::min(first + cells, state_.of.size()); ++c) {
    const Contributions& holds = state_.of[c];
    own += holds.count() == 1 && holds.test(static_cast<std::size_t>(replica)) ? 1 : 0;
    whole += isWhole(holds, replica) ? 1 : 0;
  }
  if (asynchronous_ || info_.replicas == 1 || own == cells) return {tr("its gradient"), QString()};
  if (step_.isScattered(ns_)) return {tr("its part of the sum"), QString()};
  if (whole < cells) return {tr("partly summed"), QString()};
  return wholeSum(replica) << QString();
}

// Neighbouring cells that are too narrow for a picture of their own share one. Returns one past the last of them.
std::size_t SceneBuilder::endOfPicture(double stripWidth, std::size_t first) const {
  const std::vector<GradientCell>& cells = step_.aggregation().cells();
  // The picture goes from right to left.
  const auto widthOf = [&](std::size_t begin, std::size_t end) {
    const std::int64_t offset = end < cells.size() ? cells[end].offset : info_.parameters;
    return (cellEdge(cells[begin].offset) - cellEdge(offset)) * stripWidth;
  };
  const auto isNarrow = [&](double width) { return width < 2 * kNarrowestPicture; };
  std::size_t end = first + 1;
  while (end < cells.size() && widthOf(end, end + 1) < kCellWithWords * px_ &&
         (isNarrow(widthOf(first, end)) ||
          (isNarrow(widthOf(end, cells.size())) && widthOf(first, end) < kCellWithWords * px_)))
    ++end;
  return end;
}

// The strips of all replicas have the same width, but for a zoomed one's.
const std::vector<std::size_t>& SceneBuilder::picturesIn(double stripWidth) {
  const std::size_t cells = step_.aggregation().cells().size();
  if (pictureWidth_ == stripWidth) return pictureEnds_;
  pictureWidth_ = stripWidth;
  pictureEnds_.clear();
  for (std::size_t end = 0; end < cells;) pictureEnds_.push_back(end = endOfPicture(stripWidth, end));
  return pictureEnds_;
}

void SceneBuilder::addStrip(int replica) {
  const QRectF strip = layout_.strip(replica);
  const std::vector<GradientCell>& cells = step_.aggregation().cells();
  const std::int64_t ready = step_.gradientReady(replica, ns_);
  const std::size_t inMean = step_.aggregation().inMean();
  const int inSum = inMean > 0 ? taking_ : step_.inSum(replica);
  if (ready == 0 && strip.width() > 6 * px_ && strip.height() > 1.2 * px_) {
    Item& cell = add(Item::Shape::Cell, strip, {Object::Kind::Gradient, replica, -1});
    cell.fontPx = 0.85 * px_;
    const QString state =
        step_.isLeftOut(replica, ns_) ? tr("gradient: too late, left out") : tr("gradient: not computed yet");
    cell.text = longestThatFits({state, tr("gradient")}, strip.width() - 2 * px_, cell.fontPx);
    cell.quiet = true;
    return;
  }
  const bool sumAlone = step_.keepsSumAlone(ns_);  // the rest has been freed
  const std::vector<std::size_t>& ends = picturesIn(strip.width());
  for (std::size_t p = 0; p < ends.size(); ++p) {
    const std::size_t first = p == 0 ? 0 : ends[p - 1], end = ends[p];
    const BufferRange range{cells[first].offset, cells[end - 1].offset + cells[end - 1].count - cells[first].offset};
    const QRectF box = partOf(strip, range);
    Item& cell = add(Item::Shape::Cell, box, {Object::Kind::Gradient, replica, static_cast<std::int64_t>(first)});
    cell.owner = replica;
    cell.quiet = ready <= range.offset;
    for (std::size_t c = first; sumAlone && c < end; ++c)
      cell.quiet = cell.quiet || !isWhole(state_.at(replica, c), replica);
    if (cell.quiet) continue;
    std::size_t all = 0;  // of all its cells
    bool own = true, zeros = true;
    for (std::size_t c = first; c < end; ++c) {
      const Contributions& holds = state_.at(replica, c);
      const std::size_t in = counted_.in(holds);
      all += in;
      own = own && in <= 1 && (in == 0 || holds.test(static_cast<std::size_t>(replica)));
      zeros = zeros && isOfZeros(holds);
    }
    const double contributors = static_cast<double>(all) / static_cast<double>(end - first);
    const bool partly = ready < range.end();
    if (zeros) continue;  // a replica without images has a gradient of zeros
    cell.values = gradientsIn(box, replica, range, ready);
    cell.level = partly ? 0.999 * static_cast<double>(ready - range.offset) / static_cast<double>(range.count)
                        : contributors / std::max(1, inSum);
    cell.strong = partly;  // still filling
    if (asynchronous_ || info_.replicas == 1) continue;
    if (!own) cell.owner = -1;
    if (contributors > 1 && box.width() > kCellWithWords * px_ && strip.height() > 1.2 * px_) {
      const bool whole = isWhole(state_.at(replica, first), replica);
      cell.text = !whole ? QStringLiteral("%1/%2").arg(contributors).arg(inMean > 0 ? static_cast<int>(inMean) : inSum)
                  : inMean > 0 ? tr("mean")
                               : QStringLiteral("Σ");
      cell.fontPx = 0.9 * px_;
    }
  }
  if (ready > 0 && isOfZeros(state_.at(replica, 0)) && absence(replica).isEmpty() && strip.width() > 4 * px_ &&
      strip.height() > 1.2 * px_)
    text(strip, tr("zeros"), 0.85).quiet = true;
}

bool SceneBuilder::isCompared() const {
  const Beat* check = input_.story.find(BeatKind::Check);
  return check != nullptr && input_.seconds >= check->verdictS();
}

void SceneBuilder::addCheck() {
  if (!strategyInfo(info_.config.strategy).hasCopies || !record_.metric.mirrorsIdentical || info_.replicas == 1 ||
      layout_.columns.size() < 2)
    return;
  const Beat* beat = input_.story.find(BeatKind::Check);
  if (beat == nullptr || input_.seconds < beat->beginS) return;
  const bool compared = isCompared();  // no verdict before the difference is shown
  for (std::size_t i = 1; i < layout_.columns.size(); ++i) {
    const QRectF& left = layout_.columns[i - 1].box;
    const QRectF& right = layout_.columns[i].box;
    // If columns are close together, the sign stands between them where no line of the comparison is.
    const bool close = right.left() - left.right() < 1.6 * px_;
    const double x = (left.right() + right.left()) / 2;
    const double y = (close ? layout_.columns[i].header : layout_.columns[i].badge).center().y();
    const double side = std::clamp(right.left() - left.right(), (close ? 1.4 : 1.6) * px_, 3.2 * px_);
    if (layout_.zoomed >= 0) continue;
    Item& sign = add(Item::Shape::Chip, QRectF(x - side / 2, y - side / 2, side, side),
                     {Object::Kind::Weights, layout_.columns[i].first});
    sign.text = !compared                          ? QStringLiteral("?")
                : *record_.metric.mirrorsIdentical ? QStringLiteral("=")
                                                   : QStringLiteral("≠");
    sign.fontPx = 0.8 * side;
    sign.bold = true;
    sign.opacity = compared ? 1 : 0.5;
    sign.strong = true;
  }
}

}  // namespace lab
