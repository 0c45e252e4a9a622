// SPDX-License-Identifier: GPL-3.0-or-later
// What stays when the number of replicas changes: the global batch or each replica's. The one place where that is
// chosen; keys, What if and the command palette follow it.
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
