// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison that an experiment's file keeps: its lanes wait until Compare is shown, and what a person makes of
// them is kept again.
#pragma once

#include <QObject>
#include <QStringList>

#include <nlohmann/json.hpp>

#include "ui/compare/lane_specs.h"

namespace lab {

class CompareView;
class DeskParts;

class KeptComparison final : public QObject {
  Q_OBJECT

 public:
  explicit KeptComparison(DeskParts& desk);

  void take(bool tell);           // the document's, when it is another
  void adopt(CompareView& view);  // when it is made

 private:
  DeskParts& desk_;
  Comparing comparing_;        // for Compare, as long as nobody has seen it
  nlohmann::json comparison_;  // of the lanes, as they were taken up last
  QStringList laneNames_;      // likewise
};

}  // namespace lab
