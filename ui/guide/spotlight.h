// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson speaks of stays as it is, with a ring; the rest of the window dims, and can still be read and used: it
// takes no input. The next press anywhere ends it.
#pragma once

#include <QRect>
#include <QVariantAnimation>
#include <QVector>
#include <QWidget>

#include <functional>

namespace lab {

// How dark: text keeps kLeastText on every ground of the theme in force.
double dimShare();

class Spotlight final : public QWidget {
  Q_OBJECT

 public:
  // `labels`: words at a place in the window, which a ring leaves alone.
  using Labels = std::function<QVector<QRect>(const QRect& place)>;
  explicit Spotlight(QWidget& window, Labels labels = {});

  using Places = std::function<QVector<QRect>()>;  // in the window; empty: nothing to point at
  // `spared`: is not dimmed, and has no ring.
  bool point(const Places& places, QWidget* spared, bool animated);  // false: it is not there
  void follow();                                                     // to where it is now
  void end();
  QVector<QRect> spared() const;  // labels that lie where a ring would

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Labels labels_;
  Places places_;
  QWidget* spared_ = nullptr;
  QVector<QRect> lit_;
  QVariantAnimation fade_;
};

}  // namespace lab
