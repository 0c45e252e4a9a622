// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/hands.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QInputMethodEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <array>

namespace lab::robot {
namespace {

constexpr std::array kKeys{
    Qt::Key_Space, Qt::Key_Space,  Qt::Key_Left,     Qt::Key_Right,  Qt::Key_Up,        Qt::Key_Down,   Qt::Key_Home,
    Qt::Key_End,   Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Return, Qt::Key_Return,    Qt::Key_Escape, Qt::Key_Escape,
    Qt::Key_Tab,   Qt::Key_Tab,    Qt::Key_Backtab,  Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Period, Qt::Key_Comma,
    Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_Question, Qt::Key_Menu,   Qt::Key_F1,        Qt::Key_F2,     Qt::Key_F3,
    Qt::Key_F4,    Qt::Key_F5,     Qt::Key_F6,       Qt::Key_F10,    Qt::Key_F11};

constexpr std::array kModifiers{Qt::KeyboardModifiers(),
                                Qt::KeyboardModifiers(),
                                Qt::KeyboardModifiers(),
                                Qt::KeyboardModifiers(),
                                Qt::KeyboardModifiers(),
                                Qt::KeyboardModifiers(Qt::ShiftModifier),
                                Qt::ControlModifier | Qt::ShiftModifier,
                                Qt::KeyboardModifiers(Qt::ControlModifier),
                                Qt::KeyboardModifiers(Qt::AltModifier)};

bool isAny(const QWidget&) {
  return true;
}
bool isField(const QWidget& widget) {
  return qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
         qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSlider*>(&widget) ||
         qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QPlainTextEdit*>(&widget) ||
         qobject_cast<const QTabBar*>(&widget);
}
// Also the line of a number or of an editable list.
bool isLine(const QWidget& widget) {
  return qobject_cast<const QLineEdit*>(&widget) != nullptr;
}
bool isButton(const QWidget& widget) {
  return qobject_cast<const QAbstractButton*>(&widget) != nullptr;
}

}  // namespace

QString Hands::nameOf(const QWidget& widget) const {
  return QStringLiteral("%1 '%2'").arg(QLatin1String(widget.metaObject()->className()), widget.objectName());
}

QWidget* Hands::anyIn(QWidget& root, bool (*fits)(const QWidget&)) {
  QList<QWidget*> all = root.findChildren<QWidget*>();
  all.removeIf([&](QWidget* widget) {
    return !widget->isVisible() || widget->width() < 2 || widget->height() < 2 || widget->window() != root.window() ||
           !fits(*widget);
  });
  return all.isEmpty() ? nullptr : chance_.of(all);
}

QPoint Hands::placeOn(const QWidget& widget) {
  return {chance_.below(widget.width()), chance_.below(widget.height())};
}

void Hands::drag(QWidget& widget) {
  const QPointer<QWidget> there = &widget;
  const Qt::KeyboardModifiers modifiers = chance_.oneIn(6) ? Qt::ShiftModifier : Qt::NoModifier;
  QTest::mousePress(&widget, Qt::LeftButton, modifiers, placeOn(widget));
  for (int i = 0; i < 4 && there; ++i) {
    const QPointF at = placeOn(widget);
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
    QCoreApplication::sendEvent(&widget, &move);
  }
  if (there) QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, placeOn(widget));
}

void Hands::point(QWidget& widget) {
  const QPoint at = placeOn(widget);
  const int way = chance_.below(12);
  static constexpr std::array kWays{"move over", "wheel on", "drag on", "double click", "context menu of", "click"};
  journal_.note(QStringLiteral("%1 %2 at %3, %4")
                    .arg(QLatin1String(kWays[static_cast<std::size_t>(std::min(way, 5))]), nameOf(widget))
                    .arg(at.x())
                    .arg(at.y()));
  switch (way) {
    case 0:
      QTest::mouseMove(&widget, at);
      break;
    case 1: {
      const QPointF place(at);
      const Qt::KeyboardModifiers modifiers = chance_.oneIn(3) ? Qt::ControlModifier : Qt::NoModifier;
      QWheelEvent wheel(place, widget.mapToGlobal(place), {}, {0, chance_.oneIn(2) ? 120 : -120}, Qt::NoButton,
                        modifiers, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&widget, &wheel);
      break;
    }
    case 2:
      drag(widget);
      break;
    case 3:
      QTest::mouseDClick(&widget, Qt::LeftButton, {}, at);
      break;
    case 4: {
      QContextMenuEvent menu(QContextMenuEvent::Mouse, at, widget.mapToGlobal(at));
      QCoreApplication::sendEvent(&widget, &menu);
      break;
    }
    default:
      QTest::mouseClick(&widget, Qt::LeftButton, chance_.oneIn(9) ? Qt::ControlModifier : Qt::NoModifier, at);
  }
}

