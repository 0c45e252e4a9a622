// SPDX-License-Identifier: GPL-3.0-or-later
// The window's composition root. Exit codes: 0 done; 1 the run failed; 2 the request is wrong; 3 there is no display.
#include <QAccessible>
#include <QApplication>
#include <QByteArray>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QSysInfo>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

#include "app/end_signals.h"
#include "app/messages.h"
#include "app/options.h"
#include "app/render_window.h"
#include "app/window_icon.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/sentence.h"
#include "core/data/dataset.h"
#include "core/launching/process_launch.h"
#include "revision.h"
#include "ui/compare/compare_view.h"
#include "ui/files/session.h"
#include "ui/i18n/language.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/session/preferences.h"
#include "ui/session/workbench.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/system_looks.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace {

using namespace lab;

constexpr int kExitFailed = 1;
constexpr int kExitNoDisplay = 3;

void print(std::FILE* stream, const std::string& text) {
  std::fputs((text + "\n").c_str(), stream);
}

// Qt calls abort() if it can open no display. With the offscreen platform as a last resort, the program can show a
// message instead. The user's own choice comes first, and systems that do not have this problem are left alone.
void chooseDisplay() {
  if (QSysInfo::kernelType() != QStringLiteral("linux")) return;
  if (const QByteArray chosen = qgetenv("QT_QPA_PLATFORM"); !chosen.isEmpty()) {
    if (!chosen.contains("offscreen")) qputenv("QT_QPA_PLATFORM", chosen + ";offscreen");
    return;
  }
  const bool x11 = !qEnvironmentVariableIsEmpty("DISPLAY"), wayland = !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  qputenv("QT_QPA_PLATFORM", x11       ? wayland ? "xcb;wayland;offscreen" : "xcb;offscreen"
                             : wayland ? "wayland;offscreen"
                                       : "offscreen");
}

// Returns most of the screen.
QSize startingSize(const QScreen& screen) {
  return (screen.availableSize() * 0.92).expandedTo(QSize(1280, 720)).boundedTo(screen.availableSize());
}

// Returns whether there is room for the window manager's frame and title. Their size is only known once they are drawn;
// this is more than most need.
bool fitsWithFrame(QSize size, const QScreen& screen) {
  constexpr QSize kFrame(8, 48);
  return (size + kFrame).boundedTo(screen.availableSize()) == size + kFrame;
}

// Qt's accessibility asks for a session bus when the first widget is named, and the window would wait until libdbus has
// started one.
void answerWithoutBus() {
  if (hasSessionBus()) return;
  qputenv("DBUS_SESSION_BUS_ADDRESS", "disabled:");
  (void)QAccessible::isActive();
  qunsetenv("DBUS_SESSION_BUS_ADDRESS");
}

// Opens the window; returns when it is closed.
int runWindow(QApplication& app, const WindowOptions& options, SystemLooks& system, const QSize& size) {
  QSettings settings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("StrategyLab"),
                     QStringLiteral("StrategyLab"));
  const QString kept = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  if (options.resetSettings) {
    settings.clear();
    Session::forget(kept);
  }
  language::use(options.language.value_or(readPreferences(settings).language));
  RunController controller;
  MainWindow window(controller);
  Workbench workbench(window, settings);
  const EndSignals ends([&workbench] { QMetaObject::invokeMethod(&workbench.session(), &KeptSession::endNow); });
  window.resize(size);
  if (!options.size && !fitsWithFrame(size, *app.primaryScreen())) window.setWindowState(Qt::WindowMaximized);
  window.playback().setBeginsAtFirstBatch(true);
  window.workspaces().choose(options.layout);
  if (options.theme) window.looks().setTheme(options.theme);
  if (!options.windowAsked) workbench.session().restoreWindow();
  const auto follow = [&] { window.looks().setSystem(system.theme(), system.reducedMotion()); };
  QObject::connect(&system, &SystemLooks::changed, &window, follow);
  system.takeAnswer();
  follow();
  workbench.session().keep(kept);
  sweepProcessFolders();
  // Before the window has its style sheet and is shown, so that replicas are made and take their first step meanwhile.
  // If the file cannot be opened, the program starts as without it. A recording starts no run, unless it is a class's:
  // then its steps are on the stage.
  const bool opened = options.file && workbench.files().open(*options.file, options.recording) &&
                      (!workbench.document().path().isEmpty() || window.controller().isRecording());
  if (opened || options.training) workbench.session().restoreRuns();
  const bool begun = opened || (!options.training && workbench.session().restore());
  if (!begun) window.experiment().begin(options.config);
  theme::apply(app);
  window.show();
  window.setWindowIcon(windowIcon());  // after showing, because drawing it takes time
  if (options.present) window.looks().setProjectorMode(true);
  for (const StrategyInfo* info : options.compared) window.centre().comparison()->compareWith(*info);
  if (!options.lesson.isEmpty()) (void)workbench.files().openLesson(options.lesson);
  workbench.undo().forget();
  return QApplication::exec();
}

