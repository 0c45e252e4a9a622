// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/glossary_view.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

#include "core/base/at.h"
#include "ui/guide/wrapped.h"
#include "ui/i18n/written_words.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"

namespace lab {
GlossaryView::GlossaryView(const std::vector<GlossaryTerm>& terms, QWidget* parent)
    : QWidget(parent), terms_(terms), order_(terms.size()) {
  setObjectName(QStringLiteral("glossary"));
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  std::iota(order_.begin(), order_.end(), 0);
  const auto words = [this](int term) { return writtenWords(at(terms_, term).term); };
  std::ranges::sort(order_, [&](int a, int b) { return words(a).localeAwareCompare(words(b)) < 0; });
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("glossarySearch"));
  search_->setPlaceholderText(tr("Search"));
  search_->setAccessibleName(tr("Search the glossary"));
  search_->setToolTip(tr("Searches the words of the glossary, their explanations, and TensorFlow's names."));
  search_->installEventFilter(this);
  list_ = new QListWidget;
  list_->setObjectName(QStringLiteral("glossaryList"));
  list_->setAccessibleName(tr("Words of the glossary"));
  list_->setWhatsThis(tr("The words of the course. Enter shows a moment for the chosen word."));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  theme::follow(list_, [this] { list_->setMinimumHeight(theme::em(7)); });
  for (const int term : order_) list_->addItem(words(term));
  term_ = wrappedLabel("glossaryTerm", "title");
  tensorflow_ = wrappedLabel("glossaryTensorFlow", "caption");
  text_ = wrappedLabel("glossaryText", nullptr);
  seeAlso_ = new QLabel(tr("See also"));
  seeAlso_->setProperty("role", QStringLiteral("quiet"));
  see_ = new QWidget;
  see_->setLayout(new FlowLayout);
  see_->layout()->setContentsMargins(0, 0, 0, 0);
  show_ = new QPushButton(tr("Show me"));
  show_->setObjectName(QStringLiteral("glossaryShow"));
  show_->setToolTip(tr("Leads to a moment that shows this word. Undo brings your experiment back."));
  auto* column = new QVBoxLayout(this);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  for (QWidget* widget : {static_cast<QWidget*>(term_), static_cast<QWidget*>(tensorflow_),
                          static_cast<QWidget*>(text_), static_cast<QWidget*>(seeAlso_), see_})
    column->addWidget(widget);
  column->addWidget(show_, 0, Qt::AlignLeft);
  theme::follow(this, [column] {
    const int margin = theme::em(0.6);
    column->setContentsMargins(margin, margin, margin, margin);
  });
  setFocusProxy(search_);
  connect(search_, &QLineEdit::textChanged, this, &GlossaryView::find);
  connect(list_, &QListWidget::currentRowChanged, this, &GlossaryView::show);
  connect(list_, &QListWidget::itemActivated, show_, [this] { show_->click(); });
  connect(show_, &QPushButton::clicked, this, [this] {
    if (const GlossaryTerm* term = shown()) Q_EMIT wanted(term->moment);
  });
  list_->setCurrentRow(0);
}

const GlossaryTerm* GlossaryView::shown() const {
  const int row = list_->currentRow();
  if (row < 0 || list_->item(row)->isHidden()) return nullptr;
  return &at(terms_, at(order_, row));
}

void GlossaryView::open(const std::string& name) {
  const auto found = std::ranges::find(terms_, name, &GlossaryTerm::name);
  if (found == terms_.end()) return;
  search_->clear();
  const auto term = static_cast<int>(found - terms_.begin());
  list_->setCurrentRow(static_cast<int>(std::ranges::find(order_, term) - order_.begin()));
  list_->scrollToItem(list_->currentItem());
}

// Searches the terms first, also under the names by which others refer to them ("images per second" for images/s), then
// also their texts and TensorFlow's names for each of the words.
void GlossaryView::find(const QString& words) {
  const QStringList each = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  int first = -1, within = -1;
  for (int row = 0; row < list_->count(); ++row) {
    const GlossaryTerm& term = at(terms_, at(order_, row));
    const QString name = list_->item(row)->text();
    const QString other = QString::fromStdString(term.name).replace(QLatin1Char('-'), QLatin1Char(' '));
    const bool named = name.contains(words, Qt::CaseInsensitive) || other.contains(words, Qt::CaseInsensitive);
    const QString all = QStringList{name, other, writtenWords(term.text), QString::fromStdString(term.tensorflow)}.join(
        QLatin1Char('\n'));
    const bool fits = named || std::ranges::all_of(each, [&all](const QString& word) {
                        return all.contains(word, Qt::CaseInsensitive);
                      });
    list_->item(row)->setHidden(!fits);
    if (fits && within < 0) within = row;
    if (named && (first < 0 || (name.startsWith(words, Qt::CaseInsensitive) &&
                                !list_->item(first)->text().startsWith(words, Qt::CaseInsensitive))))
      first = row;
  }
  const int row = words.isEmpty() ? list_->currentRow() : first >= 0 ? first : within;
  list_->setCurrentRow(row);
  show(row);
  if (list_->currentItem() != nullptr) list_->scrollToItem(list_->currentItem());
}

void GlossaryView::show(int) {
  const GlossaryTerm* term = shown();
  term_->setText(term == nullptr ? tr("Nothing found") : breakable(writtenWords(term->term)));
  text_->setText(term == nullptr ? tr("No word or explanation here has these letters.")
                                 : breakable(writtenWords(term->text)));
  const QString tensorflow = term == nullptr ? QString() : QString::fromStdString(term->tensorflow);
  tensorflow_->setText(tr("In TensorFlow: %1").arg(breakable(tensorflow)));
  tensorflow_->setVisible(!tensorflow.isEmpty());
  show_->setEnabled(term != nullptr);
  fillSee(term);
}

void GlossaryView::fillSee(const GlossaryTerm* term) {
  qDeleteAll(see_->findChildren<QPushButton*>(Qt::FindDirectChildrenOnly));
  if (term != nullptr) {
    for (const std::string& name : term->see) {
      const auto other = std::ranges::find(terms_, name, &GlossaryTerm::name);
      if (other == terms_.end()) continue;
      auto* button = new QPushButton(writtenWords(other->term));
      button->setObjectName(QStringLiteral("see-") + QString::fromStdString(name));
      see_->layout()->addWidget(button);
      // Queued, because it would delete the button while it is pressed.
      connect(
          button, &QPushButton::clicked, this,
          [this, name] {
            list_->setFocus();
            open(name);
          },
          Qt::QueuedConnection);
    }
  }
  const bool some = term != nullptr && !term->see.empty();
  seeAlso_->setVisible(some);
  see_->setVisible(some);
}

// Keys move from the search field to its results.
bool GlossaryView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return false;
  if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Down) return false;
  list_->setFocus();
  return true;
}

}  // namespace lab
