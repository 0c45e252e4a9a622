// SPDX-License-Identifier: GPL-3.0-or-later
// Serving a class from the window: how it begins, its tab, and the code that replaces the stage while few have joined.
#pragma once

#include <QObject>

#include <optional>

#include "core/classruns/class_run.h"

class QAction;
class QMenu;
class QWidget;

namespace lab {

class Centre;
class ClassPanel;
class Messages;
class Panels;
class ServedClass;
class Workspaces;
struct StageRun;

class ClassServing final : public QObject {
  Q_OBJECT

 public:
  // `window` owns the actions and the dialog.
  ClassServing(QWidget& window, StageRun& run, ServedClass& served, Centre& centre, Workspaces& workspaces,
               Panels& panels, Messages& messages);

  const ServedClass& served() const { return class_; }
  void fillMenu(QMenu& run);
  QWidget* makePanel();  // once
  void openDialog();     // or the tab of the class that is being served
  bool showsCode() const;
  void setShowsCode(bool shown);
  void refresh();

 private:
  void serve(const RunSettings& settings, const ClassRun::Wishes& wishes);  // UserError

  QWidget& window_;
  StageRun& run_;
  ServedClass& class_;
  Centre& centre_;
  Workspaces& workspaces_;
  Panels& panels_;
  Messages& messages_;
  QAction *serve_, *code_;
  ClassPanel* panel_ = nullptr;    // made when first seen
  bool servedBefore_ = false;      // at the latest check
  std::optional<bool> showsCode_;  // the user's choice
};

}  // namespace lab
