// SPDX-License-Identifier: GPL-3.0-or-later
// Two events of widgets that paint their own contents: keys that belong to the widget while it has the focus, even if
// they are shortcuts elsewhere in the window, and tips about what is under the pointer. To be called in event().
#pragma once

#include <QEvent>
#include <QPoint>
#include <QString>

#include <functional>
#include <initializer_list>

class QWidget;

namespace lab {

// If the event asks whether the widget wants one of these keys, accepts it and returns true.
// `with`: the modifiers that may be held with the key.
bool takesKey(QEvent& event, std::initializer_list<Qt::Key> keys, Qt::KeyboardModifiers with = Qt::ShiftModifier);

// Property of a line edit that handles Enter itself and keeps the focus. In other line edits, Enter ends the editing
// and gives the focus back.
inline constexpr const char* kOwnEnter = "ownEnter";

// If the event asks for a tip, shows the words for that place in the widget, or none if they are "", and returns true.
bool showsTip(QEvent& event, QWidget& widget, const std::function<QString(const QPoint&)>& words);

}  // namespace lab
