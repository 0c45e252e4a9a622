// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kept_session.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGuiApplication>
#include <QSettings>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "ui/charts/chart_panel.h"
#include "ui/classroom/class_locks.h"
#include "ui/frame/tool_bars.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/movie/movie_dialog.h"
#include "ui/runview/run_controller.h"
#include "ui/serving/served_class.h"
#include "ui/session/desk_parts.h"
#include "ui/session/file_desk.h"
#include "ui/session/preferences.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/theme.h"
#include "ui/window/charts_offer.h"
#include "ui/window/main_window.h"

namespace lab {

KeptSession::KeptSession(DeskParts& desk, FileDesk& files, const ClassLocks& locks)
    : desk_(desk), files_(files), locks_(locks) {
  desk_.window.installEventFilter(this);
  connect(&desk_.window, &MainWindow::viewMade, this, [this](QWidget* view) {
    if (auto* charts = qobject_cast<ChartPanel*>(view)) charts->setOptions(charts_);
  });
  // The display may go without a word.
  connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &KeptSession::store);
}

void KeptSession::keep(const QString& folder) {
  try {
    session_ =
        std::make_unique<Session>(folder, desk_.document, desk_.window.experiment(), desk_.window.library(), this);
    connect(session_.get(), &Session::said, this, [this](const QString& text, bool failure) {
      if (failure) return desk_.say(Notices::Cause::Session, text, true);
      desk_.notices.set(Notices::Cause::Crash, {text, {}, {}, Notice::Kind::Hint});
    });
    connect(session_.get(), &Session::saved, this, [this] {
      unkeptTold_ = false;
      checkSettings();
    });
    connect(session_.get(), &Session::otherEnded, this, [this] { desk_.notices.over(Notices::Cause::Window); });
    checkSettings();
  } catch (const UserError& error) {
    desk_.say(Notices::Cause::Session, coreSentence(error), true);
  }
}

// QSettings does not report by itself what it could not write, such as the progress in lessons.
void KeptSession::checkSettings() {
  desk_.settings.sync();
  if (desk_.settings.status() == QSettings::NoError) return desk_.notices.over(Notices::Cause::Session);
  if (std::exchange(settingsTold_, true)) return;
  desk_.say(Notices::Cause::Session,
            tr("settings and the progress in lessons cannot be stored: '%1' cannot be written. Make room, or check "
               "that the folder may be written to.")
                .arg(desk_.settings.fileName()),
            true);
}

bool KeptSession::restore() {
  if (!session_) return false;
  if (!readPreferences(desk_.settings).reopen) {
    session_->passOn();
    return false;
  }
  const bool isThere = session_->restore();
  desk_.undo.forget();
  if (isThere) Q_EMIT restored();
  if (isThere) desk_.offerView(tr("When StrategyLab was last closed, the window showed: %1."));
  if (session_->isOtherThere())
    offerCopy(isThere
                  ? tr("Another window of StrategyLab holds the session. This window has opened its own session again.")
                  : tr("Another window of StrategyLab holds the session, so this one starts empty."),
              tr("Open a copy"));
  return isThere;
}

void KeptSession::restoreRuns() {
  if (!session_) return;
  readPreferences(desk_.settings).reopen ? session_->restoreRuns() : session_->passOn();
}

void KeptSession::offerCopy(const QString& words, const QString& button) {
  const auto copy = [this] {
    if (session_->copyOther()) {
      Q_EMIT restored();
      return desk_.undo.forget();
    }
    offerCopy(tr("The other window has stored nothing yet."), tr("Try again"));
  };
  desk_.notices.set(Notices::Cause::Window, {words, button, copy, Notice::Kind::Hint});
}

void KeptSession::rememberWindow() {
  desk_.settings.setValue(QStringLiteral("window/geometry"), desk_.window.saveGeometry());
  if (!locks_.isInForce()) {  // a file's locks are not the user's preference
    desk_.settings.setValue(QStringLiteral("window/panels"), desk_.window.panels().save());
    desk_.settings.setValue(QStringLiteral("window/workspace"),
                            QLatin1String(keyOf(desk_.window.workspaces().chosen())));
    desk_.settings.setValue(QStringLiteral("window/chartsOffered"), desk_.window.chartsOffer().isMade());
  }
  desk_.settings.setValue(QStringLiteral("window/more"), desk_.window.toolBars().showsMore());
  keepTheme(desk_.settings, desk_.window.looks().chosenTheme());
  desk_.settings.setValue(QStringLiteral("window/textPoints"), theme::chosenPoints());
  desk_.settings.setValue(QStringLiteral("playback/speed"), desk_.window.playback().speed());
  desk_.settings.setValue(QStringLiteral("playback/unit"), static_cast<int>(desk_.window.playback().unit()));
  const auto* panel = desk_.window.findChild<ChartPanel*>();
  const ChartOptions& charts = panel != nullptr ? panel->options() : charts_;
  desk_.settings.setValue(QStringLiteral("charts/axis"), static_cast<int>(charts.axis));
  desk_.settings.setValue(QStringLiteral("charts/smoothing"), charts.smoothing);
  desk_.settings.setValue(QStringLiteral("charts/logarithmic"), charts.logarithmic);
}

