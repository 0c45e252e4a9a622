// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/handbook.h"

#include <QAbstractTextDocumentLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextList>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/at.h"
#include "ui/help/class_plans.h"
#include "ui/i18n/language.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"

namespace lab::resources {  // as in resources/resources.h

extern const unsigned char handbookEnglish[], handbookGerman[];
extern const std::size_t handbookEnglishSize, handbookGermanSize;

}  // namespace lab::resources

namespace lab {
namespace {

constexpr QSizeF kEms(66, 46);

// Parts of the window by their object names, and their sections.
constexpr std::pair<const char*, const char*> kParts[] = {{"setupTab", "strategies"},
                                                          {"strategyPicker", "strategies"},
                                                          {"strategy", "strategies"},
                                                          {"inspectorTab", "inspector"},
                                                          {"chartsTab", "charts"},
                                                          {"chartTable", "charts"},
                                                          {"sweepView", "sweep"},
                                                          {"compareView", "compare"},
                                                          {"traceTab", "trace"},
                                                          {"operationsTab", "operations"},
                                                          {"whatIfTab", "whatif"},
                                                          {"networkTab", "network"},
                                                          {"runsTab", "runs"},
                                                          {"history", "runs"},
                                                          {"tryTab", "try"},
                                                          {"lessonsTab", "lessons"},
                                                          {"galleryTab", "guide"},
                                                          {"glossaryTab", "guide"},
                                                          {"quizTab", "guide"},
                                                          {"momentsTab", "classes"},
                                                          {"classTab", "serve"},
                                                          {"serveDialog", "serve"},
                                                          {"invitation", "serve"},
                                                          {"programTab", "program"},
                                                          {"narrationTab", "presenting"},
                                                          {"preferences", "presenting"},
                                                          {"dataDialog", "data"},
                                                          {"keyEditor", "keyboard"},
                                                          {"palette", "keyboard"},
                                                          {"shortcuts", "keyboard"},
                                                          {"scrubber", "stepping"},
                                                          {"runBar", "stepping"},
                                                          {"unit", "stepping"},
                                                          {"controls", "start"},
                                                          {"moreBar", "modes"},
                                                          {"stage", "start"}};

}  // namespace

HandbookText handbookIn(const QString& language) {
  const bool german = language == QStringLiteral("de");
  const auto* bytes = reinterpret_cast<const char*>(german ? resources::handbookGerman : resources::handbookEnglish);
  const auto size = static_cast<qsizetype>(german ? resources::handbookGermanSize : resources::handbookEnglishSize);
  HandbookText text{QString::fromUtf8(bytes, size), {}};
  static const QRegularExpression heading(QStringLiteral("^## (.*?) \\{#([a-z]+)\\}$"),
                                          QRegularExpression::MultilineOption);
  for (auto it = heading.globalMatch(text.markdown); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    text.sections.push_back({match.captured(2), match.captured(1)});
  }
  text.markdown.replace(heading, QStringLiteral("## \\1"));
  text.markdown.replace(QStringLiteral("{classes}"), classesMarkdown(language));
  return text;
}

QString handbookSection(const QWidget* widget) {
  for (; widget != nullptr; widget = widget->parentWidget())
    for (const auto& [name, section] : kParts)
      if (widget->objectName() == QLatin1String(name)) return QLatin1String(section);
  return QStringLiteral("start");
}

Handbook::Handbook(QWidget* parent) : QDialog(parent), text_(handbookIn(language::used())) {
  setObjectName(QStringLiteral("handbook"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Handbook"));
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("handbookSearch"));
  search_->setPlaceholderText(tr("Search: Enter next, Shift+Enter back"));
  search_->setAccessibleName(tr("Search in the handbook"));
  search_->setToolTip(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  status_ = new QLabel;
  status_->setObjectName(QStringLiteral("handbookStatus"));
  status_->setProperty("role", QStringLiteral("quiet"));
  contents_ = new QListWidget;
  contents_->setObjectName(QStringLiteral("handbookContents"));
  contents_->setAccessibleName(tr("Sections"));
  for (const HandbookText::Section& section : text_.sections) contents_->addItem(section.title);
  page_ = new QTextBrowser;
  page_->setObjectName(QStringLiteral("handbookPage"));
  page_->setAccessibleName(windowTitle());
  page_->setOpenExternalLinks(false);

  auto* head = new QHBoxLayout;
  head->addWidget(search_, 1);
  head->addWidget(status_);
  auto* split = new QSplitter;
  split->addWidget(contents_);
  split->addWidget(page_);
  split->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(theme::em(0.8), theme::em(0.8), theme::em(0.8), theme::em(0.8));
  column->setSpacing(theme::em(0.6));
  column->addLayout(head);
  column->addWidget(split, 1);

  connect(contents_, &QListWidget::currentRowChanged, this, &Handbook::goTo);
  connect(page_->verticalScrollBar(), &QScrollBar::valueChanged, this, &Handbook::follow);
  connect(search_, &QLineEdit::textEdited, this, [this](const QString& words) {
    page_->moveCursor(QTextCursor::Start);
    if (words.isEmpty()) {
      status_->clear();
    } else {
      find(words);
    }
  });
  connect(search_, &QLineEdit::returnPressed, this, [this] { find(search_->text()); });
  auto* back = new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return), search_);
  back->setContext(Qt::WidgetShortcut);
  connect(back, &QShortcut::activated, this, [this] { find(search_->text(), true); });
  auto* seek = new QShortcut(QKeySequence::Find, this);
  connect(seek, &QShortcut::activated, search_, qOverload<>(&QWidget::setFocus));
  fitToScreen(*this, kEms);
  split->setSizes({theme::em(16), theme::em(48)});
  theme::follow(this, [this] { fill(); });
}

// Markdown has no anchors: each heading of the second level gets its section's key.
void Handbook::fill() {
  const QString here = section();
  page_->document()->setDefaultFont(page_->font());
  page_->document()->setDocumentMargin(theme::em(0.8));
  page_->setMarkdown(text_.markdown);
  std::size_t next = 0;
  for (QTextBlock block = page_->document()->begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    if (block.blockFormat().headingLevel() == 2 && next < text_.sections.size()) {
      cursor.select(QTextCursor::BlockUnderCursor);
      QTextCharFormat format;
      format.setAnchor(true);
      format.setAnchorNames({text_.sections[next++].key});
      cursor.mergeCharFormat(format);
    }
    const bool heading = block.blockFormat().headingLevel() > 0;
    QTextBlockFormat spaced;
    spaced.setTopMargin(heading ? theme::em(1.2) : 0);
    spaced.setBottomMargin(theme::em(block.textList() != nullptr ? 0.3 : 0.6));
    if (!heading) spaced.setLineHeight(120, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(spaced);
  }
  if (!here.isEmpty()) open(here);
}

void Handbook::open(const QString& section) {
  for (std::size_t i = 0; i < text_.sections.size(); ++i) {
    if (text_.sections[i].key != section) continue;
    const QSignalBlocker quiet(contents_);
    contents_->setCurrentRow(static_cast<int>(i));
    goTo(static_cast<int>(i));
  }
}

void Handbook::goTo(int row) {
  if (row < 0) return;
  going_ = true;
  (void)page_->document()->size();  // lays out everything now, so that the page's end is known
  page_->scrollToAnchor(at(text_.sections, row).key);
  going_ = false;
}

QString Handbook::section() const {
  const int row = contents_->currentRow();
  return row < 0 ? QString() : at(text_.sections, row).key;
}

// Marks the section at the top of the page, however the reader came there.
void Handbook::follow() {
  if (going_) return;
  const int top = page_->verticalScrollBar()->value() + theme::em(2);
  const QAbstractTextDocumentLayout* layout = page_->document()->documentLayout();
  const bool atEnd = page_->verticalScrollBar()->value() == page_->verticalScrollBar()->maximum();
  int row = -1, seen = -1;
  for (QTextBlock block = page_->document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() != 2) continue;
    ++seen;
    if (layout->blockBoundingRect(block).top() <= top) row = seen;
  }
  // The last sections may be too short to reach the top: a requested one stays marked.
  if (atEnd && contents_->currentRow() >= row) return;
  const QSignalBlocker quiet(contents_);
  contents_->setCurrentRow(std::max(0, row));
}

bool Handbook::find(const QString& words, bool back) {
  if (words.isEmpty()) return false;
  const QTextDocument::FindFlags flags = back ? QTextDocument::FindBackward : QTextDocument::FindFlags();
  bool found = page_->find(words, flags);
  if (!found) {
    page_->moveCursor(back ? QTextCursor::End : QTextCursor::Start);
    found = page_->find(words, flags);
  }
  status_->setText(found ? QString() : tr("Not in the handbook"));
  return found;
}

Handbook& showHandbook(QWidget& window, const QString& section) {
  auto* handbook = window.findChild<Handbook*>();
  if (handbook == nullptr) handbook = new Handbook(&window);
  handbook->show();
  handbook->raise();
  handbook->activateWindow();
  handbook->open(section);
  return *handbook;
}

}  // namespace lab
