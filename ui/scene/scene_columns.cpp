// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_columns.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/scene/zoomed_replica.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {

// As much as there is room for: the name, the kind of device, and the device's model.
SceneColumns::Header SceneColumns::headerOf(const StageColumn& column) const {
  const QRectF& box = column.header;
  const bool narrow = at_.asynchronous && box.width() < 5.4 * px_;
  const int last = column.first + column.count - 1;
  Header header;
  const bool several = column.count > 1, ofClass = several && at_.info.isClass;  // replicas of a class in a shared
                                                                                 // column have names of their own
  const QString first =
      narrow || ofClass ? endpointNumber(at_.info, column.first) : endpointName(at_.info, column.first);
  header.name =
      ofClass || (several && !narrow) ? QStringLiteral("%1–%2").arg(first, endpointNumber(at_.info, last)) : first;
  const double usual = column.count > 1 ? 5 : at_.asynchronous ? 6.6 : 2.2, letter = 0.7;
  const double least = theme::leastLetters();  // in a low lane on a projector, letters are larger than the stage's own
  const double painted = column.count == 1 ? widthOf(header.name, std::max(1.15 * px_, least), true) + 0.3 * px_ : 0;
  const double nameWidth = std::max({usual * px_, letter * static_cast<double>(header.name.size()) * px_, painted}),
               badgeWidth = 7 * px_;
  if (box.width() > nameWidth + badgeWidth + 0.5 * px_)
    header.badge = box.adjusted(box.width() - badgeWidth, 0.1 * px_, 0, -0.1 * px_);
  const DeviceFacts& device = at(at_.info.devices, column.first);
  header.hardware = strategyWords(at_.info, "device") + QString::fromStdString(device.hardware);
  if (device.slowdown != 1) header.hardware.prepend(tr("%1× slower · ").arg(device.slowdown));
  // Shrink the words rather than cut them short.
  const double room = box.width() - nameWidth - badgeWidth - 0.3 * px_;
  header.hardwarePx = std::min(0.9 * px_, room / widthOf(header.hardware, 1));
  const bool fits = header.hardwarePx >= 0.7 * px_ || (device.slowdown != 1 && room > 7 * px_);
  if (fits && (!theme::isProjected() || widthOf(header.hardware, least) <= room))
    header.hardwareBox = QRectF(box.left() + nameWidth, box.top(), room, box.height());
  return header;
}

void SceneColumns::add(const StageColumn& column) {
  if (column.brief) return addBrief(column);
  const int last = column.first + column.count - 1;
  Item& panel = canvas_.add(Item::Shape::Panel, column.box, {Object::Kind::Device, column.first});
  panel.owner = column.count == 1 ? column.first : -1;

  const DeviceFacts& device = at(at_.info.devices, column.first);
  const Header header = headerOf(column);
  const QString badge = device.simulated                ? tr("SIMULATED")
                        : isGpu(at_.info, column.first) ? tr("REAL GPU")
                                                        : tr("REAL CPU");
  // Names of several replicas differ in length; all have the size at which the longest fits.
  const auto longest = static_cast<double>(2 * QString::number(at_.info.replicas - 1).size() + 2);
  const double scale = column.count == 1 ? 1.15 : std::min(1.15, column.header.width() / (0.72 * longest * px_));
  Item& title = canvas_.text(column.header, header.name, scale, header.badge ? kAtLeft : Qt::AlignCenter);
  title.bold = true;
  title.owner = column.count == 1 ? column.first : -1;
  if (header.badge) canvas_.chip(*header.badge, badge, {Object::Kind::Device, column.first});
  if (header.hardwareBox)
    canvas_.text(*header.hardwareBox, header.hardware, std::max(0.7, header.hardwarePx / px_), kAtLeft).quiet = true;

  Item& tray = canvas_.add(Item::Shape::Tray, column.tray);
  tray.owner = column.count == 1 ? column.first : -1;
  addTrayWords(column);
  if (column.first == layout_.zoomed)
    ZoomedReplica(*this, layers_).addNetwork();
  else
    layers_.add(column);
  addLoss(column, column.loss);
  addWeights(column);
  for (int r = column.first; r <= last; ++r) buffers_.addStrip(r);
  if (column.count == 1) {
    // A strip without values shows words in their place.
    if (at_.step.gradientReady(column.first, at_.ns) > 0)
      buffers_.addEdges(column.strips.front(), {0, at_.info.parameters}, 1, !column.names.isEmpty());
    buffers_.nameVariables(column);
  }
  if (column.first != layout_.zoomed) buffers_.nameStrip(column);

  addIdleness(column);
}

