// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection that all views share: what the pointer is over, and what was clicked. Objects are names, so both
// outlive the step in which they were chosen.
#pragma once

#include <QObject>

#include <memory>

#include "core/training/trainer.h"
#include "ui/scene/object.h"

namespace lab {

class Selection final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const Object& hovered() const { return hovered_; }
  const Object& pinned() const { return pinned_; }
  // What the inspector describes: the object under the pointer, else the pinned one.
  const Object& shown() const { return hovered_ ? hovered_ : pinned_; }

  // What is outlined besides: all objects of these kinds.
  ObjectKinds lit() const { return lit_; }

  void hover(const Object& object);
  void pin(const Object& object);  // none: unpins
  void light(ObjectKinds kinds);   // none: no more

  // The run that the pinned object's numbers are of. In another one with other replicas the same number may be another
  // thing: what is pinned follows its device, or is unpinned. Before anything of that run is pinned; asking again for
  // the same changes nothing, null neither.
  void setRun(const std::shared_ptr<const RunInfo>& run);

 Q_SIGNALS:
  void changed();
  void pinnedChanged();  // besides

 private:
  Object hovered_, pinned_;
  std::shared_ptr<const RunInfo> run_;
  ObjectKinds lit_;
};

}  // namespace lab
