// SPDX-License-Identifier: GPL-3.0-or-later
// A named slider over a list of values, with the present one as text. Emits moved() while it is dragged.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

class QLabel;
class QSlider;

namespace lab {

class FactorSlider final : public QWidget {
  Q_OBJECT

 public:
  // `words`: the text for each value.
  FactorSlider(const char* objectName, const QString& name, const QString& tip, std::vector<double> values,
               QStringList words, QWidget* parent = nullptr);

  double value() const;
  // Sets the nearest value; emits nothing. `words`, if any, are shown until the slider is moved, for a value between
  // two of the list.
  void setValue(double value, const QString& words = {});
  bool isTouched() const { return touched_; }  // moved since setValue()
  QSlider& slider() { return *slider_; }

  // 1/16 to 16 in tenths of an octave, with texts such as ×0.50.
  static FactorSlider* ofFactor(const char* objectName, const QString& name, const QString& tip);

 Q_SIGNALS:
  void moved();

 private:
  void showWords();

  std::vector<double> values_;
  QStringList words_;
  QSlider* slider_;
  QLabel* label_;
  bool touched_ = false;
};

}  // namespace lab
