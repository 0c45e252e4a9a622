// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/zoomed_replica.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/replicas/labels.h"
#include "ui/i18n/class_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/step/layer_words.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

constexpr std::int64_t kMostUnits = 128;  // units that have a place each
constexpr std::size_t kMostListed = 12;
constexpr double kLeastLine = 1.15;  // px: for a class
constexpr double kPageWords = 1.3;   // px: for the words that say which layers are shown

bool hasMaps(const NetworkLayer& layer) {
  return layer.output.size() == 3;
}

// Squares for `count` things of one shape in a box: how many per line, and how wide each is.
struct Tiles {
  std::int64_t across = 1, shown = 0;
  double width = 0, height = 0;

  QRectF at(const QRectF& box, std::int64_t i, double gap) const {
    return {box.left() + static_cast<double>(i % across) * (width + gap),
            box.top() + static_cast<double>(i / across) * (height + gap), width, height};
  }
};

// As large as possible; if they would be narrower than `least`, only as many as fit at that width.
Tiles tilesFor(const QRectF& box, std::int64_t count, double heightToWidth, double gap, double least) {
  Tiles best;
  for (std::int64_t across = 1; across <= count; ++across) {
    const auto columns = static_cast<double>(across), lines = static_cast<double>(ceilDivide(count, across));
    const double width = std::min((box.width() - (columns - 1) * gap) / columns,
                                  (box.height() - (lines - 1) * gap) / lines / heightToWidth);
    if (width > best.width) best = {across, count, width, width * heightToWidth};
  }
  if (best.width >= least) return best;
  const auto across = static_cast<std::int64_t>((box.width() + gap) / (least + gap));
  const auto lines = static_cast<std::int64_t>((box.height() + gap) / (least * heightToWidth + gap));
  return {std::max<std::int64_t>(1, across), std::min(count, across * lines), least, least * heightToWidth};
}

QString valueText(double value) {
  return numberText(value, 'f', 3).replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace

ZoomedReplica::ZoomedReplica(const ScenePart& part, const SceneLayers& layers)
    : ScenePart(part),
      layers_(layers),
      column_(layout_.columnOf(layout_.zoomed)),
      replica_(layout_.zoomed),
      batch_(at_.step.batchOf(replica_, at_.ns)),
      past_(at_.step.isPast(replica_, at_.ns)) {
  if (at_.waitsForImages()) batch_ = nullptr;
  if (batch_ != nullptr && batch_->shard.empty()) batch_ = nullptr;
  if (batch_ != nullptr) image_ = std::min(at_.input.look.image, batch_->shard.size() - 1);
  layOutLayers();
}

int ZoomedReplica::operationFor(std::size_t layer) const {
  const std::vector<NetworkLayer>& layers = at_.info.network->layers();
  while (layer > 0 && layers[layer].forward < 0) --layer;
  return layers[layer].forward;
}

bool ZoomedReplica::isKnown(std::size_t layer) const {
  return batch_ != nullptr && !past_ && at_.step.isDone(replica_, operationFor(layer), at_.ns);
}

double ZoomedReplica::filled(std::size_t layer) const {
  if (batch_ == nullptr || past_) return 0;
  if (isKnown(layer)) return 1;
  const Span* now = at_.activity(replica_);
  if (now == nullptr || now->kind != SpanKind::Compute || operationOf(now->label) != operationFor(layer)) return 0;
  return at_.progress(*now);
}

QPoint ZoomedReplica::nextPlace(double filled, int width, int height) {
  const int at = std::clamp(static_cast<int>(filled * width * height), 0, width * height - 1);
  return {at % width, at / width};
}

// If there are too many layers, shows those around the one that computes or was chosen, and the classes at the end.
// They change page by page, so that the picture stands still while a page computes.
void ZoomedReplica::takePage(std::size_t most) {
  if (shown_.size() <= most) return;
  isPage_ = true;
  const std::vector<NetworkLayer>& layers = at_.info.network->layers();
  std::size_t at = 0;
  const Object& chosen = at_.input.look.chosen;
  const Span* now = at_.activity(replica_);
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const NetworkLayer& layer = layers[shown_[i].layer];
    const bool computes = now != nullptr && now->kind == SpanKind::Compute && layer.forward >= 0 &&
                          (operationOf(now->label) == layer.forward || operationOf(now->label) == layer.backward);
    const bool isChosen = chosen.kind == Object::Kind::Unit && chosen.endpoint == replica_ &&
                          LayerUnit::of(chosen).layer == shown_[i].layer;
    if (computes || (isChosen && now == nullptr)) at = i;
  }
  const std::size_t each = most - 1, first = std::min(at / each * each, shown_.size() - 1 - each);
  std::vector<Shown> page(shown_.begin() + static_cast<std::ptrdiff_t>(first),
                          shown_.begin() + static_cast<std::ptrdiff_t>(first + each));
  page.push_back(shown_.back());
  shown_ = std::move(page);
}

