// SPDX-License-Identifier: GPL-3.0-or-later
// The window's bars: a few controls in the first line, beside the workspaces' tabs if the window is wide enough; the
// others in a line of their own, which the user opens with More.
#pragma once

#include <QList>
#include <QObject>

#include <vector>

class QAction;
class QMainWindow;
class QTabBar;
class QToolBar;
class QWidget;

namespace lab {

class Experiment;
class SettingsRow;
class SetupBar;
class Transport;
class TransportBar;

class ToolBars final : public QObject {
  Q_OBJECT

 public:
  ToolBars(QMainWindow& window, Experiment& experiment, const Transport& transport, TransportBar& transportBar);

  SetupBar& setupBar() const { return *setupBar_; }
  QAction& moreAct() const { return *moreAct_; }
  void addTabs(QTabBar* workspaces);               // once
  void addPanel(QAction& panel, bool besideTabs);  // its button; after the tabs
  // Whether the controls behind More are shown: by the user's wish, or temporarily, because something there is pointed
  // at.
  bool showsMore() const { return more_; }
  void setShowsMore(bool shown);
  void reveal(const QString& control);
  void setBare(bool bare) { bare_ = bare; }  // in projector mode: then the keys suffice; call show() afterwards
  void show();                               // which bars there are
  void fit();          // the same, how wide the panels' buttons are, and which controls stand in which line
  int height() const;  // pixels, of all lines

 Q_SIGNALS:
  void moreTurned();  // the controls behind More were shown or hidden

 private:
  struct Spare;

  QToolBar* addBar(QToolBar* bar, const char* name);
  QWidget* makeMoreButton();
  void turnMore(bool shown);
  void fitOnce();
  void fitBar(QToolBar& bar, QWidget& place, SettingsRow& row, int beside);
  static bool fitSpares(SettingsRow& row, const std::vector<Spare>& spares, int room);

  QMainWindow& window_;
  TransportBar& transportBar_;
  SetupBar* setupBar_;
  QToolBar *toolBar_, *tabRow_, *moreBar_;
  QAction* moreAct_;
  QList<QWidget*> panelButtons_;
  bool more_ = false;  // as the user has chosen
  bool bare_ = false;
  bool isFitting_ = false, fitsAgain_ = false;
};

}  // namespace lab
