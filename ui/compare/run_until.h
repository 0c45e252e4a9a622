// SPDX-License-Identifier: GPL-3.0-or-later
// Trains on until something is so: a step, an epoch, an accuracy, a divergence; all lanes of a comparison together. It
// goes in strides, looks at what each step has reported, ends at the step itself, and says why: what was reached, or
// that training ended before.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "ui/compare/lanes.h"

namespace lab {

struct UntilWish {
  enum class What {
    Step,          // value: its number
    Epoch,         // value: so many are over
    Accuracy,      // value: 0 to 1, on the test images, at one of the run's evaluations
    LossLost,      // the loss is no number, or ten times that of the beginning
    CopiesDiffer,  // of the variables, that must be equal
    LanesApart,    // value: the distance of a lane's weights to those that it is held against is larger
  };
  What what = What::Step;
  double value = 0;
  bool inAllLanes = false;  // of Accuracy: the last lane decides, not the first
};

class RunUntil final : public QObject {
  Q_OBJECT

 public:
  // `lanes`: of a comparison that is seen, or null.
  RunUntil(RunController& controller, Playback& playback, std::function<Lanes*()> lanes, QObject* parent = nullptr);

  // Why the run, or a lane, cannot be run until then; "" where it can.
  QString refusal(const UntilWish& wish) const;
  bool severalLanes() const;
  void start(const UntilWish& wish);
  void stop();
  bool isRunning() const { return running_; }
  const QString& words() const { return words_; }  // how far it is, or what came of it; "" before

 Q_SIGNALS:
  void changed();
  void ended(const QString& words);

 private:
  struct Hit {
    std::int64_t step = 0;
    std::size_t lane = 0;
    double value = 0;  // the accuracy, the distance
  };

  Lanes* lanes() const;  // that are seen, and not alone
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
  std::int64_t asked_ = 0;    // the step on the way; 0: none yet
  std::optional<Hit> found_;  // and on the way there
  double stride_ = 1;
  std::int64_t from_ = 0;
  QElapsedTimer since_;
  QString words_;
};

}  // namespace lab
