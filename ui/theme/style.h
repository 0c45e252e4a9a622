// SPDX-License-Identifier: GPL-3.0-or-later
// The window's controls: Fusion's places, our pictures (README.md beside this), and little things (arrows, boxes,
// scroll bars, the docks' buttons) as large as the text is. Fusion sizes them by the screen's resolution alone, which
// on a projector of 2,160 lines leaves arrows of seven pixels.
#pragma once

#include <QProxyStyle>

namespace lab {

class WindowStyle final : public QProxyStyle {
  Q_OBJECT

 public:
  WindowStyle();

  static void setReducedMotion(bool reduced);  // nothing that the style draws moves by itself

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  // What is pressed is theme::target() high, and wide, at least.
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* given) const override;
  QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  // Every control is drawn here: panel ground, the theme's edge, one corner; accent under the pointer and around what
  // has the focus, whatever key or click it came by.
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
