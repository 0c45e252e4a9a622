// SPDX-License-Identifier: GPL-3.0-or-later
// A lane without room for its stage: its caption, a box for each replica with what the replica does at the moment
// (computes, sends, waits), and the loss as its one number.
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

#include "ui/step/step_index.h"

namespace lab {

class Lane;

class LaneSketch final : public QWidget {
  Q_OBJECT

 public:
  enum class Doing { Nothing, Computes, Sends, Waits };

  explicit LaneSketch(Lane& lane, QWidget* parent = nullptr);

  // For each replica at the shown moment; empty while nothing is shown.
  std::vector<Doing> doing();
  QString caption() const;

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void takeRecord();
  void paintBoxes(QPainter& painter, const QRectF& area);

  Lane& lane_;
  std::unique_ptr<StepIndex> index_;
};

}  // namespace lab
