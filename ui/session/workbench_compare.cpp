// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison that an experiment's file keeps: its lanes wait until Compare is shown, and what a person makes of
// them is kept again.
#include <QUndoCommand>

#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/training/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/i18n/core_words.h"
#include "ui/session/workbench.h"
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
  if (added.size() == 1 && closed.isEmpty()) return Workbench::tr("lane %1 of Compare added").arg(added.front());
  if (closed.size() == 1 && added.isEmpty()) return Workbench::tr("lane %1 of Compare closed").arg(closed.front());
  return before == after ? Workbench::tr("how lanes of Compare stand beside each other")
                         : Workbench::tr("lanes of Compare");
}

// Lanes that were added, closed or ordered otherwise: back, and again.
class LanesCommand final : public QUndoCommand {
 public:
  using Show = std::function<void(const nlohmann::json&, const QString& said)>;

  LanesCommand(const QString& what, Show show, nlohmann::json before, nlohmann::json after)
      : QUndoCommand(what), show_(std::move(show)), before_(std::move(before)), after_(std::move(after)) {}
  void undo() override { show_(before_, Workbench::tr("Taken back: %1.").arg(text())); }
  void redo() override {
    if (!std::exchange(done_, false))  // pushed: it is done already
      show_(after_, Workbench::tr("Done again: %1.").arg(text()));
  }

 private:
  Show show_;
  nlohmann::json before_, after_;
  bool done_ = true;
};

}  // namespace

// Of what was opened. A branch without one is shown beside its parent. Nothing that is opened rearranges the window.
void Workbench::takeComparison(bool tell) {
  notices_.over(Notices::Cause::Lanes);
  Comparing comparing;
  const nlohmann::json* kept = document_.other(kComparison);
  const Lineage& lineage = window_.experiment().lineage();
  try {
    if (kept != nullptr) {
      comparing = comparingFromJson(*kept);
    } else if (auto parent = parentWish(lineage)) {
      if (parent->name.isEmpty()) parent->name = tr("The branch's parent");
      comparing.wishes.push_back(std::move(*parent));
    }
  } catch (const UserError& error) {
    say(Notices::Cause::Lanes, coreSentence(error), true);
  }
  const int lanes = static_cast<int>(comparing.wishes.size());
  if (CompareView* view = window_.comparison()) {
    view->take(std::move(comparing));
    comparison_ = view->comparison();
    laneNames_ = namesOf(view->lanes());
  } else {
    comparing_ = std::move(comparing);
  }
  if (!tell || lanes == 0 || window_.windowLayout() == WindowLayout::Compare) return;
  QStringList branch;
  for (const Message& part : describe(lineage)) branch << coreText(part);
  const QString text = kept != nullptr    ? tr("This file has %Ln lanes beside its run.", nullptr, lanes)
                       : branch.isEmpty() ? QString()
                                          : tr("This file holds a branch (%1). Its parent stands beside it in Compare.")
                                                .arg(branch.join(QStringLiteral(", ")));
  const auto show = [this] {
    notices_.over(Notices::Cause::Lanes);
    window_.setWindowLayout(WindowLayout::Compare);
  };
  notices_.set(Notices::Cause::Lanes, {text, tr("Compare"), show, Notice::Kind::Hint,
                                       [this] { return window_.windowLayout() == WindowLayout::Compare; }});
}

void Workbench::adoptCompare(CompareView& view) {
  view.take(std::exchange(comparing_, {}));
  comparison_ = view.comparison();
  laneNames_ = namesOf(view.lanes());
  connect(&view, &CompareView::comparisonChanged, this, [this, &view] {
    nlohmann::json now = view.comparison();
    QStringList names = namesOf(view.lanes());
    if (now == comparison_) {  // the same lanes, of another experiment
      laneNames_ = std::move(names);
      return;
    }
    // Lanes come and go where they are seen, wherever it was asked for.
    const auto show = [this, &view](const nlohmann::json& lanes, const QString& said) {
      window_.visit(WindowLayout::Compare);
      view.take(lanes.is_null() ? Comparing{} : comparingFromJson(lanes));
      comparison_ = lanes;
      laneNames_ = namesOf(view.lanes());
      document_.setOther(kComparison, lanes);
      mention(said);
    };
    const QString what = lanesChange(laneNames_, names);
    laneNames_ = std::move(names);
    undo_.stack().push(new LanesCommand(what, show, std::exchange(comparison_, now), now));
    document_.setOther(kComparison, std::move(now));
  });
}

}  // namespace lab
