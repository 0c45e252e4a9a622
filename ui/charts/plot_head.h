// SPDX-License-Identifier: GPL-3.0-or-later
// The text beside a plot: its title and a legend of the lines. Both stand on one line; if it has no room for all names,
// a high chart has further lines for them. Plain values and their painting.
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lab {

struct PlotHead {
  struct Entry {
    QColor colour;
    QString text;
    Qt::PenStyle style = Qt::SolidLine;
  };
  // Below: a high chart has lines of names. End: so does the end of a low, wide one. All: as many lines as needed.
  enum class Names { Below, End, All };

  QString title, unit;  // "Loss" and ", nats"
  std::vector<Entry> entries;
  double menu = 0;  // pixels at the end of the title's line that are reserved for something else

  struct Layout {
    QRectF plot;                  // the rest of the chart
    bool atEnd = false;           // in a low chart the head is at the end, otherwise above
    std::vector<QPointF> places;  // places of entries below the title's line, relative to its foot
    double namesHeight() const;
  };
  Layout layout(const QFont& font, const QSizeF& size, Names names) const;
  void paint(QPainter& painter, const QSizeF& size, const Layout& layout) const;

 private:
  void paintLine(QPainter& painter, double width, std::size_t named, std::size_t more) const;
  double paintEntry(QPainter& painter, const Entry& entry, const QPointF& at, double room) const;  // returns its width
  std::vector<QPointF> namePlaces(const QFont& font, double width) const;  // empty if the title's line has room
};

}  // namespace lab
