// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/life.h"

#include <QAbstractButton>

#include <algorithm>

#include "tests/ui/small_config.h"
#include "ui/compare/compare_view.h"
#include "ui/frame/tool_bars.h"
#include "ui/help/notice.h"
#include "ui/lanes/lane_specs.h"
#include "ui/serving/served_class.h"

namespace lab::robot {

bench::Options Life::options() {
  bench::Options options;
  options.size = {1280, 800};
  return options;
}

Life::Life(const QString& home)
    : settings_(home + QStringLiteral("/settings.ini"), QSettings::IniFormat),
      desk_(options(), WindowLayout::Teach, false),
      workbench_(desk_.window, settings_) {
  desk_.playback.setBeginsAtFirstBatch(true);
  workbench_.session().restoreWindow();
  workbench_.session().keep(home + QStringLiteral("/kept"));
  if (!workbench_.session().restore()) desk_.window.experiment().begin(test::smallConfig());
  desk_.window.show();
  desk_.window.activateWindow();
  workbench_.undo().forget();
}

Life::~Life() {
  workbench_.session().endNow();
}

bool Life::tidy() {
  MainWindow& window = desk_.window;
  if (window.servedClass().isOpen()) {
    window.servedClass().end();
    return false;
  }
  for (auto* cancel : window.findChildren<QAbstractButton*>(QStringLiteral("sweepCancel")))
    if (cancel->isEnabled()) cancel->click();
  if (CompareView* lanes = window.centre().comparison()) lanes->take({});
  window.looks().setProjectorMode(false);
  window.showNormal();
  window.resize(options().size);
  window.looks().setTheme(theme::Kind::Light);
  window.looks().setTextPoints(0);
  window.looks().setReducedMotion(false);
  window.toolBars().setShowsMore(false);
  desk_.playback.pause();
  desk_.playback.setMode(Playback::Mode::Play);
  desk_.playback.setSpeed(1);
  workbench_.document().begin();
  window.experiment().begin(test::smallConfig(), Experiment::By::Teacher);
  std::vector<int> kept;
  for (const KeptRun& run : window.library().runs())
    if (window.library().canRemove(run.id)) kept.push_back(run.id);
  window.library().remove(kept);
  for (Notice* notice : window.findChildren<Notice*>())  // it would keep the runs, to bring them back
    if (notice->isVisible()) Q_EMIT notice->closed();
  window.workspaces().choose(WindowLayout::Teach);
  window.panels().reset();
  window.experiment().forgetPast();
  workbench_.undo().forget();
  return true;
}

bool Life::isTidy() {
  return desk_.playback.record() != nullptr && desk_.controller.isAtRest() && desk_.playback.isSettled();
}

Life::Frames Life::playScene(double seconds) {
  Playback& playback = desk_.playback;
  playback.home();
  bench::PaintWatch watch(desk_);
  playback.play();
  bench::waitFor(std::min(0.3, seconds));  // until the movie is under way
  watch.forget();
  const double before = bench::threadSeconds();
  bench::waitFor(seconds);
  const double used = bench::threadSeconds() - before;
  playback.pause();
  const std::vector<double>& ms = watch.intervalsMs();
  return {bench::quantileOf(ms, 0.5), bench::quantileOf(ms, 0.99),
          1000 * used / static_cast<double>(std::max<std::size_t>(ms.size(), 1))};
}

}  // namespace lab::robot