int run(int argc, char** argv) {
  returnFreedMemoryToOs();  // an hour of changing settings leaves no more memory in use than at the start
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const WindowOptions options = parseWindowOptions(arguments);
  if (options.help || options.version) {
    print(stdout, options.help ? windowHelp().toStdString() : "strategylab " STRATEGYLAB_VERSION);
    return 0;
  }
  if (!options.fileFault.empty())
    print(stderr, "strategylab: note: " + sentence(format(options.fileFault)) + " What comes before that is opened.");
  const bool offscreenAsked = options.picture || qEnvironmentVariable("QT_QPA_PLATFORM") == QStringLiteral("offscreen");
  if (options.picture) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  } else {
    chooseDisplay();
    if (options.fileTrouble && qEnvironmentVariable("QT_QPA_PLATFORM") == QStringLiteral("offscreen"))
      throw *options.fileTrouble;  // nobody would see the window
  }
  QCoreApplication::setApplicationName(QStringLiteral("StrategyLab"));
  QCoreApplication::setOrganizationName(QStringLiteral("StrategyLab"));
  QCoreApplication::setApplicationVersion(QStringLiteral(STRATEGYLAB_VERSION));
  const std::jthread digits([] { (void)embeddedDigits(); });  // most runs begin with them: unpacked while Qt starts
  int qtArgc = 1;                                             // all options are this program's
  QApplication app(qtArgc, argv);
  answerWithoutBus();
  app.setProperty("revision", QStringLiteral(STRATEGYLAB_REVISION));                   // for About
  QGuiApplication::setDesktopFileName(QStringLiteral("org.strategylab.StrategyLab"));  // Wayland shows its icon
  std::setlocale(LC_NUMERIC, "C");  // Qt has set the system's locale: files would have decimal commas
  flushDenormals();                 // the inspector must add as the training threads do
  const QSize size = options.size.value_or(options.picture ? kPictureSize : startingSize(*app.primaryScreen()));
  // Before the program's own palette hides the desktop's; the answers arrive while the window is made.
  std::optional<SystemLooks> system;
  if (!options.picture) system.emplace(QGuiApplication::palette());
  theme::setKind(options.theme.value_or(system ? system->theme() : theme::Kind::Light));
  theme::setTextSize(theme::textSizeFor(size.height()));
  theme::applyColours(app);
  if (options.picture) {
    language::use(options.language.value_or(QString()));
    if (const QString failure = renderWindow(options); !failure.isEmpty()) {
      print(stderr, "strategylab: error: " + sentence(failure.toStdString()));
      return kExitFailed;
    }
    return 0;
  }
  const bool offscreen = QGuiApplication::platformName() == QStringLiteral("offscreen");
  if (offscreen && !offscreenAsked && !options.fileTrouble) {
    print(stderr,
          "strategylab: error: no display can be opened: set DISPLAY, or WAYLAND_DISPLAY where the package qt6-wayland "
          "is installed, or draw the window into a picture with --render OUT.png.");
    return kExitNoDisplay;
  }

  if (options.fileTrouble) {
    if (offscreen) throw *options.fileTrouble;
    print(stderr, "strategylab: error: " + sentence(options.fileTrouble->what()));
  }
  return runWindow(app, options, *system, size);
}

}  // namespace

int main(int argc, char** argv) {
  occupyStandardFiles();
  std::signal(SIGPIPE, SIG_IGN);  // a message that nobody reads must not end the window
  try {
    return run(argc, argv);
  } catch (const UserError& error) {
    print(stderr, "strategylab: error: " + sentence(error.what()));
    return error.exitCode();
  } catch (const std::exception& error) {
    print(stderr, std::string("strategylab: internal error: ") + error.what());
    return kExitFailed;
  }
}
