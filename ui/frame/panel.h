// SPDX-License-Identifier: GPL-3.0-or-later
// One of the panels around the centre: a row of tabs, which is also its title, and the page of the chosen tab, made
// when it is first seen. If the row is too narrow for the tabs, a list replaces them. A panel is opened, collapsed,
// moved and floated as a whole. A floating panel is a window with the desktop's frame, beside its main window.
#pragma once

#include <QDockWidget>
#include <QRect>
#include <QSize>

#include <functional>

class QComboBox;
class QTabBar;
class QToolButton;

namespace lab {

class OnDemand;
class PageStack;

class Panel final : public QDockWidget {
  Q_OBJECT

 public:
  Panel(const char* name, const QString& title, QWidget* parent = nullptr);

  OnDemand& addTab(const char* name, const QString& title, std::function<QWidget*()> make);
  OnDemand* page(const QString& tab) const;  // nullptr: the panel has no such tab
  QString chosen() const;                    // the tab's name
  void choose(const QString& tab);           // does nothing for a tab that is locked or hidden
  void offerTabs();                          // updates the tabs after some were locked, hidden or shown
  bool shows(const QString& tab) const { return isVisible() && chosen() == tab; }
  bool stands() const { return !isHidden() && !isFloating(); }  // it is open in the window
  void setBare(bool bare);                                      // without tabs and buttons: on a projector
  void setVisible(bool visible) override;

 Q_SIGNALS:
  void turned();     // by the user, to another tab
  void collapsed();  // by its button

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeTitle();
  void fitTabs();
  void turnTo(int tab);
  void fitTitle();
  void frame();
  OnDemand* pageAt(int index) const;
  int indexOf(const QString& tab) const;

  QWidget *title_, *bare_;
  QTabBar* tabs_;
  QComboBox* list_;  // replaces the tabs if room is short
  PageStack* pages_;
  QToolButton *float_, *collapse_;
  bool placed_ = false, toPlace_ = false;  // as a window: was placed once; is still to be placed
};

// The place at which a window of `wanted` pixels covers as little as possible of `window`: beside it on the side with
// the most room, or at the corner of a full screen.
QRect placeBeside(const QRect& window, const QRect& screen, QSize wanted);

}  // namespace lab
