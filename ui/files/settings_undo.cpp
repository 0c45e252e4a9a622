// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/settings_undo.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
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

class SettingsCommand final : public QUndoCommand {
 public:
  using Settings = Experiment::Settings;

  SettingsCommand(SettingsUndo& undo, const Settings& before, const Settings& after, bool soon)
      : owner_(undo), before_(before), after_(after), soon_(soon) {
    setText(describeChange(before_.asked, after_.asked));
  }
  int id() const override { return 1; }
  void undo() override { setObsolete(!owner_.go(before_)); }
  void redo() override {
    if (!std::exchange(done_, false)) setObsolete(!owner_.go(after_));  // pushed: it is done already
  }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SettingsCommand*>(other);
    const auto mine = changedFields(before_.asked, after_.asked),
               theirs = changedFields(next->before_.asked, next->after_.asked);
    if (!next->soon_ || mine != theirs || mine.size() != 1) return false;
    after_ = next->after_;
    setText(describeChange(before_.asked, after_.asked));
    setObsolete(changedFields(before_.asked, after_.asked).empty());
    return true;
  }

 private:
  SettingsUndo& owner_;
  Settings before_, after_;
  bool soon_;
  bool done_ = true;
};

SettingsUndo::SettingsUndo(Experiment& experiment, QObject* parent)
    : QObject(parent), experiment_(experiment), last_(experiment.settings()) {
  stack_.setUndoLimit(kMostSteps);
  connect(&experiment_, &Experiment::changed, this, &SettingsUndo::take);
}

void SettingsUndo::take() {
  const Experiment::Settings now = experiment_.settings(), before = std::exchange(last_, now);
  if (going_ || configToJson(now.asked) == configToJson(before.asked)) return;
  const bool soon = since_.isValid() && since_.elapsed() < mergeMs_;
  since_.start();
  stack_.push(new SettingsCommand(*this, before, now, soon));
}

bool SettingsUndo::go(const Experiment::Settings& settings) {
  going_ = true;
  since_.invalidate();
  QString sentence;
  try {
    experiment_.goBackTo(settings);  // it ran before, so it is refused only where a setting is locked meanwhile
  } catch (const UserError& error) {
    sentence = coreSentence(error);
  }
  going_ = false;
  if (!sentence.isEmpty()) Q_EMIT refused(sentence);
  return sentence.isEmpty();
}

void SettingsUndo::forget() {
  stack_.clear();
  last_ = experiment_.settings();
}

}  // namespace lab
