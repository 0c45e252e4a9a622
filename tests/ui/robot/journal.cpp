// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/journal.h"

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "tests/support/last_words.h"

namespace lab::robot {
namespace {

// Qt's messages that are no fault of the window, each with its reason.
constexpr std::array kExplained{
    "This plugin does not support",              // the offscreen platform, of the keyboard's grab, raising and the like
    "Mouse event occurs outside target window",  // Qt Test, where what is clicked on has just become smaller
    "Could not resolve property: #fillpattern",  // Qt's reader of SVG, which knows no patterns, in the stage's hatches
};

Journal* listening = nullptr;

void hear(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (type == QtDebugMsg || type == QtInfoMsg || listening == nullptr) return;
  for (const char* explained : kExplained)
    if (text.contains(QLatin1String(explained))) return;
  listening->fault(QStringLiteral("Qt says: ") + text);
}

}  // namespace

Journal::Journal(const QString& path, bool stops) : stops_(stops) {
  if (!path.isEmpty()) {
    file_.reset(std::fopen(path.toLocal8Bit().constData(), "w"));
    if (!file_) throw std::runtime_error("the journal '" + path.toStdString() + "' cannot be written");
  }
  since_.start();
  listening = this;
  qInstallMessageHandler(hear);
}

Journal::~Journal() {
  qInstallMessageHandler(nullptr);
  listening = nullptr;
}

void Journal::write(const QString& line) {
  if (!file_) return;
  std::fputs((line + u'\n').toUtf8().constData(), file_.get());
  std::fflush(file_.get());  // it may be the last
}

void Journal::note(const QString& what) {
  const QString line =
      QStringLiteral("%1 %2 ").arg(events_).arg(static_cast<double>(since_.elapsed()) / 1000, 0, 'f', 2) + what;
  test::note(line.toStdString());
  const std::scoped_lock lock(mutex_);
  write(line);
}

void Journal::fault(const QString& what) {
  const std::scoped_lock lock(mutex_);
  ++faults_;
  const QString line = QStringLiteral("FAULT at event %1: %2").arg(events_).arg(what);
  write(line);
  if (++said_[what] > 1) return;
  std::fprintf(stderr, "%s\n", qUtf8Printable(line));
  if (stops_) std::abort();
}

void Journal::say(const QString& line) {
  const std::scoped_lock lock(mutex_);
  write(line);
  std::printf("%s\n", qUtf8Printable(line));
  std::fflush(stdout);
}

}  // namespace lab::robot
