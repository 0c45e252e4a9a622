// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/looks.h"

#include <QActionGroup>
#include <QApplication>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>

#include "core/base/at.h"
#include "ui/help/actions.h"
#include "ui/playback/playback.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/projected.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kPointsPerPixel = 72.0 / 96;

// Steps of about an eighth, from the current size.
int otherPoints(bool larger) {
  const int now = theme::chosenPoints() != 0 ? theme::chosenPoints() : qRound(theme::textSize() * kPointsPerPixel);
  const int step = std::max(1, now / 8);
  return std::clamp(larger ? now + step : now - step, theme::kLeastPoints, theme::kMostPoints);
}

}  // namespace

Looks::Looks(QMainWindow& window, Playback& playback)
    : window_(window), playback_(playback), systemTheme_(theme::kind()) {  // until the system's looks are known
  auto* group = new QActionGroup(this);
  const auto addTheme = [&](const char* key, const QString& words, std::optional<theme::Kind> chosen) {
    QAction* action = group->addAction(makeAction(window_, (std::string("theme-") + key).c_str(), words));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, chosen] { setTheme(chosen); });
    themes_.append(action);
  };
  const QString names[] = {tr("&Light"), tr("&Dark"), tr("&High contrast"), tr("&Projector")};
  for (const theme::Kind kind : theme::kKinds) addTheme(theme::keyOf(kind), at(names, kind), kind);
  addTheme("system", tr("As the &system"), std::nullopt);
  themes_.last()->setChecked(true);
  projector_ = makeAction(window, "projector", tr("Projector &mode"), {Qt::Key_F11});
  projector_->setCheckable(true);
  connect(projector_, &QAction::triggered, this, &Looks::setProjectorMode);
  fullScreen_ = makeAction(window, "fullScreen", tr("&Full screen"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)});
  fullScreen_->setCheckable(true);
  connect(fullScreen_, &QAction::triggered, this, &Looks::setFullScreen);
}

void Looks::fillMenu(QMenu& view) {
  QMenu* themes = view.addMenu(tr("T&heme"));
  themes->setObjectName(QStringLiteral("themeMenu"));
  themes->addActions(themes_);
  QMenu* text = view.addMenu(tr("Te&xt"));
  text->setObjectName(QStringLiteral("textMenu"));
  const auto addText = [&](const char* name, const QString& words, const QList<QKeySequence>& keys, auto points) {
    QAction* action = makeAction(window_, name, words, keys);
    connect(action, &QAction::triggered, this, [this, points] { setTextPoints(points()); });
    text->addAction(action);
  };
  addText("largerText", tr("&Larger text"),
          {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
          [] { return otherPoints(true); });
  addText("smallerText", tr("&Smaller text"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
          [] { return otherPoints(false); });
  addText("fittingText", tr("Text size with the &window"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [] { return 0; });
  view.addActions({projector_, fullScreen_});
}

QString Looks::nameOf(theme::Kind kind) const {
  return themes_.at(static_cast<qsizetype>(kind))->text().remove(QLatin1Char('&'));
}

bool Looks::isProjectorMode() const {
  return projector_->isChecked();
}

void Looks::setTheme(std::optional<theme::Kind> chosen) {
  theme_ = chosen;
  visited_.reset();
  showTheme();
}

void Looks::visit(theme::Kind kind) {
  visited_ = kind;
  showTheme();
}

// Projector mode makes light themes stronger, but keeps a dark theme.
theme::Kind Looks::themeInForce() const {
  const theme::Kind usual = usualTheme();
  return isProjectorMode() && usual == theme::Kind::Light ? theme::Kind::Projector : usual;
}

theme::Kind Looks::usualTheme() const {
  return visited_.value_or(theme_.value_or(systemTheme_));
}

void Looks::setReducedMotion(std::optional<bool> chosen) {
  reducedMotion_ = chosen;
  applyMotion();
}

void Looks::setSystem(theme::Kind theme, bool reducedMotion) {
  systemTheme_ = theme;
  systemReducedMotion_ = reducedMotion;
  showTheme();
  applyMotion();
}

// Applies to whatever moves unasked or in passing: steps, docks, and animations of the style.
void Looks::applyMotion() {
  const bool reduced = reducedMotion_.value_or(systemReducedMotion_);
  playback_.setReducedMotion(reduced);
  window_.setDockOptions(window_.dockOptions().setFlag(QMainWindow::AnimatedDocks, !reduced));
  WindowStyle::setReducedMotion(reduced);
}

void Looks::showTheme() {
  auto named = visited_ ? visited_ : theme_;
  if (themeInForce() != usualTheme()) named = themeInForce();
  (named ? themes_[static_cast<qsizetype>(*named)] : themes_.last())->setChecked(true);
  const theme::Kind kind = themeInForce();
  const bool fewer = isProjectorMode() || kind == theme::Kind::Projector, fewerBefore = theme::isProjected();
  if (kind == theme::kind() && fewer == fewerBefore) return;
  Q_EMIT changing(fewer);
  theme::setKind(kind);
  theme::setProjected(isProjectorMode());
  Q_EMIT turned();
  apply();
  Q_EMIT changed(fewerBefore);
}

void Looks::setTextPoints(int points) {
  theme::setChosenPoints(points);
  apply();
}

void Looks::apply() {
  const int size = theme::textSizeFor(window_.height());
  const bool other = size != theme::textSize();
  theme::setTextSize(size);
  theme::apply(*qApp);
  Q_EMIT applied(other);
}

void Looks::setFullScreen(bool on) {
  fullScreen_->setChecked(on);
  if (on == window_.isFullScreen()) return;
  if (on) {
    wasMaximized_ = window_.isMaximized();
    window_.showFullScreen();
  } else if (wasMaximized_) {
    window_.showMaximized();
  } else {
    window_.showNormal();
  }
}

void Looks::setProjectorMode(bool on) {
  projector_->setChecked(on);
  if (on) {
    wasFullScreen_ = window_.isFullScreen();
    showTheme();
    Q_EMIT chromeChanged(false);
    setFullScreen(true);
    // In Express nobody would see what Space trains.
    if (playback_.mode() == Playback::Mode::Express)
      playback_.setMode(playback_.isPlaying() ? Playback::Mode::Live : Playback::Mode::Story);
  } else {
    Q_EMIT chromeChanged(true);
    if (!wasFullScreen_) setFullScreen(false);
    showTheme();
  }
}

}  // namespace lab
