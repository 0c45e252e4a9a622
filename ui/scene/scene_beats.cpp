// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_beats.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "ui/i18n/words.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"

namespace lab {
namespace {

constexpr qsizetype kMostTerms = 4;  // terms of a sum that is written out

QString sumOf(const QStringList& terms, const QString& sum, const QString& equals = QStringLiteral(" = ")) {
  QStringList words;
  for (qsizetype i = 0; i < terms.size(); ++i) {
    if (terms.size() > kMostTerms && i + 1 == kMostTerms) {
      words << QStringLiteral("…");
      break;
    }
    words << terms[i];
  }
  return words.join(QStringLiteral(" + ")) + equals + sum;
}

}  // namespace

QRectF SceneBeats::cardBox() const {
  const double width = std::min(layout_.size.width() - 2 * px_, 72 * px_);
  const double left = (layout_.size.width() - width) / 2;
  // A coordinator stands in the batch's place, so the card lies over the links, where no names stand.
  if (at_.asynchronous) return {left, layout_.band.top() + 0.1 * px_, width, layout_.band.height() - 0.2 * px_};
  return {left, layout_.batch.top() + 1.4 * px_, width, layout_.batch.height() - 1.4 * px_};
}

void SceneBeats::addCard(const Object& object, const QString& line, const QString& detail, bool warns) {
  const QRectF box = cardBox();
  Item& panel = canvas_.add(Item::Shape::Panel, box, object);
  panel.glow = warns ? 1 : 0;
  panel.covers = true;
  const double half = box.height() / 2;
  const auto fits = [&](const QString& words, double scale, bool bold) {
    return std::min(scale, scale * (box.width() - px_) / std::max(1.0, widthOf(words, scale * px_, bold)));
  };
  canvas_.text(QRectF(box.left(), box.top() + 0.1 * px_, box.width(), half), line, fits(line, 1.15, true)).bold = true;
  canvas_.text(QRectF(box.left(), box.top() + half - 0.1 * px_, box.width(), half), detail, fits(detail, 0.95, false))
      .quiet = !warns;
}

void SceneBeats::addStartup() {
  const double endS = at_.startUpEndsS();
  if (at_.input.seconds >= endS || at_.input.lostWorker >= 0) return;  // nothing starts any more
  const Beat* beat = at_.input.story.find(BeatKind::Startup);
  const std::vector<BeatStep> steps = startUpSteps(at_.info, at_.record);
  if (steps.empty()) return;
  // Above the devices, where the batch will be: line after line, in as many columns as keep the words large.
  const QRectF over = addStepsGround();
  const QString done = QStringLiteral("✓ "), open = QStringLiteral("   ");
  double widest = 1;
  for (const BeatStep& step : steps) widest = std::max(widest, widthOf(done + step.line, px_));
  std::size_t across = 1;
  double scale = 0;
  for (std::size_t columns = 1; columns <= steps.size(); ++columns) {
    const auto lines = static_cast<double>(ceilDivide(steps.size(), columns));
    const double width = over.width() / static_cast<double>(columns) - px_;
    const double fits = std::min({1.1, width / widest, (over.height() - 0.2 * px_) / lines / px_ / 1.08});
    if (fits <= scale) continue;
    scale = fits;
    across = columns;
  }
  const std::size_t lines = ceilDivide(steps.size(), across);
  const double line = (over.height() - 0.2 * px_) / static_cast<double>(lines);
  const double wide = over.width() / static_cast<double>(across);
  const double part = (at_.input.seconds - beat->motionS) / std::max(1e-9, endS - beat->motionS);
  const bool moves = at_.input.seconds >= beat->motionS;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool reached = moves && i <= stepAt(steps.size(), part);
    const QRectF box(over.left() + wide * static_cast<double>(i / lines) + 0.8 * px_,
                     over.top() + 0.1 * px_ + line * static_cast<double>(i % lines), wide - px_, line);
    canvas_.text(box, (reached ? done : open) + steps[i].line, scale, kAtLeft).quiet = !reached;
  }
}

// Covers the batch's images, or the coordinator, and returns the room for text there, below the line that says what the
// run is doing.
QRectF SceneBeats::addStepsGround() {
  const double width = std::min(layout_.size.width() - 2 * px_, 92 * px_), line = 1.4 * px_;
  const QRectF room((layout_.size.width() - width) / 2, layout_.batch.top() + line, width,
                    layout_.batch.height() - line);
  const QRectF ground = at_.asynchronous ? room.adjusted(0, -line, 0, 0) : room;
  canvas_.add(Item::Shape::Panel, ground, {Object::Kind::Pipeline, -1, -1}).covers = true;
  return room;
}

