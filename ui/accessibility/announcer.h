// SPDX-License-Identifier: GPL-3.0-or-later
// Words that a screen reader speaks at once, wherever the focus is: a new caption, a notice, another run. Qt 6.4 passes
// on neither alerts nor announcements, but it does pass on that a notification appears, and screen readers speak that.
#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

namespace lab {

// The window's notification, which is invisible.
class Announcer final : public QWidget {
  Q_OBJECT

 public:
  explicit Announcer(QWidget* window);

  // New words wait while earlier ones are being spoken. Passing words, such as a caption that the next one replaces,
  // are dropped if others arrive while they wait.
  enum class Kind { Lasting, Passing };
  void say(const QString& words, Kind kind = Kind::Lasting);

 private:
  void speak(const QString& words);

  QTimer pause_;      // single shot: while the last words are being spoken
  QStringList next_;  // lasting words that wait
  QString nextPassing_;
};

// Uses the announcer of the window that contains `near`, or of the window it was opened from. Does nothing if neither
// has one.
void announce(const QWidget& near, const QString& words, Announcer::Kind kind = Announcer::Kind::Lasting);

}  // namespace lab
