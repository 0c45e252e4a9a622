// SPDX-License-Identifier: GPL-3.0-or-later
// One lane: its head (what runs, what is not equal, one number, ×), its stage with caption and scrubber (or a
// LaneSketch if there is no room), and where its step's time went. The focused lane is framed.
#pragma once

#include <QFrame>
#include <QTimer>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/experiments/comparison_file.h"
#include "core/timeline/link_bytes.h"
#include "ui/lanes/lane.h"
#include "ui/lanes/unequal.h"

class QLabel;
class QToolButton;

namespace lab {

class BreakdownBar;
class LaneSketch;
class Scrubber;
class Stage;

class LaneView final : public QFrame {
  Q_OBJECT

 public:
  LaneView(Lane& lane, const Lane& leader, QWidget* parent = nullptr);

  Lane& lane() const { return lane_; }
  Stage& stage() const { return *stage_; }
  void setSmall(bool small);
  bool isSmall() const { return small_; }
  // Hides the scrubber (the window's scrubber leads all lanes) and keeps one line of notes, to make room for the stage.
  void setTight(bool tight);
  bool isTight() const { return tight_; }
  void setFocused(bool focused);
  void setMark(const QPixmap& mark);
  // Refreshes head and breakdown; called with each frame, so nothing is done twice. `by`: what the lanes have in
  // common. `longestNs`, `barRoom`: the longest step of all lanes, and the room of the narrowest lane (BreakdownBar).
  void refresh(std::int64_t longestNs, double barRoom, InStepBy by = InStepBy::Images);
  double barRoom() const;
  const QString& unequal() const { return unequal_; }

  QSize leastWithStage(bool tight) const;
  // Neighbours have the same height, so that their stages stand side by side.
  int headHeight(int width) const;
  void setHeadHeight(int height);  // 0: the head's own height

 Q_SIGNALS:
  void chosen();  // clicked, or reached by key
  void closeWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // The facts that the head's words depend on.
  struct Facts {
    std::shared_ptr<const StepRecord> record, leaders;
    std::shared_ptr<const RunInfo> info, leadersInfo;
    RunState state = RunState::Preparing;
    QString refusal;
    InStepBy by = InStepBy::Images;
    bool small = false;
    bool operator==(const Facts&) const = default;
  };
  // The shown step's links, and which of them is the busiest; -1: nothing was sent.
  struct Links {
    std::shared_ptr<const StepRecord> record;
    std::vector<LinkBytes> whole;
    std::ptrdiff_t busiest = -1;
    std::int64_t ns = -1;  // the shown moment
  };

  QWidget* makeHead();
  Facts facts(InStepBy by) const;
  void forget();  // forgets what the head shows; the next refresh() makes it again
  std::vector<LaneNote> notes() const;
  void showNote();
  void showNumber();
  void showLink();  // for each moment of the movie
  void showLinkNow();
  void followLinks();
  QString linkTip(const std::vector<LinkBytes>& now) const;

  Lane& lane_;
  const Lane& leader_;
  QWidget* head_;
  Stage* stage_;
  LaneSketch* sketch_;
  Scrubber* scrubber_;
  BreakdownBar* breakdown_;
  QLabel *mark_, *name_, *words_, *number_, *note_, *link_;
  QToolButton* close_;
  std::optional<Facts> shown_;
  Links links_;
  QTimer linkTimer_{this};
  QString unequal_;
  std::vector<LaneNote> unequals_;     // a sentence each
  QString said_, shortLinkWords_;      // the busiest link: with the word "busiest", and without
  QString linkName_, linkCarried_;     // the two parts of shortLinkWords_
  int wholeLink_ = 0, shortLink_ = 0;  // pixels
  bool small_ = false, tight_ = false, focused_ = false;
};

}  // namespace lab
