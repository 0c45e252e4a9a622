// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_batch.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/step/base_step.h"

namespace lab {
namespace {

// More images could not be told apart; words give the number of the others.
constexpr std::size_t kMostPerTray = 256;
constexpr std::size_t kMostInBatch = 1024;
constexpr double kPast = 0.45;  // the opacity of the previous batch

// Room for the network's answer about an image, as shares of the image's side.
struct AnswerRoom {
  double beside = 0, below = 0;
};

// A grid of `count` squares in `box`, each with room for its answer, as large as possible but no larger than `largest`.
struct Grid {
  std::size_t columns = 1, rows = 1;
  double side = 1;
  AnswerRoom room{};
};
Grid gridFor(const QRectF& box, std::size_t count, double largest, AnswerRoom room = {}) {
  Grid best;
  best.side = 0;
  for (std::size_t rows = 1; rows <= count; ++rows) {
    const std::size_t columns = ceilDivide(count, rows);
    const double high = box.height() / static_cast<double>(rows) / (1 + room.below);
    const double side = std::min({box.width() / static_cast<double>(columns) / (1 + room.beside), high, largest});
    if (side > best.side) best = {columns, rows, side, room};
    if (high < best.side) break;
  }
  return best;
}

// The places of a grid in a box, centred.
struct Places {
  QRectF box;
  Grid grid;

