// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons in Compare that add a lane which is the window's run up to the shown step, and goes on with another
// setting, or with one value changed by hand. Each opens a menu of what is possible now.
#pragma once

#include <QObject>

#include <vector>

class QMenu;
class QToolButton;

namespace lab {

class Lanes;
class RunLibrary;
struct BranchOffer;

class BranchMenus final : public QObject {
  Q_OBJECT

 public:
  BranchMenus(Lanes& lanes, RunLibrary& library, QWidget& view);  // the view owns this object; its bar, the buttons

  QToolButton& branch() const { return *branch_; }
  QToolButton& edit() const { return *edit_; }
  void refresh();  // the buttons: whether there is something to choose, or why not
  void fillBranches(QMenu& menu);
  void fillBreaks(QMenu& menu);
  void openBranches();
  void openBreaks();

 private:
  QString parentName() const;  // how a branch names the window's run
  void fillOffers(QMenu& menu, const std::vector<BranchOffer>& offers);
  void popUp(const QToolButton& button, void (BranchMenus::*fill)(QMenu&));

  Lanes& lanes_;
  RunLibrary& library_;
  QWidget& view_;
  QToolButton *branch_, *edit_;
};

}  // namespace lab
