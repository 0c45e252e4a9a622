// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop wants of every program: light or dark, and less motion. Asks the desktop portal over D-Bus and
// listens for changes; nothing waits for the answer. Without an answer, the palette that Qt found at the start decides
// between light and dark, and motion is not reduced. UI thread only.
#pragma once

#include <QObject>

#include <optional>

#include "ui/theme/theme_tables.h"

class QDBusMessage;
class QDBusPendingCall;
class QDBusPendingCallWatcher;
class QPalette;

namespace lab {

// Without a session bus libdbus would start its own, which takes time and knows no desktop.
bool hasSessionBus();

class SystemLooks final : public QObject {
  Q_OBJECT

 public:
  // `palette`: the desktop's, before the program set its own.
  explicit SystemLooks(const QPalette& palette, QObject* parent = nullptr);
  ~SystemLooks() override;

  theme::Kind theme() const;  // Light or Dark
  bool reducedMotion() const;
  void takeAnswer();  // takes pending answers without an event loop: before the first picture

 Q_SIGNALS:
  void changed();

 private Q_SLOTS:
  void ask();  // called again whenever something has changed

 private:
  void listen();
  void read(const QDBusMessage& answer);
  void take(const QString& space, const QString& key, const QVariant& value);
  template <typename Act>
  void reportIfOther(Act act);

  const bool darkPalette_;
  std::optional<bool> dark_;                       // the portal's wish
  std::optional<bool> lessMotion_, noAnimations_;  // the portal's; GNOME's setting, read through the portal
  QDBusPendingCallWatcher* asked_ = nullptr;       // until the answer arrives
};

}  // namespace lab
