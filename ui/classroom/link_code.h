// SPDX-License-Identifier: GPL-3.0-or-later
// Shares the experiment with phones in the last row: a QR code that any camera opens. It leads to a page that this
// computer serves on the local network while the dialog is open, and nowhere else. Black on white in every theme, as
// large as the screen allows, with the quiet zone that readers need; below, the experiment's link as text. Esc closes
// the dialog.
#pragma once

#include <QDialog>
#include <QList>

#include "ui/classroom/page_server.h"
#include "ui/classroom/shared_page.h"
#include "ui/serving/own_addresses.h"

namespace lab {

// `addresses`: where the page can be served; the first is used unless another is chosen. If there are none, the dialog
// says so and shows only the link.
QDialog* showLinkCode(QWidget& window, const SharedExperiment& experiment,
                      const QList<QHostAddress>& addresses = networkAddresses());

}  // namespace lab
