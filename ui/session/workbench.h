// SPDX-License-Identifier: GPL-3.0-or-later
// The desk around the stage: files, undo, and what the menus File, Edit and Help do with them. It adds to a MainWindow
// and knows its parts; the window does not know it. What is remembered from one start to the next is in
// `settings`, which belongs to the caller.
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>

#include "ui/charts/run_curves.h"
#include "ui/files/session.h"
#include "ui/session/desk_parts.h"

namespace lab {

class ClassDesk;
class DataDialog;
class DragOut;
class GuidePaths;
class KeptComparison;
class Keys;

class Workbench final : public QObject {
  Q_OBJECT

 public:
  Workbench(MainWindow& window, QSettings& settings);
  ~Workbench() override;

  Document& document() { return desk_.document; }
  SettingsUndo& undo() { return desk_.undo; }

  void keepSession(const QString& folder);     // from now on; said where it cannot be
  bool restoreSession();                       // false: there is none. Where another window holds it, a copy is offered
  void restoreRuns();                          // of the last session, where this start begins something else
  bool open(const QString& path);              // false: it cannot be, which is said
  bool openLesson(const QString& nameOrFile);  // likewise; a name of the built-in ones, or a file
  void restoreWindow();                        // geometry, panels, theme, charts' options, as they were left
  void rememberWindow();
  void checkSettings();
  void endNow();  // as when the window is closed, without a question: the next start finds what was not saved
  QStringList recentFiles() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fillFileMenu();
  void fillEditMenu();
  void fillHelpMenu();
  void reportProblem();
  void fillDataMenu();
  DataDialog& showData();  // made when it is asked for first
  void fillViewMenu();
  void adopt(QWidget* view);  // a tab's, when it is made
  void followDocument();
  void fillCopy(QMenu& edit);
  void adoptKeys();
  void showHistory();
  void goBack(const SettingsUndo::Went& went);
  void lockPanels(bool locked);
  void showPalette();
  void fillRecent();
  void remember(const QString& path);
  void takeSweep();
  void offerView(const QString& sentence);
  void offerCopy(const QString& words, const QString& button);  // of the session that another window holds
  void refreshTitle();
  void openDropped(const QString& path);  // by what it is: a picture, a network, a trace, an experiment or a recording
  void askOpen();
  void askSaveAs(const std::function<void()>& then = {});
  QStringList losses() const;
  bool mayClose();

  DeskParts& desk_;
  KeptComparison& comparison_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Keys> keys_;
  DragOut* out_ = nullptr;
  GuidePaths* guide_ = nullptr;
  ClassDesk* class_ = nullptr;
  QMenu* recent_ = nullptr;
  DataDialog* data_ = nullptr;
  ChartOptions chartOptions_;  // for charts that are not made yet
  bool unkeptTold_ = false;    // that the session cannot be kept
  bool isUnkept_ = false;      // at the end it could not
  bool settingsTold_ = false;  // nor can the settings
  bool closing_ = false;       // what is not saved has been decided on
};

}  // namespace lab
