// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the simulated devices' hardware exists. Impossible hardware is refused if a person names it; otherwise it is
// modelled and marked as extrapolated, without an error band. Any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/hardware/catalogue.h"
#include "core/strategy/strategy.h"
#include "core/timing/error_band.h"
#include "core/trace/metric.h"

namespace lab {

// Returns whether the strategy runs on such devices: TPUStrategy only runs on TPU cores, and several TPU cores only run
// under TPUStrategy. A device whose family is only assumed may be either.
bool runsOn(const StrategyInfo& info, const DeviceModel& device, std::int64_t replicas);

// Returns why the model of `info` on `device` is extrapolated (runsOn()); empty if it is not.
Message whyOtherDevice(const StrategyInfo& info, const DeviceModel& device, std::int64_t replicas,
                       const Catalogue& catalogue);

// Throws a UserError if `asked` names a device that its strategy does not run on, a device and a link that it has no
// ports for, a link between hosts that only joins devices of one host, or any of these for real devices.
void refuseImpossibleHardware(const SettingsBase& asked);

// For a resolved run on simulated devices (cluster_spec.h); empty for others, whose time is measured.
Message whyExtrapolated(const ResolvedSettings& resolved);

// Says that the simulated devices have no units for the run's operand format (device_program.h); empty if they have.
Message whyFloat32(const ResolvedSettings& resolved);

// Returns the error band of published steps with the same bottleneck. Nothing if the time is measured or extrapolated,
// or if none were published.
std::optional<ErrorBand> bandOf(const ResolvedSettings& resolved, const StepMetric& step);
std::optional<ErrorBand> bandOf(const ResolvedSettings& resolved, BoundBy bound);  // of a modelled time

}  // namespace lab