// If there are many layers, those that only pass values on are left out first.
void ZoomedReplica::layOutLayers() {
  const double kLeast = 6 * px_, gap = 0.5 * px_;
  const std::vector<NetworkLayer>& layers = at_.info.network->layers();
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i].kind != Kind::Flatten) shown_.push_back({i, {}});
  const QRectF& room = column_.layers;
  for (const Kind passing : {Kind::Dropout, Kind::Activation, Kind::ZeroPadding2D, Kind::BatchNorm, Kind::LayerNorm,
                             Kind::Concatenate, Kind::MaxPool2D, Kind::AveragePool2D})
    if (static_cast<double>(shown_.size()) * kLeast > room.width())
      std::erase_if(shown_, [&](const Shown& each) { return layers[each.layer].kind == passing; });
  takePage(static_cast<std::size_t>(std::max(3.0, room.width() / kLeast)));
  const auto share = [&](const Shown& each) {
    if (each.layer + 1 == layers.size()) return isPage_ ? 4.5 : 2.4;  // words need their room
    return hasMaps(layers[each.layer]) ? 3.0 : 1.5;
  };
  double all = 0;
  for (const Shown& each : shown_) all += share(each);
  const double width = room.width() - gap * static_cast<double>(shown_.size() - 1);
  const double height = room.height() - (isPage_ ? kPageWords * px_ : 0);
  double left = room.left();
  for (Shown& each : shown_) {
    each.box = QRectF(left, room.top(), width * share(each) / all, height);
    left = each.box.right() + gap;
  }
}

void ZoomedReplica::addPageWords() {
  if (!isPage_) return;
  const QRectF& room = column_.layers;
  const double height = kPageWords * px_;
  const auto number = [](const Shown& shown) { return countText(static_cast<std::int64_t>(shown.layer) + 1); };
  const QStringList forms{tr("layers %1 to %2 of %3, then the classes: others show while they compute; what only "
                             "passes values on is left out")
                              .arg(number(shown_.front()), number(shown_[shown_.size() - 2]),
                                   countText(std::ssize(at_.info.network->layers()))),
                          tr("layers %1 to %2 of %3, then the classes")
                              .arg(number(shown_.front()), number(shown_[shown_.size() - 2]),
                                   countText(std::ssize(at_.info.network->layers())))};
  const QRectF line(room.left(), room.bottom() - height, room.width(), height);
  canvas_.fitted(line, forms, 0.8, kAtLeft).quiet = true;
}

void ZoomedReplica::addNetwork() {
  canvas_.chip(layout_.back, tr("‹ All replicas"));
  addImage();
  for (const Shown& shown : shown_) addLayer(shown);
  addPageWords();
  if (!isKnown(shown_.front().layer) || !at_.step.pictures().layerValues(replica_, image_).empty()) return;
  const QRectF& room = column_.layers;
  const QStringList reasons =
      hasOwnOutputs(*at_.info.network)
          ? QStringList{tr("It computed with %1, which this step's record does not have: no values to show.")
                            .arg(weightsName(batch_->version)),
                        tr("%1 is not recorded").arg(weightsName(batch_->version))}
          : QStringList{tr("Batch normalisation over all replicas: the values need every replica's images."),
                        tr("needs every replica's images")};
  const QString reason = longestThatFits(reasons, room.width() - 2 * px_, px_);
  const double width = std::min(room.width(), widthOf(reason, px_) + 2 * px_);
  canvas_.chip(QRectF(room.center().x() - width / 2, room.center().y() - px_, width, 2 * px_), reason).fontPx = px_;
}

