// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the desk around the stage share: the window, the document with its undo, and the notices.
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>

#include "ui/files/document.h"
#include "ui/files/settings_undo.h"
#include "ui/help/notices.h"
#include "ui/session/window_view.h"

class QAction;
class QKeySequence;
class QMenu;
class QSettings;

namespace lab {

class MainWindow;

class DeskParts final : public QObject {
  Q_OBJECT

 public:
  DeskParts(MainWindow& mainWindow, QSettings& kept, QObject* parent);

  void say(Notices::Cause cause, const QString& text, bool failure);  // a success removes the cause's earlier message
  void mention(const QString& text);                                  // a short message, in passing
  QAction* add(QMenu& menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
               const std::function<void()>& act);
  bool mayDrop(const char* act);  // false: the action for what was dropped is locked, which is reported
  // Offers to show the window as the document was saved; `sentence` contains %1 for what the window showed.
  void offerView(const QString& sentence);

  MainWindow& window;
  QSettings& settings;
  Document document;
  SettingsUndo undo;
  Notices notices;
  WindowView view;

 private:
  QString mentioned_;  // the last such message
  QTimer passing_;
};

}  // namespace lab
