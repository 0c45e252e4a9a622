// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QPolygonF>
#include <QStyleOption>

#include <algorithm>
#include <optional>

#include "ui/theme/apply_theme.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kUsualText = 13;  // the text size that Fusion's own sizes assume
constexpr double kButton = 1.3, kArrow = 0.3;
constexpr int kQtsButton = 17;    // pixels that Qt reserves for a spin box's arrows
constexpr int kMostPadding = 14;  // pixels: with large letters on small screens there is no room for more
constexpr int kMarks = 32;        // pixels beside the words of a menu's item
constexpr double kFocusLine = 2;  // pixels

enum class PrimitiveKind { Check, Radio };

bool motionReduced = false;

int scaled(int size) {
  return qRound(size * theme::textSize() / kUsualText);
}

// The corner radius of all controls, the same as in the style sheet.
double corner() {
  return theme::em(theme::kCorner);
}

// A rounded box whose outline lies inside `box`.
void drawBox(QPainter& painter, const QRectF& box, const QColor& ground, const QColor& line, double width = 1,
             std::optional<double> radius = {}) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(width > 0 ? QPen(line, width) : QPen(Qt::NoPen));
  painter.setBrush(ground);
  const double within = width / 2;
  painter.drawRoundedRect(box.adjusted(within, within, -within, -within), radius.value_or(corner()),
                          radius.value_or(corner()));
  painter.restore();
}

enum class Points { Up, Down, Left, Right };

// An open arrow with the icons' line width.
void drawArrow(QPainter& painter, const QRectF& box, Points to, const QColor& colour) {
  const double half = kArrow * theme::textSize();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(box.center());
  painter.rotate(to == Points::Up ? 180 : to == Points::Left ? 90 : to == Points::Right ? -90 : 0);
  QPen pen(colour, std::max(1.2, theme::textSize() / 9.0));
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter.setPen(pen);
  painter.drawPolyline(QPolygonF({{-half, -half / 2}, {0, half / 2}, {half, -half / 2}}));
  painter.restore();
}

void drawTick(QPainter& painter, const QRectF& box, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(colour, std::max(1.5, box.width() / 8));
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter.setPen(pen);
  const auto at = [&](double x, double y) { return box.topLeft() + QPointF(x * box.width(), y * box.height()); };
  painter.drawPolyline(QPolygonF({at(0.24, 0.52), at(0.43, 0.72), at(0.77, 0.3)}));
  painter.restore();
}

bool has(const QStyleOption& option, QStyle::StateFlag state) {
  return (option.state & state) != 0;
}

// The outline of a control that can be pressed or edited: accent while the pointer is over it.
QColor lineOf(const QStyleOption& option) {
  const theme::Colours& colours = theme::colours();
  if (!has(option, QStyle::State_Enabled)) return colours.line;
  return has(option, QStyle::State_MouseOver) ? colours.accent : colours.edge;
}

QColor groundOf(const QStyleOption& option) {
  const theme::Colours& colours = theme::colours();
  const bool enabled = has(option, QStyle::State_Enabled);
  return !enabled || has(option, QStyle::State_Sunken) ? colours.window : colours.panel;
}

QColor signOf(bool enabled) {
  return enabled ? theme::colours().ink : theme::disabledInk();
}

// True for the button that Enter presses.
bool isPrimary(const QStyleOptionButton& button) {
  return button.features.testFlag(QStyleOptionButton::DefaultButton) && has(button, QStyle::State_Enabled);
}

// Around the control; within a primary button, whose ground would hide it.
void drawFocus(const QStyleOption& option, QPainter& painter) {
  if (!has(option, QStyle::State_HasFocus)) return;
  const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
  const bool within = button != nullptr && isPrimary(*button);
  const double inset = within ? kFocusLine : 0;
  drawBox(painter, QRectF(option.rect).adjusted(inset, inset, -inset, -inset), Qt::transparent,
          within ? theme::colours().onAccent : theme::colours().accent, kFocusLine);
}

