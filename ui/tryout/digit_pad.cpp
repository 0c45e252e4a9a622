// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/digit_pad.h"

#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QUrl>

#include <algorithm>

#include "core/base/at.h"
#include "core/data/gzip.h"
#include "ui/painting/digit_images.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kStrokes = 280;  // side of the strokes' picture, in pixels
constexpr double kPen = 24;    // about as thick as MNIST's strokes
constexpr int kInk = 16;       // pixels above this value belong to the digit
constexpr int kDigit = 20;     // longer side of a digit within its 28 pixels

bool isPenKey(const QKeyEvent& event) {
  const int key = event.key();
  return event.modifiers() == Qt::NoModifier && (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up ||
                                                 key == Qt::Key_Down || key == Qt::Key_Space);
}

// Content that is gzip goes to the reader of SVG, which prints a warning for anything else.
bool holdsGzip(const QString& path) {
  QFile file(path);
  const QByteArray head = file.open(QIODevice::ReadOnly) ? file.read(2) : QByteArray();
  return isGzip({reinterpret_cast<const std::uint8_t*>(head.constData()), static_cast<std::size_t>(head.size())});
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
      if (toX >= 0 && toX < 28 && toY >= 0 && toY < 28) at(digit, 28 * toY + toX) = small.constScanLine(y)[x];
    }
  return digit;
}

DigitPad::DigitPad(QWidget* parent)
    : QWidget(parent), strokes_(kStrokes, kStrokes, QImage::Format_Grayscale8), pen_(kStrokes / 2.0, kStrokes / 4.0) {
  strokes_.fill(0);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::CrossCursor);
  setAcceptDrops(true);
  setAccessibleName(tr("Pad to draw on"));
  setToolTip(
      tr("Draw, or drop a picture here; Delete clears the pad. With the keyboard: arrows move the pen, Space puts it "
         "down and lifts it"));
  setWhatsThis(
      tr("A digit that is drawn here is scaled and centred like the data set's digits, and given to the network with "
         "the weights of the step on the stage. A picture that is dropped here is scaled to the network's images; a "
         "network of colour images sees its colours."));
  setMinimumSize(theme::em(6), theme::em(6));
}

// The pad is a square within the given room, and asks for no more, because the answer beside or below needs room too.
QSize DigitPad::sizeHint() const {
  return minimumSizeHint();
}

QSize DigitPad::minimumSizeHint() const {
  return {theme::em(7), theme::em(7)};
}

QRectF DigitPad::square() const {
  const double side = std::min(width(), height());
  return {(width() - side) / 2, (height() - side) / 2, side, side};
}

void DigitPad::setShape(const std::array<std::int64_t, 3>& shape) {
  if (shape == shape_) return;
  shape_ = shape;
  clear();
}

void DigitPad::clear() {
  picture_ = {};
  strokes_.fill(0);
  empty_ = true;
  last_.reset();
  update();
  Q_EMIT changed();
}

void DigitPad::show(const Examples& examples, std::int64_t example) {
  if (examples.shape[2] == 3) return showPicture(exampleImage(examples, example));
  const auto width = static_cast<int>(examples.shape[1]), height = static_cast<int>(examples.shape[0]);
  const QImage small(examples.image(example), width, height, width, QImage::Format_Grayscale8);
  strokes_ = small.scaled(kStrokes, kStrokes, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                 .convertToFormat(QImage::Format_Grayscale8);
  empty_ = false;
  update();
  Q_EMIT changed();
}

namespace {

// A white digit on black, in the middle of a colour image, or scaled down to fill a smaller one.
Examples onColour(const DigitImage& digit, Examples one) {
  const std::int64_t height = one.shape[0], width = one.shape[1];
  constexpr std::int64_t kSideOfDigit = 28;
  const std::int64_t top = std::max<std::int64_t>(0, (height - kSideOfDigit) / 2),
                     left = std::max<std::int64_t>(0, (width - kSideOfDigit) / 2);
  const std::int64_t rows = std::min(height, kSideOfDigit), columns = std::min(width, kSideOfDigit);
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x)
      std::fill_n(one.pixels.begin() + ((y + top) * width + x + left) * one.shape[2], one.shape[2],
                  at(digit, y * kSideOfDigit / rows * kSideOfDigit + x * kSideOfDigit / columns));
  return one;
}

}  // namespace

