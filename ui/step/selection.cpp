// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/selection.h"

#include <utility>

namespace lab {

void Selection::hover(const Object& object) {
  if (hovered_ == object) return;
  hovered_ = object;
  Q_EMIT changed();
}

void Selection::pin(const Object& object) {
  set(object, true);
}

void Selection::mark(const Object& object) {
  set(object, false);
}

void Selection::set(const Object& object, bool chosen) {
  const bool isOther = pinned_ != object;
  if (!isOther && chosen_ == chosen) return;
  pinned_ = object;
  chosen_ = chosen;
  if (isOther) Q_EMIT pinnedChanged();
  Q_EMIT changed();
}

void Selection::light(ObjectKinds kinds) {
  if (lit_ == kinds) return;
  lit_ = kinds;
  Q_EMIT changed();
}

// Endpoints and links are numbered, with devices after replicas.
void Selection::setRun(const std::shared_ptr<const RunInfo>& run) {
  if (!run || run == run_) return;
  const auto before = std::exchange(run_, run);
  Object object = pinned_;
  if (!before || !object) return;
  if (object.endpoint >= before->replicas) {
    const int device = object.endpoint - before->replicas;
    const bool isThere = device < run->parameterDevices && device < before->parameterDevices;
    object = isThere ? Object{object.kind, run->replicas + device, object.index} : Object{};
  } else if (object.endpoint >= run->replicas) {
    object = {};
  } else if ((object.kind == Object::Kind::Link || object.kind == Object::Kind::Transfer) &&
             before->legend.tracks.size() != run->legend.tracks.size()) {
    object = {};
  }
  set(object, chosen_);
}

}  // namespace lab
