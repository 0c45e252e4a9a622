// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_builder.h"

#include <algorithm>

#include "ui/i18n/core_words.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/beat_steps.h"
#include "ui/scene/scene_batch.h"
#include "ui/scene/scene_beats.h"
#include "ui/scene/scene_coordinator.h"
#include "ui/scene/scene_faults.h"
#include "ui/scene/scene_transfers.h"
#include "ui/scene/scene_weights.h"
#include "ui/scene/zoomed_replica.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

const QString kBetween = QStringLiteral(" · ");

}  // namespace

Scene SceneBuilder::build() {
  const ScenePart part(at_, canvas_);
  SceneLayers layers(part);
  SceneBuffers buffers(part);
  SceneColumns columns(part, layers, buffers);
  SceneServers servers(part);
  SceneEquations equations(part, columns, buffers, servers);
  SceneSums sums(part, equations);
  SceneWeights weights(part, equations, buffers);
  SceneTransfers transfers(part, layers, sums);
  SceneBatch batch(part);
  SceneCoordinator coordinator(part);
  SceneBeats beats(part, columns);
  SceneFaults faults(part);

  addFrames();
  at_.asynchronous ? coordinator.addQueue() : batch.addGround();
  transfers.addLinks();
  for (const StageColumn& column : layout_.columns) columns.add(column);
  servers.add();
  addTop(columns.headerOf(layout_.columns.front()));
  canvas_.endStanding();
  batch.addDigits();
  sums.add();
  weights.addUpdate();
  at_.asynchronous ? weights.addStaleCopies() : weights.addComparison();
  transfers.add();
  weights.addVerdict();
  if (at_.asynchronous) coordinator.addHistogram();
  beats.addStartup();
  beats.addInput();
  beats.addLosses();
  beats.addEpoch();
  beats.addEvaluation();
  faults.addDead();
  faults.addLost();
  faults.addAbsent();
  if (at_.asynchronous) coordinator.addClosures();
  if (layout_.zoomed >= 0) ZoomedReplica(part, layers).explain();
  addCaption();
  return canvas_.take();
}

QStringList SceneBuilder::topFacts(const StrategyInfo& strategy, const SceneColumns::Header& header) const {
  QStringList facts;
  if (at_.info.isClass)
    facts << tr("%Ln workers", nullptr, at_.taking);
  else if (at_.info.replicas > 1)
    facts << (at_.asynchronous ? tr("%Ln workers", nullptr, at_.info.replicas)
                               : tr("%Ln replicas", nullptr, at_.info.replicas));
  if (const QString reduction = reductionText(strategy, at_.info.reducer); !reduction.isEmpty() && !at_.info.isClass)
    facts << reduction;
  const DeviceFacts& device = at_.info.devices.front();
  // The columns have no room for the hardware.
  if (!header.hardwareBox && !at_.info.isClass) {
    const QString words = header.badge ? QStringLiteral("%1") : device.simulated ? tr("simulated %1") : tr("real %1");
    facts << words.arg(QString::fromStdString(device.hardware));
  }
  if (layout_.perColumn > 1) facts << tr("drawn %1 to a column").arg(layout_.perColumn);
  return facts;
}

