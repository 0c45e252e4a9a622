// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/batch_grid.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/class_words.h"
#include "ui/i18n/words.h"
#include "ui/painting/digit_images.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kSide = 4.2, kWords = 1.3, kHeading = 2.2;  // in text sizes

}  // namespace

BatchGrid::BatchGrid(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("What each replica computed with in this step"));
  setWhatsThis(
      tr("The training images that were distributed to each replica in the step on the stage, each with its label and "
         "what the "
         "replica took it for before the update: ✓ is right, ✗ is wrong. A click puts one on the pad."));
}

void BatchGrid::show(std::shared_ptr<const Dataset> dataset, std::shared_ptr<const StepRecord> record,
                     const QStringList& names) {
  // While runs change, the previous run's record may come with the new run's data; then there is nothing to show.
  const bool fits = std::all_of(record->replicas.begin(), record->replicas.end(), [&](const ReplicaStep& step) {
    return std::all_of(step.shard.begin(), step.shard.end(), [&](std::int64_t i) { return i < dataset->train.count; });
  });
  data_ = std::move(dataset);
  record_ = fits ? std::move(record) : nullptr;
  names_ = names;
  setAccessibleDescription(headings().join(QStringLiteral("; ")));
  updateGeometry();
  setMinimumHeight(heightForWidth(width()));
  update();
}

int BatchGrid::labelOf(std::int64_t image) const {
  return lab::at(data_->train.labels, image);
}

QString BatchGrid::heading(std::size_t replica) const {
  const ReplicaStep& step = record_->replicas[replica];
  const QString name = static_cast<qsizetype>(replica) < names_.size() ? names_[static_cast<qsizetype>(replica)]
                                                                       : QString::number(replica);
  const std::size_t count = step.shard.size();
  if (count == 0) return tr("%1: nothing was distributed to it").arg(name);
  if (step.predictions.size() != count && record_->metric.leavesOut(static_cast<int>(replica)))
    return tr("%1: %Ln images, left out: too late", nullptr, plural(static_cast<std::int64_t>(count))).arg(name);
  if (step.predictions.size() != count || step.losses.size() != count)
    return tr("%1: %Ln images, not computed yet", nullptr, plural(static_cast<std::int64_t>(count))).arg(name);
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) right += step.predictions[i] == labelOf(step.shard[i]) ? 1 : 0;
  const double loss = std::accumulate(step.losses.begin(), step.losses.end(), 0.0) / static_cast<double>(count);
  return tr("%1: %2 of %3 right, loss %4").arg(name).arg(right).arg(count).arg(lossText(loss));
}

QStringList BatchGrid::headings() const {
  QStringList all;
  if (record_)
    for (std::size_t i = 0; i < record_->replicas.size(); ++i) all << heading(i);
  return all;
}

int BatchGrid::columns(int width) const {
  return std::max(1, width / theme::em(kSide));
}

int BatchGrid::rows(std::size_t replica, int width) const {
  const auto count = static_cast<int>(record_->replicas[replica].shard.size());
  return ceilDivide(count, columns(width));
}

int BatchGrid::topOf(std::size_t replica, int width) const {
  int top = 0;
  for (std::size_t i = 0; i < replica; ++i) top += theme::em(kHeading) + rows(i, width) * theme::em(tileHeight());
  return top;
}

int BatchGrid::heightForWidth(int width) const {
  return record_ ? topOf(record_->replicas.size(), width) : 0;
}

QSize BatchGrid::sizeHint() const {
  return {theme::em(6 * kSide), theme::em(12)};
}

QRect BatchGrid::boxOf(const Tile& tile) const {
  const auto entry = static_cast<int>(tile.entry);
  const int side = theme::em(kSide), gap = theme::em(0.3);
  const QPoint corner(entry % columns(width()) * side, topOf(tile.replica, width()) + theme::em(kHeading) +
                                                           entry / columns(width()) * theme::em(tileHeight()));
  return {corner + QPoint(gap, gap), QSize(side - 2 * gap, side - 2 * gap)};
}

