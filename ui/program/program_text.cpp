// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/program_text.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>
#include <utility>

#include "ui/accessibility/own_events.h"
#include "ui/program/python_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kMarkEm = 0.75;  // the width of a mark's place

}  // namespace

class PythonColours final : public QSyntaxHighlighter {
 public:
  PythonColours(QTextDocument* document, const Listing& listing) : QSyntaxHighlighter(document), listing_(listing) {}

  void take(const CodeColours& colours) {
    colours_ = colours;
    rehighlight();
  }

 protected:
  void highlightBlock(const QString& text) override {
    const auto row = static_cast<std::size_t>(currentBlock().blockNumber());
    QTextCharFormat format;
    if (row < listing_.size() && !listing_[row].isLine()) {
      format.setFontItalic(true);
      format.setForeground(colours_.comment);
      return setFormat(0, static_cast<int>(text.size()), format);
    }
    for (const PythonWord& word : pythonWords(text)) {
      format = {};
      format.setForeground(colours_.of(word.kind));
      if (word.kind == PythonWord::Kind::Keyword) format.setFontWeight(QFont::DemiBold);
      setFormat(static_cast<int>(word.begin), static_cast<int>(word.count), format);
    }
  }

 private:
  const Listing& listing_;
  CodeColours colours_;
};

// Numbers and marks beside the text. They are not part of the text, so they are not copied.
class ProgramGutter final : public QWidget {
 public:
  explicit ProgramGutter(ProgramText& text) : QWidget(&text), text_(text) {
    setCursor(Qt::PointingHandCursor);
    setMouseTracking(true);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QPainter painter(this);
    keepLeftToRight(painter);
    text_.paintGutter(painter, event->rect());
  }
  void mouseMoveEvent(QMouseEvent* event) override { text_.point(text_.rowAt(event->position().toPoint())); }
  void leaveEvent(QEvent*) override { text_.point(-1); }
  void mouseReleaseEvent(QMouseEvent* event) override {
    const int row = text_.rowAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && row >= 0) Q_EMIT text_.wanted(row);
  }

 private:
  ProgramText& text_;
};

ProgramText::ProgramText(QWidget* parent) : QPlainTextEdit(parent) {
  setObjectName(QStringLiteral("programText"));
  setLayoutDirection(Qt::LeftToRight);  // Python runs from left to right
  setReadOnly(true);
  setUndoRedoEnabled(false);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  viewport()->setMouseTracking(true);
  colours_ = new PythonColours(document(), listing_);
  gutter_ = new ProgramGutter(*this);
  connect(this, &QPlainTextEdit::updateRequest, this, [this] { gutter_->update(); });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {  // the pointer is now on another row
    if (pointed_ >= 0) point(rowAt(viewport()->mapFromGlobal(QCursor::pos())));
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, gutter_, qOverload<>(&QWidget::update));
  theme::follow(this, [this] { fitText(); });
}

ProgramText::~ProgramText() = default;

void ProgramText::setWords(std::function<QString(int)> wordsOf, std::function<void(QMenu&)> fill) {
  wordsOf_ = std::move(wordsOf);
  fill_ = std::move(fill);
}

// If only the words of rows have changed, updates them in place, so that a selection stays.
void ProgramText::setListing(Listing listing) {
  const bool same = std::ranges::equal(listing, listing_, [](const ListingRow& a, const ListingRow& b) {
    return a.number == b.number && a.does == b.does && (!a.isLine() || a.text == b.text);
  });
  Listing before = std::exchange(listing_, std::move(listing));
  marks_.assign(listing_.size(), {});
  if (same) {
    for (std::size_t i = 0; i < listing_.size(); ++i) {
      if (before[i].text == listing_[i].text) continue;
      QTextCursor cursor(document()->findBlockByNumber(static_cast<int>(i)));
      cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
      cursor.insertText(listing_[i].text);
    }
  } else {
    QStringList texts;
    for (const ListingRow& row : listing_) texts << row.text;
    const int down = verticalScrollBar()->value(), across = horizontalScrollBar()->value();
    const int caret = caretRow();
    setPlainText(texts.join(QLatin1Char('\n')));
    setTextCursor(QTextCursor(document()->findBlockByNumber(std::min(caret, document()->blockCount() - 1))));
    verticalScrollBar()->setValue(down);
    horizontalScrollBar()->setValue(across);
  }
  fitText();
}

