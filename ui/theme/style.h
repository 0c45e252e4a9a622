// SPDX-License-Identifier: GPL-3.0-or-later
// The style of the window's controls: the geometry of Fusion, our own drawing (README.md beside this file), and small
// parts (arrows, boxes, scroll bars, the docks' buttons) that grow with the text. Fusion sizes them by the screen's
// resolution only, so a projector of 2,160 lines would have arrows of seven pixels.
#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace lab {

class WindowStyle final : public QProxyStyle {
  Q_OBJECT

 public:
  WindowStyle();

  static void setReducedMotion(bool reduced);  // nothing that the style draws moves by itself

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  // Controls that can be pressed are at least theme::target() high and wide.
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* given) const override;
  QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  // Every control is drawn here: panel background, the theme's edge, one corner radius; accent under the pointer and
  // around the focused control, by whatever key or click it got the focus.
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  void drawComboText(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
  void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
  void drawSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const;
};

}  // namespace lab
