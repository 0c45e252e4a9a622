// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene.h"

#include <algorithm>
#include <ranges>

#include "core/cluster/labels.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"
#include "ui/scene/base_step.h"
#include "ui/scene/scene_builder.h"
#include "ui/scene/zoomed_replica.h"

namespace lab {
namespace {

const QString kBetween = QStringLiteral(" · ");

Contributions::Bits replicasWithImages(const StepRecord& record, bool asynchronous) {
  Contributions::Bits marked;
  marked.set();
  for (std::size_t r = 0; r < record.replicas.size(); ++r)
    if (!asynchronous && record.replicas[r].shard.empty()) marked.reset(r);
  return marked;
}

Contributions::Bits countedIn(const StepRecord& record) {
  Contributions::Bits marked;
  marked.set();
  for (const int replica : record.metric.leftOut) marked.reset(static_cast<std::size_t>(replica));
  for (const Absence& each : record.absent) marked.reset(static_cast<std::size_t>(each.replica));
  return marked;
}

}  // namespace

double easeInOut(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

QRectF between(const QRectF& a, const QRectF& b, double t) {
  return {a.left() + (b.left() - a.left()) * t, a.top() + (b.top() - a.top()) * t,
          a.width() + (b.width() - a.width()) * t, a.height() + (b.height() - a.height()) * t};
}

double widthOf(const QString& words, double fontPx, bool bold) {
  double em = 0;
  for (const QChar letter : words) {
    const bool small = letter.unicode() >= 0x2080 && letter.unicode() <= 0x2089;  // an index
    const bool thin = QStringLiteral("iljtf.,:;|·' ").contains(letter);
    const bool wide = letter == QLatin1Char('m') || letter == QLatin1Char('W') || letter == QLatin1Char('M');
    em += small ? 0.45 : thin ? 0.36 : wide ? 1.02 : letter.isUpper() ? 0.74 : letter == QLatin1Char('w') ? 0.83 : 0.63;
  }
  return em * fontPx * (bold ? 1.1 : 1);
}

QString longestThatFits(const QStringList& words, double width, double fontPx, bool bold) {
  for (const QString& each : words)
    if (widthOf(each, fontPx, bold) <= width) return each;
  return words.last();
}

double weightsFontPx(const QString& name, const QSizeF& badge, bool disc, double largest) {
  const double room = disc ? 0.86 * std::min(badge.width(), badge.height()) : badge.width() - 0.5 * badge.height();
  return std::min(largest, room / widthOf(name, 1, true));
}

Object Scene::objectAt(const QPointF& point) const {
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    if (!item->object || item->opacity < 0.05) continue;
    if (item->shape == Item::Shape::Link) {
      QPainterPathStroker stroker;
      stroker.setWidth(0.6 * px);
      if (stroker.createStroke(item->path).contains(point)) return item->object;
    } else if (item->box.contains(point)) {
      return item->object;
    }
  }
  return {};
}

QSize resolutionOf(const QRectF& box) {
  constexpr double kLeastHeight = 5, kSide = 3;  // pixels
  if (box.width() < kNarrowestPicture || box.height() < kLeastHeight) return {};
  return (box.size() / kSide).toSize().expandedTo({1, 1});
}

SceneBuilder::SceneBuilder(const SceneInput& input)
    : input_(input),
      info_(input.step.info()),
      step_(input.step),
      record_(input.step.record()),
      layout_(input.layout),
      ns_(input.story.clockAt(input.seconds)),
      px_(input.layout.px),
      asynchronous_(input.step.asynchronous()),
      taking_(static_cast<int>(record_.taking())),
      weightsBase_(input.base != nullptr && input.base->hasNetworkOf(info_) ? input.base : nullptr),
      state_(input.step.aggregation().takeState(ns_)),
      withImages_(replicasWithImages(record_, asynchronous_)),
      counted_(countedIn(record_)) {
  scene_.size = layout_.size;
  scene_.px = px_;
  scene_.items.reserve(1024);  // most moments need fewer
}

Scene SceneBuilder::build() {
  addFrames();
  if (asynchronous_)
    addCoordinator();
  else
    addBatch();
  addLinks();
  for (const StageColumn& column : layout_.columns) column.brief ? addBrief(column) : addColumn(column);
  addServers();
  addTop();
  scene_.standing = scene_.items.size();
  addDigits();
  findSums();
  addSums();
  addChange();
  asynchronous_ ? addStaleCopies() : addComparison();
  addTransfers();
  addCheck();
  if (asynchronous_) addHistogram();
  addStartup();
  addInput();
  addLosses();
  addEpoch();
  addEvaluation();
  addDead();
  addLost();
  addAbsent();
  addClosures();
  if (layout_.zoomed >= 0) ZoomedReplica(*this).explain();
  addCaption();
  step_.aggregation().giveBack(std::move(state_));
  return std::move(scene_);
}

Scene makeScene(const SceneInput& input) {
  return SceneBuilder(input).build();
}

// ---- shared

Item& SceneBuilder::add(Item::Shape shape, const QRectF& box, const Object& object) {
  Item& item = scene_.items.emplace_back();
  item.shape = shape;
  item.box = box;
  item.object = object;
  return item;
}

Item& SceneBuilder::text(const QRectF& box, const QString& words, double scale, Qt::Alignment align) {
  Item& item = add(Item::Shape::Text, box);
  item.text = words;
  item.fontPx = scale * px_;
  item.align = align;
  return item;
}

Item& SceneBuilder::chip(const QRectF& box, const QString& words, const Object& object) {
  Item& item = add(Item::Shape::Chip, box, object);
  item.text = words;
  item.fontPx = 0.85 * px_;
  return item;
}

bool SceneBuilder::coversWords(const QRectF& box) const {
  return std::ranges::any_of(scene_.items, [&box](const Item& item) {
    const bool stands = item.shape == Item::Shape::Text || item.shape == Item::Shape::Weights;
    if (!stands || item.text.isEmpty()) return false;
    QRectF ink(0, 0, std::min(widthOf(item.text, item.fontPx, item.bold), item.box.width()),
               std::min(item.fontPx, item.box.height()));
    ink.moveCenter(item.box.center());
    if (item.align.testFlag(Qt::AlignLeft)) ink.moveLeft(item.box.left());
    if (item.align.testFlag(Qt::AlignRight)) ink.moveRight(item.box.right());
    return ink.intersects(box);
  });
}

void SceneBuilder::restNamesUnder(const QRectF& box, int replica) {
  for (Item& item : scene_.items)
    if (item.shape == Item::Shape::Layer && item.owner == replica && item.box.intersects(box)) item.text.clear();
}

double SceneBuilder::progress(BeatKind kind) const {
  const Beat* beat = input_.story.find(kind);
  if (beat == nullptr || input_.seconds <= beat->motionS) return 0;
  constexpr double kMomentS = 0.01;  // a paused movie stops at the beat's last frame, which counts as its end
  if (input_.seconds >= beat->endS - kMomentS) return 1;
  return (input_.seconds - beat->motionS) / (beat->endS - beat->motionS);
}

double SceneBuilder::cellEdge(std::int64_t offset) const {
  return step_.pictures().map().edge(offset);
}

QRectF SceneBuilder::partOf(const QRectF& strip, const BufferRange& range) const {
  const double left = strip.left() + strip.width() * cellEdge(range.end());
  return {left, strip.top(), strip.left() + strip.width() * cellEdge(range.offset) - left, strip.height()};
}

Values SceneBuilder::gradientsIn(const QRectF& box, int endpoint, const BufferRange& range, std::int64_t known,
                                 int server) const {
  return step_.pictures().gradients(endpoint, range, known, ns_, resolutionOf(box), server);
}

std::int64_t SceneBuilder::knownVersionOf(int replica) const {
  const std::vector<ReplicaStep>& all = record_.replicas;
  const auto r = static_cast<std::size_t>(replica);
  const bool differs = !asynchronous_ && r < all.size() && all[r].weightsDigest != 0 &&
                       all[r].weightsDigest != all.front().weightsDigest;
  const std::int64_t version = versionOf(replica);
  if (!differs || step_.pictures().ownWeights(version, replica) != nullptr) return version;
  return version < record_.metric.step && beganAlike(info_, record_) ? version : -1;
}

const Span* SceneBuilder::activity(int endpoint) const {
  return step_.activity(endpoint, input_.story, input_.seconds);
}

bool SceneBuilder::isOnItsWay(const Span& transfer) const {
  if (ns_ < transfer.startNs || ns_ >= transfer.startNs + transfer.durationNs) return false;
  // While the batch is shown, nothing of the step has begun, even if the clock already stands at that moment.
  return transfer.step != record_.metric.step || input_.story.isUnderWay(input_.seconds);
}

std::int64_t SceneBuilder::versionOf(int endpoint) const {
  const Beat* apply = input_.story.find(BeatKind::Apply);
  return step_.versionOf(endpoint, ns_, apply != nullptr && input_.seconds >= apply->motionS);
}

// ---- what stands around

QStringList SceneBuilder::topFacts(const StrategyInfo& strategy) const {
  QStringList facts;
  if (info_.isClass)
    facts << tr("%Ln workers", nullptr, taking_);
  else if (info_.replicas > 1)
    facts << (asynchronous_ ? tr("%Ln workers", nullptr, info_.replicas) : tr("%Ln replicas", nullptr, info_.replicas));
  if (const QString reduction = reductionText(strategy, info_.reducer); !reduction.isEmpty() && !info_.isClass)
    facts << reduction;
  const DeviceFacts& device = info_.devices.front();
  // The columns have no room for the hardware.
  const Header header = headerOf(layout_.columns.front());
  if (!header.hardwareBox && !info_.isClass) {
    const QString words = header.badge ? QStringLiteral("%1") : device.simulated ? tr("simulated %1") : tr("real %1");
    facts << words.arg(QString::fromStdString(device.hardware));
  }
  if (layout_.perColumn > 1) facts << tr("drawn %1 to a column").arg(layout_.perColumn);
  return facts;
}

void SceneBuilder::addTop() {
  const bool modelled = record_.metric.clock == TimeSource::Modelled;
  const QRectF& top = layout_.top;
  const StrategyInfo& strategy = strategyInfo(info_.config.strategy);
  const QString since = durationText(std::max<std::int64_t>(0, ns_ - record_.beginNs));
  // Workers' cycles overlap: the clock does not count a step, as bars and tables do, but the time since the last
  // update.
  const QString passed = !asynchronous_ ? since
                         : record_.metric.step == 1
                             ? tr("%1 after the start").arg(since)
                             : tr("%1 after step %2").arg(since, countText(record_.metric.step - 1));
  const QString step = countText(record_.metric.step);
  // In the narrowest layout the stage's state stands between name and clock.
  const bool told = asynchronous_ && !layout_.hasRoomBesideBatch();
  const double least = widthOf(strategyShortName(strategy), 1.25 * px_, true) + (told ? 9 : 1) * px_;
  const QString untimed = tr("step %1 · times were not recorded").arg(step);
  const QString clock = longestThatFits(
      !record_.timesKnown ? QStringList{untimed, tr("step %1").arg(step)}
                          : QStringList{tr("step %1 · %2 · %3")
                                            .arg(step, passed, modelled ? tr("modelled clock") : tr("measured clock")),
                                        tr("step %1 · %2").arg(step, since), tr("step %1").arg(step)},
      top.width() - least, px_);
  // The width is the same at every moment of the step, so that what stands beside the clock does not move.
  const QString longest = durationText(std::max<std::int64_t>(0, record_.endNs - record_.beginNs));
  const double clockWidth =
      widthOf(clock, px_) + (record_.timesKnown ? std::max(0.0, widthOf(longest, px_) - widthOf(since, px_)) : 0);
  const QString name = longestThatFits({coreText(strategy.name), strategyShortName(strategy)},
                                       top.width() - clockWidth - (told ? 9 : 1) * px_, 1.25 * px_, true);
  const double nameWidth = widthOf(name, 1.25 * px_, true);
  Item& title =
      text(QRectF(top.left(), top.top(), nameWidth, top.height()), name, 1.25, Qt::AlignLeft | Qt::AlignVCenter);
  title.bold = true;
  text(QRectF(top.right() - clockWidth, top.top(), clockWidth, top.height()), clock, 1,
       Qt::AlignRight | Qt::AlignVCenter)
      .quiet = true;
  if (told) return;
  QStringList facts = topFacts(strategy);
  // Facts get all the room between the name and the clock, and are shrunk rather than cut short. The last facts can be
  // read elsewhere too.
  const double left = top.left() + nameWidth + px_, room = top.right() - clockWidth - px_ - left;
  constexpr double kSmallest = 0.7 * 0.95;
  while (facts.size() > 1 && widthOf(facts.join(kBetween), kSmallest * px_) > room) facts.removeLast();
  const QString words = longestThatFits({facts.join(kBetween), {}}, room, kSmallest * px_);
  const double fits = std::min(1.0, room / std::max(1.0, widthOf(words, 0.95 * px_)));
  if (!words.isEmpty())
    text(QRectF(left, top.top(), room, top.height()), words, 0.95 * fits, Qt::AlignLeft | Qt::AlignVCenter).quiet =
        true;
  const double free = left + 0.95 * fits * widthOf(words, px_) + 2 * px_;
  const QRectF beside(free, top.top(), top.right() - clockWidth - 2 * px_ - free, top.height());
  if (addScales(beside)) return;
  // Otherwise the scales stand beside the batch's words.
  const QRectF& batch = layout_.batch;
  const bool taken = !strategyWords(info_, "batch").isEmpty() && !layout_.narrow();
  const double right = (1 - kBatchWords) / 2 * batch.width();
  if (!asynchronous_ && !taken) addScales({batch.right() - right, batch.top(), right, 1.4 * px_});
}

// Adds the legend of the pictures' colours at the right of a line, if there are pictures: a bar for each scale, or one
// for both. Returns false if there is no room.
bool SceneBuilder::addScales(const QRectF& line) {
  const StepPictures& pictures = step_.pictures();
  const double font = 0.85 * px_, between = 1.5 * px_;
  const auto isPicture = [](const Item& item) { return item.values != nullptr; };
  const double largest = std::max(pictures.gradientScale(), pictures.weightScale());
  if (largest <= 0 || std::ranges::none_of(scene_.items, isPicture)) return true;
  const QString gradients = tr("gradients ±%1").arg(numberText(pictures.gradientScale())),
                weights = tr("weights ±%1").arg(numberText(pictures.weightScale()));
  struct Form {
    QStringList names;  // from the right
    double bar;         // px
  };
  for (const auto& [names, bar] : {Form{{gradients, weights}, 5}, Form{{weights + kBetween + gradients}, 5},
                                   Form{{weights + kBetween + gradients}, 2.5}}) {
    double width = -between;
    for (const QString& name : names) width += widthOf(name, font) + (1 + bar) * px_ + between;
    if (width > line.width()) continue;
    double right = line.right();
    for (const QString& name : names) {
      const double words = widthOf(name, font) + px_, height = 0.8 * px_;
      Item& item =
          add(Item::Shape::Scale, QRectF(right - words - bar * px_, line.top(), words + bar * px_, line.height()));
      item.text = name;
      item.fontPx = font;
      item.align = Qt::AlignLeft | Qt::AlignVCenter;
      item.picture = QRectF(right - bar * px_, line.center().y() - height / 2, bar * px_, height);
      item.values = rampValues();
      right -= words + bar * px_ + between;
    }
    return true;
  }
  return false;
}

void SceneBuilder::addCaption() {
  const Beat& beat = input_.story.beats[input_.story.beatAt(input_.seconds)];
  const QRectF& box = layout_.caption;
  add(Item::Shape::Panel, box).strong = true;
  const double side = (layout_.farCaption ? 2 : 5.2) * px_;
  const QString caption = input_.dividesWrongly && beat.kind == BeatKind::Losses ? wrongLossesCaption(info_, record_)
                                                                                 : beat.captionAt(input_.seconds);
  // The note is left out if the caption above it would be cut short: at its smallest, a line takes 1.4 px. For the last
  // row of a class, lines are larger.
  constexpr double kNote = 1.6;
  const double smallest = layout_.farCaption ? 1.6 : 1.08, each = layout_.farCaption ? 2 : 1.4;
  const double lines = std::floor((box.height() / px_ - 0.5 - kNote) / each);
  const bool crowded = widthOf(caption, smallest * px_, true) > 0.9 * lines * (box.width() - 2 * side);
  const double note = beat.note.isEmpty() || crowded ? 0 : kNote * px_;
  Item& words =
      text(QRectF(box.left() + side, box.top() + 0.2 * px_, box.width() - 2 * side, box.height() - 0.5 * px_ - note),
           caption, layout_.farCaption ? 1.65 : 1.5);
  words.bold = true;
  if (note == 0) return;
  const QRectF line(box.left() + px_, box.bottom() - 0.3 * px_ - note, box.width() - 2 * px_, note);
  const double fits =
      line.width() / widthOf(beat.note, 0.95 * px_);  // the note's end says most, so shrink it rather than cut it short
  text(line, beat.note, 0.95 * std::clamp(fits, 0.7, 1.0)).quiet = true;
}

void SceneBuilder::addFrames() {
  for (std::size_t h = 0; h < layout_.frames.size(); ++h) {
    const QRectF& box = layout_.frames[h];
    add(Item::Shape::Frame, box);
    QRectF line(box.left() + 0.6 * px_, box.top() + 0.2 * px_, box.width() - 1.2 * px_, 1.6 * px_);
    const Object object{Object::Kind::Host, -1, static_cast<std::int64_t>(h)};
    const bool hasCard = info_.hosts > 1 && readsTaskConfig(info_);
    if (hasCard) {
      const double width = 7.5 * px_;
      chip(QRectF(line.right() - width, line.top(), width, line.height()), tr("TF_CONFIG"), object);
      line.setWidth(line.width() - width - 0.3 * px_);
    }
    QString words = strategyWords(info_, "frame");
    if (h < info_.processes.size()) {
      const ProcessFacts& process = info_.processes[h];
      const QString host = QString::fromStdString(process.host);
      words = longestThatFits({tr("worker %1 · process %2 on %3").arg(h).arg(process.pid).arg(host),
                               tr("worker %1 · %2 · %3").arg(h).arg(host).arg(process.pid),
                               tr("worker %1 · %2").arg(h).arg(process.pid), QString::number(process.pid)},
                              line.width(), 0.95 * px_);
    } else if (words.isEmpty() && !hasCard) {
      words = longestThatFits({tr("host %1: its own input pipeline").arg(h), tr("host %1").arg(h)}, line.width(),
                              0.95 * px_);
    } else if (words.isEmpty()) {
      words = longestThatFits({tr("host %1: its own program, its own input pipeline").arg(h),
                               tr("host %1: its own program").arg(h), tr("host %1").arg(h)},
                              line.width(), 0.95 * px_);
    }
    Item& item = text(line, words, 0.95, Qt::AlignLeft | Qt::AlignVCenter);
    item.quiet = true;
    if (info_.hosts > 1 && !hasCard) item.object = object;  // a host without a card is found by its words
  }
}

}  // namespace lab
