// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment for telephones in the last row: a QR code that any camera opens. It leads to a page that this computer
// serves on the local network as long as the dialog is open, and to nowhere else. Black on white in every theme, as
// large as the screen allows, with the quiet zone that readers need; the experiment's link as text below. Esc closes
// it.
#pragma once

#include <QDialog>
#include <QImage>
#include <QList>
#include <QString>
#include <QWidget>

#include "ui/classroom/page_server.h"
#include "ui/classroom/shared_page.h"

namespace lab {

// A pixel a module, without the quiet zone. Null where the text is longer than any code holds.
QImage qrCode(const QString& text);

class QrView final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kQuietModules = 4;  // ISO/IEC 18004

  explicit QrView(QImage code = {});
  void setCode(const QImage& code);
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QImage code_;
};

// `addresses`: where the page can be served, the first unless another is chosen. None: the dialog says so, and has the
// link alone.
QDialog* showLinkCode(QWidget& window, const SharedExperiment& experiment,
                      const QList<QHostAddress>& addresses = networkAddresses());

}  // namespace lab
