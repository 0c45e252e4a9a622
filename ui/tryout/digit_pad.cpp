// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/digit_pad.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

#include "ui/look/painted_words.h"
#include "ui/look/theme.h"

namespace lab {
namespace {

constexpr int kStrokes = 280;  // side of their picture
constexpr double kPen = 24;    // about as thick as MNIST's are
constexpr int kInk = 16;       // what is darker is drawn
constexpr int kDigit = 20;     // longer side of a digit within its 28 pixels

}  // namespace

namespace {

bool isPenKey(const QKeyEvent& event) {
  const int key = event.key();
  return event.modifiers() == Qt::NoModifier && (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up ||
                                                 key == Qt::Key_Down || key == Qt::Key_Space);
}

}  // namespace

DigitImage digitOf(const QImage& strokes) {
  DigitImage digit{};
  QRect box;
  for (int y = 0; y < strokes.height(); ++y) {
    const uchar* line = strokes.constScanLine(y);
    for (int x = 0; x < strokes.width(); ++x)
      if (line[x] > kInk) box |= QRect(x, y, 1, 1);
  }
  if (box.isEmpty()) return digit;
  const double scale = static_cast<double>(kDigit) / std::max(box.width(), box.height());
  const QSize size(std::max(1, qRound(box.width() * scale)), std::max(1, qRound(box.height() * scale)));
  const QImage small = strokes.copy(box)
                           .scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                           .convertToFormat(QImage::Format_Grayscale8);
  double mass = 0, mx = 0, my = 0;
  for (int y = 0; y < small.height(); ++y)
    for (int x = 0; x < small.width(); ++x) {
      const double ink = small.constScanLine(y)[x];
      mass += ink;
      mx += ink * (x + 0.5);
      my += ink * (y + 0.5);
    }
  const int left = mass > 0 ? qRound(14 - mx / mass) : 0, top = mass > 0 ? qRound(14 - my / mass) : 0;
  for (int y = 0; y < small.height(); ++y)
    for (int x = 0; x < small.width(); ++x) {
      const int toX = x + left, toY = y + top;
      if (toX >= 0 && toX < 28 && toY >= 0 && toY < 28)
        digit[static_cast<std::size_t>(28 * toY + toX)] = small.constScanLine(y)[x];
    }
  return digit;
}

DigitPad::DigitPad(QWidget* parent)
    : QWidget(parent), strokes_(kStrokes, kStrokes, QImage::Format_Grayscale8), pen_(kStrokes / 2.0, kStrokes / 4.0) {
  strokes_.fill(0);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::CrossCursor);
  setAccessibleName(tr("Pad to draw a digit on"));
  setToolTip(tr("Draw a digit; Delete wipes it off. By key: arrows move the pen, Space puts it down and lifts it"));
  setWhatsThis(
      tr("What is drawn here is scaled and centred as the data set's digits are, and given to the network with "
         "the weights of the step on the stage."));
  setMinimumSize(theme::em(6), theme::em(6));
}

QSize DigitPad::sizeHint() const {
  return {theme::em(12), theme::em(12)};
}

QRectF DigitPad::square() const {
  const double side = std::min(width(), height());
  return {(width() - side) / 2, (height() - side) / 2, side, side};
}

void DigitPad::clear() {
  strokes_.fill(0);
  empty_ = true;
  last_.reset();
  update();
  Q_EMIT changed();
}

void DigitPad::show(const DigitImage& digit) {
  const QImage small(digit.data(), 28, 28, 28, QImage::Format_Grayscale8);
  strokes_ = small.scaled(kStrokes, kStrokes, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                 .convertToFormat(QImage::Format_Grayscale8);
  empty_ = false;
  update();
  Q_EMIT changed();
}

void DigitPad::showPicture(const QImage& picture) {
  QImage flat(picture.size(), QImage::Format_RGB32);  // paper behind what is transparent
  flat.fill(Qt::white);
  QPainter(&flat).drawImage(0, 0, picture);
  QImage grey = flat.scaled(kStrokes, kStrokes, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                    .convertToFormat(QImage::Format_Grayscale8);
  // What its edge is made of is the paper.
  double edge = 0;
  for (int x = 0; x < grey.width(); ++x) edge += grey.constScanLine(0)[x] + grey.constScanLine(grey.height() - 1)[x];
  if (edge > 2.0 * 127.5 * grey.width()) grey.invertPixels();
  strokes_.fill(0);
  QPainter painter(&strokes_);
  painter.drawImage((kStrokes - grey.width()) / 2, (kStrokes - grey.height()) / 2, grey);
  painter.end();
  empty_ = false;
  update();
  Q_EMIT changed();
}

void DigitPad::stroke(const QPointF& to) {
  const QRectF box = square();
  const QPointF at = (to - box.topLeft()) * (kStrokes / box.width());
  QPainter painter(&strokes_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Qt::white, kPen, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawLine(last_.value_or(at), at + QPointF(0.01, 0));
  last_ = at;
  empty_ = false;
  update();
  Q_EMIT changed();
}

void DigitPad::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const QRectF box = square();
  // Ink on paper in both themes, as everywhere a digit is shown.
  QImage shown = strokes_;
  if (!colours.dark) shown.invertPixels();
  painter.drawImage(box, shown);
  painter.setPen(QPen(hasFocus() ? colours.accent : colours.edge, hasFocus() ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box.adjusted(0.5, 0.5, -1, -1));
  if (hasFocus()) {
    const QPointF pen = box.topLeft() + pen_ * (box.width() / kStrokes);
    painter.setPen(QPen(colours.accent, 2));
    painter.setBrush(penIsDown_ ? QBrush(colours.accent) : QBrush(Qt::NoBrush));
    painter.drawEllipse(pen, 0.35 * theme::textSize(), 0.35 * theme::textSize());
  }
  if (!empty_) return;
  painter.setPen(colours.quietInk);
  painter.drawText(box, Qt::AlignCenter, tr("Draw a digit"));
}

void DigitPad::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !square().contains(event->position())) return event->ignore();
  last_.reset();
  stroke(event->position());
}

void DigitPad::mouseMoveEvent(QMouseEvent* event) {
  if (last_) stroke(event->position());
}

void DigitPad::mouseReleaseEvent(QMouseEvent*) {
  last_.reset();
}

void DigitPad::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) return clear();
  if (!isPenKey(*event)) return QWidget::keyPressEvent(event);
  moveByKey(event->key());
}

void DigitPad::moveByKey(int key) {
  if (key == Qt::Key_Space) {
    penIsDown_ = !penIsDown_;
    last_.reset();
  } else {
    constexpr double kStep = kStrokes / 24.0;
    const QPointF step(key == Qt::Key_Left    ? -kStep
                       : key == Qt::Key_Right ? kStep
                                              : 0,
                       key == Qt::Key_Up     ? -kStep
                       : key == Qt::Key_Down ? kStep
                                             : 0);
    pen_ = {std::clamp(pen_.x() + step.x(), 0.0, double(kStrokes)),
            std::clamp(pen_.y() + step.y(), 0.0, double(kStrokes))};
  }
  setAccessibleDescription(penIsDown_ ? tr("pen down") : tr("pen up"));
  if (!penIsDown_) return update();
  const QRectF box = square();
  stroke(box.topLeft() + pen_ * (box.width() / kStrokes));
}

// The pen's keys are the pad's while it has the focus, not the playback's.
bool DigitPad::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isPenKey(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::FocusOut || event->type() == QEvent::FocusIn) update();
  return QWidget::event(event);
}

}  // namespace lab
