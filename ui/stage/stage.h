// SPDX-License-Identifier: GPL-3.0-or-later
// The stage: paints the present moment of the playback and turns the pointer into a selection. It changes nothing in
// the run; what a person drags here is asked for through slowdownWanted().
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
  // The second where there is no more: in low windows, and beside other lanes.
  static constexpr int kLeastHeight = 310, kLowHeight = 276;
  // Beside others, on a large screen: it is narrow and high, and its letters would be much smaller than the window's.
  void setBeside(bool beside) { beside_ = beside; }

  Stage(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  // The scene as it was painted last, for tests and for accessibility; empty while there is nothing to show.
  const Scene& scene() const { return canvas_.scene(); }
  std::uint64_t sceneVersion() const { return sceneVersion_; }  // another number: another scene

  // For screen readers and keys: what is on the stage now, in the order of reading; each with its place, a name such as
  // "device R0, conv2d forward, step 118", and its figures in words. choose() pins.
  std::vector<Object> objects() const;
  QRectF placeOf(const Object& object) const;
  void openMenu();  // of what is selected
  QString nameOf(const Object& object) const;
  QString descriptionOf(const Object& object) const;
  const Object& chosen() const;
  void choose(const Object& object);
  QString words() const;                                     // what the stage says about itself; none most of the time
  const QString& shownWords() const { return shownWords_; }  // as much of that as there is room for
  const QRectF& wordsPlace() const { return wordsBox_; }
  const StageLayout& layout() const { return layout_; }

  // Losses and their sum as they would be, had each replica divided by its own share of the batch. Changes no run.
  void setDividesWrongly(bool wrongly);
  bool dividesWrongly() const { return dividesWrongly_; }
  // How many times as strong the difference of two copies is drawn when they are compared.
  static constexpr double kAmplified = 1000;
  void setAmplified(double factor);
  double amplified() const { return amplified_; }

  // The step of another run that what is shown is held against: what is other than there is marked. Null: none.
  void setBase(std::shared_ptr<const BaseStep> base);

  // A replica whose network fills the stage, the others small beside it; -1: none. One that this run does not have is
  // none. One of its images is looked at, and the value under the pointer is explained.
  void zoomInto(int replica);
  int zoomed() const { return zoomed_; }

  void setShowsMode(bool shows);  // where no toolbar does
  // With another layout its cards go to their new places, unless less motion is asked for. Else they are there.
  void setGlides(bool glides) { glides_ = glides; }
  bool isGliding() const { return change_.isMoving(); }
  bool releaseSpeedHandle();  // of the speed handle while it is dragged; false where it is not

 Q_SIGNALS:
  void slowdownWanted(int replica, double factor);  // 1: at full speed
  void zoomChanged();
  void inspectionWanted();                                       // an object was clicked
  void menuWanted(const lab::Object& object, const QPoint& at);  // of the object, none for all; at: on the screen

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
  void advance();  // to the present moment: what has changed is painted soon
  void rebuild();
  void leaveLayout();  // what is painted is going
  SceneInput::Look look() const;
  int replicaAt(const QPointF& point) const;  // -1: none that can be zoomed into
  double leastText() const;
  void countStaleness();
  void countEpoch();
  const EvalMetric* evaluation() const;  // after the step that is shown
  bool isUpToDate() const;
  QRegion paintScene();
  QString stateWords() const;
  QStringList fewerWords() const;
  QColor ground() const;
  bool isAtRest() const;  // as a person who looks at it would say
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
  QRectF speedHandle() const;  // null where the pinned object has none
  QLineF speedTrack() const;   // what is dragged along, on the handle
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
  double leastText_ = 0;  // that layout_ was made for
  bool beside_ = false;
  std::uint64_t sceneVersion_ = 0;
  bool upToDate_ = false;  // the canvas, with all but the present moment
  double paintedSeconds_ = 0;
  std::vector<std::int64_t> stalenessCounts_;  // of the first countedSteps_ steps of the run
  std::size_t countedSteps_ = 0;
  EpochMeans epoch_;
  bool knewEvaluation_ = false;  // at the last paint, as the next
  int knewLost_ = -1;
  std::vector<int> knewLeft_;
  bool dividesWrongly_ = false;
  double amplified_ = 1;
  QString words_;            // as words() said at the last moment
  QString shownWords_;       // of them, what there is room for
  double wordsScale_ = 1;    // of their usual size
  double wordsRoom_ = 0;     // that they were fitted into
  QRectF wordsBox_;          // where they are
  QRect overlays_;           // where there is more than the scene, at the last paint
  Object announced_;         // the selection that screen readers know
  bool showsFocus_ = false;  // reached by key
  double draggedSpeed_ = 0;  // while the handle is held; else 0
  int draggedReplica_ = -1;  // whose it is
  bool showsMode_ = false;
  int zoomed_ = -1;
  std::size_t image_ = 0;           // of its shard, that is looked at
  std::optional<QPointF> pointer_;  // over the zoomed replica
};

}  // namespace lab
