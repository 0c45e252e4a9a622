// SPDX-License-Identifier: GPL-3.0-or-later
// Data: published sets, fetched with a progress bar that can be paused; and the user's own IDX files or folder of
// pictures, chosen or dropped, which are checked and shown before the experiment uses them, with what is left out and
// why. Closing the dialog stops nothing: a fetch goes on, and its end is reported. Only the buttons that say so change
// the experiment.
#pragma once

#include <QDialog>

#include <memory>
#include <vector>

#include "core/data/custom_files.h"
#include "ui/data/data_fetch.h"
#include "ui/runview/background.h"

class QGridLayout;
class QLabel;
class QListWidget;
class QMimeData;
class QProgressBar;
class QPushButton;

namespace lab {

class DataPreview;
class Experiment;

class DataDialog final : public QDialog {
  Q_OBJECT

 public:
  // Takes over `fetches`. `ownFolder`: where the user's files are copied if they are not laid out as required.
  DataDialog(Experiment& experiment, std::vector<std::unique_ptr<DataFetch>> fetches, std::filesystem::path ownFolder,
             QWidget* parent = nullptr);

  void openOwn(const QStringList& paths);        // files or a folder, of IDX files or of pictures
  void fetchWhenKnown(const std::string& name);  // fetches the set if it turns out to be missing
  DataFetch* fetchOf(const std::string& name);
  DataPreview& preview() { return *preview_; }
  bool busy() const { return background_.busy(); }

  static std::vector<std::unique_ptr<DataFetch>> published();

 Q_SIGNALS:
  void said(const QString& text, bool failure);  // what ended while the dialog was closed

 protected:
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Row {
    std::unique_ptr<DataFetch> fetch;
    QLabel* words;
    QProgressBar* bar;
    QPushButton *go, *cancel, *use;
    QMetaObject::Connection whenKnown{};  // fetches the set once it is known whether it is here
  };
  void addRow(QGridLayout& grid, std::unique_ptr<DataFetch> fetch);
  void refresh(Row& row);
  void useFetched(const Row& row);
  QWidget* makeOwn();
  void openPictures(const QString& folder);
  void showLeftOut(const QStringList& files);
  void chooseFolder();
  void forgetOwn();
  void useOwn();
  void useFolder(const std::string& dataset, const std::filesystem::path& folder);
  void showSet(const std::string& name, const std::filesystem::path& folder);
  void choose();
  void say(const QString& text, bool failure);

  Experiment& experiment_;
  const std::filesystem::path ownFolder_;
  std::vector<Row> rows_;
  QLabel* message_;
  DataPreview* preview_;
  QPushButton* useOwn_;
  std::shared_ptr<const CustomFiles> own_;  // at most one of own_ and pictures_ is set
  std::filesystem::path pictures_;
  QLabel* leftOutTitle_;
  QListWidget* leftOut_;
  Background background_;  // last member: it ends first
};

QStringList localFiles(const QMimeData& data);  // the files being dragged

// True if what is dropped on the window may be data: a folder, several files, or a file that has the name or the
// beginning of an IDX file.
bool looksLikeData(const QStringList& paths);

}  // namespace lab
