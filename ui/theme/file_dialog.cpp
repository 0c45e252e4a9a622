// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/file_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>

namespace lab {
namespace {

// Returns the name, or "name (2)" and so on: the first that the folder has no file of.
QString freeName(const QDir& folder, const QString& name) {
  const qsizetype dot = name.lastIndexOf(QLatin1Char('.'));
  const QString stem = name.left(dot), suffix = dot < 0 ? QString() : name.mid(dot);
  QString free = name;
  for (int n = 2; folder.exists(free); ++n) free = QStringLiteral("%1 (%2)%3").arg(stem).arg(n).arg(suffix);
  return free;
}

// The first suffix in "Pictures (*.png *.svg)"; "" in "All files (*)".
QString suffixIn(const QString& filter) {
  static const QRegularExpression first(QStringLiteral(R"(\*\.([\w.]+))"));
  return first.match(filter).captured(1);
}

}  // namespace

QFileDialog& askForPath(QWidget* parent, QObject* receiver, const FileQuestion& question,
                        const std::function<void(const QString&)>& then) {
  using Kind = FileQuestion::Kind;
  const QString& proposed = question.proposed;
  const bool saves = question.kind == Kind::Save;
  const bool isPath = !proposed.isEmpty() && (!saves || QDir::isAbsolutePath(proposed));
  // With no path, Qt begins in the folder of its last dialog.
  auto* dialog = new QFileDialog(parent, question.title, isPath ? proposed : QString(), question.filters);
  dialog->setObjectName(QLatin1String(question.name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(saves ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
  dialog->setFileMode(question.kind == Kind::Folder        ? QFileDialog::Directory
                      : question.kind == Kind::OpenSeveral ? QFileDialog::ExistingFiles
                      : saves                              ? QFileDialog::AnyFile
                                                           : QFileDialog::ExistingFile);
  dialog->setOption(QFileDialog::ShowDirsOnly, question.kind == Kind::Folder);
  if (saves) {
    dialog->setDefaultSuffix(suffixIn(question.filters));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
      if (const QString its = suffixIn(filter); !its.isEmpty()) dialog->setDefaultSuffix(its);
    });
    if (!isPath && !proposed.isEmpty()) dialog->selectFile(freeName(dialog->directory(), proposed));
  }
  QObject::connect(dialog, &QFileDialog::fileSelected, receiver, [dialog, then](const QString& path) {
    dialog->setDirectory(QFileInfo(path).absolutePath());  // also where a whole path was typed
    if (then) then(path);
  });
  QObject::connect(receiver, &QObject::destroyed, dialog, &QDialog::reject);
  dialog->open();
  return *dialog;
}

}  // namespace lab
