// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/moments_view.h"

#include <QAbstractItemDelegate>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTextEdit>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/at.h"
#include "ui/guide/moments.h"
#include "ui/guide/order_list.h"
#include "ui/guide/wrapped.h"
#include "ui/help/class_plans.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/i18n/written_words.h"
#include "ui/playback/captions.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"

namespace lab {

MomentsView::MomentsView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("moments"));
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  setWhatsThis(
      tr("Prepared places for a class: an experiment, a step and a beat of it, the workspace and the theme. In "
         "projector mode Page Down and Page Up go through them. They are kept in the experiment's file."));
  empty_ = wrappedLabel("momentsEmpty", nullptr);
  empty_->setText(
      tr("No moments yet. Go to where the class should be, then add that moment; or take a prepared class."));
  details_ = wrappedLabel("momentDetails", "caption");
  note_ = new QTextEdit;
  note_->setObjectName(QStringLiteral("momentNote"));
  note_->setAccessibleName(tr("What to say here"));
  note_->setWhatsThis(tr("What you say at this moment, what the class answers, and what is seen"));
  note_->setReadOnly(true);
  note_->setTabChangesFocus(true);
  note_->setFrameShape(QFrame::NoFrame);
  note_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);  // Qt would make it high, and the panel would
                                                                       // scroll
  list_ = new OrderList;
  list_->setObjectName(QStringLiteral("momentList"));
  list_->setAccessibleName(tr("Moments"));
  list_->setWhatsThis(
      tr("Enter shows a moment, F2 renames it, Delete removes it. Drag it, or move it with Alt+Up and "
         "Alt+Down."));
  list_->setToolTip(list_->whatsThis());
  list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  list_->setScrolls();
  auto* row = new QWidget;
  row->setLayout(new FlowLayout);
  row->layout()->setContentsMargins(0, 0, 0, 0);
  const auto add = [row](const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    row->layout()->addWidget(button);
    return button;
  };
  add_ = add("momentAdd", tr("Add this moment"), tr("Adds what the window shows now, after the chosen moment"));
  show_ = add("momentShow", tr("Show"), tr("Goes to the chosen moment"));
  update_ = add("momentUpdate", tr("Update"), tr("The chosen moment becomes what the window shows now"));
  rename_ = add("momentRename", tr("Rename"), tr("Gives the chosen moment another name (F2)"));
  remove_ = add("momentRemove", tr("Remove"), tr("Takes the chosen moment out of the list; it can be brought back"));
  back_ = add("momentBack", tr("Bring back"), tr("Brings back what was removed last"));
  class_ = add("momentClass", tr("Prepared class…"),
               tr("Replaces the list with a prepared class of 45 minutes; its script is in the handbook"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(empty_);
  column->addWidget(list_, 3);
  column->addWidget(note_, 2);
  column->addWidget(details_);
  column->addWidget(row);
  theme::follow(this, [this, column] {
    note_->setMinimumHeight(theme::em(7));
    const int margin = theme::em(0.6);
    column->setContentsMargins(margin, margin, margin, margin);
  });
  refreshButtons();
}

void MomentsView::setMoments(Moments& moments) {
  moments_ = &moments;
  const auto row = [this] { return list_->currentRow(); };
  connect(add_, &QPushButton::clicked, this, &MomentsView::addWanted);
  connect(update_, &QPushButton::clicked, this, [this, row] { Q_EMIT updateWanted(row()); });
  connect(class_, &QPushButton::clicked, this, &MomentsView::offerClasses);
  connect(show_, &QPushButton::clicked, this, [this, row] { Q_EMIT showWanted(row()); });
  connect(list_, &QListWidget::itemActivated, show_, &QPushButton::click);
  connect(rename_, &QPushButton::clicked, this, [this] {
    if (list_->isEditing()) return;
    list_->setFocus();
    list_->editItem(list_->currentItem());
  });
  connect(remove_, &QPushButton::clicked, this, [this, row] { moments_->remove(row()); });
  connect(back_, &QPushButton::clicked, moments_, &Moments::bringBack);
  connect(list_, &OrderList::removeWanted, remove_, &QPushButton::click);
  connect(list_, &QListWidget::currentRowChanged, this, &MomentsView::refreshButtons);
  // Queued, because the act refills the list that emits the signal.
  connect(
      list_, &OrderList::moved, this, [this] { moments_->reorder(list_->order()); }, Qt::QueuedConnection);
  connect(
      list_->itemDelegate(), &QAbstractItemDelegate::commitData, this,
      [this] {
        if (list_->currentItem() != nullptr) moments_->rename(list_->currentRow(), list_->currentItem()->text());
        refresh();
      },
      Qt::QueuedConnection);
  connect(moments_, &Moments::changed, this, &MomentsView::refresh);
  connect(moments_, &Moments::turned, this, [this] { list_->setCurrentRow(moments_->present()); });
  refresh();
}

void MomentsView::offerClasses() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("momentClasses"));
  menu->setToolTipsVisible(true);
  int index = 0;
  for (const ClassPlan& plan : shippedClasses()) {
    QAction* action = menu->addAction(writtenWords(plan.title).replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setToolTip(writtenWords(plan.about));
    connect(action, &QAction::triggered, this, [this, index] { Q_EMIT classWanted(index); });
    ++index;
  }
  menu->popup(class_->mapToGlobal(QPoint(0, class_->height())));
}

