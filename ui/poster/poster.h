// SPDX-License-Identifier: GPL-3.0-or-later
// A poster of a step, for a wall or a slide: one page with six moments (poster_moments), each the stage's own picture
// in vector form. Always in the light theme, because it is paper. UI thread, because the theme is global.
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QRectF>
#include <QSizeF>

#include <vector>

#include "ui/movie/movie_frames.h"
#include "ui/painting/scene_painter.h"
#include "ui/poster/poster_moments.h"

namespace lab {

enum class PosterPage { A3, Wide };  // A3: landscape; Wide: 16 : 9, as wide as A3
struct PosterEdges {
  double margin = 0, head = 0, foot = 0, titlePt = 0;  // points
};
QSizeF posterSize(PosterPage page);  // in points, 72 an inch

class Poster {
  Q_DECLARE_TR_FUNCTIONS(lab::Poster)

 public:
  // `step` must have a record. `font` is used for all words, in other sizes and weights.
  Poster(const MovieStep& step, PosterPage page, const QFont& font);

  void paint(QPainter& painter);  // the painter's unit must be a point
  const std::vector<PosterMoment>& moments() const { return moments_; }
  QString title() const;    // "MirroredStrategy: one step on 2 replicas"
  QString facts() const;    // stands below the title
  QString command() const;  // draws this poster again; "" if no command can
  // The parts of moment `number`'s panel, and the scene drawn in it.
  struct Panel {
    QRectF box, picture;
    double scale = 1;  // points per unit of the scene
    Scene scene;       // in its own units, moved so that the picture's top left corner is (0, 0)
  };
  Panel panel(std::size_t number) const;

 private:
  void paintHead(QPainter& painter) const;
  void paintPanel(QPainter& painter, std::size_t number);
  void paintFoot(QPainter& painter);
  double paintScales(QPainter& painter, const QRectF& line);
  StageLayout layoutIn(const QSizeF& room) const;
  QFont fontOf(double points, bool bold = false) const;
  QFont figuresFont(const QString& figures, double room) const;

  MovieStep step_;
  QSizeF size_;
  PosterEdges edges_;
  QFont font_;
  StepIndex index_;
  Story story_;
  std::vector<PosterMoment> moments_;
  ScenePainter scenes_;
};

bool isPosterFile(const QString& path);  // judges by the file name's ending
// Writes PDF or SVG, by the path's ending. Throws UserError (kind Run) for any other ending, if there is no record, or
// if the file cannot be written; an existing file is then left unchanged.
void writePoster(const MovieStep& step, PosterPage page, const QFont& font, const QString& path);

}  // namespace lab
