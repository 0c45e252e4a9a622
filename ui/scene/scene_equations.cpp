// SPDX-License-Identifier: GPL-3.0-or-later
// Computations, written as equations of pictures over what a replica holds, one line under the other in the order of
// the buffer: gradients that are added where they arrive, an update of the weights, the comparison of copies.

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>

#include "core/cluster/labels.h"
#include "core/model/neural_network.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/scene/layer_words.h"
#include "ui/scene/scene_builder.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kSinkS = 0.4;  // how long the terms take to sink into the sum, when the clock goes on
constexpr double kFadeS = 0.1;
constexpr std::size_t kMostInSum = 4;
constexpr double kLabel = 1.15, kLeastPicture = 0.8, kMargin = 0.25, kHeading = 1.3,
                 kCorner = 0.15;  // px; the last: below a buffer, whose corners would show beside round ones

}  // namespace

// The area of an equation, over what is hidden meanwhile: down to the loss, to the buffer, or over the buffer too.
// Empty if it is too small, or a tile of a group.
QRectF SceneBuilder::equationGround(int endpoint, Reach reach) const {
  const double margin = kMargin * px_;
  const auto reaching = [&](const QRectF& strip, double top) {
    const double bottom = reach == Reach::OverBuffer ? strip.bottom() : strip.top() - margin;
    return QRectF(strip.left(), top, strip.width(), bottom - top);
  };
  if (isServer(endpoint)) {
    if (asynchronous_ || layout_.servers.empty()) return {};
    return reaching(serverRoom(layout_.servers.front()), layout_.servers.front().top() - 1.9 * px_);
  }
  const StageColumn& column = layout_.columnOf(endpoint);
  const QRectF& strip = column.strips.front();
  if (column.brief || column.count > 1 || strip.width() < 5 * px_) return {};
  const bool zoomed = endpoint == layout_.zoomed;
  QRectF ground = reaching(strip, zoomed ? strip.top() - 11 * px_ : std::min(column.badge.top(), column.layers.top()));
  if (reach == Reach::ToLoss && !zoomed) ground.setBottom(column.loss.top());
  return ground;
}

// The room below the names that the ground repeats.
QRectF SceneBuilder::equationRoom(int endpoint, Reach reach) const {
  const QRectF ground = equationGround(endpoint, reach);
  return ground.isEmpty() || endpoint == layout_.zoomed ? ground : ground.adjusted(0, kHeading * px_, 0, 0);
}

QRectF SceneBuilder::stripOf(int endpoint) const {
  return isServer(endpoint) ? serverRoom(layout_.servers.front()) : layout_.strip(endpoint);
}

// `count` lines at the bottom of the room, each with its words above it if there is room; `closing`: a line of words
// alone comes last.
std::vector<SceneBuilder::EquationLine> SceneBuilder::linesIn(const QRectF& room, std::size_t count, double most,
                                                              bool closing) const {
  const auto n = static_cast<double>(count);
  double label = kLabel * px_;
  const double labels = (n + (closing ? 1 : 0)) * label;
  double height = (room.height() - labels) / n;
  if (height < kLeastPicture * px_) {
    label = 0;
    height = (room.height() - 0.15 * px_ * n) / n;
  }
  height = std::min(height, most);
  const double each = label + height + (label > 0 ? 0 : 0.15 * px_), tail = closing ? label : 0;
  double top = room.bottom() - tail - n * each;
  std::vector<EquationLine> lines;
  for (std::size_t i = 0; i < count; ++i, top += each)
    lines.push_back(
        {QRectF(room.left(), top, room.width(), label), QRectF(room.left(), top + label, room.width(), height)});
  if (closing) lines.push_back({QRectF(room.left(), room.bottom() - tail, room.width(), tail), {}});
  return lines;
}

