// SPDX-License-Identifier: GPL-3.0-or-later
// The network of the present settings: which one, on which examples, and its layers as a table, or, if that is too
// wide, in a line or two each. It can be chosen and edited here; a row chosen by click or key is the layer selected on
// the stage. Times are modelled, and labelled so.
#pragma once

#include <QWidget>

#include "ui/network/network_facts.h"

class QLabel;
class QTableWidget;

namespace lab {

class Experiment;
class NetworkEditor;
class Selection;

class NetworkPage final : public QWidget {
  Q_OBJECT

 public:
  NetworkPage(Experiment& experiment, Selection& selection, QWidget* parent = nullptr);

  const NetworkFacts& facts() const { return facts_; }

 Q_SIGNALS:
  void picturesChosen(const QString& folder);  // to be inspected before a run begins with them

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeChoices();
  void makeTable();
  void makeEditor();
  void choose(int layer);
  void pin(int row);
  void askForFolder();
  void refresh();
  void showFacts();
  void fillRow(int at, const NetworkFacts::Row& row);
  QString statisticsText() const;
  QString memoryText() const;                 // what a replica holds
  QStringList wordsOf(std::size_t at) const;  // the words of each column
  bool isNarrow() const;

  Experiment& experiment_;
  Selection& selection_;
  NetworkFacts facts_;
  QString failure_;
  int layer_ = -1;       // the layer of the chosen row; -1: none
  bool edited_ = false;  // edited by hand, and the table does not show the change yet
  NetworkEditor* editor_;
  QLabel *complaint_, *summary_, *time_;
  QTableWidget* table_;
};

}  // namespace lab
