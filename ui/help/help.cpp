// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/platform.h"
#include "core/device/cuda/gpu_module.h"
#include "ui/help/notice.h"
#include "ui/i18n/words.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// Opens only one dialog of each kind: a second request brings the open one to the front.
QDialog* openOnce(QWidget* parent, const char* name, const QString& title) {
  if (auto* open = parent->findChild<QDialog*>(QLatin1String(name))) {
    open->raise();
    open->activateWindow();
    return nullptr;
  }
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(QLatin1String(name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  return dialog;
}

QString allKeysOf(const QAction& action) {
  QStringList keys;
  for (const QKeySequence& key : action.shortcuts()) keys << key.toString(QKeySequence::NativeText);
  return keys.join(QStringLiteral("  "));
}

}  // namespace

void showShortcuts(QWidget* parent, const QList<QAction*>& actions) {
  QDialog* dialog = openOnce(parent, "shortcuts", tr("Keys"));
  if (dialog == nullptr) return;
  auto* content = new QWidget;
  auto* grid = new QGridLayout(content);
  grid->setContentsMargins(theme::em(1.5), theme::em(1.2), theme::em(1.5), theme::em(1.2));
  grid->setHorizontalSpacing(theme::em(1));
  grid->setVerticalSpacing(theme::em(0.45));
  QList<std::pair<QString, QString>> rows;
  for (const QAction* action : actions) {
    if (!action->shortcut().isEmpty())
      rows.append({allKeysOf(*action), action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"))});
  }
  rows.append({tr("Wheel on the scrubber"), tr("One unit forward or back")});
  rows.append({tr("Tab, Enter"), tr("Go to the next control, and use it")});
  // Two columns if the screen has room for them.
  int widest = 0, keys = 0;
  for (const auto& [key, words] : rows) {
    widest = std::max(widest, dialog->fontMetrics().horizontalAdvance(words));
    keys = std::max(keys, dialog->fontMetrics().horizontalAdvance(key));
  }
  const bool wide = 2 * (widest + keys * 5 / 4 + theme::em(3)) < dialog->screen()->availableSize().width();
  const qsizetype half = wide ? (rows.size() + 1) / 2 : rows.size();
  for (qsizetype i = 0; i < rows.size(); ++i) {
    const int row = static_cast<int>(i % half), column = i < half ? 0 : 3;
    grid->addWidget(makeLabel({.text = rows[i].first, .role = "strong"}), row, column);
    grid->addWidget(new QLabel(rows[i].second), row, column + 1);
  }
  if (wide) grid->setColumnMinimumWidth(2, theme::em(2));
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new FittingArea(content, dialog->windowTitle()));
  fitToScreen(*dialog);
  dialog->show();
}

QString systemInfo() {
  const Message noGpu = whyNoGpu();
  const QString revision = QCoreApplication::instance()->property("revision").toString();  // of the sources, set by
                                                                                           // main
  const QString version = QCoreApplication::applicationVersion();
  return QStringLiteral("StrategyLab %1\nQt %2\n%3, %4\n%5, %6 threads\nGPU: %7")
      .arg(revision.isEmpty() ? version : QStringLiteral("%1, revision %2").arg(version, revision),
           QString::fromLatin1(qVersion()), QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(),
           QString::fromStdString(processorName()))
      .arg(processorCount())
      .arg(QString::fromStdString(noGpu.empty() ? gpuList() : format(noGpu)));
}

namespace {

QString displayInfo() {
  QStringList screens;
  for (const QScreen* screen : QGuiApplication::screens())
    screens << QStringLiteral("%1×%2 at %3×, %4 dpi")
                   .arg(screen->size().width())
                   .arg(screen->size().height())
                   .arg(screen->devicePixelRatio())
                   .arg(qRound(screen->logicalDotsPerInch()));
  return QStringLiteral("Display: %1; %2").arg(QGuiApplication::platformName(), screens.join(QStringLiteral("; ")));
}

}  // namespace

QString problemReport(const QString& window, const QString& settings) {
  const QStringList& notices = Notice::recent();
  QString text = systemInfo() + QStringLiteral("\nBuild: " STRATEGYLAB_BUILD ", for Qt " QT_VERSION_STR "\n") +
                 displayInfo() + QLatin1Char('\n') + window + QStringLiteral("\nSettings: ") + settings +
                 QStringLiteral("\nLast notices:\n") +
                 (notices.isEmpty() ? QStringLiteral("none") : notices.join(QLatin1Char('\n'))) + QLatin1Char('\n');
  const QString home = QDir::homePath();
  if (home.size() > 1) text.replace(home, QStringLiteral("~"));
  return text;
}

void showReport(QWidget* parent, const QString& report) {
  QDialog* dialog = openOnce(parent, "report", tr("Report a problem"));
  if (dialog == nullptr) return;
  auto* column = new QVBoxLayout(dialog);
  auto* words =
      makeLabel({.text = tr("These details help to find the fault. Read them, take out what you do not want to share, "
                            "copy them, and add what you did and what you saw. Nothing is sent from here."),
                 .wraps = true});
  auto* text = new QPlainTextEdit(report);
  text->setObjectName(QStringLiteral("reportText"));
  text->setAccessibleName(dialog->windowTitle());
  text->setTabChangesFocus(true);
  text->setLayoutDirection(Qt::LeftToRight);  // it is English in every language
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copy = buttons->addButton(tr("&Copy to the clipboard"), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("copyReport"));
  QObject::connect(copy, &QPushButton::clicked, dialog,
                   [text] { QGuiApplication::clipboard()->setText(text->toPlainText()); });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  column->addWidget(words);
  column->addWidget(text, 1);
  column->addWidget(buttons);
  fitToScreen(*dialog, {50, 36});
  dialog->show();
}

void showAbout(QWidget* parent) {
  QDialog* dialog = openOnce(parent, "about", tr("About StrategyLab"));
  if (dialog == nullptr) return;
  auto* all = new QVBoxLayout(dialog);
  QVBoxLayout* column = addFittingColumn(*all, dialog->windowTitle());
  column->setSpacing(theme::em(0.8));
  auto* title = makeLabel({.text = QStringLiteral("StrategyLab"), .role = "title"});
  auto* words = makeLabel(
      {.text = tr(
           "Trains a small network for real under the strategies of tf.distribute, and shows what each of them "
           "does.\n\n"
           "Free software under the GNU General Public License, version 3 or later.\n"
           "Digits inside this program: OpenCV's samples, Apache License 2.0.\n"
           "MNIST, where it is found: Y. LeCun, C. Cortes, C. J. C. Burges. Fashion-MNIST: Zalando SE, MIT License.\n"
           "Built with Qt and Qt Charts, Eigen, nlohmann-json, zlib, libcurl, OpenSSL and libzip."),
       .wraps = true});
  auto* system = makeLabel({.text = systemInfo(), .role = "quiet", .wraps = true, .selectable = true});
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copy = buttons->addButton(tr("Copy system information"), QDialogButtonBox::ActionRole);
  QObject::connect(copy, &QPushButton::clicked, dialog, [] { QGuiApplication::clipboard()->setText(systemInfo()); });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  for (QLabel* part : {title, words, system}) column->addWidget(part);
  column->addStretch();
  all->addWidget(buttons);
  fitToScreen(*dialog, {50, 0});
  dialog->show();
}

}  // namespace lab
