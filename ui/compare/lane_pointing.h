// SPDX-License-Identifier: GPL-3.0-or-later
// An object that is hovered or selected in one lane is so in all lanes that have it, and its numbers stand side by side
// with their difference.
#pragma once

#include <QWidget>

#include <vector>

#include "ui/lanes/counterpart.h"
#include "ui/lanes/lanes.h"

class QLabel;
class QTableWidget;

namespace lab {

class LanePointing final : public QWidget {
  Q_OBJECT

 public:
  explicit LanePointing(Lanes& lanes, QWidget* parent = nullptr);

  void refresh();
  const QTableWidget& table() const { return *table_; }

 private:
  void listen();
  void mirror(const Lane& from, const Object& (Selection::*which)() const, void (Selection::*set)(const Object&));
  void fill(const std::vector<std::vector<PointedFigure>>& figures);

  Lanes& lanes_;
  QLabel* title_;
  QTableWidget* table_;
  bool mirroring_ = false;
};

}  // namespace lab
