// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: a device is limited by its arithmetic, or by the operations that its memory's bandwidth allows. Which
// limit does an operation meet? Williams, Waterman, Patterson: "Roofline", CACM 52 (4), 2009.
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

  double ridge() const { return flopPerSecond / bytesPerSecond; }  // FLOP/byte at which both bounds are equal
  double at(double flopPerByte) const;                             // the lower bound at this intensity
};

// Returns a simulated device's peaks from the catalogue, in the precision that it uses. Nothing for a run in real time.
std::optional<DeviceRoofs> modelledRoofs(const RunInfo& info);

// Returns whether the run's replicas are threads of this processor, whose peaks can be measured here.
bool isOnThisProcessor(const RunInfo& info);
DeviceRoofs measuredRoofs(int threads);  // takes about half a second on all threads

enum class Bound { Compute, Memory, Launches };
struct Placement {
  Bound bound = Bound::Compute;
  double share = 0;  // of what the bound allows; for launches: of the operation's time
};
// Returns nothing for a row without arithmetic or bytes, or of another device, because such a row has no place here.
std::optional<Placement> placeOf(const OperationRow& row, const DeviceRoofs& roofs);

}  // namespace lab