Examples DigitPad::example() const {
  Examples one;
  one.count = 1;
  one.labels = {0};
  one.shape = shape_;
  one.pixels.resize(static_cast<std::size_t>(one.imageSize()));
  if (picture_.isNull()) {
    const DigitImage digit = digitOf(strokes_);
    if (shape_ != Examples{}.shape) return onColour(digit, std::move(one));
    std::ranges::copy(digit, one.pixels.begin());
    return one;
  }
  std::uint8_t* to = one.pixels.data();
  for (int y = 0; y < picture_.height(); ++y)
    for (int x = 0; x < picture_.width(); ++x, to += 3) {
      const QRgb pixel = picture_.pixel(x, y);
      to[0] = static_cast<std::uint8_t>(qRed(pixel));
      to[1] = static_cast<std::uint8_t>(qGreen(pixel));
      to[2] = static_cast<std::uint8_t>(qBlue(pixel));
    }
  return one;
}

void DigitPad::openPicture(const QString& path) {
  QImageReader reader(path);
  reader.setAutoTransform(true);
  reader.setDecideFormatFromContent(!holdsGzip(path));
  constexpr int kMostMiB = 512;
  QImageReader::setAllocationLimit(kMostMiB);
  const QImage picture = reader.read();
  if (picture.isNull())
    Q_EMIT failed(tr("%1 is not a picture that can be read here: %2. Drop a PNG or JPEG file.")
                      .arg(QFileInfo(path).fileName(), reader.errorString()));
  else
    showPicture(picture);
}

void DigitPad::dragEnterEvent(QDragEnterEvent* event) {
  const QMimeData& dropped = *event->mimeData();
  if (dropped.hasImage() || (dropped.urls().size() == 1 && dropped.urls().front().isLocalFile()))
    event->acceptProposedAction();
}

void DigitPad::dropEvent(QDropEvent* event) {
  const QMimeData& dropped = *event->mimeData();
  event->acceptProposedAction();
  if (!dropped.urls().isEmpty() && dropped.urls().front().isLocalFile())
    openPicture(dropped.urls().front().toLocalFile());
  else if (const auto picture = qvariant_cast<QImage>(dropped.imageData()); !picture.isNull())
    showPicture(picture);
}

void DigitPad::showPicture(const QImage& picture) {
  QImage flat(picture.size(), QImage::Format_RGB32);  // white paper behind transparent pixels
  flat.fill(Qt::white);
  QPainter(&flat).drawImage(QRect(QPoint(), picture.size()), picture);
  if (isColour()) {
    picture_ = flat.scaled(static_cast<int>(shape_[1]), static_cast<int>(shape_[0]), Qt::IgnoreAspectRatio,
                           Qt::SmoothTransformation)
                   .convertToFormat(QImage::Format_RGB32);
    empty_ = false;
    update();
    Q_EMIT changed();
    return;
  }
  QImage grey = flat.scaled(kStrokes, kStrokes, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                    .convertToFormat(QImage::Format_Grayscale8);
  // The paper's colour is that of the upper and lower edge.
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
  if (!picture_.isNull()) clear();  // drawing replaces a picture
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
  const QRectF box = square();
  // Digits are ink on paper in both themes, as in all views. A colour picture has the pixels that the network gets.
  QImage shown = picture_.isNull() ? strokes_ : picture_;
  if (picture_.isNull() && !colours.dark && !isColour()) shown.invertPixels();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, picture_.isNull());
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
  painter.setPen(isColour() ? QColor(Qt::white) : colours.quietInk);
  painter.drawText(box.adjusted(2, 2, -2, -2), Qt::AlignCenter | Qt::TextWordWrap, tr("Draw, or drop a picture"));
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

// While the pad has the focus, the pen's keys act on it and not on the playback.
bool DigitPad::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isPenKey(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::FocusOut || event->type() == QEvent::FocusIn) update();
  return QWidget::event(event);
}

}  // namespace lab
