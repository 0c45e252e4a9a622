// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kept_sweep.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

#include "ui/i18n/core_words.h"
#include "ui/session/desk_parts.h"
#include "ui/sweep/sweep_export.h"
#include "ui/sweep/sweep_request.h"
#include "ui/sweep/sweep_view.h"
#include "ui/window/main_window.h"

namespace lab {

KeptSweep::KeptSweep(DeskParts& desk) : QObject(&desk), desk_(desk) {
  desk_.document.setLastEdits([this] {
    if (auto* view = desk_.window.findChild<SweepView*>()) view->takeEdits();
  });
}

bool KeptSweep::take() {
  isShown_ = false;
  const nlohmann::json* plan = desk_.document.other(kSweepKey);
  if (plan == nullptr) return false;
  desk_.window.centre().takeSweep(*plan);
  isShown_ = !desk_.window.findChild<SweepView*>()->run().isRunning();
  return true;
}

void KeptSweep::restore() {
  if (auto* view = desk_.window.findChild<SweepView*>()) give(*view);
}

void KeptSweep::adopt(SweepView& view) {
  connect(&view, &SweepView::replanned, this, [this, &view] {
    if (isShown_) desk_.document.setOther(kSweepKey, requestToJson(view.request()));
  });
  connect(&view, &SweepView::saved, this, [this, &view](const QString& path) {
    if (QFileInfo(path) != QFileInfo(desk_.document.path())) return;
    desk_.document.takeWritten(kSweepKey, requestToJson(view.request()));
    isShown_ = true;
  });
  give(view);
}

void KeptSweep::give(SweepView& view) {
  isShown_ = false;
  const nlohmann::json* plan = desk_.document.other(kSweepKey);
  if (plan == nullptr || view.run().isRunning()) return;
  try {
    view.setRequest(requestFromJson(*plan));
    isShown_ = true;
  } catch (const std::exception& error) {
    desk_.say(Notices::Cause::File, coreSentence(error), true);
  }
}

}  // namespace lab