void KeptSession::restoreWindow() {
  const auto value = [this](const char* key) { return desk_.settings.value(QLatin1String(key)); };
  applyPreferences(readPreferences(desk_.settings), desk_.window);
  const std::string workspace = value("window/workspace").toString().toStdString();
  if (const auto row = std::ranges::find(kLayouts, workspace, &LayoutRow::key); row != kLayouts.end())
    desk_.window.workspaces().choose(static_cast<WindowLayout>(row - kLayouts.begin()));
  desk_.window.restoreGeometry(value("window/geometry").toByteArray());  // Qt moves it back if its screen is gone
  // Full screen has no title bar, and may have been projector mode's.
  if (desk_.window.isFullScreen()) desk_.window.setWindowState(Qt::WindowMaximized);
  desk_.window.panels().restore(value("window/panels").toByteArray());
  desk_.window.chartsOffer().setMade(value("window/chartsOffered").toBool());
  desk_.window.toolBars().setShowsMore(value("window/more").toBool());
  const double speed = value("playback/speed").toDouble();
  if (speed == 0.25 || speed == 1 || speed == 4) desk_.window.playback().setSpeed(speed);
  const int unit = value("playback/unit").isValid() ? value("playback/unit").toInt() : -1;
  if (unit >= 0 && unit <= static_cast<int>(Playback::Unit::Epoch))
    desk_.window.playback().setUnit(static_cast<Playback::Unit>(unit));
  const int axis = value("charts/axis").toInt();
  if (axis >= 0 && axis < static_cast<int>(kXAxes.size())) charts_.axis = static_cast<XAxis>(axis);
  const double smoothing = value("charts/smoothing").toDouble();
  charts_.smoothing = std::isfinite(smoothing) ? std::clamp(smoothing, 0.0, 0.99) : 0;  // a file may hold "nan"
  charts_.logarithmic = value("charts/logarithmic").toBool();
  if (auto* panel = desk_.window.findChild<ChartPanel*>()) panel->setOptions(charts_);
}

// What would be lost with the window, one sentence each. The session stores settings and curves, and a sweep's folder
// stores the runs that have ended.
QStringList KeptSession::losses() const {
  QStringList words;
  const RunController& run = desk_.window.controller();
  const RunInfo* info = run.info();
  const QString step = countText(run.liveStep());
  if (desk_.window.servedClass().isOpen())
    words << tr("A class is being served, with %Ln workers. The lesson ends for them.", nullptr,
                desk_.window.servedClass().totals().workers);
  const bool isPaused = run.state() == RunState::Paused;
  if (info != nullptr && (run.state() == RunState::Running || (isPaused && run.liveStep() > info->firstStep)))
    words << (isPaused && !desk_.window.playback().isPlaying()
                  ? tr("A run is paused at step %1 of %2. Its curves are kept; its weights are lost.")
                  : tr("Training is under way, at step %1 of %2. Its curves are kept; its weights are lost."))
                 .arg(step, countText(info->totalSteps));
  const auto* sweep = desk_.window.findChild<SweepView*>();
  if (sweep != nullptr && sweep->run().isRunning())
    words << tr("A sweep is under way: %1 of %Ln runs ended. What ended is kept; what is under way is lost.", nullptr,
                sweep->run().runnable())
                 .arg(countText(sweep->run().ended()));
  const auto* movie = desk_.window.findChild<MovieDialog*>();
  if (movie != nullptr && movie->isMaking()) words << tr("A movie is being written. It will be lost.");
  return words;
}

bool KeptSession::mayClose() {
  const QStringList lost = closing_ ? QStringList() : losses();
  if (closing_ || (!files_.isChanged() && lost.isEmpty())) return true;
  files_.askBefore(lost, [this] {
    closing_ = true;
    discards_ = files_.isChanged();  // although it could have been saved
    desk_.window.close();
  });
  return false;
}

void KeptSession::store() {
  rememberWindow();
  checkSettings();  // stores them at once
  try {
    if (session_) session_->finish();
  } catch (const std::exception& error) {
    desk_.say(Notices::Cause::Session, coreSentence(error), true);
  }
}

void KeptSession::endNow() {
  closing_ = unkeptTold_ = true;
  desk_.window.close();
  QCoreApplication::exit(isUnkept_ ? 1 : 0);  // whatever dialogs are open
}

bool KeptSession::finish() {
  isUnkept_ = false;
  if (!session_) return true;
  const bool told = unkeptTold_;  // finish() may also end an earlier saving, which went well
  try {
    session_->finish(discards_);
    return true;
  } catch (const std::exception& error) {
    isUnkept_ = unkeptTold_ = true;
    if (told) {  // it was reported already, or nobody would see the message
      std::fputs(("strategylab: " + sentence(error.what()) + "\n").c_str(), stderr);
      return true;
    }
    desk_.say(Notices::Cause::Session, tr("%1 Close the window again to quit anyway.").arg(coreSentence(error)), true);
    closing_ = discards_ = false;  // until the next closing, there may be more to lose
    return false;
  }
}

bool KeptSession::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &desk_.window || event->type() != QEvent::Close) return false;
  if (mayClose()) {
    rememberWindow();
    if (finish()) return false;
  }
  event->ignore();
  return true;
}

}  // namespace lab
