// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment's link as a QR code, for telephones in the last row: black on white in every theme, as large as the
// screen allows, with the quiet zone that readers need; the link as text below. Esc closes it.
#pragma once

#include <QDialog>
#include <QImage>
#include <QString>
#include <QWidget>

namespace lab {

// A pixel a module, without the quiet zone. Null where the text is longer than any code holds.
QImage qrCode(const QString& text);

class QrView final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kQuietModules = 4;  // ISO/IEC 18004

  explicit QrView(QImage code);
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QImage code_;
};

QDialog* showLinkCode(QWidget& window, const QString& link);

}  // namespace lab