void Hands::pointIn(QWidget& root) {
  QWidget* widget = anyIn(root, isAny);
  point(widget == nullptr ? root : *widget);
}

void Hands::pushButton(QWidget& root) {
  QWidget* button = anyIn(root, isButton);
  if (button == nullptr) return;
  journal_.note(QStringLiteral("push %1 \"%2\"").arg(nameOf(*button), static_cast<QAbstractButton*>(button)->text()));
  QTest::mouseClick(button, Qt::LeftButton);
}

void Hands::press(QWidget& root) {
  QWidget* target = root.focusWidget();
  if (target == nullptr || !target->isVisible() || chance_.oneIn(4)) target = &root;
  const Qt::Key letter = static_cast<Qt::Key>((chance_.oneIn(3) ? Qt::Key_0 : Qt::Key_A) + chance_.below(10));
  const Qt::Key key = chance_.oneIn(3) ? letter : chance_.of(kKeys);
  const Qt::KeyboardModifiers modifiers = chance_.of(kModifiers);
  journal_.note(QStringLiteral("key %1 to %2").arg(QKeySequence(key | modifiers).toString(), nameOf(*target)));
  QTest::keyClick(target, key, modifiers);
}

void Hands::enter(QWidget& widget, const QString& words) {
  const QPointer<QWidget> there = &widget;
  widget.setFocus();
  QTest::keyClick(&widget, Qt::Key_A, Qt::ControlModifier);
  QInputMethodEvent spoken;  // enters any letters at once
  spoken.setCommitString(words);
  if (there) QCoreApplication::sendEvent(&widget, &spoken);
}

void Hands::type(QWidget& widget, const QString& words) {
  const QPointer<QWidget> there = &widget;
  enter(widget, words);
  if (there && chance_.oneIn(2)) QTest::keyClick(&widget, Qt::Key_Return);
}

// Without Enter: the press elsewhere takes the keyboard from the field, which then takes what was typed.
void Hands::typeAndClickElsewhere(QWidget& root) {
  QWidget* line = anyIn(root, isLine);
  if (line == nullptr || !line->isEnabled()) return;
  const bool number = qobject_cast<const QAbstractSpinBox*>(line->parentWidget()) != nullptr && !chance_.oneIn(5);
  const QString words = number ? QString::number(1 + chance_.below(8)) : papers_.anyWords();
  journal_.note(QStringLiteral("type \"%1\" into %2 of %3, without Enter")
                    .arg(words.left(40), nameOf(*line), nameOf(*line->parentWidget())));
  const QPointer<QWidget> there = &root;
  enter(*line, words);
  const QPointer<QWidget> other = there ? anyIn(root, isAny) : nullptr;
  if (!other) return;
  const QPoint at = placeOn(*other);
  journal_.note(QStringLiteral("and click %1 at %2, %3").arg(nameOf(*other)).arg(at.x()).arg(at.y()));
  QTest::mousePress(other, Qt::LeftButton, {}, at);
  if (other) QTest::mouseRelease(other, Qt::LeftButton, {}, at);
}

void Hands::fillField(QWidget& widget) {
  const QString words = papers_.anyWords();
  const int number = chance_.below(1000);
  journal_.note(QStringLiteral("fill %1 with %2 or \"%3\"").arg(nameOf(widget)).arg(number).arg(words.left(40)));
  if (auto* combo = qobject_cast<QComboBox*>(&widget)) {
    if (number % 4 == 0) return QTest::mouseClick(combo, Qt::LeftButton);  // its list opens
    if (number % 4 == 1) return QTest::keyClick(combo, number % 8 == 1 ? Qt::Key_Down : Qt::Key_Up);
    if (combo->count() == 0) return;
    combo->setCurrentIndex(number % combo->count());
    Q_EMIT combo->activated(combo->currentIndex());
  } else if (auto* slider = qobject_cast<QAbstractSlider*>(&widget)) {
    slider->setValue(slider->minimum() + static_cast<int>((slider->maximum() - slider->minimum()) * (number / 999.0)));
  } else if (auto* tabs = qobject_cast<QTabBar*>(&widget)) {
    if (tabs->count() > 0) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(number % tabs->count()).center());
  } else if (auto* view = qobject_cast<QAbstractItemView*>(&widget)) {
    const QAbstractItemModel* model = view->model();
    if (model == nullptr || model->rowCount() == 0 || model->columnCount() == 0) return;
    const QModelIndex index = model->index(number % model->rowCount(), number % model->columnCount());
    view->scrollTo(index);
    const QPoint at = view->visualRect(index).center();
    if (!view->viewport()->rect().contains(at)) return;
    if (number % 5 == 0)
      QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, at);
    else
      QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
  } else {
    type(widget, words);
  }
}

void Hands::fill(QWidget& root) {
  if (QWidget* field = anyIn(root, isField); field != nullptr && field->isEnabled()) fillField(*field);
}

}  // namespace lab::robot
