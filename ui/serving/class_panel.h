// SPDX-License-Identifier: GPL-3.0-or-later
// The teacher's view of the class: its link, who is there and what each worker does, and the controls. Without a class:
// what a class is, and the button that begins one.
#pragma once

#include <QScrollArea>

#include <functional>

class QAbstractButton;
class QCheckBox;
class QLabel;
class QLayout;
class QTableView;

namespace lab {

class ServedClass;

class ClassPanel final : public QScrollArea {
  Q_OBJECT

 public:
  explicit ClassPanel(ServedClass& served, QWidget* parent = nullptr);

  void setShowsCode(bool shown);  // whether the code is shown now; the button offers the opposite

 Q_SIGNALS:
  void serveWanted();
  void codeWanted(bool shown);
  void said(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  QWidget* makeEmpty();
  QWidget* makeContent();
  QWidget* makeButtons();
  QAbstractButton* addButton(QLayout& row, const char* name, const QString& text, const QString& tip,
                             const std::function<void()>& act);
  void slow(double factor);
  void removeSelected();
  void askToEnd();
  void refresh();
  void refreshButtons();

  ServedClass& served_;
  QWidget *empty_, *content_;
  QTableView* view_ = nullptr;
  QLabel *totals_ = nullptr, *emptyWords_ = nullptr, *selected_ = nullptr;
  QAbstractButton *code_ = nullptr, *copy_ = nullptr, *pause_ = nullptr, *end_ = nullptr;
  QCheckBox* nicknames_ = nullptr;
  bool showsCode_ = false;
  QList<QAbstractButton*> each_;  // act on the selected workers
};

}  // namespace lab
