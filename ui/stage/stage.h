// SPDX-License-Identifier: GPL-3.0-or-later
// The stage: paints the present moment of the playback and turns pointer events into a selection. It changes nothing in
// the run; a speed handle that the user drags only emits slowdownWanted().
#pragma once

#include <QLineF>
#include <QRegion>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ui/scene/base_step.h"
#include "ui/stage/stage_canvas.h"
#include "ui/stage/stage_change.h"

namespace lab {

struct Description;
class Playback;
class RunController;
class Selection;

class Stage final : public QWidget {
  Q_OBJECT

 public:
  // kLowHeight is used if there is no more room: in low windows, and beside other lanes.
  static constexpr int kLeastHeight = 310, kLowHeight = 276;
  // Beside other lanes on a large screen the stage is narrow and high, so its letters would be much smaller than the
  // window's.
  void setBeside(bool beside) { beside_ = beside; }

  Stage(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  // The latest painted scene, for tests and accessibility; empty while there is nothing to show.
  const Scene& scene() const { return canvas_.scene(); }
  std::uint64_t sceneVersion() const { return sceneVersion_; }  // changes whenever the scene changes

  // For screen readers and keys: the objects on the stage now, in reading order; each with its place, a name such as
  // "device R0, conv2d forward, step 118", and its figures in words. choose() pins an object.
  std::vector<Object> objects() const;
  QRectF placeOf(const Object& object) const;
  void openMenu();  // for the selected object
  QString nameOf(const Object& object) const;
  QString descriptionOf(const Object& object) const;
  const Object& chosen() const;
  void choose(const Object& object);
  QString words() const;                                     // the stage's own message; empty most of the time
  const QString& shownWords() const { return shownWords_; }  // as much of words() as fits
  const QRectF& wordsPlace() const { return wordsBox_; }
  const StageLayout& layout() const { return layout_; }

  // Shows losses and their sum as if each replica had divided by its own share of the batch. Does not change the run.
  void setDividesWrongly(bool wrongly);
  bool dividesWrongly() const { return dividesWrongly_; }
  // The factor for the difference of two copies when they are compared.
  static constexpr double kAmplified = 1000;
  void setAmplified(double factor);
  double amplified() const { return amplified_; }

  // The step of another run to compare with: differences from that step are marked. Null: none.
  void setBase(std::shared_ptr<const BaseStep> base);

  // Makes a replica's network fill the stage, with the others small beside it; -1, or a replica that this run does not
  // have, for none. Shows one of its images, and explains the value under the pointer.
  void zoomInto(int replica);
  int zoomed() const { return zoomed_; }

  void setShowsMode(bool shows);  // for windows without a toolbar
  // If true, cards glide to their new places after a change of layout, unless reduced motion is on.
  void setGlides(bool glides) { glides_ = glides; }
  bool isGliding() const { return change_.isMoving(); }
  bool releaseSpeedHandle();  // releases a dragged speed handle; false if none is dragged

 Q_SIGNALS:
  void slowdownWanted(int replica, double factor);  // 1: full speed
  void zoomChanged();
  void inspectionWanted();                                       // an object was clicked
  void menuWanted(const lab::Object& object, const QPoint& at);  // the object, or none for all; at: in screen
                                                                 // coordinates

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void advance();  // goes to the present moment; changes are painted soon
  void rebuild();
  void leaveLayout();  // called before the painted layout is replaced
  SceneInput::Look look() const;
  int replicaAt(const QPointF& point) const;  // -1: no replica that can be zoomed into
  double leastText() const;
  void countStaleness();
  void countEpoch();
  const EvalMetric* evaluation() const;  // after the shown step
  bool isUpToDate() const;
  QRegion paintScene();
  QString stateWords() const;
  QStringList fewerWords() const;
  QColor ground() const;
  bool isAtRest() const;  // at rest from the viewer's point of view
  QString wordsOfTheEnd() const;
  int lostWorker() const;
  std::vector<int> leftSince() const;
  bool hasAborted() const;
  void placeWords(const Scene& scene);
  QFont wordsFont() const;
  Description description(const Object& object) const;
  void announceMoment(const QString& caption);
  void announceSelection();
  void paintPreparation(QPainter& painter) const;
  void paintWords(QPainter& painter);
  bool invites() const;  // paused at the very beginning
  QString tipOf(const Object& object) const;
  QString digitTip(const Object& object) const;

  // The speed handle of the pinned device: how many times as long its computation takes, 1 to 10.
  std::optional<double> slowdownOf(int replica) const;
  QRectF speedHandle() const;  // null if the pinned object has no handle
  QLineF speedTrack() const;   // the track on the handle
  double speedAt(double x) const;
  void paintSpeedHandle(QPainter& painter);

  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
  StageCanvas canvas_;
  StageChange change_{[this] { update(); }};
  bool glides_ = false;
  std::unique_ptr<StepIndex> index_;
  std::shared_ptr<const BaseStep> base_;
  StageLayout layout_;
  double leastText_ = 0;  // the value for which layout_ was made
  bool beside_ = false;
  std::uint64_t sceneVersion_ = 0;
  bool upToDate_ = false;  // the canvas, apart from the present moment
  double paintedSeconds_ = 0;
  std::vector<std::int64_t> stalenessCounts_;  // over the first countedSteps_ steps of the run
  std::size_t countedSteps_ = 0;
  EpochMeans epoch_;
  bool knewEvaluation_ = false;  // at the last paint, like the next two
  int knewLost_ = -1;
  std::vector<int> knewLeft_;
  bool dividesWrongly_ = false;
  double amplified_ = 1;
  QString words_;            // words() at the last moment
  QString shownWords_;       // as much of words_ as fits
  double wordsScale_ = 1;    // relative to the usual size
  double wordsRoom_ = 0;     // the room that they were fitted into
  QRectF wordsBox_;          // where they are
  QRect overlays_;           // where something lies above the scene, at the last paint
  Object announced_;         // the selection announced to screen readers
  bool showsFocus_ = false;  // the focus came by key
  double draggedSpeed_ = 0;  // while the handle is held; else 0
  int draggedReplica_ = -1;  // the replica of the dragged handle
  bool showsMode_ = false;
  int zoomed_ = -1;
  std::size_t image_ = 0;           // the image shown; its position in the shard
  std::optional<QPointF> pointer_;  // over the zoomed replica
};

}  // namespace lab