void drawIndicator(PrimitiveKind kind, const QStyleOption& option, QPainter& painter) {
  const theme::Colours& colours = theme::colours();
  const double side = std::min(option.rect.width(), option.rect.height());
  QRectF box(0, 0, side, side);
  box.moveCenter(QRectF(option.rect).center());
  const bool on = has(option, QStyle::State_On), partly = has(option, QStyle::State_NoChange);
  const bool enabled = has(option, QStyle::State_Enabled);
  const QColor filled = enabled ? colours.accent : theme::disabledInk();
  const double radius = kind == PrimitiveKind::Radio ? side / 2 : std::min(corner(), side / 4);
  drawBox(painter, box, on || partly ? filled : groundOf(option), on || partly ? filled : lineOf(option), 1, radius);
  const QColor sign = enabled ? colours.onAccent : colours.panel;
  if (kind == PrimitiveKind::Radio && on) {
    const double inset = side * 0.32;
    drawBox(painter, box.adjusted(inset, inset, -inset, -inset), sign, sign, 0, side);
  } else if (partly) {
    drawBox(painter, box.adjusted(side / 4, side * 0.43, -side / 4, -side * 0.43), sign, sign, 0, 1);
  } else if (on) {
    drawTick(painter, box, sign);
  }
}

// A tab is only words; the chosen one is underlined in the accent colour.
void drawTab(const QStyleOption& option, QPainter& painter) {
  const theme::Colours& colours = theme::colours();
  const bool chosen = has(option, QStyle::State_Selected);
  if (!chosen && has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled))
    drawBox(painter, option.rect.adjusted(1, 1, -1, -2), colours.window, colours.window, 0);
  const int thick = std::max(2, theme::em(0.18));
  if (chosen) painter.fillRect(option.rect.adjusted(0, option.rect.height() - thick, 0, 0), colours.accent);
}

void drawProgress(const QStyleOptionProgressBar& bar, QPainter& painter) {
  const double share =
      std::clamp(double(bar.progress - bar.minimum) / std::max(1, bar.maximum - bar.minimum), 0.0, 1.0);
  QRectF done = bar.rect;
  const double whole = done.width();
  bar.direction == Qt::LeftToRight ? done.setWidth(share * whole) : done.setLeft(done.left() + (1 - share) * whole);
  if (share > 0) drawBox(painter, done, theme::colours().accent, theme::colours().accent);
}

