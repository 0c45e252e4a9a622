// SPDX-License-Identifier: GPL-3.0-or-later
// The stage: paints the present moment of the playback and turns pointer events into a selection. It changes nothing in
// the run; a speed handle that the user drags only emits slowdownWanted().
#pragma once

#include <QRegion>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

#include "ui/stage/shown_step.h"
#include "ui/stage/speed_handle.h"
#include "ui/stage/stage_message.h"
#include "ui/stage/stage_objects.h"
#include "ui/stage/stage_picture.h"
#include "ui/step/base_step.h"

namespace lab {

class Playback;
class RunController;
class Selection;

class Stage final : public QWidget {
  Q_OBJECT

 public:
  // kLowHeight is used if there is no more room: in low windows, and beside other lanes.
  static constexpr int kLeastHeight = 310, kLowHeight = 276;

  Stage(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  // The latest painted scene, for tests and accessibility; empty while there is nothing to show.
  const Scene& scene() const { return picture_.scene(); }
  std::uint64_t sceneVersion() const { return sceneVersion_; }  // changes whenever the scene changes
  const StageLayout& layout() const { return picture_.layout(); }
  StagePicture& picture() { return picture_; }
  const StageObjects& objects() const { return objects_; }
  const StageMessage& message() const { return message_; }
  void openMenu();  // for the selected object

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
  bool releaseSpeedHandle();      // releases a dragged speed handle; false if none is dragged

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
  bool isUpToDate() const;
  QRegion paintScene();
  QColor ground() const;
  void announceMoment(const QString& caption);

  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
  ShownStep step_;
  StagePicture picture_;
  StageObjects objects_;
  StageMessage message_;
  SpeedHandle handle_;
  std::shared_ptr<const BaseStep> base_;
  std::uint64_t sceneVersion_ = 0;
  bool upToDate_ = false;  // the picture, apart from the present moment
  double paintedSeconds_ = 0;
  bool dividesWrongly_ = false;
  double amplified_ = 1;
  QRect overlays_;           // where something lies above the scene, at the last paint
  bool showsFocus_ = false;  // the focus came by key
  int zoomed_ = -1;
  std::size_t image_ = 0;           // the image shown; its position in the shard
  std::optional<QPointF> pointer_;  // over the zoomed replica
};

}  // namespace lab
