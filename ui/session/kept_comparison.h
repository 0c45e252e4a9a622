// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison in an experiment's file: its lanes wait until Compare is shown, and the user's changes to them are
// stored again.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>

#include "ui/lanes/lane_specs.h"

namespace lab {

class CompareView;
class DeskParts;

class KeptComparison final : public QObject {
  Q_OBJECT

 public:
  explicit KeptComparison(DeskParts& desk);

  void take(bool tell);           // takes the document's comparison when it changes
  void adopt(CompareView& view);  // called when the view is made

 private:
  DeskParts& desk_;
  Comparing comparing_;  // for Compare, until it is first shown
  std::shared_ptr<const Comparing> shown_ = std::make_shared<const Comparing>();  // the lanes, as last taken
  QStringList laneNames_;                                                         // of the lanes, as last taken
};

}  // namespace lab
