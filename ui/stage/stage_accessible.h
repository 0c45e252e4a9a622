// SPDX-License-Identifier: GPL-3.0-or-later
// The stage for screen readers: a canvas whose children are the objects on it, each with role, name, description and
// place; the pinned one is selected. Nothing is made before a client asks. Clients keep answers, so objects that
// appear, vanish or change their names are announced; a vanished one is deleted later, as it may be answering just now.
#pragma once

#include <QAccessibleWidget>

#include <vector>

#include "ui/step/object.h"

namespace lab {

class Stage;

void installStageAccessible();  // to be called when installAccessibles() is

class StageAccessible final : public QAccessibleWidget {
 public:
  explicit StageAccessible(Stage& stage);
  static StageAccessible* of(Stage& stage);  // null unless a client listens
  ~StageAccessible() override;

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;
  QString text(QAccessible::Text kind) const override;

  int indexOf(const Object& object) const;  // -1: not on the stage now
  void announceChanges() const;             // to clients that have asked before
  void announceSelection();                 // if it has changed
  QAccessibleInterface* interfaceOf(const Object& object) const;

 private:
  struct Known {
    Object object;
    QAccessible::Id id = 0;
    QString name, about;  // as announced last
  };
  void refresh() const;  // if the scene has changed since the last question

  Stage& stage_;
  Object announced_;  // the selection that was announced last
  mutable std::vector<Object> objects_;
  mutable std::vector<Known> known_;  // all objects asked for that still exist
  mutable bool asked_ = false;        // whether a client has asked for the objects
  mutable std::uint64_t version_ = ~std::uint64_t{0};
};

}  // namespace lab
