// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment for phones in the last row: a QR code that any camera opens. It leads to a page that this computer
// serves on the local network as long as the dialog is open, and to nowhere else. Black on white in every theme, as
// large as the screen allows, with the quiet zone that readers need; the experiment's link as text below. Esc closes
// it.
#pragma once

#include <QDialog>
#include <QList>

#include "ui/classroom/page_server.h"
#include "ui/classroom/shared_page.h"
#include "ui/serving/own_addresses.h"

namespace lab {

// `addresses`: where the page can be served, the first unless another is chosen. None: the dialog says so, and has the
// link alone.
QDialog* showLinkCode(QWidget& window, const SharedExperiment& experiment,
                      const QList<QHostAddress>& addresses = networkAddresses());

}  // namespace lab
