// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/wire_module.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/process/messages.h"

namespace lab::process {
namespace {

constexpr const char* kModuleFile = "strategylab_mpi.so";
constexpr const char* kModuleVariable = "STRATEGYLAB_MPI_MODULE";

OpenWire openMpiModule() {
  const std::filesystem::path path = modulePath(kModuleFile, kModuleVariable);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw UserError(say::noMpiModule, path);
  std::string error;
  void* library = openLibrary(path, error);  // stays open
  if (library == nullptr) throw UserError(say::mpiModuleNotOpened, path, error);
  const auto open = reinterpret_cast<OpenWire>(librarySymbol(library, kOpenWireSymbol));
  if (open == nullptr) throw UserError(say::notMpiModule, path);
  return open;
}

}  // namespace

Message whyNoProcesses() {
  try {
    (void)openMpiModule();
    return {};
  } catch (const UserError& error) {
    return error.message();
  }
}

Started howStarted() {
  Started started;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "SLURM_NTASKS"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    started.processes = std::max(started.processes, std::atoi(value));
  }
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    started.together = started.together || std::getenv(name) != nullptr;
  return started;
}

std::shared_ptr<Wire> openWire() {
  Wire* wire = nullptr;
  Message why;
  openMpiModule()(kWireInterface, &wire, &why);
  if (wire == nullptr) throw UserError(why);
  return std::shared_ptr<Wire>(wire);
}

}  // namespace lab::process
