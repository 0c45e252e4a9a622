// SPDX-License-Identifier: GPL-3.0-or-later
// A step to take home: one page with six moments of it (poster_moments), each the stage's own picture as lines and
// words, for a wall or a slide. Always in the light theme, for it is paper. UI thread: themes are the program's.
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QRectF>
#include <QSizeF>

#include <vector>

#include "ui/movie/movie_frames.h"
#include "ui/poster/poster_moments.h"
#include "ui/scene/scene_painter.h"

namespace lab {

enum class PosterPage { A3, Wide };  // across; Wide: 16 : 9, as broad
struct PosterEdges {
  double margin = 0, head = 0, foot = 0, titlePt = 0;  // points
};
QSizeF posterSize(PosterPage page);  // in points, 72 an inch

class Poster {
  Q_DECLARE_TR_FUNCTIONS(lab::Poster)

 public:
  // `step`: with a record. `font`: of all words, but for size and weight.
  Poster(const MovieStep& step, PosterPage page, const QFont& font);

  void paint(QPainter& painter);  // whose unit is a point
  const std::vector<PosterMoment>& moments() const { return moments_; }
  QString title() const;    // "MirroredStrategy: one step on 2 replicas"
  QString facts() const;    // below it
  QString command() const;  // that draws this poster again; "" where no command does
  // The parts of moment `number`'s panel, and what of the stage is drawn in it.
  struct Panel {
    QRectF box, picture;
    double scale = 1;  // points in a unit of the scene's
    Scene scene;       // in its own units, moved so that the picture's corner is (0, 0)
  };
  Panel panel(std::size_t number) const;

 private:
  void paintHead(QPainter& painter) const;
  void paintPanel(QPainter& painter, std::size_t number);
  void paintFoot(QPainter& painter);
  double paintScales(QPainter& painter, const QRectF& line);
  StageLayout layoutIn(const QSizeF& room) const;
  QFont fontOf(double points, bool bold = false) const;

  MovieStep step_;
  QSizeF size_;
  PosterEdges edges_;
  QFont font_;
  StepIndex index_;
  Story story_;
  std::vector<PosterMoment> moments_;
  ScenePainter scenes_;
};

bool isPosterFile(const QString& path);  // by its ending
// As PDF or SVG, by the path's ending. UserError (kind Run) for another one, where there is no record, and where it
// cannot be written; a file that was there is then as it was.
void writePoster(const MovieStep& step, PosterPage page, const QFont& font, const QString& path);

}  // namespace lab