// Hides the layers' rows and the buffer's name. The name of the weights, the loss and a server's name move up into the
// first line.
void SceneBuilder::addGround(int endpoint, const Object& object, double opacity, Reach reach) {
  QRectF box = equationGround(endpoint, reach);
  const bool overNames = reach == Reach::OverBuffer && !isServer(endpoint);
  const double names = overNames ? layout_.columnOf(endpoint).names.height() / px_ : 0;
  const double below = reach == Reach::ToBuffer ? kMargin : reach == Reach::OverBuffer ? std::max(kCorner, names) : 0;
  Item& ground = add(Item::Shape::Panel, box.adjusted(-0.2 * px_, -0.15 * px_, 0.2 * px_, below * px_), object);
  ground.covers = true;
  ground.opacity = opacity;
  if (endpoint == layout_.zoomed) return;  // the zoomed replica shows both elsewhere
  const QRectF line(box.left(), box.top(), box.width(), kHeading * px_);
  const std::size_t first = scene_.items.size();
  if (isServer(endpoint)) {
    nameCentral(line);
  } else {
    const StageColumn& column = layout_.columnOf(endpoint);
    addBadge(column, line.adjusted(0, 0, std::min(4.2 * px_, 0.45 * line.width()) - line.width(), -0.1 * px_));
    if (overNames && endpoint > 0) nameVariables(column);  // the variables of the coming lines
    if (reach != Reach::ToLoss)
      addLoss(column, line.adjusted(0.5 * line.width(), 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter);
  }
  // Hidden while what lies below still shows through.
  for (std::size_t i = first; i < scene_.items.size(); ++i) scene_.items[i].opacity = std::max(0.0, 2 * opacity - 1);
}

Item& SceneBuilder::addTerm(const QRectF& picture, const Values& values, const Object& object) {
  Item& term = add(Item::Shape::Term, picture, object);
  term.values = values;
  term.level = values != nullptr ? 1 : 0;
  term.fontPx = 0.85 * px_;
  return term;
}

namespace {

// The alignment of a picture's words in their label, and that of the text at the label's other end.
std::pair<Qt::Alignment, Qt::Alignment> sidesOf(const QRectF& label, const QRectF& picture) {
  const Qt::Alignment left = Qt::AlignLeft | Qt::AlignVCenter, right = Qt::AlignRight | Qt::AlignVCenter;
  const bool leftwards = label.left() < picture.left() - 1;
  return leftwards ? std::pair(right, left) : std::pair(left, right);
}

}  // namespace

// Names a term above its picture, with the end of its colour scale at the far side; if there is no room above it, a few
// words over the picture.
void SceneBuilder::nameTerm(std::size_t term, const QRectF& label, const QStringList& forms, double opacity) {
  constexpr double kFont = 0.85, kGap = 1;
  // The texts at the two ends must not meet where a projector's letters are larger.
  const double font = theme::paintedLetters(kFont * px_);
  Item& item = scene_.items[term];
  if (label.height() <= 0) {
    const QString few = longestThatFits(forms, 0.5 * item.box.width(), kFont * px_);
    const QString sign = few.startsWith(QLatin1Char('+')) ? QStringLiteral("+") : QString();
    item.text = longestThatFits({few, sign, {}}, item.box.width() - 0.5 * px_, item.fontPx);
    return;
  }
  const double scale = item.values != nullptr ? item.values->scale : 0;
  const QString whole = colourScaleText(scale), end = QStringLiteral("±") + numberText(scale);
  QString words = longestThatFits(forms, label.width(), font), range;
  if (widthOf(words, font) > label.width()) return;
  // Prefer fewer words to leaving out the scale.
  const auto fits = [&](const QString& form, const QString& scaled) {
    return widthOf(form, font) + widthOf(scaled, font) + kGap * px_ <= label.width();
  };
  for (const QString& form : forms) {
    if (scale <= 0 || !range.isEmpty() || !fits(form, end)) continue;
    words = form;
    range = fits(form, whole) ? whole : end;
  }
  const auto [near, far] = sidesOf(label, item.box);
  text(label, words, kFont, near).opacity = opacity;
  if (range.isEmpty()) return;
  const double used = widthOf(words, font);
  const QRectF rest = near.testFlag(Qt::AlignRight) ? label.adjusted(0, 0, -used, 0) : label.adjusted(used, 0, 0, 0);
  Item& colours = text(rest, range, kFont, far);
  colours.quiet = true;
  colours.opacity = opacity;
}

QString SceneBuilder::colourScaleText(double scale) const {
  return tr("colour scale: ±%1").arg(numberText(scale));
}

// A line about all variables: their picture, the edges between them, and its name.
Item& SceneBuilder::addVariables(const EquationLine& line, const Values& values, const Object& object,
                                 const QStringList& forms, double opacity, bool edged) {
  const std::size_t at = scene_.items.size();
  Item& term = addTerm(line.picture, values, object);
  term.opacity = opacity;
  if (edged) addEdges(line.picture, {0, info_.parameters}, opacity);
  nameTerm(at, line.label, forms, opacity);
  return scene_.items[at];
}

// True if every replica of the endpoint's sum has been added, if only zeros.
bool SceneBuilder::isWhole(const Contributions& of, int endpoint) const {
  if (const std::size_t inMean = step_.aggregation().inMean(); inMean > 0) return of.count() == inMean;
  const auto all = static_cast<std::size_t>(step_.inSum(endpoint));
  return info_.isClass ? counted_.in(of) + record_.metric.leftOut.size() == all : of.count() == all;
}

// The names of the replicas whose gradients these are.
QStringList SceneBuilder::contributorNames(const Contributions& of, int inSum) const {
  const std::size_t count = counted_.in(of);
  if (of.count() > 0 && count == 0) return {tr("left out: 0"), QStringLiteral("0")};
  if (count == 1) {
    std::size_t whose = 0;
    while (!of.test(whose) || !counted_.test(whose)) ++whose;
    const QString name = endpointName(info_, static_cast<int>(whose));
    return {record_.averagesWeights() ? tr("weights of %1").arg(name) : tr("gradient of %1").arg(name), name};
  }
  if (const std::size_t inMean = step_.aggregation().inMean(); inMean > 0)
    return {tr("%1 of %2 averaged").arg(count).arg(inMean), QStringLiteral("%1/%2").arg(count).arg(inMean)};
  return {tr("sum of %1 of %2").arg(count).arg(inSum), QStringLiteral("%1/%2").arg(count).arg(inSum)};
}

bool SceneBuilder::docksAt(const Span& transfer) const {
  const BufferRange range =
      transfer.round < 0 ? BufferRange{0, info_.parameters} : BufferRange{transfer.offset, transfer.count};
  return transfer.add && isReduction(transfer.label) && !asynchronous_ && hasEquation(transfer.to, range);
}

// With many replicas the pieces are too narrow for an equation: only the whole buffer has one.
bool SceneBuilder::hasEquation(int endpoint, const BufferRange& range) const {
  constexpr double kLeast = 0.75;  // px
  if (layout_.columns.size() > 8 && range.count < info_.parameters && !isServer(endpoint)) return false;
  return !equationRoom(endpoint).isEmpty() && (isServer(endpoint) || pieceOf(endpoint, range).width() >= kLeast * px_);
}

// Finds the additions shown at this moment: pieces that are about to arrive, and those that have just arrived.
void SceneBuilder::findSums() {
  if (asynchronous_ || !input_.story.isUnderWay(input_.seconds)) return;
  const Aggregation& aggregation = step_.aggregation();
  const std::int64_t since = input_.story.clockAt(std::max(0.0, input_.seconds - kSinkS));
  std::map<std::tuple<int, BufferRange, std::int64_t>, std::size_t> known;  // indices into sums_
  for (const std::size_t i : aggregation.underWay(since, ns_)) {
    const Span& span = record_.spans[i];
    const std::int64_t end = span.startNs + span.durationNs;
    if (span.step != record_.metric.step) continue;
    const bool whole = span.round < 0;
    const BufferRange range = whole ? BufferRange{0, info_.parameters} : BufferRange{span.offset, span.count};
    const double part =
        static_cast<double>(ns_ - span.startNs) / static_cast<double>(std::max<std::int64_t>(1, span.durationNs));
    Sum sum{.endpoint = span.to, .range = range, .endNs = end, .adds = span.add};
    sum.docked = easeInOut((part - kDockAt) / (1 - kDockAt));
    if (ns_ >= end) {
      const double past = input_.seconds - input_.story.leavesAt(end);
      if (past >= kSinkS) continue;
      sum.sunk = easeInOut(past / kSinkS);
    } else if (part < kDockAt) {
      continue;
    }
    // Pieces that arrive at the same place at the same time form one sum.
    const auto [found, isNew] = known.try_emplace({sum.endpoint, range, end}, sums_.size());
    if (isNew) sums_.push_back(std::move(sum));
    sums_[found->second].transfers.push_back(i);
  }
  // A later sum replaces the one that is being shown in the same place.
  const auto isReplaced = [&](const Sum& sum) {
    const auto first = known.lower_bound({sum.endpoint, {}, 0}), last = known.lower_bound({sum.endpoint + 1, {}, 0});
    return std::any_of(first, last, [&sum](const auto& other) {
      const auto& [endpoint, range, end] = other.first;
      return end > sum.endNs && range.offset < sum.range.end() && sum.range.offset < range.end();
    });
  };
  std::erase_if(sums_, isReplaced);
}

QRectF SceneBuilder::pieceOf(int endpoint, const BufferRange& range) const {
  return partOf(stripOf(endpoint), range);
}

// Terms stand one under the other above the buffer, which holds their sum.
void SceneBuilder::addSums() {
  std::map<int, double> grounds;  // by endpoint: the opacity of its ground
  std::map<int, int> count;
  std::map<int, std::size_t> lines;  // the number of lines of its sum
  for (const Sum& sum : sums_) {
    if (!sum.adds || !hasEquation(sum.endpoint, sum.range)) continue;
    lines[sum.endpoint] = std::max(lines[sum.endpoint], 1 + std::min(kMostInSum - 1, sum.transfers.size()));
    grounds[sum.endpoint] = std::max(grounds[sum.endpoint], std::min({1.0, 2 * sum.docked, 2 - 2 * sum.sunk}));
    ++count[sum.endpoint];
  }
  for (const auto& [endpoint, opacity] : grounds) {
    addGround(endpoint, {Object::Kind::Gradient, endpoint, -1}, opacity, Reach::ToBuffer);
    if (!isServer(endpoint)) addRest(endpoint, lines[endpoint], std::max(0.0, 2 * opacity - 1));
  }
  for (const Sum& sum : sums_) {
    if (sum.adds) addSum(sum, count[sum.endpoint] == 1);
    if (ns_ < sum.endNs) continue;
    const QRectF piece = pieceOf(sum.endpoint, sum.range);  // tiles have no room for a mark
    if (piece.width() > 1.2 * px_ && piece.height() > 0.9 * px_)
      add(Item::Shape::Outline, piece).opacity = 1 - sum.sunk;
  }
}

// Says what the rest of the buffer, where nothing is added now, has or will have. The text stands beside the first
// picture, since the other lines of words go on to the column's end.
void SceneBuilder::addRest(int endpoint, std::size_t lines, double opacity) {
  constexpr double kLeast = 5;  // px
  const QRectF room = linesIn(equationRoom(endpoint), lines, 1.5 * stripOf(endpoint).height(), true).front().picture;
  const std::vector<GradientCell>& cells = step_.aggregation().cells();
  const auto isAdded = [&](const QRectF& part) {
    return std::ranges::any_of(sums_, [&](const Sum& sum) {
      const QRectF piece = pieceOf(sum.endpoint, sum.range);
      return sum.adds && sum.endpoint == endpoint && piece.left() < part.center().x() &&
             part.center().x() < piece.right();
    });
  };
  QRectF rest;  // adjacent cells, from the right
  bool whole = true;
  const bool ofAll = step_.inSum(endpoint) == taking_;
  const bool ringStops = !strategyInfo(info_.config.strategy).shards.empty();  // most sums end on other replicas
  const auto tell = [&] {
    const bool isMean = step_.aggregation().inMean() > 0;
    const QStringList forms = isMean && whole  ? QStringList{tr("already averaged"), {}}
                              : isMean         ? QStringList{tr("averaged later"), {}}
                              : whole && ofAll ? QStringList{tr("already the sum of all"), tr("already summed"), {}}
                              : whole          ? QStringList{tr("already summed"), {}}
                              : ringStops      ? QStringList{tr("not in this hop"), tr("not now"), {}}
                                               : QStringList{tr("its sum comes later"), tr("later"), {}};
    const QString words = longestThatFits(forms, rest.width() - px_, 0.85 * px_);
    if (rest.width() >= kLeast * px_ && !words.isEmpty()) {
      Item& item = text(QRectF(rest.left(), room.top(), rest.width(), room.height()), words, 0.85);
      item.quiet = true;
      item.opacity = opacity;
    }
    rest = {};
    whole = true;
  };
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const QRectF part = partOf(stripOf(endpoint), {cells[c].offset, cells[c].count});
    if (isAdded(part)) {
      tell();
      continue;
    }
    rest |= part;
    whole = whole && isWhole(state_.at(endpoint, c), endpoint);
  }
  tell();
}