void SceneBuilder::addTop(const SceneColumns::Header& header) {
  const bool modelled = at_.record.metric.clock == TimeSource::Modelled;
  const QRectF& top = layout_.top;
  const StrategyInfo& strategy = strategyInfo(at_.info.config.strategy);
  const QString since = durationText(std::max<std::int64_t>(0, at_.ns - at_.record.beginNs));
  // Workers' cycles overlap: the clock does not count a step, as bars and tables do, but the time since the last
  // update.
  const QString passed = !at_.asynchronous ? since
                         : at_.record.metric.step == 1
                             ? tr("%1 after the start").arg(since)
                             : tr("%1 after step %2").arg(since, countText(at_.record.metric.step - 1));
  const QString step = countText(at_.record.metric.step);
  // In the narrowest layout the stage's state stands between name and clock.
  const bool told = at_.asynchronous && !layout_.hasRoomBesideBatch();
  const double least = widthOf(strategyShortName(strategy), 1.25 * px_, true) + (told ? 9 : 1) * px_;
  const QString untimed = tr("step %1 · times were not recorded").arg(step);
  const QString clock =
      longestThatFits(!at_.record.timesKnown
                          ? QStringList{untimed, tr("step %1").arg(step)}
                          : QStringList{tr("step %1 · %2 · %3")
                                            .arg(step, passed, modelled ? tr("modelled clock") : tr("measured clock")),
                                        tr("step %1 · %2").arg(step, since), tr("step %1").arg(step)},
                      top.width() - least, px_);
  // The width is the same at every moment of the step, so that what stands beside the clock does not move.
  const QString longest = durationText(std::max<std::int64_t>(0, at_.record.endNs - at_.record.beginNs));
  const double clockWidth =
      widthOf(clock, px_) + (at_.record.timesKnown ? std::max(0.0, widthOf(longest, px_) - widthOf(since, px_)) : 0);
  const QString name = longestThatFits({coreText(strategy.name), strategyShortName(strategy)},
                                       top.width() - clockWidth - (told ? 9 : 1) * px_, 1.25 * px_, true);
  const double nameWidth = widthOf(name, 1.25 * px_, true);
  Item& title = canvas_.text(QRectF(top.left(), top.top(), nameWidth, top.height()), name, 1.25, kAtLeft);
  title.bold = true;
  canvas_.text(QRectF(top.right() - clockWidth, top.top(), clockWidth, top.height()), clock, 1, kAtRight).quiet = true;
  if (told) return;
  QStringList facts = topFacts(strategy, header);
  // Facts get all the room between the name and the clock, and are shrunk rather than cut short, as long as they can be
  // read. The last facts can be read elsewhere too.
  const double left = top.left() + nameWidth + px_, room = top.right() - clockWidth - px_ - left;
  constexpr double kLegible = 7;  // pixels
  const double smallest = std::max(0.7 * 0.95 * px_, kLegible);
  while (facts.size() > 1 && widthOf(facts.join(kBetween), smallest) > room) facts.removeLast();
  const QString words = longestThatFits({facts.join(kBetween), {}}, room, smallest);
  const double fits = std::min(1.0, room / std::max(1.0, widthOf(words, 0.95 * px_)));
  if (!words.isEmpty())
    canvas_.text(QRectF(left, top.top(), room, top.height()), words, 0.95 * fits, kAtLeft).quiet = true;
  const double free = left + 0.95 * fits * widthOf(words, px_) + 2 * px_;
  const QRectF beside(free, top.top(), top.right() - clockWidth - 2 * px_ - free, top.height());
  if (addScales(beside)) return;
  // Otherwise the scales stand beside the batch's words.
  const QRectF& batch = layout_.batch;
  const bool taken = !strategyWords(at_.info, "batch").isEmpty() && !layout_.narrow();
  const double right = (1 - kBatchWords) / 2 * batch.width();
  if (!at_.asynchronous && !taken) addScales({batch.right() - right, batch.top(), right, 1.4 * px_});
}

// Adds the legend of the pictures' colours at the right of a line, if there are pictures: a bar for each scale, or one
// for both. Returns false if there is no room.
bool SceneBuilder::addScales(const QRectF& line) {
  const StepPictures& pictures = at_.step.pictures();
  const double asked = 0.85 * px_, between = 1.5 * px_;
  const auto isPicture = [](const Item& item) { return item.values != nullptr; };
  const double largest = std::max(pictures.gradientScale(), pictures.weightScale());
  if (largest <= 0 || std::ranges::none_of(canvas_.items(), isPicture)) return true;
  const QString gradients = tr("gradients ±%1").arg(numberText(pictures.gradientScale())),
                weights = tr("weights ±%1").arg(numberText(pictures.weightScale()));
  struct Form {
    QStringList names;  // from the right
    double bar;         // px
  };
  const Form forms[]{
      {{gradients, weights}, 5}, {{weights + kBetween + gradients}, 5}, {{weights + kBetween + gradients}, 2.5}};
  // A projector's letters are larger than asked; where they have no room, they are shrunk.
  for (const double font : {theme::paintedLetters(asked), asked})
    for (const auto& [names, bar] : forms) {
      double width = -between;
      for (const QString& name : names) width += widthOf(name, font) + (1 + bar) * px_ + between;
      if (width > line.width()) continue;
      double right = line.right();
      for (const QString& name : names) {
        const double words = widthOf(name, font) + px_, height = 0.8 * px_;
        Item& item = canvas_.add(Item::Shape::Scale,
                                 QRectF(right - words - bar * px_, line.top(), words + bar * px_, line.height()));
        item.text = name;
        item.fontPx = asked;
        item.align = kAtLeft;
        item.picture = QRectF(right - bar * px_, line.center().y() - height / 2, bar * px_, height);
        item.values = rampValues();
        right -= words + bar * px_ + between;
      }
      return true;
    }
  return false;
}