void MomentsView::refresh() {
  const int before = list_->currentRow();
  {
    const QSignalBlocker quiet(list_);
    QStringList titles;
    std::vector<std::size_t> order;
    for (const NamedMoment& each : moments_->all()) {
      order.push_back(order.size());
      titles << (each.title.isEmpty() ? tr("Without a name") : each.title);
    }
    list_->setLines(titles, order);
    const Qt::ItemFlags editable = moments_->refusal().isEmpty() ? Qt::ItemIsEditable : Qt::NoItemFlags;
    for (int row = 0; row < list_->count(); ++row) list_->item(row)->setFlags(list_->item(row)->flags() | editable);
    const int present = moments_->present();
    list_->setCurrentRow(present >= 0 ? present : std::min(before, list_->count() - 1));
  }
  empty_->setText(
      moments_->refusal().isEmpty()
          ? tr("No moments yet. Go to where the class should be, then add that moment; or take a prepared class.")
          : moments_->refusal());
  empty_->setVisible(list_->count() == 0 || !moments_->refusal().isEmpty());
  refreshButtons();
}

QString MomentsView::detailsOf(int index) const {
  const NamedMoment& named = at(moments_->all(), index);
  if (!named.problem.isEmpty()) return named.problem;
  const Moment& moment = named.moment;
  QStringList parts;
  if (moment.settings) {
    parts << coreText(strategyInfo(moment.settings->strategy).name);
    if (moment.settings->replicas) parts << tr("%Ln replicas", nullptr, plural(*moment.settings->replicas));
  }
  if (moment.view.step > 0) parts << tr("step %1").arg(countText(moment.view.step));
  if (const QString beat = beatNamed(moment.view.beat); !beat.isEmpty()) parts << beat;
  return parts.join(QStringLiteral(" · "));
}

void MomentsView::refreshButtons() {
  const bool mayChange = moments_ != nullptr && moments_->refusal().isEmpty();
  const int row = moments_ == nullptr ? -1 : list_->currentRow();
  const bool chosen = row >= 0 && row < static_cast<int>(moments_->all().size());
  add_->setEnabled(mayChange && moments_->all().size() < Moments::kMost);
  show_->setEnabled(chosen && at(moments_->all(), row).problem.isEmpty());
  for (QPushButton* button : {update_, rename_, remove_}) button->setEnabled(mayChange && chosen);
  const bool back = mayChange && moments_->canBringBack();
  back_->setVisible(back);
  if (back) back_->setToolTip(tr("Brings back “%1”").arg(moments_->removedTitle()));
  const QString note = chosen ? at(moments_->all(), row).note : QString();
  if (note != note_->toPlainText()) note_->setPlainText(note);
  note_->setVisible(!note.isEmpty());
  details_->setText(chosen ? detailsOf(row) : QString());
  details_->setVisible(!details_->text().isEmpty());
}

}  // namespace lab
