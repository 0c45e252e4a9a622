// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_menu.h"

#include <QAbstractItemView>
#include <QAction>
#include <QInputDialog>
#include <QItemSelectionModel>
#include <QMenu>

#include <algorithm>
#include <vector>

#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_table.h"

namespace lab {
namespace {

// Asks for a line of text without an event loop of its own.
template <typename Done>
void ask(QWidget* parent, const QString& title, const QString& label, const QString& text, Done done) {
  auto* dialog = new QInputDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("ask"));
  dialog->setWindowTitle(title);
  dialog->setLabelText(label);
  dialog->setTextValue(text);
  QObject::connect(dialog, &QInputDialog::textValueSelected, parent, done);
  dialog->open();
}

// The present run is not included: it cannot be deleted.
void fillMenuOfSeveral(QMenu& menu, RunLibrary& library, const std::vector<int>& ids) {
  const auto add = [&](const char* name, const QString& text, auto act) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    QObject::connect(action, &QAction::triggered, &library, act);
    return action;
  };
  const auto show = [&library, ids](bool shown) {
    for (const int id : ids) library.setShown(id, shown);
  };
  add("hideRun", tr("&Hide in charts"), [show] { show(false); });
  add("showRun", tr("&Show in charts"), [show] { show(true); });
  menu.addSeparator();
  std::vector<int> removable = ids;
  std::erase_if(removable, [&library](int id) { return !library.canRemove(id); });
  const int count = static_cast<int>(removable.size());
  add("removeRun", tr("&Delete %Ln runs", nullptr, count), [&library, removable] {
    library.remove(removable);
  })->setEnabled(count > 0);
}

std::vector<int> selectedRuns(const QAbstractItemView& view, const RunTable& table) {
  std::vector<int> ids;
  for (const QModelIndex& index : view.selectionModel()->selectedIndexes())
    if (const int id = table.idAt(index.row()); std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  return ids;
}

}  // namespace

void fillRunMenu(QMenu& menu, RunLibrary& library, int id) {
  const KeptRun* run = library.find(id);
  if (run == nullptr) return;
  QWidget* parent = &menu;  // parent of the dialogs: a window that outlives the menu
  while (qobject_cast<QMenu*>(parent) != nullptr && parent->parentWidget() != nullptr) parent = parent->parentWidget();
  parent = parent->window();
  const auto add = [&](const char* name, const QString& text, auto act) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    QObject::connect(action, &QAction::triggered, &library, act);
    return action;
  };
  const bool recorded = library.isRecordedClass(id);
  add("repeatRun", recorded ? tr("Show its &steps on the stage") : tr("Re&peat, same seed"), [&library, id] {
    library.repeat(id);
  })->setEnabled(library.canRepeat(id));
  QAction* beside =
      add("compareRun", tr("&Compare with the run on the stage"), [&library, id] { library.compare(id); });
  beside->setEnabled(library.canCompare(id));
  beside->setToolTip(recorded ? tr("Shows the steps of this class in a lane beside the run on the stage")
                              : tr("Trains this run once more, in a lane beside the run on the stage"));
  add("renameRun", tr("&Rename…"), [&library, id, parent, name = library.nameOf(*run)] {
    ask(parent, tr("Rename the run"), tr("Name"), name, [&library, id, name](const QString& text) {
      if (text != name) library.rename(id, text);  // a proposed name that was not edited does not count
    });
  });
  add("noteRun", tr("&Note…"), [&library, id, parent, note = run->note] {
    ask(parent, tr("A note on the run"), tr("Note"), note,
        [&library, id](const QString& text) { library.annotate(id, text); });
  });
  menu.addSeparator();
  const bool shown = run->shown;
  add("hideRun", shown ? tr("&Hide in charts") : tr("&Show in charts"),
      [&library, id, shown] { library.setShown(id, !shown); });
  const bool baseline = library.baselineId() == id;
  add("baselineRun", baseline ? tr("Clear the &baseline") : tr("Use as &baseline"),
      [&library, id, baseline] { library.setBaseline(baseline ? 0 : id); });
  menu.addSeparator();
  QAction* remove = add("removeRun", tr("&Delete"), [&library, id] { library.remove(id); });
  remove->setEnabled(library.canRemove(id));
  if (!library.canRemove(id)) remove->setToolTip(tr("The run on the stage cannot be deleted: begin another run first"));
}

void makeRunView(QAbstractItemView& view, RunTable& table, RunLibrary& library) {
  view.setModel(&table);
  view.setSelectionMode(QAbstractItemView::ExtendedSelection);
  view.setContextMenuPolicy(Qt::CustomContextMenu);
  view.setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  QObject::connect(&view, &QWidget::customContextMenuRequested, &view, [&view, &table, &library](const QPoint& at) {
    const int id = table.idAt(view.indexAt(at).row());
    if (id == 0) return;
    auto* menu = new QMenu(&view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const std::vector<int> selected = selectedRuns(view, table);
    if (selected.size() > 1 && std::ranges::find(selected, id) != selected.end()) {
      fillMenuOfSeveral(*menu, library, selected);
    } else {
      fillRunMenu(*menu, library, id);
    }
    menu->addSeparator();
    QAction* save = menu->addAction(tr("Save the table as &CSV…"));
    save->setObjectName(QStringLiteral("saveRunsTable"));
    QObject::connect(save, &QAction::triggered, &table, &RunTable::exportWanted);
    menu->popup(view.viewport()->mapToGlobal(at));
  });
  QObject::connect(&view, &QAbstractItemView::activated, &library, [&table, &library](const QModelIndex& index) {
    if (!table.flags(index).testFlag(Qt::ItemIsEditable)) library.repeat(table.idAt(index.row()));
  });
  auto* remove = new QAction(&view);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(remove, &QAction::triggered, &library, [&view, &table, &library] {
    std::vector<int> ids = selectedRuns(view, table);
    if (ids.empty()) ids.push_back(table.idAt(view.currentIndex().row()));
    library.remove(ids);
  });
  view.addAction(remove);
}

}  // namespace lab