// A box for each step of the pipeline, above the devices; steps already explained are lit. Two of them show the batch's
// first image, with its brightest pixel as a byte and scaled.
void SceneBeats::addInput() {
  if (!at_.isAt(BeatKind::Input)) return;
  const std::vector<BeatStep> steps = inputSteps(at_.info, at_.record);
  const std::size_t now = stepAt(steps.size(), at_.progress(BeatKind::Input));
  const QRectF over = addStepsGround();
  const double gap = 0.4 * px_, each = (over.width() - gap) / static_cast<double>(steps.size());
  std::int64_t example = -1;
  for (int r = 0; r < at_.info.replicas; ++r)
    if (const auto& shard = at(at_.record.replicas, r).shard;
        example < 0 && !shard.empty() && at_.record.metric.worker.value_or(r) == r)
      example = shard.front();
  int brightest = 0;
  if (example >= 0 && at_.info.data != nullptr) {
    const std::uint8_t* image = at_.info.data->train.image(example);
    brightest = *std::max_element(image, image + at_.info.data->train.imageSize());
  }
  const double inset = std::min(gap, 0.03 * over.height());  // the lines need the height
  const double line = std::min(1.6 * px_, (over.height() - 2 * inset) / 3);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const QRectF box(over.left() + gap + each * static_cast<double>(i), over.top() + inset, each - gap,
                     over.height() - 2 * inset);
    canvas_.add(Item::Shape::Panel, box, {Object::Kind::Pipeline, -1, static_cast<std::int64_t>(i)}).glow =
        i == now ? 1 : 0;
    const bool reached = i <= now;
    const auto words = [&](const QRectF& room, const QString& what, double scale, bool bold) {
      const double fits = std::clamp(room.width() / std::max(1.0, widthOf(what, scale * px_, bold)), 0.6, 1.0);
      Item& item = canvas_.text(room, what, scale * fits);
      item.bold = bold;
      item.quiet = !reached;
    };
    const auto row = [&](int number) {
      return QRectF(box.left() + 0.2 * px_, box.top() + line * number, box.width() - 0.4 * px_, line);
    };
    words(row(0), steps[i].line, 1.05, true);
    words(row(1), steps[i].detail, 0.9, false);
    const bool shows = i == 0 || steps[i].line == tr("scale");
    if (!shows || example < 0) continue;
    QRectF room = row(2);
    Item& digit = canvas_.add(Item::Shape::Digit, QRectF(room.left(), room.top(), line, line),
                              {Object::Kind::Pipeline, -1, static_cast<std::int64_t>(i)});
    digit.example = example;
    digit.opacity = reached ? 1 : 0.3;
    room.setLeft(room.left() + line + 0.2 * px_);
    words(room,
          i == 0 ? tr("brightest: %1").arg(brightest)
                 : tr("%1 ÷ 255 = %2").arg(brightest).arg(numberText(brightest / 255.0, 'f', 3)),
          0.85, false);
  }
}

namespace {

QString wrongDetail(const LossParts& losses) {
  if (losses.timesTooLarge == 1)
    return tr("divided by its own batch. With one replica in the sum, that is no difference.");
  return losses.timesTooLarge == 0
             ? tr("each divided by its own batch. The gradients would be too large as well.")
             : tr("× %1: each divided by its own batch. The gradients would be %1 times too large as well.")
                   .arg(countText(losses.timesTooLarge));
}

// Says what the sum is. Images of replicas that were left out are in the batch, but not in the mean.
QString rightDetail(const LossParts& losses, const StepMetric& metric, bool loop) {
  const QString images = countText(metric.examples), reported = lossNumber(losses.reported);
  const bool isPart = metric.dropped() > 0;
  if (losses.isReported)
    return (isPart ? tr("the step's loss: the mean over the %1 images that count")
                   : tr("the step's loss: the mean over all %1 images"))
        .arg(images);
  if (loop)
    return tr("each image counts 1/%1; the mean over the %2 images, as reported: %3")
        .arg(countText(losses.batch), images, reported);
  return (isPart ? tr("the mean of the replicas' means; over the %1 images that count, as reported: %2")
                 : tr("the mean of the replicas' means; over all %1 images, as reported: %2"))
      .arg(images, reported);
}

}  // namespace

QRectF SceneBeats::chipBox(const StageColumn& column, const QString& words) const {
  return columns_.chipPlace(column, std::min(column.layers.width(), widthOf(words, 0.95 * px_) + 1.2 * px_));
}

Item& SceneBeats::addChip(const StageColumn& column, const QRectF& box, const QString& words, const Object& object) {
  canvas_.hideLayerNames(box, column.first);
  Item& item = canvas_.chip(box, words, object);
  item.fontPx = std::min(0.95 * px_, (box.width() - 0.6 * px_) / std::max(1.0, widthOf(words, 1)));
  item.owner = column.first;
  return item;
}

