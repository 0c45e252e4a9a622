// SPDX-License-Identifier: GPL-3.0-or-later
// The images: the global batch, how it is distributed, and the trays. With a parameter server, the coordinator's queue
// takes the batch's place, because every worker reads its own batches.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/ceil_divide.h"
#include "core/cluster/labels.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/scene/base_step.h"
#include "ui/scene/scene_builder.h"

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

void SceneBuilder::addBatch() {
  const QRectF line(layout_.batch.left(), layout_.batch.top(), layout_.batch.width(), 1.4 * px_);
  const double beside = (1 - kBatchWords) / 2 * line.width();
  const std::int64_t count = record_.metric.distributed();
  QString words = tr("global batch: %Ln images from %1", nullptr, plural(count)).arg(datasetName(info_));
  if (count > static_cast<std::int64_t>(kMostInBatch)) words += tr(" (the first %1 drawn)").arg(kMostInBatch);
  const QRectF middle = line.adjusted(beside, 0, -beside, 0);
  text(middle,
       longestThatFits({words, tr("global batch: %Ln images", nullptr, plural(count))}, middle.width(), 0.95 * px_),
       0.95)
      .quiet = true;
  if (const QString aside = strategyWords(info_, "batch"); !aside.isEmpty() && !layout_.narrow())
    text(line, aside, 0.95, Qt::AlignRight | Qt::AlignVCenter).quiet = true;
  // Their places stay marked, so that one sees where they came from.
  if (count > 256) return;
  const Places places = batchPlaces(layout_, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) add(Item::Shape::Tray, places.at(i)).quiet = true;
  if (progress(BeatKind::Distribute) >= 1) return addHandedOut(places.box);
}

// Shows the images that leave the batch, in the place where the batch was.
void SceneBuilder::addHandedOut(const QRectF& box) {
  const std::vector<ReplicaStep>& all = record_.replicas;
  const auto images = std::ssize(all.front().shard);
  const bool equal =
      std::ranges::all_of(all, [&](const ReplicaStep& each) { return std::ssize(each.shard) == images; });
  const QString words = info_.isClass         ? tr("handed out to %Ln workers", nullptr, taking_)
                        : info_.replicas == 1 ? tr("the device has them")
                        : equal               ? tr("handed out: %Ln images to each replica", nullptr, plural(images))
                                              : tr("handed out to the replicas");
  const double width = std::min(box.width(), widthOf(words, 0.85 * px_) + 1.4 * px_);
  chip(QRectF(box.center().x() - width / 2, box.center().y() - 0.8 * px_, width, 1.6 * px_), words);
}

void SceneBuilder::addDigits() {
  const double distributed = asynchronous_ ? 0 : progress(BeatKind::Distribute);
  const auto total = static_cast<std::size_t>(record_.metric.distributed());
  const Places batch = batchPlaces(layout_, total);
  std::size_t number = 0;  // in the batch
  for (int r = 0; r < info_.replicas; ++r) {
    // A worker takes its batch just before it computes, and keeps its previous batch until then.
    const ReplicaStep* has = step_.batchOf(r, ns_);
    if (has == nullptr) continue;
    const ReplicaStep& replica = *has;
    const StageColumn& column = layout_.columnOf(r);
    const bool past = step_.isPast(r, ns_);
    const Places tray = trayPlaces(column, px_, r, replica.shard.size());
    const bool computed = past || step_.hasLoss(r, ns_);
    const bool answers = computed && !past && tray.hasAnswers() && knownVersionOf(r) >= 0;
    for (std::size_t i = 0; i < replica.shard.size(); ++i, ++number) {
      const Object object{Object::Kind::Digit, r, static_cast<std::int64_t>(i)};
      const bool inBatch = !asynchronous_ && distributed < 1;
      const std::size_t room = column.brief ? 0 : kMostPerTray;
      if (inBatch ? number >= kMostInBatch : i >= room) continue;
      // Images leave one after the other, each taking half of the beat. Those that have no room in a tray fade out
      // while they are distributed.
      const double start = total > 1 ? 0.5 * static_cast<double>(number) / static_cast<double>(total - 1) : 0;
      const double way = inBatch ? easeInOut((distributed - start) / 0.5) : 1;
      QRectF box = i < room ? tray.at(i) : batch.at(number);
      if (inBatch && i < room) box = between(batch.at(number), box, way);
      Item& digit = add(Item::Shape::Digit, box, object);
      digit.owner = distributed > 0 || asynchronous_ ? r : -1;
      // While the pipeline is explained, the images have not left it yet.
      const bool toCome = isAt(BeatKind::Input) || isAt(BeatKind::Startup);
      digit.opacity = toCome && inBatch ? 0.3 : past ? kPast : i < room ? 1 : 1 - way;
      digit.example = replica.shard[i];
      digit.strong = r == layout_.zoomed && !inBatch && i == input_.look.image;
      // A wrong prediction, shown as soon as the forward pass is done.
      digit.level =
          computed && i < replica.predictions.size() &&
                  replica.predictions[i] != info_.data->train.labels[static_cast<std::size_t>(replica.shard[i])]
              ? 1
              : 0;
      if (answers) addAnswer(tray.answerAt(i), r, i);
    }
  }
}

