// SPDX-License-Identifier: GPL-3.0-or-later
// The teacher's list of moments: add, rename, reorder, update, remove and bring back. The workbench knows what the
// present moment is and how to go to one.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QTextEdit;

namespace lab {

class Moments;
class OrderList;

class MomentsView final : public QWidget {
  Q_OBJECT

 public:
  explicit MomentsView(QWidget* parent = nullptr);

  void setMoments(Moments& moments);  // which must outlive this

 Q_SIGNALS:
  void addWanted();
  void updateWanted(int index);
  void showWanted(int index);
  void classWanted(int index);  // of shippedClasses()

 private:
  void offerClasses();
  void refresh();
  void refreshButtons();
  QString detailsOf(int index) const;

  Moments* moments_ = nullptr;
  OrderList* list_;
  QLabel *empty_, *details_;
  QTextEdit* note_;
  QPushButton *show_, *add_, *update_, *rename_, *remove_, *back_, *class_;
};

}  // namespace lab
