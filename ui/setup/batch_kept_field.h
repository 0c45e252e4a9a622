// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of what stays when the number of replicas changes: the global batch or each replica's. This is the only
// place for the choice; keys, What if and the command palette follow it.
#pragma once

#include <QWidget>

class QComboBox;

namespace lab {

class Experiment;

class BatchKeptField final : public QWidget {
  Q_OBJECT

 public:
  explicit BatchKeptField(Experiment& experiment, QWidget* parent = nullptr);

 private:
  void refresh();

  Experiment& experiment_;
  QComboBox* list_;
};

}  // namespace lab
