// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painting/word_layouts.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>
#include <QTextOption>

#include <algorithm>
#include <cmath>

#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrapped_words.h"

namespace lab {
namespace {

constexpr double kSmallest = 6, kUsual = 9, kLeastShare = 0.72, kLine = 0.9;
constexpr double kSpill = 0.4;  // the share of a line that may lie outside of a box, as nobody notices

}  // namespace

void WordLayouts::setFont(const QFont& font, double smallest) {
  if (font == font_ && smallest == smallest_) return;
  font_ = font;
  smallest_ = smallest;
  cache_.clear();
}

// Fits the size, width and lines of words to their box, step by step.
class WordLayouts::Fitting {
 public:
  Fitting(const WordLayouts& layouts, const Key& key, QPainter& painter)
      : words_(key.words),
        smallest_(layouts.smallest_),
        box_(0, 0, 0.5 * key.halfWidth, 0.5 * key.halfHeight),
        painter_(painter),
        font_(layouts.font_),
        metrics_(font_) {
    // A projector's least size, but no more than the line has room for, since docks may have taken room from the stage.
    smallest_ = std::min(smallest_, std::max(kUsual, theme::kMostLarger * words_.fontPx));
    size_ = std::max(isProjected() ? std::min(smallest_, box_.height() / kLine) : kSmallest, words_.fontPx);
    font_.setBold(words_.bold);
    setPixels(std::lround(size_));
    lines_ = box_.height() > 2.6 * size_;
    lines_ ? fitLines() : fitLine();
  }

  const QFont& font() const { return font_; }
  const QRectF& box() const { return box_; }
  bool lines() const { return lines_; }
  QString shown() const {
    if (lines_) return wrappedWords(metrics_, words_.words, box_.size() + QSizeF(1, kSpill * size_));
    return advance_ > box_.width() + 1 ? metrics_.elidedText(words_.words, Qt::ElideRight, box_.width() + 1)
                                       : words_.words;
  }

 private:
  bool isProjected() const { return smallest_ > kUsual; }
  int wrapped() const { return words_.align.toInt() | Qt::TextWordWrap; }
  // A stage that docks have made a strip asks for words of less than a pixel.
  void setPixels(long size) {
    font_.setPixelSize(std::max(1, static_cast<int>(size)));
    metrics_ = QFontMetricsF(font_, painter_.device());
  }
  void shrink(double by = 1) {
    size_ -= by;
    setPixels(static_cast<long>(size_));
  }
  void stretchTo(int percent) {
    font_.setStretch(percent);
    metrics_ = QFontMetricsF(font_, painter_.device());
  }
  bool isWide() { return (advance_ = metrics_.horizontalAdvance(words_.words)) > box_.width(); }
  bool wraps() const {
    return box_.height() > 2 * metrics_.height() && box_.contains(metrics_.boundingRect(box_, wrapped(), words_.words));
  }

  // As large as fits; smaller than a projector's size rather than cut.
  void fitLines() {
    const double least = std::min(smallest_, std::max(kUsual, kLeastShare * words_.fontPx));
    while (size_ > least && metrics_.boundingRect(box_, wrapped(), words_.words).height() > box_.height()) shrink();
  }
  void fitLine() {
    // A projector's letters go on two lines, or become narrower, before they become lower.
    if (isProjected() && size_ >= smallest_) {
      while (isWide() && !(lines_ = wraps()) && size_ > smallest_) shrink(std::min(1.0, size_ - smallest_));
      for (int stretch = QFont::Unstretched; !lines_ && isWide() && stretch >= kNarrowestLetters; stretch -= 5)
        stretchTo(stretch);
      if (!lines_ && isWide()) stretchTo(QFont::Unstretched);
    }
    // Use the words' own size rather than a projector's size with a cut.
    const double least = std::max(std::min(smallest_, words_.fontPx), kLeastShare * words_.fontPx);
    while (isWide() && !lines_ && size_ > least) shrink();
    // Use two lines, even smaller than a projector's size, rather than a cut.
    const double cutSize = size_;
    lines_ = lines_ || (advance_ > box_.width() && wraps());
    while (advance_ > box_.width() && !lines_ && size_ > std::max(kUsual, kLeastShare * words_.fontPx)) {
      shrink();
      lines_ = wraps();
    }
    if (advance_ > box_.width() && !lines_ && size_ < cutSize) {
      size_ = cutSize + 1;
      shrink();
    }
  }

  const Words& words_;
  double smallest_;
  QRectF box_;
  QPainter& painter_;
  QFont font_;
  QFontMetricsF metrics_;
  double size_ = 0, advance_ = 0;
  bool lines_ = false;
};

WordLayouts::Layout WordLayouts::fit(Key key, QPainter& painter) const {
  key.words.words = withWholeQuantities(key.words.words);
  const Fitting fitting(*this, key, painter);
  const QRectF& box = fitting.box();
  const Qt::Alignment align = key.words.align;
  Layout layout{fitting.font(), QStaticText(fitting.shown()), {}};
  layout.text.setTextFormat(Qt::PlainText);
  layout.text.setPerformanceHint(QStaticText::AggressiveCaching);
  QTextOption option(align & Qt::AlignHorizontal_Mask);
  option.setTextDirection(Qt::LayoutDirectionAuto);  // "+R1" is not Arabic, even if the window is read from right to
                                                     // left
  option.setWrapMode(fitting.lines() ? QTextOption::WordWrap : QTextOption::NoWrap);
  layout.text.setTextOption(option);
  if (fitting.lines()) layout.text.setTextWidth(box.width());
  layout.text.prepare(painter.transform(), layout.font);
  const QSizeF taken = layout.text.size();
  if (!fitting.lines() && align.testFlag(Qt::AlignRight)) layout.corner.setX(box.width() - taken.width());
  if (!fitting.lines() && align.testFlag(Qt::AlignHCenter)) layout.corner.setX((box.width() - taken.width()) / 2);
  if (align.testFlag(Qt::AlignBottom)) layout.corner.setY(box.height() - taken.height());
  if (align.testFlag(Qt::AlignVCenter)) layout.corner.setY((box.height() - taken.height()) / 2);
  return layout;
}

void WordLayouts::draw(QPainter& painter, const QRectF& box, const Words& words) {
  const Key key{words, static_cast<int>(std::floor(2 * box.width())), static_cast<int>(std::floor(2 * box.height())),
                painter.device()->devicePixelRatioF()};
  Layout* known = cache_.object(key);
  if (known == nullptr) {
    known = new Layout(fit(key, painter));
    cache_.insert(key, known);
  }
  if (!painter.font().isCopyOf(known->font)) painter.setFont(known->font);
  painter.drawStaticText(box.topLeft() + known->corner, known->text);
}

}  // namespace lab
