// SPDX-License-Identifier: GPL-3.0-or-later
// Whether there is such hardware as simulated devices are asked for. What cannot be is refused where a person names it,
// and is otherwise modelled as extrapolated: said so, and without an error band. Any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/strategy/strategy.h"
#include "core/timing/catalogue.h"
#include "core/timing/error_band.h"
#include "core/trace/metric.h"

namespace lab {

// Whether there is such a strategy on such devices: TPUStrategy runs on TPU cores alone, and several of these run under
// no other. A device whose family is only assumed may be either.
bool runsOn(const StrategyInfo& info, const DeviceModel& device, std::int64_t replicas);

// Why what is modelled of `info` on `device` is extrapolated (runsOn()); else empty.
Message whyOtherDevice(const StrategyInfo& info, const DeviceModel& device, std::int64_t replicas,
                       const Catalogue& catalogue);

// UserError where `asked` names a device that its strategy does not run on, both a device and a link that such a device
// has no ports for, a link between hosts that joins devices of one host alone, or any of these for devices that are
// real.
void refuseImpossibleHardware(const SettingsBase& asked);

// Of a resolved run on simulated devices (cluster_spec.h); empty of others, whose time is measured.
Message whyExtrapolated(const ResolvedSettings& resolved);

// That the run's operands are of a format that its simulated devices have no units for (device_program.h); else empty.
Message whyFloat32(const ResolvedSettings& resolved);

// Of published steps that are bound by the same. Nothing where the time is measured or extrapolated, or where none were
// published.
std::optional<ErrorBand> bandOf(const ResolvedSettings& resolved, const StepMetric& step);

}  // namespace lab
