// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accessibility/accessible.h"

#include <QAccessibleWidget>
#include <QAction>
#include <QActionGroup>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QKeySequence>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

#include "ui/accessibility/combo_accessible.h"

namespace lab {
namespace {

// A scrubber, whose position can be read and set.
class PositionAccessible final : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  PositionAccessible(QWidget* widget, Positioned& positioned)
      : QAccessibleWidget(widget, QAccessible::Slider), positioned_(positioned) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  QVariant currentValue() const override { return positioned_.range().now; }
  QVariant minimumValue() const override { return positioned_.range().least; }
  QVariant maximumValue() const override { return positioned_.range().most; }
  QVariant minimumStepSize() const override { return positioned_.range().step; }
  void setCurrentValue(const QVariant& value) override {
    const Positioned::Range range = positioned_.range();
    positioned_.moveTo(std::clamp(value.toDouble(), range.least, std::max(range.least, range.most)));
  }

 private:
  Positioned& positioned_;
};

// Turns "&Open && close" into "Open & close".
QString withoutKey(QString words) {
  for (qsizetype i = words.indexOf(QLatin1Char('&')); i >= 0; i = words.indexOf(QLatin1Char('&'), i + 1))
    words.remove(i, 1);
  return words;
}

// Replaces Qt's own class, which toggles a button without a click, so that neither listeners for clicks nor a tool
// button's action notice. It also calls exclusive tool buttons check boxes, and cannot open a button that is only a
// menu.
class ButtonAccessible final : public QAccessibleWidget {
 public:
  explicit ButtonAccessible(QAbstractButton& button)
      : QAccessibleWidget(&button), button_(button), tool_(qobject_cast<QToolButton*>(&button)) {}

  QAccessible::Role role() const override {
    if (menu() != nullptr)
      return tool_ != nullptr && tool_->popupMode() == QToolButton::DelayedPopup ? QAccessible::ButtonDropDown
                                                                                 : QAccessible::ButtonMenu;
    if (!button_.isCheckable()) return QAccessible::Button;
    return isOneOfSeveral() ? QAccessible::RadioButton : QAccessible::CheckBox;
  }
  QString text(QAccessible::Text kind) const override {
    if (kind == QAccessible::Accelerator) return button_.shortcut().toString(QKeySequence::NativeText);
    const QString given = QAccessibleWidget::text(kind);
    if (kind != QAccessible::Name || !given.isEmpty()) return given;
    return withoutKey(button_.text().isEmpty() ? button_.toolTip() : button_.text());
  }
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    const auto* box = qobject_cast<QCheckBox*>(&button_);
    const auto* push = qobject_cast<QPushButton*>(&button_);
    state.checkable = button_.isCheckable();
    state.checked = button_.isChecked();
    state.checkStateMixed = box != nullptr && box->checkState() == Qt::PartiallyChecked;
    state.pressed = button_.isDown();
    state.defaultButton = push != nullptr && push->isDefault();
    state.hasPopup = menu() != nullptr;
    return state;
  }
  int childCount() const override { return isSplit() ? 1 : 0; }
  QAccessibleInterface* child(int index) const override {
    return index == 0 && isSplit() ? QAccessible::queryAccessibleInterface(menu()) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    return isSplit() && child->object() == menu() ? 0 : -1;
  }
  QStringList actionNames() const override {
    QStringList names;
    if (button_.isEnabled()) {
      if (menu() != nullptr) names << showMenuAction();
      if (menu() == nullptr || (tool_ != nullptr && tool_->popupMode() != QToolButton::InstantPopup))
        names << (button_.isCheckable() ? toggleAction() : pressAction());
    }
    return names + QAccessibleWidget::actionNames();
  }
  // Acts only after the caller has its answer, because menus and many dialogs return only when they are closed.
  void doAction(const QString& name) override {
    if (name == showMenuAction() && tool_ != nullptr) {
      QMetaObject::invokeMethod(tool_, &QToolButton::showMenu, Qt::QueuedConnection);
    } else if (name == pressAction() || name == toggleAction() || name == showMenuAction()) {
      QMetaObject::invokeMethod(&button_, &QAbstractButton::click, Qt::QueuedConnection);
    } else {
      QAccessibleWidget::doAction(name);
    }
  }

 private:
  QMenu* menu() const {
    const auto* push = qobject_cast<QPushButton*>(&button_);
    return tool_ != nullptr ? tool_->menu() : push != nullptr ? push->menu() : nullptr;
  }
  bool isOneOfSeveral() const {
    const QAction* action = tool_ != nullptr ? tool_->defaultAction() : nullptr;
    return button_.autoExclusive() || (button_.group() != nullptr && button_.group()->exclusive()) ||
           (action != nullptr && action->actionGroup() != nullptr && action->actionGroup()->isExclusive());
  }
  bool isSplit() const {
    return menu() != nullptr && tool_ != nullptr && tool_->popupMode() == QToolButton::MenuButtonPopup;
  }

  QAbstractButton& button_;
  QToolButton* tool_;
};

// A notification that is spoken when it is shown, although it is invisible.
class AnnouncerAccessible final : public QAccessibleWidget {
 public:
  explicit AnnouncerAccessible(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Notification) {}
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.invisible = state.offscreen = text(QAccessible::Name).isEmpty();
    return state;
  }
};

// Widgets that paint themselves. Screen readers get everything but the role from their name and description.
struct PaintedWidget {
  const char* className;
  QAccessible::Role role;
};
constexpr PaintedWidget kPainted[] = {
    {"lab::MetricChart", QAccessible::Chart},      {"lab::ScalingView", QAccessible::Chart},
    {"lab::ProbabilityBars", QAccessible::Chart},  {"lab::HeatMap", QAccessible::Graphic},
    {"lab::ClusterPicture", QAccessible::Graphic}, {"lab::DataPreview", QAccessible::Graphic},
    {"lab::BatchGrid", QAccessible::Graphic},      {"lab::MistakeGrid", QAccessible::Graphic},
    {"lab::ConfusionTable", QAccessible::Graphic}, {"lab::FilterGrid", QAccessible::Graphic},
    {"lab::DigitPad", QAccessible::Canvas},        {"lab::TraceView", QAccessible::Canvas},
    {"lab::CounterTracks", QAccessible::Chart},
};

// Qt calls this for an object's class, then for its base classes. `object` may not be complete yet: its constructors
// may have run only as far as that of `className`.
QAccessibleInterface* makeAccessible(const QString& className, QObject* object) {
  if (object == nullptr || !object->isWidgetType()) return nullptr;
  auto* widget = static_cast<QWidget*>(object);
  for (const char* button : {"QToolButton", "QPushButton", "QCheckBox", "QRadioButton", "QAbstractButton"})
    if (className == QLatin1String(button)) return new ButtonAccessible(static_cast<QAbstractButton&>(*widget));
  if (className == QLatin1String("QComboBox")) return new ComboAccessible(static_cast<QComboBox&>(*widget));
  if (className == QLatin1String("lab::Scrubber") || className == QLatin1String("lab::RunBar"))
    if (auto* positioned = dynamic_cast<Positioned*>(widget)) return new PositionAccessible(widget, *positioned);
  if (className == QLatin1String("lab::Announcer")) return new AnnouncerAccessible(widget);
  for (const PaintedWidget& painted : kPainted)
    if (className == QLatin1String(painted.className)) return new QAccessibleWidget(widget, painted.role);
  return nullptr;
}

}  // namespace

void installAccessibles() {
  QAccessible::installFactory(makeAccessible);  // Qt installs it once, however often this is called
}

}  // namespace lab