QRectF SceneBuilder::SumPlace::picture(std::size_t line) const {
  return {piece.left(), lines[line].picture.top(), piece.width(), lines[line].picture.height()};
}

// As wide as the piece if others stand beside it; otherwise up to the farther end of the column.
QRectF SceneBuilder::SumPlace::label(std::size_t line) const {
  const QRectF& row = lines[line].label;
  const bool leftwards = alone && piece.left() - row.left() > row.right() - piece.right();
  const double left = leftwards ? row.left() : piece.left(), right = alone && !leftwards ? row.right() : piece.right();
  return {left, row.top(), right - left, row.height()};
}

void SceneBuilder::addSum(const Sum& sum, bool alone) {
  const QRectF room = equationRoom(sum.endpoint), piece = pieceOf(sum.endpoint, sum.range);
  if (!hasEquation(sum.endpoint, sum.range) || resolutionOf(piece).isEmpty()) return;
  const Aggregation& aggregation = step_.aggregation();
  const std::size_t cell = aggregation.firstCell(record_.spans[sum.transfers.front()]);
  const Aggregation::State before = aggregation.stateAt(std::min(ns_, sum.endNs - 1), cell);
  const Contributions held = before.at(sum.endpoint, cell);
  Contributions::Bits all = held.bits();
  // First what the buffer had, unless it was empty; then what arrives.
  const std::size_t first = all.any() ? 1 : 0, shown = std::min(kMostInSum - first, sum.transfers.size());
  const int inSum = step_.inSum(sum.endpoint);
  const double docked = std::min(sum.docked, 1 - sum.sunk);
  const SumPlace place{linesIn(room, shown + first, 1.5 * piece.height(), true), piece, alone, docked,
                       std::clamp((docked - 0.93) / 0.07, 0.0, 1.0)};
  const auto add = [&](std::size_t line, std::size_t transfer, const QStringList& forms, int owner) {
    const StepPictures::Terms terms = step_.pictures().terms(transfer, sum.range, resolutionOf(piece));
    const std::size_t at = scene_.items.size();
    Item& term = addTerm(between(piece, place.picture(line), docked), line < first ? terms.before : terms.source,
                         {Object::Kind::Gradient, sum.endpoint, -1});
    term.owner = owner;
    term.opacity = 1 - sum.sunk;
    nameTerm(at, place.label(line), forms, place.words);
  };
  if (first > 0)
    add(0, sum.transfers.front(), contributorNames(held, inSum),
        held.count() == 1 && !isServer(sum.endpoint) ? sum.endpoint : -1);
  for (std::size_t i = 0; i < sum.transfers.size(); ++i) {
    const std::size_t line = std::min(i, shown - 1) + first, transfer = sum.transfers[i];
    const int from = record_.spans[transfer].from;
    // A neighbour sends the weights that it had before it averaged.
    const Contributions of =
        aggregation.inMean() > 0 ? Contributions::of(static_cast<std::size_t>(from)) : before.at(from, cell);
    all |= of.bits();
    docks_[transfer] = {place.picture(line), sum.docked};
    if (i >= shown) continue;
    QStringList forms = contributorNames(of, inSum);
    if (line > 0)
      for (QString& form : forms) form.prepend(QStringLiteral("+ "));
    if (const std::size_t more = sum.transfers.size() - shown; i + 1 == shown && more > 0)
      forms = {tr("%1 and %2 more").arg(forms.front()).arg(more), QStringLiteral("+ … (%1)").arg(more + 1)};
    // Until the piece has arrived, the piece itself is moving there.
    if (ns_ >= sum.endNs) add(line, transfer, forms, of.count() == 1 && !isServer(from) ? from : -1);
  }
  if (ns_ >= sum.endNs) addEquals(place, counted_.in(all), inSum);
}

