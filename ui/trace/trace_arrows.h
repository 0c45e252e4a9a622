// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows of a trace: from the sender's last action to its transfer, and on to the receiver's next action. Arrows of
// the chosen or hovered bar are always shown, the others only if they are few enough to follow by eye.
#pragma once

#include <QPointF>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/timeline/trace_flows.h"
#include "ui/trace/trace_axis.h"
#include "ui/trace/trace_tracks.h"

class QPainter;

namespace lab {

struct ChosenBars {
  std::int64_t current = TraceTracks::kNone;  // from which the keys . and , continue
  std::int64_t hovered = TraceTracks::kNone;
};

class TraceArrows {
 public:
  struct Arrow {
    QPointF from, to;
    bool chosen = false;
  };

  TraceArrows(const TraceAxis& axis, const TraceTracks& tracks, const ChosenBars& chosen)  // they outlive it
      : axis_(axis), tracks_(tracks), chosen_(chosen) {}

  void setTimeline(const Timeline* timeline) {
    timeline_ = timeline;
    flows_.reset();
  }
  void setShown(bool shown) { shown_ = shown; }
  bool areShown() const { return shown_; }
  std::vector<Arrow> inSight() const;  // with those of the chosen bars last
  void paint(QPainter& painter) const;

 private:
  const std::vector<TraceFlow>& flows() const;
  bool touches(const TraceFlow& flow, std::int64_t bar) const;

  const TraceAxis& axis_;
  const TraceTracks& tracks_;
  const ChosenBars& chosen_;
  const Timeline* timeline_ = nullptr;
  mutable std::optional<std::vector<TraceFlow>> flows_;  // for the timeline; made when an arrow is first needed
  bool shown_ = false;
};

}  // namespace lab
