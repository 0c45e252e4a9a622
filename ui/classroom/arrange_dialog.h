// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog in which a teacher hides and locks controls: a list of all controls by name, with the state of each; and,
// while it is open, the right mouse button on a control of the window. It can be used by keys alone.
#pragma once

#include <QDialog>

#include <vector>

#include "ui/classroom/class_locks.h"

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace lab {

class ArrangeDialog final : public QDialog {
  Q_OBJECT

 public:
  ArrangeDialog(MainWindow& window, ClassLocks& locks);
  ~ArrangeDialog() override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void refresh();
  void narrow();
  void put(ControlState state);
  void openMenu(const QString& id, const QPoint& global);

  MainWindow& window_;
  ClassLocks& locks_;
  QMetaObject::Connection lockChanges_;
  std::vector<Control> controls_;
  QLineEdit* filter_;
  QTreeWidget* tree_;
};

QDialog& showArrangement(MainWindow& window, ClassLocks& locks);

}  // namespace lab
