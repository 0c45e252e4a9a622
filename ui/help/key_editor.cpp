// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for changing keys. Every change takes effect at once, as in Preferences.
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/base/at.h"
#include "ui/help/keys.h"
#include "ui/theme/fitting.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

QString native(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& one : keys) texts << one.toString(QKeySequence::NativeText);
  return texts.join(QStringLiteral(", "));
}

class KeyEditor final : public QDialog {
  Q_DECLARE_TR_FUNCTIONS(lab::KeyEditor)

 public:
  KeyEditor(QWidget* parent, Keys& keys) : QDialog(parent), keys_(keys) {
    setObjectName(QStringLiteral("keyEditor"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Change keys"));
    filter_ = new QLineEdit;
    filter_->setObjectName(QStringLiteral("keyFilter"));
    filter_->setPlaceholderText(tr("Find an action"));
    filter_->setAccessibleName(filter_->placeholderText());
    filter_->setClearButtonEnabled(true);
    createList();
    edit_ = new QKeySequenceEdit;
    edit_->setObjectName(QStringLiteral("keyEdit"));
    edit_->setAccessibleName(tr("New key: press it here"));
    for (QLineEdit* line : edit_->findChildren<QLineEdit*>()) line->setAccessibleName(edit_->accessibleName());
    auto* words = new QLabel(tr("&New key"));
    words->setBuddy(edit_);
    words_ = makeLabel({.name = "keyWords", .role = "quiet", .wraps = true});
    createButtons();
    auto* pressed = new QWidget;
    auto* together = new QHBoxLayout(pressed);
    together->setContentsMargins(0, 0, 0, 0);
    together->addWidget(words);
    together->addWidget(edit_, 1);
    auto* row = new FlowLayout;
    row->setSpacing(theme::em(0.6));
    row->addWidget(pressed);
    for (QPushButton* one : {set_, none_, standard_}) row->addWidget(one);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* all = makeButton("keysAll", tr("&All standard"), tr("Give all actions their usual keys again"),
                           [this] { keys_.restoreAll(); });
    buttons->addButton(all, QDialogButtonBox::ResetRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::em(1.5), theme::em(1.2), theme::em(1.5), theme::em(1.2));
    column->setSpacing(theme::em(0.6));
    column->addWidget(filter_);
    column->addWidget(list_, 1);
    column->addLayout(row);
    column->addWidget(words_);
    column->addWidget(buttons);
    fitToScreen(*this, {44, 38});
    connect(filter_, &QLineEdit::textChanged, this, [this] { narrow(); });
    connect(list_, &QTreeWidget::currentItemChanged, this, [this] { choose(); });
    connect(edit_, &QKeySequenceEdit::keySequenceChanged, this, [this] { judge(); });
    connect(&keys_, &Keys::changed, this, [this] { refresh(); });
    refresh();
    list_->setCurrentItem(list_->topLevelItem(0));
  }

 private:
  void createList() {
    list_ = new QTreeWidget;
    list_->setObjectName(QStringLiteral("keyList"));
    list_->setAccessibleName(tr("Actions and their keys"));
    list_->setHeaderLabels({tr("Action"), tr("Keys")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(false);
    for (const Keys::Entry& entry : keys_.entries()) list_->addTopLevelItem(new QTreeWidgetItem({entry.name}));
  }

  template <typename Act>
  QPushButton* makeButton(const char* name, const QString& text, const QString& tip, Act act) {
    auto* made = new QPushButton(text);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, act);
    return made;
  }

  void createButtons() {
    set_ = makeButton("keySet", tr("&Use it"), tr("Give this key to the selected action"), [this] { use(); });
    none_ = makeButton("keyNone", tr("N&one"), tr("Take the key away from the selected action"), [this] {
      if (const Keys::Entry* entry = selected()) keys_.assign(*entry, {});
    });
    standard_ = makeButton("keyStandard", tr("&Standard"), tr("Give the selected action its usual keys again"), [this] {
      if (const Keys::Entry* entry = selected()) keys_.restore(*entry);
    });
  }

  const Keys::Entry* selected() const {
    const int row = list_->indexOfTopLevelItem(list_->currentItem());
    return row < 0 ? nullptr : &at(keys_.entries(), row);
  }

  void narrow() {
    const QString typed = filter_->text();
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
      QTreeWidgetItem* item = list_->topLevelItem(i);
      item->setHidden(!item->text(0).contains(typed, Qt::CaseInsensitive) &&
                      !item->text(1).contains(typed, Qt::CaseInsensitive));
    }
  }

  void refresh() {
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
      const Keys::Entry& entry = at(keys_.entries(), i);
      QTreeWidgetItem* item = list_->topLevelItem(i);
      item->setText(1, native(entry.action->shortcuts()));
      QFont font = item->font(1);
      font.setBold(!entry.isStandard());
      item->setFont(1, font);
    }
    choose();
  }

  void choose() {
    edit_->clear();
    const Keys::Entry* entry = selected();
    for (QWidget* part : {static_cast<QWidget*>(edit_), static_cast<QWidget*>(none_), static_cast<QWidget*>(standard_)})
      part->setEnabled(entry != nullptr);
    if (entry != nullptr && !entry->isStandard())
      words_->setText(tr("Usually: %1").arg(entry->standard.isEmpty() ? tr("no key") : native(entry->standard)));
    judge();
  }

  // Only the first key pressed: sequences of several are impractical for one hand at a lectern.
  QKeySequence wanted() const {
    const QKeySequence pressed = edit_->keySequence();
    return pressed.isEmpty() ? pressed : QKeySequence(pressed[0]);
  }

  void judge() {
    const QKeySequence keys = wanted();
    const Keys::Entry* entry = selected();
    const bool fits = entry != nullptr && Keys::isAllowed(keys);
    set_->setEnabled(fits);
    if (keys.isEmpty()) {
      if (entry == nullptr || entry->isStandard()) words_->clear();
      return;
    }
    const Keys::Entry* owner = keys_.ownerOf(keys);
    const QString text = keys.toString(QKeySequence::NativeText);
    words_->setText(!fits ? tr("%1 cannot be used: keys with Meta belong to the desktop.").arg(text)
                    : owner != nullptr && owner->action != entry->action
                        ? tr("“%2” uses %1 now and would lose this key.").arg(text, owner->name)
                        : tr("%1 is free.").arg(text));
  }

  void use() {
    if (const Keys::Entry* entry = selected()) keys_.assign(*entry, wanted());
  }

  Keys& keys_;
  QLineEdit* filter_;
  QTreeWidget* list_;
  QKeySequenceEdit* edit_;
  QLabel* words_;
  QPushButton *set_, *none_, *standard_;
};

}  // namespace

QDialog* showKeyEditor(QWidget* parent, Keys& keys) {
  if (auto* open = parent->findChild<QDialog*>(QStringLiteral("keyEditor"))) {
    open->raise();
    open->activateWindow();
    return open;
  }
  auto* dialog = new KeyEditor(parent, keys);
  dialog->show();
  return dialog;
}

}  // namespace lab