void ZoomedReplica::addImage() {
  const QRectF& box = layout_.image;
  if (batch_ == nullptr) {
    canvas_.add(Item::Shape::Tray, box).owner = replica_;
    return;
  }
  const std::int64_t example = batch_->shard[image_];
  Item& digit =
      canvas_.add(Item::Shape::Digit, box, {Object::Kind::Digit, replica_, static_cast<std::int64_t>(image_)});
  digit.owner = replica_;
  digit.example = example;
  const QRectF line(column_.tray.left(), box.bottom() + 0.1 * px_, column_.tray.width(), 1.3 * px_);
  const QString label = classWords(*at_.info.data, at(at_.info.data->train.labels, example));
  const QString place = tr("image %1 of %2").arg(image_ + 1).arg(batch_->shard.size());
  canvas_.fitted(line, {tr("%1 · label %2").arg(place, label), place}, 0.85).quiet = true;
}

QString ZoomedReplica::wordsOf(std::size_t layer) const {
  QStringList sides;
  for (const std::int64_t side : at_.info.network->layers()[layer].output) sides << QString::number(side);
  QString words = sides.join(QChar(0x00D7));
  if (!isKnown(layer)) return words;
  const auto& all = at_.step.pictures().layerValues(replica_, image_);
  if (layer >= all.size()) return words;
  const auto [least, most] = std::ranges::minmax(all[layer]);
  return words + tr(" · %1 to %2")
                     .arg(numberText(static_cast<double>(least), 'f', 2).replace(QLatin1Char('-'), QChar(0x2212)),
                          numberText(static_cast<double>(most), 'f', 2));
}

void ZoomedReplica::addLayer(const Shown& shown) {
  const NeuralNetwork& network = *at_.info.network;
  const NetworkLayer& layer = network.layers()[shown.layer];
  const int operation = operationFor(shown.layer);
  Item& ground = canvas_.add(Item::Shape::Layer, shown.box, {Object::Kind::Layer, replica_, operation});
  ground.owner = replica_;
  if (const Span* now = at_.activity(replica_); now != nullptr && now->kind == SpanKind::Compute) {
    const int running = operationOf(now->label);
    const bool back = layer.backward >= 0 && running == layer.backward;
    if (back || running == layer.forward) {
      ground.glow = 1;
      ground.level = hasMaps(layer) && !back ? -1 : at_.progress(*now);  // the layer's maps fill instead
      ground.strong = back;
    }
  }
  const QRectF in = shown.box.adjusted(0.4 * px_, 0.2 * px_, -0.4 * px_, -0.4 * px_);
  const LayerWords words = layerWords(network, layer);
  const QRectF title(in.left(), in.top(), in.width(), 1.5 * px_),
      shape(in.left(), title.bottom(), in.width(), 1.2 * px_);
  canvas_.fitted(title, {words.name, words.middle, words.brief, words.units}, 1, Qt::AlignCenter, true);
  const QString range = wordsOf(shown.layer);
  canvas_.fitted(shape, {range, range.section(QStringLiteral(" · "), 0, 0)}, 0.8).quiet = true;
  const double kernel = layer.parameters > 0 && layer.kind != Kind::BatchNorm && layer.kind != Kind::LayerNorm
                            ? std::min(0.34 * in.height(), 11 * px_)
                            : 0;
  const QRectF room(in.left(), shape.bottom() + 0.3 * px_, in.width(),
                    in.bottom() - shape.bottom() - 0.7 * px_ - kernel);
  const bool last = shown.layer + 1 == network.layers().size();
  const double part = hasMaps(layer) || isKnown(shown.layer) ? filled(shown.layer) : 0;
  if (part > 0 && !at_.step.pictures().layerValues(replica_, image_).empty()) {
    if (hasMaps(layer))
      addMaps(shown, room, part);
    else if (last)
      addClasses(shown, room);
    else
      addUnits(shown, room);
  }
  if (part <= 0 && room.width() > 0 && room.height() > 0) canvas_.term(room, nullptr, {});
  if (kernel > 0) addKernel(shown, QRectF(in.left(), in.bottom() - kernel, in.width(), kernel));
}