void drawHeader(const QStyleOptionHeader& option, QPainter& painter) {
  const theme::Colours& colours = theme::colours();
  const QRect& box = option.rect;
  painter.fillRect(box, has(option, QStyle::State_Sunken) ? colours.line : colours.window);
  const bool across = option.orientation == Qt::Horizontal;
  painter.fillRect(
      across ? QRect(box.left(), box.bottom(), box.width(), 1) : QRect(box.right(), box.top(), 1, box.height()),
      colours.line);
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
    case PM_TabBarScrollButtonWidth:  // two of them would take much of a narrow row
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
    case CT_PushButton:  // Fusion frames its words too tightly
      return (usual + QSize(std::min(theme::em(0.6), kMostPadding), 0)).expandedTo({least, least});
    case CT_ToolButton:
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_TabBarTab:
      return usual.expandedTo({least, least});
    case CT_SpinBox:  // Qt reserves room for arrows of a fixed size
      return (usual + QSize(std::max(0, theme::em(kButton) - kQtsButton), 0)).expandedTo({0, least});
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_MenuBarItem:
    case CT_ItemViewItem:
      return usual.expandedTo({0, least});
    case CT_MenuItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
      const bool separator = item != nullptr && item->menuItemType == QStyleOptionMenuItem::Separator;
      // Fusion reserves room for marks and icons of the usual size, but ours are as large as the letters.
      const int marks = std::max(0, scaled(kMarks) - kMarks);
      return separator ? usual : QSize(usual.width() + marks, std::max(usual.height(), least));
    }
    default:
      return usual;
  }
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* given) const {
  // Qt draws these icons in dark colours only.
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  // At the foot of a popup, a list opens upwards if there is room: over the field it could exceed the screen.
  if (hint == SH_ComboBox_Popup && widget != nullptr && widget->window()->windowType() == Qt::Popup) return 0;
  // A menu higher than the screen scrolls: Qt would arrange it in columns that are too narrow for the words.
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

// Qt would cut a long text in the middle of a letter.
void WindowStyle::drawComboText(const QStyleOption& option, QPainter& painter, const QWidget* widget) const {
  const auto* given = qstyleoption_cast<const QStyleOptionComboBox*>(&option);
  if (given == nullptr) return;
  QStyleOptionComboBox box = *given;
  const int icon = box.currentIcon.isNull() ? 0 : box.iconSize.width() + 4;  // at the place that Qt uses
  const int room = subControlRect(CC_ComboBox, &box, SC_ComboBoxEditField, widget).width() - icon - 2;
  box.currentText = box.fontMetrics.elidedText(box.currentText, Qt::ElideRight, room);
  QProxyStyle::drawControl(CE_ComboBoxLabel, &box, &painter, widget);
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  switch (element) {
    case CE_ComboBoxLabel:
      return drawComboText(*option, *painter, widget);
    case CE_TabBarTabShape:
      return drawTab(*option, *painter);
    case CE_HeaderSection:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
        return drawHeader(*header, *painter);
      break;
    case CE_HeaderEmptyArea:
      return painter->fillRect(option->rect, theme::colours().window);
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
          button != nullptr && isPrimary(*button)) {
        QStyleOptionButton primary = *button;
        primary.palette.setColor(QPalette::ButtonText, theme::colours().onAccent);
        return QProxyStyle::drawControl(element, &primary, painter, widget);
      }
      break;
    case CE_ProgressBarGroove:
      return drawBox(*painter, option->rect, theme::colours().window, theme::colours().line);
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
          bar != nullptr && bar->maximum > 0)
        return drawProgress(*bar, *painter);
      break;
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
  if (element == CE_CheckBox || element == CE_RadioButton || element == CE_PushButton || element == CE_TabBarTab)
    drawFocus(*option, *painter);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
  switch (element) {
    case PE_PanelButtonCommand:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        const theme::Colours& colours = theme::colours();
        return isPrimary(*button) ? drawBox(*painter, option->rect, colours.accent, colours.accent)
                                  : drawBox(*painter, option->rect, groundOf(*option), lineOf(*option));
      }
      break;
    case PE_PanelLineEdit:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
        if (frame->lineWidth <= 0) break;                  // inside another control
        const theme::Colours& colours = theme::colours();  // editable parts are always sunken
        drawBox(*painter, option->rect, has(*option, State_Enabled) ? colours.panel : colours.window, lineOf(*option));
        return drawFocus(*option, *painter);
      }
      break;
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight:
      return drawArrow(*painter, option->rect,
                       element == PE_IndicatorArrowUp     ? Points::Up
                       : element == PE_IndicatorArrowDown ? Points::Down
                       : element == PE_IndicatorArrowLeft ? Points::Left
                                                          : Points::Right,
                       signOf(has(*option, State_Enabled)));
    case PE_FrameFocusRect:  // for a view's current item; controls use drawFocus()
      if (qobject_cast<const QAbstractItemView*>(widget) != nullptr)
        drawBox(*painter, option->rect, Qt::transparent, theme::colours().accent, kFocusLine);
      return;
    case PE_PanelMenu:  // the toolkit's edge is invisible on black
      return drawBox(*painter, option->rect, theme::colours().panel, theme::colours().edge, 1, 0);
    case PE_FrameTabBarBase:
      return;
    case PE_FrameLineEdit:
      return drawBox(*painter, option->rect, Qt::transparent, lineOf(*option));
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      return drawIndicator(PrimitiveKind::Check, *option, *painter);
    case PE_IndicatorRadioButton:
      return drawIndicator(PrimitiveKind::Radio, *option, *painter);
    case PE_IndicatorHeaderArrow:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
        return drawArrow(*painter, option->rect,
                         header->sortIndicator == QStyleOptionHeader::SortUp ? Points::Up : Points::Down,
                         theme::colours().quietInk);
      break;
    default:
      break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void WindowStyle::drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const {
  const theme::Colours& colours = theme::colours();
  painter.fillRect(bar.rect, colours.window);
  const bool across = bar.orientation == Qt::Horizontal;
  const auto part = [&](SubControl which) { return subControlRect(CC_ScrollBar, &bar, which, widget); };
  for (const bool on : {false, true}) {
    const bool can = on ? bar.sliderPosition < bar.maximum : bar.sliderPosition > bar.minimum;
    const Points to = across ? (on == (bar.direction == Qt::LeftToRight) ? Points::Right : Points::Left)
                             : (on ? Points::Down : Points::Up);
    drawArrow(painter, part(on ? SC_ScrollBarAddLine : SC_ScrollBarSubLine), to, can ? colours.quietInk : colours.line);
  }
  if (bar.minimum == bar.maximum) return;
  QRectF thumb = part(SC_ScrollBarSlider);
  const double inset = (across ? thumb.height() : thumb.width()) / 4;
  thumb.adjust(across ? 0 : inset, across ? inset : 0, across ? 0 : -inset, across ? -inset : 0);
  const bool held = bar.activeSubControls == SC_ScrollBarSlider && has(bar, State_Sunken);
  drawBox(painter, thumb, held ? colours.accent : colours.edge, colours.edge, 0,
          std::min(thumb.width(), thumb.height()) / 2);
}

