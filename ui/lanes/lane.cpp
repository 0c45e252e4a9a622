// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane.h"

#include <exception>
#include <utility>

#include "core/experiments/comparison.h"
#include "core/experiments/messages.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/i18n/core_words.h"
#include "ui/runs/run_names.h"

namespace lab {

Lane::Lane(RunController& controller, Playback& playback, Selection& selection, QObject* parent)
    : QObject(parent), controller_(controller), playback_(playback), selection_(selection) {}

Lane::Lane(LaneSpec wish, QObject* parent)
    : QObject(parent),
      own_(std::make_unique<Own>()),
      controller_(own_->controller),
      playback_(own_->playback),
      selection_(own_->selection),
      wish_(std::move(wish)) {}

// A person who closes a lane does not wait for its step and its evaluation.
Lane::~Lane() {
  if (own_) own_->controller.endLater();
}

void Lane::start(const RunSettings& leader) {
  if (!isOwn()) return;
  distance.clear();
  notes_.clear();
  refusal_.clear();
  RunSettings config;
  try {
    if (wish_.kept) {
      config = withoutOutputs(*wish_.kept);
      resolve(config);
    } else {
      ComparedRun run = comparedRun(*wish_.strategy, givenOf(leader));
      config = run.config.asked();
      notes_ = std::move(run.notes);
    }
  } catch (const UserError& error) {
    // The command line's sentence mentions its options, so use another one.
    refusal_ = error.message().is(say::workersDoNotDivideBatch)
                   ? tr("Its workers cannot share the global batch equally. Choose a batch that their number divides.")
                   : coreSentence(error);
    // Drop everything of the previous run: it would be shown and compared as if it were this one.
    if (!wish_.kept) {
      config = withoutOutputs(leader);
      config.strategy = wish_.strategy->kind;
    }
    controller_.refuse(config, error.message());
    Q_EMIT started();
    return;
  }
  controller_.start(config, true, wish_.from);
  Q_EMIT started();
}

ResolvedSettings Lane::resolved() const {
  if (const RunInfo* info = controller_.info()) return info->config;
  try {
    return resolve(controller_.config());
  } catch (const std::exception&) {
    return unchecked(controller_.config());
  }
}

const Lineage& Lane::lineage() const {
  const RunInfo* info = isOwn() ? nullptr : controller_.info();
  return info != nullptr ? info->lineage : wish_.from.origin.lineage;
}

QString Lane::name() const {
  if (!wish_.name.isEmpty()) return markedRunName(wish_.name, lineage());
  const QString name =
      strategyShortName(wish_.strategy != nullptr ? *wish_.strategy : strategyInfo(controller_.config().strategy));
  return markedRunName(name, lineage());
}

QString Lane::words() const {
  const RunInfo* info = controller_.info();
  if (info != nullptr && info->isClass) return tr("%Ln workers", nullptr, info->replicas);
  return tr("%Ln replicas", nullptr, static_cast<int>(resolved().replicas));
}

}  // namespace lab