void ZoomedReplica::addMaps(const Shown& shown, const QRectF& room, double filled) {
  const std::vector<std::int64_t>& shape = at_.info.network->layers()[shown.layer].output;
  constexpr double kGap = 3, kLeast = 12;
  const Tiles tiles =
      tilesFor(room, shape[2], static_cast<double>(shape[0]) / static_cast<double>(shape[1]), kGap, kLeast);
  for (std::int64_t c = 0; c < tiles.shown; ++c) {
    Item& map = canvas_.add(Item::Shape::Block, tiles.at(room, c, kGap),
                            {Object::Kind::Unit, replica_, LayerUnit{shown.layer, c}.index()});
    map.values = at_.step.pictures().unit(replica_, image_, shown.layer, c);
    if (filled >= 1) continue;
    const ValueMap& whole = *map.values;
    const QPoint next = nextPlace(filled, whole.width, whole.height);
    std::vector<float> values = whole.values;
    std::fill(values.begin() + next.y() * whole.width + next.x(), values.end(), kNoValue);
    map.values = sharedValues(whole.width, whole.height, whole.scale, std::move(values), whole.colours);
  }
}

void ZoomedReplica::addUnits(const Shown& shown, const QRectF& room) {
  const std::int64_t units = std::min(kMostUnits, at_.info.network->layers()[shown.layer].output.back());
  constexpr double kGap = 1, kLeast = 4;
  const Tiles tiles = tilesFor(room, units, 1, kGap, kLeast);
  for (std::int64_t c = 0; c < tiles.shown; ++c) {
    Item& unit = canvas_.add(Item::Shape::Block, tiles.at(room, c, kGap),
                             {Object::Kind::Unit, replica_, LayerUnit{shown.layer, c}.index()});
    unit.values = at_.step.pictures().unit(replica_, image_, shown.layer, c);
  }
}

// The loss as it was computed. If the share is too small to be shown as a number, its logarithm would not give the
// loss.
void ZoomedReplica::addLoss(double share, const QRectF& room, double font) {
  const auto loss = static_cast<double>(batch_->losses[image_]);
  const QString text = lossText(loss);
  const bool isItsLog = std::abs(-std::log(share) - loss) < 0.01 + 0.001 * loss;
  const QStringList words{tr("its loss: −ln %1 = %2").arg(numberText(share, 'f', 4), text), tr("loss %1").arg(text)};
  canvas_.fitted(room, words.mid(isItsLog ? 0 : 1), font);
}

// The likeliest classes with their probabilities, or all classes in their order if there is room.
void ZoomedReplica::addClasses(const Shown& shown, const QRectF& room) {
  const std::vector<float>& outputs = at_.step.pictures().layerValues(replica_, image_)[shown.layer];
  std::vector<double> shares(outputs.begin(), outputs.end());
  const double largest = std::ranges::max(shares);
  if (!at_.info.network->layers()[shown.layer].softmax) {
    for (double& each : shares) each = std::exp(each - largest);
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& each : shares) each /= all;
  }
  const Dataset& data = *at_.info.data;
  const int label = at(data.train.labels, batch_->shard[image_]);
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto lines =
      std::clamp<std::size_t>(static_cast<std::size_t>(room.height() / (kLeastLine * px_)), 3, kMostListed + 1);
  if (order.size() + 1 > lines) {
    std::ranges::sort(order, std::greater(), [&](std::size_t i) { return shares[i]; });
    order.resize(lines - 1);
    if (std::ranges::find(order, static_cast<std::size_t>(label)) == order.end())
      order.back() = static_cast<std::size_t>(label);
  }
  const auto likeliest = static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
  const double line = std::min(1.8 * px_, room.height() / static_cast<double>(order.size() + 1));
  const double font = std::min(0.95 * px_, 0.8 * line) / px_;
  double nameWidth = 0;
  for (const std::size_t i : order)
    nameWidth = std::max(nameWidth, widthOf(classWords(data, static_cast<int>(i)), font * px_, true));
  nameWidth = std::min(nameWidth + 0.4 * px_, 0.4 * room.width());
  const double number = widthOf(widestPercentText(), font * px_);
  double top = room.top();
  for (const std::size_t i : order) {
    const bool right = static_cast<int>(i) == label, said = i == likeliest;
    const QRectF row(room.left(), top, room.width(), line);
    const QString name = classWords(data, static_cast<int>(i));
    Item& words = canvas_.text(QRectF(row.left(), top, nameWidth, line), name, font, kAtLeft);
    words.bold = right;
    words.quiet = !right && !said;
    const double width = std::max(1.0, (row.width() - nameWidth - number) * shares[i]);
    Item& bar =
        canvas_.add(Item::Shape::Bar, QRectF(row.left() + nameWidth, top + 0.2 * line, width, 0.6 * line),
                    {Object::Kind::Unit, replica_, LayerUnit{shown.layer, static_cast<std::int64_t>(i)}.index()});
    bar.level = shares[i];
    bar.owner = right ? replica_ : -1;
    canvas_.text(QRectF(row.right() - number, top, number, line), percentText(shares[i]), font, kAtRight).quiet = !said;
    top += line;
  }
  addLoss(at(shares, label), QRectF(room.left(), top, room.width(), line), font);
}