void SceneBuilder::addEquals(const SumPlace& place, std::size_t count, int inSum) {
  const QRectF label = place.label(place.lines.size() - 1);
  const bool isMean = step_.aggregation().inMean() > 0;
  const QStringList means{tr("= mean of these %1").arg(count), tr("= mean"), QStringLiteral("=")};
  if (label.height() <= 0) {  // terms are named in their pictures, so the sum is too
    const auto cell = std::ranges::find_if(scene_.items, [&](const Item& item) {
      return item.object.kind == Object::Kind::Gradient && item.text == tr("mean") &&
             item.box.contains(place.piece.center());
    });
    if (isMean && cell != scene_.items.end())
      cell->text = longestThatFits({means[0], means[1], cell->text}, cell->box.width() - px_, cell->fontPx);
    return;
  }
  const bool whole = count == static_cast<std::size_t>(inSum);
  const QString of = QStringLiteral("= %1/%2").arg(count).arg(inSum);
  if (isMean) {
    text(label, longestThatFits(means, label.width(), 0.85 * px_), 0.85, sidesOf(label, place.piece).first).opacity =
        place.words;
    return;
  }
  const QStringList forms{!whole       ? tr("= sum of %1 of %2").arg(count).arg(inSum)
                          : count == 2 ? tr("= sum of both")
                                       : tr("= sum of all %1").arg(inSum),
                          whole ? tr("= sum") : of, QStringLiteral("=")};
  const Qt::Alignment near = sidesOf(label, place.piece).first;
  Item& equals = text(label, longestThatFits(forms, label.width(), 0.85 * px_), 0.85, near);
  equals.bold = true;
  equals.opacity = place.words;
}

