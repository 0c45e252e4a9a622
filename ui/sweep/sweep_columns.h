// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep's cells as axes that stand side by side: a column for each setting with several values, including seeds, then
// one for each measure, with its scale and its texts. Means of groups come from entryOf(), as in the grid. Pure
// functions.
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

#include "core/experiments/cell_columns.h"
#include "ui/charts/axis.h"
#include "ui/sweep/sweep_table.h"

namespace lab {

// Settings with several values, in the order of the form.
std::vector<std::string> variedSettings(const SweepPlan& plan);
// The measures to show first: loss, accuracy, images/s and time, to the target if there is one.
std::vector<SweepQuantity> usualMeasures(const SweepPlan& plan);

struct SweepColumns {
  struct Scale {
    Range range;  // places or values
    bool logarithmic = false;
    std::vector<Tick> ticks;
    bool lacks = false;                // some cell has no value, so the axis has a place for it below
    double share(double value) const;  // 0 at the foot, 1 at the top
    double value(double share) const;
  };
  struct Group {
    CellGroup cells;
    std::vector<std::optional<Spread>> spreads;  // one per column; nothing where a mean would mislead
    std::vector<bool> ofTwoClocks;               // per column: SweepEntry::ofTwoClocks
  };

  CellColumns table;
  std::vector<std::optional<SweepQuantity>> measures;  // one per column; nothing for settings
  std::vector<bool> stopped;                           // cells that halving has stopped
  std::vector<Scale> scales;
  std::optional<bool> modelled = true;  // areModelled()

  QString title(std::size_t column) const;
  QString text(std::size_t column, double value) const;
  QString cellName(int cell) const;                                       // by its settings
  QString cellText(int cell, std::optional<SweepQuantity> inView) const;  // the cell's name and its result
  QStringList rangeWords() const;                                         // one for each column with a range
  bool isCompared(SweepQuantity quantity) const;                          // false for times of two clocks
  double heat(int cell, SweepQuantity quantity) const;                    // 0 to 1, higher is better; below 0: none
  // Groups the cells that are in all ranges by a setting.
  std::vector<Group> groups(const std::string& setting, const std::vector<SweepRun::Cell>& cells) const;
  QString groupText(const std::string& setting, const Group& group, SweepQuantity inView) const;
};

// `last`: the setting that stands next to the measures, where its groups begin; "": none.
SweepColumns sweepColumns(const SweepRequest& request, const std::vector<SweepRun::Cell>& cells,
                          const std::vector<SweepQuantity>& measures, const std::string& last = {});

}  // namespace lab