bool BatchGrid::at(const QPointF& position, Tile& tile) const {
  if (!record_) return false;
  const int column = static_cast<int>(position.x()) / theme::em(kSide);
  if (column >= columns(width())) return false;
  for (tile.replica = 0; tile.replica < record_->replicas.size(); ++tile.replica) {
    const int top = topOf(tile.replica, width()) + theme::em(kHeading);
    const int row = (static_cast<int>(position.y()) - top) / theme::em(tileHeight());
    if (position.y() < top || row >= rows(tile.replica, width())) continue;
    tile.entry = static_cast<std::size_t>(row * columns(width()) + column);
    return tile.entry < record_->replicas[tile.replica].shard.size();
  }
  return false;
}

double BatchGrid::tileHeight() const {
  return kSide + (classesAreNamed(*data_) ? 2 * kWords : kWords);
}

// Class names take a line each.
QStringList BatchGrid::tileWords(int label, int prediction, bool answered) const {
  const QString is = classWords(*data_, label), taken = classWords(*data_, prediction);
  if (!answered) return {is};
  const bool right = label == prediction;
  if (!classesAreNamed(*data_))
    return {QStringLiteral("%1 → %2 %3").arg(is, taken, right ? QStringLiteral("✓") : QStringLiteral("✗"))};
  if (right) return {is + QStringLiteral(" ✓")};
  return {is, QStringLiteral("→ ") + taken};
}

void BatchGrid::paintEvent(QPaintEvent* event) {
  if (!record_) return;
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  QFont strong = font(), small = font();
  strong.setWeight(QFont::DemiBold);
  small.setPixelSize(theme::smallText(theme::kSmallShare));
  for (std::size_t r = 0; r < record_->replicas.size(); ++r) {
    const ReplicaStep& step = record_->replicas[r];
    const QRect head(0, topOf(r, width()), width(), theme::em(kHeading));
    if (head.intersects(event->rect())) {
      painter.setFont(strong);
      painter.setPen(colours.ink);
      const QRect words = head.adjusted(theme::em(0.3), 0, -theme::em(0.3), 0);
      drawElided(painter, words, Qt::AlignLeft | Qt::AlignVCenter, heading(r));
    }
    const bool answered = step.predictions.size() == step.shard.size();
    painter.setFont(small);
    for (std::size_t i = 0; i < step.shard.size(); ++i) {
      const QRect box = boxOf({r, i});
      if (!box.adjusted(0, 0, 0, theme::em(kWords + 0.3)).intersects(event->rect())) continue;
      const int label = labelOf(step.shard[i]);
      const int prediction = answered ? step.predictions[i] : label;
      painter.drawImage(box, exampleImage(data_->train, step.shard[i]));
      painter.setPen(QPen(label == prediction ? colours.edge : colours.second, label == prediction ? 1 : 2));
      painter.drawRect(box);
      painter.setPen(colours.ink);
      QRect line(box.left() - theme::em(0.3), box.bottom(), theme::em(kSide), theme::em(1.3));
      for (const QString& words : tileWords(label, prediction, answered)) {
        drawElided(painter, line, Qt::AlignCenter, words);
        line.translate(0, theme::em(1.1));
      }
    }
  }
}

void BatchGrid::mousePressEvent(QMouseEvent* event) {
  Tile tile;
  if (at(event->position(), tile)) Q_EMIT chosen(record_->replicas[tile.replica].shard[tile.entry]);
}

bool BatchGrid::event(QEvent* event) {
  if (event->type() == QEvent::Resize) setMinimumHeight(heightForWidth(width()));
  return showsTip(*event, *this, [this](const QPoint& position) { return wordsAt(position); }) || QWidget::event(event);
}

QString BatchGrid::wordsAt(const QPoint& position) const {
  Tile tile;
  if (!at(position, tile)) return toolTip();
  const ReplicaStep& step = record_->replicas[tile.replica];
  const std::int64_t image = step.shard[tile.entry];
  QString words = tr("Training image %1, label %2").arg(countText(image), classWords(*data_, labelOf(image)));
  if (tile.entry < step.predictions.size() && tile.entry < step.losses.size())
    words += tr(", was taken for %1. Loss %2")
                 .arg(classWords(*data_, step.predictions[tile.entry]),
                      lossText(static_cast<double>(step.losses[tile.entry])));
  return words;
}

}  // namespace lab
