// SPDX-License-Identifier: GPL-3.0-or-later
// What a device can do at most: its arithmetic, or as many operations as the bytes that its memory moves allow. And
// which of the two an operation meets. Williams, Waterman, Patterson: "Roofline", CACM 52 (4), 2009.
#pragma once

#include <optional>
#include <string>

#include "core/config/run_info.h"
#include "core/prediction/operation_table.h"

namespace lab {

struct DeviceRoofs {
  std::string device;  // "NVIDIA V100 SXM2"
  TimeSource source = TimeSource::Modelled;
  double flopPerSecond = 0, bytesPerSecond = 0;  // both above 0

  double ridge() const { return flopPerSecond / bytesPerSecond; }  // FLOP/byte where both bounds are equal
  double at(double flopPerByte) const;                             // the lower bound there
};

// A simulated device's peaks by the catalogue, in the precision that it computes in. Nothing for a run in real time.
std::optional<DeviceRoofs> modelledRoofs(const RunInfo& info);

// Whether the run's replicas are threads of this very processor, whose peaks can be measured here.
bool isOnThisProcessor(const RunInfo& info);
DeviceRoofs measuredRoofs(int threads);  // takes about half a second, on all of them

enum class Bound { Compute, Memory, Launches };
struct Placement {
  Bound bound = Bound::Compute;
  double share = 0;  // of what the bound allows; of launches: of the operation's time
};
// Nothing for a row without arithmetic or without bytes, or of another device: it has no place among the roofs.
std::optional<Placement> placeOf(const OperationRow& row, const DeviceRoofs& roofs);

}  // namespace lab