// The values of the layer's kernel, and below them the gradient of the same values.
void ZoomedReplica::addKernel(const Shown& shown, const QRectF& room) {
  const NetworkLayer& layer = at_.info.network->layers()[shown.layer];
  const Variable* variable = nullptr;
  for (const Variable& each : at_.info.network->layout().variables())
    if (each.name == layer.name + "/kernel") variable = &each;
  if (variable == nullptr) return;
  const BufferRange range{variable->offset, variable->size};
  const double line = 1.2 * px_, half = room.height() / 2 - line;
  const QRectF weights(room.left(), room.top() + line, room.width(), half),
      gradient(room.left(), weights.bottom() + line, room.width(), half);
  const auto name = [&](const QRectF& over, const QStringList& forms) {
    canvas_.fitted(QRectF(over.left(), over.top() - line, over.width(), line), forms, 0.8, kAtLeft).quiet = true;
  };
  if (const std::int64_t version = at_.wholeVersionOf(replica_); version >= 0) {
    Item picture;
    picture.owner = replica_;
    picture.box = weights.adjusted(-2, -2, 3, 2);
    layers_.addValues(picture, layer, version, 2, 0);
    if (picture.values != nullptr) {
      Item& item = canvas_.add(Item::Shape::Block, picture.picture, {Object::Kind::Weights, replica_});
      item.values = picture.values;
      const QString named = weightsName(version);
      name(weights, {tr("its kernel, %1 values, in %2").arg(countText(variable->size), named),
                     tr("kernel in %1").arg(named), named});
    }
  }
  const std::int64_t ready = at_.step.gradientReady(replica_, at_.ns);
  if (ready <= range.offset) {
    canvas_.term(gradient, nullptr, {Object::Kind::Gradient, replica_, -1});
    return name(gradient, {tr("its gradient: not computed yet"), tr("gradient"), {}});
  }
  Item& item = canvas_.add(Item::Shape::Block, gradient, {Object::Kind::Gradient, replica_, -1});
  item.values = at_.gradientsIn(gradient, replica_, range, ready);
  name(gradient, {tr("in its gradient buffer"), tr("gradient"), {}});
}

const Item* ZoomedReplica::explained(QPoint& at) const {
  const SceneInput::Look& look = at_.input.look;
  for (const Item& item : canvas_.items()) {
    if (item.object.kind != Object::Kind::Unit || item.object.endpoint != replica_) continue;
    if (look.pointer && item.box.contains(*look.pointer)) {
      if (item.values == nullptr) return at = {}, &item;
      const QPointF inside = *look.pointer - item.box.topLeft();
      at = {std::clamp(static_cast<int>(inside.x() / item.box.width() * item.values->width), 0, item.values->width - 1),
            std::clamp(static_cast<int>(inside.y() / item.box.height() * item.values->height), 0,
                       item.values->height - 1)};
      return &item;
    }
  }
  if (look.pointer) return nullptr;
  for (const Item& item : canvas_.items()) {
    if (item.object != look.chosen || item.object.kind != Object::Kind::Unit || item.object.endpoint != replica_)
      continue;
    at = {};
    if (item.values == nullptr) return &item;
    const auto largest = static_cast<int>(std::ranges::max_element(item.values->values) - item.values->values.begin());
    at = {largest % item.values->width, largest / item.values->width};
    return &item;
  }
  return nullptr;
}

