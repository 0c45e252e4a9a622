// SPDX-License-Identifier: GPL-3.0-or-later
// Downloads one address into one partial file, and continues the file where the server can. It never waits without
// limit and never writes more than expected. It does not check the bytes; the caller does.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/message.h"

namespace lab {

struct DownloadLimits {
  std::int64_t maxBytes = 0;  // of the whole file
  std::chrono::seconds connectTimeout{20};
  std::chrono::seconds stallTimeout{30};  // without a single byte
};

struct DownloadResult {
  enum class End { Complete, Stopped, Failed };
  End end = End::Failed;
  bool resumed = false;  // the file begins with bytes of an earlier call
  Message reason;        // of a failure, without the address
};

// Bytes of the file so far, those of earlier calls included, and in all; -1 while that is unknown. Called often, on the
// calling thread; an exception from it ends the download and is rethrown.
using DownloadProgress = std::function<void(std::int64_t received, std::int64_t total)>;

// http, https and file addresses. UserError (kind Run) only where `part` cannot be written.
DownloadResult download(const std::string& url, const std::filesystem::path& part, const DownloadLimits& limits,
                        const DownloadProgress& progress, std::stop_token stop);

}  // namespace lab
