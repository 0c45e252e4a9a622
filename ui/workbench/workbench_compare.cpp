// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison that an experiment's file keeps: its lanes wait until Compare is shown, and what a person makes of
// them is kept again.
#include <QUndoCommand>

#include <functional>
#include <utility>

#include "core/base/error.h"
#include "ui/compare/compare_view.h"
#include "ui/window/main_window.h"
#include "ui/words/core_words.h"
#include "ui/workbench/workbench.h"

namespace lab {
namespace {

constexpr const char* kComparison = "comparison";

// Lanes that were added, closed or ordered otherwise: back, and again.
class LanesCommand final : public QUndoCommand {
 public:
  using Show = std::function<void(const nlohmann::json&)>;

  LanesCommand(Show show, nlohmann::json before, nlohmann::json after)
      : QUndoCommand(Workbench::tr("lanes of Compare")),
        show_(std::move(show)),
        before_(std::move(before)),
        after_(std::move(after)) {}
  void undo() override { show_(before_); }
  void redo() override {
    if (!std::exchange(done_, false)) show_(after_);  // pushed: it is done already
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
  } else {
    comparing_ = std::move(comparing);
  }
  if (!tell || lanes == 0 || window_.windowLayout() == WindowLayout::Compare) return;
  QStringList branch;
  for (const Message& part : describe(lineage)) branch << coreText(part);
  const QString text = kept != nullptr    ? tr("This file has %Ln lanes beside its run.", nullptr, lanes)
                       : branch.isEmpty() ? QString()
                                          : tr("This file is of a branch (%1). Its parent stands beside it in Compare.")
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
  connect(&view, &CompareView::comparisonChanged, this, [this, &view] {
    nlohmann::json now = view.comparison();
    if (now == comparison_) return;  // the same lanes, of another experiment
    const auto show = [this, &view](const nlohmann::json& lanes) {
      view.take(lanes.is_null() ? Comparing{} : comparingFromJson(lanes));
      comparison_ = lanes;
      document_.setOther(kComparison, lanes);
    };
    undo_.stack().push(new LanesCommand(show, std::exchange(comparison_, now), now));
    document_.setOther(kComparison, std::move(now));
  });
}

}  // namespace lab
