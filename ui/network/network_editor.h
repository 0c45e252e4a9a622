// SPDX-License-Identifier: GPL-3.0-or-later
// Edits the network one layer at a time: add a layer, remove the chosen one, set its filters or units. Each change is a
// setting like any other: another run begins, and undo brings the previous one back.
#pragma once

#include <QWidget>

#include <memory>

#include "core/keras/network_edit.h"

class QLabel;
class QMenu;
class QPushButton;
class QSpinBox;

namespace lab {

class Experiment;

class NetworkEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit NetworkEditor(Experiment& experiment, QWidget* parent = nullptr);

  // Null: there is no network to edit. `layer`: the chosen one; -1: none.
  void show(std::shared_ptr<const NeuralNetwork> network, int layer);
  void removeLayer();  // removes the chosen layer, if possible

 Q_SIGNALS:
  void chosen(int layer);  // the changed layer, before the run with it begins
  void refused(QString why);

 private:
  QMenu* makeMenu();
  void add(NetworkLayer::Kind kind);
  void setUnits(int units);
  template <typename Edit>
  void change(const Edit& edit);

  Experiment& experiment_;
  std::shared_ptr<const NeuralNetwork> network_;
  int layer_ = -1;
  QPushButton *add_, *remove_;
  QLabel* caption_;
  QSpinBox* units_;
};

}  // namespace lab