// How far the endpoint's own update has got, 0 to 1.
double SceneBuilder::updated(int endpoint) const {
  if (step_.isUpdated(endpoint, ns_)) return 1;
  for (const Span* span : step_.lane(endpoint))
    if (span->kind == SpanKind::Update && span->step == record_.metric.step && span->startNs <= ns_)
      return static_cast<double>(ns_ - span->startNs) /
             static_cast<double>(std::max<std::int64_t>(1, span->durationNs));
  return 0;
}

// The opacity of something shown from the beginning to the end of a beat; 0 outside of it.
double SceneBuilder::shownDuring(BeatKind kind) const {
  if (!isAt(kind)) return 0;
  const Beat* beat = input_.story.find(kind);
  return beat->endS >= input_.story.seconds ? 1 : std::clamp((beat->endS - input_.seconds) / kFadeS, 0.0, 1.0);
}

// How the optimizer turns the sum into a change, and what that change makes of the weights.
void SceneBuilder::addChange() {
  const double opacity = shownDuring(BeatKind::Update);
  if (opacity <= 0 || asynchronous_ || record_.averagesWeights() || step_.isScattered(ns_)) return;
  std::vector<int> endpoints;
  for (const StageColumn& column : layout_.columns) endpoints.push_back(column.first);
  const bool copies = strategyInfo(info_.config.strategy).hasCopies;
  if (!copies && !layout_.servers.empty()) endpoints = {info_.replicas};
  for (const int endpoint : endpoints)
    if (!equationRoom(endpoint).isEmpty() && (isServer(endpoint) || step_.pictures().isEqual(endpoint)))
      addChain(endpoint, opacity);
}

