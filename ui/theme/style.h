// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with its little things (arrows, boxes, scroll bars, the docks' buttons) as large as the text is. Fusion sizes
// them by the screen's resolution alone, which on a projector of 2,160 lines leaves arrows of seven pixels.
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
  // What has the focus shows it, whatever key or click it came by.
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  // Fusion's outlines are shades of the window's ground: on black none. Ours are the theme's edge.
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  void drawComboText(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
};

}  // namespace lab
