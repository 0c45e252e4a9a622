// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/link_code.h"

#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/serving/qr_view.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kOfScreen = 0.9;  // the share of the screen's height for code, text and buttons

// Text that can be copied but not changed. One line, to leave the room to the code.
QLineEdit* readOnlyLine(const char* name, const QString& accessible, const QString& text = {}) {
  auto* made = new QLineEdit(text);
  made->setObjectName(QLatin1String(name));
  made->setAccessibleName(accessible);
  made->setReadOnly(true);
  made->setCursorPosition(0);
  return made;
}

// Serves the page at one of the addresses. Shows the code that leads there, its address, and who can open it until
// when.
class ServedPage final : public QWidget {
 public:
  ServedPage(const SharedExperiment& experiment, const QList<QHostAddress>& addresses)
      : server_(new PageServer(this)),
        code_(new QrView),
        url_(readOnlyLine("servedAt", lab::tr("Address of the page"))),
        words_(new QLabel),
        choice_(new QComboBox) {
    server_->setContent(sharedPage(experiment, server_->fileUrl(experiment.fileName)), experiment.file,
                        experiment.fileName);
    code_->setAccessibleName(lab::tr("QR code of the page"));
    words_->setWordWrap(true);
    words_->setTextFormat(Qt::PlainText);
    choice_->setObjectName(QStringLiteral("servedAddress"));
    choice_->setAccessibleName(lab::tr("Address of this computer"));
    choice_->setToolTip(lab::tr("This computer is in several networks: choose the one that the phones are in"));
    for (const QHostAddress& address : addresses) choice_->addItem(address.toString());
    choice_->setVisible(addresses.size() > 1);
    auto* where = new QHBoxLayout;
    where->addWidget(url_, 1);
    where->addWidget(choice_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(code_, 1);
    column->addLayout(where);
    column->addWidget(words_);
    QObject::connect(choice_, &QComboBox::currentTextChanged, this, [this] { serve(); });
    serve();
  }

 private:
  void serve() {
    const bool served = server_->listen(QHostAddress(choice_->currentText()));
    const QString url = served ? server_->url().toString() : QString();
    url_->setText(url);
    code_->setVisible(served);
    if (served) code_->setCode(qrCode(url));
    words_->setText(
        served ? lab::tr("While this is open, this computer serves the page to everybody in its network who has the "
                         "code: the experiment's picture, settings and file.")
               : lab::tr("The page cannot be served at %1: %2.").arg(choice_->currentText(), server_->fault()));
  }

  PageServer* server_;
  QrView* code_;
  QLineEdit* url_;
  QLabel* words_;
  QComboBox* choice_;
};

}  // namespace

QDialog* showLinkCode(QWidget& window, const SharedExperiment& experiment, const QList<QHostAddress>& addresses) {
  if (auto* open = window.findChild<QDialog*>(QStringLiteral("linkCode"))) {
    open->raise();
    return open;
  }
  auto* dialog = new QDialog(&window);
  dialog->setObjectName(QStringLiteral("linkCode"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(lab::tr("The experiment for phones"));
  auto* column = new QVBoxLayout(dialog);
  if (addresses.isEmpty()) {
    auto* sentence =
        new QLabel(lab::tr("This computer is in no network, so no phone can reach it. Join one and open this "
                           "again, or pass the link on as text."));
    sentence->setObjectName(QStringLiteral("noNetwork"));
    sentence->setWordWrap(true);
    column->addWidget(sentence);
  } else {
    column->addWidget(new ServedPage(experiment, addresses), 1);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  if (!experiment.link.isEmpty()) {
    column->addWidget(readOnlyLine("linkText", lab::tr("The experiment's link"), experiment.link));
    QPushButton* copy = buttons->addButton(lab::tr("Cop&y the link"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyLinkText"));
    copy->setToolTip(lab::tr("Copies the link as text, for File ▸ Paste experiment link"));
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [link = experiment.link] { QGuiApplication::clipboard()->setText(link); });
  }
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  column->addWidget(buttons);
  if (!addresses.isEmpty()) {
    const QRect screen = window.screen()->availableGeometry();
    const int high = static_cast<int>(kOfScreen * screen.height());
    dialog->resize(std::min(high, static_cast<int>(kOfScreen * screen.width())), high);
    dialog->move(screen.center() - dialog->rect().center());
  }
  dialog->open();
  return dialog;
}

}  // namespace lab
