// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/pages.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

#include <algorithm>

#include "ui/inspect/heat_map.h"
#include "ui/look/painted_words.h"
#include "ui/look/theme.h"
#include "ui/scene/digit_images.h"
#include "ui/words/words.h"

namespace lab {
namespace {

constexpr double kCell = 4.2;  // of a mistake, of the text size
constexpr std::size_t kMostMistakes = 300;

QImage plainDigit(const Examples& examples, std::int64_t example) {
  if (examples.shape[2] == 3) return exampleImage(examples, example);
  const auto width = static_cast<int>(examples.shape[1]), height = static_cast<int>(examples.shape[0]);
  QImage image(examples.image(example), width, height, width, QImage::Format_Grayscale8);
  image = image.copy();
  if (!theme::colours().dark) image.invertPixels();
  return image;
}

}  // namespace

// ---- ProbabilityBars

ProbabilityBars::ProbabilityBars(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Probability of each digit"));
  setToolTip(tr("What the network gives to each digit: the softmax of its ten outputs"));
  setWhatsThis(toolTip());
}

void ProbabilityBars::show(const std::vector<float>& probabilities) {
  values_ = probabilities;
  QStringList words;
  for (std::size_t i = 0; i < values_.size(); ++i)
    words << QStringLiteral("%1: %2").arg(i).arg(percentText(static_cast<double>(values_[i])));
  setAccessibleDescription(words.join(QStringLiteral(", ")));
  update();
}

QSize ProbabilityBars::minimumSizeHint() const {
  return {theme::em(9), theme::em(10)};
}
QSize ProbabilityBars::sizeHint() const {
  return {theme::em(12), theme::em(14)};
}

void ProbabilityBars::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  const double high = height() / 10.0, em = theme::textSize();
  const auto largest = values_.empty() ? values_.end() : std::max_element(values_.begin(), values_.end());
  for (int i = 0; i < 10; ++i) {
    const QRectF row(0, i * high, width(), high);
    const bool best = largest != values_.end() && i == largest - values_.begin();
    QFont font = this->font();
    font.setWeight(best ? QFont::Bold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(colours.ink);
    painter.drawText(row.adjusted(0.3 * em, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, QString::number(i));
    const double room = std::max(1.0, width() - 6.2 * em);
    const QRectF track(1.5 * em, row.top() + 0.25 * high, room, 0.5 * high);
    painter.fillRect(track, colours.line);
    if (values_.empty()) continue;
    const float value = values_[static_cast<std::size_t>(i)];
    painter.fillRect(QRectF(track.left(), track.top(), track.width() * static_cast<double>(value), track.height()),
                     best ? colours.accent : colours.edge);
    painter.setPen(colours.ink);
    painter.drawText(QRectF(track.right() + 0.3 * em, row.top(), 4.3 * em, high), Qt::AlignRight | Qt::AlignVCenter,
                     percentText(static_cast<double>(value)));
  }
}

// ---- MistakeGrid

MistakeGrid::MistakeGrid(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Test images that are taken for another digit"));
  setFocusPolicy(Qt::StrongFocus);
  setWhatsThis(
      tr("Test images that the network takes for another digit, those with the largest loss first. A click puts "
         "one on the pad, and so does Enter; the arrow keys go from one to the next."));
}

void MistakeGrid::show(std::shared_ptr<const Dataset> dataset, const Classified& classified) {
  data_ = std::move(dataset);
  mistakes_.clear();
  for (std::size_t i = 0; i < classified.predictions.size(); ++i) {
    const int label = data_->test.labels[i], prediction = classified.predictions[i];
    if (label == prediction) continue;
    mistakes_.push_back({static_cast<std::int64_t>(i), label, prediction, classified.losses[i],
                         classified.probabilities[10 * i + static_cast<std::size_t>(prediction)]});
  }
  std::stable_sort(mistakes_.begin(), mistakes_.end(),
                   [](const Mistake& a, const Mistake& b) { return a.loss > b.loss; });
  current_ = 0;
  updateGeometry();
  setMinimumHeight(heightForWidth(width()));
  update();
}

int MistakeGrid::shown() const {
  return static_cast<int>(std::min(mistakes_.size(), kMostMistakes));
}

int MistakeGrid::columns(int width) const {
  return std::max(1, width / theme::em(kCell));
}

int MistakeGrid::heightForWidth(int width) const {
  return (shown() + columns(width) - 1) / columns(width) * theme::em(kCell + 1.3);
}

QSize MistakeGrid::sizeHint() const {
  return {theme::em(6 * kCell), theme::em(12)};
}

int MistakeGrid::at(const QPointF& position) const {
  const int column = static_cast<int>(position.x()) / theme::em(kCell);
  const int row = static_cast<int>(position.y()) / theme::em(kCell + 1.3);
  const int index = row * columns(width()) + column;
  const bool is = column < columns(width()) && index < shown();
  return is ? index : -1;
}

void MistakeGrid::paintEvent(QPaintEvent* event) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setFont(theme::smallFont(font()));
  const int side = theme::em(kCell), high = theme::em(kCell + 1.3), gap = theme::em(0.3);
  for (int i = 0; i < shown(); ++i) {
    const Mistake& mistake = mistakes_[static_cast<std::size_t>(i)];
    const QPoint corner(i % columns(width()) * side, i / columns(width()) * high);
    const QRect box(corner + QPoint(gap, gap), QSize(side - 2 * gap, side - 2 * gap));
    if (!event->rect().intersects(QRect(corner, QSize(side, high)))) continue;
    painter.drawImage(box, plainDigit(data_->test, mistake.image));
    const bool focused = hasFocus() && i == current_;
    painter.setPen(QPen(focused ? colours.accent : colours.edge, focused ? 3 : 1));
    painter.drawRect(box);
    painter.setPen(colours.ink);
    painter.drawText(QRect(corner.x(), box.bottom(), side, theme::em(1.5)), Qt::AlignCenter,
                     QStringLiteral("%1 → %2").arg(mistake.label).arg(mistake.prediction));
  }
}

void MistakeGrid::mousePressEvent(QMouseEvent* event) {
  const int index = at(event->position());
  if (index >= 0) Q_EMIT chosen(mistakes_[static_cast<std::size_t>(index)].image);
}

void MistakeGrid::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return goTo(current_ - 1);
    case Qt::Key_Right:
      return goTo(current_ + 1);
    case Qt::Key_Up:
      return goTo(current_ - columns(width()));
    case Qt::Key_Down:
      return goTo(current_ + columns(width()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ < shown()) Q_EMIT chosen(mistakes_[static_cast<std::size_t>(current_)].image);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
}

void MistakeGrid::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  goTo(current_);
}