void WindowStyle::drawSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const {
  const theme::Colours& colours = theme::colours();
  const QRectF handle = subControlRect(CC_Slider, &slider, SC_SliderHandle, widget);
  const QRectF whole = subControlRect(CC_Slider, &slider, SC_SliderGroove, widget);
  const bool across = slider.orientation == Qt::Horizontal, enabled = has(slider, State_Enabled);
  const double thick = std::max(4, theme::em(0.3));
  QRectF groove = whole;
  across ? groove.setHeight(thick) : groove.setWidth(thick);
  groove.moveCenter(whole.center());
  drawBox(painter, groove, colours.window, enabled ? colours.edge : colours.line, 1, thick / 2);
  QRectF done = groove;  // from the minimum to the handle
  if (across)
    slider.upsideDown ? done.setLeft(handle.center().x()) : done.setRight(handle.center().x());
  else
    slider.upsideDown ? done.setBottom(handle.center().y()) : done.setTop(handle.center().y());
  drawBox(painter, done, enabled ? colours.accent : colours.line, colours.accent, 0, thick / 2);
  const double side = std::min(handle.width(), handle.height());
  QRectF round(0, 0, side, side);
  round.moveCenter(handle.center());
  drawBox(painter, round, colours.panel, enabled ? colours.accent : colours.edge, 2, side / 2);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
  const bool enabled = has(*option, State_Enabled);
  if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
    if (control == CC_ScrollBar) return drawScrollBar(*bar, *painter, widget);
    if (control == CC_Slider) {
      drawSlider(*bar, *painter, widget);
      return drawFocus(*option, *painter);
    }
  }
  const auto part = [&](SubControl which) { return subControlRect(control, option, which, widget); };
  if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
      control == CC_SpinBox && box != nullptr) {
    drawBox(*painter, option->rect, groundOf(*option), lineOf(*option));
    for (const auto& [which, flag] : {std::pair{SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled},
                                      {SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled}})
      drawArrow(*painter, part(which), which == SC_SpinBoxUp ? Points::Up : Points::Down,
                signOf(enabled && (box->stepEnabled & flag) != 0));
    return drawFocus(*option, *painter);
  }
  if (control == CC_ComboBox) {
    drawBox(*painter, option->rect, groundOf(*option), lineOf(*option));
    drawArrow(*painter, part(SC_ComboBoxArrow), Points::Down, signOf(enabled));
    return drawFocus(*option, *painter);
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace lab
