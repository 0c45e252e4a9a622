// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/teach/link_code.h"

#include <qrencode.h>

#include <QClipboard>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

#include "ui/look/theme.h"
#include "ui/words/words.h"

namespace lab {
namespace {

constexpr double kOfScreen = 0.9;  // of its height, code, text and buttons

}  // namespace

QImage qrCode(const QString& text) {
  const QByteArray bytes = text.toUtf8();
  const auto free = [](QRcode* code) { QRcode_free(code); };
  const std::unique_ptr<QRcode, decltype(free)> code(QRcode_encodeString8bit(bytes.constData(), 0, QR_ECLEVEL_M), free);
  if (!code) return {};
  QImage image(code->width, code->width, QImage::Format_RGB32);
  for (int y = 0; y < code->width; ++y)
    for (int x = 0; x < code->width; ++x)
      image.setPixel(x, y, (code->data[y * code->width + x] & 1) != 0 ? qRgb(0, 0, 0) : qRgb(255, 255, 255));
  return image;
}

QrView::QrView(QImage code) : code_(std::move(code)) {
  setObjectName(QStringLiteral("qrCode"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize QrView::minimumSizeHint() const {
  const int side = 2 * (code_.width() + 2 * kQuietModules);  // less cannot be told apart
  return {side, side};
}

QSize QrView::sizeHint() const {
  return minimumSizeHint() * 6;
}

// Modules of whole pixels: edges that are blurred are misread from afar.
void QrView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Qt::white);
  const int modules = code_.width() + 2 * kQuietModules, side = std::max(1, std::min(width(), height()) / modules);
  QRect place(0, 0, side * code_.width(), side * code_.width());
  place.moveCenter(rect().center());
  painter.drawImage(place, code_);
}

QDialog* showLinkCode(QWidget& window, const QString& link) {
  if (auto* open = window.findChild<QDialog*>(QStringLiteral("linkCode"))) {
    open->raise();
    return open;
  }
  auto* dialog = new QDialog(&window);
  dialog->setObjectName(QStringLiteral("linkCode"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(lab::tr("The experiment's link"));
  auto* column = new QVBoxLayout(dialog);
  const QImage code = qrCode(link);
  if (code.isNull()) {
    auto* sentence = new QLabel(
        lab::tr("This experiment's link is too long for a code. Copy it, or save the experiment as a file."));
    sentence->setObjectName(QStringLiteral("linkTooLong"));
    sentence->setWordWrap(true);
    column->addWidget(sentence);
  } else {
    auto* view = new QrView(code);
    view->setAccessibleName(lab::tr("QR code of the link"));
    column->addWidget(view, 1);
    auto* words = new QLineEdit(link);  // one line: the room is the code's
    words->setObjectName(QStringLiteral("linkText"));
    words->setReadOnly(true);
    words->setCursorPosition(0);
    words->setAccessibleName(lab::tr("The experiment's link"));
    column->addWidget(words);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copy = buttons->addButton(lab::tr("Cop&y"), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("copyLinkText"));
  copy->setToolTip(lab::tr("Copies the link as text"));
  QObject::connect(copy, &QPushButton::clicked, dialog, [link] { QGuiApplication::clipboard()->setText(link); });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  column->addWidget(buttons);
  if (!code.isNull()) {
    const QRect screen = window.screen()->availableGeometry();
    const int high = static_cast<int>(kOfScreen * screen.height());
    dialog->resize(std::min(high, static_cast<int>(kOfScreen * screen.width())), high);
    dialog->move(screen.center() - dialog->rect().center());
  }
  dialog->open();
  return dialog;
}

}  // namespace lab
