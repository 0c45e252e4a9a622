// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/arrange_dialog.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <array>

#include "ui/i18n/words.h"
#include "ui/theme/fitting.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr std::array kStates{ControlState::Shown, ControlState::Locked, ControlState::Hidden};

}  // namespace

ArrangeDialog::ArrangeDialog(MainWindow& window, ClassLocks& locks)
    : QDialog(&window), window_(window), locks_(locks), controls_(locks.controls()) {
  setObjectName(QStringLiteral("arrangeDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Arrange for the class"));
  auto* words =
      new QLabel(tr("Choose controls here, or with the right mouse button in the window. %1 brings all of them back.")
                     .arg(locks.keys()));
  words->setWordWrap(true);
  filter_ = new QLineEdit;
  filter_->setObjectName(QStringLiteral("arrangeFilter"));
  filter_->setPlaceholderText(tr("Find a control"));
  filter_->setAccessibleName(filter_->placeholderText());
  filter_->setClearButtonEnabled(true);
  tree_ = new QTreeWidget;
  tree_->setObjectName(QStringLiteral("arrangeTree"));
  tree_->setAccessibleName(tr("Controls"));
  tree_->setToolTip(
      tr("What is hidden or locked is saved with the experiment and in its link. This keeps a class on track; it is no "
         "protection."));
  tree_->setWhatsThis(tree_->toolTip());
  tree_->setHeaderLabels({tr("Control"), tr("For the class")});
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  tree_->header()->setStretchLastSection(false);
  auto* row = new FlowLayout;
  row->setSpacing(theme::em(0.6));
  const auto add = [&](const char* name, const QString& text, ControlState state) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, state] { put(state); });
    row->addWidget(button);
  };
  add("arrangeShow", tr("&Show"), ControlState::Shown);
  add("arrangeLock", tr("&Lock"), ControlState::Locked);
  add("arrangeHide", tr("&Hide"), ControlState::Hidden);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(words);
  column->addWidget(filter_);
  column->addWidget(tree_, 1);
  column->addLayout(row);
  column->addWidget(buttons);
  fitToScreen(*this, {40, 40});
  fill();
  connect(filter_, &QLineEdit::textChanged, this, &ArrangeDialog::narrow);
  lockChanges_ = connect(&locks_, &ClassLocks::changed, this, &ArrangeDialog::refresh);
  qApp->installEventFilter(this);
}

// Disconnects first: code that hears of the dialog's end makes the locks emit changed(), which must not reach the
// half-destroyed dialog. The connection is kept as a handle because the locks may be destroyed earlier.
ArrangeDialog::~ArrangeDialog() {
  disconnect(lockChanges_);
}

void ArrangeDialog::fill() {
  QHash<QString, QTreeWidgetItem*> places;
  for (const Control& control : controls_) {
    QTreeWidgetItem*& place = places[control.place];
    if (place == nullptr) {
      place = new QTreeWidgetItem(tree_, {control.place});
      place->setFlags(Qt::ItemIsEnabled);
      place->setExpanded(true);
    }
    auto* item = new QTreeWidgetItem(place, {control.name});
    item->setData(0, Qt::UserRole, control.id);
  }
  refresh();
}

void ArrangeDialog::refresh() {
  const QString words[]{QString(), tr("locked"), tr("hidden")};
  for (QTreeWidgetItemIterator at(tree_); *at != nullptr; ++at) {
    const QString id = (*at)->data(0, Qt::UserRole).toString();
    if (!id.isEmpty()) (*at)->setText(1, words[static_cast<int>(locks_.stateOf(id))]);
  }
}

void ArrangeDialog::narrow() {
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* place = tree_->topLevelItem(i);
    bool any = false;
    for (int k = 0; k < place->childCount(); ++k) {
      const bool fits = place->child(k)->text(0).contains(filter_->text(), Qt::CaseInsensitive) ||
                        place->text(0).contains(filter_->text(), Qt::CaseInsensitive);
      place->child(k)->setHidden(!fits);
      any = any || fits;
    }
    place->setHidden(!any);
  }
}

void ArrangeDialog::put(ControlState state) {
  QStringList ids;
  for (const QTreeWidgetItem* item : tree_->selectedItems())
    if (const QString id = item->data(0, Qt::UserRole).toString(); !id.isEmpty()) ids << id;
  if (!ids.isEmpty()) locks_.set(ids, state);
}

void ArrangeDialog::openMenu(const QString& id, const QPoint& global) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QString words[]{tr("&Show"), tr("&Lock"), tr("&Hide")};
  for (const ControlState state : kStates)
    if (state != locks_.stateOf(id))
      connect(menu->addAction(words[static_cast<int>(state)]), &QAction::triggered, this,
              [this, id, state] { locks_.set({id}, state); });
  menu->popup(global);
}

// While the dialog is open, a right click on a control opens the dialog's menu instead of the control's own.
bool ArrangeDialog::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::ContextMenu) return false;
  auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || (widget->window() != &window_ && qobject_cast<QMenu*>(widget) == nullptr)) return false;
  if (event->type() == QEvent::ContextMenu) return true;
  const auto* press = static_cast<QMouseEvent*>(event);
  if (press->button() != Qt::RightButton) return false;
  const QPoint global = press->globalPosition().toPoint();
  const QString id = controlAt(controls_, widget, global);
  if (id.isEmpty()) return false;
  if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  openMenu(id, global);
  return true;
}

QDialog& showArrangement(MainWindow& window, ClassLocks& locks) {
  auto* dialog = window.findChild<ArrangeDialog*>();
  if (dialog == nullptr) dialog = new ArrangeDialog(window, locks);
  dialog->show();
  dialog->raise();
  return *dialog;
}

}  // namespace lab
