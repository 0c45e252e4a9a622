// SPDX-License-Identifier: GPL-3.0-or-later
// The window's looks as chosen, as the system has them and as a file shows them for a visit: theme, motion, text size,
// full screen, and projector mode, which has fewer panels, larger type and stronger colours on the full screen.
#pragma once

#include <QObject>

#include <optional>

#include "ui/theme/theme_tables.h"

class QAction;
class QMainWindow;
class QMenu;

namespace lab {

class Playback;

class Looks final : public QObject {
  Q_OBJECT

 public:
  Looks(QMainWindow& window, Playback& playback);

  void fillMenu(QMenu& view);
  QAction& projectorAct() const { return *projector_; }
  QAction& fullScreenAct() const { return *fullScreen_; }

  void setTheme(std::optional<theme::Kind> chosen);                  // nothing: follow the system
  void visit(theme::Kind kind);                                      // temporarily
  std::optional<theme::Kind> chosenTheme() const { return theme_; }  // ignores temporary themes
  theme::Kind usualTheme() const;                                    // ignores projector mode
  QString nameOf(theme::Kind kind) const;                            // the name in the menu
  void setReducedMotion(std::optional<bool> chosen);                 // nothing: follow the system
  void setSystem(theme::Kind theme, bool reducedMotion);
  void setTextPoints(int points);  // 0: depends on the window's size
  void setProjectorMode(bool on);  // F11: toggles full screen with the projector theme
  bool isProjectorMode() const;
  void setFullScreen(bool on);
  void apply();  // for a window of this size

 Q_SIGNALS:
  void changing(bool projected);     // before another theme; `projected`: the next one has fewer panels
  void turned();                     // to another theme, which no widget has yet
  void applied(bool otherTextSize);  // the widgets have the theme and the text size
  void changed(bool wasProjected);   // after another theme was applied
  void chromeChanged(bool shown);    // menus, toolbars and the panels' titles

 private:
  theme::Kind themeInForce() const;
  void showTheme();
  void applyMotion();

  QMainWindow& window_;
  Playback& playback_;
  bool wasMaximized_ = false;           // before full screen
  bool wasFullScreen_ = false;          // before projector mode
  std::optional<theme::Kind> theme_;    // as chosen; nothing: the system's
  std::optional<theme::Kind> visited_;  // temporary, from a file
  theme::Kind systemTheme_;
  std::optional<bool> reducedMotion_;
  bool systemReducedMotion_ = false;
  QAction *projector_, *fullScreen_;
  QList<QAction*> themes_;  // in the order of theme::kKinds; last, the system's
};

}  // namespace lab
