// SPDX-License-Identifier: GPL-3.0-or-later
// Downloads MNIST, Fashion-MNIST and CIFAR-10. A file only gets its name when it is complete and its checksum is right;
// until then, the received part stays as .part for the next attempt.
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

// Puts the four .gz files, or an archive's members, into `destination` (created if needed), and leaves correct files
// there alone. Returns false if stopped. Throws a UserError if no mirror has a file, or if it cannot be written.
bool fetchDataset(const RemoteDataset& dataset, const std::filesystem::path& destination,
                  const std::function<void(const FetchProgress&)>& progress, std::stop_token stop,
                  const FetchTimeouts& timeouts = {});

}  // namespace lab
