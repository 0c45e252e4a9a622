// SPDX-License-Identifier: GPL-3.0-or-later
// One of the panels around the centre: a row of tabs, which is its title as well, and the page of the chosen tab, made
// when it is first seen. Where the row has no room for a tab and its arrows, a list stands in its place. A panel is
// opened, collapsed, moved and floated as a whole. Floated it is a window with the desktop's frame, beside the window
// that it belongs to.
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
  OnDemand* page(const QString& tab) const;  // nullptr: it is none of these tabs
  QString chosen() const;                    // the tab's name
  void choose(const QString& tab);           // stays where it is for a tab that is locked or hidden
  void offerTabs();                          // some have been locked or hidden, or are there again
  bool shows(const QString& tab) const { return isVisible() && chosen() == tab; }
  void setBare(bool bare);  // without tabs and buttons: on a projector
  void setVisible(bool visible) override;

 Q_SIGNALS:
  void turned();     // to another tab, by a person
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
  QComboBox* list_;  // in place of the tabs, in little room
  PageStack* pages_;
  QToolButton *float_, *collapse_;
  bool placed_ = false, toPlace_ = false;  // as a window: it was once; it is to be
};

// Where a window of `wanted` pixels covers as little as can be of `window`: beside it on the side with the most room,
// or at the corner of a screen that is full.
QRect placeBeside(const QRect& window, const QRect& screen, QSize wanted);

}  // namespace lab
