// SPDX-License-Identifier: GPL-3.0-or-later
// What one start of the program hands to the next: the window in the settings, experiment and runs in the session's
// folder. They come back on request, and are stored when the window closes, after a question if something would be
// lost.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>

#include "ui/charts/run_curves.h"
#include "ui/files/session.h"

namespace lab {

class ClassLocks;
class DeskParts;
class FileDesk;

class KeptSession final : public QObject {
  Q_OBJECT

 public:
  KeptSession(DeskParts& desk, FileDesk& files, const ClassLocks& locks);

  void keep(const QString& folder);  // from now on; reports if that fails
  bool restore();                    // false: there is none. Offers a copy if another window holds it
  void restoreRuns();                // those of the last session, if this start begins something else
  void restoreWindow();              // geometry, panels, theme and chart options of the last session
  void rememberWindow();             // but for panels and layout while a file's locks are in force
  void store();                      // window and session, while the desktop's session ends; the window may go on
  void endNow();  // like closing the window, but without a question: the next session finds unsaved work

 Q_SIGNALS:
  void restored();  // the document has what an earlier session, or another window's, keeps beside the settings

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void offerCopy(const QString& words, const QString& button);  // of the session held by another window
  void checkSettings();                                         // stores them at once; reports if that fails
  QStringList losses() const;
  bool mayClose();
  bool finish();  // returns false if the session cannot be stored, and the window is to stay for now

  DeskParts& desk_;
  FileDesk& files_;
  const ClassLocks& locks_;
  std::unique_ptr<Session> session_;
  ChartOptions charts_;        // for charts that are not made yet
  bool settingsTold_ = false;  // reported that the settings cannot be stored
  bool unkeptTold_ = false;    // reported that the session cannot be stored
  bool isUnkept_ = false;      // the session could not be stored at the end
  bool closing_ = false;       // the user has decided about unsaved work
  bool discards_ = false;      // the user has decided to lose it
};

}  // namespace lab
