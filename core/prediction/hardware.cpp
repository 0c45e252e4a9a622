// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/hardware.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/options/network_of.h"
#include "core/prediction/messages.h"
#include "core/prediction/run_bound.h"
#include "core/strategy/strategy.h"
#include "core/timing/cluster_spec.h"
#include "core/timing/device_program.h"

namespace lab {
namespace {

// A file of one's own may have gone since the run was recorded; then nothing is known of its devices.
std::optional<Catalogue> catalogueIfThere(const SettingsBase& config) {
  try {
    return catalogueOf(config);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace

void refuseImpossibleLink(const SettingsBase& asked) {
  if (isReal(asked.devices))
    for (const auto& [option, value] :
         {std::pair{"device-model", &asked.deviceModel}, {"link", &asked.link}, {"host-link", &asked.hostLink}})
      if (!value->empty()) throw UserError(say::ofSimulatedDevices, Option{option});
  const bool namesBoth = !asked.deviceModel.empty() && !asked.link.empty();
  if (!namesBoth && asked.hostLink.empty()) return;
  const Catalogue catalogue = catalogueOf(asked);
  if (!asked.hostLink.empty() && staysInHost(catalogue.link(asked.hostLink)))
    throw UserError(say::linkStaysInHost, Option{"host-link"}, asked.hostLink);
  if (!namesBoth) return;
  const DeviceModel& device = catalogue.device(asked.deviceModel);
  if (catalogue.canHave(device, catalogue.link(asked.link))) return;
  std::string links;
  for (const std::string& link : device.links) links += (links.empty() ? "" : ", ") + link;
  throw UserError(say::noSuchPorts, Option{"link"}, asked.link, device.id, links);
}

Message whyExtrapolated(const ResolvedSettings& resolved) {
  if (resolved.devices != DeviceChoice::Simulated || resolved.replicas < 2) return {};
  const bool apart = strategyInfo(resolved.strategy).hosts == StrategyInfo::Hosts::EachWorker;
  const std::optional<Catalogue> catalogue = apart ? std::nullopt : catalogueIfThere(resolved);
  if (!catalogue) return {};
  try {
    return whyExtrapolated(
        uniformCluster(resolved.replicas, resolved.hosts, resolved.deviceModel, resolved.link, resolved.hostLink),
        resolved.replicas, *catalogue);
  } catch (const UserError&) {  // a key that the file has no more
    return {};
  }
}

Message whyFloat32(const ResolvedSettings& resolved) {
  if (resolved.devices != DeviceChoice::Simulated) return {};
  const std::optional<Catalogue> catalogue = catalogueIfThere(resolved);
  if (!catalogue) return {};
  for (const DeviceModel& device : catalogue->devices())
    if (device.id == resolved.deviceModel) return whyFloat32(device, resolved.matmul);
  return {};  // a key that the file has no more
}

std::optional<ErrorBand> bandOf(const ResolvedSettings& resolved, const StepMetric& step) {
  if (step.clock != TimeSource::Modelled || !whyExtrapolated(resolved).empty()) return std::nullopt;
  const ErrorBand& band = publishedBand(boundBy(resolved, step));
  return band.points > 0 ? std::optional(band) : std::nullopt;
}

}  // namespace lab
