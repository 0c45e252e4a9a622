// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop wants of every program: light or dark, and less motion. The desktop portal is asked over D-Bus, and
// heard when its person changes their mind; nothing waits for the answer. Where nobody answers, the palette that Qt
// found at the start decides between light and dark, and motion is not reduced. UI thread only.
#pragma once

#include <QObject>

#include <optional>

#include "ui/theme/theme_tables.h"

class QDBusMessage;
class QDBusPendingCall;
class QDBusPendingCallWatcher;
class QPalette;

namespace lab {

// Without one libdbus would start a bus of its own, which takes time and knows no desktop.
bool hasSessionBus();

class SystemLooks final : public QObject {
  Q_OBJECT

 public:
  // `palette`: the desktop's, as it was before the program chose its own.
  explicit SystemLooks(const QPalette& palette, QObject* parent = nullptr);
  ~SystemLooks() override;

  theme::Kind theme() const;  // Light or Dark
  bool reducedMotion() const;
  void takeAnswer();  // what has been answered by now, without an event loop: before the first picture

 Q_SIGNALS:
  void changed();

 private Q_SLOTS:
  void ask();  // and again, whenever something has changed

 private:
  void listen();
  void read(const QDBusMessage& answer);
  void take(const QString& space, const QString& key, const QVariant& value);
  template <typename Act>
  void reportIfOther(Act act);

  const bool darkPalette_;
  std::optional<bool> dark_;                       // the portal's wish
  std::optional<bool> lessMotion_, noAnimations_;  // the portal's; GNOME's, through it
  QDBusPendingCallWatcher* asked_ = nullptr;       // until it is answered
};

}  // namespace lab
