// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/charts_offer.h"

#include <QTimer>

#include <utility>

#include "ui/frame/stage_run.h"
#include "ui/frame/workspaces.h"
#include "ui/scene/layout.h"
#include "ui/stage/stage.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/window/panels.h"

namespace lab {

ChartsOffer::ChartsOffer(StageRun& run, const Stage& stage, const Workspaces& workspaces, Panels& panels)
    : run_(run), stage_(stage), workspaces_(workspaces), panels_(panels) {
  connect(&run.playback, &Playback::changed, this, &ChartsOffer::offer);
  connect(&run.controller, &RunController::updated, this, &ChartsOffer::offer);
  connect(&panels, &Panels::touched, this, &ChartsOffer::settle);
  connect(&panels, &Panels::resetting, this, [this] {
    if (workspaces_.current() == WindowLayout::Teach) made_ = false;
  });
}

void ChartsOffer::beginProjector() {
  madeProjected_ = false;
  step_ = -1;
  QTimer::singleShot(0, this, &ChartsOffer::offer);  // once the stage has its room
}

// The user has opened or closed the charts.
void ChartsOffer::settle(const Panel& panel) {
  if (&panel != &panels_.at(PanelPlace::Evidence)) return;
  if (theme::isProjected()) madeProjected_ = true;
  if (workspaces_.current() == WindowLayout::Teach) made_ = true;
}

void ChartsOffer::offer() {
  const Playback& playback = run_.playback;
  const std::int64_t step = std::exchange(step_, playback.step());
  const bool turned = step != playback.step() || playback.mode() == Playback::Mode::Express;
  const bool projector = theme::isProjected();
  bool& made = projector ? madeProjected_ : made_;
  const bool here = projector ? stage_.isVisible() : workspaces_.current() == WindowLayout::Teach;
  if (made || !turned || !here || panels_.isVisit()) return;
  constexpr std::size_t kLine = 3;  // points
  if (!panels_.mayOffer() || run_.controller.steps().size() < kLine) return;
  if (projector && !leavesPictures(theme::em(PanelLayout::kStrip))) return;
  made = true;
  panels_.offerTab(QStringLiteral("chartsTab"));
}

// True if letters and pictures on a projector's stage stay in place when the stage is `pixels` lower.
bool ChartsOffer::leavesPictures(int pixels) const {
  const RunInfo* info = run_.controller.info();
  if (info == nullptr) return false;
  const auto layoutIn = [&](int height) {
    return layoutStage(*info, QSizeF(stage_.width(), height), theme::textSize());
  };
  const StageLayout now = layoutIn(stage_.height()), then = layoutIn(stage_.height() - pixels);
  return then.px >= theme::textSize() && then.columns.front().flat == now.columns.front().flat;
}

}  // namespace lab
