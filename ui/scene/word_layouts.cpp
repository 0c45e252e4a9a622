// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/word_layouts.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>
#include <QTextOption>

#include <algorithm>
#include <cmath>

#include "ui/theme/wrapped_words.h"

namespace lab {
namespace {

constexpr double kSmallest = 6, kUsual = 9, kLeastShare = 0.72, kLine = 0.9;
constexpr int kNarrowest = 70;  // percent of their usual width
constexpr double kSpill = 0.4;  // of a line: nobody sees what lies so far outside of a box

}  // namespace

void WordLayouts::setFont(const QFont& font, double smallest) {
  if (font == font_ && smallest == smallest_) return;
  font_ = font;
  smallest_ = smallest;
  cache_.clear();
}

WordLayouts::Layout WordLayouts::fit(const Key& key, QPainter& painter) const {
  const Words& words = key.words;
  const QRectF box(0, 0, 0.5 * key.halfWidth, 0.5 * key.halfHeight);
  const int wrapped = words.align.toInt() | Qt::TextWordWrap;
  // A projector's least size, but no more than the line has room for where the stage has had to give room to docks.
  double size = std::max(smallest_ > kUsual ? std::min(smallest_, box.height() / kLine) : kSmallest, words.fontPx);
  QFont font = font_;
  font.setBold(words.bold);
  font.setPixelSize(static_cast<int>(std::lround(size)));
  QFontMetricsF metrics(font, painter.device());
  const auto shrink = [&](double by = 1) {
    size -= by;
    font.setPixelSize(static_cast<int>(size));
    metrics = QFontMetricsF(font, painter.device());
  };
  const auto stretchTo = [&](int percent) {
    font.setStretch(percent);
    metrics = QFontMetricsF(font, painter.device());
  };
  double advance = 0;
  bool lines = box.height() > 2.6 * size;
  if (lines) {  // as large as fits; rather smaller than a projector's than cut
    const double least = std::min(smallest_, std::max(kUsual, kLeastShare * words.fontPx));
    while (size > least && metrics.boundingRect(box, wrapped, words.words).height() > box.height()) shrink();
  } else {
    const auto isWide = [&] { return (advance = metrics.horizontalAdvance(words.words)) > box.width(); };
    const auto wraps = [&] {
      return box.height() > 2 * metrics.height() && box.contains(metrics.boundingRect(box, wrapped, words.words));
    };
    // A projector's letters are rather on two lines, and rather narrower, than lower.
    if (smallest_ > kUsual && size >= smallest_) {
      while (isWide() && !(lines = wraps()) && size > smallest_) shrink(std::min(1.0, size - smallest_));
      for (int stretch = QFont::Unstretched; !lines && isWide() && stretch >= kNarrowest; stretch -= 5)
        stretchTo(stretch);
      if (!lines && isWide()) stretchTo(QFont::Unstretched);
    }
    // Rather in their own size than in a projector's and cut.
    const double least = std::max(std::min(smallest_, words.fontPx), kLeastShare * words.fontPx);
    while (isWide() && !lines && size > least) shrink();
    // And rather on two lines, smaller than a projector's, than cut.
    const double cutSize = size;
    lines = lines || (advance > box.width() && wraps());
    while (advance > box.width() && !lines && size > std::max(kUsual, kLeastShare * words.fontPx)) {
      shrink();
      lines = wraps();
    }
    if (advance > box.width() && !lines && size < cutSize) {
      size = cutSize + 1;
      shrink();
    }
  }
  const bool cut = !lines && advance > box.width() + 1;
  const QString shown = lines ? wrappedWords(metrics, words.words, box.size() + QSizeF(1, kSpill * size))
                        : cut ? metrics.elidedText(words.words, Qt::ElideRight, box.width() + 1)
                              : words.words;
  Layout layout{font, QStaticText(shown), {}};
  layout.text.setTextFormat(Qt::PlainText);
  layout.text.setPerformanceHint(QStaticText::AggressiveCaching);
  QTextOption option(words.align & Qt::AlignHorizontal_Mask);
  option.setTextDirection(Qt::LayoutDirectionAuto);  // "+R1" is no Arabic, wherever the window is read from
  option.setWrapMode(lines ? QTextOption::WordWrap : QTextOption::NoWrap);
  layout.text.setTextOption(option);
  if (lines) layout.text.setTextWidth(box.width());
  layout.text.prepare(painter.transform(), font);
  const QSizeF taken = layout.text.size();
  if (!lines && words.align.testFlag(Qt::AlignRight)) layout.corner.setX(box.width() - taken.width());
  if (!lines && words.align.testFlag(Qt::AlignHCenter)) layout.corner.setX((box.width() - taken.width()) / 2);
  if (words.align.testFlag(Qt::AlignBottom)) layout.corner.setY(box.height() - taken.height());
  if (words.align.testFlag(Qt::AlignVCenter)) layout.corner.setY((box.height() - taken.height()) / 2);
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
