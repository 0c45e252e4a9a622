// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/class_serving.h"

#include <QAction>
#include <QMenu>

#include <utility>

#include "core/base/error.h"
#include "ui/frame/messages.h"
#include "ui/frame/stage_run.h"
#include "ui/frame/stage_strip.h"
#include "ui/frame/workspaces.h"
#include "ui/help/actions.h"
#include "ui/serving/class_panel.h"
#include "ui/serving/invitation.h"
#include "ui/serving/serve_dialog.h"
#include "ui/serving/served_class.h"
#include "ui/theme/projected.h"
#include "ui/window/centre.h"
#include "ui/window/panels.h"

namespace lab {

ClassServing::ClassServing(QWidget& window, StageRun& run, ServedClass& served, Centre& centre, Workspaces& workspaces,
                           Panels& panels, Messages& messages)
    : window_(window),
      run_(run),
      class_(served),
      centre_(centre),
      workspaces_(workspaces),
      panels_(panels),
      messages_(messages) {
  serve_ = makeAction(window, "serveClass", tr("Serve to the c&lass…"));
  connect(serve_, &QAction::triggered, this, &ClassServing::openDialog);
  code_ = makeAction(window, "classCode", tr("Code of the class in place of the stage"), {Qt::Key_J});
  code_->setCheckable(true);
  connect(code_, &QAction::triggered, this, &ClassServing::setShowsCode);
}

void ClassServing::fillMenu(QMenu& run) {
  run.addSeparator();
  run.addActions({serve_, code_});
  run.addSeparator();
}

QWidget* ClassServing::makePanel() {
  panel_ = new ClassPanel(class_);
  connect(panel_, &ClassPanel::serveWanted, this, &ClassServing::openDialog);
  connect(panel_, &ClassPanel::codeWanted, this, &ClassServing::setShowsCode);
  connect(panel_, &ClassPanel::said, this, [this](const QString& text) { messages_.say(text); });
  panel_->setShowsCode(showsCode());
  return panel_;
}

void ClassServing::openDialog() {
  if (class_.isOpen()) return panels_.openTab(QStringLiteral("classTab"));
  if (auto* dialog = window_.findChild<ServeDialog*>()) return dialog->raise(), dialog->activateWindow();
  try {
    auto* dialog = new ServeDialog(
        run_.experiment.asked(), ownAddresses(),
        [this](const RunSettings& settings, const ClassRun::Wishes& wishes) { serve(settings, wishes); }, &window_);
    dialog->open();
  } catch (const UserError& error) {  // a file of the settings may have gone since the run began
    run_.experiment.complain(error);
  }
}

void ClassServing::serve(const RunSettings& settings, const ClassRun::Wishes& wishes) {
  run_.experiment.serve(settings, wishes);
  showsCode_.reset();
  if (!centre_.showsStage()) workspaces_.choose(WindowLayout::Teach);
  run_.playback.setMode(Playback::Mode::Live);  // a class does not wait for a movie
  run_.playback.play();
  if (theme::isProjected()) return;
  panels_.openTab(QStringLiteral("classTab"));
  panels_.layout().sizeAll();
}

// Before the first update there is nothing else to see. On a projector, which hides the tab, until some have joined.
bool ClassServing::showsCode() const {
  if (!class_.isOpen()) return false;
  const ClassTotals& totals = class_.totals();
  return showsCode_.value_or(totals.updates == 0 || (theme::isProjected() && totals.workers <= Invitation::kFew));
}

void ClassServing::setShowsCode(bool shown) {
  showsCode_ = shown;
  if (shown && centre_.strip().hidesStage()) panels_.setStageOpen(true);
  refresh();
}

void ClassServing::refresh() {
  const bool open = class_.isOpen(), shown = showsCode();
  run_.experiment.setClassWorkers(open ? std::optional(class_.totals().workers) : std::nullopt);
  if (std::exchange(servedBefore_, open) && !open) {
    showsCode_.reset();
    run_.experiment.refusalChanged();
    messages_.say(tr("The lesson is over"));
  }
  code_->setEnabled(open);
  code_->setChecked(shown);
  code_->setToolTip(open ? QString() : tr("There is no class: Run ▸ Serve to the class"));
  if (panel_ != nullptr) panel_->setShowsCode(shown);
  centre_.setShowsCode(shown);
}

}  // namespace lab
