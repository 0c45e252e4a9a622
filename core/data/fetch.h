// SPDX-License-Identifier: GPL-3.0-or-later
// Brings MNIST, Fashion-MNIST and CIFAR-10 onto the machine. A file appears under its name only when it is whole and
// its checksum is right; until then what was received of it waits as .part for the next time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/data/verify.h"

namespace lab {

struct FetchProgress {
  std::string file;
  int fileNumber = 1, files = 4;
  std::int64_t received = 0, total = -1;  // bytes of this file; total is -1 while unknown
};

struct FetchTimeouts {
  std::chrono::seconds connect{20}, stall{30};
};

// Puts the four .gz files, or what an archive holds, into `destination` (made if need be), leaving alone what is
// already there and right. False if it was stopped. UserError if a file cannot be had from any mirror or not be
// written.
bool fetchDataset(const RemoteDataset& dataset, const std::filesystem::path& destination,
                  const std::function<void(const FetchProgress&)>& progress, std::stop_token stop,
                  const FetchTimeouts& timeouts = {});

}  // namespace lab
