// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the steps after which the weights of lanes begin to differ in any bit, by halving: all lanes go to the step in
// the middle, and what they are apart there decides which half is next. It ends with all lanes at that step, at the
// message or the update that did it, and says which that is.
#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

#include "ui/compare/lanes.h"

namespace lab {

class DifferenceSearch final : public QObject {
  Q_OBJECT

 public:
  explicit DifferenceSearch(Lanes& lanes, QObject* parent = nullptr);

  enum class Which {
    First,     // of the lane with the focus, or where that is the one held against, of the first other
    Next,      // of any lane, after what is shown
    Previous,  // of any lane, before it
  };
  // Up to what is trained.
  void search(Which which = Which::First);
  void stop();
  bool isSearching() const { return !sought_.empty(); }
  const QString& words() const { return words_; }  // how far it is, or what it found; "" before

 Q_SIGNALS:
  void changed();

 private:
  struct Sought {
    std::size_t lane = 0;
    std::int64_t looked = 0;                  // the last step that was looked at for it
    std::optional<std::int64_t> begins = {};  // the step after which it differs; 0: none
  };
  struct Place {
    std::int64_t step = 0;
    std::size_t lane = 0;
    auto operator<=>(const Place&) const = default;
  };

  void goOn();
  bool waits();  // for the lanes, or somebody has moved them and it is over
  std::int64_t stepToLookAt(Sought& sought) const;
  std::int64_t firstStep(const Lane& lane) const;
  std::optional<Place> chosen() const;
  void endWithNone();
  void arrive();
  void go(std::int64_t step, const QString& words);
  void end(const QString& words);

  Lanes& lanes_;
  Which which_ = Which::First;
  std::vector<Sought> sought_;  // empty: nothing is searched for
  std::int64_t from_ = 0;       // step
  double fromSeconds_ = 0;      // of its story
  std::int64_t asked_ = 0;      // on the way there
  std::optional<Place> found_;  // the last; while it is on its way there, where it leads
  bool arriving_ = false;
  QString words_;
};

}  // namespace lab
