// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/settings_undo.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/config/lineage.h"
#include "core/files/lineage_json.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/training/faults.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"

namespace lab {
namespace {

std::vector<const ConfigField*> changedFields(const RunSettings& before, const RunSettings& after) {
  std::vector<const ConfigField*> fields;
  for (const ConfigField& field : configFields())
    if (field.get(before) != field.get(after)) fields.push_back(&field);
  return fields;
}

std::string resolvedValue(const ConfigField& field, const RunSettings& config) {
  try {
    return field.get(resolve(config));
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

QString describeChange(const RunSettings& before, const RunSettings& after) {
  const auto fields = changedFields(before, after);
  if (fields.empty()) return SettingsUndo::tr("settings");
  const ConfigField* first = fields.front();
  // The changed setting comes first in the table; others yielded to it.
  if (fields.size() > 2 && first->name != "strategy") return SettingsUndo::tr("%1 settings").arg(fields.size());
  const auto words = [first](const RunSettings& config) {
    std::string value = first->get(config);
    if (value.empty()) value = resolvedValue(*first, config);
    return value.empty() ? QStringLiteral("–") : settingText(*first, value);
  };
  return QStringLiteral("%1 %2 → %3").arg(settingName(*first), words(before), words(after));
}

namespace {

bool isSameRun(const Experiment::Settings& a, const Experiment::Settings& b) {
  return lineageToJson(a.lineage) == lineageToJson(b.lineage);
}

QString describeCommand(const Experiment::Settings& before, const Experiment::Settings& after) {
  if (!changedFields(before.asked, after.asked).empty()) return describeChange(before.asked, after.asked);
  if (layersOfFile(before.asked) != layersOfFile(after.asked)) {  // one edited network after another
    const ConfigField& network = configField("network");
    return QStringLiteral("%1 %2").arg(settingName(network), settingText(network, after.asked.network));
  }
  if (after.lineage.empty() || !after.lineage.back().fault) return SettingsUndo::tr("start anew");
  return coreText(describe(*after.lineage.back().fault));
}

}  // namespace

class SettingsCommand final : public QUndoCommand {
 public:
  using State = SettingsUndo::State;

  SettingsCommand(SettingsUndo& undo, const State& before, const State& after, bool soon, const QString& name)
      : owner_(undo), before_(before), after_(after), soon_(soon) {
    setText(name.isEmpty() ? describeCommand(before_.settings, after_.settings) : name);
  }
  int id() const override { return 1; }
  void undo() override { go(before_, after_, false); }
  void redo() override {
    if (!std::exchange(done_, false)) go(after_, before_, true);  // when pushed, it is already done
  }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SettingsCommand*>(other);
    const Experiment::Settings &from = before_.settings, &until = next->after_.settings;
    const auto mine = changedFields(from.asked, after_.settings.asked),
               theirs = changedFields(next->before_.settings.asked, until.asked);
    if (!next->soon_ || mine != theirs || mine.size() != 1) return false;
    if (!isSameRun(from, after_.settings) || !isSameRun(next->before_.settings, until)) return false;
    after_ = next->after_;
    setText(describeChange(from.asked, until.asked));
    setObsolete(changedFields(from.asked, until.asked).empty());
    return true;
  }

 private:
  // The state that is left is stored as it is now, because training has gone on since it was set.
  void go(const State& to, State& from, bool again) {
    const std::optional<State> left = owner_.go(to, text(), again);
    setObsolete(!left);
    if (!left) return;
    from.settings.run = left->settings.run;
    from.moment = left->moment;
  }

  SettingsUndo& owner_;
  State before_, after_;
  bool soon_;
  bool done_ = true;
};

SettingsUndo::SettingsUndo(Experiment& experiment, QObject* parent)
    : QObject(parent), experiment_(experiment), last_{experiment.settings()} {
  stack_.setUndoLimit(kMostSteps);
  connect(&experiment_, &Experiment::aboutToStart, this, [this] {
    if (shown_) last_.moment = shown_();
  });
  connect(&experiment_, &Experiment::changed, this, &SettingsUndo::take);
}

void SettingsUndo::take() {
  const State now{experiment_.settings()}, before = std::exchange(last_, now);
  const QString name = std::exchange(next_, {});
  if (going_) left_ = before;
  const bool same = configToJson(now.settings.asked) == configToJson(before.settings.asked);
  if (going_ || (same && isSameRun(now.settings, before.settings))) return;
  const bool soon = name.isEmpty() && since_.isValid() && since_.elapsed() < mergeMs_;
  since_.start();
  if (!name.isEmpty()) since_.invalidate();  // a change with a name is a step of its own
  stack_.push(new SettingsCommand(*this, before, now, soon, name));
}

std::optional<SettingsUndo::State> SettingsUndo::go(const State& state, const QString& what, bool again) {
  const bool otherRun = !isSameRun(state.settings, last_.settings);
  going_ = true;
  since_.invalidate();
  QString sentence;
  try {
    experiment_.goBackTo(state.settings);  // it ran before, so it is refused only if a setting was locked meanwhile
  } catch (const UserError& error) {
    sentence = coreSentence(error);
  }
  going_ = false;
  if (!sentence.isEmpty()) {
    Q_EMIT refused(sentence);
    return std::nullopt;
  }
  // If a task died in a run, show the moment where that happened; a run's first step comes anyway.
  const bool asItStood = experiment_.isOf(state.settings), isNear = otherRun || state.moment.step == 1;
  Q_EMIT went({what, again, asItStood, asItStood || isNear ? state.moment : Moment{}});
  return left_;
}

void SettingsUndo::forget() {
  stack_.clear();
  last_ = {experiment_.settings()};
  experiment_.forgetPast();
}

}  // namespace lab
