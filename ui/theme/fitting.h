// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs and docks on small screens and with large letters: none is larger than the screen, and what has no room in it
// is scrolled to.
#pragma once

#include <QScrollArea>
#include <QSizeF>

class QVBoxLayout;

namespace lab {

// Asks for as much room as its content wants, makes do with little, and keeps what has the focus in sight.
class FittingArea final : public QScrollArea {
  Q_OBJECT

 public:
  // `read`: nothing in it takes the keyboard, so that it does, under this name, and can be scrolled.
  explicit FittingArea(QWidget* content, const QString& read = {});

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
};

// The content of a dialog whose own column is `all`: a column that is scrolled where the screen has no room for it.
// What stays in sight below, the buttons, is then added to `all`. `read` as FittingArea's.
QVBoxLayout* addFittingColumn(QVBoxLayout& all, const QString& read = {});

// As large as `ems` (of the text size; 0: as its content wants), but no larger than its screen, now and when letters
// become larger. Before it is shown.
void fitToScreen(QWidget& window, QSizeF ems = {0, 0});

}  // namespace lab