// From above: the sum, which comes up from its buffer, the optimizer's change, the weights, and weights and change
// together.
void SceneBuilder::addChain(int endpoint, double opacity) {
  const BufferRange all{0, info_.parameters};
  const StepPictures& pictures = step_.pictures();
  const std::int64_t before = record_.metric.step - 1;
  const QRectF strip = stripOf(endpoint);
  const bool hasSum = gradientsIn(strip, endpoint, all, all.count) != nullptr;
  const Reach reach = hasSum ? Reach::OverBuffer : Reach::ToBuffer;
  std::vector<EquationLine> lines = linesIn(equationRoom(endpoint, reach), hasSum ? 4 : 3, 2 * strip.height(), false);
  const QSize size = resolutionOf(lines.front().picture);
  const Values weights = pictures.weights(before, all, size);
  if (weights == nullptr) return;
  const Object object{Object::Kind::Weights, endpoint};
  addGround(endpoint, object, opacity, reach);
  const double level = updated(endpoint);
  const Values change = level > 0 ? pictures.change(all, size) : nullptr,
               after = level >= 1 ? pictures.weights(before + 1, all, size) : nullptr;
  const QString optimizer =
      info_.config.optimizer == OptimizerKind::Adam ? QStringLiteral("Adam") : QStringLiteral("SGD");
  const QString rate = numberText(record_.metric.learningRate), old = weightsName(before),
                now = weightsName(before + 1);
  if (hasSum) {
    const double part = (input_.seconds - input_.story.find(BeatKind::Update)->beginS) / kSinkS;
    const double risen = easeInOut(part);
    const EquationLine line{lines[0].label, between(strip, lines[0].picture, risen)};
    addVariables(line, gradientsIn(lines[0].picture, endpoint, all, all.count), {Object::Kind::Gradient, endpoint, -1},
                 sumNames(endpoint), opacity);
    lines.erase(lines.begin());
    opacity *= std::clamp(part - 1, 0.0, 1.0);  // the sum passes through these places
  }
  addVariables(lines[0], change, object,
               {tr("→ %1, learning rate %2 → change").arg(optimizer, rate), tr("→ %1 → change").arg(optimizer),
                QStringLiteral("→ Δ")},
               opacity)
      .level = level;
  addVariables(lines[1], weights, object, {old}, opacity);
  addVariables(lines[2], after, object, {tr("%1 + change = %2").arg(old, now), QStringLiteral("= ") + now}, opacity);
}

// Names for the contents of a buffer that has the sum.
QStringList SceneBuilder::sumNames(int endpoint) const {
  if (step_.inSum(endpoint) == 1) return {tr("gradient"), QStringLiteral("∇")};
  return wholeSum(endpoint) << QStringLiteral("Σ");
}

// The sum's names, without the replicas that came too late.
QStringList SceneBuilder::wholeSum(int endpoint) const {
  const std::size_t late = record_.metric.leftOut.size(), all = static_cast<std::size_t>(step_.inSum(endpoint));
  if (late > 0) return {tr("sum of %1 of %2 gradients").arg(all - late).arg(all), tr("sum")};
  if (all == 2) return {tr("sum of both gradients"), tr("sum of both"), tr("sum")};
  return {tr("sum of all %1 gradients").arg(all), tr("sum of all"), tr("sum")};
}

