// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/system_looks.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusVariant>
#include <QFileInfo>
#include <QMap>
#include <QPalette>
#include <QVariantMap>

#include <utility>

namespace lab {
namespace {

// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html
constexpr const char* kService = "org.freedesktop.portal.Desktop";
constexpr const char* kPath = "/org/freedesktop/portal/desktop";
constexpr const char* kInterface = "org.freedesktop.portal.Settings";
constexpr const char* kAppearance = "org.freedesktop.appearance";
constexpr const char* kGnome = "org.gnome.desktop.interface";
enum ColorScheme : unsigned { kNoPreference = 0, kPrefersDark = 1, kPrefersLight = 2 };

// Read() wraps its answer twice, and some portals also do so in signals.
QVariant unwrapped(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

bool hasSessionBus() {
  return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
         QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

SystemLooks::SystemLooks(const QPalette& palette, QObject* parent)
    : QObject(parent),
      darkPalette_(palette.color(QPalette::WindowText).lightnessF() > palette.color(QPalette::Window).lightnessF()) {
  if (hasSessionBus()) listen();
}

SystemLooks::~SystemLooks() = default;

void SystemLooks::listen() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  // From any sender: to watch one name, Qt would ask for its owner, and block.
  bus.connect(QString(), QLatin1String(kPath), QLatin1String(kInterface), QStringLiteral("SettingChanged"), this,
              SLOT(ask()));
  ask();
}

void SystemLooks::ask() {
  QDBusMessage question = QDBusMessage::createMethodCall(QLatin1String(kService), QLatin1String(kPath),
                                                         QLatin1String(kInterface), QStringLiteral("ReadAll"));
  question << QStringList{QLatin1String(kAppearance), QLatin1String(kGnome)};
  delete asked_;  // drops an earlier question, whose answer would be outdated
  asked_ = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question), this);
  connect(asked_, &QDBusPendingCallWatcher::finished, this, [this](const QDBusPendingCallWatcher* call) {
    if (call == asked_) takeAnswer();
  });
}

void SystemLooks::takeAnswer() {
  if (asked_ == nullptr || !asked_->isFinished()) return;
  QDBusPendingCallWatcher* answered = std::exchange(asked_, nullptr);
  answered->deleteLater();
  reportIfOther([this, answered] { read(answered->reply()); });
}

// namespace → key → value. No portal, or another kind of answer: the desktop has no wish.
void SystemLooks::read(const QDBusMessage& answer) {
  if (answer.type() != QDBusMessage::ReplyMessage || answer.signature() != QStringLiteral("a{sa{sv}}")) return;
  const auto all = qdbus_cast<QMap<QString, QVariantMap>>(answer.arguments().constFirst());
  for (auto space = all.begin(); space != all.end(); ++space)
    for (auto entry = space->begin(); entry != space->end(); ++entry) take(space.key(), entry.key(), entry.value());
}

void SystemLooks::take(const QString& space, const QString& key, const QVariant& wrapped) {
  const QVariant value = unwrapped(wrapped);
  if (space == QLatin1String(kAppearance) && key == QStringLiteral("color-scheme")) {
    bool number = false;
    const unsigned scheme = value.toUInt(&number);
    dark_.reset();  // any other value expresses no wish
    if (number && (scheme == kPrefersDark || scheme == kPrefersLight)) dark_ = scheme == kPrefersDark;
  } else if (space == QLatin1String(kAppearance) && key == QStringLiteral("reduced-motion")) {
    lessMotion_ = value.toUInt() == 1;
  } else if (space == QLatin1String(kGnome) && key == QStringLiteral("enable-animations")) {
    noAnimations_ = value.typeId() == QMetaType::Bool && !value.toBool();
  }
}

template <typename Act>
void SystemLooks::reportIfOther(Act act) {
  const auto before = std::pair(theme(), reducedMotion());
  act();
  if (std::pair(theme(), reducedMotion()) != before) Q_EMIT changed();
}

theme::Kind SystemLooks::theme() const {
  return dark_.value_or(darkPalette_) ? theme::Kind::Dark : theme::Kind::Light;
}

bool SystemLooks::reducedMotion() const {
  return lessMotion_.value_or(false) || noAnimations_.value_or(false);
}

}  // namespace lab
