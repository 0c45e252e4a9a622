// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kept_comparison.h"

#include <QUndoCommand>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/training/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/i18n/core_words.h"
#include "ui/session/desk_parts.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr const char* kComparison = "comparison";

QStringList namesOf(const Lanes& lanes) {
  QStringList names;
  for (std::size_t i = 1; i < lanes.count(); ++i) names << lanes.at(i).name();
  return names;
}

// "lane ParameterServer of Compare added".
QString lanesChange(const QStringList& before, const QStringList& after) {
  const auto without = [](QStringList names, const QStringList& others) {
    for (const QString& name : others) names.removeOne(name);
    return names;
  };
  const QStringList added = without(after, before), closed = without(before, after);
  if (added.size() == 1 && closed.isEmpty()) return KeptComparison::tr("lane %1 of Compare added").arg(added.front());
  if (closed.size() == 1 && added.isEmpty()) return KeptComparison::tr("lane %1 of Compare closed").arg(closed.front());
  return before == after ? KeptComparison::tr("how the lanes of Compare are arranged")
                         : KeptComparison::tr("lanes of Compare");
}

// Undoes or redoes that lanes were added, closed or reordered.
class LanesCommand final : public QUndoCommand {
 public:
  using Shown = std::shared_ptr<const Comparing>;
  using Show = std::function<void(const Shown& lanes, const QString& said)>;

  LanesCommand(const QString& what, Show show, Shown before, Shown after)
      : QUndoCommand(what), show_(std::move(show)), before_(std::move(before)), after_(std::move(after)) {}
  void undo() override { show_(before_, KeptComparison::tr("Undone: %1.").arg(text())); }
  void redo() override {
    if (!std::exchange(done_, false))  // when pushed, it is already done
      show_(after_, KeptComparison::tr("Redone: %1.").arg(text()));
  }

 private:
  Show show_;
  Shown before_, after_;  // not as a file has them, which would lose the lane of a class's recording
  bool done_ = true;
};

}  // namespace

KeptComparison::KeptComparison(DeskParts& desk) : QObject(&desk), desk_(desk) {}

// Takes the comparison of what was opened. A branch without one is shown beside its parent. Opening a file never
// rearranges the window.
void KeptComparison::take(bool tell) {
  desk_.notices.over(Notices::Cause::Lanes);
  Comparing comparing;
  const nlohmann::json* kept = desk_.document.other(kComparison);
  const Lineage& lineage = desk_.window.experiment().lineage();
  try {
    if (kept != nullptr) {
      comparing = comparingFromJson(*kept);
    } else if (auto parent = parentWish(lineage)) {
      if (parent->name.isEmpty()) parent->name = tr("The branch's parent");
      comparing.wishes.push_back(std::move(*parent));
    }
  } catch (const UserError& error) {
    desk_.say(Notices::Cause::Lanes, coreSentence(error), true);
  }
  const int lanes = static_cast<int>(comparing.wishes.size());
  if (CompareView* view = desk_.window.centre().comparison()) {
    view->take(std::move(comparing));
    shown_ = std::make_shared<const Comparing>(comparingOf(view->lanes()));
    laneNames_ = namesOf(view->lanes());
  } else {
    comparing_ = std::move(comparing);
  }
  if (!tell || lanes == 0) return;
  QStringList branch;
  for (const Message& part : describe(lineage)) branch << coreText(part);
  const QString text = kept != nullptr    ? tr("This file has %Ln lanes beside its run.", nullptr, lanes)
                       : branch.isEmpty() ? QString()
                                          : tr("This file holds a branch (%1). Its parent is beside it in Compare.")
                                                .arg(branch.join(QStringLiteral(", ")));
  const auto show = [this] {
    desk_.notices.over(Notices::Cause::Lanes);
    desk_.window.workspaces().choose(WindowLayout::Compare);
  };
  desk_.notices.set(Notices::Cause::Lanes, {text, tr("Compare"), show, Notice::Kind::Hint, [this] {
                                              return desk_.window.workspaces().current() == WindowLayout::Compare;
                                            }});
}

void KeptComparison::adopt(CompareView& view) {
  view.take(std::exchange(comparing_, {}));
  shown_ = std::make_shared<const Comparing>(comparingOf(view.lanes()));
  laneNames_ = namesOf(view.lanes());
  connect(&view, &CompareView::comparisonChanged, this, [this, &view] {
    auto now = std::make_shared<const Comparing>(comparingOf(view.lanes()));
    QStringList names = namesOf(view.lanes());
    if (isSame(*now, *shown_)) {  // the same lanes in another experiment
      laneNames_ = std::move(names);
      return;
    }
    // Show Compare when its lanes change, wherever the user asked for that.
    const auto show = [this, &view](const LanesCommand::Shown& lanes, const QString& said) {
      desk_.window.workspaces().visit(WindowLayout::Compare);
      view.take(*lanes);
      shown_ = lanes;
      laneNames_ = namesOf(view.lanes());
      desk_.document.setOther(kComparison, view.comparison());
      desk_.mention(said);
    };
    const QString what = lanesChange(laneNames_, names);
    laneNames_ = std::move(names);
    desk_.undo.stack().push(new LanesCommand(what, show, std::exchange(shown_, now), now));
    desk_.document.setOther(kComparison, view.comparison());
  });
}

}  // namespace lab