// Where a window of the unit lies in the input: on the image, or on the maps of the layer before.
void ZoomedReplica::addWindow(std::size_t layer, std::int64_t channel, const UnitSum& unit) {
  const NeuralNetwork& network = *at_.info.network;
  const std::vector<std::int64_t>& input = network.inputOf(layer);
  const int from = network.layers()[layer].inputs.front();
  const bool alike = network.layers()[layer].kind != Kind::Conv2D;  // other kinds look at one channel
  if (network.layers()[layer].kind == Kind::DepthwiseConv2D) channel /= network.layers()[layer].units;
  std::vector<QRectF> maps;
  if (from < 0) maps.push_back(layout_.image);
  for (const Item& item : canvas_.items()) {
    if (from < 0 || item.object.kind != Object::Kind::Unit || item.shape != Item::Shape::Block) continue;
    const LayerUnit of = LayerUnit::of(item.object);
    if (static_cast<int>(of.layer) == from && (!alike || of.channel == channel)) maps.push_back(item.box);
  }
  for (const QRectF& map : maps) {
    const double width = map.width() / static_cast<double>(input[1]),
                 height = map.height() / static_cast<double>(input[0]);
    const QRectF window(map.left() + static_cast<double>(unit.left) * width,
                        map.top() + static_cast<double>(unit.top) * height, static_cast<double>(unit.width) * width,
                        static_cast<double>(unit.height) * height);
    canvas_.add(Item::Shape::Outline, window & map);
  }
}

QStringList ZoomedReplica::sumLines(const NetworkLayer& layer, const UnitSum& unit, double value) {
  const QString count = countText(unit.products), sum = valueText(unit.sum);
  if (layer.kind == Kind::MaxPool2D || layer.kind == Kind::GlobalMaxPool2D)
    return {tr("the largest: %1").arg(valueText(value))};
  if (layer.kind == Kind::AveragePool2D || layer.kind == Kind::GlobalAveragePool2D)
    return {tr("their mean: %1").arg(valueText(value))};
  if (unit.products == 0) return {valueText(value)};
  QStringList lines;
  lines << (unit.inputs.empty() ? tr("the sum of %1 products: %2")
                                : tr("pixel · weight; the sum of the %1 products: %2"))
               .arg(count, sum);
  if (layer.bias) lines << tr("+ bias %1 = %2").arg(valueText(unit.bias), valueText(unit.sum + unit.bias));
  if (layer.relu) lines << tr("relu, never below 0: %1").arg(valueText(value));
  return lines;
}

UnitSum ZoomedReplica::sumOf(std::size_t layer, std::int64_t channel, const QPoint& at) const {
  const StepPictures& pictures = at_.step.pictures();
  const int from = at_.info.network->layers()[layer].inputs.front();
  const std::vector<float> pixels = from < 0 ? pictures.pixels(replica_, image_) : std::vector<float>();
  return unitSum(*at_.info.network, layer, channel, at.y(), at.x(),
                 from < 0 ? pixels : lab::at(pictures.layerValues(replica_, image_), from),
                 pictures.weightsWith(replica_));
}

void ZoomedReplica::slide() {
  const std::vector<NetworkLayer>& layers = at_.info.network->layers();
  if (at_.step.pictures().layerValues(replica_, image_).empty()) return;
  for (const Shown& shown : shown_) {
    const NetworkLayer& layer = layers[shown.layer];
    const double part = hasMaps(layer) ? filled(shown.layer) : 0;
    if (part <= 0 || part >= 1) continue;
    const QPoint at = nextPlace(part, static_cast<int>(layer.output[1]), static_cast<int>(layer.output[0]));
    addWindow(shown.layer, 0, sumOf(shown.layer, 0, at));
  }
}

