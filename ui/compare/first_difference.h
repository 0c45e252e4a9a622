// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the first step after which the weights of two lanes differ in any bit, by halving: all lanes go to the step in
// the middle, and what they are apart there decides which half is next. It ends with all lanes at that step.
#pragma once

#include <QObject>
#include <QString>

#include "ui/compare/lanes.h"

namespace lab {

class FirstDifference final : public QObject {
  Q_OBJECT

 public:
  explicit FirstDifference(Lanes& lanes, QObject* parent = nullptr);

  // Of the lane with the focus, or where that is the one held against, of the first other. Up to what is trained.
  void search();
  void stop();
  bool isSearching() const { return lane_ != nullptr; }
  const QString& words() const { return words_; }  // how far it is, or what it found; "" before

 Q_SIGNALS:
  void changed();

 private:
  void goOn();
  void go(std::int64_t step);
  void end(const QString& words);

  Lanes& lanes_;
  Lane* lane_ = nullptr;
  std::int64_t same_ = 0, differs_ = 0;  // steps; differs_ 0: none is known
  std::int64_t asked_ = 0;
  QString words_;
};

}  // namespace lab
