// SPDX-License-Identifier: GPL-3.0-or-later
// The menu File, and what is dropped on the window: opens and saves, asks before changes are lost, and reports how far
// a file has been read.
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>

class QMenu;

namespace lab {

class DeskParts;
struct RunRecord;

class FileDesk final : public QObject {
  Q_OBJECT

 public:
  explicit FileDesk(DeskParts& desk);  // fills the menu

  bool open(const QString& path, const std::shared_ptr<RunRecord>& read = nullptr);  // as Document::open()
  bool openLesson(const QString& nameOrFile);  // the same; a name of a built-in lesson, or a file
  QStringList recent() const;
  bool isChanged() const;  // there is a file, and its changes are not saved
  // Asks whether to save the file, if it has changed, and tells what else is lost; `then` follows unless the user
  // stays.
  void askBefore(const QStringList& lost, const std::function<void()>& then);

 Q_SIGNALS:
  void picturesDropped(const QStringList& paths);  // for a data set

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void followDocument();
  void showReading(const QString& path);
  void refreshTitle();
  void remember(const QString& path);
  void leave(const std::function<void()>& then);  // asks first if the file's changes would be lost
  void openFromHere(const QString& path);      // as open(), but asks first if the present file's changes would be lost
  void openLink(const QString& text);          // the same
  void openByKind(const QString& path);        // a picture, a network, weights, a trace, or what openFromHere() opens
  void openDropped(const QStringList& paths);  // together, or says which not
  void fillMenu();
  void fillRecent();
  void askOpen();
  void askSaveAs();
  bool save();  // into the file; offers to replace it if save() of the document refuses

  DeskParts& desk_;
  QMenu* recent_ = nullptr;
};

}  // namespace lab
