// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection that all views share: what the pointer is over, and what was clicked. Objects are identified by
// name, so both outlive the step in which they were chosen.
#pragma once

#include <QObject>

#include <memory>

#include "core/training/trainer.h"
#include "ui/step/object.h"

namespace lab {

class Selection final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const Object& hovered() const { return hovered_; }
  const Object& pinned() const { return pinned_; }
  // What the inspector describes: the object under the pointer, else the pinned one.
  const Object& shown() const { return hovered_ ? hovered_ : pinned_; }

  // All objects of these kinds are outlined too.
  ObjectKinds lit() const { return lit_; }

  void hover(const Object& object);
  void pin(const Object& object);            // an empty object unpins
  void mark(const Object& object);           // pins what a prepared moment is about: the user has not chosen it
  bool isChosen() const { return chosen_; }  // whether the user pinned the object
  void light(ObjectKinds kinds);             // an empty set switches this off

  // Sets the run that the pinned object's numbers refer to. In a run with other replicas the same number may mean
  // another thing, so the pinned object follows its device or is unpinned. Call this before anything of that run is
  // pinned. The same run again, or null, changes nothing.
  void setRun(const std::shared_ptr<const RunInfo>& run);

 Q_SIGNALS:
  void changed();
  void pinnedChanged();  // emitted in addition to changed()

 private:
  void set(const Object& object, bool chosen);

  Object hovered_, pinned_;
  bool chosen_ = false;
  std::shared_ptr<const RunInfo> run_;
  ObjectKinds lit_;
};

}  // namespace lab
