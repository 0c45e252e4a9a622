// SPDX-License-Identifier: GPL-3.0-or-later
// The step's batch, replica by replica: the training images distributed to it, their predictions before the update, and
// whether these are right. Everything is in the step's record; nothing is computed.
#pragma once

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/dataset.h"
#include "core/trace/step_record.h"

namespace lab {

class BatchGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit BatchGrid(QWidget* parent = nullptr);
  // `names`: the replicas' names.
  void show(std::shared_ptr<const Dataset> dataset, std::shared_ptr<const StepRecord> record, const QStringList& names);
  QStringList headings() const;  // "Replica 0: 3 of 4 right, loss 0.412": the mean of its images
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  void chosen(std::int64_t trainingImage);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Tile {  // an entry of a shard
    std::size_t replica = 0, entry = 0;
  };
  int columns(int width) const;
  int rows(std::size_t replica, int width) const;
  int topOf(std::size_t replica, int width) const;  // the top of the replica's heading
  bool at(const QPointF& position, Tile& tile) const;
  QString wordsAt(const QPoint& position) const;
  QRect boxOf(const Tile& tile) const;
  int labelOf(std::int64_t image) const;
  QString heading(std::size_t replica) const;
  QStringList tileWords(int label, int prediction, bool answered) const;  // a line each
  double tileHeight() const;                                              // of a tile with its words, in text sizes

  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<const StepRecord> record_;
  QStringList names_;
};

}  // namespace lab