  QRectF at(std::size_t index) const {
    const double wide = (1 + grid.room.beside) * grid.side, high = (1 + grid.room.below) * grid.side;
    const double left = box.center().x() - static_cast<double>(grid.columns) * wide / 2;
    const double top = box.center().y() - static_cast<double>(grid.rows) * high / 2;
    const double inset = std::min(2.0, 0.08 * grid.side);
    return QRectF(left + static_cast<double>(index % grid.columns) * wide,
                  top + static_cast<double>(index / grid.columns) * high, grid.side, grid.side)
        .adjusted(inset, inset, -inset, -inset);
  }
  bool hasAnswers() const { return grid.room.beside > 0 || grid.room.below > 0; }
  QRectF answerAt(std::size_t index) const {
    const QRectF image = at(index);
    const double gap = 0.08 * grid.side;
    if (grid.room.beside > 0)
      return {image.right() + gap, image.top(), grid.room.beside * grid.side - 2 * gap, image.height()};
    return {image.left(), image.bottom() + gap, image.width(), grid.room.below * grid.side - 2 * gap};
  }
};

Places batchPlaces(const StageLayout& layout, std::size_t count) {
  const double px = layout.px;
  const QRectF box(layout.batch.left(), layout.batch.top() + 1.5 * px, layout.batch.width(),
                   layout.batch.height() - 1.6 * px);
  return {box, gridFor(box, std::min(count, kMostInBatch), 3.6 * px)};
}

// The places of one replica's images.
Places trayPlaces(const StageColumn& column, double px, int replica, std::size_t count) {
  const double words = column.tray.height() > 3.4 * px ? 1.4 * px : 0.1 * px;  // the line above the images
  const QRectF tray = column.tray.adjusted(0, words, 0, -0.2 * px);
  // Replicas that share a column share the tray, in order, so that their images are as large as they can be.
  const Grid parts = gridFor(tray, static_cast<std::size_t>(column.count), tray.width() + tray.height());
  const auto part = static_cast<std::size_t>(replica - column.first);
  const double width = tray.width() / static_cast<double>(parts.columns);
  const double height = tray.height() / static_cast<double>(parts.rows);
  const double margin = std::min(0.25 * px, 0.1 * width);
  const QRectF box = QRectF(tray.left() + width * static_cast<double>(part % parts.columns),
                            tray.top() + height * static_cast<double>(part / parts.columns), width, height)
                         .adjusted(margin, 0, -margin, 0);
  const std::size_t shown = std::clamp<std::size_t>(count, 1, kMostPerTray);
  if (count <= static_cast<std::size_t>(StepPictures::kMostAnswered)) {
    // A narrow answer needs a large image for its number to be as high as ordinary words.
    constexpr struct {
      AnswerRoom room;
      double leastSide;  // of the image, in px
    } kWays[] = {{{.beside = 0.5}, 4.3}, {{.beside = 1.1}, 2.4}, {{.beside = 1.6}, 2.4}, {{.below = 0.6}, 2.4}};
    constexpr double kLargestSide = 8;
    Grid best;
    double most = 0;
    for (const auto& [room, leastSide] : kWays) {
      const Grid grid = gridFor(box, shown, kLargestSide * px, room);
      // Both the images and their answers should be large.
      const double answer = room.beside > 0 ? room.beside : room.below;
      const double size = grid.side * grid.side * std::sqrt(answer);
      if (grid.side < leastSide * px || size <= most) continue;
      most = size;
      best = grid;
    }
    if (most > 0) return {box, best};
  }
  return {box, gridFor(box, shown, 5 * px)};
}

}  // namespace

void SceneBatch::addGround() {
  const QRectF line(layout_.batch.left(), layout_.batch.top(), layout_.batch.width(), 1.4 * px_);
  const double beside = (1 - kBatchWords) / 2 * line.width();
  const std::int64_t count = at_.record.metric.distributed();
  QString words = tr("global batch: %Ln images from %1", nullptr, plural(count)).arg(datasetName(at_.info));
  if (count > static_cast<std::int64_t>(kMostInBatch))
    words += tr(" (the first %1 drawn)").arg(countText(kMostInBatch));
  const QStringList forms{words, tr("global batch: %Ln images", nullptr, plural(count))};
  canvas_.fitted(line.adjusted(beside, 0, -beside, 0), forms, 0.95).quiet = true;
  if (const QString aside = strategyWords(at_.info, "batch"); !aside.isEmpty() && !layout_.narrow())
    canvas_.text(line, aside, 0.95, kAtRight).quiet = true;
  // Their places stay marked, so that one sees where they came from.
  if (count > 256) return;
  const Places places = batchPlaces(layout_, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    canvas_.add(Item::Shape::Tray, places.at(i)).quiet = true;
  if (at_.progress(BeatKind::Distribute) >= 1) return addHandedOut(places.box);
}

// Shows the images that leave the batch, in the place where the batch was.
void SceneBatch::addHandedOut(const QRectF& box) {
  const std::vector<ReplicaStep>& all = at_.record.replicas;
  const auto images = std::ssize(all.front().shard);
  const bool equal =
      std::ranges::all_of(all, [&](const ReplicaStep& each) { return std::ssize(each.shard) == images; });
  const QString words = at_.info.isClass         ? tr("handed out to %Ln workers", nullptr, at_.taking)
                        : at_.info.replicas == 1 ? tr("the device has them")
                        : equal                  ? tr("handed out: %Ln images to each replica", nullptr, plural(images))
                                                 : tr("handed out to the replicas");
  const double width = std::min(box.width(), widthOf(words, 0.85 * px_) + 1.4 * px_);
  canvas_.chip(QRectF(box.center().x() - width / 2, box.center().y() - 0.8 * px_, width, 1.6 * px_), words);
}

void SceneBatch::addDigits() {
  const double distributed = at_.asynchronous ? 0 : at_.progress(BeatKind::Distribute);
  const auto total = static_cast<std::size_t>(at_.record.metric.distributed());
  const Places batch = batchPlaces(layout_, total);
  std::size_t number = 0;  // in the batch
  for (int r = 0; r < at_.info.replicas; ++r) {
    // A worker takes its batch just before it computes, and keeps its previous batch until then.
    const ReplicaStep* has = at_.step.batchOf(r, at_.ns);
    if (has == nullptr) continue;
    const ReplicaStep& replica = *has;
    const StageColumn& column = layout_.columnOf(r);
    const bool past = at_.step.isPast(r, at_.ns);
    const Places tray = trayPlaces(column, px_, r, replica.shard.size());
    const bool computed = past || at_.step.hasLoss(r, at_.ns);
    const bool answers = computed && !past && tray.hasAnswers() && at_.knownVersionOf(r) >= 0;
    for (std::size_t i = 0; i < replica.shard.size(); ++i, ++number) {
      const Object object{Object::Kind::Digit, r, static_cast<std::int64_t>(i)};
      const bool inBatch = !at_.asynchronous && distributed < 1;
      const std::size_t room = column.brief ? 0 : kMostPerTray;
      if (inBatch ? number >= kMostInBatch : i >= room) continue;
      // Images leave one after the other, each taking half of the beat. Those that have no room in a tray fade out
      // while they are distributed.
      const double start = total > 1 ? 0.5 * static_cast<double>(number) / static_cast<double>(total - 1) : 0;
      const double way = inBatch ? easeInOut((distributed - start) / 0.5) : 1;
      QRectF box = i < room ? tray.at(i) : batch.at(number);
      if (inBatch && i < room) box = between(batch.at(number), box, way);
      Item& digit = canvas_.add(Item::Shape::Digit, box, object);
      digit.owner = distributed > 0 || at_.asynchronous ? r : -1;
      // While the pipeline is explained, the images have not left it yet.
      const bool toCome = at_.isAt(BeatKind::Input) || at_.isAt(BeatKind::Startup);
      digit.opacity = toCome && inBatch ? 0.3 : past ? kPast : i < room ? 1 : 1 - way;
      digit.example = replica.shard[i];
      digit.strong = r == layout_.zoomed && !inBatch && i == at_.input.look.image;
      // A wrong prediction, shown as soon as the forward pass is done.
      digit.level = computed && i < replica.predictions.size() &&
                            replica.predictions[i] != at(at_.info.data->train.labels, replica.shard[i])
                        ? 1
                        : 0;
      if (answers) addAnswer(tray.answerAt(i), r, i);
    }
  }
}

// The network's answer about an image, from the weights it was computed with; with many classes only the likeliest.
void SceneBatch::addAnswer(const QRectF& box, int replica, std::size_t index) {
  constexpr double kLeastBar = 1.2;  // pixels
  const ReplicaStep& step = at(at_.record.replicas, replica);
  if (index >= step.predictions.size()) return;
  Item& answer =
      canvas_.add(Item::Shape::Answer, box, {Object::Kind::Digit, replica, static_cast<std::int64_t>(index)});
  answer.owner = replica;
  answer.level = static_cast<double>(index);
  answer.text = QString::number(step.predictions[index]);
  answer.fontPx = std::min({1.7 * px_, 0.5 * box.height(), (answer.text.size() == 1 ? 0.7 : 0.5) * box.width()});
  answer.strong = step.predictions[index] == at(at_.info.data->train.labels, step.shard[index]);
  answer.picture = box;
  if (at_.input.base != nullptr)
    answer.isApart =
        at_.input.base->prediction(step.shard[index]).value_or(step.predictions[index]) != step.predictions[index];
  if (answer.picture.width() >= kLeastBar * static_cast<double>(at_.info.network->classes()))
    answer.values = at_.step.pictures().answers(replica);
}

}  // namespace lab
