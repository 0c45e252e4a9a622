// SPDX-License-Identifier: GPL-3.0-or-later
// Words that a screen reader speaks at once, wherever the focus is: a new caption, a notice, another run. Qt 6.4 passes
// neither alerts nor announcements on; what it passes on, and screen readers speak, is a notification that appears.
#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

namespace lab {

// The window's notification: nothing of it is seen.
class Announcer final : public QWidget {
  Q_OBJECT

 public:
  explicit Announcer(QWidget* window);

  // While earlier words are being spoken these wait. Passing ones, a caption that the next one replaces, are left out
  // where others come meanwhile.
  enum class Kind { Lasting, Passing };
  void say(const QString& words, Kind kind = Kind::Lasting);

 private:
  void speak(const QString& words);

  QTimer pause_;      // single shot: while the last words are being spoken
  QStringList next_;  // lasting ones
  QString nextPassing_;
};

// Through the announcer of the window that `near` is in, or of the one it was opened from; nothing without one.
void announce(const QWidget& near, const QString& words, Announcer::Kind kind = Announcer::Kind::Lasting);

}  // namespace lab
