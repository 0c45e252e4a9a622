// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a data set, before training with it: its first images with their labels, the number and shape of its
// images, and the number in each class.
#pragma once

#include <QWidget>

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace lab {

// Plain values, so that the data set itself need not stay in memory.
struct DataSummary {
  std::int64_t train = 0, test = 0;
  std::vector<std::int64_t> trainClasses, testClasses;
  std::vector<std::string> names;  // of the classes; empty: their numbers are used
  Examples first;                  // of the training images
};
DataSummary summaryOf(const Examples& train, const Examples& test, std::int64_t classes,
                      std::vector<std::string> names = {});

class DataPreview final : public QWidget {
  Q_OBJECT

 public:
  explicit DataPreview(QWidget* parent = nullptr);
  void show(DataSummary summary);
  void clear() { show({}); }
  const DataSummary& shown() const { return summary_; }
  QString words() const;  // "60,000 training and 10,000 test images, 28×28 grey pixels each"
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString nameOf(std::size_t label) const;
  void paintClasses(QPainter& painter, double y) const;
  DataSummary summary_;
};

}  // namespace lab
