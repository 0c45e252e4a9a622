// SPDX-License-Identifier: GPL-3.0-or-later
// This computer's addresses that others in its networks can reach, the likeliest first. Only IPv4, which is shorter to
// type.
#pragma once

#include <QList>
#include <QString>
#include <QtNetwork/QHostAddress>

namespace lab {

struct OwnAddress {
  QHostAddress address;
  QString device;  // as the system names it: "wlan0"
};

QList<OwnAddress> ownAddresses();
QList<QHostAddress> networkAddresses();  // the same, without the names

}  // namespace lab