void ProgramText::setMarks(std::vector<Mark> marks) {
  marks.resize(listing_.size());
  if (marks == marks_) return;
  marks_ = std::move(marks);
  tint();
}

// Colours the backgrounds of whole rows.
void ProgramText::tint() {
  const CodeColours code = codeColoursOf(theme::kind());
  QList<QTextEdit::ExtraSelection> grounds;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (marks_[i] == Mark{}) continue;
    QTextEdit::ExtraSelection ground;
    ground.format.setBackground(marks_[i].now != Now::Rests ? code.lit : code.pointed);
    ground.format.setProperty(QTextFormat::FullWidthSelection, true);
    ground.cursor = QTextCursor(document()->findBlockByNumber(static_cast<int>(i)));
    grounds << ground;
  }
  setExtraSelections(grounds);
  gutter_->update();
}

void ProgramText::fitText() {
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPixelSize(theme::textSize());
  setFont(fixed);
  setCursorWidth(std::max(1, theme::em(0.12)));
  colours_->take(codeColoursOf(theme::kind()));
  tint();
  setViewportMargins(gutterWidth(), 0, 0, 0);
  const QRect inside = contentsRect();
  gutter_->setGeometry(inside.left(), inside.top(), gutterWidth(), viewport()->height());
}

void ProgramText::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) tint();
}

void ProgramText::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  gutter_->setGeometry(inside.left(), inside.top(), gutterWidth(), viewport()->height());
}

int ProgramText::rowAt(const QPoint& place) const {
  const QTextBlock block = cursorForPosition(QPoint(1, place.y())).block();
  const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
  if (!block.isValid() || place.y() < line.top() || place.y() >= line.bottom()) return -1;
  return block.blockNumber() < static_cast<int>(listing_.size()) ? block.blockNumber() : -1;
}

QString ProgramText::copied() const {
  const QTextCursor cursor = textCursor();
  const bool all = !cursor.hasSelection();
  const int begin = all ? 0 : cursor.selectionStart();
  const int end = all ? document()->characterCount() - 1 : cursor.selectionEnd();
  QStringList lines;
  for (QTextBlock block = document()->findBlock(begin); block.isValid() && block.position() <= end;
       block = block.next()) {
    const auto row = static_cast<std::size_t>(block.blockNumber());
    if (row < listing_.size() && !listing_[row].isLine()) continue;
    const int from = std::max(0, begin - block.position());
    lines << block.text().mid(from,
                              std::min<int>(static_cast<int>(block.text().size()), end - block.position()) - from);
  }
  return lines.join(QLatin1Char('\n')) + (all ? QStringLiteral("\n") : QString());
}

QMimeData* ProgramText::createMimeDataFromSelection() const {
  auto* copy = new QMimeData;
  copy->setText(copied());
  return copy;
}

void ProgramText::bringIntoView(const std::vector<int>& rows) {
  if (rows.empty() || hasFocus() || underMouse() || textCursor().hasSelection()) return;
  const int first = firstVisibleBlock().blockNumber();
  const int shown = viewport()->height() / std::max(1, fontMetrics().lineSpacing());
  if (std::ranges::any_of(rows, [&](int row) { return row >= first && row < first + shown - 1; })) return;
  verticalScrollBar()->setValue(std::max(0, rows.front() - shown / 3));
}

// While the text has the focus, keys that move in it do not act on the movie.
bool ProgramText::event(QEvent* event) {
  if (takesKey(*event, {Qt::Key_Up, Qt::Key_Down, Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End,
                        Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Return, Qt::Key_Enter}))
    return true;
  return QPlainTextEdit::event(event);
}

void ProgramText::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    if (caretRow() < static_cast<int>(listing_.size())) Q_EMIT wanted(caretRow());
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
}