// Shows each copy, the first copy laid over it, and the difference.
void SceneBuilder::addComparison() {
  const double opacity = shownDuring(BeatKind::Check);
  if (opacity <= 0 || asynchronous_ || !strategyInfo(info_.config.strategy).hasCopies || info_.replicas == 1 ||
      !record_.metric.mirrorsIdentical || layout_.zoomed >= 0 || equationRoom(0).isEmpty())
    return;
  const double laid = easeInOut(progress(BeatKind::Check) / 0.5);
  const QRectF start = copyLines(0).front().picture;
  std::vector<Item> ghosts;  // they travel above everything else
  for (const StageColumn& column : layout_.columns) {
    const int r = column.first;
    if (equationRoom(r).isEmpty()) continue;
    addGround(r, {Object::Kind::Weights, r}, opacity, Reach::OverBuffer);
    addCopy(r, opacity, laid >= 1);
    if (r == 0 || laid >= 1) continue;
    Item& ghost = ghosts.emplace_back();
    ghost.shape = Item::Shape::Term;
    ghost.box = between(start, copyLines(r)[1].picture, laid);
    ghost.object = {Object::Kind::Weights, 0};
    ghost.owner = 0;
    ghost.values = step_.pictures().weights(record_.metric.step, {0, info_.parameters}, resolutionOf(start));
    ghost.level = ghost.values != nullptr ? 1 : 0;
    ghost.opacity = opacity;
  }
  for (Item& ghost : ghosts) scene_.items.push_back(std::move(ghost));
}

// When gradients have been applied: what each worker still computes with, and how far that is from the servers'
// weights.
void SceneBuilder::addStaleCopies() {
  const Beat* apply = input_.story.find(BeatKind::Apply);
  if (apply == nullptr || !isAt(BeatKind::Apply) || input_.seconds < apply->motionS || layout_.zoomed >= 0) return;
  const BufferRange all{0, info_.parameters};
  const StepPictures& pictures = step_.pictures();
  const std::int64_t now = record_.metric.step;
  for (const StageColumn& column : layout_.columns) {
    const int worker = column.first;
    const QRectF room = equationRoom(worker, Reach::ToLoss);
    const ReplicaStep* batch = step_.batchOf(worker, ns_);
    if (room.isEmpty() || batch == nullptr || step_.isPast(worker, ns_) || isDead(worker) || batch->version >= now)
      continue;
    const std::vector<EquationLine> lines = copyLines(worker, Reach::ToLoss);
    const QSize size = resolutionOf(lines.front().picture);
    const Values difference = pictures.difference(worker, all, size, input_.amplified);
    if (difference == nullptr) continue;
    const Object object{Object::Kind::Weights, worker};
    addGround(worker, object, 1, Reach::ToLoss);
    const QString own = weightsName(batch->version), name = endpointName(info_, worker), servers = weightsName(now);
    const Values values[] = {pictures.weights(batch->version, all, size, worker), pictures.weights(now, all, size),
                             difference};
    const QStringList words[] = {{tr("%1 of %2").arg(own, name), own},
                                 {tr("− %1 of the servers").arg(servers), QStringLiteral("− ") + servers},
                                 differenceWords(worker, true)};
    for (std::size_t i = 0; i < 3; ++i)
      addVariables(lines[i], values[i], object, words[i], 1).owner = i == 0 ? worker : -1;
  }
}

std::vector<SceneBuilder::EquationLine> SceneBuilder::copyLines(int replica, Reach reach) const {
  return linesIn(equationRoom(replica, reach), 3, 2 * stripOf(replica).height(), false);
}

// `laid`: the first copy has arrived.
void SceneBuilder::addCopy(int replica, double opacity, bool laid) {
  const BufferRange all{0, info_.parameters};
  const StepPictures& pictures = step_.pictures();
  const std::int64_t version = record_.metric.step;
  const std::vector<EquationLine> lines = copyLines(replica);
  const QSize size = resolutionOf(lines.front().picture);
  const auto line = [&](std::size_t i, const Values& values, const QStringList& words, int owner = -1) {
    const Object object{Object::Kind::Weights, replica};
    addVariables(lines[i], values, object, words, opacity, values != nullptr).owner = owner;
  };
  const QString weights = weightsName(version), name = endpointName(info_, replica), first = endpointName(info_, 0);
  const bool equal = pictures.isEqual(replica), known = equal || pictures.hasCopy(replica);
  const QString words = tr("%1 of %2").arg(weights, name);
  line(0, known ? pictures.weights(version, all, size, equal ? -1 : replica) : nullptr,
       known ? QStringList{words, name} : QStringList{tr("%1 of %2: not recorded").arg(weights, name), words, name},
       replica);
  if (replica == 0) {
    const QRectF below = lines[1].label.adjusted(0, 0, 0, lines[1].picture.height());
    if (lines[1].label.height() > 0)
      text(below,
           longestThatFits(info_.replicas == 2
                               ? QStringList{tr("laid over the other copy"), {}}
                               : QStringList{tr("laid over every other copy"), tr("laid over the others"), {}},
                           below.width(), 0.85 * px_),
           0.85)
          .opacity = opacity;
    return;
  }
  line(1, laid ? pictures.weights(version, all, size) : nullptr,
       {QStringLiteral("− ") + tr("%1 of %2").arg(weights, first), QStringLiteral("− ") + first}, laid ? 0 : -1);
  const bool compared = isCompared();
  line(2, compared ? pictures.difference(replica, all, size, input_.amplified) : nullptr,
       differenceWords(replica, compared));
  // The word stands in the picture, which is blank.
  if (compared && equal && lines[2].label.height() > 0) {
    Item& word = text(lines[2].picture, longestThatFits({tr("equal"), {}}, lines[2].picture.width(), 0.85 * px_), 0.85);
    word.bold = true;
    word.opacity = opacity;
  }
}

