// SPDX-License-Identifier: GPL-3.0-or-later
// What the views of the panel Guide lead to, and what is remembered of them.
#include <QMenu>
#include <QSettings>

#include "core/base/error.h"
#include "ui/guide/gallery_view.h"
#include "ui/guide/glossary_view.h"
#include "ui/guide/moments_view.h"
#include "ui/guide/quiz_view.h"
#include "ui/i18n/core_words.h"
#include "ui/scene/selection.h"
#include "ui/session/presenter.h"
#include "ui/session/workbench.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr const char* kQuizScore = "quiz/score";

}  // namespace

void Workbench::lead(const Moment& moment) {
  try {
    window_.selection().pin({});  // what the last one has marked is not of this one
    view_.show(moment);
    notices_.over(Notices::Cause::Guide);
  } catch (const UserError& error) {
    say(Notices::Cause::Guide, coreSentence(error), true);
  }
}

void Workbench::adoptGuide(QWidget* view) {
  if (auto* gallery = qobject_cast<GalleryView*>(view)) {
    connect(gallery, &GalleryView::wanted, this, &Workbench::lead);
  } else if (auto* glossary = qobject_cast<GlossaryView*>(view)) {
    connect(glossary, &GlossaryView::wanted, this, &Workbench::lead);
  } else if (auto* moments = qobject_cast<MomentsView*>(view)) {
    presenter_->follow(*moments);
  } else if (auto* quiz = qobject_cast<QuizView*>(view)) {
    connect(quiz, &QuizView::wanted, this, [this, quiz](const Moment& moment) {
      lead(moment);
      if (quiz->isVisible() || notices_.has(Notices::Cause::Guide)) return;
      // A narrow window has room for one side.
      const auto back = [this] {
        notices_.over(Notices::Cause::Guide);
        window_.openTab(QStringLiteral("quizTab"));
      };
      notices_.set(Notices::Cause::Guide, {tr("Look: %1").arg(quiz->look()), tr("Back to the quiz"), back,
                                           Notice::Kind::Hint, [quiz] { return quiz->isVisible(); }});
    });
    quiz->setScore(settings_.value(QLatin1String(kQuizScore)).toString());
    connect(quiz, &QuizView::scored, this,
            [this, quiz] { settings_.setValue(QLatin1String(kQuizScore), quiz->score()); });
  }
}

void Workbench::makePresenter() {
  presenter_ = new Presenter(window_, document_, view_, this);
  presenter_->fillMenu(*window_.menus().run);
  connect(presenter_, &Presenter::said, this,
          [this](const QString& text, bool failure) { say(Notices::Cause::Guide, text, failure); });
  // In a window whose tab for the moment stands where the list of moments was.
  connect(presenter_, &Presenter::shown, this, [this](const QString& title, bool isLast) {
    const auto* list = window_.findChild<MomentsView*>();
    if (isLast || window_.isProjectorMode() || list == nullptr || list->isVisible()) return;
    const auto next = [this] {
      notices_.over(Notices::Cause::Guide);
      presenter_->step(1);
    };
    notices_.set(Notices::Cause::Guide,
                 {title, tr("Next moment"), next, Notice::Kind::Hint, [list] { return list->isVisible(); }});
  });
  connect(presenter_, &Presenter::left, this,
          [this](const QString& text, const QString& remedy, const nlohmann::json& moments) {
            notices_.set(Notices::Cause::Guide, {text, remedy,
                                                 [this, moments] {
                                                   presenter_->moments().read(moments);
                                                   notices_.over(Notices::Cause::Guide);
                                                 },
                                                 Notice::Kind::Hint});
          });
}

}  // namespace lab
