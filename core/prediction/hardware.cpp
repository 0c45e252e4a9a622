// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/hardware.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/hardware/cluster_spec.h"
#include "core/options/network_of.h"
#include "core/prediction/messages.h"
#include "core/prediction/run_bound.h"
#include "core/strategy/strategy.h"
#include "core/timing/device_program.h"

namespace lab {
namespace {

// Returns nothing if the user's own file has gone since the run was recorded, as nothing is known of its devices then.
std::optional<Catalogue> catalogueIfThere(const SettingsBase& config) {
  try {
    return catalogueOf(config);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

bool isTpuStrategy(const StrategyInfo& info) {
  return info.simulatedOnly;
}

std::string tpusOf(const Catalogue& catalogue) {
  std::string all;
  for (const DeviceModel& device : catalogue.devices())
    if (device.standsInTorus()) all += (all.empty() ? "" : ", ") + device.id;
  return all;
}

// `find` throws UserError if the catalogue lacks a name; here the sentence begins with the option.
template <typename Find>
void refuseUnknown(const char* option, const std::string& id, const Find& find) {
  if (id.empty()) return;
  try {
    find(id);
  } catch (const UserError& error) {
    throw UserError(say::aboutOption, Option{option}, error.message());
  }
}

}  // namespace

bool runsOn(const StrategyInfo& info, const DeviceModel& device, std::int64_t replicas) {
  const bool assumed = !device.familyFrom.empty() && device.familyFrom != device.id;
  if (assumed || isTpuStrategy(info) == device.standsInTorus()) return true;
  return !isTpuStrategy(info) && replicas < 2;
}

Message whyOtherDevice(const StrategyInfo& info, const DeviceModel& device, std::int64_t replicas,
                       const Catalogue& catalogue) {
  if (runsOn(info, device, replicas)) return {};
  if (device.standsInTorus()) return {say::tpuUnderOther, device.id, Words{info.name}};
  return {say::otherUnderTpu, device.id, Words{info.name}, tpusOf(catalogue)};
}

void refuseImpossibleHardware(const SettingsBase& asked) {
  if (isReal(asked.devices))
    for (const auto& [option, value] :
         {std::pair{"device-model", &asked.deviceModel}, {"link", &asked.link}, {"host-link", &asked.hostLink}})
      if (!value->empty()) throw UserError(say::ofSimulatedDevices, Option{option});
  if (asked.deviceModel.empty() && asked.link.empty() && asked.hostLink.empty()) return;
  const StrategyInfo& info = strategyInfo(asked.strategy);
  const Catalogue catalogue = catalogueOf(asked);
  refuseUnknown("device-model", asked.deviceModel, [&](const std::string& id) { (void)catalogue.device(id); });
  refuseUnknown("link", asked.link, [&](const std::string& id) { (void)catalogue.link(id); });
  refuseUnknown("host-link", asked.hostLink, [&](const std::string& id) { (void)catalogue.link(id); });
  if (!asked.deviceModel.empty() && isTpuStrategy(info) && !runsOn(info, catalogue.device(asked.deviceModel), 1))
    throw UserError(say::runsOnTpuAlone, Option{"device-model"}, asked.deviceModel, Words{info.name},
                    tpusOf(catalogue));
  if (!asked.hostLink.empty() && staysInHost(catalogue.link(asked.hostLink)))
    throw UserError(say::linkStaysInHost, Option{"host-link"}, asked.hostLink);
  if (asked.deviceModel.empty() || asked.link.empty()) return;
  const DeviceModel& device = catalogue.device(asked.deviceModel);
  if (catalogue.canHave(device, catalogue.link(asked.link))) return;
  std::string links;
  for (const std::string& link : device.links) links += (links.empty() ? "" : ", ") + link;
  throw UserError(say::noSuchPorts, Option{"link"}, asked.link, device.id, links);
}

Message whyExtrapolated(const ResolvedSettings& resolved) {
  if (resolved.devices != DeviceChoice::Simulated) return {};
  const StrategyInfo& info = strategyInfo(resolved.strategy);
  const std::optional<Catalogue> catalogue = catalogueIfThere(resolved);
  if (!catalogue) return {};
  try {
    if (Message why = whyOtherDevice(info, catalogue->device(resolved.deviceModel), resolved.replicas, *catalogue);
        !why.empty())
      return why;
    if (resolved.replicas < 2 || info.hosts == StrategyInfo::Hosts::EachWorker) return {};
    return whyExtrapolated(
        uniformCluster(resolved.replicas, resolved.hosts, resolved.deviceModel, resolved.link, resolved.hostLink),
        resolved.replicas, *catalogue);
  } catch (const UserError&) {  // the file no longer has the key
    return {};
  }
}

Message whyFloat32(const ResolvedSettings& resolved) {
  if (resolved.devices != DeviceChoice::Simulated) return {};
  const std::optional<Catalogue> catalogue = catalogueIfThere(resolved);
  if (!catalogue) return {};
  for (const DeviceModel& device : catalogue->devices())
    if (device.id == resolved.deviceModel) return whyFloat32(device, resolved.matmul);
  return {};  // the file no longer has the key
}

std::optional<ErrorBand> bandOf(const ResolvedSettings& resolved, BoundBy bound) {
  if (!whyExtrapolated(resolved).empty()) return std::nullopt;
  const ErrorBand& band = publishedBand(bound);
  return band.points > 0 ? std::optional(band) : std::nullopt;
}

std::optional<ErrorBand> bandOf(const ResolvedSettings& resolved, const StepMetric& step) {
  return step.clock == TimeSource::Modelled ? bandOf(resolved, boundBy(resolved, step)) : std::nullopt;
}

}  // namespace lab
