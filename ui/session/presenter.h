// SPDX-License-Identifier: GPL-3.0-or-later
// A teacher's moments in the window: captured from its present state, shown again, stored in the experiment's file, and
// stepped through by a presenter's keys, which have this meaning in projector mode only.
#pragma once

#include <QObject>
#include <QString>

#include <nlohmann/json.hpp>

#include "ui/guide/moments.h"

class QAction;
class QMenu;

namespace lab {

class Document;
class MainWindow;
class MomentsView;
class WindowView;

class Presenter final : public QObject {
  Q_OBJECT

 public:
  Presenter(MainWindow& window, Document& document, WindowView& view, QObject* parent = nullptr);

  Moments& moments() { return moments_; }
  void fillMenu(QMenu& menu);
  void follow(MomentsView& view);
  void goTo(int index);
  void step(int by);

 Q_SIGNALS:
  void said(const QString& text, bool failure);
  void shown(const QString& words, bool isLast);  // the moment's title and the question for the class
  // The list was replaced; `remedy` is a button that restores the previous one.
  void left(const QString& text, const QString& remedy, const nlohmann::json& moments);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Moment here() const;
  QString titleOf(const Moment& moment) const;
  void add();
  void takeClass(int index);
  void update(int index);
  void readDocument();
  void refreshActions();
  void keepTab();

  MainWindow& window_;
  Document& document_;
  WindowView& view_;
  Moments moments_;
  nlohmann::json kept_;  // as in the document
  QAction *next_ = nullptr, *previous_ = nullptr;
};

}  // namespace lab
