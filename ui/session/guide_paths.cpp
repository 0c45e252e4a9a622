// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/guide_paths.h"

#include <QMenu>
#include <QSettings>

#include "core/base/error.h"
#include "ui/frame/menus.h"
#include "ui/guide/gallery_view.h"
#include "ui/guide/glossary_view.h"
#include "ui/guide/moments_view.h"
#include "ui/guide/quiz_view.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/written_words.h"
#include "ui/session/desk_parts.h"
#include "ui/session/presenter.h"
#include "ui/step/selection.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr const char* kQuizScore = "quiz/score";

}  // namespace

GuidePaths::GuidePaths(DeskParts& desk)
    : QObject(&desk), desk_(desk), presenter_(new Presenter(desk.window, desk.document, desk.view, this)) {
  presenter_->fillMenu(*desk_.window.menus().run);
  connect(presenter_, &Presenter::said, this,
          [this](const QString& text, bool failure) { desk_.say(Notices::Cause::Guide, text, failure); });
  // For a window in which the moment's tab has replaced the list of moments.
  connect(presenter_, &Presenter::shown, this, [this](const QString& title, bool isLast) {
    const auto* list = desk_.window.findChild<MomentsView*>();
    if (isLast || desk_.window.looks().isProjectorMode() || list == nullptr || list->isVisible()) return;
    const auto next = [this] {
      desk_.notices.over(Notices::Cause::Guide);
      presenter_->step(1);
    };
    desk_.notices.set(Notices::Cause::Guide,
                      {title, tr("Next moment"), next, Notice::Kind::Hint, [list] { return list->isVisible(); }});
  });
  connect(presenter_, &Presenter::left, this,
          [this](const QString& text, const QString& remedy, const nlohmann::json& moments) {
            desk_.notices.set(Notices::Cause::Guide, {text, remedy,
                                                      [this, moments] {
                                                        presenter_->moments().read(moments);
                                                        desk_.notices.over(Notices::Cause::Guide);
                                                      },
                                                      Notice::Kind::Hint});
          });
}

void GuidePaths::lead(const Moment& moment) {
  try {
    desk_.window.selection().pin({});  // the previous moment's mark does not belong to this one
    desk_.view.show(moment);
    desk_.notices.over(Notices::Cause::Guide);
  } catch (const UserError& error) {
    desk_.say(Notices::Cause::Guide, coreSentence(error), true);
  }
}

// A narrow window has room for one side only, and another workspace has its own tabs.
void GuidePaths::offerBack(QWidget& view, const QString& tab, const QString& text, const QString& remedy) {
  if (view.isVisible() || desk_.notices.has(Notices::Cause::Guide)) return;
  const auto back = [this, tab] {
    desk_.notices.over(Notices::Cause::Guide);
    desk_.window.panels().openTab(tab);
  };
  desk_.notices.set(Notices::Cause::Guide,
                    {text, remedy, back, Notice::Kind::Hint, [&view] { return view.isVisible(); }});
}

void GuidePaths::adopt(QWidget* view) {
  if (auto* gallery = qobject_cast<GalleryView*>(view)) {
    connect(gallery, &GalleryView::wanted, this, [this, gallery](const Moment& moment) {
      lead(moment);
      offerBack(*gallery, QStringLiteral("galleryTab"), gallery->sentence(), tr("Back to the gallery"));
    });
  } else if (auto* glossary = qobject_cast<GlossaryView*>(view)) {
    connect(glossary, &GlossaryView::wanted, this, [this, glossary](const Moment& moment) {
      lead(moment);
      const GlossaryTerm* term = glossary->shown();
      offerBack(*glossary, QStringLiteral("glossaryTab"), term != nullptr ? writtenWords(term->term) : QString(),
                tr("Back to the glossary"));
    });
  } else if (auto* moments = qobject_cast<MomentsView*>(view)) {
    presenter_->follow(*moments);
  } else if (auto* quiz = qobject_cast<QuizView*>(view)) {
    connect(quiz, &QuizView::wanted, this, [this, quiz](const Moment& moment) {
      lead(moment);
      offerBack(*quiz, QStringLiteral("quizTab"), tr("Look: %1").arg(quiz->look()), tr("Back to the quiz"));
    });
    quiz->setScore(desk_.settings.value(QLatin1String(kQuizScore)).toString());
    connect(quiz, &QuizView::scored, this,
            [this, quiz] { desk_.settings.setValue(QLatin1String(kQuizScore), quiz->score()); });
  }
}

}  // namespace lab