void MistakeGrid::goTo(int index) {
  if (index < 0 || index >= shown()) return;
  current_ = index;
  setAccessibleDescription(wordsOf(index));
  const int side = theme::em(kCell), high = theme::em(kCell + 1.3);
  if (auto* view = qobject_cast<QScrollArea*>(parentWidget() == nullptr ? nullptr : parentWidget()->parentWidget()))
    view->ensureVisible(index % columns(width()) * side + side / 2, index / columns(width()) * high + high / 2, side,
                        high);
  update();
}

QString MistakeGrid::wordsOf(int index) const {
  const Mistake& mistake = mistakes_[static_cast<std::size_t>(index)];
  return tr("Test image %1, a %2, is taken for a %3 with %4. Loss %5")
      .arg(countText(mistake.image))
      .arg(mistake.label)
      .arg(mistake.prediction)
      .arg(percentText(static_cast<double>(mistake.share)))
      .arg(numberText(static_cast<double>(mistake.loss), 'f', 3));
}

bool MistakeGrid::event(QEvent* event) {
  // The arrows are the grid's while it has the focus, not the playback's.
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool own = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (own && static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::Resize) setMinimumHeight(heightForWidth(width()));
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int index = at(help->pos());
  if (index < 0) return QWidget::event(event);
  QToolTip::showText(help->globalPos(), wordsOf(index));
  return true;
}

// ---- ConfusionTable

ConfusionTable::ConfusionTable(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Confusion matrix of the test images"));
  setWhatsThis(tr("Each row is a digit, each column what the network takes it for: on the diagonal it is right."));
  setMinimumSize(theme::em(14), theme::em(11));
}

