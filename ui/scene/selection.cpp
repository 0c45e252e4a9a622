// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/selection.h"

namespace lab {

void Selection::hover(const Object& object) {
  if (hovered_ == object) return;
  hovered_ = object;
  Q_EMIT changed();
}

void Selection::pin(const Object& object) {
  if (pinned_ == object) return;
  pinned_ = object;
  Q_EMIT changed();
}

void Selection::light(ObjectKinds kinds) {
  if (lit_ == kinds) return;
  lit_ = kinds;
  Q_EMIT changed();
}

}  // namespace lab
