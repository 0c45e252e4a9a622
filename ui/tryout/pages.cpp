// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/pages.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>

#include <algorithm>
#include <functional>
#include <numeric>

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

constexpr double kCell = 4.2;  // a mistake's image, in text sizes
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
  setAccessibleName(tr("Probability of each class"));
  setToolTip(tr("What the network gives to each class: the softmax of its outputs"));
  setWhatsThis(toolTip());
}

void ProbabilityBars::setNames(const QStringList& names) {
  if (names == names_) return;
  names_ = names;
  values_.clear();  // they belong to other classes
  update();
}

void ProbabilityBars::show(const std::vector<float>& probabilities) {
  values_ = probabilities;
  QStringList words;
  for (std::size_t i = 0; i < values_.size(); ++i)
    words << QStringLiteral("%1: %2").arg(nameOf(static_cast<int>(i)), percentText(static_cast<double>(values_[i])));
  setAccessibleDescription(words.join(QStringLiteral(", ")));
  update();
}

std::vector<int> ProbabilityBars::rows() const {
  const int classes = values_.empty() ? static_cast<int>(names_.size()) : static_cast<int>(values_.size());
  std::vector<int> labels(static_cast<std::size_t>(classes));
  std::iota(labels.begin(), labels.end(), 0);
  if (classes <= kMostRows) return labels;
  if (!values_.empty())
    std::ranges::stable_sort(labels, std::greater{}, [this](int label) { return at(values_, label); });
  labels.resize(kMostRows - 1);
  labels.push_back(-1);
  return labels;
}

QString ProbabilityBars::nameOf(int label) const {
  if (label < 0) return tr("others");
  return label < names_.size() ? names_[label] : QString::number(label);
}

QSize ProbabilityBars::minimumSizeHint() const {
  return {theme::em(9), theme::em(10)};
}
QSize ProbabilityBars::sizeHint() const {
  return {theme::em(12), theme::em(11)};
}

void ProbabilityBars::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  const std::vector<int> labels = rows();
  const double high = height() / std::max(1.0, static_cast<double>(labels.size())), em = theme::textSize();
  const auto largest = values_.empty() ? values_.end() : std::max_element(values_.begin(), values_.end());
  QFont bold = font();
  bold.setWeight(QFont::Bold);
  double named = 0;
  for (const int label : labels) named = std::max(named, QFontMetricsF(bold).horizontalAdvance(nameOf(label)));
  named = std::min(named + 0.3 * em, std::max(0.9 * em, 0.45 * width()));
  const double figures = std::min(4.3 * em, 0.35 * width());
  float left = std::accumulate(values_.begin(), values_.end(), 0.0F);  // what remains for the classes without a row
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int label = labels[i];
    const QRectF row(0, static_cast<double>(i) * high, width(), high);
    const bool best = largest != values_.end() && label == largest - values_.begin();
    painter.setFont(best ? bold : font());
    painter.setPen(colours.ink);
    drawElided(painter, QRectF(0.3 * em, row.top(), named, high), Qt::AlignLeft | Qt::AlignVCenter, nameOf(label));
    const double begin = named + 0.6 * em, room = std::max(1.0, width() - begin - figures - 0.3 * em);
    const QRectF track(begin, row.top() + 0.25 * high, room, 0.5 * high);
    painter.fillRect(track, colours.line);
    if (values_.empty()) continue;
    const float value = label < 0 ? std::max(0.0F, left) : at(values_, label);
    left -= value;
    painter.fillRect(QRectF(track.left(), track.top(), track.width() * static_cast<double>(value), track.height()),
                     best ? colours.accent : colours.edge);
    painter.setPen(colours.ink);
    painter.drawText(QRectF(track.right() + 0.3 * em, row.top(), figures, high), Qt::AlignRight | Qt::AlignVCenter,
                     percentText(static_cast<double>(value)));
  }
}

// ---- MistakeGrid

MistakeGrid::MistakeGrid(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Test images that are taken for another class"));
  setFocusPolicy(Qt::StrongFocus);
  setWhatsThis(
      tr("Test images that the network takes for another class, those with the largest loss first. A click puts "
         "one on the pad, and so does Enter; the arrow keys go from one to the next."));
}

