// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's looks: theme, text size, full screen, and projector mode, which combines all three.
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>

#include <algorithm>
#include <utility>

#include "ui/help/actions.h"
#include "ui/serving/served_class.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/projected.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/panel.h"

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

void MainWindow::fillLooks(QMenu& view) {
  QMenu* themes = view.addMenu(tr("T&heme"));
  themes->setObjectName(QStringLiteral("themeMenu"));
  auto* group = new QActionGroup(this);
  const auto addTheme = [&](const char* key, const QString& words, std::optional<theme::Kind> chosen) {
    QAction* action = group->addAction(addAct((std::string("theme-") + key).c_str(), words, {}));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, chosen] { setTheme(chosen); });
    themes_.append(action);
  };
  const QString names[] = {tr("&Light"), tr("&Dark"), tr("&High contrast"), tr("&Projector")};
  for (const theme::Kind kind : theme::kKinds)
    addTheme(theme::keyOf(kind), names[static_cast<std::size_t>(kind)], kind);
  addTheme("system", tr("As the &system"), std::nullopt);
  themes_.last()->setChecked(true);
  themes->addActions(themes_);

  QMenu* text = view.addMenu(tr("Te&xt"));
  text->setObjectName(QStringLiteral("textMenu"));
  const auto addText = [&](const char* name, const QString& words, const QList<QKeySequence>& keys, auto points) {
    QAction* action = addAct(name, words, keys);
    connect(action, &QAction::triggered, this, [this, points] { setTextPoints(points()); });
    text->addAction(action);
  };
  addText("largerText", tr("&Larger"), {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
          [] { return otherPoints(true); });
  addText("smallerText", tr("&Smaller"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)}, [] { return otherPoints(false); });
  addText("fittingText", tr("With the &window"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [] { return 0; });

  projector_ = addAct("projector", tr("Projector &mode"), {Qt::Key_F11});
  projector_->setCheckable(true);
  connect(projector_, &QAction::triggered, this, &MainWindow::setProjectorMode);
  fullScreen_ = addAct("fullScreen", tr("&Full screen"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)});
  fullScreen_->setCheckable(true);
  connect(fullScreen_, &QAction::triggered, this, &MainWindow::setFullScreen);
  view.addActions({projector_, fullScreen_});
}

QString MainWindow::nameOf(theme::Kind kind) const {
  return themes_.at(static_cast<qsizetype>(kind))->text().remove(QLatin1Char('&'));
}

void MainWindow::setTheme(std::optional<theme::Kind> chosen) {
  theme_ = chosen;
  visited_.reset();
  showTheme();
}

void MainWindow::visit(theme::Kind kind) {
  visited_ = kind;
  showTheme();
}

// Projector mode makes light themes stronger, but keeps a dark theme.
theme::Kind MainWindow::themeInForce() const {
  const theme::Kind usual = usualTheme();
  return isProjectorMode() && usual == theme::Kind::Light ? theme::Kind::Projector : usual;
}

theme::Kind MainWindow::usualTheme() const {
  return visited_.value_or(theme_.value_or(systemTheme_));
}

void MainWindow::setReducedMotion(std::optional<bool> chosen) {
  reducedMotion_ = chosen;
  applyMotion();
}

void MainWindow::setSystemLooks(theme::Kind theme, bool reducedMotion) {
  systemTheme_ = theme;
  systemReducedMotion_ = reducedMotion;
  showTheme();
  applyMotion();
}

// Applies to whatever moves unasked or in passing: steps, docks, and animations of the style.
void MainWindow::applyMotion() {
  const bool reduced = reducedMotion_.value_or(systemReducedMotion_);
  playback_.setReducedMotion(reduced);
  setDockOptions(dockOptions().setFlag(AnimatedDocks, !reduced));
  WindowStyle::setReducedMotion(reduced);
}

void MainWindow::showTheme() {
  auto named = visited_ ? visited_ : theme_;
  if (themeInForce() != usualTheme()) named = themeInForce();
  (named ? themes_[static_cast<qsizetype>(*named)] : themes_.last())->setChecked(true);
  const theme::Kind kind = themeInForce();
  const bool fewer = isProjectorMode() || kind == theme::Kind::Projector, fewerBefore = theme::isProjected();
  if (kind == theme::kind() && fewer == fewerBefore) return;
  if (fewer) keepPanels();
  theme::setKind(kind);
  theme::setProjected(isProjectorMode());
  refreshNotice();
  applyTheme();
  if (fewer || fewerBefore) showPanels();
  fitPanels();
  followClass();
  if (fewer == fewerBefore) return;
  chartsProjected_ = false;
  offeredAt_ = -1;
  QTimer::singleShot(0, this, &MainWindow::offerCharts);  // once the stage has its room
}

void MainWindow::setTextPoints(int points) {
  theme::setChosenPoints(points);
  applyTheme();
}

// For a window of this size.
void MainWindow::applyTheme() {
  const int size = theme::textSizeFor(height());
  const bool other = size != theme::textSize();
  theme::setTextSize(size);
  theme::apply(*qApp);
  fitBars();
  // Hidden parts report the size they need with the new letters only after this.
  if (other) QTimer::singleShot(0, this, &MainWindow::fitBars);
  if (other) sizePanels();
  fitPanels();
}

void MainWindow::setFullScreen(bool on) {
  fullScreen_->setChecked(on);
  if (on == isFullScreen()) return;
  if (on) {
    wasMaximized_ = isMaximized();
    showFullScreen();
  } else if (wasMaximized_) {
    showMaximized();
  } else {
    showNormal();
  }
}

void MainWindow::setProjectorMode(bool on) {
  projector_->setChecked(on);
  if (on) {
    wasFullScreen_ = isFullScreen();
    showTheme();
    setChrome(false);
    setFullScreen(true);
    // In Express nobody would see what Space trains.
    if (playback_.mode() == Playback::Mode::Express)
      playback_.setMode(playback_.isPlaying() ? Playback::Mode::Live : Playback::Mode::Story);
  } else {
    setChrome(true);
    if (!wasFullScreen_) setFullScreen(false);
    showTheme();
  }
}

// Without it everything is done by keys, and the stage shows the mode.
void MainWindow::setChrome(bool shown) {
  if (!shown)
    for (const NamedAction& named : actionsOf(*menuBar()))  // a hidden menu would lose its shortcuts
      if (!named.action->shortcuts().isEmpty()) addAction(named.action);
  menuBar()->setVisible(shown);
  showBars();
  for (Panel* panel : panels_) panel->setBare(!shown);
  stage_->setShowsMode(!shown);
}

// Esc closes the latest thing that is in the way.
void MainWindow::leave() {
  if (stage_->releaseSpeedHandle()) return;
  if (showsCode() && class_->totals().workers > 0) return setShowsCode(false);
  if (selection_.pinned()) {
    selection_.pin({});
  } else if (stage_->zoomed() >= 0) {
    stage_->zoomInto(-1);
  } else if (isProjectorMode()) {
    setProjectorMode(false);
  } else if (isFullScreen()) {
    setFullScreen(false);
  }
}

}  // namespace lab
