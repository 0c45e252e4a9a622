// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style.h"

#include <QPainter>
#include <QPolygonF>
#include <QStyleOption>

#include <algorithm>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kUsualText = 13;  // the size of text that Fusion's own sizes go with
constexpr double kButton = 1.3, kArrow = 0.3;
constexpr int kQtsButton = 17;    // pixels that Qt leaves for a spin box's arrows
constexpr int kMostPadding = 14;  // pixels: large letters on small screens have none to give
constexpr int kMarks = 32;        // pixels of a menu's item beside its words

bool motionReduced = false;

int scaled(int size) {
  return qRound(size * theme::textSize() / kUsualText);
}

void drawArrow(QPainter& painter, const QRectF& box, bool up, const QColor& colour) {
  const double half = kArrow * theme::textSize(), tip = up ? -half / 2 : half / 2;
  const QPointF middle = box.center();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF(
      {{middle.x() - half, middle.y() - tip}, {middle.x() + half, middle.y() - tip}, {middle.x(), middle.y() + tip}}));
  painter.restore();
}

void drawEdge(const QRect& box, QPainter& painter) {
  painter.save();
  painter.setPen(theme::colours().edge);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box.adjusted(0, 0, -1, -1));
  painter.restore();
}

void drawFocus(const QStyleOption& option, QPainter& painter) {
  if ((option.state & QStyle::State_HasFocus) == 0) return;
  painter.save();
  painter.setPen(QPen(theme::colours().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(option.rect.adjusted(1, 1, -1, -1));
  painter.restore();
}

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::setReducedMotion(bool reduced) {
  motionReduced = reduced;
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  const int size = QProxyStyle::pixelMetric(metric, option, widget);
  switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_TitleBarButtonIconSize:
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
    case PM_ScrollBarExtent:
    case PM_ScrollBarSliderMin:
    case PM_ToolBarExtensionExtent:
      return scaled(size);
    case PM_DockWidgetTitleBarButtonMargin:
      return std::max(size, (theme::target() - pixelMetric(PM_SmallIconSize, option, widget) + 1) / 2);
    case PM_TabBarScrollButtonWidth:  // two of them leave little of a narrow row
      return std::max(size, 24);
    case PM_SliderThickness:
      return std::max(scaled(size), theme::target());
    default:
      return size;
  }
}

QSize WindowStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                    const QWidget* widget) const {
  const QSize usual = QProxyStyle::sizeFromContents(type, option, size, widget);
  const int least = theme::target();
  switch (type) {
    case CT_PushButton:  // whose words Fusion frames tightly
      return (usual + QSize(std::min(theme::em(0.6), kMostPadding), 0)).expandedTo({least, least});
    case CT_ToolButton:
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_TabBarTab:
      return usual.expandedTo({least, least});
    case CT_SpinBox:  // Qt leaves room for arrows of one size
      return (usual + QSize(std::max(0, theme::em(kButton) - kQtsButton), 0)).expandedTo({0, least});
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_MenuBarItem:
    case CT_ItemViewItem:
      return usual.expandedTo({0, least});
    case CT_MenuItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
      const bool separator = item != nullptr && item->menuItemType == QStyleOptionMenuItem::Separator;
      // Fusion leaves room for marks and icons of the usual size; ours are as large as the letters.
      const int marks = std::max(0, scaled(kMarks) - kMarks);
      return separator ? usual : QSize(usual.width() + marks, std::max(usual.height(), least));
    }
    default:
      return usual;
  }
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* given) const {
  // They are drawn in dark colours alone.
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  // A menu that is higher than the screen is scrolled: of its columns Qt shows less than the words need.
  if (hint == SH_Menu_Scrollable) return 1;
  if (motionReduced && (hint == SH_Widget_Animate || hint == SH_Widget_Animation_Duration)) return 0;
  return QProxyStyle::styleHint(hint, option, widget, given);
}

QIcon WindowStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  if (which == SP_TitleBarCloseButton) return icon(Icon::Close);
  if (which == SP_TitleBarNormalButton) return icon(Icon::Float);
  return QProxyStyle::standardIcon(which, option, widget);
}

