// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/own_addresses.h"

#include <QStringList>
#include <QtNetwork/QNetworkInterface>

#include <algorithm>
#include <utility>

namespace lab {
namespace {

// Cable and radio come before all others, such as bridges of containers and tunnels.
int likelihood(const QNetworkInterface& device) {
  static const QStringList made{QStringLiteral("docker"), QStringLiteral("br-"),    QStringLiteral("virbr"),
                                QStringLiteral("veth"),   QStringLiteral("vmnet"),  QStringLiteral("vboxnet"),
                                QStringLiteral("lxc"),    QStringLiteral("podman"), QStringLiteral("cni")};
  const QString name = device.name();
  if (std::ranges::any_of(made, [&](const QString& begin) { return name.startsWith(begin); })) return 2;
  const auto type = device.type();
  return type == QNetworkInterface::Ethernet || type == QNetworkInterface::Wifi ? 0 : 1;
}

}  // namespace

QList<OwnAddress> ownAddresses() {
  QList<std::pair<int, OwnAddress>> found;
  for (const QNetworkInterface& device : QNetworkInterface::allInterfaces()) {
    const auto flags = device.flags();
    if (!flags.testFlag(QNetworkInterface::IsUp) || !flags.testFlag(QNetworkInterface::IsRunning) ||
        flags.testFlag(QNetworkInterface::IsLoopBack))
      continue;
    for (const QNetworkAddressEntry& entry : device.addressEntries()) {
      const QHostAddress address = entry.ip();
      if (address.protocol() == QAbstractSocket::IPv4Protocol && !address.isLoopback() && !address.isLinkLocal())
        found.append({likelihood(device), {address, device.humanReadableName()}});
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<int, OwnAddress>::first);
  QList<OwnAddress> addresses;
  for (const auto& [rank, address] : found) addresses << address;
  return addresses;
}

QList<QHostAddress> networkAddresses() {
  QList<QHostAddress> addresses;
  for (const OwnAddress& own : ownAddresses()) addresses << own.address;
  return addresses;
}

}  // namespace lab
