// SPDX-License-Identifier: GPL-3.0-or-later
// Trains until a condition holds: a step, an epoch, an accuracy, a divergence; all lanes of a comparison train
// together. Goes in strides, examines what each step has reported, stops at the very step, and says why: the condition
// was reached, or training ended first.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "ui/lanes/lanes.h"

namespace lab {

struct UntilWish {
  enum class What {
    Step,          // value: the step's number
    Epoch,         // value: the number of finished epochs
    Accuracy,      // value: 0 to 1, on the test images, at one of the run's evaluations
    LossLost,      // the loss is NaN, or ten times the initial loss
    CopiesDiffer,  // the copies of the variables, which must be equal, differ
    LanesApart,    // value: the distance of a lane's weights from the baseline's exceeds it
  };
  What what = What::Step;
  double value = 0;
  bool inAllLanes = false;  // for Accuracy: wait for the last lane, not for the first
};

class RunUntil final : public QObject {
  Q_OBJECT

 public:
  // `lanes`: returns the lanes of the visible comparison, or null.
  RunUntil(RunController& controller, Playback& playback, std::function<Lanes*()> lanes, QObject* parent = nullptr);

  // Why the run, or a lane, cannot be run until then; "" if it can.
  QString refusal(const UntilWish& wish) const;
  bool severalLanes() const;
  void start(const UntilWish& wish);
  void stop();
  bool isRunning() const { return running_; }
  const QString& words() const { return words_; }  // progress, or the result; "" before

 Q_SIGNALS:
  void changed();
  void ended(const QString& words);

 private:
  struct Hit {
    std::int64_t step = 0;  // the lane's own
    std::size_t lane = 0;
    double value = 0;             // the accuracy, the distance
    std::int64_t onStage = step;  // the window's own run shows it at the end of this step
  };

  Lanes* lanes() const;  // visible, and more than one; else null
  std::size_t count() const;
  const RunController& runOf(std::size_t lane) const;
  bool isThere() const;
  bool isEvaluated() const;
  void goOn();
  void look();
  void forgetLanes();
  void go(std::int64_t step);
  std::int64_t nextStop() const;
  std::optional<Hit> find() const;
  std::optional<Hit> findIn(std::size_t lane) const;
  std::optional<Hit> findDistance(std::size_t lane) const;
  std::int64_t between() const;
  void arrive(const Hit& hit);
  void end(const QString& words);
  QString reachedWords(const Hit& hit) const;
  QString progressWords() const;

  RunController& controller_;
  Playback& playback_;
  const std::function<Lanes*()> lanes_;
  UntilWish wish_;
  bool running_ = false, going_ = false;
  std::int64_t asked_ = 0;    // the step that the lanes are going to; 0: none yet
  std::optional<Hit> found_;  // the hit that the lanes are going to
  double stride_ = 1;
  std::int64_t from_ = 0;
  QElapsedTimer since_;
  QString words_;
};

}  // namespace lab
