// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of Try it that are painted from plain values: the bars beside the pad, and the mistakes.
#pragma once

#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/dataset.h"
#include "core/replay/classify.h"

namespace lab {

// A bar with a number for each class, or for the likeliest ones if there are many. The largest bar has the accent's
// colour.
class ProbabilityBars final : public QWidget {
  Q_OBJECT

 public:
  explicit ProbabilityBars(QWidget* parent = nullptr);
  void setNames(const QStringList& names);             // of the classes
  void show(const std::vector<float>& probabilities);  // one for each class, or empty
  const std::vector<float>& shown() const { return values_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  static constexpr int kMostRows = 12;

  QString nameOf(int label) const;
  std::vector<int> rows() const;  // labels; the last one is -1 if it stands for all classes without a row

  QStringList names_;
  std::vector<float> values_;
};

// Test images that were taken for another class, those with the largest loss first, with "4 → 9" or "cat → dog" below
// each. A click emits chosen().
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
  double tileHeight() const;  // an image with its words, in text sizes
  QString wordsOf(int index) const;
  void goTo(int index);

  std::shared_ptr<const Dataset> data_;
  std::vector<Mistake> mistakes_;
  int current_ = 0;  // the tile that the keys act on
};

}  // namespace lab
