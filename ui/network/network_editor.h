// SPDX-License-Identifier: GPL-3.0-or-later
// The network changed by hand, a layer at a time: add one, remove the chosen one, set its filters or units. Each change
// is a setting like any other: another run begins, and undo brings the last one back.
#pragma once

#include <QWidget>

#include <memory>

#include "core/model/network_edit.h"

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

  // Null: there is none to change. `layer`: the chosen one; -1: none.
  void show(std::shared_ptr<const NeuralNetwork> network, int layer);
  void removeLayer();  // the chosen one, if it can be

 Q_SIGNALS:
  void chosen(int layer);  // the one that was changed, before the run with it begins
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