void ConfusionTable::show(const ConfusionCounts& confusion) {
  counts_ = confusion;
  QStringList words;
  for (std::size_t row = 0; row < 10; ++row)
    for (std::size_t column = 0; column < 10; ++column)
      if (row != column && counts_[row][column] > 0)
        words << tr("%1 taken for %2: %Ln times", nullptr, plural(counts_[row][column])).arg(row).arg(column);
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

QSize ConfusionTable::sizeHint() const {
  return {theme::em(24), theme::em(18)};
}

QRectF ConfusionTable::cell(int row, int column) const {
  const double wide = width() / 11.0, high = height() / 11.5;
  return {(column + 1) * wide, (row + 1) * high, wide, high};
}

void ConfusionTable::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setFont(theme::smallFont(font()));
  std::int64_t most = 1;
  for (std::size_t row = 0; row < 10; ++row)
    for (std::size_t column = 0; column < 10; ++column)
      if (row != column) most = std::max(most, counts_[row][column]);
  for (int row = -1; row < 10; ++row) {
    for (int column = -1; column < 10; ++column) {
      const QRectF box = cell(row, column);
      if (row < 0 || column < 0) {
        painter.setPen(colours.quietInk);
        if (row >= 0 || column >= 0) painter.drawText(box, Qt::AlignCenter, QString::number(std::max(row, column)));
        continue;
      }
      const std::int64_t count = counts_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      const double share = row == column ? 0.12 : 0.75 * static_cast<double>(count) / static_cast<double>(most);
      const QColor ground = theme::tint(row == column ? colours.accent : colours.positive, share);
      painter.fillRect(box.adjusted(0, 0, -1, -1), ground);
      if (count == 0) continue;
      painter.setPen(colours.ink);
      painter.drawText(box, Qt::AlignCenter, countText(count));
    }
  }
  painter.setPen(colours.quietInk);
  const QString foot = tr("rows: the digit · columns: what it is taken for");
  shrinkFont(painter, foot, width());
  painter.drawText(QRectF(0, height() - height() / 22.0 - 2, width(), height() / 22.0 + 2), Qt::AlignCenter, foot);
}

bool ConfusionTable::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  for (int row = 0; row < 10; ++row)
    for (int column = 0; column < 10; ++column)
      if (cell(row, column).contains(help->pos()))
        QToolTip::showText(
            help->globalPos(),
            tr("%1 taken for %2: %3 of the test images")
                .arg(row)
                .arg(column)
                .arg(countText(counts_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)])));
  return true;
}

// ---- FilterGrid

FilterGrid::FilterGrid(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("The 32 filters of the convolution"));
  setToolTip(
      tr("The 32 filters of the convolution, 3×3 weights each: blue below zero, orange above, one scale for all"));
  setWhatsThis(toolTip());
  setMinimumSize(theme::em(14), theme::em(8));
}

void FilterGrid::show(std::vector<float> kernel) {
  kernel_ = std::move(kernel);
  update();
}

QSize FilterGrid::sizeHint() const {
  return {theme::em(26), theme::em(14)};
}

void FilterGrid::paintEvent(QPaintEvent*) {
  if (kernel_.empty()) return;
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setFont(theme::smallFont(font()));
  TensorPart whole;
  whole.values = kernel_;
  const double scale = largestMagnitude(whole);
  const int filters = count();
  const double label = 1.2 * theme::textSize();
  // As many columns as make the cells largest.
  int columns = 8;
  double side = 0;
  for (const int wanted : {4, 8, 11, 16, 32}) {
    const int rows = (filters + wanted - 1) / wanted;
    const double fits = std::min(width() / double(wanted), height() / double(rows) - label);
    if (fits > side) {
      side = fits;
      columns = wanted;
    }
  }
  if (side < 4) return;
  shrinkFont(painter, QStringLiteral("00 "), side);
  for (int f = 0; f < filters; ++f) {
    TensorPart part;
    part.columns = 3;
    for (int i = 0; i < 9; ++i) part.values.push_back(kernel_[static_cast<std::size_t>(i * filters + f)]);
    const QRectF box(f % columns * side + 2, f / columns * (side + label) + 2, side - 4, side - 4);
    painter.drawImage(box, heatImage(part, scale, QSize(3, 3)));
    painter.setPen(colours.edge);
    painter.drawRect(box);
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(box.left(), box.bottom(), box.width(), label), Qt::AlignCenter, QString::number(f));
  }
}

}  // namespace lab