// A replica beside the zoomed one.
void SceneColumns::addBrief(const StageColumn& column) {
  Item& panel = canvas_.add(Item::Shape::Panel, column.box, {Object::Kind::Device, column.first});
  panel.owner = column.first;
  if (column.header.height() > 0) {
    Item& title = canvas_.text(column.header, endpointName(at_.info, column.first), 1, kAtLeft);
    title.bold = true;
    title.owner = column.first;
  }
  if (!column.flat) addWeights(column);
  buffers_.addStrip(column.first);
}

// The number of images and, if shares are unequal, how much each image counts.
void SceneColumns::addTrayWords(const StageColumn& column) {
  if (column.tray.height() <= 3.4 * px_) return;
  if (at_.waitsForImages()) return addWaiting(column);
  std::int64_t images = 0, right = 0;
  bool known = false, past = false;
  std::size_t hidden = 0;
  for (int r = column.first; r < column.first + column.count; ++r) {
    const ReplicaStep* batch = at_.step.batchOf(r, at_.ns);
    if (batch == nullptr) continue;
    images += std::ssize(batch->shard);
    past = past || at_.step.isPast(r, at_.ns);
    if (at_.step.isPast(r, at_.ns) || at_.step.hasLoss(r, at_.ns)) {
      known = true;
      right += at_.step.recognised(*batch);
    }
    hidden += batch->shard.size() > 256 ? batch->shard.size() - 256 : 0;
  }
  const double width = column.tray.width();
  QString words = width > 8 * px_ ? tr("%Ln images", nullptr, plural(images)) : countText(images);
  if (at_.asynchronous && width > 14 * px_)
    words = images == 0                 ? at_.info.isClass ? tr("no batch now") : tr("no batch yet")
                            : past && column.count == 1 ? tr("its last batch: %Ln images", nullptr, plural(images))
                                        : tr("its own batch: %Ln images", nullptr, plural(images));
  // An image's weight is never cut, whatever else is left out.
  QStringList forms{words};
  if (images > 0 && column.count == 1 && at_.step.votesDiffer()) {
    const QString vote = voteText(column.first);
    forms = {words + tr(" · each counts %1").arg(vote), words + tr(" · each %1").arg(vote),
             countText(images) + QStringLiteral(" · ") + vote};
  }
  if (known && images > 0 && width > 16 * px_) forms.prepend(forms.front() + tr(" · %1 recognised").arg(right));
  if (hidden > 0)
    for (QString& form : forms) form += tr(" (%1 not drawn)").arg(hidden);
  canvas_.fitted(QRectF(column.tray.left(), column.tray.top() + 0.1 * px_, width, 1.3 * px_), forms, 0.85).quiet = true;
}

// What the tray waits for.
void SceneColumns::addWaiting(const StageColumn& column) {
  std::int64_t images = 0;
  for (int r = column.first; r < column.first + column.count; ++r)
    images += std::ssize(at(at_.record.replicas, r).shard);
  const QRectF& tray = column.tray;
  const QString count = countText(images);
  const QStringList forms =
      images == 0 ? QStringList{tr("gets no image"), tr("none")}
                  : QStringList{tr("waits for %Ln images", nullptr, plural(images)), tr("waits: %1").arg(count), count};
  canvas_.fitted(QRectF(tray.left(), tray.top() + 0.1 * px_, tray.width(), 1.3 * px_), forms, 0.85).quiet = true;
}

