// SPDX-License-Identifier: GPL-3.0-or-later
// The desk around the stage: what the menus Edit, Data, View and Help do, and the parts that open files and keep the
// session. It extends a MainWindow and knows its parts; the window does not know the workbench. What is remembered
// between sessions is in `settings`, which belongs to the caller.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

#include "ui/session/desk_parts.h"
#include "ui/session/file_desk.h"
#include "ui/session/kept_session.h"

class QAction;

namespace lab {

class ClassDesk;
class DataDialog;
class DragOut;
class GuidePaths;
class KeptComparison;
class KeptSweep;
class Keys;
struct KeptRun;

class Workbench final : public QObject {
  Q_OBJECT

 public:
  Workbench(MainWindow& window, QSettings& settings);
  ~Workbench() override;

  Document& document() { return desk_.document; }
  SettingsUndo& undo() { return desk_.undo; }
  FileDesk& files() { return files_; }
  KeptSession& session() { return *session_; }

 private:
  QAction* makeUndoAct();
  void fillEditMenu();
  void fillHelpMenu();
  void reportProblem();
  void fillDataMenu();
  DataDialog& showData();  // made when first asked for
  void showOwnData(const QStringList& pictures);
  void fillViewMenu();
  void adopt(QWidget* view);  // called for a tab's view when it is made
  void followDocument();
  void followLibrary();
  void takeDeleted(const std::vector<KeptRun>& runs, int baseline);  // so that they can be brought back
  void fillCopy(QMenu& edit);
  void adoptKeys();
  void showHistory();
  void goBack(const SettingsUndo::Went& went);
  void lockPanels(bool locked);
  void showPalette();
  void takeSweep();

  DeskParts& desk_;
  KeptComparison& comparison_;
  KeptSweep& sweep_;
  FileDesk& files_;
  std::unique_ptr<KeptSession> session_;
  std::unique_ptr<Keys> keys_;
  DragOut* out_ = nullptr;
  GuidePaths* guide_ = nullptr;
  ClassDesk* class_ = nullptr;
  DataDialog* data_ = nullptr;
};

}  // namespace lab
