// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render_window.h"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <optional>

#include "app/messages.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/charts/table_plot.h"
#include "ui/compare/compare_view.h"
#include "ui/files/document.h"
#include "ui/playback/captions.h"
#include "ui/runview/run_controller.h"
#include "ui/session/workbench.h"
#include "ui/stage/narration.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

void writePicture(const QPixmap& picture, const QString& path) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  picture.save(&buffer, "PNG");
  writeFileAtomically(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

// Returns where in the story the requested moment lies.
double secondsOf(const PictureMoment& moment, const Story& story) {
  if (moment.beat.isEmpty()) return std::min(moment.seconds, story.seconds);
  QStringList names;
  for (const Beat& beat : story.beats) {
    // Files have another name for this beat, which is accepted here too.
    const QString key = QLatin1String(beatKey(beat.kind)),
                  name = beat.kind == BeatKind::Distribute ? QStringLiteral("distribute") : key;
    const auto is = [&](const QString& one) { return one.compare(moment.beat, Qt::CaseInsensitive) == 0; };
    if (is(name) || is(key) || is(beat.name)) return beat.beginS + moment.part * (beat.endS - beat.beginS);
    names << name;
  }
  throw UserError(say::noSuchBeat, Option{"moment"}, moment.beat.toStdString(),
                  names.join(QStringLiteral(", ")).toStdString());
}

// Runs the event loop until `done`; returns false on a timeout.
template <typename Done>
bool waitUntil(Done done) {
  constexpr int kPatienceMs = 600'000, kPollMs = 5;
  QEventLoop loop;
  QTimer poll;
  QElapsedTimer since;
  since.start();
  QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
    if (done() || since.elapsed() > kPatienceMs) loop.quit();
  });
  poll.start(kPollMs);
  if (!done()) loop.exec();
  return done();
}

// The window with the content of the picture.
class Picture {
 public:
  explicit Picture(const WindowOptions& options) : options_(options) {
    theme::apply(*qApp);
    window_.resize(options.size.value_or(kPictureSize));
    window_.workspaces().choose(options.layout);
    // Shows animations at their end, as their progress would depend on the machine.
    window_.looks().setReducedMotion(true);
    if (!options.lesson.isEmpty()) {
      // No stored progress is used: pages begin undone.
      settings_.emplace(folder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
      workbench_.emplace(window_, *settings_);
    }
    window_.show();
    if (options.present) {  // as on a screen of this size
      window_.looks().setProjectorMode(true);
      window_.showNormal();
      window_.resize(options.size.value_or(kPictureSize));
    }
    window_.experiment().begin(options.config, Experiment::By::Teacher, options.lineage);
    if (window_.centre().comparison() != nullptr) window_.centre().comparison()->take(options.comparing);
    // Its numbers are among the runs, and its curves visible, as in the window.
    if (options.file && options.fileKind != FileKind::Experiment) {
      Document document(window_.experiment(), window_.library());
      document.open(*options.file, options.recording);
      document.reader().finish();
      if (options.layout != WindowLayout::Compare && options.layout != WindowLayout::Sweep)
        window_.panels().showTab(QStringLiteral("chartsTab"));
    }
    if (workbench_) (void)workbench_->files().openLesson(options.lesson);
  }

  QString draw() {
    bool done = waitUntil([this] { return over() || (window_.playback().record() != nullptr && isThere()); });
    if (done && !over()) done = workbench_ && !options_.momentAsked ? settle() : goThere();
    window_.refreshAll();
    if (auto* narration = window_.findChild<Narration*>()) narration->narrateShownStep();
    QCoreApplication::sendPostedEvents();  // lays out the new texts
    if (options_.poster) {
      if (over() && controller_.state() == RunState::Failed) return controller_.failure();
      writePoster(stepOnStage(controller_, window_.playback()), options_.page, qApp->font(), *options_.picture);
    } else {
      window_.repaint();
      writePicture(window_.grab(), *options_.picture);
    }
    if (!done) return QStringLiteral("the run takes too long");
    return controller_.state() == RunState::Failed ? controller_.failure() : QString();
  }

 private:
  // Returns whether nothing will ever be shown.
  bool over() const { return controller_.isOver() && controller_.steps().empty(); }
  // Returns whether all lanes are where the window's run is.
  bool isThere() {
    if (window_.playback().isMoving()) return false;
    return window_.centre().comparison() == nullptr || window_.centre().comparison()->lanes().lockstep().isInStep();
  }
  bool goThere() {
    Playback& playback = window_.playback();
    const std::int64_t first = controller_.info()->firstStep, last = controller_.info()->totalSteps;
    const std::int64_t step = std::clamp<std::int64_t>(options_.afterSteps, first, std::max(first, last));
    controller_.requestStep(step);
    bool done = waitUntil([&] { return controller_.isOver() || controller_.liveStep() >= step; });
    playback.seek(controller_.liveStep(), 0);
    done = waitUntil([&] { return playback.step() == controller_.liveStep() && isThere(); }) && done;
    if (const int replicas = controller_.info()->replicas; options_.zoom >= replicas)
      throw UserError(say::noReplicaToZoom, Option{"zoom"}, options_.zoom, replicas - 1);
    window_.stage().zoomInto(options_.zoom);
    if (playback.record()) playback.seek(playback.step(), secondsOf(options_.moment, playback.story()));
    return settle() && done;
  }
  // Tells everybody about the present moment, and waits until the lesson's pointers and ticks are shown: not by a
  // clock, because on a busy machine the same time is another number of ticks. A lane may have to train first.
  bool settle() {
    tellAll();
    const bool done = waitUntil([this] { return isThere(); });
    tellAll();
    return done && waitUntil([this] { return isThere(); });
  }
  void tellAll() {
    window_.playback().advance(0);
    if (window_.centre().comparison() != nullptr) {
      Lanes& lanes = window_.centre().comparison()->lanes();
      for (std::size_t i = 1; i < lanes.count(); ++i) lanes.at(i).playback().advance(0);
    }
    QCoreApplication::processEvents();
  }

  const WindowOptions& options_;
  RunController controller_;
  MainWindow window_{controller_};
  QTemporaryDir folder_;
  std::optional<QSettings> settings_;
  std::optional<Workbench> workbench_;
};

}  // namespace

QString renderWindow(const WindowOptions& options) {
  if (options.table) {
    theme::apply(*qApp);
    TablePlot plot(*options.table);
    plot.resize(options.size.value_or(kPictureSize));
    writePicture(plot.grab(), *options.picture);
    return {};
  }
  return Picture(options).draw();
}

}  // namespace lab