QString SceneColumns::voteText(int replica) const {
  const double vote = at_.step.vote(replica);
  return vote > 0 ? QStringLiteral("1/%1").arg(countText(std::llround(1 / vote))) : QStringLiteral("0");
}

QString SceneColumns::idleness(int replica) const {
  if (at_.step.isLeftOut(replica, at_.ns) && !at_.step.isUpdated(replica, at_.ns)) return tr("too late: left out");
  if (!at_.asynchronous) return waits(replica) ? tr("waits") : QString();
  switch (at_.step.doing(replica, at_.ns)) {
    case StepIndex::Doing::Queues:
      return at_.namesQueue() ? tr("queues") : tr("waits");
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

// Where a chip of a replica hides neither a picture nor a word: beside the loss, in a zoomed replica before its badge,
// else below the column. Failing these, it lies over the layers, whose names are hidden meanwhile.
QRectF SceneColumns::chipPlace(const StageColumn& column, double width) const {
  const double height = 1.5 * px_, loss = widthOf(tr("loss %1").arg(QStringLiteral("0.000")), 1.1 * px_, true);
  const QRectF& line = column.loss;
  const bool isZoomed = column.first == layout_.zoomed;
  if (!isZoomed && line.width() / 2 - loss / 2 - 0.4 * px_ >= width)
    return {line.right() - width, line.center().y() - height / 2, width, height};
  if (const Header header = isZoomed ? headerOf(column) : Header{}; header.badge) {
    const double words = header.hardwareBox ? header.hardwareBox->left() + widthOf(header.hardware, header.hardwarePx)
                                            : column.header.left() + widthOf(header.name, 1.15 * px_, true);
    const QRectF place(header.badge->left() - 0.5 * px_ - width, column.header.center().y() - height / 2, width,
                       height);
    if (place.left() >= words + px_) return place;
  }
  if (!column.brief && layout_.band.height() > 2 * px_)
    return {column.box.center().x() - width / 2, layout_.band.top() + 0.2 * px_, width, height};
  const QPointF middle = column.layers.center();
  return {middle.x() - width / 2, middle.y() - height / 2, width, height};
}

// What the replica does while its layers rest. Hatched: nothing, until others are ready.
void SceneColumns::addIdleness(const StageColumn& column) {
  if (column.count > 1) return;
  const QString words = idleness(column.first);
  if (words.isEmpty()) return;
  const bool idle = !at_.asynchronous || at_.step.doing(column.first, at_.ns) == StepIndex::Doing::Queues;
  if (idle) {
    Item& hatch = canvas_.add(Item::Shape::Hatch, column.layers);
    hatch.owner = column.first;
    hatch.text = words;
    hatch.fontPx = 0.95 * px_;
  } else if (column.layers.width() > 4 * px_ && !at_.isAt(BeatKind::Evaluate)) {  // then its right answers are there
    QStringList forms{words};
    if (at_.step.doing(column.first, at_.ns) == StepIndex::Doing::IsApplied) forms << tr("∇ applied");
    const double room = column.layers.width();
    const QString shown = longestThatFits(forms, room - 0.6 * px_, 0.85 * px_);
    const double width = std::min(std::max(6 * px_, widthOf(shown, 0.85 * px_) + 0.6 * px_), room);
    const QRectF box = chipPlace(column, width);
    canvas_.hideLayerNames(box, column.first);
    canvas_.chip(box, shown).owner = column.first;
  }
}

bool SceneColumns::waits(int replica) const {
  const Span* own = at_.activity(replica);
  if (own != nullptr && own->kind == SpanKind::Wait) return true;
  // Waiting in the middle of an aggregation: this replica has computed, a straggler has not, and no transfer involves
  // it.
  if (own != nullptr && own->kind != SpanKind::Reduce) return false;
  if (!at_.step.hasGradients(replica, at_.ns)) return false;
  for (const std::size_t i : at_.step.transfers()) {
    const Span& span = at_.record.spans[i];
    if (at_.isOnItsWay(span) && (span.from == replica || span.to == replica)) return false;
  }
  for (int r = 0; r < at_.info.replicas; ++r) {
    const Span* other = at_.activity(r);
    if (other != nullptr && other->kind == SpanKind::Compute) return true;
  }
  return false;
}

void SceneColumns::addLoss(const StageColumn& column, const QRectF& box, Qt::Alignment align) {
  const int last = column.first + column.count - 1;
  double sum = 0;
  int known = 0;
  bool past = false;
  for (int r = column.first; r <= last; ++r) {
    const ReplicaStep* batch = at_.step.batchOf(r, at_.ns);
    const bool before = at_.step.isPast(r, at_.ns);
    if (batch == nullptr || batch->losses.empty() || (!before && !at_.step.hasLoss(r, at_.ns))) continue;
    sum += StepIndex::loss(*batch);
    past = past || before;
    ++known;
  }
  if (known == 0) return;
  const QString value = lossText(sum / known, box.width() > 6 * px_ ? 3 : 2);
  QStringList forms{value};
  if (box.width() > 8 * px_) forms.prepend(tr("loss %1").arg(value));
  if (forms.size() > 1 && column.count > 1) forms.prepend(forms.front() + tr(" (mean)"));
  Item& loss = canvas_.fitted(box, forms, 1.1, align, true);
  loss.owner = column.count == 1 ? column.first : -1;
  loss.quiet = past && column.count == 1;
}

Item& SceneColumns::addBadge(const StageColumn& column, const QRectF& box) {
  const std::int64_t version = at_.versionOf(column.first);
  Item& badge = canvas_.add(Item::Shape::Weights, box, {Object::Kind::Weights, column.first});
  badge.level = version < 0 ? 0 : 1;
  badge.text = version < 0 ? QStringLiteral("–") : weightsName(version);
  if (column.count > 1 && version >= 0 && box.width() > 6 * px_)  // else the column's name has to say it
    badge.text += QStringLiteral(" ×%1").arg(column.count);
  if (column.count == 1 && version >= 0 && at_.step.partOfWeights(column.first, at_.ns) < 1)
    badge.text = tr("1/%1 of %2").arg(countText(at_.info.replicas), badge.text);
  badge.strong = box.height() > 2 * px_;  // room for a disc
  badge.fontPx = weightsFontPx(badge.text, box.size(), badge.strong, (badge.strong ? 1.25 : 1.0) * px_);
  const double turned = at_.asynchronous ? 0 : at_.progress(BeatKind::Update);
  badge.glow = turned > 0 && turned < 1 ? 1 - turned : 0;
  badge.quiet = column.count == 1 && at_.step.isPast(column.first, at_.ns);
  return badge;
}

void SceneColumns::addWeights(const StageColumn& column) {
  const std::int64_t version = at_.versionOf(column.first);
  const bool quiet = addBadge(column, column.badge).quiet;
  // The number of updates that others have made since this worker read its weights; not shown for weights that are
  // about to be replaced.
  if (!at_.asynchronous || version < 0 || column.count > 1 || column.brief || quiet) return;
  const std::int64_t stale = at_.step.staleness(column.first, at_.ns, at_.hasApplied());
  if (stale <= 0) return;
  const bool narrow = column.badge.width() < 12 * px_ && column.badge.height() < 2 * px_;  // it would hide the version
  // In the room between the tray and the badge.
  const QRectF above(column.badge.left(), column.tray.bottom(), column.badge.width(),
                     column.badge.top() - column.tray.bottom());
  if (narrow && above.height() < px_) return;
  const QString words = tr("%1 stale").arg(countText(stale));
  Item& chipItem = canvas_.chip(
      narrow ? above : QRectF(column.badge.right() - 4.0 * px_, column.badge.top() - 0.2 * px_, 4.4 * px_, 1.3 * px_),
      words, {Object::Kind::Weights, column.first});
  chipItem.fontPx = std::min(chipItem.fontPx, (chipItem.box.width() - 0.6 * px_) / widthOf(words, 1));
  chipItem.strong = true;
}

}  // namespace lab
