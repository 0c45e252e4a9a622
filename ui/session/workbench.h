// SPDX-License-Identifier: GPL-3.0-or-later
// The desk around the stage: files, undo, and what the menus File, Edit and Help do with them. It extends a MainWindow
// and knows its parts; the window does not know the workbench. What is remembered between sessions is in `settings`,
// which belongs to the caller.
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
class KeptSweep;
class Keys;
struct RunRecord;

class Workbench final : public QObject {
  Q_OBJECT

 public:
  Workbench(MainWindow& window, QSettings& settings);
  ~Workbench() override;

  Document& document() { return desk_.document; }
  SettingsUndo& undo() { return desk_.undo; }

  void keepSession(const QString& folder);  // from now on; reports if that fails
  bool restoreSession();                    // false: there is none. Offers a copy if another window holds it
  void restoreRuns();                       // those of the last session, if this start begins something else
  bool open(const QString& path, const std::shared_ptr<RunRecord>& read = nullptr);  // as Document::open()
  bool openLesson(const QString& nameOrFile);  // the same; a name of a built-in lesson, or a file
  void restoreWindow();                        // geometry, panels, theme and chart options of the last session
  void rememberWindow();
  void checkSettings();
  void store();   // window and session, while the desktop's session ends; the window may go on
  void endNow();  // like closing the window, but without a question: the next session finds unsaved work
  QStringList recentFiles() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fillFileMenu();
  void fillEditMenu();
  void fillHelpMenu();
  void reportProblem();
  void fillDataMenu();
  DataDialog& showData();  // made when first asked for
  void fillViewMenu();
  void adopt(QWidget* view);  // called for a tab's view when it is made
  void followDocument();
  void showReading(const QString& path);
  void followLibrary();
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
  void offerCopy(const QString& words, const QString& button);  // of the session held by another window
  void refreshTitle();
  void openDropped(const QString& path);  // depends on its content: a picture, a network, a trace, an experiment or a
                                          // recording
  void openDropped(const QStringList& paths);  // together, or says which not
  void askOpen();
  void askSaveAs(const std::function<void()>& then = {});
  bool save();  // into the file; offers to replace it if save() of the document refuses
  QStringList losses() const;
  bool isFileChanged() const;  // and not saved
  bool mayClose();
  void leaveFile(const std::function<void()>& then);  // asks first if the file's changes would be lost
  void askBefore(const QStringList& lost, const std::function<void()>& then);
  void openFromHere(const QString& path);  // as open(), but asks first if the present file's changes would be lost
  void openLink(const QString& text);      // the same

  DeskParts& desk_;
  KeptComparison& comparison_;
  KeptSweep& sweep_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Keys> keys_;
  DragOut* out_ = nullptr;
  GuidePaths* guide_ = nullptr;
  ClassDesk* class_ = nullptr;
  QMenu* recent_ = nullptr;
  DataDialog* data_ = nullptr;
  ChartOptions chartOptions_;  // for charts that are not made yet
  bool unkeptTold_ = false;    // reported that the session cannot be stored
  bool isUnkept_ = false;      // the session could not be stored at the end
  bool settingsTold_ = false;  // reported that the settings cannot be stored
  bool closing_ = false;       // the user has decided about unsaved work
  bool discards_ = false;      // the user has decided to lose it
};

}  // namespace lab
