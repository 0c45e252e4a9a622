// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/run_notice.h"

#include "core/launching/messages.h"
#include "core/options/config_field.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/stage_run.h"
#include "ui/help/notice.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runview/run_summary.h"
#include "ui/serving/served_class.h"
#include "ui/setup/fit.h"
#include "ui/theme/projected.h"
#include "ui/transport/transport.h"

namespace lab {

RunNotice::RunNotice(StageRun& run, Notice& notice, const ServedClass& served, Transport& transport,
                     const OnDemand& settings)
    : run_(run), notice_(notice), class_(served), transport_(transport), settings_(settings) {
  connect(&notice, &Notice::remedyWanted, this, &RunNotice::tryRemedy);
  connect(&run.controller, &RunController::updated, this, &RunNotice::refresh);
  connect(&run.experiment, &Experiment::changed, this, [this] {
    if (!run_.experiment.complaint().isEmpty()) notice_.again();  // show it again if it is refused a second time
    refresh();
  });
  connect(&run.controller, &RunController::recordFailed, this, &RunNotice::refresh);
  connect(&settings, &OnDemand::seen, this, &RunNotice::refresh);
}

// The remedy depends on why the run failed: one resumes from a checkpoint, another cannot begin at all.
RunNotice::Remedy RunNotice::remedy() const {
  const RunController& run = run_.controller;
  const RunSettings& asked = run_.experiment.asked();
  if (run.state() != RunState::Failed) return Remedy::LowerRate;  // diverged
  if (run.processes().resumesAt() > 0) return Remedy::Resume;
  if (class_.state() == ClassSource::State::Over) return Remedy::Serve;
  if (lacksExamples(run) && asked.dataset != "digits") return Remedy::Digits;
  const Message& why = run.why();
  const bool cannotBegin = run.info() == nullptr && asked.devices == DeviceChoice::Processes &&
                           !why.is(say::processKilled) && !why.is(say::processesSilent);
  if (!cannotBegin) return Remedy::Again;
  return asked.workerHosts.empty() ? Remedy::Simulated : Remedy::ThisMachine;
}

QString RunNotice::remedyWords() const {
  switch (remedy()) {
    case Remedy::LowerRate:
      return tr("Learning rate %1").arg(settingText(configField("learning-rate"), lowerRate().toStdString()));
    case Remedy::Resume:
      return tr("Resume from step %1").arg(countText(run_.controller.processes().resumesAt()));
    case Remedy::Digits:
      return tr("Use the built-in digits");
    case Remedy::ThisMachine:
      return tr("Use this machine alone");
    case Remedy::Simulated:
      return tr("Use simulated devices");
    case Remedy::Serve:
      return tr("Serve to the class…");
    case Remedy::Again:
      break;
  }
  return tr("Start it again");
}

// An impossible run starts nothing; a possible remedy stands beside the sentence.
void RunNotice::tryRemedy() {
  Experiment& experiment = run_.experiment;
  switch (remedy()) {
    case Remedy::LowerRate:
      return experiment.set(QStringLiteral("learning-rate"), lowerRate());
    case Remedy::Resume:
      return experiment.resume();
    case Remedy::Digits:
      return experiment.beginOrComplain(onDigits(experiment.asked()));
    case Remedy::ThisMachine:
      return experiment.set(QStringLiteral("worker-hosts"), {});
    case Remedy::Simulated:
      return experiment.set(QStringLiteral("devices"), QStringLiteral("simulated"));
    case Remedy::Serve:
      return Q_EMIT serveWanted();
    case Remedy::Again:
      return experiment.again();
  }
}

// A tenth: a run that diverges at a rate rarely does so at a tenth of it.
QString RunNotice::lowerRate() const {
  return QString::number(run_.experiment.resolved().learningRate / 10, 'g', 6);
}

void RunNotice::refresh() {
  const RunController& controller = run_.controller;
  if (controller.state() == RunState::Failed) {
    notice_.say(Notice::Kind::Error, controller.failure(), remedyWords());
  } else if (!run_.experiment.complaint().isEmpty() && !settings_.isVisible()) {
    notice_.say(Notice::Kind::Error, run_.experiment.complaint());
  } else if (!controller.records().failure().isEmpty()) {
    notice_.say(Notice::Kind::Warning, tr("The step cannot be shown: %1").arg(controller.records().failure()));
  } else {
    const KeptRun* kept = run_.library.find(run_.library.presentId());
    const QString warning =
        kept == nullptr ? QString() : runWarning(kept->metrics->steps, run_.library.divergenceOf(*kept));
    if (!warning.isEmpty()) {
      notice_.say(Notice::Kind::Warning, warning, remedyWords());
    } else {
      // On a projector the stage needs the room more, and shows the batch of each worker anyway.
      notice_.say(Notice::Kind::Hint, theme::isProjected() ? QString() : run_.experiment.remark());
    }
  }
  transport_.setUsable(controller.state() != RunState::Failed || !controller.steps().empty());
}

}  // namespace lab
