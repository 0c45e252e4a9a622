// SPDX-License-Identifier: GPL-3.0-or-later
// OneDeviceStrategy (README.md): everything is placed on the named device, and the program uses the whole strategy
// interface, including run and reduce, with one replica. A reduction over one replica is the identity, so the numbers
// equal the default strategy's.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {

std::unique_ptr<Strategy> makeOneDeviceStrategy(const ResolvedSettings& config) {
  return std::make_unique<ReplicaVariablesStrategy>(config);
}

StrategyProgram oneDeviceProgram(const ProgramRequest& request) {
  StrategyProgram program;
  if (request.config.devices == DeviceChoice::Cpu) {
    add(program.startUp, {ProgramBeat::Startup}, R"(strategy = tf.distribute.OneDeviceStrategy("CPU:0"))");
    return program;
  }
  add(program.startUp, {ProgramBeat::Startup}, R"(device = "GPU:0")");
  addAside(program.startUp, {ProgramBeat::Startup}, R"(
if not tf.config.list_physical_devices("GPU"):
    device = "CPU:0")");
  add(program.startUp, {ProgramBeat::Startup}, "strategy = tf.distribute.OneDeviceStrategy(device)");
  return program;
}

}  // namespace lab
