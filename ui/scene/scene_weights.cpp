// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_weights.h"

#include <algorithm>
#include <cmath>

#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"

namespace lab {
namespace {

constexpr double kFadeS = 0.1;

}  // namespace

// How far the endpoint's own update has got, 0 to 1.
double SceneWeights::updated(int endpoint) const {
  if (at_.step.isUpdated(endpoint, at_.ns)) return 1;
  for (const Span* span : at_.step.track(endpoint))
    if (span->kind == SpanKind::Update && span->step == at_.record.metric.step && span->startNs <= at_.ns)
      return at_.progress(*span);
  return 0;
}

// The opacity of something shown from the beginning to the end of a beat; 0 outside of it.
double SceneWeights::shownDuring(BeatKind kind) const {
  if (!at_.isAt(kind)) return 0;
  const Beat* beat = at_.input.story.find(kind);
  return beat->endS >= at_.input.story.seconds ? 1 : std::clamp((beat->endS - at_.input.seconds) / kFadeS, 0.0, 1.0);
}

// How the optimizer turns the sum into a change, and what that change makes of the weights.
void SceneWeights::addUpdate() {
  const double opacity = shownDuring(BeatKind::Update);
  if (opacity <= 0 || at_.asynchronous || at_.record.averagesWeights() || at_.step.isScattered(at_.ns)) return;
  std::vector<int> endpoints;
  for (const StageColumn& column : layout_.columns) endpoints.push_back(column.first);
  const bool copies = strategyInfo(at_.info.config.strategy).hasCopies;
  if (!copies && !layout_.servers.empty()) endpoints = {at_.info.replicas};
  for (const int endpoint : endpoints)
    if (!equations_.room(endpoint).isEmpty() && (at_.isServer(endpoint) || at_.step.pictures().isEqual(endpoint)))
      addChain(endpoint, opacity);
}

// From above: the sum, which comes up from its buffer, the optimizer's change, the weights, and weights and change
// together.
void SceneWeights::addChain(int endpoint, double opacity) {
  const BufferRange all{0, at_.info.parameters};
  const StepPictures& pictures = at_.step.pictures();
  const std::int64_t before = at_.record.metric.step - 1;
  const QRectF strip = equations_.stripOf(endpoint);
  const bool hasSum = at_.gradientsIn(strip, endpoint, all, all.count) != nullptr;
  const Reach reach = hasSum ? Reach::OverBuffer : Reach::ToBuffer;
  std::vector<EquationLine> lines =
      equations_.linesIn(equations_.room(endpoint, reach), hasSum ? 4 : 3, 2 * strip.height(), false);
  const QSize size = resolutionOf(lines.front().picture);
  const Values weights = pictures.weights(before, all, size);
  if (weights == nullptr) return;
  const Object object{Object::Kind::Weights, endpoint};
  equations_.addGround(endpoint, object, opacity, reach);
  const double level = updated(endpoint);
  const Values change = level > 0 ? pictures.change(all, size) : nullptr,
               after = level >= 1 ? pictures.weights(before + 1, all, size) : nullptr;
  const QString optimizer =
      at_.info.config.optimizer == OptimizerKind::Adam ? QStringLiteral("Adam") : QStringLiteral("SGD");
  const QString rate = numberText(at_.record.metric.learningRate), old = weightsName(before),
                now = weightsName(before + 1);
  if (hasSum) {
    const double part = (at_.input.seconds - at_.input.story.find(BeatKind::Update)->beginS) / kSinkS;
    const double risen = easeInOut(part);
    const QStringList names = at_.step.inSum(endpoint) == 1 ? QStringList{tr("gradient"), QStringLiteral("∇")}
                                                            : buffers_.sumNames(endpoint) << QStringLiteral("Σ");
    const EquationLine line{lines[0].label, between(strip, lines[0].picture, risen)};
    equations_.addVariables(line, at_.gradientsIn(lines[0].picture, endpoint, all, all.count),
                            {Object::Kind::Gradient, endpoint, -1}, names, opacity);
    lines.erase(lines.begin());
    opacity *= std::clamp(part - 1, 0.0, 1.0);  // the sum passes through these places
  }
  const QStringList forms{tr("→ %1, learning rate %2 → change").arg(optimizer, rate),
                          tr("→ %1 → change").arg(optimizer), QStringLiteral("→ Δ")};
  equations_.addVariables(lines[0], change, object, forms, opacity).level = level;
  equations_.addVariables(lines[1], weights, object, {old}, opacity);
  equations_.addVariables(lines[2], after, object, {tr("%1 + change = %2").arg(old, now), QStringLiteral("= ") + now},
                          opacity);
}

// Shows each copy, the first copy laid over it, and the difference.
void SceneWeights::addComparison() {
  const double opacity = shownDuring(BeatKind::Check);
  if (opacity <= 0 || at_.asynchronous || !strategyInfo(at_.info.config.strategy).hasCopies || at_.info.replicas == 1 ||
      !at_.record.metric.mirrorsIdentical || layout_.zoomed >= 0 || equations_.room(0).isEmpty())
    return;
  const double laid = easeInOut(at_.progress(BeatKind::Check) / 0.5);
  const QRectF start = copyLines(0).front().picture;
  std::vector<Item> ghosts;  // they travel above everything else
  for (const StageColumn& column : layout_.columns) {
    const int r = column.first;
    if (equations_.room(r).isEmpty()) continue;
    equations_.addGround(r, {Object::Kind::Weights, r}, opacity, Reach::OverBuffer, r > 0);  // words end the first
    addCopy(r, opacity, laid >= 1);
    if (r == 0 || laid >= 1) continue;
    Item& ghost = ghosts.emplace_back();
    ghost.shape = Item::Shape::Term;
    ghost.box = between(start, copyLines(r)[1].picture, laid);
    ghost.object = {Object::Kind::Weights, 0};
    ghost.owner = 0;
    ghost.values = at_.step.pictures().weights(at_.record.metric.step, {0, at_.info.parameters}, resolutionOf(start));
    ghost.level = ghost.values != nullptr ? 1 : 0;
    ghost.opacity = opacity;
  }
  for (Item& ghost : ghosts) canvas_.items().push_back(std::move(ghost));
}

// When gradients have been applied: what each worker still computes with, and how far that is from the servers'
// weights.
void SceneWeights::addStaleCopies() {
  if (!at_.isAt(BeatKind::Apply) || !at_.hasApplied() || layout_.zoomed >= 0) return;
  const BufferRange all{0, at_.info.parameters};
  const StepPictures& pictures = at_.step.pictures();
  const std::int64_t now = at_.record.metric.step;
  for (const StageColumn& column : layout_.columns) {
    const int worker = column.first;
    const QRectF room = equations_.room(worker, Reach::ToLoss);
    const ReplicaStep* batch = at_.step.batchOf(worker, at_.ns);
    if (room.isEmpty() || batch == nullptr || at_.step.isPast(worker, at_.ns) || at_.isDead(worker) ||
        batch->version >= now)
      continue;
    const std::vector<EquationLine> lines = copyLines(worker, Reach::ToLoss);
    const QSize size = resolutionOf(lines.front().picture);
    const Values difference = pictures.difference(worker, all, size, at_.input.amplified);
    if (difference == nullptr) continue;
    const Object object{Object::Kind::Weights, worker};
    equations_.addGround(worker, object, 1, Reach::ToLoss);
    const QString own = weightsName(batch->version), name = endpointName(at_.info, worker), servers = weightsName(now);
    const Values values[] = {pictures.weights(batch->version, all, size, worker), pictures.weights(now, all, size),
                             difference};
    const QStringList words[] = {{tr("%1 of %2").arg(own, name), own},
                                 {tr("− %1 of the servers").arg(servers), QStringLiteral("− ") + servers},
                                 differenceWords(worker, true)};
    for (std::size_t i = 0; i < 3; ++i)
      equations_.addVariables(lines[i], values[i], object, words[i], 1).owner = i == 0 ? worker : -1;
  }
}

std::vector<EquationLine> SceneWeights::copyLines(int replica, Reach reach) const {
  return equations_.linesIn(equations_.room(replica, reach), 3, 2 * equations_.stripOf(replica).height(), false);
}

// `laid`: the first copy has arrived.
void SceneWeights::addCopy(int replica, double opacity, bool laid) {
  const BufferRange all{0, at_.info.parameters};
  const StepPictures& pictures = at_.step.pictures();
  const std::int64_t version = at_.record.metric.step;
  const std::vector<EquationLine> lines = copyLines(replica);
  const QSize size = resolutionOf(lines.front().picture);
  const auto line = [&](std::size_t i, const Values& values, const QStringList& words, int owner = -1) {
    const Object object{Object::Kind::Weights, replica};
    equations_.addVariables(lines[i], values, object, words, opacity, values != nullptr).owner = owner;
  };
  const QString weights = weightsName(version), name = endpointName(at_.info, replica),
                first = endpointName(at_.info, 0);
  const bool equal = pictures.isEqual(replica), known = equal || pictures.hasCopy(replica);
  const QString words = tr("%1 of %2").arg(weights, name);
  line(0, known ? pictures.weights(version, all, size, equal ? -1 : replica) : nullptr,
       known ? QStringList{words, name} : QStringList{tr("%1 of %2: not recorded").arg(weights, name), words, name},
       replica);
  if (replica == 0) {
    const QStringList forms = at_.info.replicas == 2
                                  ? QStringList{tr("laid over the other copy"), {}}
                                  : QStringList{tr("laid over every other copy"), tr("laid over the others"), {}};
    const QRectF below = lines[1].label.adjusted(0, 0, 0, lines[1].picture.height());
    if (lines[1].label.height() > 0) canvas_.fitted(below, forms, 0.85).opacity = opacity;
    return;
  }
  line(1, laid ? pictures.weights(version, all, size) : nullptr,
       {QStringLiteral("− ") + tr("%1 of %2").arg(weights, first), QStringLiteral("− ") + first}, laid ? 0 : -1);
  const bool compared = isCompared();
  line(2, compared ? pictures.difference(replica, all, size, at_.input.amplified) : nullptr,
       differenceWords(replica, compared));
  // The word stands in the picture, which is blank.
  if (compared && equal && lines[2].label.height() > 0) {
    Item& word = canvas_.fitted(lines[2].picture, {tr("equal"), {}}, 0.85);
    word.bold = true;
    word.opacity = opacity;
  }
}

QStringList SceneWeights::differenceWords(int replica, bool known) const {
  if (!known) return {tr("= difference"), QStringLiteral("=")};
  if (at_.step.pictures().isEqual(replica))
    return {tr("= difference: none, every bit is equal"), tr("= none: equal bits"), QStringLiteral("= 0")};
  if (!at_.step.pictures().hasCopy(replica)) return {tr("= difference: not recorded"), QStringLiteral("= ?")};
  if (at_.input.amplified == 1) return {tr("= difference"), QStringLiteral("≠")};
  const QString factor = countText(std::llround(at_.input.amplified));
  return {tr("= difference ×%1").arg(factor), QStringLiteral("= ×%1").arg(factor), QStringLiteral("≠")};
}

bool SceneWeights::isCompared() const {
  const Beat* check = at_.input.story.find(BeatKind::Check);
  return check != nullptr && at_.input.seconds >= check->verdictS();
}

void SceneWeights::addVerdict() {
  if (!strategyInfo(at_.info.config.strategy).hasCopies || !at_.record.metric.mirrorsIdentical ||
      at_.info.replicas == 1 || layout_.columns.size() < 2)
    return;
  const Beat* beat = at_.input.story.find(BeatKind::Check);
  if (beat == nullptr || at_.input.seconds < beat->beginS) return;
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
    Item& sign = canvas_.add(Item::Shape::Chip, QRectF(x - side / 2, y - side / 2, side, side),
                             {Object::Kind::Weights, layout_.columns[i].first});
    sign.text = !compared                             ? QStringLiteral("?")
                : *at_.record.metric.mirrorsIdentical ? QStringLiteral("=")
                                                      : QStringLiteral("≠");
    sign.fontPx = 0.8 * side;
    sign.bold = true;
    sign.opacity = compared ? 1 : 0.5;
    sign.strong = true;
  }
}

}  // namespace lab
