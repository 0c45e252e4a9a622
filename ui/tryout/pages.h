// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of Try it: painted from plain values.
#pragma once

#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/dataset.h"
#include "core/run/classify.h"

namespace lab {

// Ten bars with their numbers; the largest one in the accent's colour.
class ProbabilityBars final : public QWidget {
  Q_OBJECT

 public:
  explicit ProbabilityBars(QWidget* parent = nullptr);
  void show(const std::vector<float>& probabilities);  // ten, or none
  const std::vector<float>& shown() const { return values_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<float> values_;
};

// Test images that were taken for another digit, the dearest first: "4 → 9" below each. A click hands one over.
class MistakeGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit MistakeGrid(QWidget* parent = nullptr);
  void show(std::shared_ptr<const Dataset> dataset, const Classified& classified);
  std::size_t count() const { return mistakes_.size(); }
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  void chosen(std::int64_t testImage);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Mistake {
    std::int64_t image = 0;
    int label = 0, prediction = 0;
    float loss = 0, share = 0;  // share: the probability of the prediction
  };
  int columns(int width) const;
  int at(const QPointF& position) const;  // -1: none
  int shown() const;
  QString wordsOf(int index) const;
  void goTo(int index);

  std::shared_ptr<const Dataset> data_;
  std::vector<Mistake> mistakes_;
  int current_ = 0;  // for the keys
};

// Rows are labels, columns what they were taken for. The diagonal is in ink, mistakes in the warning's colour.
class ConfusionTable final : public QWidget {
  Q_OBJECT

 public:
  explicit ConfusionTable(QWidget* parent = nullptr);
  void show(const ConfusionCounts& confusion);
  const ConfusionCounts& shown() const { return counts_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF cell(int row, int column) const;
  ConfusionCounts counts_{};
};

// The 32 filters of the convolution, 3×3 each: blue below zero, orange above, one scale for all.
class FilterGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit FilterGrid(QWidget* parent = nullptr);
  void show(std::vector<float> kernel);  // (3, 3, 1, 32)
  int count() const { return static_cast<int>(kernel_.size() / 9); }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<float> kernel_;
};

}  // namespace lab
