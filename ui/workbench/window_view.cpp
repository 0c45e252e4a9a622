// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/window_view.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ui/look/theme.h"
#include "ui/playback/captions.h"
#include "ui/scene/object_name.h"
#include "ui/transport/transport.h"
#include "ui/window/main_window.h"
#include "ui/words/words.h"

namespace lab {
namespace {

// In the order of their enums.
constexpr std::array kModes{"story", "play", "live", "fast", "express"};

template <typename Enum, std::size_t kCount>
std::optional<Enum> named(const std::array<const char*, kCount>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

template <typename Enum, std::size_t kCount>
std::string nameOf(const std::array<const char*, kCount>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

std::optional<WindowLayout> layoutOf(const std::string& key) {
  const auto found = std::ranges::find(kLayouts, key, &LayoutRow::key);
  if (found == kLayouts.end()) return std::nullopt;
  return static_cast<WindowLayout>(found - kLayouts.begin());
}

}  // namespace

WindowView::WindowView(MainWindow& window, QObject* parent) : QObject(parent), window_(window) {
  connect(&window_.playback(), &Playback::changed, this, &WindowView::goOn);
  connect(&window_.experiment(), &Experiment::started, this, [this] { step_ = 0; });
}

SavedView WindowView::now() const {
  SavedView view;
  const Playback& playback = window_.playback();
  view.step = playback.step();
  const Story& story = playback.story();
  if (!story.beats.empty() && playback.seconds() > 0) {
    const Beat& beat = story.beats[story.beatAt(playback.seconds())];
    const double length = beat.endS - beat.beginS;
    view.beat = beatKey(beat.kind);
    view.part = length > 0 ? std::clamp((playback.seconds() - beat.beginS) / length, 0.0, 1.0) : 0;
  }
  view.layout = keyOf(window_.windowLayout());
  view.theme = theme::keyOf(window_.usualTheme());
  view.mode = nameOf(kModes, playback.mode());
  return view;
}

QString WindowView::difference(const SavedView& saved) const {
  QStringList parts;
  const SavedView here = now();
  const std::int64_t step = std::max<std::int64_t>(here.step, 1);  // the first one is on its way
  const QString beat = beatNamed(saved.beat);
  if (saved.step > 0 && (saved.step != step || (!beat.isEmpty() && saved.beat != here.beat)))
    parts << (beat.isEmpty() ? tr("step %1").arg(countText(saved.step))
                             : tr("step %1, %2").arg(countText(saved.step), beat));
  if (const auto layout = layoutOf(saved.layout); layout && *layout != window_.windowLayout())
    parts << tr("layout %1").arg(window_.nameOf(*layout));
  if (const auto kind = theme::kindOf(saved.theme); kind && saved.theme != here.theme)
    parts << tr("theme %1").arg(window_.nameOf(*kind));
  if (const auto mode = named<Playback::Mode>(kModes, saved.mode); mode && *mode != window_.playback().mode())
    parts << tr("mode %1").arg(modeName(*mode));
  return parts.join(QStringLiteral(" · "));
}

void WindowView::show(const SavedView& saved) {
  if (const auto layout = layoutOf(saved.layout); layout && *layout != window_.windowLayout()) window_.visit(*layout);
  if (const auto kind = theme::kindOf(saved.theme); kind && saved.theme != now().theme) {
    if (window_.isProjectorMode()) window_.setProjectorMode(false);
    window_.visit(*kind);
  }
  if (const auto mode = named<Playback::Mode>(kModes, saved.mode)) window_.playback().setMode(*mode);
  if (saved.step > 0) goTo(saved.step, saved.beat, saved.part);
}

void WindowView::show(const Moment& moment, Experiment::By whom) {
  Experiment& experiment = window_.experiment();
  const auto isRun = [&](const RunConfig& config) {
    return configToJson(config) == configToJson(withoutOutputs(experiment.asked()));
  };
  if (moment.settings && !isRun(*moment.settings)) experiment.begin(*moment.settings, whom);
  SavedView there = moment.view;
  there.step = 0;
  show(there);
  if (window_.tabNames().contains(QString::fromStdString(moment.tab)))
    window_.showTab(QString::fromStdString(moment.tab));
  object_ = moment.object;
  std::int64_t step = moment.view.step;
  if (step == 0 && moment.settings) step = 1;
  if (step == 0 && !moment.view.beat.empty()) step = std::max<std::int64_t>(window_.playback().step(), 1);
  if (step == 0) return arrive();
  window_.playback().pause();
  goTo(step, moment.view.beat, moment.view.part);
}

QString WindowView::unknownIn(const Moment& moment, const QStringList& tabs) {
  const SavedView& view = moment.view;
  if (!view.layout.empty() && !layoutOf(view.layout)) return QStringLiteral("workspace");
  if (!view.theme.empty() && !theme::kindOf(view.theme)) return QStringLiteral("theme");
  if (!view.mode.empty() && !named<Playback::Mode>(kModes, view.mode)) return QStringLiteral("mode");
  if (!view.beat.empty() && beatNamed(view.beat).isEmpty()) return QStringLiteral("beat");
  if (!moment.object.empty() && !objectNamed(moment.object)) return QStringLiteral("object");
  if (!moment.tab.empty() && !tabs.contains(QString::fromStdString(moment.tab))) return QStringLiteral("tab");
  return {};
}

void WindowView::goTo(std::int64_t step, const std::string& beat, double part) {
  step_ = step;
  beat_ = beat;
  part_ = part;
  going_ = false;
  goOn();
}

// The run's first picture comes before any other; the step's story says where its beats are, and is there when the
// step is.
void WindowView::goOn() {
  Playback& playback = window_.playback();
  if (step_ == 0 || playback.record() == nullptr) return;
  if (!std::exchange(going_, true)) {
    playback.goTo(step_);
    step_ = playback.wantedStep();  // the run may be shorter
  }
  if (playback.isPlaying() || playback.wantedStep() != step_) {
    step_ = 0;  // somebody goes elsewhere
    return;
  }
  if (playback.step() != step_) return;
  step_ = 0;
  for (const Beat& beat : playback.story().beats) {
    if (beat_ != beatKey(beat.kind)) continue;
    playback.seek(playback.step(), beat.beginS + part_ * (beat.endS - beat.beginS));
    break;
  }
  arrive();
}

void WindowView::arrive() {
  if (const auto object = objectNamed(std::exchange(object_, {}))) window_.selection().pin(*object);
  Q_EMIT arrived();
}

}  // namespace lab
