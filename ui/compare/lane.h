// SPDX-License-Identifier: GPL-3.0-or-later
// One of the runs that are shown side by side: the run, where its movie is, what is selected in it. The first one is
// the window's own; the others belong to their lane, train the same experiment under another strategy, a kept run once
// more or a branch of a run, and are moved by the first one's movie alone (Lockstep).
#pragma once

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/experiments/weight_distance.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/scene/selection.h"

namespace lab {

struct StrategyInfo;

// What a lane shows beside the window's own run.
struct LaneSpec {
  const StrategyInfo* strategy = nullptr;  // the window's experiment under this strategy
  std::optional<RunSettings> kept = {};    // or this run, as it was asked for
  QString name = {};                       // of a kept run
  RunController::Start from = {};          // of a branch, which is a kept run too
  QString change = {};                     // what was changed by hand: "0.31 → −0.31"; "" where nothing is known
};

class Lane final : public QObject {
  Q_OBJECT

 public:
  // The window's own.
  Lane(RunController& controller, Playback& playback, Selection& selection, QObject* parent = nullptr);
  // One that follows.
  explicit Lane(LaneSpec wish, QObject* parent = nullptr);
  ~Lane() override;

  bool isOwn() const { return own_ != nullptr; }  // the run is this lane's, not the window's
  const LaneSpec& wish() const { return wish_; }
  RunController& controller() const { return controller_; }
  Playback& playback() const { return playback_; }
  Selection& selection() const { return selection_; }

  void setWish(LaneSpec wish) { wish_ = std::move(wish); }  // from its next start() on

  // Starts it, paused, beside a run that was asked for so. What cannot be is said by refusal().
  void start(const RunSettings& leader);
  const QString& refusal() const { return refusal_; }           // why it cannot run; "" where it can
  const std::vector<Message>& notes() const { return notes_; }  // which settings were left out
  ResolvedSettings resolved() const;                            // as it runs, or will
  const Lineage& lineage() const;
  QString name() const;   // "Mirrored"; of a kept run its own, marked where it is edited
  QString words() const;  // "4 replicas"

  // Distance of its weights to those of the lane that it is compared with.
  DistanceCurve distance;
  int colour = 0;  // as runColour() counts; it stays when other lanes are closed

 Q_SIGNALS:
  void started();

 private:
  struct Own {
    RunController controller{nullptr, kRecordBudget};
    Playback playback{controller};
    Selection selection;
  };
  static constexpr std::int64_t kRecordBudget = 4'000'000;

  std::unique_ptr<Own> own_;
  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
  LaneSpec wish_;
  std::vector<Message> notes_;
  QString refusal_;
};

}  // namespace lab
