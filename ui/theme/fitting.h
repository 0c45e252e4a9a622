// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs and docks on small screens and with large letters: none is larger than the screen, and content that does not
// fit scrolls.
#pragma once

#include <QScrollArea>
#include <QSize>
#include <QSizeF>

class QVBoxLayout;

namespace lab {

// Asks for as much room as its content wants, accepts little, and keeps the focused widget visible.
class FittingArea final : public QScrollArea {
  Q_OBJECT

 public:
  // `read`: a name for content in which nothing takes the keyboard; the area takes it instead, and can be scrolled.
  explicit FittingArea(QWidget* content, const QString& read = {});

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
};

// Scrolls the areas around the widget until it is seen, as soon as it is laid out.
void bringIntoView(QWidget& widget);

// The content of a dialog whose own layout is `all`: a column that scrolls if the screen is too small. Widgets that
// must stay visible below it, such as buttons, are then added to `all`. `read` as for FittingArea.
QVBoxLayout* addFittingColumn(QVBoxLayout& all, const QString& read = {});

// Makes the window as large as `ems` (in text sizes; 0: as its content wants), but no larger than its screen, now and
// when letters become larger. Call before the window is shown.
void fitToScreen(QWidget& window, QSizeF ems = {0, 0});

// The visible room for content of a scroll area, whatever it contains: there the content itself, and what is between
// the two, grows with what it contains. Outside of such areas, the content's size.
QSize visibleRoom(const QWidget& content);

}  // namespace lab