void MistakeGrid::show(std::shared_ptr<const Dataset> dataset, const Classified& classified) {
  data_ = std::move(dataset);
  mistakes_.clear();
  for (std::size_t i = 0; i < classified.predictions.size(); ++i) {
    const int label = data_->test.labels[i], prediction = classified.predictions[i];
    if (label == prediction) continue;
    mistakes_.push_back({static_cast<std::int64_t>(i), label, prediction, classified.losses[i],
                         classified.probabilities[static_cast<std::size_t>(classified.classes) * i +
                                                  static_cast<std::size_t>(prediction)]});
  }
  std::stable_sort(mistakes_.begin(), mistakes_.end(),
                   [](const Mistake& a, const Mistake& b) { return a.loss > b.loss; });
  current_ = 0;
  updateGeometry();
  setMinimumHeight(heightForWidth(width()));
  update();
}

double MistakeGrid::tileHeight() const {
  return kCell + (data_ != nullptr && classesAreNamed(*data_) ? 2.5 : 1.3);
}

int MistakeGrid::shown() const {
  return static_cast<int>(std::min(mistakes_.size(), kMostMistakes));
}

int MistakeGrid::columns(int width) const {
  return std::max(1, width / theme::em(kCell));
}

int MistakeGrid::heightForWidth(int width) const {
  return ceilDivide(shown(), columns(width)) * theme::em(tileHeight());
}

QSize MistakeGrid::sizeHint() const {
  return {theme::em(6 * kCell), theme::em(12)};
}

int MistakeGrid::at(const QPointF& position) const {
  const int column = static_cast<int>(position.x()) / theme::em(kCell);
  const int row = static_cast<int>(position.y()) / theme::em(tileHeight());
  const int index = row * columns(width()) + column;
  const bool is = column < columns(width()) && index < shown();
  return is ? index : -1;
}

void MistakeGrid::paintEvent(QPaintEvent* event) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setFont(theme::smallFont(font()));
  const int side = theme::em(kCell), high = theme::em(tileHeight()), gap = theme::em(0.3);
  for (int i = 0; i < shown(); ++i) {
    const Mistake& mistake = lab::at(mistakes_, i);
    const QPoint corner(i % columns(width()) * side, i / columns(width()) * high);
    const QRect box(corner + QPoint(gap, gap), QSize(side - 2 * gap, side - 2 * gap));
    if (!event->rect().intersects(QRect(corner, QSize(side, high)))) continue;
    painter.drawImage(box, plainDigit(data_->test, mistake.image));
    const bool focused = hasFocus() && i == current_;
    painter.setPen(QPen(focused ? colours.accent : colours.edge, focused ? 3 : 1));
    painter.drawRect(box);
    painter.setPen(colours.ink);
    const QString is = classWords(*data_, mistake.label), taken = classWords(*data_, mistake.prediction);
    const QRect line(corner.x(), box.bottom(), side, theme::em(1.3));
    if (classesAreNamed(*data_)) {  // class names take a line each
      drawElided(painter, line, Qt::AlignCenter, is);
      drawElided(painter, line.translated(0, theme::em(1.1)), Qt::AlignCenter, QStringLiteral("→ ") + taken);
    } else {
      painter.drawText(line, Qt::AlignCenter, QStringLiteral("%1 → %2").arg(is, taken));
    }
  }
}

void MistakeGrid::mousePressEvent(QMouseEvent* event) {
  const int index = at(event->position());
  if (index >= 0) Q_EMIT chosen(lab::at(mistakes_, index).image);
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
      if (current_ < shown()) Q_EMIT chosen(lab::at(mistakes_, current_).image);
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
  const int side = theme::em(kCell), high = theme::em(tileHeight());
  if (auto* view = qobject_cast<QScrollArea*>(parentWidget() == nullptr ? nullptr : parentWidget()->parentWidget()))
    view->ensureVisible(index % columns(width()) * side + side / 2, index / columns(width()) * high + high / 2, side,
                        high);
  update();
}

QString MistakeGrid::wordsOf(int index) const {
  const Mistake& mistake = lab::at(mistakes_, index);
  return tr("Test image %1, label %2, is taken for %3 with %4. Loss %5")
      .arg(countText(mistake.image))
      .arg(classWords(*data_, mistake.label))
      .arg(classWords(*data_, mistake.prediction))
      .arg(percentText(static_cast<double>(mistake.share)))
      .arg(lossText(static_cast<double>(mistake.loss)));
}

bool MistakeGrid::event(QEvent* event) {
  // While the grid has the focus, the arrow keys act on it and not on the playback.
  if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}, Qt::NoModifier)) return true;
  if (event->type() == QEvent::Resize) setMinimumHeight(heightForWidth(width()));
  const auto words = [this](const QPoint& position) {
    const int index = at(position);
    return index < 0 ? toolTip() : wordsOf(index);
  };
  return showsTip(*event, *this, words) || QWidget::event(event);
}

}  // namespace lab
