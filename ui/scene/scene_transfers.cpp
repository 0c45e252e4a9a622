// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_transfers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "core/base/at.h"
#include "core/replicas/labels.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"

namespace lab {
namespace {

// The height at which the bus to the servers lies.
double busOf(const StageLayout& layout) {
  return layout.band.top() + 0.35 * layout.band.height();
}

bool carriesWeights(const Span& transfer) {
  return transfer.label == labelOf(Label::Broadcast) || transfer.label == labelOf(Label::PullWeights) ||
         transfer.label == labelOf(Label::GatherWeights);
}

// Like QPainterPath::pointAtPercent, which measures the length of a single curve only to divide by it.
QPointF pointOn(const QPainterPath& path, double t) {
  if (path.elementCount() != 4 || !path.elementAt(1).isCurveTo()) return path.pointAtPercent(t);
  const double u = 1 - t;
  return u * u * u * QPointF(path.elementAt(0)) + 3 * u * u * t * QPointF(path.elementAt(1)) +
         3 * u * t * t * QPointF(path.elementAt(2)) + t * t * t * QPointF(path.elementAt(3));
}

// True if a curve runs through a box; a curve that only cuts off a corner may be missed.
bool crosses(const QPainterPath& curve, const QRectF& box) {
  constexpr int kPoints = 32;
  if (!curve.controlPointRect().intersects(box)) return false;
  for (int i = 1; i < kPoints; ++i)
    if (box.contains(pointOn(curve, static_cast<double>(i) / kPoints))) return true;
  return false;
}

}  // namespace

QRectF SceneTransfers::place(int endpoint, const Span& transfer) const {
  if (at_.isServer(endpoint)) {
    const auto server = static_cast<std::size_t>(endpoint - at_.info.replicas);
    if (server >= layout_.servers.size()) return {};
    const QRectF& box = layout_.servers[server];
    const double side = 3 * px_;
    return {box.center().x() - side / 2, box.top() - 1.4 * px_, side, 1.5 * px_};
  }
  if (carriesWeights(transfer)) {
    const QRectF& badge = layout_.columnOf(endpoint).badge;
    const double side = std::min(badge.height(), 3.2 * px_);
    return {badge.center().x() - side / 2, badge.center().y() - side / 2, side, side};
  }
  if (transfer.label == labelOf(Label::ExchangeSums)) return placeOfSums(endpoint, transfer);
  const QRectF strip = layout_.strip(endpoint);
  return transfer.round < 0 ? strip : at_.step.pictures().map().partOf(strip, {transfer.offset, transfer.count});
}

// Sums go to the layer that waits for them: the one that computes next.
QRectF SceneTransfers::placeOfSums(int endpoint, const Span& transfer) const {
  const StageColumn& column = layout_.columnOf(endpoint);
  QRectF box = column.layers;
  for (const Span* span : at_.step.track(endpoint)) {
    if (span->kind != SpanKind::Compute || span->startNs < transfer.startNs + transfer.durationNs) continue;
    if (const QRectF* found = layers_.boxOf(column, operationOf(span->label))) box = *found;
    break;
  }
  const double width = std::min(box.width(), 3.4 * px_), height = std::min(box.height(), 1.5 * px_);
  return {box.center().x() - width / 2, box.center().y() - height / 2, width, height};
}

QPainterPath SceneTransfers::route(const QRectF& from, const QRectF& to, int fromEndpoint, int toEndpoint) const {
  QPainterPath path(from.center());
  if (at_.isServer(fromEndpoint) || at_.isServer(toEndpoint)) {
    // Down to the shared bus, along it, and into the box. Beside a zoomed replica, first out of the row of the others.
    const auto downFrom = [this](const QRectF& box, int endpoint) {
      return !at_.isServer(endpoint) && layout_.columnOf(endpoint).brief ? layout_.gapX : box.center().x();
    };
    const double bus = busOf(layout_), left = downFrom(from, fromEndpoint), right = downFrom(to, toEndpoint);
    for (const QPointF& corner : {QPointF(left, from.center().y()), QPointF(left, bus), QPointF(right, bus),
                                  QPointF(right, to.center().y()), to.center()})
      if (corner != path.currentPosition()) path.lineTo(corner);
    return path;
  }
  if (layout_.zoomed >= 0) {
    path.cubicTo(QPointF(layout_.gapX, from.center().y()), QPointF(layout_.gapX, to.center().y()), to.center());
    return path;
  }
  const double dx = std::abs(to.center().x() - from.center().x());
  // What travels on the deepest curve stays above the caption.
  const double room = layout_.band.bottom() - 0.85 * px_ - std::max(from.center().y(), to.center().y());
  // Opposite directions use different depths, so that they pass each other.
  const double whole = std::min(room, (1.4 + 0.16 * dx / px_) * px_ + from.height() / 2);
  const double depth = fromEndpoint < toEndpoint ? whole : from.height() / 2 + 0.45 * (whole - from.height() / 2);
  // A curve through three points: the control points lie a third deeper than the curve.
  const double y = std::max(from.center().y(), to.center().y()) + depth * 4 / 3;
  path.cubicTo(QPointF(from.center().x(), y), QPointF(to.center().x(), y), to.center());
  return path;
}

void SceneTransfers::addLinks() {
  const auto isHidden = [this](std::size_t transfer) {
    const Span& span = at_.record.spans[transfer];
    return (at_.isServer(span.from) &&
            static_cast<std::size_t>(span.from - at_.info.replicas) >= layout_.servers.size()) ||
           (at_.isServer(span.to) && static_cast<std::size_t>(span.to - at_.info.replicas) >= layout_.servers.size());
  };
  std::set<int> busy;  // tracks
  for (const std::size_t i : at_.step.underWay(at_.ns))
    if (!isHidden(i) && at_.isOnItsWay(at_.record.spans[i])) busy.insert(at_.record.spans[i].track);
  const bool starting = at_.input.seconds < at_.startUpEndsS();
  for (const StepIndex::UsedLink& used : at_.step.links()) {
    const auto shown = std::ranges::find_if_not(used.first, isHidden);
    if (shown == used.first.end()) continue;
    const Span& first = at_.record.spans[*shown];
    const int from = first.from, to = first.to;
    const auto end = [&](int endpoint) {
      if (at_.isServer(endpoint)) return place(endpoint, first);
      const StageColumn& column = layout_.columnOf(endpoint);
      const QRectF strip = layout_.strip(endpoint);
      // With several strips in a column the link starts at none of them: a long strip would show between the columns.
      if (column.count > 1) return QRectF(strip.center().x() - px_, column.box.bottom() - px_, 2 * px_, px_);
      return QRectF(strip.center().x() - px_, strip.top(), 2 * px_, strip.height());
    };
    Item& link = canvas_.add(Item::Shape::Link, {}, {Object::Kind::Link, -1, used.track});
    link.path = route(end(from), end(to), from, to);
    const auto host = [&](int endpoint) { return at(at_.info.legend.endpoints, endpoint).host; };
    link.strong = host(from) != host(to);  // over the network
    link.glow = busy.contains(used.track) && !starting ? 1 : 0;
    if (at_.isDead(from) || at_.isDead(to)) breakLink(link, at_.isDead(from));
  }
  addBroken();
}

// No transfer uses this link any more. If all share a bus, only the part that leads to the dead task is broken: the
// living ones go on using the rest. `deadAtFrom`: the dead task is where the path begins.
void SceneTransfers::breakLink(Item& link, bool deadAtFrom) {
  link.quiet = true;
  link.glow = 0;
  if (layout_.servers.empty() || link.path.elementCount() != 4) {
    broken_.push_back(link.path.pointAtPercent(0.5));
    return;
  }
  const QPointF end = link.path.elementAt(deadAtFrom ? 0 : 3), bus = link.path.elementAt(deadAtFrom ? 1 : 2);
  link.path = QPainterPath(end);
  link.path.lineTo(bus);
  broken_.push_back(bus);
}

// Links of a parameter server's dead worker, which no transfer of the step uses; and the marks on all broken links.
void SceneTransfers::addBroken() {
  for (const DeadTask& dead : at_.record.dead) {
    if (!at_.asynchronous || dead.task != RunFault::Task::Worker || at_.ns < dead.sinceNs) continue;
    for (std::size_t s = 0; s < layout_.servers.size(); ++s) {
      Span pull;
      pull.from = at_.info.replicas + static_cast<int>(s);
      pull.to = dead.index;
      const QRectF strip = layout_.strip(dead.index);
      const QRectF from(strip.center().x() - px_, strip.top(), 2 * px_, strip.height());
      Item& link = canvas_.add(Item::Shape::Link, {});
      link.path = route(from, place(pull.from, pull), dead.index, pull.from);
      link.strong = true;
      breakLink(link, true);
    }
  }
  std::vector<QRectF> marks;
  for (const QPointF& at : broken_) {
    const QRectF box(at.x() - 0.8 * px_, at.y() - 0.8 * px_, 1.6 * px_, 1.6 * px_);
    if (std::ranges::any_of(marks, [&](const QRectF& mark) { return mark.intersects(box); })) continue;
    marks.push_back(box);
    Item& mark = canvas_.chip(box, QStringLiteral("✕"));
    mark.strong = true;
  }
}

void SceneTransfers::describe(Item& token, const Span& span) const {
  if (span.label == labelOf(Label::ExchangeSums)) {
    token.owner = span.add && (span.round == 0 || at_.isServer(span.to)) ? span.from : -1;  // later tokens carry
                                                                                            // others' gradients too
    if (token.box.width() > 2.4 * px_) token.text = QStringLiteral("Σx");
    return;
  }
  // A replica's own piece has its hue; a piece that includes other gradients has none.
  if (at_.asynchronous) {
    token.owner = span.from;
    return;
  }
  if (span.label == labelOf(Label::ShareWeights)) {  // its own weights, whatever it has received meanwhile
    token.owner = span.from;
    token.level = 1.0 / static_cast<double>(at_.taking);
    const QString name = endpointName(at_.info, span.from);
    if (token.box.width() > 2.4 * px_)
      token.text = longestThatFits({tr("from %1").arg(name), name}, token.box.width() - px_, token.fontPx);
    return;
  }
  const Contributions& holds = at_.holds(span.from, at_.step.aggregation().firstCell(span));
  const auto count = static_cast<int>(at_.counted.in(holds));
  token.owner = at_.isServer(span.from) ? -1 : at_.onlyOneIn(holds);
  const int inSum = at_.step.inSum(span.from);
  token.level = at_.isOfZeros(holds) ? 0 : static_cast<double>(count) / static_cast<double>(inSum);
  QString whose = count == 0 ? QStringLiteral("0") : QStringLiteral("%1/%2").arg(count).arg(inSum);
  if (at_.isWhole(holds, span.from)) whose = QStringLiteral("Σ");
  if (token.owner >= 0) whose = endpointName(at_.info, token.owner);
  if (token.box.width() <= 2.4 * px_) return;
  const QString sum = (span.add ? QStringLiteral("+") : QString()) + whose;
  token.text =
      token.owner < 0 ? sum : longestThatFits({tr("from %1").arg(whose), sum}, token.box.width() - px_, token.fontPx);
}

// The part of the sender's picture that the transfer carries, at its size there.
Values SceneTransfers::valuesOf(const Span& transfer, const QRectF& from) const {
  if (transfer.label == labelOf(Label::ExchangeSums)) return nullptr;
  const bool whole = transfer.round < 0;  // the whole buffer, or what a server holds of it
  const BufferRange range = at_.rangeOf(transfer);
  if (transfer.label == labelOf(Label::ShareWeights))
    return at_.step.pictures().weights(at_.record.metric.step - 1, range, resolutionOf(from), transfer.from);
  const int server = whole && at_.asynchronous && at_.info.parameterDevices > 1 ? transfer.to - at_.info.replicas : -1;
  return at_.gradientsIn(from, transfer.from, range, range.end(), server);
}

void SceneTransfers::add() {
  std::vector<std::pair<QRectF, std::int64_t>> labels;
  std::vector<QRectF> drawn;
  const bool stands = sums_.standsAtSum();
  for (const std::size_t i : at_.step.underWay(at_.ns)) {
    const Span& span = at_.record.spans[i];
    if (!at_.isOnItsWay(span) || (stands && span.startNs == at_.ns)) continue;
    const QRectF from = place(span.from, span), to = place(span.to, span);
    if (from.isEmpty() || to.isEmpty()) continue;
    const double t = sums_.travelled(span);
    const QPointF at = pointOn(route(from, to, span.from, span.to), t);
    const bool weights = carriesWeights(span);
    // If columns hold several strips, a token is small enough to hide only its own strip.
    const double least = layout_.perColumn > 1 ? std::clamp(from.height() / px_, 0.3, 0.9) : 0.9;
    const double height =
        weights ? 2.4 * px_ : std::max(least < 0.9 ? least * px_ : 1.3 * px_, std::min(from.height(), 1.9 * px_));
    // As wide as the piece, but at most half of a buffer.
    const double most = std::max(8 * px_, 0.52 * layout_.columns.front().strips.front().width());
    const double width =
        weights ? 2.4 * px_ : std::clamp(from.width() + (to.width() - from.width()) * t, least * px_, most);
    QRectF box(at.x() - width / 2, at.y() - height / 2, width, height);
    const SceneSums::Dock* dock = sums_.dockOf(i);
    if (dock != nullptr) box = between(box, dock->line, dock->part);
    Item& token = canvas_.add(weights ? Item::Shape::Weights : Item::Shape::Token, box,
                              {Object::Kind::Transfer, -1, static_cast<std::int64_t>(i)});
    token.fontPx = 0.9 * px_;
    token.level = 1;
    token.bytes = span.bytes;
    const double labelLeft = std::clamp(at.x() - 4 * px_, 0.0, layout_.size.width() - 8 * px_);
    const double labelTop = std::min(at.y() + height / 2 + 0.05 * px_, layout_.caption.top() - 1.2 * px_);
    const double bus = busOf(layout_);
    const bool onBus = !layout_.servers.empty() && labelTop < bus && bus < labelTop + 1.2 * px_;
    if (labelTop >= layout_.band.top() && !onBus && dock == nullptr)
      labels.emplace_back(QRectF(labelLeft, labelTop, 8 * px_, 1.2 * px_), span.bytes);
    drawn.push_back(token.box);
    if (weights) {
      token.strong = true;
      token.text = QStringLiteral("W");
    } else {
      describe(token, span);
      token.values = valuesOf(span, resolutionOf(from).isEmpty() ? token.box : from);
    }
  }
  // The number of bytes, if the words cover no other words and nothing in transit, and no link runs through them.
  for (const auto& [box, bytes] : labels) {
    const QRectF words = box.adjusted(1.6 * px_, 0, -1.6 * px_, 0);
    const auto covers = [&words](const QRectF& other) { return other.intersects(words); };
    if (std::ranges::any_of(drawn, covers) || std::ranges::any_of(layout_.servers, covers)) continue;
    const auto isCrossing = [&words](const Item& item) {
      return item.shape == Item::Shape::Link && item.path.elementCount() == 4 && item.path.elementAt(1).isCurveTo() &&
             crosses(item.path, words);
    };
    if (std::any_of(canvas_.items().begin(), canvas_.items().end(), isCrossing)) continue;
    canvas_.text(box, bytesText(bytes), 0.8).quiet = true;
    drawn.push_back(words);
  }
}

}  // namespace lab
