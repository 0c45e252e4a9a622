// SPDX-License-Identifier: GPL-3.0-or-later
// What is written beside a plot: its title, and a legend of the lines. One line has both, and where that has no room
// for all names a high chart has lines of names below it. Plain values and the painting of them.
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
  // Below: a high chart has lines of names. End: so does the end of a low, wide one. All: as many lines as it takes.
  enum class Names { Below, End, All };

  QString title, unit;  // "Loss" and ", nats"
  std::vector<Entry> entries;
  double menu = 0;  // pixels at the end of the title's line that are something else's

  struct Layout {
    QRectF plot;                  // what is left of the chart
    bool atEnd = false;           // of a low chart; else above
    std::vector<QPointF> places;  // of entries below the title's line, from its foot
    double namesHeight() const;
  };
  Layout layout(const QFont& font, const QSizeF& size, Names names) const;
  void paint(QPainter& painter, const QSizeF& size, const Layout& layout) const;

 private:
  void paintLine(QPainter& painter, double width, std::size_t named, std::size_t more) const;
  double paintEntry(QPainter& painter, const Entry& entry, const QPointF& at, double room) const;  // how wide it is
  std::vector<QPointF> namePlaces(const QFont& font, double width) const;  // none where the title's line has room
};

}  // namespace lab
