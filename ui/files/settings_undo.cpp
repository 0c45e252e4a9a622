// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/settings_undo.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/run/faults.h"
#include "core/run/lineage.h"
#include "ui/setup/experiment.h"
#include "ui/words/core_words.h"

namespace lab {
namespace {

std::vector<const ConfigField*> changedFields(const RunConfig& before, const RunConfig& after) {
  std::vector<const ConfigField*> fields;
  for (const ConfigField& field : configFields())
    if (field.get(before) != field.get(after)) fields.push_back(&field);
  return fields;
}

RunConfig resolvedOr(const RunConfig& config) {
  try {
    return resolveConfig(config);
  } catch (const UserError&) {
    return config;
  }
}

}  // namespace

QString describeChange(const RunConfig& before, const RunConfig& after) {
  const auto fields = changedFields(before, after);
  if (fields.empty()) return SettingsUndo::tr("settings");
  const ConfigField* first = fields.front();
  // What was changed comes first in the table; others yielded to it.
  if (fields.size() > 2 && first->name != "strategy") return SettingsUndo::tr("%1 settings").arg(fields.size());
  const auto words = [first](const RunConfig& config) {
    std::string value = first->get(config);
    if (value.empty()) value = first->get(resolvedOr(config));
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
  if (after.lineage.empty() || !after.lineage.back().fault) return SettingsUndo::tr("start anew");
  return coreText(describe(*after.lineage.back().fault));
}

}  // namespace

class SettingsCommand final : public QUndoCommand {
 public:
  using Settings = Experiment::Settings;

  // `step`: that a person looked at before a fault; 0: nothing of the kind.
  SettingsCommand(SettingsUndo& undo, const Settings& before, const Settings& after, bool soon, std::int64_t step)
      : owner_(undo), before_(before), after_(after), soon_(soon), step_(step) {
    setText(describeCommand(before_, after_));
  }
  int id() const override { return 1; }
  void undo() override { setObsolete(!owner_.go(before_, step_)); }
  void redo() override {
    if (!std::exchange(done_, false)) setObsolete(!owner_.go(after_));  // pushed: it is done already
  }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SettingsCommand*>(other);
    const auto mine = changedFields(before_.asked, after_.asked),
               theirs = changedFields(next->before_.asked, next->after_.asked);
    if (!next->soon_ || mine != theirs || mine.size() != 1) return false;
    if (!isSameRun(before_, after_) || !isSameRun(next->before_, next->after_)) return false;
    after_ = next->after_;
    setText(describeChange(before_.asked, after_.asked));
    setObsolete(changedFields(before_.asked, after_.asked).empty());
    return true;
  }

 private:
  SettingsUndo& owner_;
  Settings before_, after_;
  bool soon_;
  std::int64_t step_;
  bool done_ = true;
};

SettingsUndo::SettingsUndo(Experiment& experiment, QObject* parent)
    : QObject(parent), experiment_(experiment), last_(experiment.settings()) {
  stack_.setUndoLimit(kMostSteps);
  connect(&experiment_, &Experiment::changed, this, &SettingsUndo::take);
}

void SettingsUndo::take() {
  const Experiment::Settings now = experiment_.settings(), before = std::exchange(last_, now);
  if (going_ || (configToJson(now.asked) == configToJson(before.asked) && isSameRun(now, before))) return;
  const bool soon = since_.isValid() && since_.elapsed() < mergeMs_;
  since_.start();
  stack_.push(new SettingsCommand(*this, before, now, soon, experiment_.branchedAt()));
}

bool SettingsUndo::go(const Experiment::Settings& settings, std::int64_t step) {
  going_ = true;
  since_.invalidate();
  QString sentence;
  try {
    experiment_.goBackTo(settings);  // it ran before, so it is refused only where a setting is locked meanwhile
  } catch (const UserError& error) {
    sentence = coreSentence(error);
  }
  going_ = false;
  if (!sentence.isEmpty())
    Q_EMIT refused(sentence);
  else if (step > 0)
    Q_EMIT wentBack(step);
  return sentence.isEmpty();
}

void SettingsUndo::forget() {
  stack_.clear();
  last_ = experiment_.settings();
}

}  // namespace lab
