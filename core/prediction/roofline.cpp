// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/roofline.h"

#include <algorithm>

#include "core/base/platform.h"
#include "core/base/thread_pool.h"
#include "core/device/machine_peak.h"
#include "core/options/network_of.h"
#include "core/strategy/strategy.h"
#include "core/timing/device_program.h"

namespace lab {

double DeviceRoofs::at(double flopPerByte) const {
  return std::min(flopPerSecond, flopPerByte * bytesPerSecond);
}

std::optional<DeviceRoofs> modelledRoofs(const RunInfo& info) {
  if (info.clock != TimeSource::Modelled) return std::nullopt;
  const Catalogue catalogue = catalogueOf(info.config);
  const DeviceModel& device = catalogue.device(info.config.deviceModel);
  const Precision asked =
      info.config.matmul != Precision::Auto ? info.config.matmul : strategyInfo(info.config.strategy).matmul;
  const Precision precision = precisionOn(device, asked);
  const bool halves = precision == Precision::Bfloat16 || precision == Precision::Mixed;
  const double tflops = halves                         ? device.halfTflops()
                        : device.float32OnMatrixUnit() ? device.matrixTflops
                                                       : device.fp32Tflops;
  return DeviceRoofs{device.name, TimeSource::Modelled, tflops * 1e12, device.memoryGbPerSec * 1e9};
}

bool isOnThisProcessor(const RunInfo& info) {
  return info.clock == TimeSource::Measured && !areOnGpus(info.config) && !info.isClass && info.processes.empty() &&
         !info.devices.empty() && info.devices.front().hardware == processorName();
}

DeviceRoofs measuredRoofs(int threads) {
  ThreadPool pool(threads);
  const MachinePeak peak = measureMachinePeak(pool);
  return {processorName(), TimeSource::Measured, peak.multiplyAddGflops * 1e9, peak.memoryGbPerSec() * 1e9};
}

std::optional<Placement> placeOf(const OperationRow& row, const DeviceRoofs& roofs) {
  if (!row.onReplicas || row.flop <= 0 || row.bytes <= 0 || row.totalNs <= 0) return std::nullopt;
  if (2 * row.launchNs > row.totalNs)
    return Placement{Bound::Launches, static_cast<double>(row.launchNs) / static_cast<double>(row.totalNs)};
  const double intensity = row.flopPerByte();
  return Placement{intensity < roofs.ridge() ? Bound::Memory : Bound::Compute,
                   row.flopPerSecond() / roofs.at(intensity)};
}

}  // namespace lab
