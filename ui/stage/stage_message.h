// SPDX-License-Identifier: GPL-3.0-or-later
// The stage's own words, empty most of the time: how far the preparation is, "Paused at step 25", how the run ended; in
// windows without a toolbar also the mode. They stand on a plate beside the batch, shortened to its room.
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace lab {

class Playback;
class RunController;
class ShownStep;
struct Scene;
struct StageLayout;

class StageMessage {
  Q_DECLARE_TR_FUNCTIONS(lab::StageMessage)

 public:
  StageMessage(const RunController& controller, const Playback& playback, const ShownStep& step);
  void setShowsMode(bool shows) { showsMode_ = shows; }

  QString words() const;  // at this moment
  bool isOutdated() const { return words() != words_; }
  const QString& shown() const { return shown_; }  // as much of the words as fits
  const QRectF& place() const { return box_; }     // of the plate, in the stage; null: no words

  // Fits the words of this moment into the scene that is about to be painted. `font`: the stage's.
  void fit(const Scene& scene, const StageLayout& layout, const QFont& font);
  void unfit() { box_ = {}; }  // for another size, font or theme
  void paint(QPainter& painter) const;
  // While there is no step: the words, and the finished share of the preparation if it is known.
  void paintPreparation(QPainter& painter, const QRect& stage) const;

 private:
  QString stateWords() const;
  QString wordsOfTheEnd() const;
  QStringList fewerWords() const;
  bool hasAborted() const;

  const RunController& controller_;
  const Playback& playback_;
  const ShownStep& step_;
  bool showsMode_ = false;
  QString words_;  // when they were fitted
  QString shown_;
  double room_ = 0;  // the width that they were fitted into
  QRectF box_;
  QFont font_;
};

}  // namespace lab
