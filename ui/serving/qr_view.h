// SPDX-License-Identifier: GPL-3.0-or-later
// QR codes on the screen: black on white in every theme, with the quiet zone that readers need.
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

namespace lab {

// One pixel per module, without the quiet zone. Null if the text is too long for any code.
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

}  // namespace lab
