// SPDX-License-Identifier: GPL-3.0-or-later
// What a widget that paints its own contents does with two events: keys that are its own while it has the focus,
// whatever they are elsewhere in the window, and words about what the pointer is on. For event().
#pragma once

#include <QEvent>
#include <QPoint>
#include <QString>

#include <functional>
#include <initializer_list>

class QWidget;

namespace lab {

// True where the event asks whether one of these keys, without Ctrl, Alt or Meta, is the widget's: now it is.
// `with`: what may be held with it.
bool takesKey(QEvent& event, std::initializer_list<Qt::Key> keys, Qt::KeyboardModifiers with = Qt::ShiftModifier);

// A property of a line of text that does something of its own with Enter, again and again; others are done with it, and
// give the focus back.
inline constexpr const char* kOwnEnter = "ownEnter";

// True where the event asks for a tip: the words for that place in the widget are shown, or none where they are "".
bool showsTip(QEvent& event, QWidget& widget, const std::function<QString(const QPoint&)>& words);

}  // namespace lab