// The network's answer about an image, from the weights it was computed with; with many classes only the likeliest.
void SceneBuilder::addAnswer(const QRectF& box, int replica, std::size_t index) {
  constexpr double kLeastBar = 1.2;  // pixels
  const ReplicaStep& step = record_.replicas[static_cast<std::size_t>(replica)];
  if (index >= step.predictions.size()) return;
  Item& answer = add(Item::Shape::Answer, box, {Object::Kind::Digit, replica, static_cast<std::int64_t>(index)});
  answer.owner = replica;
  answer.level = static_cast<double>(index);
  answer.text = QString::number(step.predictions[index]);
  answer.fontPx = std::min({1.7 * px_, 0.5 * box.height(), (answer.text.size() == 1 ? 0.7 : 0.5) * box.width()});
  answer.strong = step.predictions[index] == info_.data->train.labels[static_cast<std::size_t>(step.shard[index])];
  answer.picture = box;
  if (input_.base != nullptr)
    answer.isApart =
        input_.base->prediction(step.shard[index]).value_or(step.predictions[index]) != step.predictions[index];
  if (answer.picture.width() >= kLeastBar * static_cast<double>(info_.network->classes()))
    answer.values = step_.pictures().answers(replica);
}

QRectF SceneBuilder::coordinatorBox() const {
  const QRectF& box = layout_.batch;
  const double width = std::min(44 * px_, layout_.size.width() - px_);
  return {box.center().x() - width / 2, box.top() + 0.2 * px_, width, box.height() - 0.4 * px_};
}

// The coordinator does not know at first that a worker is dead: it only hears nothing.
bool SceneBuilder::isMissed(int worker) const {
  return std::ranges::any_of(record_.dead, [&](const DeadTask& dead) {
    return dead.task == RunFault::Task::Worker && dead.index == worker && ns_ >= dead.noticedNs;
  });
}

void SceneBuilder::addCoordinator() {
  const QRectF panel = coordinatorBox();
  add(Item::Shape::Panel, panel, {Object::Kind::Queue});
  text(QRectF(panel.left() + px_, panel.top() + 0.3 * px_, panel.width() - 2 * px_, 1.5 * px_),
       tr("coordinator: one closure at a time for every worker"), 1, Qt::AlignLeft | Qt::AlignVCenter)
      .bold = true;
  // Each worker's closure: what it is doing now.
  const int shown = std::min(info_.replicas, 16);
  const double width = (panel.width() - 2 * px_) / shown;
  const std::array doings{record_.metric.clock == TimeSource::Modelled ? tr("queues") : tr("waits"), tr("computes"),
                          tr("pulls"), tr("pushes")};
  for (int w = 0; w < shown; ++w) {
    const auto now = static_cast<std::size_t>(step_.doing(w, ns_));
    const QString name = endpointName(info_, w), number = endpointNumber(info_, w), absent = absence(w);
    const QStringList forms =
        now < doings.size()
            ? QStringList{name + QLatin1Char(' ') + doings[now], number + QLatin1Char(' ') + doings[now], number}
            : QStringList{tr("gradient of %1 applied").arg(name), tr("%1: ∇ applied").arg(number), number};
    const QRectF at(panel.left() + px_ + w * width, panel.top() + 2.1 * px_, width - 0.3 * px_, 2.3 * px_);
    const QStringList none = isMissed(w)
                                 ? QStringList{tr("✕ worker %1 is dead").arg(w), QStringLiteral("✕ ") + number}
                                 : QStringList{tr("worker %1: no answer").arg(w), number + QStringLiteral(" …")};
    const QStringList gone{name + QLatin1Char(' ') + absent, QStringLiteral("✕ ") + number};
    Item& closure = chip(at,
                         longestThatFits(!absent.isEmpty() ? gone
                                         : isDead(w)       ? none
                                                           : forms,
                                         at.width() - 0.6 * px_, 0.85 * px_),
                         {Object::Kind::Queue});
    closure.owner = w;
  }
}

// A histogram of staleness over all updates so far. With many workers a bar covers several numbers, since most updates
// are among the stalest.
void SceneBuilder::addHistogram() {
  const std::span<const std::int64_t> counts = input_.stalenessCounts;
  if (counts.empty() || layout_.batch.width() < 62 * px_) return;
  constexpr std::size_t kMostBars = 12;
  const std::size_t each = ceilDivide(counts.size(), kMostBars), bars = ceilDivide(counts.size(), each);
  std::vector<std::int64_t> sums(bars, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i / each] += counts[i];
  const std::int64_t most = std::max<std::int64_t>(1, std::ranges::max(sums));
  const double left = layout_.batch.center().x() + 23.5 * px_;
  const double width = std::min(layout_.batch.right() - left, 18 * px_);
  if (width < 6 * px_) return;
  text(QRectF(left, layout_.batch.top(), width, 1.3 * px_), tr("staleness of all updates"), 0.85).quiet = true;
  const double bar = width / static_cast<double>(std::max<std::size_t>(bars, 4));
  const double top = layout_.batch.top() + 1.4 * px_, height = layout_.batch.height() - 2.8 * px_;
  for (std::size_t i = 0; i < bars; ++i) {
    const double share = static_cast<double>(sums[i]) / static_cast<double>(most);
    const double x = left + bar * static_cast<double>(i);
    Item& item = add(Item::Shape::Bar, QRectF(x + 0.1 * bar, top + height * (1 - share), 0.8 * bar, height * share));
    item.level = share;
    const std::size_t first = i * each, last = std::min(first + each, counts.size()) - 1;
    const QString one = QString::number(first), range = QStringLiteral("%1–%2").arg(first).arg(last);
    text(QRectF(x, top + height, bar, 1.3 * px_),
         first == last ? one : longestThatFits({range, one + QStringLiteral("…"), one}, bar, 0.7 * px_),
         each == 1 ? 0.9 : 0.7)
        .quiet = true;
  }
}

}  // namespace lab
