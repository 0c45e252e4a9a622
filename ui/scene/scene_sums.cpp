// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_sums.h"

#include <algorithm>
#include <tuple>

#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/playback/captions.h"

namespace lab {
namespace {

constexpr std::size_t kMostInSum = 4;

}  // namespace

// The names of the replicas whose gradients these are.
QStringList SceneSums::contributorNames(const Contributions& of, int inSum) const {
  const std::size_t count = at_.counted.in(of);
  if (of.count() > 0 && count == 0) return {tr("left out: 0"), QStringLiteral("0")};
  if (const int whose = at_.onlyOneIn(of); whose >= 0) {
    const QString name = endpointName(at_.info, whose);
    return {at_.record.averagesWeights() ? tr("weights of %1").arg(name) : tr("gradient of %1").arg(name), name};
  }
  if (const std::size_t inMean = at_.step.aggregation().inMean(); inMean > 0)
    return {tr("%1 of %2 averaged").arg(count).arg(inMean), QStringLiteral("%1/%2").arg(count).arg(inMean)};
  return {tr("sum of %1 of %2").arg(count).arg(inSum), QStringLiteral("%1/%2").arg(count).arg(inSum)};
}

double SceneSums::travelled(const Span& transfer) const {
  const bool docks = transfer.add && isReduction(transfer.label) && !at_.asynchronous &&
                     hasEquation(transfer.to, at_.rangeOf(transfer));
  return easeInOut(docks ? at_.progress(transfer) / kDockAt : at_.progress(transfer));
}

// With many replicas the pieces are too narrow for an equation: only the whole buffer has one.
bool SceneSums::hasEquation(int endpoint, const BufferRange& range) const {
  constexpr double kLeast = 0.75;  // px
  if (layout_.columns.size() > 8 && range.count < at_.info.parameters && !at_.isServer(endpoint)) return false;
  return !equations_.room(endpoint).isEmpty() &&
         (at_.isServer(endpoint) || pieceOf(endpoint, range).width() >= kLeast * px_);
}

// Finds the additions shown at this moment: pieces that are about to arrive, and those that have just arrived.
void SceneSums::find() {
  if (at_.asynchronous || !at_.input.story.isUnderWay(at_.input.seconds)) return;
  const Aggregation& aggregation = at_.step.aggregation();
  const std::int64_t since = at_.input.story.clockAt(std::max(0.0, at_.input.seconds - kSinkS));
  std::map<std::tuple<int, BufferRange, std::int64_t>, std::size_t> known;  // indices into sums_
  for (const std::size_t i : aggregation.underWay(since, at_.ns)) {
    const Span& span = at_.record.spans[i];
    const std::int64_t end = span.startNs + span.durationNs;
    if (span.step != at_.record.metric.step) continue;
    const BufferRange range = at_.rangeOf(span);
    const double part = at_.progress(span);
    Sum sum{.endpoint = span.to, .range = range, .endNs = end, .adds = span.add};
    sum.docked = easeInOut((part - kDockAt) / (1 - kDockAt));
    if (at_.ns >= end) {
      const double past = at_.input.seconds - at_.input.story.leavesAt(end);
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

bool SceneSums::standsAtSum() const {
  return std::ranges::any_of(sums_, [this](const Sum& sum) { return sum.adds && sum.endNs == at_.ns; });
}

const SceneSums::Dock* SceneSums::dockOf(std::size_t transfer) const {
  const auto found = docks_.find(transfer);
  return found == docks_.end() ? nullptr : &found->second;
}

QRectF SceneSums::pieceOf(int endpoint, const BufferRange& range) const {
  return at_.step.pictures().map().partOf(equations_.stripOf(endpoint), range);
}

// Terms stand one under the other above the buffer, which holds their sum.
void SceneSums::add() {
  find();
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
    equations_.addGround(endpoint, {Object::Kind::Gradient, endpoint, -1}, opacity, SceneEquations::Reach::ToBuffer);
    if (!at_.isServer(endpoint)) addRest(endpoint, lines[endpoint], std::max(0.0, 2 * opacity - 1));
  }
  for (const Sum& sum : sums_) {
    if (sum.adds) addSum(sum, count[sum.endpoint] == 1);
    if (at_.ns < sum.endNs) continue;
    const QRectF piece = pieceOf(sum.endpoint, sum.range);  // tiles have no room for a mark
    if (piece.width() > 1.2 * px_ && piece.height() > 0.9 * px_)
      canvas_.add(Item::Shape::Outline, piece).opacity = 1 - sum.sunk;
  }
}

// Says what the rest of the buffer, where nothing is added now, has or will have. The text stands beside the first
// picture, since the other lines of words go on to the column's end.
void SceneSums::addRest(int endpoint, std::size_t lines, double opacity) {
  constexpr double kLeast = 5;  // px
  const double most = 1.5 * equations_.stripOf(endpoint).height();
  const QRectF room = equations_.linesIn(equations_.room(endpoint), lines, most, true).front().picture;
  const std::vector<GradientCell>& cells = at_.step.aggregation().cells();
  const auto isAdded = [&](const QRectF& part) {
    return std::ranges::any_of(sums_, [&](const Sum& sum) {
      const QRectF piece = pieceOf(sum.endpoint, sum.range);
      return sum.adds && sum.endpoint == endpoint && piece.left() < part.center().x() &&
             part.center().x() < piece.right();
    });
  };
  QRectF rest;  // adjacent cells, from the right
  bool whole = true;
  const bool ofAll = at_.step.inSum(endpoint) == at_.taking;
  const bool ringStops = !strategyInfo(at_.info.config.strategy).shards.empty();  // most sums end on other replicas
  const auto tell = [&] {
    const bool isMean = at_.step.aggregation().inMean() > 0;
    const QStringList forms = isMean && whole  ? QStringList{tr("already averaged"), {}}
                              : isMean         ? QStringList{tr("averaged later"), {}}
                              : whole && ofAll ? QStringList{tr("already the sum of all"), tr("already summed"), {}}
                              : whole          ? QStringList{tr("already summed"), {}}
                              : ringStops      ? QStringList{tr("not in this hop"), tr("not now"), {}}
                                               : QStringList{tr("its sum comes later"), tr("later"), {}};
    const QString words = longestThatFits(forms, rest.width() - px_, 0.85 * px_);
    if (rest.width() >= kLeast * px_ && !words.isEmpty()) {
      Item& item = canvas_.text(QRectF(rest.left(), room.top(), rest.width(), room.height()), words, 0.85);
      item.quiet = true;
      item.opacity = opacity;
    }
    rest = {};
    whole = true;
  };
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const QRectF part = pieceOf(endpoint, {cells[c].offset, cells[c].count});
    if (isAdded(part)) {
      tell();
      continue;
    }
    rest |= part;
    whole = whole && at_.isWhole(at_.holds(endpoint, c), endpoint);
  }
  tell();
}

QRectF SceneSums::Place::picture(std::size_t line) const {
  return {piece.left(), lines[line].picture.top(), piece.width(), lines[line].picture.height()};
}

// As wide as the piece if others stand beside it; otherwise up to the farther end of the column.
QRectF SceneSums::Place::label(std::size_t line) const {
  const QRectF& row = lines[line].label;
  const bool leftwards = alone && piece.left() - row.left() > row.right() - piece.right();
  const double left = leftwards ? row.left() : piece.left(), right = alone && !leftwards ? row.right() : piece.right();
  return {left, row.top(), right - left, row.height()};
}

void SceneSums::addSum(const Sum& sum, bool alone) {
  const QRectF room = equations_.room(sum.endpoint), piece = pieceOf(sum.endpoint, sum.range);
  if (!hasEquation(sum.endpoint, sum.range) || resolutionOf(piece).isEmpty()) return;
  const Aggregation& aggregation = at_.step.aggregation();
  const std::size_t cell = aggregation.firstCell(at_.record.spans[sum.transfers.front()]);
  const Aggregation::State before = aggregation.stateAt(std::min(at_.ns, sum.endNs - 1), cell);
  const Contributions held = before.at(sum.endpoint, cell);
  Contributions::Bits all = held.bits();
  // First what the buffer had, unless it was empty; then what arrives.
  const std::size_t first = all.any() ? 1 : 0, shown = std::min(kMostInSum - first, sum.transfers.size());
  const int inSum = at_.step.inSum(sum.endpoint);
  const double docked = std::min(sum.docked, 1 - sum.sunk);
  const Place place{equations_.linesIn(room, shown + first, 1.5 * piece.height(), true), piece, alone, docked,
                    std::clamp((docked - 0.93) / 0.07, 0.0, 1.0)};
  const auto add = [&](std::size_t line, std::size_t transfer, const QStringList& forms, int owner) {
    const StepPictures::Terms terms = at_.step.pictures().terms(transfer, sum.range, resolutionOf(piece));
    const std::size_t at = canvas_.items().size();
    Item& term = canvas_.term(between(piece, place.picture(line), docked), line < first ? terms.before : terms.source,
                              {Object::Kind::Gradient, sum.endpoint, -1});
    term.owner = owner;
    term.opacity = 1 - sum.sunk;
    equations_.nameTerm(at, place.label(line), forms, place.words);
  };
  if (first > 0)
    add(0, sum.transfers.front(), contributorNames(held, inSum),
        held.count() == 1 && !at_.isServer(sum.endpoint) ? sum.endpoint : -1);
  for (std::size_t i = 0; i < sum.transfers.size(); ++i) {
    const std::size_t line = std::min(i, shown - 1) + first, transfer = sum.transfers[i];
    const int from = at_.record.spans[transfer].from;
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
    if (at_.ns >= sum.endNs) add(line, transfer, forms, of.count() == 1 && !at_.isServer(from) ? from : -1);
  }
  if (at_.ns >= sum.endNs) addEquals(place, at_.counted.in(all), inSum);
}

void SceneSums::addEquals(const Place& place, std::size_t count, int inSum) {
  const QRectF label = place.label(place.lines.size() - 1);
  const bool isMean = at_.step.aggregation().inMean() > 0;
  const QStringList means{tr("= mean of these %1").arg(count), tr("= mean"), QStringLiteral("=")};
  if (label.height() <= 0) {  // terms are named in their pictures, so the sum is too
    const auto cell = std::ranges::find_if(canvas_.items(), [&](const Item& item) {
      return item.object.kind == Object::Kind::Gradient && item.text == SceneBuffers::meanText() &&
             item.box.contains(place.piece.center());
    });
    if (isMean && cell != canvas_.items().end())
      cell->text = longestThatFits({means[0], means[1], cell->text}, cell->box.width() - px_, cell->fontPx);
    return;
  }
  const Qt::Alignment near = sidesOf(label, place.piece).first;
  const bool whole = count == static_cast<std::size_t>(inSum);
  const QString of = QStringLiteral("= %1/%2").arg(count).arg(inSum);
  if (isMean) {
    canvas_.fitted(label, means, 0.85, near).opacity = place.words;
    return;
  }
  const QStringList forms{!whole       ? tr("= sum of %1 of %2").arg(count).arg(inSum)
                          : count == 2 ? tr("= sum of both")
                                       : tr("= sum of all %1").arg(inSum),
                          whole ? tr("= sum") : of, QStringLiteral("=")};
  Item& equals = canvas_.fitted(label, forms, 0.85, near);
  equals.bold = true;
  equals.opacity = place.words;
}

}  // namespace lab