QRect WindowStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                  const QWidget* widget) const {
  const QRect usual = QProxyStyle::subControlRect(control, option, part, widget);
  if (control != CC_SpinBox) return usual;
  const int width = theme::em(kButton), left = option->rect.right() - width;
  const int middle = option->rect.center().y();
  QRect box = usual;
  if (part == SC_SpinBoxUp) {
    box = QRect(QPoint(left, option->rect.top()), QPoint(option->rect.right() - 1, middle));
  } else if (part == SC_SpinBoxDown) {
    box = QRect(QPoint(left, middle + 1), QPoint(option->rect.right() - 1, option->rect.bottom()));
  } else if (part == SC_SpinBoxEditField) {
    box.setRight(left - 2);
    return option->direction == Qt::RightToLeft ? visualRect(option->direction, option->rect, box) : box;
  } else {
    return usual;
  }
  return visualRect(option->direction, option->rect, box);
}

// Qt cuts a text that is too long in the middle of a letter.
void WindowStyle::drawComboText(const QStyleOption& option, QPainter& painter, const QWidget* widget) const {
  const auto* given = qstyleoption_cast<const QStyleOptionComboBox*>(&option);
  if (given == nullptr) return;
  QStyleOptionComboBox box = *given;
  const int icon = box.currentIcon.isNull() ? 0 : box.iconSize.width() + 4;  // as Qt places it
  const int room = subControlRect(CC_ComboBox, &box, SC_ComboBoxEditField, widget).width() - icon - 2;
  box.currentText = box.fontMetrics.elidedText(box.currentText, Qt::ElideRight, room);
  QProxyStyle::drawControl(CE_ComboBoxLabel, &box, &painter, widget);
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  if (element == CE_ComboBoxLabel) return drawComboText(*option, *painter, widget);
  QProxyStyle::drawControl(element, option, painter, widget);
  if (element == CE_TabBarTabShape && (option->state & State_Selected) != 0) {  // whose shade is no sign in the dark
    QRect line = option->rect;
    line.setTop(line.bottom() - std::max(2, theme::em(0.18)) + 1);
    painter->fillRect(line, theme::colours().accent);
  }
  if (element == CE_CheckBox || element == CE_RadioButton || element == CE_PushButton || element == CE_TabBarTab)
    drawFocus(*option, *painter);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
  // Fusion shades the button that Enter presses with the accent, on which its words are hard to read in the dark.
  const auto* button =
      element == PE_PanelButtonCommand ? qstyleoption_cast<const QStyleOptionButton*>(option) : nullptr;
  if (button != nullptr && button->features.testFlag(QStyleOptionButton::DefaultButton)) {
    QStyleOptionButton plain = *button;
    plain.features.setFlag(QStyleOptionButton::DefaultButton, false);
    QProxyStyle::drawPrimitive(element, &plain, painter, widget);
    painter->fillRect(QRect(option->rect.left() + 3, option->rect.bottom() - 3, option->rect.width() - 6, 2),
                      theme::colours().accent);
  } else {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
  if (element == PE_IndicatorCheckBox || element == PE_FrameLineEdit) drawEdge(option->rect, *painter);
  if (element == PE_PanelButtonCommand && (option->state & State_HasFocus) == 0) drawEdge(option->rect, *painter);
  if (element == PE_IndicatorRadioButton) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(theme::colours().edge);
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(QRectF(option->rect).adjusted(1, 1, -1, -1));
    painter->restore();
  }
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  const theme::Colours& colours = theme::colours();
  const bool enabled = (option->state & State_Enabled) != 0;
  if (control == CC_SpinBox) {
    const auto* box = static_cast<const QStyleOptionSpinBox*>(option);
    for (const auto& [part, flag] : {std::pair{SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled},
                                     {SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled}})
      drawArrow(*painter, subControlRect(control, option, part, widget), part == SC_SpinBoxUp,
                enabled && (box->stepEnabled & flag) != 0 ? colours.ink : colours.line);
  } else if (control == CC_ComboBox) {
    drawArrow(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget), false,
              enabled ? colours.ink : colours.line);
  }
  if (control == CC_SpinBox || control == CC_ComboBox) drawEdge(option->rect, *painter);
  if (control == CC_Slider) {
    const QRect handle = subControlRect(control, option, SC_SliderHandle, widget);
    const QRect groove = subControlRect(control, option, SC_SliderGroove, widget);
    drawEdge(QRect(groove.left(), groove.center().y() - 2, groove.width(), 5), *painter);
    painter->fillRect(handle, colours.panel);
    drawEdge(handle, *painter);
  }
  if (control == CC_SpinBox || control == CC_ComboBox || control == CC_Slider) drawFocus(*option, *painter);
}

}  // namespace lab
