// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the steps after which the weights of lanes begin to differ in any bit, by bisection: all lanes go to the step
// in the middle, and whether they differ there decides which half is next. The search ends with all lanes at that step,
// at the transfer or update that caused the difference, and names the cause.
#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

#include "ui/lanes/lanes.h"

namespace lab {

class DifferenceSearch final : public QObject {
  Q_OBJECT

 public:
  explicit DifferenceSearch(Lanes& lanes, QObject* parent = nullptr);

  enum class Which {
    First,     // of the focused lane, or, if that is the baseline, of the first other lane
    Next,      // of any lane, after the shown step
    Previous,  // of any lane, before the shown step
  };
  // Searches up to the last trained step.
  void search(Which which = Which::First);
  void stop();
  bool isSearching() const { return !sought_.empty(); }
  const QString& words() const { return words_; }  // progress, or the result; "" before

 Q_SIGNALS:
  void changed();

 private:
  struct Sought {
    std::size_t lane = 0;
    std::int64_t looked = 0;                  // the last step that was examined for this lane
    std::optional<std::int64_t> begins = {};  // the step after which the lane differs; 0: none
  };
  struct Place {
    std::int64_t step = 0;
    std::size_t lane = 0;
    auto operator<=>(const Place&) const = default;
  };

  void goOn();
  bool waits();  // for the lanes; or a user has moved them, which ends the search
  std::int64_t stepToLookAt(Sought& sought) const;
  std::int64_t firstStep(const Lane& lane) const;
  std::optional<Place> chosen() const;
  void endWithNone();
  void arrive();
  void go(std::int64_t step, const QString& words);
  void end(const QString& words);

  Lanes& lanes_;
  Which which_ = Which::First;
  std::vector<Sought> sought_;  // empty: no search is running
  std::int64_t from_ = 0;       // step
  double fromSeconds_ = 0;      // within the story of that step
  std::int64_t asked_ = 0;      // the step that the lanes are going to
  std::optional<Place> found_;  // the latest difference found; while arriving, the destination
  bool arriving_ = false;
  QString words_;
};

}  // namespace lab
