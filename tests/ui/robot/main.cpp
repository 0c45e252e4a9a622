// SPDX-License-Identifier: GPL-3.0-or-later
// A day in fast motion: a robot uses everything in the window, for a number of events or of minutes, and reports memory
// and frames each minute. The same seed makes the same choices, as far as training's pace allows; the log has each
// event before it happens.
//   window_robot [--seed N] [--events N] [--minutes M] [--log FILE] [--check S] [--scene S] [--growth MB] [--hang S]
//   [--stop]
// Offscreen unless QT_QPA_PLATFORM says otherwise. Writes into a temporary folder alone, loads nothing from the
// network, starts no program but the window's own helpers. Exit codes: 0 nothing found; 1 a fault, or memory has grown.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QTemporaryDir>

#include <clocale>
#include <cstdio>
#include <exception>

#include "core/base/platform.h"
#include "core/data/dataset.h"
#include "tests/support/last_words.h"
#include "tests/ui/robot/link_sink.h"
#include "tests/ui/robot/shift.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"

#if defined(__SANITIZE_ADDRESS__)
// A small quarantine, because memory could not be judged otherwise; a stack for a hang; leaks do not stop the program.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=16:handle_abort=1:detect_stack_use_after_return=0";
}
extern "C" const char* __ubsan_default_options() {
  return "print_stacktrace=1";
}
#endif

namespace {

using namespace lab;

// Everything that a program looks for or writes by itself is in the folder; there is no bus, no way to the network and
// no other program.
void moveTo(const QString& folder) {
  const QDir home(folder);
  for (const char* name : {"home", "run", "tmp", "files"}) home.mkpath(QLatin1String(name));
  const auto put = [&home](const char* variable, const char* name) {
    qputenv(variable, QFile::encodeName(home.filePath(QLatin1String(name))));
  };
  put("HOME", "home");
  put("XDG_RUNTIME_DIR", "run");
  QFile::setPermissions(home.filePath(QStringLiteral("run")), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  put("TMPDIR", "tmp");
  put("PATH", "no-programs");
  for (const char* variable :
       {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "STRATEGYLAB_DATA", "KERAS_HOME"})
    qunsetenv(variable);
  qputenv("DBUS_SESSION_BUS_ADDRESS", "disabled:");
  for (const char* variable : {"http_proxy", "https_proxy", "all_proxy"}) qputenv(variable, "http://127.0.0.1:9");
  QDir::setCurrent(home.filePath(QStringLiteral("files")));
}

struct Request {
  std::uint64_t seed = 1;
  QString log;
  bool stops = false;
  robot::Shift::Wishes wishes;
};

Request parse(const QCoreApplication& app) {
  QCommandLineParser parser;
  const auto add = [&parser](const char* name, const QString& usual) {
    parser.addOption({QLatin1String(name), {}, QLatin1String(name), usual});
  };
  Request request;
  robot::Shift::Wishes& wishes = request.wishes;
  add("seed", QStringLiteral("1"));
  add("log", {});
  add("events", QStringLiteral("0"));
  add("minutes", QStringLiteral("0"));
  add("check", QString::number(wishes.checkS));
  add("scene", QString::number(wishes.sceneS));
  add("growth", QString::number(wishes.growthMb));
  add("hang", QString::number(wishes.hangS));
  parser.addOption({QStringLiteral("stop"), QStringLiteral("The first fault ends the program, with its stack.")});
  parser.addHelpOption();
  parser.process(app);
  const auto number = [&parser](const char* name) { return parser.value(QLatin1String(name)).toDouble(); };
  request.seed = parser.value(QStringLiteral("seed")).toULongLong();
  request.stops = parser.isSet(QStringLiteral("stop"));
  request.log = parser.value(QStringLiteral("log"));
  if (!request.log.isEmpty()) request.log = QDir().absoluteFilePath(request.log);
  wishes.events = parser.value(QStringLiteral("events")).toLongLong();
  wishes.minutes = number("minutes");
  wishes.checkS = number("check");
  wishes.sceneS = number("scene");
  wishes.growthMb = number("growth");
  wishes.hangS = static_cast<int>(number("hang"));
  if (wishes.events == 0 && wishes.minutes == 0) wishes.events = 1000;
  return request;
}

int run(int argc, char** argv) {
  returnFreedMemoryToOs();
  const QString before = QDir::currentPath();
  QTemporaryDir folder;
  if (!folder.isValid()) throw std::runtime_error("no temporary folder can be made");
  moveTo(folder.path());
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QCoreApplication::setApplicationName(QStringLiteral("StrategyLab"));
  QCoreApplication::setOrganizationName(QStringLiteral("StrategyLab"));
  QApplication app(argc, argv);
  app.setQuitOnLastWindowClosed(false);
  std::setlocale(LC_NUMERIC, "C");
  flushDenormals();
  QDir::setCurrent(before);
  const Request request = parse(app);
  QDir::setCurrent(folder.filePath(QStringLiteral("files")));
#if !defined(__SANITIZE_ADDRESS__)
  test::giveLastWords("window_robot --seed " + std::to_string(request.seed));
#endif
  robot::Journal journal(request.log, request.stops);
  robot::LinkSink links([&journal](const QString& link) { journal.note(QStringLiteral("  would open ") + link); });
  theme::setKind(theme::Kind::Light);
  theme::applyColours(app);
  theme::apply(app);
  robot::Robot robot(folder.path(), request.seed, journal);
  robot::Shift shift(robot, journal, request.wishes);
  while (!shift.isOver()) QApplication::exec();  // a closing window ends exec(), too
  return shift.judge();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "window_robot: %s\n", error.what());
    return 1;
  }
}
