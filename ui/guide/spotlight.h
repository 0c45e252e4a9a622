// SPDX-License-Identifier: GPL-3.0-or-later
// Points out what a lesson is about: it stays bright, with a ring, while the rest of the window dims. The dimmed parts
// can still be read and used, as the overlay takes no input. The next click anywhere ends it.
#pragma once

#include <QRect>
#include <QVariantAnimation>
#include <QVector>
#include <QWidget>

#include <functional>

namespace lab {

// How dark: text keeps kLeastText on every background of the current theme.
double dimShare();

class Spotlight final : public QWidget {
  Q_OBJECT

 public:
  // `labels`: returns the words at a place in the window, which a ring must not cover.
  using Labels = std::function<QVector<QRect>(const QRect& place)>;
  explicit Spotlight(QWidget& window, Labels labels = {});

  using Places = std::function<QVector<QRect>()>;  // in the window; empty if there is nothing to point at
  // `spared`: stays bright, without a ring.
  bool point(const Places& places, QWidget* spared, bool animated);  // false if the target is not there
  void setDims(bool dims);                                           // false: only the ring shows
  void follow();                                                     // moves to where the target is now
  void end();
  QVector<QRect> spared() const;  // labels that lie where a ring would be

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Labels labels_;
  Places places_;
  QWidget* spared_ = nullptr;
  QVector<QRect> lit_;
  QVariantAnimation fade_;
  bool dims_ = true;
};

}  // namespace lab
