// SPDX-License-Identifier: GPL-3.0-or-later
// One of the runs that are shown side by side: the run, the position of its movie, and the selection in it. The first
// is the window's own. Each of the others belongs to its lane and is the same experiment under another strategy, a kept
// run repeated, or a branch of a run; only the first one's movie moves it (Lockstep).
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
#include "ui/step/selection.h"

namespace lab {

struct StrategyInfo;

// What a lane shows beside the window's own run.
struct LaneSpec {
  const StrategyInfo* strategy = nullptr;  // the window's experiment under this strategy
  std::optional<RunSettings> kept = {};    // or this run, with the settings as requested
  QString name = {};                       // for a kept run
  RunController::Start from = {};          // for a branch, which is a kept run too
  QString change = {};                     // what was changed by hand: "0.31 → −0.31"; "" if not known
};

class Lane final : public QObject {
  Q_OBJECT

 public:
  // The lane of the window's own run.
  Lane(RunController& controller, Playback& playback, Selection& selection, QObject* parent = nullptr);
  // A lane that follows.
  explicit Lane(LaneSpec wish, QObject* parent = nullptr);
  ~Lane() override;

  bool isOwn() const { return own_ != nullptr; }  // true if the run belongs to this lane, not to the window
  const LaneSpec& wish() const { return wish_; }
  RunController& controller() const { return controller_; }
  Playback& playback() const { return playback_; }
  Selection& selection() const { return selection_; }

  void setWish(LaneSpec wish) { wish_ = std::move(wish); }  // takes effect at the next start()

  // Starts the run, paused, beside a run with the settings `leader`. If that is impossible, refusal() says why.
  void start(const RunSettings& leader);
  const QString& refusal() const { return refusal_; }           // why the lane cannot run; "" if it can
  const std::vector<Message>& notes() const { return notes_; }  // which settings were left out
  ResolvedSettings resolved() const;                            // as it runs, or will run
  const Lineage& lineage() const;
  QString name() const;   // "Mirrored"; a kept run has its own name, marked if edited
  QString words() const;  // "4 replicas"

  // Distance of its weights from those of the baseline lane.
  DistanceCurve distance;
  int colour = 0;  // an index for runColour(); it stays the same when other lanes are closed

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
