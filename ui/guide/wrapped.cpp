// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/wrapped.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <utility>

#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr qsizetype kLongWord = 16;
constexpr QChar kMayBreak(0x200B);  // Unicode's zero-width space
constexpr QChar kSoftHyphen(0x00AD);
constexpr qsizetype kAtEnds = 3;  // letters that stay together at both ends of a word
constexpr double kLeastWidth = 5;

bool isVowel(QChar letter) {
  return QStringLiteral("aeiouyäöüAEIOUYÄÖÜ").contains(letter);
}

// How much narrower the label becomes if the areas around it show their vertical bars. It is 0 while they do.
int roomOfHiddenBars(const QLabel& label) {
  int room = 0;
  for (const QWidget* up = label.parentWidget(); up != nullptr; up = up->parentWidget()) {
    const auto* area = qobject_cast<const QScrollArea*>(up);
    if (area == nullptr || area->widget() == nullptr || area->verticalScrollBarPolicy() != Qt::ScrollBarAsNeeded)
      continue;
    const int bar = area->verticalScrollBar()->sizeHint().width();
    room += std::clamp(area->widget()->width() - (area->maximumViewportSize().width() - bar), 0, bar);
  }
  return room;
}

// Fits the text again whenever the words, the width or the font change. Hyphens can save a line, so if a bar's
// appearance added them, the text would need no bar, and the bar's disappearance would remove them, for ever. Therefore
// the text is always fitted to the width that is left beside the bars, whether they are shown or not.
class Narrowing final : public QObject {
 public:
  explicit Narrowing(QLabel& label) : QObject(&label), label_(label) {
    label.installEventFilter(this);
    theme::follow(&label, [&label] { label.setMinimumWidth(theme::em(kLeastWidth)); });
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    const bool other = event->type() == QEvent::Paint && label_.text() != shown_;
    if (other || event->type() == QEvent::Resize || event->type() == QEvent::FontChange) fit();
    return false;
  }

 private:
  void fit() {
    if (label_.text() != shown_) words_ = label_.text();
    shown_ = hyphenated(words_, label_.fontMetrics(), label_.contentsRect().width() - roomOfHiddenBars(label_));
    if (shown_ != label_.text()) label_.setText(shown_);
  }

  QLabel& label_;
  QString words_, shown_;
};

class WholeRows final : public QObject {
 public:
  explicit WholeRows(QListWidget& list) : QObject(&list), list_(list) {
    list.setTextElideMode(Qt::ElideNone);
    list.setWordWrap(true);
    list.viewport()->installEventFilter(this);
    connect(list.model(), &QAbstractItemModel::rowsInserted, this, [this] { fit(); });
    connect(list.model(), &QAbstractItemModel::dataChanged, this, [this] { fit(); });
    theme::follow(&list, [this] { fit(); });
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Resize) fit();
    return false;
  }

 private:
  void fit() {
    if (std::exchange(fits_, true)) return;
    const int margin = theme::em(0.35), width = list_.viewport()->width() - 2 * (list_.spacing() + margin);
    for (int row = 0; row < list_.count() && width > 0; ++row) {
      const QRect words =
          list_.fontMetrics().boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, list_.item(row)->text());
      list_.item(row)->setSizeHint({width, std::max(words.height() + margin, theme::target())});
    }
    fits_ = false;
  }

  QListWidget& list_;
  bool fits_ = false;  // true while fitting
};

}  // namespace

void keepRowsWhole(QListWidget& list) {
  new WholeRows(list);
}

QString hyphenated(const QString& text, const QFontMetrics& metrics, int width) {
  QString out;
  for (qsizetype at = 0; at < text.size();) {
    qsizetype end = at;
    while (end < text.size() && !text[end].isSpace() && text[end] != kMayBreak) ++end;
    const bool wide = metrics.horizontalAdvance(text.mid(at, end - at)) > width;
    for (qsizetype i = at; i < end; ++i) {
      const bool syllable = i + 1 < end && text[i].isLetter() && !isVowel(text[i]) && isVowel(text[i + 1]) &&
                            text[i - (i > at)].isLetter();
      if (wide && syllable && i - at >= kAtEnds && end - i >= kAtEnds) out += kSoftHyphen;
      out += text[i];
    }
    if (end < text.size()) out += text[end++];
    at = end;
  }
  return out;
}

void keepNarrow(QLabel& label) {
  new Narrowing(label);
}

QString breakable(const QString& text) {
  QString out;
  for (qsizetype at = 0; at < text.size();) {
    qsizetype end = at;
    while (end < text.size() && !text[end].isSpace()) ++end;
    const bool isLong = end - at > kLongWord;
    for (qsizetype i = at; i < end; ++i) {
      const bool hump = i > at && text[i].isUpper() && text[i - 1].isLower();
      if (isLong && hump) out += kMayBreak;
      out += text[i];
      if (isLong && i + 1 < end && QStringLiteral("._/(").contains(text[i])) out += kMayBreak;
    }
    if (end < text.size()) out += text[end++];
    at = end;
  }
  return out;
}

QLabel* wrappedLabel(const char* name, const char* role) {
  auto* label = makeLabel({.name = name, .role = role, .wraps = true, .plain = true});
  keepNarrow(*label);
  return label;
}

}  // namespace lab