bool ProgramText::viewportEvent(QEvent* event) {
  const auto words = [this](const QPoint& at) {
    const int row = rowAt(at);
    return row >= 0 && wordsOf_ ? wordsOf_(row) : QString();
  };
  if (showsTip(*event, *this, words)) return true;
  return QPlainTextEdit::viewportEvent(event);
}

void ProgramText::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position().toPoint();
  QPlainTextEdit::mousePressEvent(event);
}

void ProgramText::mouseMoveEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseMoveEvent(event);
  point(rowAt(event->position().toPoint()));
}

void ProgramText::point(int row) {
  if (std::exchange(pointed_, row) != row) Q_EMIT pointedAt(row);
}

// Dragging selects text; a click goes to the moment.
void ProgramText::mouseReleaseEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseReleaseEvent(event);
  const QPoint place = event->position().toPoint();
  const bool clicked = event->button() == Qt::LeftButton && !textCursor().hasSelection() &&
                       (place - pressed_).manhattanLength() < QApplication::startDragDistance();
  const int row = rowAt(place);
  if (clicked && row >= 0) Q_EMIT wanted(row);
}

void ProgramText::leaveEvent(QEvent* event) {
  QPlainTextEdit::leaveEvent(event);
  point(-1);
}

void ProgramText::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSeparator();
  if (fill_) fill_(*menu);
  menu->popup(event->globalPos());
}

// The marks beside the program's rows, from left to right: + and − of a change, the line's number, ▶ and ▷ of the
// present moment, ◆ of an object under the pointer. The marks are drawn, because not every font has them.

int ProgramText::gutterWidth() const {
  const auto digits = QString::number(std::max<std::size_t>(99, listing_.size())).size();
  return fontMetrics().horizontalAdvance(QLatin1Char('0')) * static_cast<int>(digits) + 3 * theme::em(kMarkEm) +
         theme::em(0.4);
}

void ProgramText::paintGutter(QPainter& painter, const QRect& part) const {
  painter.fillRect(part, theme::colours().window);
  painter.setRenderHint(QPainter::Antialiasing);
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > part.bottom()) break;
    line = QRectF(0, line.top(), gutterWidth(), line.height());
    const auto row = static_cast<std::size_t>(block.blockNumber());
    if (row >= listing_.size() || row >= marks_.size()) break;
    paintMarks(painter, listing_[row], marks_[row], line);
  }
}

void ProgramText::paintMarks(QPainter& painter, const ListingRow& row, const Mark& mark, const QRectF& line) const {
  const theme::Colours& c = theme::colours();
  const double room = theme::em(kMarkEm), half = 0.28 * room, y = line.center().y();
  painter.setPen(QPen(c.ink, std::max(1.5, 0.13 * room)));
  const double plus = 0.5 * room;
  if (row.changed) {
    painter.drawLine(QPointF(plus - half, y), QPointF(plus + half, y));
    painter.drawLine(QPointF(plus, y - half), QPointF(plus, y + half));
  }
  if (row.lessAbove) painter.drawLine(QPointF(plus - half, line.top() + 1), QPointF(plus + half, line.top() + 1));
  if (row.isLine()) {
    QFont font = this->font();
    const bool here = hasFocus() && &row - listing_.data() == caretRow();
    font.setBold(here);
    painter.setFont(font);
    painter.setPen(here ? c.ink : c.quietInk);
    const QRectF number(room, line.top(), line.width() - 3 * room - theme::em(0.2), line.height());
    painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(row.number));
  }
  const double now = line.width() - 1.5 * room;
  painter.setPen(QPen(c.accent, std::max(1.2, 0.1 * room)));
  painter.setBrush(mark.now == Now::IsDone ? QBrush(c.accent) : QBrush(Qt::NoBrush));
  if (mark.now != Now::Rests)
    painter.drawPolygon(QPolygonF({{now - half, y - 1.2 * half}, {now - half, y + 1.2 * half}, {now + 1.2 * half, y}}));
  if (!mark.isPointedAt) return;
  const double there = line.width() - 0.6 * room;
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.ink);
  painter.drawPolygon(
      QPolygonF({{there, y - 1.2 * half}, {there + half, y}, {there, y + 1.2 * half}, {there - half, y}}));
}

}  // namespace lab
