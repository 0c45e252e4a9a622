// SPDX-License-Identifier: GPL-3.0-or-later
// Short messages about results: for the status line and for screen readers, which also hear of changes outside the
// focus. What a message announces about Play is withdrawn when Play or another run begins.
#pragma once

#include <QObject>

#include "ui/playback/playback.h"

namespace lab {

class Announcer;
class Transport;
struct StageRun;

inline constexpr int kMessageMs = 8000;

class Messages final : public QObject {
  Q_OBJECT

 public:
  Messages(StageRun& run, Announcer& announcer);

  void say(const QString& text, int ms = kMessageMs);
  void sayUntilPlay(const QString& text, int ms = kMessageMs);  // about what Play will do
  // Speaks of the run from now on. Called after the notice follows the run, so that the notice is spoken first.
  void followRun(const Transport& transport);

 Q_SIGNALS:
  void said(const QString& text, int ms);
  void unsaid(const QString& text);  // what the message announced has been done

 private:
  void unsay();
  void sayLimit(Playback::Limit at);
  void announceChanges();

  StageRun& run_;
  Announcer& announcer_;
  QString untilPlay_;  // the latest message about what Play will do
};

}  // namespace lab