QStringList SceneBuilder::differenceWords(int replica, bool known) const {
  if (!known) return {tr("= difference"), QStringLiteral("=")};
  if (step_.pictures().isEqual(replica))
    return {tr("= difference: none, every bit is equal"), tr("= none: equal bits"), QStringLiteral("= 0")};
  if (!step_.pictures().hasCopy(replica)) return {tr("= difference: not recorded"), QStringLiteral("= ?")};
  if (input_.amplified == 1) return {tr("= difference"), QStringLiteral("≠")};
  const QString factor = countText(std::llround(input_.amplified));
  return {tr("= difference ×%1").arg(factor), QStringLiteral("= ×%1").arg(factor), QStringLiteral("≠")};
}

// Marks where variables end within a piece of the buffer; between named layers the marks extend beyond it.
void SceneBuilder::addEdges(const QRectF& picture, const BufferRange& range, double opacity, bool overhangs) {
  constexpr double kLeast = 4;  // pixels between two
  const double from = cellEdge(range.end()), across = cellEdge(range.offset) - from;
  const std::vector<Variable>& all = info_.network->layout().variables();
  std::map<double, bool> edges;  // x from the left; true where a layer ends
  for (const Variable& variable : all) {
    if (variable.offset <= range.offset || variable.offset >= range.end()) continue;
    const auto before =
        std::ranges::find_if(all, [&](const Variable& other) { return other.offset + other.size == variable.offset; });
    const auto layerOf = [](const Variable& each) { return each.name.substr(0, each.name.rfind('/')); };
    edges[picture.left() + picture.width() * (cellEdge(variable.offset) - from) / across] =
        before == all.end() || layerOf(*before) != layerOf(variable);
  }
  double last = picture.left();
  for (const auto& [x, ends] : edges) {
    if (x - last < kLeast || picture.right() - x < kLeast) continue;
    last = x;
    const double beyond = overhangs && ends ? 0.6 * px_ : 0;
    add(Item::Shape::Edge, QRectF(x - 0.75, picture.top(), 1.5, picture.height() + beyond)).opacity = opacity;
  }
}

// Names below the buffer say whose variables lie there. A kernel and its biases share one name if they are too narrow
// for one each.
void SceneBuilder::nameVariables(const StageColumn& column) {
  if (column.names.isEmpty()) return;
  const double font = 0.8 * px_;
  const auto name = [&](const QRectF& part, const QStringList& forms) {
    const QString shown = longestThatFits(forms + QStringList{QString()}, part.width() - 2, font);
    if (!shown.isEmpty())
      text(QRectF(part.left(), column.names.top(), part.width(), column.names.height()), shown, 0.8).quiet = true;
  };
  for (const NetworkLayer& layer : info_.network->layers()) {
    QRectF all, kernel, biases;
    for (const Variable& variable : info_.network->layout().variables()) {
      if (!variable.name.starts_with(layer.name + "/")) continue;
      const QRectF part = partOf(column.strips.front(), {variable.offset, variable.size});
      all |= part;
      if (variable.name.ends_with("/kernel")) kernel = part;
      if (variable.name.ends_with("/bias")) biases = part;
    }
    if (all.isEmpty()) continue;
    const LayerWords words = layerWords(*info_.network, layer);
    QStringList forms{words.middle, words.middle.section(QLatin1Char(','), 0, 0)};
    if (words.brief != words.units) forms << words.brief;
    const bool both = !kernel.isEmpty() && !biases.isEmpty();
    if (both && widthOf(tr("biases"), font) <= biases.width() - 2) {
      name(biases, {tr("biases")});
      name(kernel, QStringList{tr("%1: kernel").arg(words.middle)} + forms);
    } else {
      name(all, (both ? QStringList{tr("%1: kernel and biases").arg(words.middle)} : QStringList()) + forms);
    }
  }
}

}  // namespace lab