void ZoomedReplica::explain() {
  QPoint at;
  const Item* found = explained(at);
  if (found == nullptr) return slide();
  const auto [index, channel] = LayerUnit::of(found->object);
  const QRectF box = found->box;
  const NeuralNetwork& network = *at_.info.network;
  const NetworkLayer& layer = network.layers()[index];
  const StepPictures::LayerValues& all = at_.step.pictures().layerValues(replica_, image_);
  const UnitSum unit = sumOf(index, channel, at);
  std::int64_t place = channel;
  QString title = tr("%1, unit %2").arg(layerWords(network, layer).name).arg(channel + 1);
  if (hasMaps(layer)) {
    const std::int64_t columns = layer.output[1];
    place += (at.y() * columns + at.x()) * layer.output[2];
    const double width = box.width() / static_cast<double>(columns),
                 height = box.height() / static_cast<double>(layer.output[0]);
    canvas_.add(Item::Shape::Outline, QRectF(box.left() + at.x() * width, box.top() + at.y() * height, width, height));
    title = tr("%1, map %2, row %3, column %4")
                .arg(layerWords(network, layer).brief)
                .arg(channel + 1)
                .arg(at.y() + 1)
                .arg(at.x() + 1);
  }
  if (unit.height > 0) addWindow(index, channel, unit);
  constexpr std::size_t kMostTerms = 49;  // terms that a card has room for
  QStringList grid;
  for (std::size_t i = 0; unit.terms.size() <= kMostTerms && i < unit.terms.size(); ++i)
    grid << (unit.inputs.empty()
                 ? valueText(unit.terms[i])
                 : QStringLiteral("%1 · %2").arg(numberText(unit.inputs[i], 'f', 2), valueText(unit.kernel[i])));
  QStringList lines = sumLines(layer, unit, static_cast<double>(lab::at(all[index], place)));
  if (layer.kind == Kind::Add)
    lines = {addends(layer, all, static_cast<std::size_t>(place)) + QStringLiteral(" = ") + lines.front()};
  addCard(box, title, grid, unit.width, lines);
}

// "re_lu 0.250 + batch_normalization_2 −0.125"
QString ZoomedReplica::addends(const NetworkLayer& layer, const StepPictures::LayerValues& all,
                               std::size_t place) const {
  QStringList words;
  for (const int from : layer.inputs) {
    const auto of = static_cast<std::size_t>(std::max(0, from));
    const std::vector<float> values = from < 0 ? at_.step.pictures().pixels(replica_, image_) : all[of];
    words << (from < 0 ? tr("the image") : QString::fromStdString(at_.info.network->layers()[of].name)) +
                 QLatin1Char(' ') + valueText(static_cast<double>(values[place]));
  }
  return words.join(QStringLiteral(" + "));
}

// Places a card away from what it explains, over the opposite side.
void ZoomedReplica::addCard(const QRectF& about, const QString& title, const QStringList& grid, std::int64_t columns,
                            const QStringList& lines) {
  const double line = 1.5 * px_, pad = 0.8 * px_;
  const QRectF& room = column_.layers;
  double cell = 0, width = widthOf(title, px_, true);
  for (const QString& words : grid) cell = std::max(cell, widthOf(words, 0.9 * px_) + 0.8 * px_);
  for (const QString& words : lines) width = std::max(width, widthOf(words, 0.95 * px_));
  const std::int64_t rows = columns > 0 ? ceilDivide(std::ssize(grid), columns) : 0;
  width = std::min(std::max(width, cell * static_cast<double>(columns)) + 2 * pad, room.width());
  const double height = line * static_cast<double>(1 + rows + lines.size()) + 1.5 * pad;
  const bool left = about.center().x() > room.center().x();
  const QRectF box(left ? room.left() : room.right() - width, room.bottom() - height, width, height);
  Item& ground = canvas_.add(Item::Shape::Panel, box);
  ground.covers = true;
  ground.glow = 1;
  double top = box.top() + 0.5 * pad;
  const QRectF in = box.adjusted(pad, 0, -pad, 0);
  canvas_.text(QRectF(in.left(), top, in.width(), line), title).bold = true;
  top += line;
  for (std::int64_t i = 0; i < std::ssize(grid); ++i) {
    const QRectF at(in.center().x() + (static_cast<double>(i % columns) - static_cast<double>(columns) / 2) * cell,
                    top + line * static_cast<double>(i / columns), cell, line);
    canvas_.add(Item::Shape::Tray, at.adjusted(1, 1, -1, -1));
    canvas_.text(at, grid[static_cast<qsizetype>(i)], 0.9);
  }
  top += line * static_cast<double>(rows);
  for (const QString& words : lines) {
    canvas_.text(QRectF(in.left(), top, in.width(), line), words, 0.95);
    top += line;
  }
}

}  // namespace lab
