// SPDX-License-Identifier: GPL-3.0-or-later
// The desk around the stage: files, undo, and what the menus File, Edit and Help do with them. It adds to a MainWindow
// and knows its parts; the window does not know it. What is remembered from one start to the next is in
// `settings`, which belongs to the caller.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <nlohmann/json.hpp>

#include "ui/charts/run_curves.h"
#include "ui/compare/lane_specs.h"
#include "ui/files/document.h"
#include "ui/files/session.h"
#include "ui/files/settings_undo.h"
#include "ui/help/notices.h"
#include "ui/session/window_view.h"

class QAction;
class QMenu;
class QSettings;

namespace lab {

class ClassLocks;
class CompareView;
class DataDialog;
class DragOut;
class Keys;
class MainWindow;
class Presenter;
struct SharedExperiment;

class Workbench final : public QObject {
  Q_OBJECT

 public:
  Workbench(MainWindow& window, QSettings& settings);
  ~Workbench() override;

  Document& document() { return document_; }
  SettingsUndo& undo() { return undo_; }

  void keepSession(const QString& folder);     // from now on; said where it cannot be
  bool restoreSession();                       // false: there is none. Where another window holds it, a copy is offered
  void restoreRuns();                          // of the last session, where this start begins something else
  bool open(const QString& path);              // false: it cannot be, which is said
  bool openLesson(const QString& nameOrFile);  // likewise; a name of the built-in ones, or a file
  void restoreWindow();                        // geometry, panels, theme, charts' options, as they were left
  void rememberWindow();
  void endNow();  // as when the window is closed, without a question: the next start finds what was not saved
  QStringList recentFiles() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAction* add(QMenu& menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
               const std::function<void()>& act);
  void fillFileMenu();
  void fillEditMenu();
  void fillHelpMenu();
  void reportProblem();
  void fillDataMenu();
  DataDialog& showData();  // made when it is asked for first
  void fillViewMenu();
  void fillTeachMenu();
  QString link() const;  // of the experiment, with what it hides and locks. UserError where it is too long
  SharedExperiment shared() const;
  void takeLocks();
  bool mayDrop(const char* act);  // false: its action is locked, which is said
  void showMovie();
  void fillExportMenu(QMenu& file);
  void adopt(QWidget* view);  // a tab's, when it is made
  void adoptGuide(QWidget* view);
  void followDocument();
  void makePresenter();
  void lead(const Moment& moment);  // there, or says why not
  void askForPoster();
  void askForRuns();
  void fillCopy(QMenu& edit);
  void adoptKeys();
  void showHistory();
  void goBack(const SettingsUndo::Went& went);
  void lockPanels(bool locked);
  void showPalette();
  void fillRecent();
  void remember(const QString& path);
  void say(Notices::Cause cause, const QString& text, bool failure);  // a success ends what the cause has said
  void takeSweep();
  void takeComparison(bool tell);
  void adoptCompare(CompareView& view);
  void offerView(const QString& sentence);
  void offerCopy(const QString& words, const QString& button);  // of the session that another window holds
  void mention(const QString& text);                            // in passing
  void refreshTitle();
  void openDropped(const QString& path);  // by what it is: a picture, a network, a trace, an experiment or a recording
  void askOpen();
  void askSaveAs(const std::function<void()>& then = {});
  QStringList losses() const;
  bool mayClose();

  MainWindow& window_;
  QSettings& settings_;
  Document document_;
  SettingsUndo undo_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Keys> keys_;
  Notices notices_;
  WindowView view_;
  DragOut* out_;
  Presenter* presenter_ = nullptr;
  QMenu* recent_ = nullptr;
  DataDialog* data_ = nullptr;
  ClassLocks* locks_ = nullptr;
  Comparing comparing_;        // for Compare, as long as nobody has seen it
  nlohmann::json comparison_;  // of the lanes, as they were taken up last
  QStringList laneNames_;      // likewise
  QString mentioned_;          // in passing, the last
  QTimer passing_;
  ChartOptions chartOptions_;  // for charts that are not made yet
  bool unkeptTold_ = false;    // that the session cannot be kept
  bool closing_ = false;       // what is not saved has been decided on
};

}  // namespace lab