void SceneBuilder::addCaption() {
  const Beat& beat = at_.input.story.beats[at_.input.story.beatAt(at_.input.seconds)];
  const QRectF& box = layout_.caption;
  canvas_.add(Item::Shape::Panel, box).strong = true;
  const double side = (layout_.farCaption ? 2 : 5.2) * px_;
  const QString caption = at_.input.dividesWrongly && beat.kind == BeatKind::Losses
                              ? wrongLossesCaption(at_.info, at_.record)
                              : beat.captionAt(at_.input.seconds);
  // The note is left out if the caption above it would be cut short: at its smallest, a line takes 1.4 px. For the last
  // row of a class, lines are larger.
  constexpr double kNote = 1.6;
  const double smallest = layout_.farCaption ? 1.6 : 1.08, each = layout_.farCaption ? 2 : 1.4;
  const double lines = std::floor((box.height() / px_ - 0.5 - kNote) / each);
  const bool crowded = widthOf(caption, smallest * px_, true) > 0.9 * lines * (box.width() - 2 * side);
  const double note = beat.note.isEmpty() || crowded ? 0 : kNote * px_;
  Item& words = canvas_.text(
      QRectF(box.left() + side, box.top() + 0.2 * px_, box.width() - 2 * side, box.height() - 0.5 * px_ - note),
      caption, layout_.farCaption ? 1.65 : 1.5);
  words.bold = true;
  if (note == 0) return;
  const QRectF line(box.left() + px_, box.bottom() - 0.3 * px_ - note, box.width() - 2 * px_, note);
  const double fits =
      line.width() / widthOf(beat.note, 0.95 * px_);  // the note's end says most, so shrink it rather than cut it short
  canvas_.text(line, beat.note, 0.95 * std::clamp(fits, 0.7, 1.0)).quiet = true;
}

void SceneBuilder::addFrames() {
  for (std::size_t h = 0; h < layout_.frames.size(); ++h) {
    const QRectF& box = layout_.frames[h];
    canvas_.add(Item::Shape::Frame, box);
    QRectF line(box.left() + 0.6 * px_, box.top() + 0.2 * px_, box.width() - 1.2 * px_, 1.6 * px_);
    const Object object{Object::Kind::Host, -1, static_cast<std::int64_t>(h)};
    const bool hasCard = at_.info.hosts > 1 && readsTaskConfig(at_.info);
    if (hasCard) {
      const double width = 7.5 * px_;
      canvas_.chip(QRectF(line.right() - width, line.top(), width, line.height()), tr("TF_CONFIG"), object);
      line.setWidth(line.width() - width - 0.3 * px_);
    }
    QStringList forms{strategyWords(at_.info, "frame")};
    if (h < at_.info.processes.size()) {
      const ProcessFacts& process = at_.info.processes[h];
      const QString host = QString::fromStdString(process.host);
      forms = {tr("worker %1 · process %2 on %3").arg(h).arg(process.pid).arg(host),
               tr("worker %1 · %2 · %3").arg(h).arg(host).arg(process.pid),
               tr("worker %1 · %2").arg(h).arg(process.pid), QString::number(process.pid)};
    } else if (forms.front().isEmpty() && !hasCard) {
      forms = {tr("host %1: its own input pipeline").arg(h), tr("host %1").arg(h)};
    } else if (forms.front().isEmpty()) {
      forms = {tr("host %1: its own program, its own input pipeline").arg(h), tr("host %1: its own program").arg(h),
               tr("host %1").arg(h)};
    }
    Item& item = canvas_.fitted(line, forms, 0.95, kAtLeft);
    item.quiet = true;
    if (at_.info.hosts > 1 && !hasCard) item.object = object;  // a host without a card is found by its words
  }
}

}  // namespace lab