// Each replica's part stands beside its loss, and their sum above the devices.
void SceneBeats::addLosses() {
  if (!at_.isAt(BeatKind::Losses)) return;
  const LossParts losses = lossParts(at_.info, at_.record);
  const bool wrong = at_.input.dividesWrongly, loop = at_.info.config.lossReduction == LossReduction::Loop;
  const double part = at_.progress(BeatKind::Losses);
  const WrittenSum sum = writtenSum(wrong ? losses.wrongParts : losses.parts);
  QStringList terms;  // of the replicas that took part
  for (int r = 0; r < at_.info.replicas; ++r)
    if (absenceWords(at_.record, r).isEmpty()) terms << sum.terms[r];
  const bool isSummed = part >= kLossesSummed;
  if (isSummed || wrong) {  // a wrong sum is marked from the beginning
    const QString detail = wrong ? wrongDetail(losses) : rightDetail(losses, at_.record.metric, loop);
    addCard({Object::Kind::Loss, -1},
            (wrong ? tr("WRONG reduce(SUM): %1") : tr("reduce(SUM): %1"))
                .arg(sumOf(terms, isSummed ? sum.whole() : QStringLiteral("…"), sum.equals())),
            detail, wrong);
  }
  for (const StageColumn& column : layout_.columns) {
    if (column.count > 1) continue;
    const auto r = static_cast<std::size_t>(column.first);
    const auto images = std::ssize(at_.record.replicas[r].losses);
    // A wrong sum is marked on each replica.
    const QString prefix = wrong ? tr("WRONG: ") : QString();
    const QString over = wrong  ? tr("mean of %1").arg(countText(images))
                         : loop ? tr("sum ÷ %1").arg(countText(losses.batch))
                                : tr("mean of %1 ÷ %2").arg(countText(images), countText(losses.used));
    const double room = column.layers.width();
    const QString absent = at_.absence(column.first);
    const QString words = !absent.isEmpty()                           ? absent
                          : at_.record.metric.leavesOut(column.first) ? tr("left out: 0")
                          : images == 0
                              ? tr("no images: 0")
                              : longestThatFits({prefix + over + QStringLiteral(" = ") + sum.terms[column.first],
                                                 prefix + sum.terms[column.first]},
                                                room - 0.6 * px_, 0.95 * px_);
    // On a stage too small for both, the words that are already there take precedence.
    const QRectF box = chipBox(column, words);
    if (!canvas_.coversWords(box)) addChip(column, box, words, {Object::Kind::Loss, column.first}).strong = wrong;
  }
}

void SceneBeats::addEpoch() {
  if (!at_.isAt(BeatKind::Epoch)) return;
  const QString epoch = countText(epochOf(at_.info, at_.record));
  if (at_.input.epoch.steps == 0)
    return addCard({Object::Kind::EpochMean}, tr("epoch %1").arg(epoch),
                   tr("the losses of its steps are not known here"));
  addCard({Object::Kind::EpochMean},
          tr("epoch %1: mean of the losses of %2 steps = %3")
              .arg(epoch, countText(at_.input.epoch.steps), lossNumber(at_.input.epoch.ofSteps)),
          tr("over all images, as fit prints at the epoch's end: %1").arg(lossNumber(at_.input.epoch.ofImages)));
}

void SceneBeats::addEvaluation() {
  if (!at_.isAt(BeatKind::Evaluate)) return;
  const Object object{Object::Kind::Evaluation};
  const EvalMetric* evaluation = at_.input.evaluation;
  const QString all = countText(at_.info.testExamples);
  const QString images = tr("%Ln test images", nullptr, plural(at_.info.testExamples));
  if (evaluation == nullptr) return addCard(object, images, tr("the result is not there yet"));
  const QString result =
      tr("accuracy %1 · test loss %2").arg(percentText(evaluation->testAccuracy), lossNumber(evaluation->testLoss));
  if (evaluation->shares.empty())
    return addCard(object, result, tr("over %Ln test images", nullptr, plural(at_.info.testExamples)));
  QStringList terms;
  std::int64_t right = 0;
  for (std::size_t r = 0; r < evaluation->shares.size(); ++r) {
    const EvalShare& share = evaluation->shares[r];
    if (share.examples == 0 && at_.isDead(static_cast<int>(r))) continue;
    terms.push_back(countText(share.correct));
    right += share.correct;
  }
  const double part = at_.progress(BeatKind::Evaluate);
  for (const StageColumn& column : layout_.columns) {
    if (column.count > 1 || static_cast<std::size_t>(column.first) >= evaluation->shares.size()) continue;
    if (at_.isDead(column.first)) continue;
    const EvalShare& share = at(evaluation->shares, column.first);
    const double room = column.layers.width();
    const QString fraction = QStringLiteral("%1/%2").arg(countText(share.correct), countText(share.examples));
    QString words =
        longestThatFits({tr("%1 of %2 right").arg(countText(share.correct), countText(share.examples)), fraction},
                        room - 0.6 * px_, 0.95 * px_);
    // Where the card lies over the links, a chip has no room below its column, but a short one beside the loss.
    QRectF box = chipBox(column, words);
    if (box.intersects(cardBox())) box = chipBox(column, words = fraction);
    if (!box.intersects(cardBox())) addChip(column, box, words, object);
  }
  if (part < 0.4) return addCard(object, images, tr("each replica counts its right answers"));
  addCard(object,
          terms.size() == 1 ? tr("%1 of %2 right").arg(terms.front(), all)
                            : tr("reduce(SUM): %1 right of %2").arg(sumOf(terms, countText(right)), all),
          result);
}

}  // namespace lab
