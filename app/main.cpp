// SPDX-License-Identifier: GPL-3.0-or-later
// The window's composition root. Exit codes: 0 done; 1 the run failed; 2 the request is wrong; 3 there is no display.
#include <QApplication>
#include <QEventLoop>
#include <QSaveFile>
#include <QSysInfo>

#include <cstdio>
#include <exception>
#include <string>

#include "app/options.h"
#include "core/base/error.h"
#include "ui/main_window.h"
#include "ui/run_controller.h"
#include "ui/theme.h"

namespace {

using namespace lab;

constexpr int kExitFailed = 1;
constexpr int kExitNoDisplay = 3;

void print(std::FILE* stream, const std::string& text) {
  std::fputs((text + "\n").c_str(), stream);
}

// Qt ends the program with abort() when it can open no display. The offscreen platform as the last resort lets us say
// it in a sentence instead. What the user has set is left alone, and so are systems where this question does not arise.
void chooseDisplay() {
  if (QSysInfo::kernelType() != QStringLiteral("linux") || qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) return;
  const bool x11 = !qEnvironmentVariableIsEmpty("DISPLAY"), wayland = !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  qputenv("QT_QPA_PLATFORM", x11       ? wayland ? "xcb;wayland;offscreen" : "xcb;offscreen"
                             : wayland ? "wayland;offscreen"
                                       : "offscreen");
}

void writePicture(const QPixmap& picture, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !picture.save(&file, "PNG") || !file.commit()) {
    throw UserError("--render: the picture '" + path.toStdString() + "' cannot be written: " +
                        file.errorString().toStdString() + ": choose a folder that exists and can be written to",
                    UserError::Kind::Run);
  }
}

// Trains exactly so many steps (or to the end), then draws: the same picture each time.
int render(const WindowOptions& options) {
  RunController controller;
  MainWindow window(controller);
  window.resize(options.size);
  window.show();
  QEventLoop loop;
  const auto done = [&] {
    const auto steps = static_cast<int>(controller.steps().size());
    return controller.isOver() || (controller.state() == RunState::Paused && steps >= options.afterSteps);
  };
  QObject::connect(&controller, &RunController::updated, &loop, [&] {
    if (done()) loop.quit();
  });
  controller.start(options.config, true);
  controller.stepOnce(options.afterSteps);
  if (!done()) loop.exec();
  window.refreshAll();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);  // the new texts get their room
  writePicture(window.grab(), *options.picture);
  if (controller.state() != RunState::Failed) return 0;
  print(stderr, "strategylab: error: " + controller.failure().toStdString());
  return kExitFailed;
}

int run(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const WindowOptions options = parseWindowOptions(arguments);
  if (options.help || options.version) {
    print(stdout, options.help ? windowHelp().toStdString() : "strategylab " STRATEGYLAB_VERSION);
    return 0;
  }

  const bool offscreenAsked = options.picture || qEnvironmentVariable("QT_QPA_PLATFORM") == QStringLiteral("offscreen");
  if (options.picture) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  } else {
    chooseDisplay();
  }
  QCoreApplication::setApplicationName(QStringLiteral("StrategyLab"));
  QCoreApplication::setApplicationVersion(QStringLiteral(STRATEGYLAB_VERSION));
  int qtArgc = 1;  // all options are ours
  QApplication app(qtArgc, argv);
  theme::apply(app);
  if (options.picture) return render(options);
  if (QGuiApplication::platformName() == QStringLiteral("offscreen") && !offscreenAsked) {
    print(stderr,
          "strategylab: error: no display can be opened: set DISPLAY or WAYLAND_DISPLAY, or draw the window into a "
          "picture with --render OUT.png");
    return kExitNoDisplay;
  }

  RunController controller;
  MainWindow window(controller);
  window.resize(options.size);
  window.show();
  controller.start(options.config);
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const UserError& error) {
    print(stderr, std::string("strategylab: error: ") + error.what());
    return error.exitCode();
  } catch (const std::exception& error) {
    print(stderr, std::string("strategylab: internal error: ") + error.what());
    return kExitFailed;
  }
}
